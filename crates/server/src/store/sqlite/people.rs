//! People in the embedded store.

use rusqlite::{Connection, Row, params};

use super::{Sqlite, execute, one, rows};
use crate::ids::PersonId;
use crate::names;
use crate::store::{Answer, KeepsPeople, PersonRow, SessionRow, StoreError};

fn person_row(row: &Row<'_>) -> rusqlite::Result<PersonRow> {
    Ok(PersonRow { id: row.get("id")?, name: row.get("name")?, password: row.get("password")? })
}

fn put_session(connection: &Connection, session: &SessionRow) -> Result<(), StoreError> {
    let sql = "INSERT INTO sessions (hash, id, person, created, used, agent) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let SessionRow { hash, id, person, created, used, agent } = session;
    execute(connection, sql, params![hash, id, person, created, used, agent]).map(drop)
}

fn session_row(row: &Row<'_>) -> rusqlite::Result<SessionRow> {
    Ok(SessionRow {
        hash: row.get("hash")?,
        id: row.get("session")?,
        person: row.get("person")?,
        created: row.get("created")?,
        used: row.get("used")?,
        agent: row.get("agent")?,
    })
}

impl KeepsPeople for Sqlite {
    fn add_person(&self, person: PersonRow, session: SessionRow) -> Answer<()> {
        self.write(move |c| {
            execute(
                c,
                "INSERT INTO people (id, name, password) VALUES (?1, ?2, ?3)",
                params![person.id, person.name, person.password],
            )?;
            put_session(c, &session)
        })
    }

    fn make_account(&self, person: PersonRow) -> Answer<()> {
        self.write(move |c| {
            let sql = "UPDATE people SET name = ?2, password = ?3, account = ?4, shape = ?5 WHERE id = ?1";
            let (account, shape) = (person.name.to_lowercase(), names::shape(&person.name));
            execute(c, sql, params![person.id, person.name, person.password, account, shape])?;
            execute(c, "UPDATE chat SET name = ?2 WHERE person = ?1", params![person.id, person.name])?;
            execute(c, "UPDATE seats SET name = ?2 WHERE person = ?1", params![person.id, person.name])
                .map(drop)
        })
    }

    fn account(&self, name: String) -> Answer<Option<PersonRow>> {
        self.read(move |c| {
            let sql = "SELECT id, name, password FROM people WHERE account = ?1";
            one(c, sql, [name.to_lowercase()], person_row)
        })
    }

    fn name_taken(&self, name: String) -> Answer<bool> {
        self.read(move |c| {
            let sql = "SELECT 1 FROM people WHERE account = ?1 OR shape = ?2";
            Ok(one(c, sql, params![name.to_lowercase(), names::shape(&name)], |_| Ok(()))?.is_some())
        })
    }

    fn add_session(&self, session: SessionRow) -> Answer<()> {
        self.write(move |c| put_session(c, &session))
    }

    fn session(&self, hash: String) -> Answer<Option<(PersonRow, SessionRow)>> {
        self.read(move |c| {
            let sql = "SELECT p.id, p.name, p.password, s.hash, s.id AS session, s.person, s.created, s.used, s.agent \
                       FROM sessions s JOIN people p ON p.id = s.person WHERE s.hash = ?1";
            one(c, sql, [hash], |row| Ok((person_row(row)?, session_row(row)?)))
        })
    }

    fn use_session(&self, hash: String, now: i64) -> Answer<()> {
        self.write(move |c| {
            execute(c, "UPDATE sessions SET used = ?2 WHERE hash = ?1", params![hash, now]).map(drop)
        })
    }

    fn sessions(&self, person: PersonId) -> Answer<Vec<SessionRow>> {
        self.read(move |c| {
            let sql = "SELECT hash, id AS session, person, created, used, agent FROM sessions WHERE person = ?1 \
                       ORDER BY used DESC, created DESC, id";
            rows(c, sql, [person], session_row)
        })
    }

    fn end_sessions(&self, person: PersonId, id: Option<String>, except: Option<String>) -> Answer<()> {
        self.write(move |c| {
            let sql = "DELETE FROM sessions WHERE person = ?1 AND coalesce(id = ?2, TRUE) \
                       AND coalesce(hash <> ?3, TRUE)";
            execute(c, sql, params![person, id, except]).map(drop)
        })
    }

    fn sweep_sessions(&self, created_before: i64, used_before: i64, now: i64) -> Answer<()> {
        self.write(move |c| {
            let sql = "DELETE FROM sessions WHERE created < ?1 OR used < ?2";
            execute(c, sql, params![created_before, used_before])?;
            execute(c, "DELETE FROM resets WHERE until < ?1", [now]).map(drop)
        })
    }

    fn add_reset(&self, person: PersonId, hash: String, until: i64) -> Answer<()> {
        self.write(move |c| {
            let sql = "INSERT INTO resets (hash, person, until) VALUES (?1, ?2, ?3)";
            execute(c, sql, params![hash, person, until]).map(drop)
        })
    }

    fn use_reset(&self, hash: String, now: i64, password: String) -> Answer<Option<PersonId>> {
        self.write(move |c| {
            let sql = "SELECT person FROM resets WHERE hash = ?1 AND until >= ?2";
            let Some(person) = one(c, sql, params![hash, now], |r| r.get::<_, PersonId>(0))? else {
                return Ok(None);
            };
            // All letters that were sent are spent with the first that is used.
            execute(c, "DELETE FROM resets WHERE person = ?1", [&person])?;
            execute(c, "DELETE FROM sessions WHERE person = ?1", [&person])?;
            let sql = "UPDATE people SET password = ?2 WHERE id = ?1 AND account IS NOT NULL";
            execute(c, sql, params![person, password])?;
            Ok(Some(person))
        })
    }

    fn erase_person(&self, person: PersonId, instead: String) -> Answer<()> {
        self.write(move |c| {
            for sql in [
                "UPDATE seats SET name = ?2, person = NULL, link = NULL WHERE person = ?1",
                "UPDATE chat SET name = ?2, person = NULL WHERE person = ?1",
            ] {
                execute(c, sql, params![person, instead])?;
            }
            for sql in [
                "DELETE FROM notes WHERE person = ?1",
                "DELETE FROM seen WHERE person = ?1",
                "UPDATE tables SET host = NULL WHERE host = ?1",
                "DELETE FROM sessions WHERE person = ?1",
                "DELETE FROM resets WHERE person = ?1",
                "DELETE FROM ways WHERE person = ?1",
                "DELETE FROM people WHERE id = ?1",
            ] {
                execute(c, sql, [&person])?;
            }
            Ok(())
        })
    }

    fn ways(&self, person: PersonId) -> Answer<Option<String>> {
        self.read(move |c| one(c, "SELECT text FROM ways WHERE person = ?1", [person], |r| r.get(0)))
    }

    fn set_ways(&self, person: PersonId, text: String) -> Answer<()> {
        self.write(move |c| {
            let sql = "INSERT OR REPLACE INTO ways (person, text) VALUES (?1, ?2)";
            execute(c, sql, params![person, text]).map(drop)
        })
    }
}
