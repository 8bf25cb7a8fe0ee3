//! Being told: when a table waits for somebody who is not looking, or a game is over, its player hears of it
//! by webhook, e-mail or web push. All of it is off until a player asks for it.
//!
//! A message says at which table, and nothing of the game. Several tables make one message: news wait a
//! while, those that are out of date by then are dropped, and nobody is told more often than every so often.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::App;
use crate::fault::Fault;
use crate::live::{Live, Table, Tables};
use crate::secret;
use crate::store::{Kind, Stage};

pub(crate) mod call;
pub(crate) mod mail;
pub(crate) mod push;

use mail::Post;
use push::{Keys, Subscription};

/// How players are told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address under which players reach this server, for links.
    pub link: String,
    /// How mail is sent: `smtps://USER:PASSWORD@HOST` or another address of that kind. Without it, none is.
    pub smtp: Option<String>,
    /// From whom mail comes.
    pub from: String,
    /// Whether webhooks and push services may have private addresses: only where all players are trusted.
    pub private: bool,
    /// How long news wait for more.
    pub wait: Duration,
    /// How long nothing is told after something was.
    pub pause: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            link: "http://127.0.0.1:8117".into(),
            smtp: None,
            from: "Outremer <outremer@localhost>".into(),
            private: false,
            wait: Duration::from_secs(60),
            pause: Duration::from_secs(300),
        }
    }
}

/// How one player wants to be told, as it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Told {
    /// The address of a webhook.
    pub(crate) webhook: Option<String>,
    /// An e-mail address.
    pub(crate) mail: Option<Mailbox>,
    /// Browsers.
    pub(crate) push: Vec<Subscription>,
}

/// An e-mail address, used once its owner has confirmed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mailbox {
    pub(crate) address: String,
    pub(crate) confirmed: bool,
    /// The hash of the secret that was sent there.
    pub(crate) secret: String,
}

/// How many browsers of one player are told.
const MOST_BROWSERS: usize = 10;

/// News for a player.
#[derive(Clone, Debug)]
pub(crate) struct Tiding {
    person: String,
    table: String,
    /// The table's name for people.
    name: String,
    over: bool,
}

/// Where news are handed in.
#[derive(Debug)]
pub(crate) struct Desk {
    sender: mpsc::Sender<Tiding>,
    receiver: std::sync::Mutex<Option<mpsc::Receiver<Tiding>>>,
}

impl Default for Desk {
    fn default() -> Self {
        let (sender, receiver) = mpsc::channel(10_000);
        Self { sender, receiver: std::sync::Mutex::new(Some(receiver)) }
    }
}

impl Desk {
    /// Hands in what a change of a table means to its players. `before` are the seats that it waited for
    /// before, as bits, and `stage` is how far it had come.
    pub(crate) fn changed(&self, table: &Table, live: &Live, before: u8, stage: Stage) {
        let over = live.row.stage == Stage::Over && stage != Stage::Over;
        let newly = live.row.waiting & !before;
        if newly == 0 && !over {
            return;
        }
        for (i, row) in live.seats.iter().enumerate() {
            let Some(person) = row.person.as_deref().filter(|_| row.kind == Kind::Person) else { continue };
            let awaited = newly >> i & 1 == 1 && row.stand_in.is_none();
            if (awaited || over) && !table.is_present(person) {
                let tiding = Tiding {
                    person: person.into(),
                    table: live.row.id.clone(),
                    name: name_of(live, person),
                    over,
                };
                // A desk that is full loses news; the lobby has them all the same.
                if self.sender.try_send(tiding).is_err() {
                    tracing::debug!("news for a player were not taken");
                }
            }
        }
    }

    fn take(&self) -> Option<mpsc::Receiver<Tiding>> {
        self.receiver.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take()
    }
}

