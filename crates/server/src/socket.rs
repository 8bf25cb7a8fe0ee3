//! The web socket of a page: what changed for its viewer, and nothing else.
//!
//! The page says which fragments it has, by their tags; the server sends those that differ, now and whenever
//! something happens. There is no queue to overflow: a socket that is told "look again" looks once, however
//! often it was told. A client that does not take what it is sent within some seconds is dropped; when it
//! comes back it says what it has and gets the rest.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use picture::{Layer, Part};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::App;
use crate::easel::Drawing;
use crate::fault::Fault;
use crate::ids::{PersonId, TableId};
use crate::page::Theme;
use crate::page::table::{Drawn, layer_name};
use crate::people::{Caller, InSession, Known};

/// How often the server shows that it is there.
const BEAT: Duration = Duration::from_secs(20);
/// How long a client may take to take a message.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a page says first.
#[derive(Debug, Deserialize)]
struct Hello {
    /// The fragments that it has, and their tags.
    #[serde(default)]
    tags: BTreeMap<String, String>,
    /// The boards that it has, and their tags.
    #[serde(default)]
    boards: BTreeMap<String, String>,
    theme: Option<String>,
    seat: Option<u8>,
    /// Whether it can unpack what was packed.
    #[serde(default)]
    packed: bool,
}

/// Shorter messages are not worth packing.
const WORTH_PACKING: usize = 1000;

/// A message as it goes over the wire: long ones packed, if the page can unpack them.
pub(crate) fn wrapped(text: String, packed: bool) -> Message {
    if !packed || text.len() < WORTH_PACKING {
        return Message::Text(text.into());
    }
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(8));
    match packer.write_all(text.as_bytes()).and_then(|()| packer.finish()) {
        Ok(bytes) => Message::Binary(bytes.into()),
        Err(_) => Message::Text(text.into()),
    }
}

/// Whether bytes could be what a page says first.
pub(crate) fn reads(bytes: &[u8]) -> bool {
    serde_json::from_slice::<Hello>(bytes).is_ok()
}

/// What a page has: what it said at first, then what it was sent.
pub(crate) enum Page {
    /// Its fragments and its boards, by their tags.
    Said(BTreeMap<String, String>, BTreeMap<String, String>),
    /// All of a drawing.
    Has(Arc<Drawing>),
}

