//! How the tables of the shared store came to be, step by step.

use deadpool_postgres::Pool;

use super::{client, failed, get};
use crate::names;
use crate::store::StoreError;

/// The steps, in order; one that was ever released is not changed any more.
const SCHEMA: &[&str] = &[
    "
    CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL, password TEXT, account TEXT UNIQUE);
    CREATE TABLE sessions (hash TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people(id));
    CREATE TABLE tables (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, scenario TEXT NOT NULL, seats SMALLINT NOT NULL,
        options TEXT NOT NULL, seed TEXT NOT NULL, head TEXT, stage TEXT NOT NULL, host TEXT NOT NULL,
        listed BOOLEAN NOT NULL, created BIGINT NOT NULL, touched BIGINT NOT NULL,
        waiting SMALLINT NOT NULL, headline TEXT NOT NULL, version BIGINT NOT NULL,
        pace TEXT NOT NULL, clocks TEXT, asked TEXT NOT NULL, numbers TEXT NOT NULL
    );
    CREATE INDEX tables_by_stage ON tables (stage, touched);
    CREATE TABLE seats (
        tab TEXT NOT NULL REFERENCES tables(id), seat SMALLINT NOT NULL, kind TEXT NOT NULL, person TEXT,
        name TEXT NOT NULL, link TEXT, nonce TEXT, stand_in TEXT, PRIMARY KEY (tab, seat)
    );
    CREATE INDEX seats_by_person ON seats (person) WHERE person IS NOT NULL;
    CREATE TABLE entries (
        tab TEXT NOT NULL REFERENCES tables(id), number INTEGER NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (tab, number)
    );
    CREATE TABLE events (
        tab TEXT NOT NULL REFERENCES tables(id), number INTEGER NOT NULL, at BIGINT NOT NULL,
        what TEXT NOT NULL, PRIMARY KEY (tab, number)
    );
    CREATE TABLE drafts (
        tab TEXT NOT NULL REFERENCES tables(id), seat SMALLINT NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (tab, seat)
    );
    CREATE TABLE done (
        tab TEXT NOT NULL REFERENCES tables(id), seat SMALLINT NOT NULL, key TEXT NOT NULL,
        PRIMARY KEY (tab, seat, key)
    );
    CREATE TABLE chat (
        number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tab TEXT NOT NULL REFERENCES tables(id),
        at BIGINT NOT NULL, name TEXT NOT NULL, seat SMALLINT, readers SMALLINT NOT NULL, text TEXT NOT NULL
    );
    CREATE INDEX chat_by_table ON chat (tab, number);
    CREATE TABLE notes (
        tab TEXT NOT NULL REFERENCES tables(id), person TEXT NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (tab, person)
    );
    CREATE TABLE wishes (person TEXT PRIMARY KEY REFERENCES people(id), text TEXT NOT NULL);
    CREATE TABLE house (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE leases (
        tab TEXT PRIMARY KEY REFERENCES tables(id), server TEXT NOT NULL, until TIMESTAMPTZ NOT NULL
    );
",
    "ALTER TABLE tables ADD COLUMN chosen TEXT NOT NULL DEFAULT '';",
    // Links that somebody has sat down with are spent.
    "
    ALTER TABLE people ADD COLUMN shape TEXT UNIQUE;
    ALTER TABLE sessions ADD COLUMN id TEXT NOT NULL DEFAULT '';
    ALTER TABLE sessions ADD COLUMN created BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN used BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN agent TEXT NOT NULL DEFAULT '';
    UPDATE sessions SET id = substr(md5(random()::text || hash), 1, 16),
        created = extract(epoch FROM now())::bigint, used = extract(epoch FROM now())::bigint;
    CREATE INDEX sessions_by_person ON sessions (person);
    CREATE TABLE resets (
        hash TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people(id), until BIGINT NOT NULL
    );
    ALTER TABLE tables ADD COLUMN absence INTEGER NOT NULL DEFAULT 86400;
    CREATE INDEX tables_by_host ON tables (host);
    ALTER TABLE seats ADD COLUMN bot_since INTEGER;
    ALTER TABLE seats ADD COLUMN called_at BIGINT;
    UPDATE seats SET link = NULL WHERE kind = 'person';
    ALTER TABLE chat ADD COLUMN person TEXT;
    UPDATE chat SET person = (SELECT s.person FROM seats s WHERE s.tab = chat.tab AND s.seat = chat.seat)
        WHERE seat IS NOT NULL;
    CREATE INDEX chat_by_person ON chat (person) WHERE person IS NOT NULL;
",
    // One thing in each column: what was packed into words is taken apart.
    "
    ALTER TABLE tables ADD COLUMN hints BOOLEAN NOT NULL DEFAULT FALSE;
    ALTER TABLE tables ADD COLUMN analysis BOOLEAN NOT NULL DEFAULT FALSE;
    UPDATE tables SET hints = coalesce(options::jsonb ->> 'house:hints' = 'yes', FALSE),
        analysis = coalesce(options::jsonb ->> 'house:analysis' = 'yes', FALSE),
        options = (options::jsonb - 'house:hints' - 'house:analysis')::text;
    ALTER TABLE tables ADD COLUMN pace_bank INTEGER, ADD COLUMN pace_each INTEGER;
    UPDATE tables SET pace_bank = split_part(pace, '+', 1)::integer, pace_each = split_part(pace, '+', 2)::integer
        WHERE pace <> '';
    ALTER TABLE tables ADD COLUMN asked_by SMALLINT, ADD COLUMN asked_to INTEGER,
        ADD COLUMN asked_agreed SMALLINT;
    UPDATE tables SET asked_by = split_part(asked, ' ', 1)::smallint, asked_to = split_part(asked, ' ', 2)::integer,
        asked_agreed = split_part(asked, ' ', 3)::smallint WHERE asked <> '';
    ALTER TABLE tables ADD COLUMN chosen_after INTEGER, ADD COLUMN chosen_by SMALLINT;
    UPDATE tables SET chosen_after = split_part(chosen, ' ', 1)::integer,
        chosen_by = split_part(chosen, ' ', 2)::smallint WHERE chosen <> '';
    CREATE TABLE numbers (
        tab TEXT NOT NULL REFERENCES tables(id), seat SMALLINT NOT NULL, number BIGINT NOT NULL,
        PRIMARY KEY (tab, seat)
    );
    INSERT INTO numbers (tab, seat, number) SELECT t.id, n.place - 1, n.number::bigint
        FROM tables t, unnest(string_to_array(t.numbers, ' ')) WITH ORDINALITY AS n(number, place)
        WHERE t.numbers <> '';
    CREATE TABLE clocks (
        tab TEXT NOT NULL REFERENCES tables(id), seat SMALLINT NOT NULL, bank BIGINT NOT NULL, thought BIGINT,
        runs BIGINT, chose BIGINT, again BIGINT, PRIMARY KEY (tab, seat)
    );
    INSERT INTO clocks (tab, seat, bank, thought, runs, chose, again) SELECT t.id, g.place - 1,
        (g.glass ->> 'left')::bigint, (g.glass #>> '{stay,thought}')::bigint, (g.glass #>> '{stay,runs}')::bigint,
        (g.glass #>> '{stay,chose}')::bigint, (g.glass #>> '{stay,again}')::bigint
        FROM tables t, jsonb_array_elements(t.clocks::jsonb -> 'seats') WITH ORDINALITY AS g(glass, place)
        WHERE t.clocks IS NOT NULL;
    ALTER TABLE tables DROP COLUMN pace, DROP COLUMN asked, DROP COLUMN chosen, DROP COLUMN numbers,
        DROP COLUMN clocks, ALTER COLUMN host DROP NOT NULL;
    UPDATE tables SET host = NULL WHERE host = '';
    ALTER TABLE chat ALTER COLUMN readers DROP NOT NULL;
    UPDATE chat SET readers = NULL WHERE readers = 0;
    CREATE TABLE seen (
        tab TEXT NOT NULL REFERENCES tables(id), person TEXT NOT NULL, seat SMALLINT NOT NULL,
        moments INTEGER NOT NULL, PRIMARY KEY (tab, person, seat)
    );
    INSERT INTO seen (tab, person, seat, moments) SELECT tab, split_part(person, '/seen/', 1),
        split_part(person, '/seen/', 2)::smallint, text::integer FROM notes WHERE person LIKE '%/seen/%';
    DELETE FROM notes WHERE person LIKE '%/seen/%';
    ALTER TABLE wishes RENAME TO ways;
    ALTER TABLE house RENAME TO keepsakes;
",
    "ALTER TABLE tables ADD COLUMN tempo TEXT NOT NULL DEFAULT 'steady';",
];

/// Servers that migrate at the same time wait for each other under this number.
const MIGRATION_LOCK: i64 = 0x4f75_7472_656d_6572;

/// Brings the database up to date, whatever version of the program made it.
pub(super) async fn migrate(pool: &Pool) -> Result<(), StoreError> {
    let mut client = client(pool).await?;
    let work = client.transaction().await.map_err(failed)?;
    // Whoever comes second waits for the first, however long that takes.
    work.batch_execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
        .await
        .map_err(failed)?;
    work.execute("SELECT pg_advisory_xact_lock($1)", &[&MIGRATION_LOCK]).await.map_err(failed)?;
    work.batch_execute("CREATE TABLE IF NOT EXISTS schema_steps (step INTEGER PRIMARY KEY)")
        .await
        .map_err(failed)?;
    let done = work.query_one("SELECT count(*) FROM schema_steps", &[]).await.map_err(failed)?;
    let done = done.get::<_, i64>(0) as usize;
    if done > SCHEMA.len() {
        let why = format!("the database is at step {done}, this program knows {}", SCHEMA.len());
        return Err(StoreError::Failed(format!("{why}: use a newer version of the program")));
    }
    for (i, step) in SCHEMA.iter().enumerate().skip(done) {
        work.batch_execute(step).await.map_err(failed)?;
        let number = i as i32 + 1;
        work.execute("INSERT INTO schema_steps (step) VALUES ($1)", &[&number]).await.map_err(failed)?;
    }
    // Accounts that were made before names were compared by their looks. Of two that look alike the first
    // has the look for itself.
    let sql = "SELECT id, name FROM people WHERE account IS NOT NULL AND shape IS NULL ORDER BY id";
    for row in work.query(sql, &[]).await.map_err(failed)? {
        let (id, name): (String, String) = (get(&row, "id")?, get(&row, "name")?);
        let sql = "UPDATE people SET shape = $2 WHERE id = $1 AND \
                   NOT EXISTS (SELECT 1 FROM people WHERE shape = $2)";
        work.execute(sql, &[&id, &names::shape(&name)]).await.map_err(failed)?;
    }
    work.commit().await.map_err(failed)
}
