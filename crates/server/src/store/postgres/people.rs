//! People in the shared store.

use tokio_postgres::Row;

use super::{Postgres, client, execute, failed, get, limited, part, rows};
use crate::ids::PersonId;
use crate::names;
use crate::store::{Answer, KeepsPeople, PersonRow, SessionRow, StoreError};

const PUT_SESSION: &str =
    "INSERT INTO sessions (hash, id, person, created, used, agent) VALUES ($1, $2, $3, $4, $5, $6)";

fn person_row(row: &Row) -> Result<PersonRow, StoreError> {
    Ok(PersonRow { id: get(row, "id")?, name: get(row, "name")?, password: get(row, "password")? })
}

fn session_row(row: &Row) -> Result<SessionRow, StoreError> {
    Ok(SessionRow {
        hash: get(row, "hash")?,
        id: get(row, "session")?,
        person: get(row, "person")?,
        created: get(row, "created")?,
        used: get(row, "used")?,
        agent: get(row, "agent")?,
    })
}

impl KeepsPeople for Postgres {
    fn add_person(&self, person: PersonRow, session: SessionRow) -> Answer<()> {
        let pool = self.pool.clone();
        limited(async move {
            let mut client = client(&pool).await?;
            let work = client.transaction().await.map_err(failed)?;
            let sql = "INSERT INTO people (id, name, password) VALUES ($1, $2, $3)";
            part(&work, sql, &[&person.id, &person.name, &person.password]).await?;
            let SessionRow { hash, id, person, created, used, agent } = &session;
            part(&work, PUT_SESSION, &[hash, id, person, created, used, agent]).await?;
            work.commit().await.map_err(failed)
        })
    }

    fn make_account(&self, person: PersonRow) -> Answer<()> {
        let pool = self.pool.clone();
        limited(async move {
            let mut client = client(&pool).await?;
            let work = client.transaction().await.map_err(failed)?;
            let (account, shape) = (person.name.to_lowercase(), names::shape(&person.name));
            let sql = "UPDATE people SET name = $2, password = $3, account = $4, shape = $5 WHERE id = $1";
            part(&work, sql, &[&person.id, &person.name, &person.password, &account, &shape]).await?;
            part(&work, "UPDATE chat SET name = $2 WHERE person = $1", &[&person.id, &person.name]).await?;
            part(&work, "UPDATE seats SET name = $2 WHERE person = $1", &[&person.id, &person.name]).await?;
            work.commit().await.map_err(failed)
        })
    }

    fn account(&self, name: String) -> Answer<Option<PersonRow>> {
        let pool = self.pool.clone();
        limited(async move {
            let sql = "SELECT id, name, password FROM people WHERE account = $1";
            rows(&pool, sql, &[&name.to_lowercase()]).await?.first().map(person_row).transpose()
        })
    }

    fn name_taken(&self, name: String) -> Answer<bool> {
        let pool = self.pool.clone();
        limited(async move {
            let sql = "SELECT 1 FROM people WHERE account = $1 OR shape = $2";
            Ok(!rows(&pool, sql, &[&name.to_lowercase(), &names::shape(&name)]).await?.is_empty())
        })
    }

    fn add_session(&self, session: SessionRow) -> Answer<()> {
        let pool = self.pool.clone();
        limited(async move {
            let SessionRow { hash, id, person, created, used, agent } = &session;
            execute(&pool, PUT_SESSION, &[hash, id, person, created, used, agent]).await.map(drop)
        })
    }

    fn session(&self, hash: String) -> Answer<Option<(PersonRow, SessionRow)>> {
        let pool = self.pool.clone();
        limited(async move {
            let sql = "SELECT p.id, p.name, p.password, s.hash, s.id AS session, s.person, s.created, s.used, s.agent \
                       FROM sessions s JOIN people p ON p.id = s.person WHERE s.hash = $1";
            let found = rows(&pool, sql, &[&hash]).await?;
            found.first().map(|row| Ok((person_row(row)?, session_row(row)?))).transpose()
        })
    }

    fn use_session(&self, hash: String, now: i64) -> Answer<()> {
        let pool = self.pool.clone();
        limited(async move {
            execute(&pool, "UPDATE sessions SET used = $2 WHERE hash = $1", &[&hash, &now]).await.map(drop)
        })
    }

