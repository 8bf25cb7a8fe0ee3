//! What servers over one store tell each other: which tables have changed.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use tokio::sync::broadcast;
use tokio_postgres::{AsyncMessage, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::store::Changed;

/// Where changes are told.
const CHANNEL: &str = "outremer";
/// Tells a change, when it is committed.
pub(super) const TELL: &str = "SELECT pg_notify('outremer', $1)";

/// Listens to what other servers tell, and connects again when the connection is lost.
pub(super) async fn listen(
    config: Config,
    tls: MakeRustlsConnect,
    news: broadcast::WeakSender<Changed>,
    server: Arc<str>,
    ready: tokio::sync::oneshot::Sender<()>,
) {
    let mut ready = Some(ready);
    loop {
        if let Err(error) = hear(&config, &tls, &news, &server, &mut ready).await {
            tracing::error!(error = %super::in_full(&error), "the connection that listens was lost");
        }
        if news.upgrade().is_none() {
            return;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

async fn hear(
    config: &Config,
    tls: &MakeRustlsConnect,
    news: &broadcast::WeakSender<Changed>,
    server: &str,
    ready: &mut Option<tokio::sync::oneshot::Sender<()>>,
) -> Result<(), tokio_postgres::Error> {
    let (client, mut connection) = config.connect(tls.clone()).await?;
    let mut messages = pin!(stream::poll_fn(move |context| connection.poll_message(context)));
    let command = format!("LISTEN {CHANNEL}");
    let mut asked = pin!(client.batch_execute(&command));
    let mut listening = false;
    // A connection that nobody uses any more is given up when the store is.
    let mut each = tokio::time::interval(Duration::from_secs(5));
    loop {
        tokio::select! {
            answer = &mut asked, if !listening => {
                answer?;
                listening = true;
                if let Some(ready) = ready.take() {
                    // Whoever opened the store may have gone away.
                    let _ = ready.send(());
                }
                // What was told before this moment was not heard.
                tell(news, Changed::Any);
            }
            message = messages.next() => match message {
                Some(Ok(AsyncMessage::Notification(note))) => {
                    if let Some((by, table)) = note.payload().split_once(' ')
                        && by != server
                        && let Ok(table) = table.parse()
                    {
                        tell(news, Changed::Table(table));
                    }
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error),
                None => return Ok(()),
            },
            _ = each.tick() => {
                if news.upgrade().is_none() {
                    return Ok(());
                }
            }
        }
    }
}

fn tell(news: &broadcast::WeakSender<Changed>, changed: Changed) {
    if let Some(news) = news.upgrade() {
        // Nobody may be following yet.
        let _ = news.send(changed);
    }
}
