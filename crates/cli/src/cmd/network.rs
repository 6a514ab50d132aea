//! The addresses of a server on the local network, and a QR code of one.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use qrcode::{EcLevel, QrCode, render::unicode::Dense1x2};

/// The addresses by which others reach a server that listens on all of this machine's, the most likely first.
pub(super) fn addresses(bound: SocketAddr) -> Vec<SocketAddr> {
    if !bound.ip().is_unspecified() {
        return if bound.ip().is_loopback() { Vec::new() } else { vec![bound] };
    }
    let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    let mut found: Vec<IpAddr> = interfaces.iter().map(if_addrs::Interface::ip).collect();
    found.retain(|address| is_reachable(*address) && (bound.is_ipv6() || address.is_ipv4()));
    let usual = usual_address();
    found.sort_by_key(|&address| (Some(address) != usual, address.is_ipv6()));
    found.dedup();
    found.into_iter().map(|address| SocketAddr::new(address, bound.port())).collect()
}

fn is_reachable(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !address.is_loopback() && !address.is_link_local(),
        IpAddr::V6(address) => !address.is_loopback() && !address.is_unicast_link_local(),
    }
}

/// The address from which this machine would reach the internet. Finding it out sends nothing.
fn usual_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip())
}

/// A text as a QR code, light on a dark terminal.
pub(super) fn code(text: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    Some(code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_light_on_a_dark_terminal_and_has_a_margin() {
        let code = code("http://192.168.1.7:7468/").unwrap();
        let lines: Vec<&str> = code.lines().collect();
        assert!(lines[..2].iter().all(|line| line.chars().all(|drawn| drawn == '█')), "{code}");
        // The outline of the finder pattern in the corner.
        assert!(lines[2].starts_with("████ ▄▄▄▄▄ █"), "{code}");
    }

    #[test]
    fn an_address_of_its_own_is_the_only_one() {
        let of = |text: &str| addresses(text.parse().unwrap());
        assert_eq!(of("127.0.0.1:80"), []);
        assert_eq!(of("192.168.1.7:80"), ["192.168.1.7:80".parse().unwrap()]);
        assert!(of("0.0.0.0:80").iter().all(|address| address.is_ipv4() && !address.ip().is_unspecified()));
    }
}
