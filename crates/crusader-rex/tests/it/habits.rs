//! What the bots do by habit and what they think about: allowed, fast, to an end, and sensible.
#![allow(clippy::unwrap_used)]

use crusader_rex::CrusaderRex;
use crusader_rex::action::Action;
use crusader_rex::position::Position;
use proptest::prelude::*;
use table::rooms::*;
use table::{Fact, Lots, Mind, Observed, Options, Seat, Silent, Thought, Viewer, Wishes};

const FRANK: Seat = Seat::new(0);
const SARACEN: Seat = Seat::new(1);
/// A search plays so many moves by habit at most.
const MOST: u16 = 200;

fn staged(text: &str) -> (CrusaderRex, Position) {
    let game = CrusaderRex::built_in();
    let p = game.stage(&table::sheet::parse("habits", text).unwrap()).unwrap();
    (game, p)
}

fn habit(game: &CrusaderRex, p: &Position, lots: &mut Lots) -> Option<(Seat, Action)> {
    let seat = game.deciding(p).lowest()?;
    game.habit(p, seat, &mut Options::new(), lots).map(|action| (seat, action))
}

/// Plays on by habit; what was done.
fn play_on(game: &CrusaderRex, p: &mut Position) -> Vec<String> {
    let (mut umpire, mut lots) = (Silent::new(3), Lots::new(3));
    let mut done = Vec::new();
    while let Some((seat, action)) = habit(game, p, &mut lots) {
        done.push(game.write(action).to_string());
        game.apply(p, seat, action, &mut umpire);
    }
    done
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    /// From wherever a game may be, habits are allowed and lead to its end or to where both choose a card.
    #[test]
    fn every_position_comes_to_rest(seed in 0..10_000u64, which in 0..3usize) {
        let game = CrusaderRex::built_in();
        let scenario = game.title().scenarios[which].id.clone();
        let setup = game.title().set_up(&Wishes { scenario: Some(scenario), ..Wishes::default() }).unwrap();
        let (mut umpire, mut lots) = (Silent::new(seed), Lots::new(seed ^ 5));
        let mut p = game.setup(&setup, &mut umpire).unwrap();
        let (mut options, mut room) = (Options::new(), Options::new());
        while let Some(seat) = game.deciding(&p).lowest() {
            if lots.below(12) == 0 {
                let mut quiet = p.clone();
                let mut moves = 0;
                while let Some(seat) = game.deciding(&quiet).lowest() {
                    room.clear();
                    let Some(action) = game.habit(&quiet, seat, &mut room, &mut lots) else { break };
                    options.clear();
                    game.options(&quiet, seat, &mut options);
                    let allowed = options.offers().iter().any(|o| o.action == action);
                    prop_assert!(allowed, "`{}` by habit", game.write(action));
                    game.apply(&mut quiet, seat, action, &mut umpire);
                    moves += 1;
                }
                prop_assert!(moves <= MOST, "{moves} moves before it came to rest");
                // At rest a card is chosen: nobody has anything else to do.
                options.clear();
                if let Some(seat) = game.deciding(&quiet).lowest() {
                    game.options(&quiet, seat, &mut options);
                }
                prop_assert!(options.offers().iter().all(|o| matches!(o.action, Action::Play(_))));
            }
            options.clear();
            game.options(&p, seat, &mut options);
            game.apply(&mut p, seat, lots.pick(options.offers()).unwrap().action, &mut umpire);
        }
    }
}

#[test]
fn habits_allocate_nothing() {
    let game = CrusaderRex::built_in();
    let setup = game.title().usual_set_up();
    let play = |games: u64| {
        let (mut room, mut options) = (Options::new(), Options::new());
        for number in 0..games {
            let (mut umpire, mut lots) = (Silent::new(number), Lots::new(number));
            let mut p = game.setup(&setup, &mut umpire).unwrap();
            while let Some(seat) = game.deciding(&p).lowest() {
                room.clear();
                let action = game.habit(&p, seat, &mut room, &mut lots).unwrap_or_else(|| {
                    options.clear();
                    game.options(&p, seat, &mut options);
                    lots.pick(options.offers()).unwrap().action
                });
                game.apply(&mut p, seat, action, &mut umpire);
            }
        }
    };
    let few = allocation_counter::measure(|| play(10));
    let many = allocation_counter::measure(|| play(60));
    assert_eq!(few.count_total, many.count_total);
}

#[test]
fn a_stronger_army_marches_together_and_a_weaker_one_stays() {
    let blocks = |guards: &str| {
        format!(
            "moves = \"Saracen\"\nblocks = [\"Saladin Tiberias 4\", \"Taqi al Din Tiberias 4\", \
             \"Keukburi Tiberias 3\", {guards}]"
        )
    };
    let (game, mut p) = staged(&blocks("\"Conrad Acre 4\""));
    let done = play_on(&game, &mut p);
    assert!(done[0] == "group Tiberias", "{done:?}");
    let marched = done.iter().filter(|line| line.starts_with("go ") && line.ends_with("> Acre")).count();
    assert!(marched >= 2, "one alone is not an army: {done:?}");
    let strong =
        "\"Conrad Acre 4\", \"King Guy Acre 4\", \"Acre Hospitallers Acre 3\", \"Jerusalem Templars Acre 3\"";
    let (game, mut p) = staged(&blocks(strong));
    let done = play_on(&game, &mut p);
    assert!(!done.iter().any(|line| line.ends_with("> Acre")), "{done:?}");
}

