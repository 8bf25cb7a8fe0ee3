//! Who asks: guests and accounts, and the sessions that tell them apart.
//!
//! A session is a secret word that a browser or a program holds; the store knows its hash. It ends when its owner
//! says so, when nobody has used it for a while, when it is old, and with the account; sockets that were opened
//! with it end with it.

use std::collections::HashMap;
use std::net::IpAddr;
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::{HeaderMap, header, request::Parts};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use tokio::sync::watch;

use crate::App;
use crate::fault::Fault;
use crate::ids::PersonId;
use crate::limits::{Bucket, From, Limits, household};
use crate::names;
use crate::passwords::hashed;
use crate::secret;
use crate::store::{PersonRow, SessionRow, StoreError};

/// The cookie that holds the session token.
const COOKIE: &str = "outremer";

/// How long a session is believed without asking the store: so soon does a session that was ended through
/// another server end here.
const BELIEVED: Duration = Duration::from_secs(30);
/// How often an open socket asks whether its session is still good.
const ASKED: Duration = Duration::from_secs(45);
/// How often the store is told that a session is used.
const NOTED: i64 = 3600;

/// From one address so many people may say as much as they like.
const HOUSEHOLD: f64 = 4.0;

/// Sessions that were asked for lately, so that the store is not asked for each request.
#[derive(Debug)]
pub(crate) struct Sessions {
    known: Mutex<HashMap<String, (PersonRow, SessionRow, Instant)>>,
    /// Changes when a session has ended here.
    ended: watch::Sender<u64>,
}

impl Default for Sessions {
    fn default() -> Self {
        Self { known: Mutex::default(), ended: watch::Sender::new(0) }
    }
}

impl Sessions {
    fn get(&self, hash: &str) -> Option<(PersonRow, SessionRow)> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (person, session, since) = known.get(hash)?;
        (since.elapsed() < BELIEVED).then(|| (person.clone(), session.clone()))
    }

    fn put(&self, person: PersonRow, session: SessionRow) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() > 20_000 {
            known.clear();
        }
        known.insert(session.hash.clone(), (person, session, Instant::now()));
    }

    /// What is known of a person is not believed any more; sockets look again.
    pub(crate) fn forget(&self, person: &PersonId) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, (p, _, _)| p.id != *person);
        self.ended.send_modify(|n| *n += 1);
    }
}

/// The value of a cookie. Of several with one name the first counts: so browsers send the one that was set for
/// this very site, before any that a neighbour has set.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let sent = headers.get_all(header::COOKIE).iter().filter_map(|v| v.to_str().ok());
    let mut cookies = sent.flat_map(Cookie::split_parse).flatten();
    cookies.find(|c| c.name() == name).and_then(|c| c.value_raw())
}

/// The token that a program sends in its own header.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").map(str::trim)
}

/// The token of a request: of the header, or else of the cookie.
fn token(headers: &HeaderMap) -> Option<&str> {
    bearer(headers).or_else(|| cookie(headers, COOKIE)).filter(|t| !t.is_empty() && t.len() <= 128)
}

/// The cookie of a session; of an empty token, one that takes it away.
pub(crate) fn session_cookie(limits: &Limits, token: String) -> CookieJar {
    // Browsers keep nothing for more than 400 days.
    let longest = limits.session_longest.min(Duration::from_secs(400 * 86_400));
    let age = if token.is_empty() { Duration::ZERO } else { longest };
    let cookie = Cookie::build((COOKIE, token))
        .path("/")
        .max_age(age.try_into().unwrap_or_default())
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(limits.secure);
    CookieJar::new().add(cookie)
}

/// What a browser calls itself, as far as it is kept.
pub(crate) fn agent(headers: &HeaderMap) -> String {
    let text = headers.get(header::USER_AGENT).and_then(|v| v.to_str().ok()).unwrap_or("");
    text.chars().filter(|c| !c.is_control()).take(120).collect()
}

/// A new session of a person, and its token.
fn fresh_session(person: &PersonId, agent: &str) -> (SessionRow, String) {
    let (token, now) = (secret::word::<40>(), secret::now());
    let session = SessionRow {
        hash: secret::hashed(&token),
        id: secret::word::<12>(),
        person: person.clone(),
        created: now,
        used: now,
        agent: agent.into(),
    };
    (session, token)
}

impl App {
    /// Whether a session is neither old nor forgotten.
    pub(crate) fn is_good(&self, session: &SessionRow) -> bool {
        let (now, limits) = (secret::now(), self.limits());
        now - session.created <= limits.session_longest.as_secs() as i64
            && now - session.used <= limits.session_idle.as_secs() as i64
    }