/// What a table is called in a message: its game, and with whom.
fn name_of(live: &Live, person: &str) -> String {
    let others = live.seats.iter().filter(|s| s.person.as_deref() != Some(person));
    let names: Vec<_> =
        others.filter(|s| s.kind == Kind::Person).map(|s| s.name.as_str()).collect::<Vec<_>>();
    let game = &live.title().name;
    if names.is_empty() { game.clone() } else { format!("{game} with {}", names.join(", ")) }
}

/// A message to one player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Message {
    /// In a line.
    pub(crate) title: String,
    /// The tables: name, link, and whether the game is over.
    pub(crate) tables: Vec<Named>,
}

/// A table in a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) link: String,
    pub(crate) over: bool,
}

impl Message {
    fn new(tables: Vec<Named>) -> Self {
        let turns = tables.iter().filter(|t| !t.over).count();
        let title = match (turns, &tables[..]) {
            (0, [one]) => format!("The game is over: {}", one.name),
            (0, many) => format!("{} games are over", many.len()),
            (1, [one]) => format!("Your turn: {}", one.name),
            (1, _) => "Your turn at a table".into(),
            (n, _) => format!("Your turn at {n} tables"),
        };
        Self { title, tables }
    }

    /// The message as text.
    pub(crate) fn text(&self) -> String {
        let line = |t: &Named| format!("{}{}\n{}\n", t.name, if t.over { ", over" } else { "" }, t.link);
        self.tables.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

/// What waits to be told to one player.
#[derive(Default)]
struct Waiting {
    tables: BTreeMap<String, (String, bool)>,
    due: Option<Instant>,
    /// When something was last told.
    last: Option<Instant>,
}

/// How long a server that stops goes on telling what was waiting.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// Tells players what is handed in, until the server stops. What waits then is told at once: nobody else would.
pub(crate) async fn run(app: App, mut stop: oneshot::Receiver<()>) {
    let Some(mut news) = app.tables().desk().take() else { return };
    let settings = app.tidings().clone();
    let mut waiting: HashMap<String, Waiting> = HashMap::new();
    let mut telling = JoinSet::new();
    loop {
        let next = waiting.values().filter_map(|w| w.due).min();
        let sleep = async {
            match next {
                Some(due) => tokio::time::sleep_until(due).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            tiding = news.recv() => {
                let Some(tiding) = tiding else { return };
                let own = waiting.entry(tiding.person).or_default();
                own.tables.insert(tiding.table, (tiding.name, tiding.over));
                let earliest = own.last.map_or_else(Instant::now, |last| last + settings.pause);
                own.due.get_or_insert(earliest.max(Instant::now() + settings.wait));
            }
            Some(_) = telling.join_next() => {}
            _ = &mut stop => break,
            () = sleep => {
                let now = Instant::now();
                for (person, own) in &mut waiting {
                    if own.due.is_some_and(|due| due <= now) {
                        (own.due, own.last) = (None, Some(now));
                        let (app, person, tables) = (app.clone(), person.clone(), std::mem::take(&mut own.tables));
                        telling.spawn(async move { tell(&app, &person, tables).await });
                    }
                }
                // Whoever was told long ago and waits for nothing is forgotten.
                waiting.retain(|_, w| w.due.is_some() || w.last.is_some_and(|l| now < l + settings.pause));
            }
        }
    }
    last_words(&app, news, waiting, telling).await;
}

/// What a server says before it stops, if it can be said soon. Who was not told is counted, not named.
async fn last_words(
    app: &App,
    mut news: mpsc::Receiver<Tiding>,
    waiting: HashMap<String, Waiting>,
    mut telling: JoinSet<()>,
) {
    let mut last: HashMap<String, BTreeMap<String, (String, bool)>> =
        waiting.into_iter().map(|(person, own)| (person, own.tables)).collect();
    while let Ok(tiding) = news.try_recv() {
        last.entry(tiding.person).or_default().insert(tiding.table, (tiding.name, tiding.over));
    }
    for (person, tables) in last.into_iter().filter(|(_, tables)| !tables.is_empty()) {
        let app = app.clone();
        telling.spawn(async move { tell(&app, &person, tables).await });
    }
    let all = async { while telling.join_next().await.is_some() {} };
    if tokio::time::timeout(LAST_WORDS, all).await.is_err() {
        tracing::warn!(players = telling.len(), "the server stops, and players were not told of their turn");
    }
}

/// Tells one player what is still true, in every way that he asked for.
async fn tell(app: &App, person: &str, tables: BTreeMap<String, (String, bool)>) {
    let mut named = Vec::new();
    for (id, (name, over)) in tables {
        if over || still_awaited(app.tables(), &id, person).await {
            let link = format!("{}/t/{id}", app.tidings().link.trim_end_matches('/'));
            named.push(Named { name, link, over });
        }
    }
    if named.is_empty() {
        return;
    }
    match app.told(person).await {
        Ok(told) if told == Told::default() => {}
        Ok(told) => app.send(person, told, &Message::new(named)).await,
        Err(fault) => tracing::warn!(%fault, "it is not known how to tell a player"),
    }
}

/// Whether a table still waits for a player who does not look at it.
async fn still_awaited(tables: &Tables, id: &str, person: &str) -> bool {
    let Ok(table) = tables.find(id).await else { return false };
    let live = table.live.lock().await;
    let awaited = live.held_by(Some(person)).both(live.waiting());
    !table.is_present(person) && awaited.iter().any(|s| live.bot_at(s).is_none())
}

impl App {
    /// How a player wants to be told.
    pub(crate) async fn told(&self, person: &str) -> Result<Told, Fault> {
        let text = self.store().wishes(person.to_string()).await?;
        Ok(text.and_then(|t| serde_json::from_str(&t).ok()).unwrap_or_default())
    }

    async fn set_told(&self, person: &str, told: &Told) -> Result<(), Fault> {
        let text = serde_json::to_string(told).map_err(|e| Fault::Server(e.to_string()))?;
        Ok(self.store().set_wishes(person.to_string(), text).await?)
    }

    /// The keys by which push services know this house.
    pub(crate) async fn push_keys(&self) -> Result<Keys, Fault> {
        let kept = self.store().house("push key".into(), Keys::fresh()).await?;
        Keys::read(&kept).map_err(Fault::Server)
    }

    /// Sends a message in every way that a player asked for. What cannot be sent is noted, without the
    /// address; a browser that is gone for good is forgotten.
    async fn send(&self, person: &str, told: Told, message: &Message) {
        let settings = self.tidings();
        let sent = |way: &'static str, result: Result<(), String>| match result {
            Ok(()) => self.tables().metrics().told.add(1),
            Err(why) => tracing::warn!(way, why, "a player could not be told"),
        };
        if let Some(address) = &told.webhook {
            sent("webhook", webhook(address, message, settings.private).await);
        }
        if let (Some(mailbox), Some(post)) = (told.mail.as_ref().filter(|m| m.confirmed), self.post()) {
            let text = format!("{}\nYou asked for this at {}/you\n", message.text(), settings.link);
            sent("mail", post.send(&mailbox.address, &message.title, text).await);
        }
        let mut gone = Vec::new();
        if !told.push.is_empty() {
            match self.push_keys().await {
                Ok(keys) => {
                    for browser in &told.push {
                        match keys.send(browser, message, &settings.link, settings.private).await {
                            Ok(true) => sent("push", Ok(())),
                            Ok(false) => gone.push(browser.endpoint.clone()),
                            Err(why) => sent("push", Err(why)),
                        }
                    }
                }
                Err(fault) => sent("push", Err(fault.to_string())),
            }
        }
        if !gone.is_empty()
            && let Ok(mut now) = self.told(person).await
        {
            now.push.retain(|b| !gone.contains(&b.endpoint));
            if let Err(fault) = self.set_told(person, &now).await {
                tracing::warn!(%fault, "a browser that is gone could not be forgotten");
            }
        }
    }

    /// Sets a player's webhook and e-mail address; an empty text takes one away, `None` leaves it.
    pub(crate) async fn tell_by(
        &self,
        person: &str,
        webhook: Option<&str>,
        address: Option<&str>,
    ) -> Result<(), Fault> {
        let mut told = self.told(person).await?;
        if let Some(webhook) = webhook.map(str::trim) {
            told.webhook = match webhook {
                "" => None,
                text => Some(call::checked(text, self.tidings().private).map_err(Fault::Wrong)?.to_string()),
            };
        }
        let address = address.map(str::trim).filter(|a| told.mail.as_ref().is_none_or(|m| m.address != *a));
        let mut confirm = None;
        if let Some(address) = address {
            if address.is_empty() {
                told.mail = None;
            } else {
                let post = self.post().ok_or_else(|| {
                    Fault::Stage("this server sends no e-mail: its owner has not set it up".into())
                })?;
                Post::checked(address).map_err(Fault::Wrong)?;
                if !post.stamp(address) {
                    return Err(Fault::TooMany);
                }
                let token = secret::word::<32>();
                told.mail = Some(Mailbox {
                    address: address.into(),
                    confirmed: false,
                    secret: secret::hashed(&token),
                });
                confirm = Some((post, token));
            }
        }
        if let (Some((post, token)), Some(mailbox)) = (confirm, &told.mail) {
            let link = format!("{}/you/mail/{person}/{token}", self.tidings().link.trim_end_matches('/'));
            let text = format!(
                "Somebody, probably you, wants to hear at this address when it is his turn at a table of \
                 Outremer. If it was you, follow this link; if not, do nothing and nothing more will come.\n\n\
                 {link}\n"
            );
            let sent = post.send(&mailbox.address, "Is this your address?", text).await;
            sent.map_err(|why| Fault::Wrong(format!("the mail could not be sent: {why}")))?;
        }
        self.set_told(person, &told).await
    }

    /// The owner of an e-mail address confirms it with the secret that was sent there.
    pub(crate) async fn confirm_mail(&self, person: &str, token: &str) -> Result<(), Fault> {
        let mut told = self.told(person).await?;
        let Some(mailbox) = told.mail.as_mut().filter(|m| secret::fits(token, &m.secret)) else {
            return Err(Fault::NotYours("this link confirms nothing any more".into()));
        };
        mailbox.confirmed = true;
        self.set_told(person, &told).await
    }

    /// A browser wants to be told, or no longer.
    pub(crate) async fn tell_browser(
        &self,
        person: &str,
        browser: Subscription,
        on: bool,
    ) -> Result<(), Fault> {
        let mut told = self.told(person).await?;
        told.push.retain(|b| b.endpoint != browser.endpoint);
        if on {
            browser.check(self.tidings().private).map_err(Fault::Wrong)?;
            if told.push.len() >= MOST_BROWSERS {
                told.push.remove(0);
            }
            told.push.push(browser);
        }
        self.set_told(person, &told).await
    }
}

/// Calls a webhook. `text` and `content` are what chat services read.
async fn webhook(address: &str, message: &Message, private: bool) -> Result<(), String> {
    let url = call::checked(address, private)?;
    let text = format!("{}\n{}", message.title, message.text());
    let body = serde_json::json!({ "text": text, "content": text, "tables": message.tables });
    let headers = [("content-type", "application/json".to_string())];
    let status = call::post(&url, &headers, body.to_string().into_bytes(), private).await?;
    if status.is_success() { Ok(()) } else { Err(format!("it was answered with {status}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_counts_turns() {
        let named = |over| Named { name: "Ten Towns".into(), link: "http://t/x".into(), over };
        assert_eq!(Message::new(vec![named(false)]).title, "Your turn: Ten Towns");
        assert_eq!(Message::new(vec![named(false), named(false)]).title, "Your turn at 2 tables");
        assert_eq!(Message::new(vec![named(true)]).title, "The game is over: Ten Towns");
        assert_eq!(Message::new(vec![named(true), named(false)]).title, "Your turn at a table");
        assert_eq!(Message::new(vec![named(true)]).text(), "Ten Towns, over\nhttp://t/x\n");
    }
}