#[test]
fn the_besieged_stay_in_when_they_are_weaker_and_come_out_when_they_are_not() {
    let siege = |besiegers: &str| {
        format!(
            "battle = {{ town = \"Acre\" }}\nblocks = [\"Conrad Acre 4\", {besiegers}]\ncastle = [\"Conrad\"]\n"
        )
    };
    let field = |besiegers: &str| -> Vec<String> {
        let (game, mut p) = staged(&siege(besiegers));
        play_on(&game, &mut p)
    };
    let weak = field("\"Yazkuj Acre 1\"");
    assert!(weak.contains(&"pick Conrad".to_string()), "{weak:?}");
    let strong = field("\"Saladin Acre 4\"");
    assert!(!strong.contains(&"pick Conrad".to_string()), "{strong:?}");
}

fn mind(game: CrusaderRex, p: &Position, seat: Seat) -> Mind<CrusaderRex> {
    let mut options = Options::new();
    game.options(p, seat, &mut options);
    let view = game.view(p, Viewer::Seat(seat));
    let offers = options.offers().to_vec();
    Mind::new(std::sync::Arc::new(game), Observed { seat, view, offers })
}

#[test]
fn a_thought_settles_where_both_choose_a_card() {
    let (game, p) = staged("moves = \"Saracen\"\n");
    let mut mind = mind(game, &p, SARACEN);
    let thought: &mut dyn Thought = &mut mind;
    let (mut umpire, mut lots) = (Silent::new(1), Lots::new(1));
    thought.imagine(&mut lots);
    let before = thought.present_print();
    thought.settle(0, 0, &mut umpire, &mut lots);
    assert_eq!(thought.present_print(), before, "nothing may be played");
    thought.settle(MOST, 0, &mut umpire, &mut lots);
    let at_rest = thought.present_print();
    assert_eq!(thought.deciding().len(), 2, "the turn is over");
    thought.settle(MOST, 0, &mut umpire, &mut lots);
    assert_eq!(thought.present_print(), at_rest, "at rest it stays");
    thought.settle(MOST, 2, &mut umpire, &mut lots);
    assert_eq!(thought.deciding().len(), 2, "two cards by lot, and another turn is over");
    assert_ne!(thought.present_print(), at_rest);
}

/// The choices that a player who searches thinks about.
fn considered(game: CrusaderRex, p: &Position, seat: Seat) -> Vec<String> {
    let mind = mind(game, p, seat);
    let thought: &dyn Thought = &mind;
    (0..thought.choices().len()).map(|i| thought.notation(i).to_string()).collect()
}

#[test]
fn a_party_is_put_together_in_one_order_only() {
    let (game, mut p) = staged(
        "battle = { town = \"Acre\" }\nblocks = [\"Conrad Acre 3\", \"King Guy Acre 4\", \"Walter Acre 2\", \
         \"Saladin Acre 4\"]\ncastle = [\"Conrad\", \"King Guy\", \"Walter\"]\n",
    );
    let mut umpire = Silent::new(1);
    game.apply(&mut p, SARACEN, Action::Done, &mut umpire);
    let all = considered(CrusaderRex::built_in(), &p, FRANK);
    let picks: Vec<_> = all.iter().filter(|line| line.starts_with("pick")).cloned().collect();
    assert_eq!(picks.len(), 3, "{all:?}");
    // After the last of them nobody is added: that party was put together beginning with another.
    let last = game.read(picks.last().unwrap()).unwrap();
    game.apply(&mut p, FRANK, last, &mut umpire);
    assert_eq!(considered(CrusaderRex::built_in(), &p, FRANK), ["begin"]);
    assert_eq!(game.fact(&p, &p, "deciding"), Some(Fact::Text("Frank".into())));
}

#[test]
fn of_a_stack_the_strongest_are_thought_of_first() {
    let (game, mut p) = staged(
        "moves = \"Saracen\"\nblocks = [\"Saladin Tiberias 4\", \"Taqi al Din Tiberias 4\", \
         \"Keukburi Tiberias 1\", \"Yazkuj Tiberias 1\", \"Conrad Acre 1\"]",
    );
    let group = game.read("group Tiberias").unwrap();
    game.apply(&mut p, SARACEN, group, &mut Silent::new(1));
    let all = considered(game, &p, SARACEN);
    assert!(all.iter().any(|line| line.starts_with("go Saladin")), "{all:?}");
    assert!(!all.iter().any(|line| line.starts_with("go Yazkuj")), "{all:?}");
}
