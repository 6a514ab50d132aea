//! Clients, among which the server's resources are shared: an address, and the device there.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr, SocketAddr},
    str::FromStr,
    sync::Arc,
};

use axum::{
    extract::{Request, State},
    http::HeaderMap,
    middleware::Next,
    response::Response,
};
use ipnet::IpNet;

use crate::{app::App, config::Config, store::Device};

/// A client. Resources are shared by address first, because addresses are hard to come by.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Client {
    pub(crate) address: IpAddr,
    /// The device, if it has a cookie of ours.
    pub(crate) device: Option<Device>,
}

/// The other end of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

pub(crate) async fn identify(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get().map_or(app.config.loopback, |&Peer(address)| address);
    let address = subnet_of(behind_proxies(&app.config, peer, request.headers()));
    request.extensions_mut().insert(Client { address, device: None });
    next.run(request).await
}

/// The header in which proxies name the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyHeader {
    XForwardedFor,
    /// That of RFC 7239.
    Forwarded,
}

impl ProxyHeader {
    const ALL: [(Self, &str); 2] = [(Self::XForwardedFor, "x-forwarded-for"), (Self::Forwarded, "forwarded")];

    fn name(self) -> &'static str {
        Self::ALL[usize::from(self == Self::Forwarded)].1
    }

    /// The address that an item of the header names.
    fn address(self, item: &str) -> Option<IpAddr> {
        let node = match self {
            Self::XForwardedFor => item,
            Self::Forwarded => item.split(';').find_map(|pair| {
                let (name, value) = pair.split_once('=')?;
                name.trim().eq_ignore_ascii_case("for").then_some(value)
            })?,
        };
        let node = node.trim().trim_matches('"');
        let bare = node.strip_prefix('[').and_then(|node| node.strip_suffix(']')).unwrap_or(node);
        bare.parse().ok().or_else(|| node.parse().ok().map(|node: SocketAddr| node.ip()))
    }
}

impl FromStr for ProxyHeader {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let found = Self::ALL.into_iter().find(|(_, name)| name.eq_ignore_ascii_case(text));
        found.map(|(header, _)| header).ok_or(())
    }
}

impl fmt::Display for ProxyHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The address of the client behind trusted proxies. Each proxy appends the address that it was reached from: from the last
/// one on, the first that is no trusted proxy itself is the client's. What stands before it may be made up.
fn behind_proxies(config: &Config, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    let header = config.proxy_header;
    let lines = headers.get_all(header.name()).into_iter().rev();
    // Bytes, for what a client made up may be no text.
    let items = lines.flat_map(|line| line.as_bytes().rsplit(|&byte| byte == b','));
    let mut client = peer;
    for item in items {
        if !is_trusted(&config.trusted_proxies, client) {
            break;
        }
        let Some(named) = str::from_utf8(item).ok().and_then(|item| header.address(item)) else { break };
        client = named;
    }
    client
}

pub(crate) fn is_trusted(proxies: &[IpNet], address: IpAddr) -> bool {
    let address = address.to_canonical();
    proxies.iter().any(|network| network.contains(&address))
}

/// The addresses that one customer may have: of IPv6 a /48. Its limits are those of several addresses.
pub(crate) fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) => {
            let [a, b, c, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0))
        }
        IpAddr::V4(_) => address,
    }
}

/// The part of an address that limits count: of IPv6 a /64, which a customer gets as a whole.
pub(crate) fn subnet_of(address: IpAddr) -> IpAddr {
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
    use axum::http::HeaderValue;

    use super::*;

    fn client(header: ProxyHeader, peer: &str, lines: &[&[u8]]) -> String {
        let config = Config {
            trusted_proxies: ["127.0.0.0/8", "10.1.0.0/16"].map(|network| network.parse().unwrap()).into(),
            proxy_header: header,
            ..Config::new("nowhere")
        };
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header.name(), HeaderValue::from_bytes(line).unwrap());
        }
        behind_proxies(&config, peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let of = |peer: &str, lines: &[&str]| {
            client(ProxyHeader::XForwardedFor, peer, &lines.iter().map(|line| line.as_bytes()).collect::<Vec<_>>())
        };
        assert_eq!(of("127.0.0.1", &["6.6.6.6, 10.0.0.7"]), "10.0.0.7", "what stands before may be made up");
        assert_eq!(of("10.1.2.3", &["6.6.6.6, 10.0.0.7"]), "10.0.0.7");
        assert_eq!(of("10.0.0.1", &["6.6.6.6"]), "10.0.0.1");
        assert_eq!(of("127.0.0.1", &["6.6.6.6, 10.0.0.7, 10.1.0.1"]), "10.0.0.7", "a chain of proxies");
        assert_eq!(of("127.0.0.1", &["6.6.6.6", "10.0.0.7, 10.1.0.1"]), "10.0.0.7", "over two lines");
        assert_eq!(of("127.0.0.1", &["10.0.0.7, nonsense"]), "127.0.0.1");
        assert_eq!(of("127.0.0.1", &["127.0.0.9"]), "127.0.0.9", "a client on the same machine");
        assert_eq!(of("127.0.0.1", &[]), "127.0.0.1");
    }

    #[test]
    fn the_standard_header_is_read_where_it_is_the_one() {
        let of = |line: &str| client(ProxyHeader::Forwarded, "127.0.0.1", &[line.as_bytes()]);
        assert_eq!(of("for=6.6.6.6, For=\"[2001:db8::7]:4711\";proto=https"), "2001:db8::7");
        assert_eq!(of("proto=http;for=10.0.0.7:80;by=10.1.0.1"), "10.0.0.7");
        assert_eq!(of("for=_hidden"), "127.0.0.1");
    }

    #[test]
    fn bytes_that_are_no_text_hide_nobody() {
        let of = |header: ProxyHeader, line: &[u8]| client(header, "127.0.0.1", &[line]);
        assert_eq!(of(ProxyHeader::XForwardedFor, b"\xff, 10.0.0.7"), "10.0.0.7");
        assert_eq!(of(ProxyHeader::Forwarded, b"for=\"\xe9\", for=10.0.0.7"), "10.0.0.7");
        assert_eq!(of(ProxyHeader::XForwardedFor, b"10.0.0.7, \xff"), "127.0.0.1");
    }

    #[test]
    fn a_customer_of_ipv6_is_one_address() {
        let of = |text: &str| subnet_of(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2:ffff::1"));
        assert_ne!(of("2001:db8:1:2::"), of("2001:db8:1:3::"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
        assert_eq!(network_of(of("2001:db8:1:2::")), network_of(of("2001:db8:1:3::")));
        assert_ne!(network_of(of("2001:db8:1:2::")), network_of(of("2001:db8:2:2::")));
    }
}