pub(crate) async fn connect(
    State(app): State<App>,
    known: Option<Known>,
    InSession(session): InSession,
    caller: Caller,
    id: TableId,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Fault> {
    app.tables().find(&id).await?;
    let guest = app.enter_socket(caller.address)?;
    let person = known.map(|k| k.0.id);
    Ok(upgrade.max_message_size(64 << 10).max_frame_size(64 << 10).on_upgrade(move |socket| async move {
        // A socket ends with the session that it was opened with.
        tokio::select! {
            _ = serve(&app, socket, &id, person.as_ref()) => {}
            () = app.until_it_ends(session) => {}
        }
        drop(guest);
    }))
}

async fn serve(app: &App, mut socket: WebSocket, id: &TableId, person: Option<&PersonId>) -> Option<()> {
    let first = tokio::time::timeout(PATIENCE, socket.recv()).await.ok()??.ok()?;
    let hello: Hello = serde_json::from_str(first.to_text().ok()?).ok()?;
    let theme = Theme::of(hello.theme.as_deref());
    let table = app.tables().find(id).await.ok()?;
    let _presence = person.map(|p| table.enter(p));
    let mut page = Page::Said(hello.tags, hello.boards);
    let mut beat = tokio::time::interval(BEAT);
    let mut closing = app.closing();
    let mut silent = 0;
    loop {
        // Listening begins before looking, so that nothing between the two is missed.
        let seats = app.tables().seats_seen(id, person, hello.seat).await.unwrap_or_default();
        let mut news = table.listen(seats);
        if let Ok(prospect) = app.tables().look(id, person, hello.seat).await
            && let Ok(drawing) = app.tables().easel().page(&prospect, theme).await
        {
            let message = page.update(drawing, hello.packed);
            if let Some(message) = message {
                send(app, &mut socket, message).await?;
            }
        }
        // Until something happens at the table, this only keeps the line open.
        loop {
            tokio::select! {
                changed = news.changed() => { changed?; break }
                _ = beat.tick() => {
                    silent += 1;
                    if silent > 4 {
                        return None;
                    }
                    send(app, &mut socket, Message::text("{\"beat\":true}")).await?;
                    send(app, &mut socket, Message::Ping(Vec::new().into())).await?;
                }
                message = socket.recv() => match message?.ok()? {
                    Message::Close(_) => return None,
                    _ => silent = 0,
                },
                _ = closing.changed() => {
                    let _ = socket.send(Message::Close(None)).await;
                    return None;
                }
            }
        }
    }
}

async fn send(app: &App, socket: &mut WebSocket, message: Message) -> Option<()> {
    match tokio::time::timeout(PATIENCE, socket.send(message)).await {
        Ok(sent) => sent.ok(),
        Err(_) => {
            app.tables().metrics().sockets_dropped.add(1);
            None
        }
    }
}

impl Default for Page {
    /// A page that has nothing.
    fn default() -> Self {
        Self::Said(BTreeMap::new(), BTreeMap::new())
    }
}

impl Page {
    /// What the page lacks of a drawing, which it has from now on; nothing if it has everything.
    pub(crate) fn update(&mut self, now: Arc<Drawing>, packed: bool) -> Option<Message> {
        let message = match &*self {
            Self::Said(tags, boards) => {
                let known = |board: &Drawn| boards.get(&board.id) == Some(&board.tag);
                let kept = now.boards.iter().filter(|b| known(b)).map(|b| (b, b)).collect::<Vec<_>>();
                let tags = tags.iter().map(|(id, tag)| (id.as_str(), tag.as_str())).collect();
                let ids: Vec<_> = boards.keys().map(String::as_str).collect();
                news(&tags, &ids, &kept, &now).map(|news| wrapped(news.to_string(), packed))
            }
            Self::Has(had) => now.lacking(had, packed, || {
                let tags = had.fragments.iter().map(|f| (f.id.as_str(), f.tag.as_str())).collect();
                let same = |b: &Drawn| now.boards.iter().find(|n| (&n.id, &n.ground) == (&b.id, &b.ground));
                let kept: Vec<_> = had.boards.iter().filter_map(|b| Some((b, same(b)?))).collect();
                let ids: Vec<_> = had.boards.iter().map(|b| b.id.as_str()).collect();
                news(&tags, &ids, &kept, &now).map(|news| wrapped(news.to_string(), packed))
            }),
        };
        *self = Self::Has(now);
        message
    }
}

/// What a page lacks of a drawing: `tags` are the fragments that it has, `ids` its boards, `kept` those whose
/// ground it has, each as it was and as it is.
fn news(
    tags: &BTreeMap<&str, &str>,
    ids: &[&str],
    kept: &[(&Drawn, &Drawn)],
    now: &Drawing,
) -> Option<Value> {
    let new = now.fragments.iter().filter(|f| tags.get(f.id.as_str()) != Some(&f.tag.as_str()));
    let set: Vec<_> = new.map(|f| json!([f.id, f.parent, f.html])).collect();
    let gone: Vec<_> = tags.keys().filter(|id| !now.fragments.iter().any(|f| f.id == **id)).collect();
    let mut changed = Vec::new();
    for board in now.boards.iter() {
        match kept.iter().find(|(_, is)| is.id == board.id) {
            Some((was, _)) if was.tag == board.tag => {}
            Some((was, _)) => changed.push(changes(was, board)),
            None => changed.push(json!({
                "id": board.id, "name": board.name, "tag": board.tag, "svg": board.drawing.svg(),
            })),
        }
    }
    let present: Vec<_> = now.boards.iter().map(|b| json!([b.id, b.name])).collect();
    let left = ids.iter().any(|id| !now.boards.iter().any(|b| b.id == **id));
    if set.is_empty() && gone.is_empty() && changed.is_empty() && !left {
        return None;
    }
    Some(json!({ "set": set, "gone": gone, "boards": changed, "present": present }))
}

/// What has changed on a board.
fn changes(was: &Drawn, is: &Drawn) -> Value {
    let key = |part: &Part| (layer_name(part.layer), part.id.clone());
    let parts = was.drawing.parts.iter().zip(&was.hashes);
    let had: BTreeMap<_, _> = parts.map(|(part, hash)| (key(part), hash)).collect();
    let new =
        is.drawing.parts.iter().zip(&is.hashes).filter(|(part, hash)| had.get(&key(part)) != Some(hash));
    let parts: Vec<_> = new.map(|(part, _)| json!([layer_name(part.layer), part.id, part.svg])).collect();
    // The order of those layers in which something has come, gone or changed places.
    let ids = |board: &Drawn, layer: Layer| {
        let own = board.drawing.parts.iter().filter(|part| part.layer == layer);
        own.map(|part| part.id.clone()).collect::<Vec<_>>()
    };
    let moved = Layer::ALL.into_iter().filter(|layer| ids(was, *layer) != ids(is, *layer));
    let order: BTreeMap<_, _> = moved.map(|layer| (layer_name(layer), ids(is, layer))).collect();
    json!({ "id": is.id, "tag": is.tag, "parts": parts, "order": order })
}