    /// The session of a token's hash, and whose it is.
    async fn session(&self, hash: String) -> Result<Option<(PersonRow, SessionRow)>, Fault> {
        let known = match self.sessions().get(&hash) {
            Some(known) => Some(known),
            None => self.store().session(hash.clone()).await?,
        };
        let Some((person, mut session)) = known.filter(|(_, session)| self.is_good(session)) else {
            return Ok(None);
        };
        let now = secret::now();
        if now - session.used > NOTED {
            self.store().use_session(hash, now).await?;
            session.used = now;
            self.sessions().put(person.clone(), session.clone());
        } else if self.sessions().get(&hash).is_none() {
            self.sessions().put(person.clone(), session.clone());
        }
        Ok(Some((person, session)))
    }

    /// Who sends this request.
    pub(crate) async fn who(&self, headers: &HeaderMap) -> Result<Option<(PersonRow, SessionRow)>, Fault> {
        let Some(token) = token(headers) else { return Ok(None) };
        self.session(secret::hashed(token)).await
    }

    /// Whether a request says by a token in its own header who sends it.
    pub(crate) async fn known_by_token(&self, headers: &HeaderMap) -> Result<bool, Fault> {
        let Some(token) = bearer(headers).filter(|t| !t.is_empty() && t.len() <= 128) else {
            return Ok(false);
        };
        Ok(self.session(secret::hashed(token)).await?.is_some())
    }

    /// Done when a session has ended; never for nobody's.
    pub(crate) async fn until_it_ends(&self, session: Option<String>) {
        let Some(hash) = session else { return std::future::pending().await };
        let mut ended = self.sessions().ended.subscribe();
        loop {
            // A store that does not answer ends nothing.
            if matches!(self.session(hash.clone()).await, Ok(None)) {
                return;
            }
            let _ = tokio::time::timeout(ASKED, ended.changed()).await;
        }
    }

    /// A new guest, and the token of its session.
    pub(crate) async fn new_guest(&self, name: &str, agent: &str) -> Result<(PersonRow, String), Fault> {
        let name = names::clean(name)?;
        // Many are called so who have not said otherwise.
        let nameless = names::shape(&name) == names::shape("Guest");
        if !nameless && self.store().name_taken(name.clone()).await? {
            let why = "somebody has an account with this name, or one that looks like it";
            return Err(Fault::Wrong(format!("{why}: log in, or choose another")));
        }
        let person = PersonRow { id: PersonId::fresh(), name, password: None };
        let (session, token) = fresh_session(&person.id, agent);
        self.store().add_person(person.clone(), session).await?;
        Ok((person, token))
    }

    /// Makes an account of a guest, so that seats can be kept across devices; or gives an account another name or
    /// password, for who knows the old one. A new password ends all sessions but the one that asks: it is often
    /// changed because somebody else knows the old one.
    pub(crate) async fn register(
        &self,
        person: PersonRow,
        name: &str,
        (password, old): (Option<String>, Option<String>),
        present: Option<String>,
        from: IpAddr,
    ) -> Result<(), Fault> {
        let name = names::clean(name)?;
        if person.password.is_some() {
            self.ask_password(&person, old, from).await?;
        }
        let anew = password.is_some() && person.password.is_some();
        let hash = match (password, &person.password) {
            (None, Some(stored)) => stored.clone(),
            (password, _) => hashed(password.unwrap_or_default()).await?,
        };
        if names::shape(&name) == names::shape("Guest") {
            return Err(Fault::Wrong("a guest is called so: choose another name".into()));
        }
        let row = PersonRow { id: person.id.clone(), name, password: Some(hash) };
        match self.store().make_account(row).await {
            Err(StoreError::Conflict(_)) => Err(Fault::Wrong(
                "somebody else has an account with this name, or one that looks like it: choose another"
                    .into(),
            )),
            other => {
                other?;
                if anew {
                    self.store().end_sessions(person.id.clone(), None, present).await?;
                }
                self.sessions().forget(&person.id);
                Ok(())
            }
        }
    }

    /// A new session for an account, if the password is right.
    pub(crate) async fn log_in(
        &self,
        name: &str,
        password: String,
        agent: &str,
        from: IpAddr,
    ) -> Result<(PersonRow, String), Fault> {
        let wrong = || Fault::NotYours("no account has this name and password".into());
        let name = names::clean(name).map_err(|_| wrong())?;
        let account = self.store().account(name.clone()).await?;
        let stored = account.as_ref().and_then(|a| a.password.clone());
        let right = self.right_password(&name, password, stored, from).await?;
        let account = account.filter(|a| right && a.password.is_some()).ok_or_else(wrong)?;
        let (session, token) = fresh_session(&account.id, agent);
        self.store().add_session(session).await?;
        Ok((account, token))
    }

