//! How the tables of the embedded store came to be, step by step; a step that was ever released is not changed
//! any more.

use rusqlite::{Connection, params};
use rusqlite_migration::{M, Migrations};

use super::{execute, rows};
use crate::names;

const SCHEMA: &[&str] = &[
    "
    CREATE TABLE people (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, password TEXT, account TEXT UNIQUE
    ) WITHOUT ROWID;
    CREATE TABLE sessions (hash TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people(id)) WITHOUT ROWID;
    CREATE TABLE tables (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, scenario TEXT NOT NULL, seats INTEGER NOT NULL,
        options TEXT NOT NULL, seed TEXT NOT NULL, head TEXT, stage TEXT NOT NULL, host TEXT NOT NULL,
        listed INTEGER NOT NULL, created INTEGER NOT NULL, touched INTEGER NOT NULL,
        waiting INTEGER NOT NULL, headline TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX tables_by_stage ON tables (stage, touched);
    CREATE TABLE seats (
        tab TEXT NOT NULL REFERENCES tables(id), seat INTEGER NOT NULL, kind TEXT NOT NULL, person TEXT,
        name TEXT NOT NULL, link TEXT, nonce TEXT, PRIMARY KEY (tab, seat)
    ) WITHOUT ROWID;
    CREATE INDEX seats_by_person ON seats (person) WHERE person IS NOT NULL;
    CREATE TABLE entries (
        tab TEXT NOT NULL REFERENCES tables(id), number INTEGER NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (tab, number)
    ) WITHOUT ROWID;
    CREATE TABLE drafts (
        tab TEXT NOT NULL REFERENCES tables(id), seat INTEGER NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (tab, seat)
    ) WITHOUT ROWID;
    CREATE TABLE done (
        tab TEXT NOT NULL REFERENCES tables(id), seat INTEGER NOT NULL, key TEXT NOT NULL,
        PRIMARY KEY (tab, seat, key)
    ) WITHOUT ROWID;
    CREATE TABLE chat (
        number INTEGER PRIMARY KEY, tab TEXT NOT NULL REFERENCES tables(id), at INTEGER NOT NULL,
        name TEXT NOT NULL, seat INTEGER, readers INTEGER NOT NULL, text TEXT NOT NULL
    );
    CREATE INDEX chat_by_table ON chat (tab, number);
    CREATE TABLE notes (
        tab TEXT NOT NULL REFERENCES tables(id), person TEXT NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (tab, person)
    ) WITHOUT ROWID;
",
    "
    ALTER TABLE tables ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN pace TEXT NOT NULL DEFAULT '';
    ALTER TABLE tables ADD COLUMN clocks TEXT;
    ALTER TABLE tables ADD COLUMN asked TEXT NOT NULL DEFAULT '';
    ALTER TABLE tables ADD COLUMN numbers TEXT NOT NULL DEFAULT '';
    ALTER TABLE seats ADD COLUMN stand_in TEXT;
    CREATE TABLE events (
        tab TEXT NOT NULL REFERENCES tables(id), number INTEGER NOT NULL, at INTEGER NOT NULL,
        what TEXT NOT NULL, PRIMARY KEY (tab, number)
    ) WITHOUT ROWID;
    CREATE TABLE wishes (person TEXT PRIMARY KEY REFERENCES people(id), text TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE house (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
",
    "ALTER TABLE tables ADD COLUMN chosen TEXT NOT NULL DEFAULT '';",
    // Links that somebody has sat down with are spent.
    "
    ALTER TABLE people ADD COLUMN shape TEXT;
    CREATE UNIQUE INDEX people_by_shape ON people (shape) WHERE shape IS NOT NULL;
    ALTER TABLE sessions ADD COLUMN id TEXT NOT NULL DEFAULT '';
    ALTER TABLE sessions ADD COLUMN created INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN agent TEXT NOT NULL DEFAULT '';
    UPDATE sessions SET id = lower(hex(randomblob(8))), created = unixepoch(), used = unixepoch();
    CREATE INDEX sessions_by_person ON sessions (person);
    CREATE TABLE resets (
        hash TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people(id), until INTEGER NOT NULL
    ) WITHOUT ROWID;
    ALTER TABLE tables ADD COLUMN absence INTEGER NOT NULL DEFAULT 86400;
    CREATE INDEX tables_by_host ON tables (host);
    ALTER TABLE seats ADD COLUMN bot_since INTEGER;
    ALTER TABLE seats ADD COLUMN called_at INTEGER;
    UPDATE seats SET link = NULL WHERE kind = 'person';
    ALTER TABLE chat ADD COLUMN person TEXT;
    UPDATE chat SET person = (SELECT person FROM seats WHERE seats.tab = chat.tab AND seats.seat = chat.seat)
        WHERE seat IS NOT NULL;
    CREATE INDEX chat_by_person ON chat (person) WHERE person IS NOT NULL;
",
    // One thing in each column: what was packed into words is taken apart.
    r#"
    ALTER TABLE tables ADD COLUMN hints INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN analysis INTEGER NOT NULL DEFAULT 0;
    UPDATE tables SET hints = coalesce(json_extract(options, '$."house:hints"') = 'yes', 0),
        analysis = coalesce(json_extract(options, '$."house:analysis"') = 'yes', 0);
    UPDATE tables SET options = json_remove(options, '$."house:hints"', '$."house:analysis"');
    ALTER TABLE tables ADD COLUMN pace_bank INTEGER;
    ALTER TABLE tables ADD COLUMN pace_each INTEGER;
    UPDATE tables SET pace_bank = json_extract('[' || replace(pace, '+', ',') || ']', '$[0]'),
        pace_each = json_extract('[' || replace(pace, '+', ',') || ']', '$[1]') WHERE pace <> '';
    ALTER TABLE tables ADD COLUMN asked_by INTEGER;
    ALTER TABLE tables ADD COLUMN asked_to INTEGER;
    ALTER TABLE tables ADD COLUMN asked_agreed INTEGER;
    UPDATE tables SET asked_by = json_extract('[' || replace(asked, ' ', ',') || ']', '$[0]'),
        asked_to = json_extract('[' || replace(asked, ' ', ',') || ']', '$[1]'),
        asked_agreed = json_extract('[' || replace(asked, ' ', ',') || ']', '$[2]') WHERE asked <> '';
    ALTER TABLE tables ADD COLUMN chosen_after INTEGER;
    ALTER TABLE tables ADD COLUMN chosen_by INTEGER;
    UPDATE tables SET chosen_after = json_extract('[' || replace(chosen, ' ', ',') || ']', '$[0]'),
        chosen_by = json_extract('[' || replace(chosen, ' ', ',') || ']', '$[1]') WHERE chosen <> '';
    CREATE TABLE numbers (
        tab TEXT NOT NULL REFERENCES tables(id), seat INTEGER NOT NULL, number INTEGER NOT NULL,
        PRIMARY KEY (tab, seat)
    ) WITHOUT ROWID;
    INSERT INTO numbers (tab, seat, number) SELECT t.id, n.key, n.value
        FROM tables t, json_each('[' || replace(t.numbers, ' ', ',') || ']') n WHERE t.numbers <> '';
    CREATE TABLE clocks (
        tab TEXT NOT NULL REFERENCES tables(id), seat INTEGER NOT NULL, bank INTEGER NOT NULL,
        thought INTEGER, runs INTEGER, chose INTEGER, again INTEGER, PRIMARY KEY (tab, seat)
    ) WITHOUT ROWID;
    INSERT INTO clocks (tab, seat, bank, thought, runs, chose, again) SELECT t.id, g.key,
        json_extract(g.value, '$.left'), json_extract(g.value, '$.stay.thought'),
        json_extract(g.value, '$.stay.runs'), json_extract(g.value, '$.stay.chose'),
        json_extract(g.value, '$.stay.again')
        FROM tables t, json_each(t.clocks, '$.seats') g WHERE t.clocks IS NOT NULL;
    ALTER TABLE tables DROP COLUMN pace;
    ALTER TABLE tables DROP COLUMN asked;
    ALTER TABLE tables DROP COLUMN chosen;
    ALTER TABLE tables DROP COLUMN numbers;
    ALTER TABLE tables DROP COLUMN clocks;
    DROP INDEX tables_by_host;
    ALTER TABLE tables ADD COLUMN opener TEXT;
    UPDATE tables SET opener = nullif(host, '');
    ALTER TABLE tables DROP COLUMN host;
    ALTER TABLE tables RENAME COLUMN opener TO host;
    CREATE INDEX tables_by_host ON tables (host) WHERE host IS NOT NULL;
    ALTER TABLE chat ADD COLUMN heard_by INTEGER;
    UPDATE chat SET heard_by = nullif(readers, 0);
    ALTER TABLE chat DROP COLUMN readers;
    ALTER TABLE chat RENAME COLUMN heard_by TO readers;
    CREATE TABLE seen (
        tab TEXT NOT NULL REFERENCES tables(id), person TEXT NOT NULL, seat INTEGER NOT NULL,
        moments INTEGER NOT NULL, PRIMARY KEY (tab, person, seat)
    ) WITHOUT ROWID;
    INSERT INTO seen (tab, person, seat, moments) SELECT tab, substr(person, 1, instr(person, '/seen/') - 1),
        CAST(substr(person, instr(person, '/seen/') + 6) AS INTEGER), CAST(text AS INTEGER)
        FROM notes WHERE person LIKE '%/seen/%';
    DELETE FROM notes WHERE person LIKE '%/seen/%';
    ALTER TABLE wishes RENAME TO ways;
    ALTER TABLE house RENAME TO keepsakes;
"#,
    "ALTER TABLE tables ADD COLUMN tempo TEXT NOT NULL DEFAULT 'steady';",
];

/// Brings a database up to date, whatever version of the program made it.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), String> {
    let steps = SCHEMA.iter().map(|step| M::up(step)).collect();
    Migrations::new(steps).to_latest(connection).map_err(|e| e.to_string())?;
    // Accounts that were made before names were compared by their looks. Of two that look alike the first has
    // the look for itself.
    let sql = "SELECT id, name FROM people WHERE account IS NOT NULL AND shape IS NULL";
    let old = rows(connection, sql, [], |r| Ok((r.get::<_, String>(0)?, r.get::<_, String>(1)?)));
    for (id, name) in old.map_err(|e| e.to_string())? {
        let sql = "UPDATE OR IGNORE people SET shape = ?2 WHERE id = ?1";
        execute(connection, sql, params![id, names::shape(&name)]).map_err(|e| e.to_string())?;
    }
    Ok(())
}
