//! What keeps the door: rates, requests from other sites, and the headers of every answer.
//!
//! Callers are told apart by their address; of IPv6 the first 64 bits count, which is what one household has.
//! Wrong passwords are counted by the account and by a wider block besides: the first 24 bits of IPv4, since who
//! guesses often has many neighbouring addresses.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::App;
use crate::fault::Fault;
use crate::ids::PersonId;

/// How much is allowed.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Requests that change something, each second and address; four times as many at once.
    pub rate: u32,
    /// Requests that only look, each second and address; four times as many at once.
    pub reads: u32,
    /// Words said at tables, each minute and person; half as many at once.
    pub words: u32,
    /// The largest body, in bytes.
    pub body: usize,
    /// How long the head of a request may take to arrive, and again its body.
    pub patience: Duration,
    /// Web sockets and streams open at once, in all.
    pub sockets: u64,
    /// And from one address.
    pub sockets_each: u32,
    /// Whether a proxy stands before the server, whose word on the caller's address counts.
    pub proxy: bool,
    /// Whether pages come through TLS, so that cookies must not travel without.
    pub secure: bool,
    /// How long a session lasts that nobody uses.
    pub session_idle: Duration,
    /// How long a session lasts at most.
    pub session_longest: Duration,
}

/// A day.
const DAY: Duration = Duration::from_secs(86_400);

impl Default for Limits {
    fn default() -> Self {
        Self {
            rate: 40,
            reads: 60,
            words: 30,
            body: 64 << 10,
            patience: Duration::from_secs(20),
            sockets: 4000,
            sockets_each: 60,
            proxy: false,
            secure: false,
            session_idle: DAY * 90,
            session_longest: DAY * 400,
        }
    }
}

/// Whose bucket, and for what.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bucket {
    /// Requests that change something.
    Change(IpAddr),
    /// Requests that only look.
    Read(IpAddr),
    /// Requests with a password in them.
    Password(IpAddr),
    /// Wrong passwords from a block of addresses.
    Wrong(IpAddr),
    /// Wrong passwords for an account.
    Account(String),
    /// Words of a person.
    Say(PersonId),
    /// Words of all who call from one address.
    Words(IpAddr),
}

/// Buckets that fill at a rate and are emptied by requests.
#[derive(Debug, Default)]
pub(crate) struct Buckets(Mutex<Shelf>);

#[derive(Debug, Default)]
struct Shelf {
    buckets: HashMap<Bucket, (f64, Instant)>,
    /// When it was last looked through for buckets that are full again.
    swept: Option<Instant>,
}

/// More buckets than this are looked through, now and then.
const FULL_SHELF: usize = 50_000;

impl Buckets {
    /// Takes from a bucket, if there is enough in it.
    pub(crate) fn take(&self, bucket: Bucket, rate: f64, most: f64) -> bool {
        let now = Instant::now();
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Shelf { buckets, swept } = &mut *shelf;
        if buckets.len() > FULL_SHELF && swept.is_none_or(|then| now.duration_since(then).as_secs() > 5) {
            *swept = Some(now);
            // Those of passwords fill slowly.
            let kept = |b: &Bucket| match b {
                Bucket::Wrong(_) | Bucket::Account(_) | Bucket::Password(_) => 3600,
                _ => 60,
            };
            buckets.retain(|b, (_, then)| now.duration_since(*then).as_secs() < kept(b));
        }
        let (left, then) = buckets.entry(bucket).or_insert((most, now));
        *left = (*left + now.duration_since(*then).as_secs_f64() * rate).min(most);
        *then = now;
        let enough = *left >= 1.0;
        if enough {
            *left -= 1.0;
        }
        enough
    }

    /// Puts back what was taken.
    pub(crate) fn give_back(&self, bucket: Bucket, most: f64) {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((left, _)) = shelf.buckets.get_mut(&bucket) {
            *left = (*left + 1.0).min(most);
        }
    }
}

/// An address as callers are told apart by it.
pub(crate) fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from(u128::from(v6) >> 64 << 64)),
        v4 => v4,
    }
}

/// The block of addresses for which wrong passwords are counted.
pub(crate) fn block(address: IpAddr) -> IpAddr {
    match household(address) {
        IpAddr::V4(v4) => IpAddr::V4(Ipv4Addr::from(u32::from(v4) >> 8 << 8)),
        v6 => v6,
    }
}

/// From where a request comes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct From(pub(crate) IpAddr);

/// How many sockets or connections each address has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crowd(Arc<Mutex<HashMap<IpAddr, u32>>>);

