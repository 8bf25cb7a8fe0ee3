//! The campaign: whole games by habit and at random stay sound, keep their secrets and allocate nothing.
#![allow(clippy::unwrap_used)]

use croisades::campaign::action::Action;
use croisades::campaign::{Campaign, ENTRY, FILES};
use croisades::realm::Realm;
use table::rooms::*;
use table::{DataFiles, Lots, Options, Seat, SeatSet, Seats, Silent, Viewer, Wishes};

/// Plays a campaign; `look` sees every position.
fn play(
    game: &Campaign,
    seats: u8,
    battles: &str,
    habit: bool,
    seed: u64,
    mut look: impl FnMut(&Realm),
) -> Realm {
    let wishes = Wishes {
        scenario: Some("short".into()),
        seats: Some(Seats::Count(seats)),
        options: [("battles".to_string(), battles.to_string())].into(),
    };
    let setup = game.title().set_up(&wishes).unwrap();
    let mut umpire = Silent::new(seed);
    let mut p = game.setup(&setup, &mut umpire).unwrap();
    let (mut lots, mut room) = (Lots::new(seed), Options::new());
    while let Some(seat) = game.deciding(&p).lowest() {
        let action = if habit {
            game.routine(&p, seat, &mut room, &mut lots).unwrap()
        } else {
            room.clear();
            game.options(&p, seat, &mut room);
            let offer = lots.pick(room.offers()).unwrap();
            match offer.range {
                Some((least, most)) => game.with_amount(offer.action, least + lots.below(most - least + 1)),
                None => offer.action,
            }
        };
        game.apply(&mut p, seat, action, &mut umpire);
        game.sound(&p).unwrap_or_else(|e| panic!("{e} after {}", game.write(action)));
        look(&p);
    }
    p
}

/// Battles, sieges and suits of whole campaigns [table.3, table.7, table.10, S2 to S41].
#[test]
fn campaigns_by_habit_stay_sound() {
    let game = Campaign::built_in();
    for seed in 0..12 {
        let p = play(&game, 2 + (seed % 3) as u8, "quick", true, seed, |_| {});
        assert!(game.outcome(&p).is_some() && p.open.turn <= 20);
    }
}

#[test]
fn campaigns_at_random_stay_sound() {
    let game = Campaign::built_in();
    for seed in 0..12 {
        let p = play(&game, 2 + (seed % 3) as u8, "quick", false, seed, |_| {});
        assert!(game.outcome(&p).is_some(), "{:?} in turn {}", p.open.step(), p.open.turn);
    }
}

/// By habit a treaty comes about in at least half of the games.
#[test]
fn bots_sign_treaties() {
    let game = Campaign::built_in();
    let mut signed = 0;
    for seed in 0..12 {
        let mut any = false;
        play(&game, 2 + (seed % 3) as u8, "quick", true, seed + 50, |p| any |= !p.hidden.treaties.is_empty());
        signed += usize::from(any);
    }
    assert!(signed >= 6, "a treaty in {signed} of 12 games");
}

/// A neutral place is defended by somebody [scenario.8].
#[test]
fn neutral_garrisons_have_a_commander() {
    let game = Campaign::built_in();
    let mut sieges = 0;
    for seed in 0..12 {
        play(&game, 3, "quick", false, seed, |p| {
            for siege in &p.open.sieges {
                assert_ne!(siege.warden, Some(siege.besieger));
                sieges += usize::from(p.open.place(siege.place).holder.is_none() && siege.warden.is_some());
            }
        });
    }
    assert!(sieges > 0, "somebody besieged a neutral place");
}

/// Purses, companies and letters are their lords' own.
#[test]
fn others_see_neither_purses_nor_letters_nor_companies() {
    let game = Campaign::built_in();
    play(&game, 3, "quick", true, 5, |p| {
        let view = game.view(p, Viewer::Seat(Seat::new(0)));
        assert!(view.men.iter().all(|(_, m)| m.lord == Some(Seat::new(0))));
        assert!(view.traits.iter().all(|(id, _)| p.open.major(*id).lord == Some(Seat::new(0))));
        let mine = |s: Seat| s == Seat::new(0);
        assert!(view.letters.iter().all(|l| mine(l.from) || mine(l.to)));
        assert!(game.view(p, Viewer::Observer).men.is_empty());
    });
}

