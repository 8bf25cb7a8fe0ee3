//! Players and onlookers. A player repeats a request under the same key until he knows what became of it;
//! onlookers try every door, also those that should be shut. All write down what they were told.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use futures_util::{SinkExt, StreamExt};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use table::Lots;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::ford::Ford;
use crate::history::{Answer, Door, Event, Log, Look, Wish, sight_text};

/// How long a client waits for an answer before it asks again.
const PATIENCE: Duration = Duration::from_secs(3);

/// Servers over one database, and the ways to them.
#[derive(Debug)]
pub struct House {
    /// Its number: 0 for the servers over PostgreSQL, 1 for the one over SQLite.
    pub number: usize,
    /// The number of each server, and the way there.
    pub fords: Vec<(usize, Arc<Ford>)>,
}

/// What all clients share.
#[derive(Debug)]
pub struct Company {
    /// The history.
    pub log: Log,
    /// No new games are begun, and no new action is chosen.
    pub stopped: AtomicBool,
    /// Nobody asks any more.
    pub gone: AtomicBool,
    /// How many players are at work.
    pub playing: AtomicUsize,
    counter: AtomicU64,
    seed: u64,
    /// The tables that are being played: who holds which seat, with his token.
    tables: Mutex<BTreeMap<String, Sitting>>,
}

/// A table that is being played.
#[derive(Clone, Debug)]
pub struct Sitting {
    /// The house.
    pub house: Arc<House>,
    /// The tokens of the seats; `None` for a bot.
    pub tokens: Vec<Option<String>>,
}

impl Company {
    /// Clients who write into this log.
    pub fn new(log: Log, seed: u64) -> Arc<Self> {
        Arc::new(Self {
            log,
            stopped: AtomicBool::new(false),
            gone: AtomicBool::new(false),
            playing: AtomicUsize::new(0),
            counter: AtomicU64::new(0),
            seed,
            tables: Mutex::default(),
        })
    }

    fn number(&self) -> u64 {
        self.counter.fetch_add(1, Ordering::Relaxed)
    }

