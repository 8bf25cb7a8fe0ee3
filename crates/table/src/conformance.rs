//! The examination that every game must pass.
//!
//! [`examine`] plays many seeded games, from the start and from vignettes, at random and greedily, and
//! checks at every step
//! - legality (`legality`): somebody can act until the game is over; every allowed action applies and
//!   leaves a sound position; refusals cite rules of the ledger; notation and positions survive a round
//!   trip; the game ends within its bound;
//! - secrecy (`secrecy`): all that a viewer gets is the same for the true position and for those the
//!   viewer cannot tell from it; private draws and secret actions of others leave no trace; nothing is
//!   learned that undo could unlearn;
//! - the table (`sitting`): drafts are invisible, undo brings everything back and never rolls again, bad
//!   input changes nothing, records replay to the same position;
//! - wording ([`wording`], where it is asked for): what people read shows no notation and no ids, counts
//!   rightly and begins with a capital.
//!
//! It counts which rules were at work. The suite is tested with planted leaks: see `tests/it/planted_leaks.rs`, and
//! [`planted`] for those of a game.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::ballot::{Offer, Options};
use crate::dice::{DiceKey, Lots, Nonces, Seed};
use crate::game::{Game, Observed};
use crate::record::{By, Deed, Record, RecordEntry};
use crate::seat::{Seat, SeatSet, Viewer};
use crate::simulate::{Pick, choose};
use crate::title::{Setup, Wishes};
use crate::umpire::{Chance, Protocol, Scribe};

mod legality;
pub mod planted;
mod promises;
mod secrecy;
mod sitting;
pub mod wording;

pub use promises::{assert_game, assert_records, broken_promises};

/// What to examine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Examination {
    /// How many games.
    pub games: u32,
    /// The number from which everything follows; game `i` is played from `seed + i`.
    pub seed: u64,
    /// How many twins are imagined for each viewer at each step.
    pub twins: u32,
    /// The dear checks are made at one step of so many, chosen by lot; 1 is every step.
    pub every: u32,
    /// Stop after so many failures.
    pub failures: usize,
    /// Leave a game after so many actions, where it is long.
    pub actions: Option<u32>,
    /// Whether what people read is looked over, too.
    pub wording: bool,
}

impl Default for Examination {
    fn default() -> Self {
        Self { games: 20, seed: 1, twins: 2, every: 1, failures: 1, actions: None, wording: false }
    }
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Findings {
    /// Games played to their end.
    pub games: u32,
    /// Actions played.
    pub actions: u64,
    /// The most actions in one game.
    pub longest: u32,
    /// How often each rule was at work: cited by a refusal, a journal line, a prompt or the rules.
    pub rules: BTreeMap<String, u64>,
    /// Twins imagined, and how many of them differed from the truth.
    pub twins: (u64, u64),
    /// What is wrong.
    pub failures: Vec<Failure>,
}

impl Findings {
    /// The rules of a ledger that were never at work, with the reason where the ledger gives one.
    pub fn never_met<'a>(&self, ledger: &'a crate::Ledger) -> Vec<&'a crate::LedgerEntry> {
        ledger.entries().iter().filter(|e| !e.prose && !self.rules.contains_key(&e.number)).collect()
    }
}

/// Something that is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The seed that shows it: examine one game from it.
    pub seed: u64,
    /// The entry of the record after which it shows; 0 is the set-up.
    pub entry: u32,
    /// What is wrong.
    pub what: String,
    /// The record up to there.
    pub record: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "seed {}, entry {}: {}", self.seed, self.entry, self.what)
    }
}

/// One game of the examination.
struct Course<'a, G: Game> {
    game: &'a Arc<G>,
    examination: &'a Examination,
    findings: &'a mut Findings,
    lots: Lots,
    setup: Setup,
    party: SeatSet,
    key: DiceKey,
    record: Record,
    /// Whether the course began at the set-up, so that its record replays.
    from_setup: bool,
    slips: wording::Slips,
}

/// Everything that is needed to look at one action from all sides.
struct Moment<'a, G: Game> {
    before: &'a G::Position,
    after: &'a G::Position,
    seat: Seat,
    action: G::Action,
    protocol: &'a Protocol,
    entry: u32,
}

