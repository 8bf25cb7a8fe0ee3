//! Calls to addresses that players gave: one request, no redirects, no long waits, and never into the
//! server's own network. The address is looked up once, checked, and that very address is connected to.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use url::{Host, Url};

/// How long a call may take in all.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest address.
const LONGEST: usize = 1000;

/// Whether an address belongs to the whole world, and not to one machine or one house.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(a) => is_public_v4(a),
        IpAddr::V6(a) => is_public_v6(a),
    }
}

fn is_public_v4(a: Ipv4Addr) -> bool {
    let [x, y, z, _] = a.octets();
    let special = a.is_private()
        || a.is_loopback()
        || a.is_link_local()
        || a.is_broadcast()
        || a.is_documentation()
        || a.is_multicast()
        || a.is_unspecified();
    let kept = x == 0
        || (x == 100 && (64..128).contains(&y))
        || (x == 192 && y == 0 && z == 0)
        || (x == 192 && y == 88 && z == 99)
        || (x == 198 && (18..20).contains(&y))
        || x >= 240;
    !special && !kept
}

fn is_public_v6(a: Ipv6Addr) -> bool {
    let s = a.segments();
    let low = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match s {
        // An old address in new clothes is judged by what it is.
        [0, 0, 0, 0, 0, 0xffff, x, y] | [0x64, 0xff9b, 0, 0, 0, 0, x, y] => low(x, y),
        [0x2002, x, y, ..] => low(x, y),
        // Of the rest, only what has been given out to the world: not tunnels, not documentation.
        [0x2001, second, ..] => second >= 0x200 && second != 0xdb8,
        [first, ..] => first & 0xe000 == 0x2000 && first != 0x3fff,
    }
}

/// An address that may be called, as far as can be said before it is looked up.
pub(crate) fn checked(text: &str, private: bool) -> Result<Url, String> {
    if text.len() > LONGEST {
        return Err(format!("an address has at most {LONGEST} letters"));
    }
    let url = Url::parse(text).map_err(|e| format!("this is not an address: {e}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("an address begins with https:// or http://, not with {}:", url.scheme()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("an address with a name and password in it is not called".into());
    }
    let forbidden = match url.host() {
        None => return Err("the address names no host".into()),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(a)) => !is_public_v4(a),
        Some(Host::Ipv6(a)) => !is_public_v6(a),
    };
    let port = url.port_or_known_default().unwrap_or(0);
    if !private && (forbidden || !matches!(port, 80 | 443 | 1024..)) {
        return Err("this address is not of the public internet, so it is not called".into());
    }
    Ok(url)
}

/// Sends one request and says how it was answered.
pub(crate) async fn post(
    url: &Url,
    headers: &[(&str, String)],
    body: Vec<u8>,
    private: bool,
) -> Result<StatusCode, String> {
    let calling = call(url, headers, body, private);
    tokio::time::timeout(PATIENCE, calling).await.map_err(|_| "nobody answered in time".to_string())?
}

async fn call(
    url: &Url,
    headers: &[(&str, String)],
    body: Vec<u8>,
    private: bool,
) -> Result<StatusCode, String> {
    let host = url.host().ok_or("the address names no host")?;
    let port = url.port_or_known_default().ok_or("the address names no port")?;
    let addresses: Vec<SocketAddr> = match host {
        Host::Domain(name) => {
            lookup_host((name, port)).await.map_err(|e| format!("the host is not found: {e}"))?.collect()
        }
        Host::Ipv4(a) => vec![(a, port).into()],
        Host::Ipv6(a) => vec![(a, port).into()],
    };
    // One private address among several is enough to refuse them all.
    if !private && !addresses.iter().all(|a| is_public(a.ip())) {
        return Err("the host is not of the public internet, so it is not called".into());
    }
    let stream = TcpStream::connect(&addresses[..]).await.map_err(|e| e.to_string())?;
    if url.scheme() == "https" {
        let name = match url.host() {
            Some(Host::Domain(name)) => ServerName::try_from(name.to_string()).map_err(|e| e.to_string())?,
            _ => ServerName::from(addresses.first().ok_or("the host has no address")?.ip()),
        };
        let tls = TlsConnector::from(crate::tls::shared()?);
        let stream = tls.connect(name, stream).await.map_err(|e| e.to_string())?;
        exchange(stream, url, headers, body).await
    } else {
        exchange(stream, url, headers, body).await
    }
}

async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    url: &Url,
    headers: &[(&str, String)],
    body: Vec<u8>,
) -> Result<StatusCode, String> {
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(|e| e.to_string())?;
    let driver = tokio::spawn(connection);
    let target = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let mut request = Request::post(target).header("host", host).header("user-agent", "outremer");
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    let request = request.body(Full::new(Bytes::from(body))).map_err(|e| e.to_string())?;
    let answer = sender.send_request(request).await.map_err(|e| e.to_string());
    // What else the other side has to say is of no interest.
    driver.abort();
    answer.map(|a| a.status())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_public_internet_is_called() {
        for inside in [
            "127.0.0.1",
            "10.1.2.3",
            "192.168.0.1",
            "172.16.5.5",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "198.18.0.1",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "::ffff:10.0.0.1",
            "::ffff:127.0.0.1",
            "64:ff9b::a00:1",
            "2002:7f00:1::",
            "2001:db8::1",
            "2001::1",
            "ff02::1",
        ] {
            assert!(!is_public(inside.parse().unwrap()), "{inside}");
        }
        for outside in ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00:1450::1", "64:ff9b::808:808"] {
            assert!(is_public(outside.parse().unwrap()), "{outside}");
        }
    }

    #[test]
    fn addresses_are_checked_before_they_are_kept() {
        for wrong in [
            "",
            "no address",
            "file:///etc/passwd",
            "ftp://example.com/",
            "http://localhost/",
            "http://127.1/",
            "http://0x7f000001/",
            "http://[::1]/",
            "http://10.0.0.1/",
            "https://user:word@example.com/",
            "http://example.com:22/",
            "http://2130706433/",
        ] {
            assert!(checked(wrong, false).is_err(), "{wrong}");
        }
        for right in ["https://example.com/hook?x=1", "http://example.com:8080/", "https://93.184.216.34/"] {
            assert!(checked(right, false).is_ok(), "{right}");
        }
        assert!(checked("http://127.0.0.1:9/", true).is_ok());
        assert!(checked(&format!("https://example.com/{}", "x".repeat(2000)), false).is_err());
    }

    /// A name that leads inside is refused after it has been looked up.
    #[tokio::test]
    async fn a_name_is_judged_by_where_it_leads() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let url = Url::parse(&format!("http://localhost:{port}/")).unwrap();
        let refused = post(&url, &[], Vec::new(), false).await;
        assert!(refused.unwrap_err().contains("not of the public internet"));
        let nobody = tokio::time::timeout(Duration::from_millis(50), listener.accept()).await;
        assert!(nobody.is_err(), "nobody called");
    }
}
