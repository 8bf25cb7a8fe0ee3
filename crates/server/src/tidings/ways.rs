//! The ways in which a player wants to be told, and how a message goes each of them.

use serde::{Deserialize, Serialize};

use super::message::Message;
use super::push::{Keys, Subscription};
use super::{Post, call};
use crate::App;
use crate::fault::Fault;
use crate::ids::PersonId;
use crate::secret;

/// How one player wants to be told, as it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Ways {
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

impl App {
    /// How a player wants to be told.
    pub(crate) async fn ways(&self, person: &PersonId) -> Result<Ways, Fault> {
        let text = self.store().ways(person.clone()).await?;
        Ok(text.and_then(|t| serde_json::from_str(&t).ok()).unwrap_or_default())
    }

    async fn set_ways(&self, person: &PersonId, ways: &Ways) -> Result<(), Fault> {
        let text = serde_json::to_string(ways).map_err(|e| Fault::Server(e.to_string()))?;
        Ok(self.store().set_ways(person.clone(), text).await?)
    }

    /// The keys by which push services know this server.
    pub(crate) async fn push_keys(&self) -> Result<Keys, Fault> {
        let kept = self.store().keepsake("push key".into(), Keys::fresh()).await?;
        Keys::read(&kept).map_err(Fault::Server)
    }

    /// Sends a message in every way that a player asked for. What cannot be sent is noted, without the
    /// address; a browser that is gone for good is forgotten.
    pub(super) async fn send(&self, person: &PersonId, ways: Ways, message: &Message) {
        let settings = self.tidings();
        let sent = |way: &'static str, result: Result<(), String>| match result {
            Ok(()) => self.tables().metrics().told.add(1),
            Err(why) => tracing::warn!(way, why, "a player could not be told"),
        };
        if let Some(address) = &ways.webhook {
            sent("webhook", webhook(address, message, settings.private).await);
        }
        if let (Some(mailbox), Some(post)) = (ways.mail.as_ref().filter(|m| m.confirmed), self.post()) {
            let text = format!("{}\nYou asked for this at {}/you\n", message.text(), settings.link);
            sent("mail", post.send(&mailbox.address, &message.title, text).await);
        }
        let mut gone = Vec::new();
        if !ways.push.is_empty() {
            match self.push_keys().await {
                Ok(keys) => {
                    for browser in &ways.push {
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
            && let Ok(mut now) = self.ways(person).await
        {
            now.push.retain(|b| !gone.contains(&b.endpoint));
            if let Err(fault) = self.set_ways(person, &now).await {
                tracing::warn!(%fault, "a browser that is gone could not be forgotten");
            }
        }
    }

    /// Sets a player's webhook and e-mail address; an empty text takes one away, `None` leaves it.
    pub(crate) async fn tell_by(
        &self,
        person: &PersonId,
        webhook: Option<&str>,
        address: Option<&str>,
    ) -> Result<(), Fault> {
        let mut ways = self.ways(person).await?;
        if let Some(webhook) = webhook.map(str::trim) {
            ways.webhook = match webhook {
                "" => None,
                text => Some(call::checked(text, self.tidings().private).map_err(Fault::Wrong)?.to_string()),
            };
        }
        let address = address.map(str::trim).filter(|a| ways.mail.as_ref().is_none_or(|m| m.address != *a));
        let mut confirm = None;
        if let Some(address) = address {
            if address.is_empty() {
                ways.mail = None;
            } else {
                let post = self.post().ok_or_else(|| {
                    Fault::Stage("this server sends no e-mail: its owner has not set it up".into())
                })?;
                Post::checked(address).map_err(Fault::Wrong)?;
                if !post.stamp(address) {
                    return Err(Fault::TooMany);
                }
                let token = secret::word::<32>();
                ways.mail = Some(Mailbox {
                    address: address.into(),
                    confirmed: false,
                    secret: secret::hashed(&token),
                });
                confirm = Some((post, token));
            }
        }
        if let (Some((post, token)), Some(mailbox)) = (confirm, &ways.mail) {
            let link = format!("{}/you/mail/{person}/{token}", self.tidings().link.trim_end_matches('/'));
            let text = format!(
                "Somebody, probably you, wants to hear at this address when it is his turn at a table of \
                 Outremer. If it was you, follow this link; if not, do nothing and nothing more will come.\n\n\
                 {link}\n"
            );
            let sent = post.send(&mailbox.address, "Is this your address?", text).await;
            sent.map_err(|why| Fault::Wrong(format!("the mail could not be sent: {why}")))?;
        }
        self.set_ways(person, &ways).await
    }

    /// The owner of an e-mail address confirms it with the secret that was sent there.
    pub(crate) async fn confirm_mail(&self, person: &PersonId, token: &str) -> Result<(), Fault> {
        let mut ways = self.ways(person).await?;
        let Some(mailbox) = ways.mail.as_mut().filter(|m| secret::fits(token, &m.secret)) else {
            return Err(Fault::NotYours("this link confirms nothing any more".into()));
        };
        mailbox.confirmed = true;
        self.set_ways(person, &ways).await
    }

    /// A browser wants to be told, or no longer.
    pub(crate) async fn tell_browser(
        &self,
        person: &PersonId,
        browser: Subscription,
        on: bool,
    ) -> Result<(), Fault> {
        let mut ways = self.ways(person).await?;
        ways.push.retain(|b| b.endpoint != browser.endpoint);
        if on {
            browser.check(self.tidings().private).map_err(Fault::Wrong)?;
            if ways.push.len() >= MOST_BROWSERS {
                ways.push.remove(0);
            }
            ways.push.push(browser);
        }
        self.set_ways(person, &ways).await
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
