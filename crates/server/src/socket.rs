//! The web socket of a page: what changed for its viewer, and nothing else.
//!
//! The page says which fragments it has, by their tags; the server sends those that differ, now and whenever
//! something happens. There is no queue to overflow: a socket that is told "look again" looks once, however
//! often it was told. A client that does not take what it is sent within some seconds is dropped; when it
//! comes back it says what it has and gets the rest.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::App;
use crate::fault::Fault;
use crate::page::Theme;
use crate::page::table::{Drawn, boards, fragments, layer_name};
use crate::people::Known;

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
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    match packer.write_all(text.as_bytes()).and_then(|()| packer.finish()) {
        Ok(bytes) => Message::Binary(bytes.into()),
        Err(_) => Message::Text(text.into()),
    }
}

/// Whether bytes could be what a page says first.
pub(crate) fn reads(bytes: &[u8]) -> bool {
    serde_json::from_slice::<Hello>(bytes).is_ok()
}

/// What a page has of a board: the hash of its ground, and of each part.
struct Had {
    ground: String,
    parts: BTreeMap<(&'static str, String), [u8; 32]>,
    order: Vec<(&'static str, String)>,
}

impl Had {
    fn of(board: &Drawn) -> Self {
        let parts = board.parts.iter();
        Self {
            ground: board.ground.clone(),
            parts: parts
                .clone()
                .map(|p| ((layer_name(p.layer), p.id.clone()), *blake3::hash(p.svg.as_bytes()).as_bytes()))
                .collect(),
            order: parts.map(|p| (layer_name(p.layer), p.id.clone())).collect(),
        }
    }
}

/// What a page has.
#[derive(Default)]
pub(crate) struct Page {
    tags: BTreeMap<String, String>,
    boards: BTreeMap<String, Had>,
}

pub(crate) async fn connect(
    State(app): State<App>,
    known: Option<Known>,
    Path(id): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Fault> {
    app.tables().find(&id).await?;
    let guest = app.enter_socket()?;
    let person = known.map(|k| k.0.id);
    Ok(upgrade.max_message_size(64 << 10).max_frame_size(64 << 10).on_upgrade(move |socket| async move {
        serve(&app, socket, &id, person.as_deref()).await;
        drop(guest);
    }))
}

async fn serve(app: &App, mut socket: WebSocket, id: &str, person: Option<&str>) -> Option<()> {
    let first = tokio::time::timeout(PATIENCE, socket.recv()).await.ok()??.ok()?;
    let hello: Hello = serde_json::from_str(first.to_text().ok()?).ok()?;
    let theme = Theme::of(hello.theme.as_deref());
    let table = app.tables().find(id).await.ok()?;
    let mut changes = table.watch();
    let _presence = person.map(|p| table.enter(p));
    let mut page = Page { tags: hello.tags, boards: BTreeMap::new() };
    let mut known_boards = Some(hello.boards);
    let mut beat = tokio::time::interval(BEAT);
    let mut closing = app.closing();
    let mut silent = 0;
    loop {
        changes.mark_unchanged();
        if let Ok(sight) = app.tables().look(id, person, hello.seat).await
            && let Some(news) = news(&sight, theme, &mut page, known_boards.take())
        {
            send(app, &mut socket, wrapped(news.to_string(), hello.packed)).await?;
        }
        // Until something happens at the table, this only keeps the line open.
        loop {
            tokio::select! {
                changed = changes.changed() => { changed.ok()?; break }
                _ = beat.tick() => {
                    silent += 1;
                    if silent > 4 {
                        return None;
                    }
                    send(app, &mut socket, Message::text("{\"beat\":true}")).await?;
                    let _ = socket.send(Message::Ping(Vec::new().into())).await;
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

/// What the page does not have yet; `None` if it has everything.
pub(crate) fn news(
    sight: &crate::sight::Sight,
    theme: Theme,
    page: &mut Page,
    known: Option<BTreeMap<String, String>>,
) -> Option<Value> {
    let all = fragments(sight, theme);
    let new: Vec<_> = all.iter().filter(|f| page.tags.get(&f.id) != Some(&f.tag)).collect();
    let gone: Vec<_> = page.tags.keys().filter(|id| !all.iter().any(|f| f.id == **id)).cloned().collect();
    let set: Vec<_> = new.iter().map(|f| json!([f.id, f.parent, f.html])).collect();
    page.tags = all.iter().map(|f| (f.id.clone(), f.tag.clone())).collect();

    let drawn = boards(sight, theme);
    let mut changed = Vec::new();
    for board in &drawn {
        let now = Had::of(board);
        let same = known.as_ref().is_some_and(|k| k.get(&board.id) == Some(&board.tag));
        match page.boards.get(&board.id).filter(|had| had.ground == now.ground) {
            _ if same => {}
            Some(had) => {
                let parts: Vec<_> = board
                    .parts
                    .iter()
                    .filter(|p| {
                        let key = (layer_name(p.layer), p.id.clone());
                        had.parts.get(&key) != now.parts.get(&key)
                    })
                    .map(|p| json!([layer_name(p.layer), p.id, p.svg]))
                    .collect();
                if !parts.is_empty() || had.order != now.order {
                    let order = (had.order != now.order).then_some(&now.order);
                    changed.push(json!({ "id": board.id, "tag": board.tag, "parts": parts, "order": order }));
                }
            }
            None => changed
                .push(json!({ "id": board.id, "name": board.name, "tag": board.tag, "svg": board.svg })),
        }
        page.boards.insert(board.id.clone(), now);
    }
    let present: Vec<_> = drawn.iter().map(|b| json!([b.id, b.name])).collect();
    let left: Vec<_> = page.boards.keys().filter(|id| !drawn.iter().any(|b| b.id == **id)).cloned().collect();
    left.iter().for_each(|id| drop(page.boards.remove(id)));
    if set.is_empty() && gone.is_empty() && changed.is_empty() && left.is_empty() {
        return None;
    }
    Some(json!({ "set": set, "gone": gone, "boards": changed, "present": present }))
}
