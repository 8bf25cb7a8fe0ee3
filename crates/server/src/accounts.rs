//! What the owner of an account may do with it: set a forgotten password anew by e-mail, take everything along
//! that is kept about him, and go.

use std::net::IpAddr;

use serde::Serialize;
use serde_json::{Value, json};

use crate::App;
use crate::fault::Fault;
use crate::ids::PersonId;
use crate::passwords;
use crate::secret;
use crate::store::{Listing, PersonRow};

/// For how long a letter with which a password is set anew is good, in seconds.
const RESET: i64 = 3600;
/// What somebody is called who has gone.
pub(crate) const GONE: &str = "somebody who left";

/// A session, as its owner is shown it.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ShownSession {
    /// Its name, to end it by.
    pub(crate) id: String,
    /// When it began, in seconds since 1970.
    pub(crate) created: i64,
    /// When it was last used, to the hour.
    pub(crate) used: i64,
    /// What the browser called itself.
    pub(crate) agent: String,
    /// Whether it is the one that asks.
    pub(crate) present: bool,
}

impl App {
    /// The sessions of a person that are still good.
    pub(crate) async fn shown_sessions(
        &self,
        person: &PersonId,
        present: Option<&str>,
    ) -> Result<Vec<ShownSession>, Fault> {
        let all = self.store().sessions(person.clone()).await?;
        let shown = |s: crate::store::SessionRow| ShownSession {
            present: present == Some(s.hash.as_str()),
            id: s.id,
            created: s.created,
            used: s.used,
            agent: s.agent,
        };
        Ok(all.into_iter().filter(|s| self.is_good(s)).map(shown).collect())
    }

    /// Whether this server sends mail at all: that is no secret.
    pub(crate) fn sends_mail(&self) -> Result<(), Fault> {
        let why = "this server sends no e-mail, so it cannot set a password anew: ask its owner";
        self.post().map(|_| ()).ok_or_else(|| Fault::Stage(why.into()))
    }

    /// Somebody has forgotten the password of an account. A letter goes to its address, if there is such an
    /// account and it has one that its owner has confirmed; whoever asks is not told, neither in words nor by the
    /// time that it takes.
    pub(crate) fn forgot(&self, name: &str) {
        let (app, name) = (self.clone(), name.to_string());
        tokio::spawn(async move {
            if let Err(fault) = app.send_reset(&name).await {
                tracing::warn!(%fault, "a letter about a forgotten password was not sent");
            }
        });
    }

    async fn send_reset(&self, name: &str) -> Result<(), Fault> {
        let (Some(post), Ok(name)) = (self.post(), crate::names::clean(name)) else { return Ok(()) };
        let Some(account) = self.store().account(name).await? else { return Ok(()) };
        let ways = self.ways(&account.id).await?;
        let Some(mailbox) = ways.mail.filter(|m| m.confirmed) else { return Ok(()) };
        if !post.stamp(&mailbox.address) {
            return Ok(());
        }
        let token = secret::word::<32>();
        self.store().add_reset(account.id, secret::hashed(&token), secret::now() + RESET).await?;
        let link = format!("{}/reset/{token}", self.tidings().link.trim_end_matches('/'));
        let text = format!(
            "Somebody, probably you, has forgotten the password of the account {} at Outremer. Within an hour it \
             can be set anew here, once; all devices are logged out then. If it was not you, do nothing.\n\n\
             {link}\n",
            account.name
        );
        let sent = post.send(&mailbox.address, "A new password", text).await;
        sent.map_err(|why| Fault::Server(format!("the letter could not be sent: {why}")))
    }

    /// Sets a password anew with the token of a letter.
    pub(crate) async fn reset(&self, token: &str, password: String) -> Result<(), Fault> {
        let hash = passwords::hashed(password).await?;
        if token.len() > 128 {
            return Err(Fault::NotYours("this link is not good any more".into()));
        }
        match self.store().use_reset(secret::hashed(token), secret::now(), hash).await? {
            Some(person) => {
                self.sessions().forget(&person);
                Ok(())
            }
            None => {
                let why =
                    "this link is not good any more: it was used, or an hour has passed; ask for another";
                Err(Fault::NotYours(why.into()))
            }
        }
    }

    /// Everything that is kept about a person.
    pub(crate) async fn export(&self, person: &PersonRow) -> Result<Value, Fault> {
        let store = self.store();
        let tables = store.list(Listing::Of(person.id.clone()), 100_000).await?;
        let tables: Vec<_> = tables
            .iter()
            .map(|(row, seats)| {
                let own = seats.iter().enumerate().filter(|(_, s)| s.person.as_ref() == Some(&person.id));
                json!({ "id": row.id, "game": row.game, "scenario": row.scenario, "stage": row.stage,
                    "opened": row.created, "host": row.host.as_ref() == Some(&person.id),
                    "seats": own.map(|(i, _)| i).collect::<Vec<_>>() })
            })
            .collect();
        let ways = self.ways(&person.id).await?;
        let notes = store.notes_of(person.id.clone()).await?;
        let said = store.said_by(person.id.clone()).await?;
        Ok(json!({
            "id": person.id,
            "name": person.name,
            "account": person.password.is_some(),
            "sessions": self.shown_sessions(&person.id, None).await?,
            "tidings": {
                "webhook": ways.webhook,
                "mail": ways.mail.as_ref().map(|m| &m.address),
                "mail_confirmed": ways.mail.as_ref().is_some_and(|m| m.confirmed),
                "browsers": ways.push.iter().map(|b| &b.endpoint).collect::<Vec<_>>(),
            },
            "tables": tables,
            "notes": notes.iter().map(|(table, text)| json!({ "table": table, "text": text })).collect::<Vec<_>>(),
            "said": said.iter().map(|(table, row)| json!({ "table": table, "at": row.at, "text": row.text,
                "to_allies": row.readers.is_some() })).collect::<Vec<_>>(),
        }))
    }

    /// A person goes, and his name with him. Seats of games that are not over are left: see
    /// [`crate::Tables::leave_all`]. An account is asked for its password.
    pub(crate) async fn delete(
        &self,
        person: &PersonRow,
        password: Option<String>,
        from: IpAddr,
    ) -> Result<(), Fault> {
        if person.password.is_some() {
            self.ask_password(person, password, from).await?;
        }
        // First nobody can act for him any more, then his seats are left.
        self.end_sessions(&person.id, None, None).await?;
        self.tables().leave_all(&person.id).await?;
        self.store().erase_person(person.id.clone(), GONE.into()).await?;
        self.sessions().forget(&person.id);
        self.tables().forget_person(&person.id).await;
        Ok(())
    }
}