    fn lots(&self) -> Lots {
        Lots::new(self.seed ^ self.number().wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn has_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn has_gone(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }

    /// The tables that are being played.
    pub fn tables(&self) -> BTreeMap<String, Sitting> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn sit(&self, table: &str, sitting: Option<Sitting>) {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        match sitting {
            Some(sitting) => drop(tables.insert(table.into(), sitting)),
            None => drop(tables.remove(table)),
        }
    }
}

async fn send(port: u16, token: &str, method: &str, path: &str, body: String) -> Result<Response<Incoming>> {
    let stream = TcpStream::connect(SocketAddr::from(([127, 0, 0, 1], port))).await?;
    stream.set_nodelay(true)?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    // It ends with the answer, or with an error that the answer has as well.
    tokio::spawn(async move { drop(connection.await) });
    let mut request = Request::builder().method(method).uri(path).header("host", format!("127.0.0.1:{port}"));
    if !token.is_empty() {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let request = request.header("content-type", "application/json").body(Full::new(Bytes::from(body)))?;
    Ok(sender.send_request(request).await?)
}

/// One request over a connection of its own: status and text of a whole answer, or nothing to be sure of.
pub async fn call(port: u16, token: &str, method: &str, path: &str, body: &Value) -> Result<(u16, String)> {
    let asked = async {
        let text = if body.is_null() { String::new() } else { body.to_string() };
        let answer = send(port, token, method, path, text).await?;
        let status = answer.status().as_u16();
        let bytes = answer.into_body().collect().await?.to_bytes();
        Ok((status, String::from_utf8(bytes.to_vec())?))
    };
    tokio::time::timeout(PATIENCE, asked).await.map_err(|_| anyhow!("no answer in time"))?
}

/// Somebody with a token who asks one of the servers, and another when that one fails.
#[derive(Clone)]
struct Guest {
    company: Arc<Company>,
    house: Arc<House>,
    name: String,
    token: String,
    /// Which of the house's servers he asks.
    at: usize,
    lots: Lots,
}

impl Guest {
    /// Takes a name; goes on asking until he has one.
    async fn arrive(company: &Arc<Company>, house: &Arc<House>, at: usize) -> Option<Self> {
        let name = format!("guest-{}", company.number());
        let lots = company.lots();
        let at = at % house.fords.len();
        let mut guest =
            Self { company: company.clone(), house: house.clone(), name, token: String::new(), at, lots };
        let answer = guest.insist("POST", "/api/guests", &json!({ "name": guest.name.clone() })).await?;
        guest.token = answer["token"].as_str()?.to_string();
        Some(guest)
    }

    fn ford(&self) -> &(usize, Arc<Ford>) {
        &self.house.fords[self.at]
    }

    async fn ask(&self, method: &str, path: &str, body: &Value) -> Result<(u16, String)> {
        call(self.ford().1.port, &self.token, method, path, body).await
    }

    /// Asks until it is done; `None` if it is refused or the check is over.
    async fn insist(&mut self, method: &str, path: &str, body: &Value) -> Option<Value> {
        while !self.company.has_gone() {
            match self.ask(method, path, body).await {
                Ok((200, text)) => return serde_json::from_str(&text).ok(),
                Ok((400..=409, text)) if !text.contains("\"frozen\"") => {
                    eprintln!("{method} {path} {body}: {text}");
                    return None;
                }
                _ => self.turn_away().await,
            }
        }
        None
    }

    /// After a failure: a moment's rest, then perhaps another server.
    async fn turn_away(&mut self) {
        let rest = 20 + u64::from(self.lots.below(200));
        tokio::time::sleep(Duration::from_millis(rest)).await;
        self.at = (self.at + self.lots.below(2) as usize) % self.house.fords.len();
    }

    async fn rest(&mut self, least: u64, most: u32) {
        let rest = least + u64::from(self.lots.below(most));
        tokio::time::sleep(Duration::from_millis(rest)).await;
    }
}

/// A look, as far as the answer tells it.
fn look(log: &Log, table: &str, who: &str, own: Option<u8>, door: Door, view: &Value) -> Look {
    let shown = log.keep(&sight_text(&view["scene"], &view["journal"]));
    let filled = |field: &&&str| match &view[**field] {
        Value::Array(all) => !all.is_empty(),
        Value::Bool(yes) => *yes,
        Value::Number(number) => number.as_u64() != Some(0),
        other => !other.is_null(),
    };
    let private = ["offered", "refused", "orders", "undoable", "held", "number", "seed", "can_ask_back"];
    Look {
        table: table.into(),
        who: who.into(),
        own,
        eyes: view["seat"].as_u64().map(|s| s as u8),
        door,
        ended: log.now(),
        shown,
        stage: view["stage"].as_str().unwrap_or_default().into(),
        standstill: !view["frozen"].is_null(),
        undoable: view["undoable"].as_u64().unwrap_or(0) as usize,
        answered: 0,
        same_server: false,
        private: private.iter().filter(filled).map(ToString::to_string).collect(),
    }
}

/// What may be asked for and must not be given while a game is being played.
const PRIED: [&str; 4] =
    ["/api/tables/{}/record", "/t/{}/record", "/api/tables/{}/verify", "/api/tables/{}/turnings"];

/// A player at his seat, until the game is over or the check is.
struct Player {
    guest: Guest,
    table: String,
    seat: u8,
    answered: usize,
    last_server: Option<usize>,
}

impl Player {
    async fn play(mut self) {
        let company = self.guest.company.clone();
        company.playing.fetch_add(1, Ordering::Relaxed);
        let home = self.guest.at;
        let mut steps = 0u64;
        while !company.has_gone() && !company.has_stopped() {
            steps += 1;
            if steps.is_multiple_of(20) {
                self.guest.at = home;
            }
            let Some(view) = self.look(Some(self.seat)).await else {
                self.guest.turn_away().await;
                continue;
            };
            if view["stage"] == "over" {
                break;
            }
            if self.guest.lots.below(12) == 0 {
                self.look(Some(1 - self.seat)).await;
                pry(&mut self.guest, &self.table).await;
            }
            let offered = view["offered"].as_array().map_or(&[][..], Vec::as_slice);
            let undoable = view["undoable"].as_u64().unwrap_or(0) > 0;
            let thinks_again = undoable && self.guest.lots.below(15) == 0;
            if thinks_again {
                self.click(Wish::Undo, &Value::Null).await;
            } else if view["held"] == true || offered.is_empty() {
                self.guest.rest(30, 60).await;
            } else {
                let choice = self.guest.lots.below(offered.len() as u32) as usize;
                let action = offered[choice]["notation"].as_str().unwrap_or_default().to_string();
                self.click(Wish::Act(action), &view["number"]).await;
                self.guest.rest(10, 40).await;
            }
        }
        company.playing.fetch_sub(1, Ordering::Relaxed);
    }

    /// Looks at the table and writes it down.
    async fn look(&mut self, eyes: Option<u8>) -> Option<Value> {
        let path = eyes.map_or(String::new(), |s| format!("?seat={s}"));
        let path = format!("/api/tables/{}{path}", self.table);
        let server = self.guest.ford().0;
        let (status, text) = self.guest.ask("GET", &path, &Value::Null).await.ok()?;
        if status != 200 {
            return None;
        }
        let view: Value = serde_json::from_str(&text).ok()?;
        let log = &self.guest.company.log;
        let mut look = look(log, &self.table, &self.guest.name, Some(self.seat), Door::View(server), &view);
        look.answered = self.answered;
        look.same_server = self.last_server.is_none_or(|last| last == server);
        log.write(Event::Looked(look));
        Some(view)
    }

    /// Asks for something until he knows what became of it.
    async fn click(&mut self, wish: Wish, number: &Value) {
        let company = self.guest.company.clone();
        let key = format!("k{}", company.number());
        let (path, body) = match &wish {
            Wish::Act(action) => (
                format!("/api/tables/{}/act", self.table),
                json!({ "seat": self.seat, "number": number, "actions": [action], "key": key }),
            ),
            Wish::Undo => (
                format!("/api/tables/{}/ask", self.table),
                json!({ "seat": self.seat, "ask": "undo", "key": key }),
            ),
        };
        let (table, seat, at) = (self.table.clone(), self.seat, company.log.now());
        company.log.write(Event::Sent { table, seat, key: key.clone(), wish, at });
        while !company.has_gone() {
            let server = self.guest.ford().0;
            let asked = self.guest.ask("POST", &path, &body).await;
            let at = company.log.now();
            match asked.map(|(status, text)| (verdict(status, &text), status, text)) {
                Ok((Some(answer), ..)) => {
                    // Sometimes a client is told and asks again all the same.
                    if self.guest.lots.below(20) == 0 && answer.is_yes() {
                        let _ = self.guest.ask("POST", &path, &body).await;
                    }
                    self.answered += 1;
                    self.last_server = Some(server);
                    return company.log.write(Event::Answered { key, server, at, answer });
                }
                Ok((None, status, text)) => {
                    let why = format!("{status} {}", text.chars().take(200).collect::<String>());
                    company.log.write(Event::Unsure { key: key.clone(), server, at, why });
                }
                Err(error) => {
                    let why = error.to_string();
                    company.log.write(Event::Unsure { key: key.clone(), server, at, why });
                }
            }
            self.guest.turn_away().await;
        }
    }
}

/// What an answer says for certain; `None` if one has to ask again.
fn verdict(status: u16, text: &str) -> Option<Answer> {
    let body: Value = serde_json::from_str(text).ok()?;
    match (status, body["what"].as_str(), body["error"].as_str()) {
        (200, Some("drafted"), _) => Some(Answer::Drafted),
        (200, Some("held"), _) => Some(Answer::Held),
        (200, Some("committed"), _) => Some(Answer::Committed),
        (200, Some("done"), _) => Some(Answer::Done),
        (200, Some("repeated"), _) => Some(Answer::Repeated),
        // Two servers that go on disturbing each other say the same word without a view.
        (_, _, Some("stale")) => body.get("view").map(|_| Answer::Refused("stale".into())),
        (400..=409, _, Some(word)) if !matches!(word, "frozen" | "unknown") => {
            Some(Answer::Refused(word.into()))
        }
        _ => None,
    }
}

/// Asks for what must not be given out yet.
async fn pry(guest: &mut Guest, table: &str) {
    let Some(path) = guest.lots.pick(&PRIED) else { return };
    let path = path.replace("{}", table);
    if let Ok((status, _)) = guest.ask("GET", &path, &Value::Null).await {
        let log = &guest.company.log;
        log.write(Event::Pried { table: table.into(), what: path, status, ended: log.now() });
    }
}

/// Somebody who looks on, by asking again and again, sometimes through another's eyes.
async fn look_on(mut guest: Guest, table: String, own: Option<u8>) {
    let company = guest.company.clone();
    while !company.has_gone() && company.tables().contains_key(&table) {
        let server = guest.ford().0;
        let seat = guest.lots.below(3);
        let path = match seat {
            2 => format!("/api/tables/{table}"),
            seat => format!("/api/tables/{table}?seat={seat}"),
        };
        match guest.ask("GET", &path, &Value::Null).await {
            Ok((200, text)) => {
                if let Ok(view) = serde_json::from_str(&text) {
                    let door = Door::View(server);
                    company.log.write(Event::Looked(look(
                        &company.log,
                        &table,
                        &guest.name,
                        own,
                        door,
                        &view,
                    )));
                }
            }
            _ => guest.turn_away().await,
        }
        let pages =
            ["/t/{}?as={s}", "/t/{}/moment?as={s}", "/t/{}/picture.svg?as={s}", "/t/{}/replay?as={s}"];
        match guest.lots.below(8) {
            0 => pry(&mut guest, &table).await,
            1 => {
                let page = guest.lots.pick(&pages).unwrap_or(pages[0]);
                let path = page.replace("{}", &table).replace("{s}", &guest.lots.below(2).to_string());
                if let Ok((200, text)) = guest.ask("GET", &path, &Value::Null).await {
                    hear(&company.log, &table, &guest.name, own, Door::Page, &text);
                }
            }
            _ => {}
        }
        guest.rest(100, 300).await;
    }
}

fn hear(log: &Log, table: &str, who: &str, own: Option<u8>, door: Door, text: &str) {
    let (ended, shown) = (log.now(), log.keep(text));
    log.write(Event::Heard { table: table.into(), who: who.into(), own, door, ended, shown });
}

/// Somebody who follows a stream of views, and comes back when it is cut.
async fn follow(mut guest: Guest, table: String) {
    let company = guest.company.clone();
    while !company.has_gone() && company.tables().contains_key(&table) {
        let path = format!("/api/tables/{table}/stream?seat={}", guest.lots.below(2));
        let (port, number) = (guest.ford().1.port, company.number());
        let asked = send(port, &guest.token, "GET", &path, String::new());
        if let Ok(Ok(answer)) = tokio::time::timeout(PATIENCE, asked).await
            && answer.status().as_u16() == 200
        {
            // Some hold on for long, some come and go.
            let patience = Duration::from_millis(u64::from(1_000 + guest.lots.below(20_000)));
            let lines = stream_lines(&company.log, &table, &guest.name, Door::Stream(number), answer);
            let _ = tokio::time::timeout(patience, lines).await;
        }
        guest.turn_away().await;
    }
}

async fn stream_lines(
    log: &Log,
    table: &str,
    who: &str,
    door: Door,
    answer: Response<Incoming>,
) -> Result<()> {
    let (mut body, mut rest, mut view) = (answer.into_body(), Vec::new(), Value::Null);
    while let Some(frame) = body.frame().await {
        rest.extend_from_slice(&frame?.into_data().unwrap_or_default());
        while let Some(end) = rest.iter().position(|b| *b == b'\n') {
            let line: Vec<u8> = rest.drain(..=end).collect();
            let mut line: Value = serde_json::from_slice(&line)?;
            if line["type"] == "whole" {
                view = line["view"].take();
            } else {
                change(&mut view, &line).context("a line that changes nothing")?;
            }
            log.write(Event::Looked(look(log, table, who, None, door, &view)));
        }
    }
    Ok(())
}

/// Changes a view as a line of a stream says.
fn change(view: &mut Value, line: &Value) -> Option<()> {
    for (field, value) in line["changed"].as_object()? {
        view[field] = value.clone();
    }
    for (field, more) in line["added"].as_object()? {
        view[field].as_array_mut()?.extend(more.as_array()?.iter().cloned());
    }
    Some(())
}

/// Somebody with a page open: all messages of its socket.
async fn listen(mut guest: Guest, table: String, own: Option<u8>) {
    let company = guest.company.clone();
    while !company.has_gone() && company.tables().contains_key(&table) {
        let seat = own.unwrap_or(guest.lots.below(2) as u8);
        let patience = Duration::from_millis(u64::from(2_000 + guest.lots.below(30_000)));
        let heard = hear_socket(&guest, &table, seat, own);
        let _ = tokio::time::timeout(patience, heard).await;
        guest.turn_away().await;
    }
}

async fn hear_socket(guest: &Guest, table: &str, seat: u8, own: Option<u8>) -> Result<()> {
    let address = format!("ws://127.0.0.1:{}/t/{table}/socket", guest.ford().1.port);
    let mut request = address.into_client_request()?;
    request.headers_mut().insert("authorization", format!("Bearer {}", guest.token).parse()?);
    let connected = tokio::time::timeout(PATIENCE, tokio_tungstenite::connect_async(request));
    let (mut socket, _) = connected.await.map_err(|_| anyhow!("no socket in time"))??;
    socket.send(Message::text(json!({ "seat": seat }).to_string())).await?;
    while let Some(message) = socket.next().await {
        if let Message::Text(text) = message? {
            hear(&guest.company.log, table, &guest.name, own, Door::Socket, &text);
        }
    }
    Ok(())
}

/// Plays one game after the other at tables of one kind, with onlookers, until the check is over.
pub async fn play_on(company: Arc<Company>, house: Arc<House>, game: &'static str, bot: bool) {
    while !company.has_stopped() {
        if one_game(&company, &house, game, bot).await.is_none() {
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }
}

async fn one_game(company: &Arc<Company>, house: &Arc<House>, game: &str, bot: bool) -> Option<()> {
    let mut host = Guest::arrive(company, house, 0).await?;
    let seats = if bot { json!(["me", "bot:random"]) } else { json!(["me", "open"]) };
    let wish = json!({ "game": game, "seats": seats, "listed": true });
    let opened = host.insist("POST", "/api/tables", &wish).await?;
    let table = opened["id"].as_str()?.to_string();
    let mut players = vec![host];
    if !bot {
        let mut other = Guest::arrive(company, house, 1).await?;
        // Whoever sits down and is not told finds the seat taken, by himself.
        let path = format!("/api/tables/{table}/join");
        loop {
            match other.ask("POST", &path, &json!({ "seat": 1 })).await {
                Ok((200 | 403, _)) => break,
                _ if company.has_gone() => return None,
                _ => other.turn_away().await,
            }
        }
        players.push(other);
    }
    for (seat, player) in players.iter_mut().enumerate() {
        let ready = json!({ "seat": seat, "nonce": "2a" });
        player.insist("POST", &format!("/api/tables/{table}/ready"), &ready).await?;
    }
    company.log.write(Event::Opened { table: table.clone(), game: game.into(), house: house.number });
    let mut tokens: Vec<_> = players.iter().map(|p| Some(p.token.clone())).collect();
    tokens.resize(2, None);
    company.sit(&table, Some(Sitting { house: house.clone(), tokens }));
    let (mut playing, mut watching) = (Vec::new(), Vec::new());
    for (seat, guest) in players.into_iter().enumerate() {
        let seat = seat as u8;
        // The same person with a page open.
        let at_page = Guest { lots: company.lots(), ..guest.clone() };
        watching.push(tokio::spawn(listen(at_page, table.clone(), Some(seat))));
        let player = Player { guest, table: table.clone(), seat, answered: 0, last_server: None };
        playing.push(tokio::spawn(player.play()));
    }
    let mut onlookers = Vec::new();
    for at in 0..3 {
        if let Some(guest) = Guest::arrive(company, house, at).await {
            onlookers.push(guest);
        }
    }
    if let Ok([one, two, three]) = <[Guest; 3]>::try_from(onlookers) {
        watching.push(tokio::spawn(look_on(one, table.clone(), None)));
        watching.push(tokio::spawn(follow(two, table.clone())));
        watching.push(tokio::spawn(listen(three, table.clone(), None)));
    }
    // The game has an end for its players; then the onlookers leave as well.
    for player in playing {
        let _ = player.await;
    }
    if company.has_stopped() {
        // Unfinished, or just finished: it is looked at once more when all is quiet.
        return Some(());
    }
    company.sit(&table, None);
    for onlooker in watching {
        let _ = onlooker.await;
    }
    Some(())
}
