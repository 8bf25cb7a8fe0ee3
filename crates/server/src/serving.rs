//! A server from its start to its end, and what it does besides answering.

use std::future::Future;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::application::App;
use crate::routes::app;
use crate::{gate, store, tidings};

/// Serves the application until `stop` is done, then lets requests under way finish and tells absent players
/// what they were still to be told, if that takes no longer than a few seconds.
pub async fn serve(
    listener: TcpListener,
    application: App,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let chores = chores(&application);
    let (last_words, asked) = tokio::sync::oneshot::channel();
    let telling = tokio::spawn(tidings::run(application.clone(), asked));
    match application.tables().resume().await {
        Ok((running, frozen)) => tracing::info!(running, frozen, "tables resumed"),
        Err(fault) => tracing::error!(%fault, "tables could not be resumed"),
    }
    let (closing, store) = (application.clone(), application.store().clone());
    let limits = *application.limits();
    gate::keep(listener, app(application), limits, async move {
        stop.await;
        closing.close();
    })
    .await;
    chores.iter().for_each(tokio::task::JoinHandle::abort);
    // What players are still to be told goes out while the store is there.
    if last_words.send(()).is_ok() {
        let _ = telling.await;
    }
    if let Err(error) = store.close().await {
        tracing::warn!(%error, "the store could not be left in order");
    }
    Ok(())
}

/// What a server does besides answering: it forgets idle tables, watches the clocks, and follows what other
/// servers of the same store do.
fn chores(application: &App) -> Vec<tokio::task::JoinHandle<()>> {
    let tables = || application.tables().clone();
    let (tidy, ticks, follows, orphans) = (tables(), tables(), tables(), tables());
    let sweeper = application.clone();
    vec![
        tokio::spawn(async move {
            let mut each = tokio::time::interval(Duration::from_secs(3600));
            loop {
                each.tick().await;
                sweeper.sweep_sessions().await;
            }
        }),
        tokio::spawn(async move {
            let mut each = tokio::time::interval(Duration::from_secs(60));
            loop {
                each.tick().await;
                tidy.tidy();
            }
        }),
        tokio::spawn(async move {
            let mut each = tokio::time::interval(Duration::from_secs(1));
            loop {
                each.tick().await;
                ticks.tick().await;
            }
        }),
        tokio::spawn(async move { follows.follow().await }),
        tokio::spawn(async move {
            if !orphans.store().shared() {
                return;
            }
            let mut each = tokio::time::interval(store::LEASE / 2);
            loop {
                each.tick().await;
                orphans.wake_orphans().await;
            }
        }),
    ]
}
