//! Who asks: guests and accounts, and the sessions that tell them apart.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use argon2::{Argon2, PasswordHasher, PasswordVerifier, password_hash::phc::PasswordHash};
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::{HeaderMap, header, request::Parts};

use crate::App;
use crate::fault::Fault;
use crate::secret;
use crate::store::{PersonRow, StoreError};

/// The cookie that holds the session token.
pub(crate) const COOKIE: &str = "outremer";

/// How long a session is believed without asking the store: so soon does a session that was ended through
/// another server end here.
const BELIEVED: Duration = Duration::from_secs(30);

/// Sessions that were asked for lately, so that the store is not asked for each request.
#[derive(Debug, Default)]
pub(crate) struct Sessions(Mutex<HashMap<String, (PersonRow, Instant)>>);

impl Sessions {
    fn get(&self, session: &str) -> Option<PersonRow> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(session).filter(|(_, since)| since.elapsed() < BELIEVED).map(|(person, _)| person.clone())
    }

    fn put(&self, session: String, person: PersonRow) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() > 20_000 {
            known.clear();
        }
        known.insert(session, (person, Instant::now()));
    }

    fn forget(&self, person: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, (p, _)| p.id != person);
    }
}

/// A value of a cookie.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|v| v.to_str().ok());
    cookies.flat_map(|v| v.split(';')).find_map(|pair| {
        let (key, value) = pair.trim().split_once('=')?;
        (key == name).then_some(value)
    })
}

fn token(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|v| v.to_str().ok());
    bearer.and_then(|v| v.strip_prefix("Bearer ")).or_else(|| cookie(headers, COOKIE))
}

/// The name that others see: one line, neither empty nor long.
pub(crate) fn clean_name(name: &str) -> Result<String, Fault> {
    let name: String = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name: String = name.chars().filter(|c| !c.is_control()).take(32).collect();
    if name.is_empty() { Err(Fault::Wrong("a name has 1 to 32 letters".into())) } else { Ok(name) }
}

impl App {
    /// Who sends this request.
    pub(crate) async fn who(&self, headers: &HeaderMap) -> Result<Option<PersonRow>, Fault> {
        let Some(token) = token(headers).filter(|t| t.len() <= 128) else { return Ok(None) };
        let session = secret::hashed(token);
        if let Some(person) = self.sessions().get(&session) {
            return Ok(Some(person));
        }
        let person = self.store().person(session.clone()).await?;
        if let Some(person) = &person {
            self.sessions().put(session, person.clone());
        }
        Ok(person)
    }

    /// A new guest, and the token of its session.
    pub(crate) async fn new_guest(&self, name: &str) -> Result<(PersonRow, String), Fault> {
        let person = PersonRow { id: secret::word::<16>(), name: clean_name(name)?, password: None };
        let token = secret::word::<40>();
        self.store().add_person(person.clone(), secret::hashed(&token)).await?;
        Ok((person, token))
    }

    /// Makes an account of a guest, so that seats can be kept across devices.
    pub(crate) async fn register(
        &self,
        person: PersonRow,
        name: &str,
        password: String,
    ) -> Result<(), Fault> {
        let length = password.chars().count();
        if !(8..=200).contains(&length) {
            return Err(Fault::Wrong("a password has 8 to 200 letters".into()));
        }
        let hash = tokio::task::spawn_blocking(move || {
            Argon2::default().hash_password(password.as_bytes()).map(|h| h.to_string())
        });
        let hash = hash.await.map_err(|e| Fault::Server(e.to_string()))?;
        let hash = hash.map_err(|e| Fault::Server(e.to_string()))?;
        let row = PersonRow { id: person.id.clone(), name: clean_name(name)?, password: Some(hash) };
        match self.store().make_account(row).await {
            Err(StoreError::Conflict(_)) => {
                Err(Fault::Wrong("somebody else has an account with this name: choose another".into()))
            }
            other => {
                self.sessions().forget(&person.id);
                Ok(other?)
            }
        }
    }

    /// A new session for an account, if the password is right.
    pub(crate) async fn log_in(&self, name: &str, password: String) -> Result<String, Fault> {
        let account = self.store().account(clean_name(name)?).await?;
        let stored = account.as_ref().and_then(|a| a.password.clone());
        // Somebody who does not exist takes as long as somebody who does.
        let dummy = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        let hash = stored.unwrap_or_else(|| dummy.into());
        let right = tokio::task::spawn_blocking(move || {
            PasswordHash::new(&hash)
                .is_ok_and(|h| Argon2::default().verify_password(password.as_bytes(), &h).is_ok())
        });
        let right = right.await.map_err(|e| Fault::Server(e.to_string()))?;
        let Some(account) = account.filter(|_| right) else {
            return Err(Fault::NotYours("no account has this name and password".into()));
        };
        let token = secret::word::<40>();
        self.store().add_session(account.id, secret::hashed(&token)).await?;
        Ok(token)
    }

    /// Ends the session of a request.
    pub(crate) async fn log_out(&self, headers: &HeaderMap) -> Result<(), Fault> {
        if let (Some(token), Some(person)) = (token(headers), self.who(headers).await?) {
            self.store().end_session(secret::hashed(token)).await?;
            self.sessions().forget(&person.id);
        }
        Ok(())
    }
}

/// Somebody who has said who he is.
#[derive(Debug)]
pub(crate) struct Known(pub(crate) PersonRow);

impl FromRequestParts<App> for Known {
    type Rejection = Fault;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Fault> {
        app.who(&parts.headers).await?.map(Self).ok_or(Fault::Unknown)
    }
}

impl OptionalFromRequestParts<App> for Known {
    type Rejection = Fault;
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Fault> {
        Ok(app.who(&parts.headers).await?.map(Self))
    }
}