/// One of a crowd, until it is dropped.
#[derive(Debug)]
pub(crate) struct OneOf(Crowd, IpAddr);

impl Crowd {
    /// One more from this address, if there are not so many already.
    pub(crate) fn enter(&self, address: IpAddr, most: u32) -> Option<OneOf> {
        let address = household(address);
        let mut crowd = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = crowd.entry(address).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(OneOf(self.clone(), address))
    }
}

impl Drop for OneOf {
    fn drop(&mut self) {
        let mut crowd = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = crowd.get_mut(&self.1) {
            *count -= 1;
            if *count == 0 {
                crowd.remove(&self.1);
            }
        }
    }
}

/// Whether a request comes from a page of this very site, or from a program.
fn same_site(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok());
    if let Some(site) = text("sec-fetch-site") {
        return matches!(site, "same-origin" | "none");
    }
    match (text("origin"), text("host")) {
        (Some(origin), Some(host)) => {
            origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")) == Some(host)
        }
        (Some(_), None) => false,
        // Browsers say where they come from. A program does not, and holds its token in its hand.
        (None, _) => text("cookie").is_none(),
    }
}

/// An address as a proxy writes it, with or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|a| a.ip()))
}

/// Who calls. Of what a proxy says, the last word counts: it is the proxy's own, and all before it came with the
/// request.
fn caller(request: &Request, proxy: bool) -> IpAddr {
    let forwarded = || {
        let value = request.headers().get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        address(value.rsplit(',').next()?)
    };
    let direct = || request.extensions().get::<ConnectInfo<SocketAddr>>().map(|c| c.0.ip());
    let address = if proxy { forwarded().or_else(direct) } else { direct() };
    address.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)).to_canonical()
}

/// Whether a request comes from the machine itself, and not through a proxy.
pub(crate) fn at_home(request: &Request) -> bool {
    let passed_on = ["x-forwarded-for", "forwarded", "x-real-ip"];
    caller(request, false).is_loopback() && !passed_on.iter().any(|h| request.headers().contains_key(*h))
}

/// Requests that hold a password, or ask for one.
fn about_passwords(method: &Method, path: &str) -> bool {
    let path = path.strip_prefix("/api").unwrap_or(path);
    matches!(
        path,
        "/login" | "/account" | "/forgot" | "/me/account" | "/you/delete" | "/me/tidings" | "/you/tidings"
    ) || path.starts_with("/reset")
        || (path == "/me" && *method == Method::DELETE)
}

/// The first thing every request meets, and the last thing every answer does.
pub(crate) async fn door(State(app): State<App>, request: Request, next: Next) -> Response {
    let secure = app.limits().secure;
    let answer = match let_in(&app, request).await {
        Ok(request) => next.run(request).await,
        Err(fault) => fault.into_response(),
    };
    dressed(answer, secure)
}

/// A request, if it may come in.
async fn let_in(app: &App, mut request: Request) -> Result<Request, Fault> {
    let limits = app.limits();
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let upgrade = request.headers().contains_key(header::UPGRADE);
    app.tables().metrics().requests.add(1);
    let address = caller(&request, limits.proxy);
    request.extensions_mut().insert(From(address));
    let home = household(address);
    let path = request.uri().path();
    let rates = |rate: u32| (f64::from(rate.max(1)), f64::from(rate.max(1)) * 4.0);
    let (bucket, (rate, most)) = if changes && about_passwords(request.method(), path) {
        (
            Bucket::Password(home),
            (f64::from(limits.rate.max(1)) / 200.0, f64::from(limits.rate).clamp(1.0, 10.0)),
        )
    } else if changes {
        (Bucket::Change(home), rates(limits.rate))
    } else {
        (Bucket::Read(home), rates(limits.reads))
    };
    // Files cost nothing, and a page asks for many at once.
    let free = path.starts_with("/static/") || path == "/health";
    if !free && !app.buckets().take(bucket, rate, most) {
        app.tables().metrics().limited.add(1);
        return Err(Fault::TooMany);
    }
    // A program holds its token in its hand, and no other site can make it send one. A header that does not say
    // who is there says nothing.
    if (changes || upgrade) && !same_site(request.headers()) && !app.known_by_token(request.headers()).await?
    {
        return Err(Fault::CrossSite);
    }
    if !changes {
        return Ok(request);
    }
    // Whoever sends a body letter by letter keeps nobody waiting but himself.
    let (parts, body) = request.into_parts();
    let whole = tokio::time::timeout(limits.patience, axum::body::to_bytes(body, limits.body)).await;
    match whole {
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
        Ok(Err(_)) => Err(Fault::TooLarge(limits.body)),
        Err(_) => Err(Fault::TooSlow),
    }
}