    /// A person's voice, unless so much was said just now. Who says much under many names is one caller.
    pub(crate) fn voice(&self, person: PersonRow, from: IpAddr) -> Result<Voice, Fault> {
        let words = f64::from(self.limits().words.max(1));
        let may = |bucket: Bucket, times: f64| {
            self.buckets().take(bucket, times * words / 60.0, (times * words / 2.0).max(1.0))
        };
        if may(Bucket::Say(person.id.clone()), 1.0) && may(Bucket::Words(household(from)), HOUSEHOLD) {
            return Ok(Voice(person));
        }
        self.tables().metrics().limited.add(1);
        Err(Fault::TooMany)
    }

    /// A forgotten password is set anew through an account's address, so only its owner changes that.
    pub(crate) async fn may_change_mail(
        &self,
        person: &PersonRow,
        address: Option<&str>,
        password: Option<String>,
        from: IpAddr,
    ) -> Result<(), Fault> {
        let Some(address) = address.filter(|_| person.password.is_some()) else { return Ok(()) };
        let present = self.ways(&person.id).await?.mail.map_or_else(String::new, |m| m.address);
        if present == address.trim() {
            return Ok(());
        }
        self.ask_password(person, password, from).await
    }

    /// Ends the session of a request.
    pub(crate) async fn log_out(&self, headers: &HeaderMap) -> Result<(), Fault> {
        if let Some((person, session)) = self.who(headers).await? {
            self.store().end_sessions(person.id.clone(), Some(session.id), None).await?;
            self.sessions().forget(&person.id);
        }
        Ok(())
    }

    /// Ends a session of a person by its name, or all but the one that is in use.
    pub(crate) async fn end_sessions(
        &self,
        person: &PersonId,
        id: Option<String>,
        except: Option<String>,
    ) -> Result<(), Fault> {
        // A name that no session has ends none.
        if id.as_ref().is_some_and(|id| !id.chars().all(|c| c.is_ascii_alphanumeric())) {
            return Ok(());
        }
        self.store().end_sessions(person.clone(), id, except).await?;
        self.sessions().forget(person);
        Ok(())
    }

    /// Forgets sessions that have ended by themselves.
    pub(crate) async fn sweep_sessions(&self) {
        let (now, limits) = (secret::now(), self.limits());
        let created = now - limits.session_longest.as_secs() as i64;
        let used = now - limits.session_idle.as_secs() as i64;
        if let Err(error) = self.store().sweep_sessions(created, used, now).await {
            tracing::warn!(%error, "old sessions could not be forgotten");
        }
    }
}

/// Somebody who has said who he is.
#[derive(Debug)]
pub(crate) struct Known(pub(crate) PersonRow);

impl FromRequestParts<App> for Known {
    type Rejection = Fault;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Fault> {
        app.who(&parts.headers).await?.map(|(person, _)| Self(person)).ok_or(Fault::Unknown)
    }
}

impl OptionalFromRequestParts<App> for Known {
    type Rejection = Fault;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Fault> {
        Ok(app.who(&parts.headers).await?.map(|(person, _)| Self(person)))
    }
}

/// Somebody whom a whole table may hear just now. Words and events need one, and [`App::voice`] alone gives it:
/// so no door leads past the limit on them.
#[derive(Debug)]
pub(crate) struct Voice(PersonRow);

impl Deref for Voice {
    type Target = PersonRow;
    fn deref(&self) -> &PersonRow {
        &self.0
    }
}

/// The session of a request: the hash of its token, if it is anybody's.
#[derive(Debug)]
pub(crate) struct InSession(pub(crate) Option<String>);

impl FromRequestParts<App> for InSession {
    type Rejection = Fault;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Fault> {
        Ok(Self(app.who(&parts.headers).await?.map(|(_, session)| session.hash)))
    }
}

/// From where a request comes, and with what browser.
#[derive(Debug)]
pub(crate) struct Caller {
    pub(crate) address: IpAddr,
    pub(crate) agent: String,
}

impl FromRequestParts<App> for Caller {
    type Rejection = Fault;
    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Fault> {
        let address = parts.extensions.get::<From>().map(|f| f.0);
        let address = address.ok_or_else(|| Fault::Server("a request came past the door".into()))?;
        Ok(Self { address, agent: agent(&parts.headers) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_cookie_of_a_name_counts() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, "theme=dark; outremer=own;outremer=neighbour".parse().unwrap());
        headers.append(header::COOKIE, "=; x; outremer=third; later=yes".parse().unwrap());
        assert_eq!((token(&headers), cookie(&headers, "theme")), (Some("own"), Some("dark")));
        assert_eq!((cookie(&headers, "later"), cookie(&headers, "x")), (Some("yes"), None));
        headers.insert(header::AUTHORIZATION, "Bearer other".parse().unwrap());
        assert_eq!(token(&headers), Some("other"), "a program says who it is");
    }
}
