//! People as they are kept: guests and accounts, their sessions, forgotten passwords, and how each wants to be
//! told.

use super::Answer;
use crate::ids::PersonId;

/// Somebody who plays: a guest, or with a password an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonRow {
    /// A random id.
    pub id: PersonId,
    /// The name that others see.
    pub name: String,
    /// The argon2id hash of the password; `None` for a guest.
    pub password: Option<String>,
}

/// A session: that a browser or a program is this person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// The hash of its token.
    pub hash: String,
    /// A name for it that is no secret, so that its owner can end it.
    pub id: String,
    /// Whose it is.
    pub person: PersonId,
    /// When it began, in seconds since 1970.
    pub created: i64,
    /// When it was last used, to the hour.
    pub used: i64,
    /// What the browser calls itself.
    pub agent: String,
}

/// Where people are kept.
pub trait KeepsPeople: Send + Sync + 'static {
    /// Adds a person with a first session.
    fn add_person(&self, person: PersonRow, session: SessionRow) -> Answer<()>;
    /// Gives a person a name and a password. An account's name is nobody else's, nor one that looks like it.
    fn make_account(&self, person: PersonRow) -> Answer<()>;
    /// The account with this name.
    fn account(&self, name: String) -> Answer<Option<PersonRow>>;
    /// Whether an account has this name, or one that looks like it.
    fn name_taken(&self, name: String) -> Answer<bool>;
    /// Adds a session.
    fn add_session(&self, session: SessionRow) -> Answer<()>;
    /// The session of a token's hash, and whose it is.
    fn session(&self, hash: String) -> Answer<Option<(PersonRow, SessionRow)>>;
    /// A session is used.
    fn use_session(&self, hash: String, now: i64) -> Answer<()>;
    /// All sessions of a person, those used last first.
    fn sessions(&self, person: PersonId) -> Answer<Vec<SessionRow>>;
    /// Ends a session of this person, by its name; all but the one with this hash, if no name is given.
    fn end_sessions(&self, person: PersonId, id: Option<String>, except: Option<String>) -> Answer<()>;
    /// Forgets sessions that began or were used too long ago, and resets whose time is over.
    fn sweep_sessions(&self, created_before: i64, used_before: i64, now: i64) -> Answer<()>;
    /// Keeps that a password may be set anew, by the hash of a token, until then.
    fn add_reset(&self, person: PersonId, hash: String, until: i64) -> Answer<()>;
    /// Sets a password anew and ends all sessions of its owner, if the token is good; it is not any more then.
    /// Who it was.
    fn use_reset(&self, hash: String, now: i64, password: String) -> Answer<Option<PersonId>>;
    /// Forgets a person: his name, sessions, notes, and how he is told. What he said stays, under another name.
    fn erase_person(&self, person: PersonId, instead: String) -> Answer<()>;
    /// In which ways a person wants to be told, as JSON; `None` if never said.
    fn ways(&self, person: PersonId) -> Answer<Option<String>>;
    /// Changes them.
    fn set_ways(&self, person: PersonId, text: String) -> Answer<()>;
}
