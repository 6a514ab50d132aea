//! Who asks, for sharing out what there is: the address, and the browser at it.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::Arc,
};

use axum::{
    extract::{Request, State},
    http::HeaderMap,
    middleware::Next,
    response::Response,
};

use crate::{app::App, store::Owner};

/// A client. Addresses are what one cannot have many of, so they come first where something is shared out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client {
    pub(crate) address: IpAddr,
    /// The browser, if it has a cookie of ours.
    pub(crate) browser: Option<Owner>,
}

/// The other end of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Notes who asks.
pub(crate) async fn note(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get().map_or(app.config.loopback, |&Peer(address)| address);
    let address = share(behind_proxy(peer, request.headers()).unwrap_or(peer));
    request.extensions_mut().insert(Client { address, browser: None });
    next.run(request).await
}

/// The address for which a proxy on this machine asks. Others cannot name another one than their own.
fn behind_proxy(peer: IpAddr, headers: &HeaderMap) -> Option<IpAddr> {
    if !peer.is_loopback() {
        return None;
    }
    let line = headers.get_all("x-forwarded-for").into_iter().next_back()?.to_str().ok()?;
    line.rsplit(',').next()?.trim().parse().ok()
}

/// What counts as one address: of IPv6, the 64 bits that a customer gets as a whole.
pub(crate) fn share(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        IpAddr::V4(address) => IpAddr::V4(Ipv4Addr::from(address.octets())),
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
    fn only_a_proxy_here_may_name_another_address_and_its_last_word_counts() {
        assert_eq!(forwarded("127.0.0.1", "6.6.6.6, 10.0.0.7"), Some("10.0.0.7".parse().unwrap()));
        assert_eq!(forwarded("10.0.0.1", "6.6.6.6"), None);
        assert_eq!(forwarded("127.0.0.1", "nonsense"), None);
    }

    #[test]
    fn a_customer_of_ipv6_is_one_address() {
        let of = |text: &str| share(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2:ffff::1"));
        assert_ne!(of("2001:db8:1:2::"), of("2001:db8:1:3::"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
    }
}