/// Examines a game. `progress` is told after every game.
pub fn examine<G: Game>(
    game: &Arc<G>,
    examination: &Examination,
    progress: &mut dyn FnMut(&Findings),
) -> Findings {
    let mut findings = Findings::default();
    let setups = all_setups(&**game);
    let vignettes: Vec<_> = game
        .title()
        .vignettes
        .iter()
        .filter_map(|(file, text)| {
            let vignette = crate::Vignette::read(file, text).ok()?;
            Some((vignette.party(game.title()), vignette.stage(&**game).ok()?))
        })
        .collect();
    for i in 0..examination.games {
        let seed = examination.seed.wrapping_add(i.into());
        let mut lots = Lots::new(seed ^ 0x6f75_7472_656d_6572);
        let setup = setups[lots.below(setups.len() as u32) as usize].clone();
        // One game in four begins at a vignette, of a table with as many seats.
        let staged = if lots.below(4) == 0 {
            let fitting: Vec<_> = vignettes.iter().filter(|(party, _)| *party == setup.party()).collect();
            lots.pick(&fitting).map(|(_, position)| position.clone())
        } else {
            None
        };
        let failed = findings.failures.len();
        let (record, entry, result) = {
            let honest = Seed::numbered(seed);
            let mut course = Course {
                key: DiceKey::new(&honest, &Nonces::default()),
                record: blank_record(&**game, &setup, honest),
                game,
                examination,
                party: setup.party(),
                findings: &mut findings,
                setup,
                lots,
                from_setup: staged.is_none(),
                slips: wording::Slips::default(),
            };
            let result = catch_unwind(AssertUnwindSafe(|| course.play(staged)));
            (course.record.to_string(), course.record.entries.len() as u32, result)
        };
        let what = match result {
            Ok(Ok(())) => None,
            Ok(Err(what)) => Some(what),
            Err(panic) => Some(format!("a panic: {}", panic_text(&panic))),
        };
        if let Some(what) = what {
            findings.failures.push(Failure { seed, entry, what, record });
        } else {
            findings.games += 1;
        }
        progress(&findings);
        if findings.failures.len() > failed && findings.failures.len() >= examination.failures {
            break;
        }
    }
    let (twins, different) = findings.twins;
    if findings.failures.is_empty() && secrets_are_kept(&**game, &setups) && twins > 100 && different == 0 {
        findings.failures.push(Failure {
            seed: examination.seed,
            entry: 0,
            what: format!(
                "none of {twins} imagined positions differed from the truth: the views tell everything"
            ),
            record: String::new(),
        });
    }
    findings
}

/// Whether two viewers of the same start are ever shown different things: then the game has secrets, and
/// imagined positions must differ from the truth.
fn secrets_are_kept<G: Game>(game: &G, setups: &[Setup]) -> bool {
    setups.iter().any(|setup| {
        let mut scribe = Scribe::new(Lots::new(1));
        let Ok(position) = game.setup(setup, &mut scribe) else { return false };
        // A view that names its viewer differs for everybody; what it lets one imagine tells more.
        let mut lots = Lots::new(2);
        let private = scribe.protocol.chance.iter().any(|c| {
            matches!(c, Chance::Draw { to: Some(to), .. } if Viewer::all(setup.party()).any(|v| !to.include(v)))
        });
        private || Viewer::all(setup.party()).any(|v| {
            let view = game.view(&position, v);
            (0..8).any(|_| game.imagine(&view, &mut lots) != position)
        })
    })
}

/// Every scenario with every party, and every value of every option at least once.
fn all_setups<G: Game>(game: &G) -> Vec<Setup> {
    let title = game.title();
    let mut wishes = Vec::new();
    for scenario in &title.scenarios {
        for party in title.parties(&scenario.id) {
            let plain = Wishes {
                scenario: Some(scenario.id.clone()),
                seats: Some(title.wish_for(&scenario.id, party)),
                options: BTreeMap::new(),
            };
            wishes.push(plain.clone());
            for option in &title.options {
                for value in option.values.iter().skip(1) {
                    let mut wish = plain.clone();
                    wish.options.insert(option.id.clone(), value.clone());
                    wishes.push(wish);
                }
            }
        }
    }
    let playable = |setup: &Setup| game.setup(setup, &mut Scribe::new(Lots::new(0))).is_ok();
    let setups: Vec<_> = wishes.iter().filter_map(|w| title.set_up(w).ok()).filter(playable).collect();
    if setups.is_empty() { vec![title.usual_set_up()] } else { setups }
}

