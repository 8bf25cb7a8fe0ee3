//! A table is light: what its page and its updates weigh over the wire.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::sync::Arc;

use server::{App, Settings, Sqlite};
use table::{AnyGame, DataFiles};

#[tokio::test(flavor = "multi_thread")]
async fn a_table_of_crusader_rex_is_light() {
    let entry = crusader_rex::ENTRY;
    let game: Arc<dyn AnyGame> = Arc::from((entry.open)(&DataFiles::built_in(entry.files)).unwrap());
    let app = App::new(vec![game], Arc::new(Sqlite::in_memory().unwrap()), Settings::default());
    let weight = server::weight::weigh(&app, entry.id, 300).await.unwrap();
    assert!(weight.updates.len() > 100 && weight.page > 5_000 && weight.files > 5_000, "{weight:?}");
    assert!(weight.total() < 150 << 10, "opening a table costs {} bytes", weight.total());
    assert!(weight.heaviest() < 15 << 10, "an update costs {} bytes", weight.heaviest());
}