    fn sessions(&self, person: PersonId) -> Answer<Vec<SessionRow>> {
        let pool = self.pool.clone();
        limited(async move {
            let sql = "SELECT hash, id AS session, person, created, used, agent FROM sessions WHERE person = $1 \
                       ORDER BY used DESC, created DESC, id";
            rows(&pool, sql, &[&person]).await?.iter().map(session_row).collect()
        })
    }

    fn end_sessions(&self, person: PersonId, id: Option<String>, except: Option<String>) -> Answer<()> {
        let pool = self.pool.clone();
        limited(async move {
            let sql = "DELETE FROM sessions WHERE person = $1 AND ($2::text IS NULL OR id = $2) \
                       AND ($3::text IS NULL OR hash <> $3)";
            execute(&pool, sql, &[&person, &id, &except]).await.map(drop)
        })
    }

    fn sweep_sessions(&self, created_before: i64, used_before: i64, now: i64) -> Answer<()> {
        let pool = self.pool.clone();
        limited(async move {
            let sql = "DELETE FROM sessions WHERE created < $1 OR used < $2";
            execute(&pool, sql, &[&created_before, &used_before]).await?;
            execute(&pool, "DELETE FROM resets WHERE until < $1", &[&now]).await.map(drop)
        })
    }

    fn add_reset(&self, person: PersonId, hash: String, until: i64) -> Answer<()> {
        let pool = self.pool.clone();
        limited(async move {
            let sql = "INSERT INTO resets (hash, person, until) VALUES ($1, $2, $3)";
            execute(&pool, sql, &[&hash, &person, &until]).await.map(drop)
        })
    }

    fn use_reset(&self, hash: String, now: i64, password: String) -> Answer<Option<PersonId>> {
        let pool = self.pool.clone();
        limited(async move {
            let mut client = client(&pool).await?;
            let work = client.transaction().await.map_err(failed)?;
            // Of two who come with the same token at once, one finds nothing.
            let sql = "DELETE FROM resets WHERE hash = $1 AND until >= $2 RETURNING person";
            let found = work.query(sql, &[&hash, &now]).await.map_err(failed)?;
            let Some(row) = found.first() else { return Ok(None) };
            let person: PersonId = get(row, "person")?;
            // All letters that were sent are spent with the first that is used.
            part(&work, "DELETE FROM resets WHERE person = $1", &[&person]).await?;
            part(&work, "DELETE FROM sessions WHERE person = $1", &[&person]).await?;
            let sql = "UPDATE people SET password = $2 WHERE id = $1 AND account IS NOT NULL";
            part(&work, sql, &[&person, &password]).await?;
            work.commit().await.map_err(failed)?;
            Ok(Some(person))
        })
    }

    fn erase_person(&self, person: PersonId, instead: String) -> Answer<()> {
        let pool = self.pool.clone();
        limited(async move {
            let mut client = client(&pool).await?;
            let work = client.transaction().await.map_err(failed)?;
            for sql in [
                "UPDATE seats SET name = $2, person = NULL, link = NULL WHERE person = $1",
                "UPDATE chat SET name = $2, person = NULL WHERE person = $1",
            ] {
                part(&work, sql, &[&person, &instead]).await?;
            }
            for sql in [
                "DELETE FROM notes WHERE person = $1",
                "DELETE FROM seen WHERE person = $1",
                "UPDATE tables SET host = NULL WHERE host = $1",
                "DELETE FROM sessions WHERE person = $1",
                "DELETE FROM resets WHERE person = $1",
                "DELETE FROM ways WHERE person = $1",
                "DELETE FROM people WHERE id = $1",
            ] {
                part(&work, sql, &[&person]).await?;
            }
            work.commit().await.map_err(failed)
        })
    }

    fn ways(&self, person: PersonId) -> Answer<Option<String>> {
        let pool = self.pool.clone();
        limited(async move {
            let found = rows(&pool, "SELECT text FROM ways WHERE person = $1", &[&person]).await?;
            found.first().map(|r| get(r, "text")).transpose()
        })
    }

    fn set_ways(&self, person: PersonId, text: String) -> Answer<()> {
        let pool = self.pool.clone();
        limited(async move {
            let sql = "INSERT INTO ways (person, text) VALUES ($1, $2) \
                       ON CONFLICT (person) DO UPDATE SET text = excluded.text";
            execute(&pool, sql, &[&person, &text]).await.map(drop)
        })
    }
}