fn blank_record<G: Game>(game: &G, setup: &Setup, seed: Seed) -> Record {
    let title = game.title();
    Record {
        file: "examination".into(),
        game: title.id.into(),
        rules: title.version.into(),
        data: title.data_hash.clone(),
        scenario: setup.scenario().into(),
        seats: title.wish_for(setup.scenario(), setup.party()),
        options: setup.options().clone(),
        commitment: seed.commitment(),
        nonces: Nonces::default(),
        seed: Some(seed),
        branched_at: None,
        setup: Vec::new(),
        entries: Vec::new(),
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a word".into())
}

impl<G: Game> Course<'_, G> {
    fn play(&mut self, staged: Option<G::Position>) -> Result<(), String> {
        let game = self.game.clone();
        let mut position = match staged {
            Some(position) => position,
            None => self.set_up()?,
        };
        game.sound(&position)?;
        // A third of the games is played greedily, so that both sides get somewhere.
        let pick = if self.lots.below(3) == 0 { Pick::Greedy } else { Pick::Random };
        let mut options = Options::new();
        loop {
            let entry = self.record.entries.len() as u32 + 1;
            let thorough = self.lots.below(self.examination.every) == 0;
            if thorough {
                self.check_legality(&position)?;
                self.check_twins(&position)?;
                self.check_wording(&position);
            }
            let deciding = game.deciding(&position);
            if deciding.is_empty() {
                break;
            }
            if self.examination.actions.is_some_and(|most| entry > most) {
                return self.slips.told();
            }
            if entry > game.title().longest {
                return Err(format!("the game goes on after {} actions", entry - 1));
            }
            let seat = self.lots.pick(&deciding.iter().collect::<Vec<_>>()).unwrap_or(Seat::new(0));
            options.clear();
            game.options(&position, seat, &mut options);
            if options.is_empty() {
                return Err(format!("{} must decide and can do nothing", game.title().seat_name(seat)));
            }
            let observed = Observed {
                seat,
                view: game.view(&position, Viewer::Seat(seat)),
                offers: options.offers().to_vec(),
            };
            if thorough {
                self.check_habit(&position, seat, options.offers())?;
            }
            // Greedy players are blind to many choices: now and then they stumble.
            let pick = if self.lots.below(4) == 0 { Pick::Random } else { pick };
            let action = choose(&*game, &observed, pick, &mut self.lots);
            let mut after = position.clone();
            let mut scribe = Scribe::new(self.key.stream(0, entry));
            game.apply(&mut after, seat, action, &mut scribe);
            let protocol = scribe.protocol;
            self.record.entries.push(RecordEntry {
                number: entry,
                line: 0,
                deed: Deed::Act {
                    seat: game.title().seat_name(seat).to_string(),
                    by: By::Hand,
                    action: game.write(action).to_string(),
                    chance: protocol.chance.clone(),
                },
            });
            self.findings.actions += 1;
            self.check_citations(&protocol)?;
            self.check_journal(&protocol);
            game.sound(&after)
                .map_err(|e| format!("`{}` leaves an unsound position: {e}", game.write(action)))?;
            if thorough {
                let moment =
                    Moment { before: &position, after: &after, seat, action, protocol: &protocol, entry };
                self.check_action(&moment)?;
                self.check_traces(&moment)?;
            }
            position = after;
        }
        if game.outcome(&position).is_none() {
            return Err("nobody must decide, but the game has no outcome".into());
        }
        self.findings.longest = self.findings.longest.max(self.record.entries.len() as u32);
        if self.from_setup {
            self.check_replay(&position)?;
            self.check_sitting()?;
        }
        self.slips.told()
    }

    fn set_up(&mut self) -> Result<G::Position, String> {
        let mut scribe = Scribe::new(self.key.stream(0, 0));
        let position = self.game.setup(&self.setup, &mut scribe).map_err(|e| e.to_string())?;
        self.record.setup = scribe.protocol.chance.clone();
        self.check_citations(&scribe.protocol)?;
        self.check_journal(&scribe.protocol);
        self.check_setup_traces(&position, &scribe.protocol)?;
        Ok(position)
    }

    /// Rules that were at work are counted, and must be in the ledger.
    /// What is done by habit is allowed.
    fn check_habit(
        &mut self,
        position: &G::Position,
        seat: Seat,
        offers: &[Offer<G::Action>],
    ) -> Result<(), String> {
        let game = self.game;
        let Some(habit) = game.habit(position, seat, &mut Options::new(), &mut self.lots) else {
            return Ok(());
        };
        let allowed = offers.iter().any(|offer| match (offer.range, game.amount(habit)) {
            (Some((least, most)), Some(amount)) => {
                (least..=most).contains(&amount) && game.with_amount(offer.action, amount) == habit
            }
            _ => offer.action == habit,
        });
        let what = || format!("`{}` would be done by habit, but is not allowed", game.write(habit));
        if allowed { Ok(()) } else { Err(what()) }
    }

    fn check_citations(&mut self, protocol: &Protocol) -> Result<(), String> {
        for rule in &protocol.cited {
            self.cite(rule.number())?;
        }
        Ok(())
    }

    fn cite(&mut self, rule: &str) -> Result<(), String> {
        if self.game.title().ledger.find(rule).is_none() {
            return Err(format!("rule {rule} is cited, but it is not in the ledger"));
        }
        match self.findings.rules.get_mut(rule) {
            Some(count) => *count += 1,
            None => drop(self.findings.rules.insert(rule.to_string(), 1)),
        }
        Ok(())
    }
}
