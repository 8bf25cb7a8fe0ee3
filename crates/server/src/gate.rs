//! The gate: connections as they come in, how long they may take to say what they want, and how they end.
//!
//! A connection that does not send the head of a request within a while is closed, whether it sends nothing or a
//! letter now and then, and one address has only so many. When the server stops, requests under way are answered.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tower::ServiceExt;

use crate::limits::{Crowd, Limits};

/// How long requests under way may take when the server stops.
const LAST: Duration = Duration::from_secs(10);
/// Connections from one address for each socket that it may have, and besides.
const BESIDES: u32 = 100;

/// Serves until `stop` is done, and then what is under way.
pub(crate) async fn keep(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: impl Future<Output = ()> + Send + 'static,
) {
    let (graceful, crowd) = (GracefulShutdown::new(), Crowd::default());
    let mut builder = Builder::new(TokioExecutor::new()).http1_only();
    builder.http1().timer(TokioTimer::new()).header_read_timeout(limits.patience).max_headers(100);
    let mut stop = std::pin::pin!(stop);
    loop {
        let (stream, address): (_, SocketAddr) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Too many files are open, or the caller has gone: others come after him.
                    tracing::debug!(%error, "a connection was not taken");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        // Behind a proxy all come from one address, and the proxy counts them.
        let most =
            if limits.proxy || is_here(address.ip()) { u32::MAX } else { limits.sockets_each + BESIDES };
        let Some(one) = crowd.enter(address.ip(), most) else { continue };
        // An answer that is small goes out at once.
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(axum::body::Body::new);
            request.extensions_mut().insert(ConnectInfo(address));
            router.clone().oneshot(request)
        });
        let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service).into_owned();
        let watched = graceful.watch(connection);
        tokio::spawn(async move {
            // Who leaves in the middle of a request harms nobody.
            let _ = watched.await;
            drop(one);
        });
    }
    drop(listener);
    if tokio::time::timeout(LAST, graceful.shutdown()).await.is_err() {
        tracing::warn!("the server stops, and requests were not answered");
    }
}

/// Whether a call comes from this machine.
fn is_here(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}
