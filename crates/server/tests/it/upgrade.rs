//! A database that an older version of the program has left is brought up to date, and its games go on.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use crate::common::old;
use server::Sqlite;

#[tokio::test(flavor = "multi_thread")]
async fn an_old_embedded_database_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("old.db");
    let database = rusqlite::Connection::open(&file).unwrap();
    database.execute_batch(&old::file("sqlite.sql")).unwrap();
    drop(database);
    let open = async || Arc::new(Sqlite::open(&file).unwrap()) as Arc<dyn server::Store>;
    old::goes_on(&old::left("sqlite.json"), open).await;
    // Nothing is left of what was packed into words.
    let database = rusqlite::Connection::open(&file).unwrap();
    let sql = "SELECT count(*) FROM notes WHERE person LIKE '%/%'";
    assert_eq!(database.query_row(sql, [], |r| r.get::<_, i64>(0)).unwrap(), 0);
    let broken = database.prepare("PRAGMA foreign_key_check").unwrap().exists([]).unwrap();
    assert!(!broken, "a row refers to what is not there");
}
