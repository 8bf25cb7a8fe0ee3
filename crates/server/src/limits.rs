//! What keeps the door: rates, requests from other sites, and the headers of every answer.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::App;
use crate::fault::Fault;

/// How much is allowed.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Requests that change something, each second and address; four times as many at once.
    pub rate: u32,
    /// The largest body, in bytes.
    pub body: usize,
    /// Web sockets and streams open at once, in all.
    pub sockets: u64,
    /// Whether a proxy stands before the server, whose word on the caller's address counts.
    pub proxy: bool,
    /// Whether pages come through TLS, so that cookies must not travel without.
    pub secure: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rate: 40, body: 64 << 10, sockets: 4000, proxy: false, secure: false }
    }
}

/// Buckets that fill at a rate and are emptied by requests.
#[derive(Debug, Default)]
pub(crate) struct Buckets(Mutex<HashMap<(IpAddr, bool), (f64, Instant)>>);

impl Buckets {
    /// Takes from a caller's bucket, if there is enough in it. Passwords have a bucket of their own.
    fn take(&self, caller: IpAddr, password: bool, rate: f64, most: f64) -> bool {
        let now = Instant::now();
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > 50_000 {
            buckets.retain(|_, (_, then)| now.duration_since(*then).as_secs() < 60);
        }
        let (left, then) = buckets.entry((caller, password)).or_insert((most, now));
        *left = (*left + now.duration_since(*then).as_secs_f64() * rate).min(most);
        *then = now;
        let enough = *left >= 1.0;
        if enough {
            *left -= 1.0;
        }
        enough
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

fn caller(request: &Request, proxy: bool) -> IpAddr {
    let forwarded = || {
        let value = request.headers().get("x-forwarded-for")?.to_str().ok()?;
        value.rsplit(',').next()?.trim().parse().ok()
    };
    let direct = || request.extensions().get::<ConnectInfo<SocketAddr>>().map(|c| c.0.ip());
    let address = if proxy { forwarded().or_else(direct) } else { direct() };
    address.unwrap_or(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST))
}

/// Whether a request comes from the machine itself, and not through a proxy.
pub(crate) fn at_home(request: &Request) -> bool {
    let passed_on = ["x-forwarded-for", "forwarded", "x-real-ip"];
    caller(request, false).is_loopback() && !passed_on.iter().any(|h| request.headers().contains_key(*h))
}

/// The first thing every request meets, and the last thing every answer does.
pub(crate) async fn door(State(app): State<App>, request: Request, next: Next) -> Response {
    let limits = app.limits();
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let upgrade = request.headers().contains_key(header::UPGRADE);
    let by_token = request.headers().contains_key(header::AUTHORIZATION);
    app.tables().metrics().requests.add(1);
    if (changes || upgrade) && !by_token && !same_site(request.headers()) {
        return dressed(Fault::CrossSite.into_response());
    }
    if changes {
        let path = request.uri().path();
        let password = path.ends_with("/login") || path.ends_with("/account");
        let address = caller(&request, limits.proxy);
        let rate = f64::from(limits.rate.max(1));
        let (rate, most) = if password { (rate / 200.0, 10.0) } else { (rate, rate * 4.0) };
        if !app.buckets().take(address, password, rate, most) {
            app.tables().metrics().limited.add(1);
            return dressed(Fault::TooMany.into_response());
        }
    }
    dressed(next.run(request).await)
}

/// No script but our own files, no frames, no guessing.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

fn dressed(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
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
        let address = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
        let taken = (0..20).filter(|_| buckets.take(address, true, 0.001, 5.0)).count();
        assert_eq!(taken, 5);
        assert!(buckets.take(address, false, 1.0, 5.0));
    }
}