/// No script but our own files, no frames, no guessing.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// Nothing here needs a camera, nor any of the rest.
const PERMISSIONS: &str = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), \
                           magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()";

fn dressed(mut response: Response, secure: bool) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), PERMISSIONS),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if secure {
        let year = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_sites_are_turned_away() {
        let with = |pairs: &[(&'static str, &'static str)]| {
            let headers = pairs.iter().map(|(k, v)| (k.parse().unwrap(), HeaderValue::from_static(v)));
            same_site(&headers.collect())
        };
        assert!(with(&[("sec-fetch-site", "same-origin"), ("cookie", "outremer=x")]));
        assert!(!with(&[("sec-fetch-site", "cross-site"), ("cookie", "outremer=x")]));
        assert!(with(&[("origin", "http://table:8080"), ("host", "table:8080")]));
        assert!(!with(&[("origin", "http://evil"), ("host", "table:8080")]));
        assert!(!with(&[("cookie", "outremer=x")]));
        assert!(with(&[]));
    }

    #[test]
    fn only_who_is_at_home_reads_the_counts() {
        let from = |address: &str, header: Option<&'static str>| {
            let mut request = Request::new(axum::body::Body::empty());
            let address: SocketAddr = address.parse().unwrap();
            request.extensions_mut().insert(ConnectInfo(address));
            if let Some(header) = header {
                request.headers_mut().insert(header, HeaderValue::from_static("1.2.3.4"));
            }
            at_home(&request)
        };
        assert!(from("127.0.0.1:5", None) && from("[::1]:5", None));
        assert!(!from("10.0.0.7:5", None));
        assert!(!from("127.0.0.1:5", Some("x-forwarded-for")));
    }

    #[test]
    fn a_bucket_runs_dry() {
        let buckets = Buckets::default();
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let taken = (0..20).filter(|_| buckets.take(Bucket::Password(address), 0.001, 5.0)).count();
        assert_eq!(taken, 5);
        buckets.give_back(Bucket::Password(address), 5.0);
        assert!(buckets.take(Bucket::Password(address), 0.001, 5.0));
        assert!(!buckets.take(Bucket::Password(address), 0.001, 5.0));
        assert!(buckets.take(Bucket::Change(address), 1.0, 5.0));
    }

    /// Whoever writes a header himself is not believed: the proxy adds its word behind it, in the same line or in
    /// one of its own.
    #[test]
    fn a_proxy_has_the_last_word() {
        let from = |lines: &[&'static str], proxy: bool| {
            let mut request = Request::new(Body::empty());
            request.extensions_mut().insert(ConnectInfo("10.0.0.7:5".parse::<SocketAddr>().unwrap()));
            for line in lines {
                request.headers_mut().append("x-forwarded-for", HeaderValue::from_static(line));
            }
            caller(&request, proxy).to_string()
        };
        assert_eq!(from(&["1.1.1.1, 2.2.2.2"], true), "2.2.2.2");
        assert_eq!(from(&["1.1.1.1", "3.3.3.3, 2.2.2.2"], true), "2.2.2.2");
        assert_eq!(from(&["1.1.1.1", "[2001:db8::7]:443"], true), "2001:db8::7");
        assert_eq!(from(&["1.1.1.1", "nonsense"], true), "10.0.0.7");
        assert_eq!(from(&["1.1.1.1"], false), "10.0.0.7");
    }

    #[test]
    fn addresses_are_counted_by_households_and_blocks() {
        let at = |text: &str| text.parse::<IpAddr>().unwrap();
        assert_eq!(household(at("2001:db8:1:2:3:4:5:6")), household(at("2001:db8:1:2::1")));
        assert_ne!(household(at("2001:db8:1:3::1")), household(at("2001:db8:1:2::1")));
        assert_ne!(household(at("192.0.2.1")), household(at("192.0.2.2")));
        assert_eq!(block(at("192.0.2.1")), block(at("::ffff:192.0.2.200")));
        assert_ne!(block(at("192.0.2.1")), block(at("192.0.3.1")));
    }

    #[test]
    fn a_crowd_has_an_end() {
        let crowd = Crowd::default();
        let at = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let first = crowd.enter(at, 2).unwrap();
        let _second = crowd.enter(at, 2).unwrap();
        assert!(crowd.enter(at, 2).is_none());
        drop(first);
        assert!(crowd.enter(at, 2).is_some());
    }
}
