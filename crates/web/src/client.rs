//! Clients, among which the server's resources are shared: an address, and the browser there.

use std::{
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
};

use axum::{
    extract::{Request, State},
    http::HeaderMap,
    middleware::Next,
    response::Response,
};

use crate::{app::App, store::Owner};

/// A client. Resources are shared by address first, for nobody can have many of those.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Client {
    pub(crate) address: IpAddr,
    /// The browser, if it has a cookie of ours.
    pub(crate) browser: Option<Owner>,
}

/// The other end of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

pub(crate) async fn identify(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get().map_or(app.config.loopback, |&Peer(address)| address);
    let address = network_of(behind_proxy(peer, request.headers()).unwrap_or(peer));
    request.extensions_mut().insert(Client { address, browser: None });
    next.run(request).await
}

/// The address that a proxy on this machine names. Other peers are not believed.
fn behind_proxy(peer: IpAddr, headers: &HeaderMap) -> Option<IpAddr> {
    if !peer.is_loopback() {
        return None;
    }
    let line = headers.get_all("x-forwarded-for").into_iter().next_back()?.to_str().ok()?;
    line.rsplit(',').next()?.trim().parse().ok()
}

/// What counts as one address: of IPv6 a /64, which a customer gets as a whole.
pub(crate) fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forwarded(peer: &str, line: &str) -> Option<IpAddr> {
        let headers = HeaderMap::from_iter([("x-forwarded-for".parse().unwrap(), line.parse().unwrap())]);
        behind_proxy(peer.parse().unwrap(), &headers)
    }

    #[test]
    fn only_a_proxy_on_this_machine_is_believed_and_its_last_address_counts() {
        assert_eq!(forwarded("127.0.0.1", "6.6.6.6, 10.0.0.7"), Some("10.0.0.7".parse().unwrap()));
        assert_eq!(forwarded("10.0.0.1", "6.6.6.6"), None);
        assert_eq!(forwarded("127.0.0.1", "nonsense"), None);
    }

    #[test]
    fn a_customer_of_ipv6_is_one_address() {
        let of = |text: &str| network_of(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2:ffff::1"));
        assert_ne!(of("2001:db8:1:2::"), of("2001:db8:1:3::"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
    }
}
