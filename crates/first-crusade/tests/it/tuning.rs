//! Tuning by searching players, for a game with one side: it can be run again, and keeps only what gains.
#![allow(clippy::unwrap_used)]

use bots::arena::{self, ArenaError, Draw, Plan, Share};
use bots::tune::{Comparison, Schooling, climb, note_games};
use first_crusade::{ENTRY, FILES};
use table::habits::{self, Figure};
use table::{AnyGame, DataError, DataFiles, Setup, Wishes};

fn opened(figures: &[(Figure, f32)]) -> Result<Box<dyn AnyGame>, DataError> {
    let mut files = DataFiles::built_in(FILES);
    if !figures.is_empty() {
        files.replace(habits::FILE, habits::write(figures))?;
    }
    (ENTRY.open)(&files)
}

fn antioch(game: &dyn AnyGame) -> Setup {
    game.title().set_up(&Wishes { scenario: Some("antioch".into()), ..Wishes::default() }).unwrap()
}

#[test]
fn games_of_players_tell_the_same_whoever_plays_which() {
    let game = opened(&[]).unwrap();
    let players = vec!["squire".to_string(), "captain:20".to_string()];
    let schooling = Schooling { setup: antioch(&*game), players, every: 2, seed: 5 };
    let note = |games| note_games(&*game, &schooling, games, &mut |_| {}).unwrap();
    let whole = note(0..4);
    let mut halves = note(0..2);
    halves.add(note(2..4));
    assert_eq!(whole, halves);
    assert_eq!(whole.games, 4);
    assert!(whole.noted.len() > 10, "lost games count too: {}", whole.noted.len());
    let nobody = Schooling { players: vec!["king".into()], ..schooling };
    let error = note_games(&*game, &nobody, 0..1, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("no player is called `king`"), "{error}");
}

#[test]
fn whoever_climbs_again_finds_the_same() {
    let game = opened(&[]).unwrap();
    let comparison = Comparison {
        setup: antioch(&*game),
        player: "captain:10".into(),
        pairs: 3,
        seed: 1,
        threads: 2,
        rounds: 1,
    };
    let mut told = 0;
    let climbed = climb(&opened, &comparison, &mut |_| told += 1).unwrap();
    assert_eq!(told, climbed.trials.len());
    assert!(told >= climbed.figures.len(), "every figure is tried");
    for trial in &climbed.trials {
        assert_eq!(trial.kept, trial.gain.low > 0.0, "{trial:?}");
    }
    assert_eq!(climb(&opened, &Comparison { threads: 1, ..comparison }, &mut |_| {}).unwrap(), climbed);
}

/// Figures and weights are no rules: players with other ones can meet. Players with other rules cannot.
#[test]
fn only_minds_may_differ() {
    let game = opened(&[]).unwrap();
    let mut figures = game.figures();
    figures[0].1 = figures[0].0.least;
    let other = opened(&figures).unwrap();
    assert_eq!(game.title().data_hash, other.title().data_hash);
    let mut files = DataFiles::built_in(FILES);
    files.replace("tables.toml", format!("{}\n# another copy\n", files.text("tables.toml"))).unwrap();
    let changed = (ENTRY.open)(&files).unwrap();
    let plan = Plan {
        players: vec!["random".into(); 2],
        draw: Draw::All,
        share: Share::WHOLE,
        pairs: 1,
        seed: 1,
        threads: 1,
        limits: bots::Limits::default(),
        sprt: None,
    };
    let meet = |minds: &[&dyn AnyGame]| arena::run_with(minds, &antioch(&*game), &plan, &|_| {});
    assert_eq!(meet(&[&*game, &*other]).unwrap().pairs.len(), 1);
    assert_eq!(meet(&[&*game, &*changed]).unwrap_err(), ArenaError::OtherRules);
}