#[test]
fn bad_input_is_refused_with_its_reason() {
    let game = Campaign::built_in();
    for text in
        ["castle Camelot", "take group 900", "write to Nobody", "dance", "buy 3 dragons for group 1", "go up"]
    {
        assert!(game.read(text).is_err(), "{text}");
    }
    assert_eq!(game.read("done"), Ok(Action::Done));
    let complaint = |from: &str, to: &str| {
        let mut files = DataFiles::built_in(FILES);
        let text = files.text("strategic-map.toml").to_string();
        assert!(text.contains(from), "{from}");
        files.replace("strategic-map.toml", text.replacen(from, to, 1)).unwrap();
        Campaign::open(&files).err().map_or("fine".to_string(), |e| e.to_string())
    };
    let road = complaint("\"0120\", \"0220\"", "\"0120\", \"0420\"");
    assert!(road.contains("strategic-map.toml:") && road.contains("next to 0120"), "{road}");
    let dowry = complaint("dowry = [\"Giblet\", \"2809\"]", "dowry = [\"Giblet\", \"2808\"]");
    assert!(dowry.contains("2808"), "{dowry}");
}

/// The random path allocates nothing, however long it is.
#[test]
fn random_campaigns_allocate_nothing() {
    let game = (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap();
    let wishes = Wishes {
        scenario: Some("short".into()),
        seats: Some(Seats::Count(2)),
        options: [("battles".to_string(), "quick".to_string())].into(),
    };
    let setup = game.title().set_up(&wishes).unwrap();
    let plan = |games| table::Plan { setup: setup.clone(), games, seed: 1, first: 0, picks: Vec::new() };
    let few = allocation_counter::measure(|| drop(game.simulate(&plan(4), &mut |_| {}).unwrap()));
    let many = allocation_counter::measure(|| drop(game.simulate(&plan(16), &mut |_| {}).unwrap()));
    assert!(many.count_total <= few.count_total + 8, "{} {}", few.count_total, many.count_total);
}

/// The ledger is complete, every vignette holds and shows what it claims.
#[test]
fn every_vignette_of_the_campaign_holds() {
    table::conformance::assert_game(&*(ENTRY.open)(&DataFiles::built_in(FILES)).unwrap());
}

/// The examination of the campaign: legality, secrecy, the table and wording. `NAME_GAMES`, `NAME_SEED`, `NAME_EVERY` and
/// `NAME_ACTIONS` ask for more than a quick test has.
pub(crate) fn conforms(name: &str, [games, seed, every, actions]: [u32; 4]) {
    let game = (ENTRY.open)(&DataFiles::built_in(FILES)).unwrap();
    let wish = |what: &str, usual: u32| {
        std::env::var(format!("{name}_{what}")).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
    };
    let examination = table::conformance::Examination {
        games: wish("GAMES", games),
        seed: wish("SEED", seed).into(),
        every: wish("EVERY", every),
        actions: Some(wish("ACTIONS", actions)),
        wording: true,
        ..Default::default()
    };
    let findings = game.examine(&examination, &mut |_| {});
    if let Some(failure) = findings.failures.first() {
        let tail = failure.record.lines().rev().take(12).collect::<Vec<_>>();
        panic!("{failure}\n{}", tail.into_iter().rev().collect::<Vec<_>>().join("\n"));
    }
    println!("{} actions, twins {:?}", findings.actions, findings.twins);
}

/// With 2, 3 and 4 lords, from the start and from vignettes of every phase.
#[test]
fn campaigns_conform() {
    conforms("CAMPAIGN", [24, 1, 40, 500]);
}

#[test]
fn a_draw_is_still_one_after_saving_and_reading() {
    let game = Campaign::built_in();
    let mut p = play(&game, 2, "quick", true, 1, |_| {});
    p.open.victor = Some(SeatSet::default());
    let read: Realm = serde_json::from_str(&serde_json::to_string(&p).unwrap()).unwrap();
    assert!(read == p);
    assert_eq!(game.outcome(&read).map(|o| o.headline), Some("A draw"));
}
