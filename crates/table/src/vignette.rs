//! Vignettes: small positions that show one rule at work.
//!
//! A vignette is a TOML file: a position, the dice and draws to come, a few actions, what must be true after
//! them, and what must be refused under which rule. The keys under `[position]` and `[expect]` are each
//! game's own ([`Staged::stage`], [`Staged::fact`]); everything else is shared. A vignette about the set-up has
//! `[setup]` in the place of `[position]`: a scenario, options and seats. A long worked example is one file
//! of several `[[act]]`s, each with dice, actions and expectations of its own, played one after the other.
//!
//! A vignette shows a rule only if the rule was at work in it: cited by the journal, by a refusal, by what was
//! asked, or by how it ended. [`Played::cited`] has them.

use std::collections::BTreeSet;

use crate::ballot::Explained;
use crate::game::{Fact, Game};
use crate::journal::Journal;
use crate::matches::is_allowed;
use crate::rule::Rule;
use crate::scene::Scene;
use crate::seat::{Seat, SeatSet, Viewer};
use crate::sheet::{self, DataError, Fields, Node};
use crate::title::{Seats, Title, Wishes};
use crate::umpire::{Scribe, Scripted};

/// A vignette as read from its file.
#[derive(Clone, Debug)]
pub struct Vignette {
    /// The game's id.
    pub game: String,
    /// The rule that it shows.
    pub rule: String,
    /// Further rules that it shows.
    pub also: Vec<String>,
    /// What it shows, in a line.
    pub title: String,
    /// Where the position stands, for errors: the table `[position]` or `[setup]`.
    position: Node,
    /// What the set-up is asked for, if it begins there.
    setup: Option<Wishes>,
    acts: Vec<Act>,
}

/// A stretch of play and what must be true after it.
#[derive(Clone, Debug)]
struct Act {
    /// Where it stands, for errors.
    at: Node,
    dice: Vec<u8>,
    draws: Vec<String>,
    actions: Vec<Node>,
    expect: Vec<Node>,
    refused: Vec<Probe>,
    allowed: Vec<Probe>,
}

/// An action that must be refused, or allowed, before or after the others.
#[derive(Clone, Debug)]
struct Probe {
    before: bool,
    action: Node,
    rule: Option<Node>,
}

/// A vignette that was played and held: its pictures, one before the first action and one after each.
#[derive(Clone, Debug)]
pub struct Played {
    /// What was done, and the table after it, as one who knows everything sees it.
    pub frames: Vec<(String, Scene)>,
    /// What the journal says about it.
    pub journal: Vec<String>,
    /// The rules that were at work.
    pub cited: BTreeSet<String>,
}

fn rule_of(node: &Node) -> Result<String, DataError> {
    let rule = node.text()?;
    if Rule::well_formed(rule) {
        Ok(rule.to_string())
    } else {
        Err(node.expected("a rule number such as 6.32"))
    }
}

/// Reads `[setup]`: `scenario`, `seats` (a number or names) and `options`.
fn read_setup(node: &Node) -> Result<Wishes, DataError> {
    let mut f = node.fields()?;
    let mut wishes = Wishes::default();
    if let Some(scenario) = f.optional("scenario") {
        wishes.scenario = Some(scenario.text()?.to_string());
    }
    if let Some(seats) = f.optional("seats") {
        wishes.seats =
            Some(read_seats(seats).ok_or_else(|| seats.expected("a number of seats, or their names"))?);
    }
    if let Some(options) = f.optional("options") {
        for option in options.fields()?.all() {
            wishes.options.insert(option.name().to_string(), option.text()?.to_string());
        }
    }
    f.finish()?;
    Ok(wishes)
}

/// Which seats are played: a number, or names.
fn read_seats(node: &Node) -> Option<Seats> {
    match (node.number(), node.texts()) {
        (Ok(count), _) => Some(Seats::Count(u8::try_from(count).ok()?)),
        (_, Ok(names)) => Some(Seats::Named(names)),
        _ => None,
    }
}

impl Act {
    /// Reads what is to be played, from the fields `dice`, `draws` and `actions`.
    fn read_play(&mut self, f: &mut Fields<'_>) -> Result<(), DataError> {
        if let Some(node) = f.optional("dice") {
            for die in node.list()? {
                self.dice.push(die.number_in(1..=100)? as u8);
            }
        }
        if let Some(node) = f.optional("draws") {
            self.draws = node.texts()?;
        }
        if let Some(node) = f.optional("actions") {
            self.actions = node.list()?.to_vec();
        }
        Ok(())
    }

    /// Reads what must be true, from the fields `expect`, `refused` and `allowed`.
    fn read_claims(&mut self, f: &mut Fields<'_>) -> Result<(), DataError> {
        if let Some(node) = f.optional("expect") {
            self.expect = node.fields()?.all().to_vec();
        }
        self.refused = Probe::read(f, "refused", true)?;
        self.allowed = Probe::read(f, "allowed", false)?;
        if self.expect.is_empty() && self.refused.is_empty() && self.allowed.is_empty() {
            let what = "the vignette expects nothing: give it [expect], [[refused]] or [[allowed]]";
            return Err(self.at.wrong(what));
        }
        Ok(())
    }
}

impl Probe {
    fn read(f: &mut Fields<'_>, key: &'static str, with_rule: bool) -> Result<Vec<Self>, DataError> {
        let mut probes = Vec::new();
        for node in f.records(key)? {
            let mut f = node.fields()?;
            probes.push(Self {
                before: f.optional("before").map_or(Ok(false), Node::flag)?,
                action: f.required("action")?.clone(),
                rule: if with_rule {
                    let rule = f.required("rule")?;
                    rule_of(rule)?;
                    Some(rule.clone())
                } else {
                    None
                },
            });
            f.finish()?;
        }
        Ok(probes)
    }
}

impl Vignette {
    /// Reads a vignette.
    pub fn read(file: &str, text: &str) -> Result<Self, DataError> {
        let root = sheet::parse(file, text)?;
        let mut fields = root.fields()?;
        let game = fields.required("game")?.text()?.to_string();
        let rule = rule_of(fields.required("rule")?)?;
        let also = match fields.optional("also") {
            Some(list) => list.list()?.iter().map(rule_of).collect::<Result<_, _>>()?,
            None => Vec::new(),
        };
        let title = fields.required("title")?.text()?.to_string();
        let setup = fields.optional("setup").map(read_setup).transpose()?;
        let position = match fields.optional("setup") {
            Some(node) => node.clone(),
            None => fields.required("position")?.clone(),
        };
        position.fields()?;
        let act = |at: &Node| Act {
            at: at.clone(),
            dice: Vec::new(),
            draws: Vec::new(),
            actions: Vec::new(),
            expect: Vec::new(),
            refused: Vec::new(),
            allowed: Vec::new(),
        };
        let mut acts = Vec::new();
        for node in fields.records("act")? {
            let (mut act, mut f) = (act(node), node.fields()?);
            act.read_play(&mut f)?;
            act.read_claims(&mut f)?;
            f.finish()?;
            acts.push(act);
        }
        if acts.is_empty() {
            let mut only = act(&root);
            if let Some(play) = fields.optional("play") {
                only.at = play.clone();
                let mut f = play.fields()?;
                only.read_play(&mut f)?;
                f.finish()?;
            }
            only.read_claims(&mut fields)?;
            acts.push(only);
        }
        fields.finish()?;
        Ok(Self { game, rule, also, title, position, setup, acts })
    }

    /// All rules that it shows.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.rule.as_str()).chain(self.also.iter().map(String::as_str))
    }

    /// Stages the position of the vignette.
    pub fn stage<G: Game>(&self, game: &G) -> Result<G::Position, DataError> {
        if self.game != game.title().id {
            let what = format!("expected a vignette of `{}`, found one of `{}`", game.title().id, self.game);
            return Err(self.position.wrong(what));
        }
        if self.setup.is_some() {
            return Err(self.position.wrong("it begins with the set-up, which is played, not staged"));
        }
        let position = game.stage(&self.position)?;
        game.sound(&position).map_err(|e| self.position.wrong(format!("the position cannot exist: {e}")))?;
        Ok(position)
    }

    /// Who sits at its table: what its position says under `seats`, a number or names, or else the usual party of
    /// the first scenario.
    pub fn party(&self, title: &Title) -> SeatSet {
        let said = self.position.fields().ok().and_then(|mut fields| fields.optional("seats").cloned());
        let seats = said.as_ref().and_then(read_seats);
        title.set_up(&Wishes { seats, ..Wishes::default() }).unwrap_or_else(|_| title.usual_set_up()).party()
    }

    /// Plays the vignette, or says where it does not hold.
    pub fn play<G: Game>(&self, game: &G) -> Result<Played, DataError> {
        for rule in self.rules() {
            if game.title().ledger.find(rule).is_none() {
                let what = format!("rule {rule} is not in the ledger of {}", game.title().id);
                return Err(DataError::new(self.position.file(), 1, what));
            }
        }
        let mut set_up = Scribe::new(self.acts.first().map_or_else(Scripted::default, Act::script));
        let start = match &self.setup {
            None => self.stage(game)?,
            Some(wishes) => {
                let wrong = |e: crate::SetupError| self.position.wrong(e.to_string());
                let setup = game.title().set_up(wishes).map_err(wrong)?;
                let start = game.setup(&setup, &mut set_up).map_err(wrong)?;
                if let Some(trouble) = &set_up.fate.trouble {
                    return Err(self.position.wrong(trouble.clone()));
                }
                start
            }
        };
        let mut played = Played { frames: Vec::new(), journal: Vec::new(), cited: BTreeSet::new() };
        played.look(game, &start, "the position");
        let mut position = start;
        let mut journal = Journal::default();
        played.cited.extend(set_up.protocol.cited.iter().map(ToString::to_string));
        journal.extend(std::mem::take(&mut set_up.protocol.notes));
        // What the set-up has left of the first act's dice and draws.
        let mut script = Some(set_up.fate);
        for act in &self.acts {
            let script = script.take().unwrap_or_else(|| act.script());
            act.play(game, script, &mut position, &mut played, &mut journal)?;
        }
        played.journal = journal.read(Viewer::Umpire).map(|note| note.text.clone()).collect();
        Ok(played)
    }

    /// The rules that it claims to show and that were not at work when it was played.
    pub fn unproved<'a>(&'a self, played: &'a Played) -> impl Iterator<Item = &'a str> {
        self.rules().filter(|rule| !played.cited.contains(*rule))
    }
}

impl Played {
    /// Adds a picture of a position, and the rules that it names.
    fn look<G: Game>(&mut self, game: &G, position: &G::Position, deed: &str) {
        let scene = game.scene(&game.view(position, Viewer::Umpire));
        self.cited.extend(scene.prompt.iter().map(|prompt| prompt.rule.to_string()));
        self.cited.extend(game.outcome(position).map(|outcome| outcome.rule.to_string()));
        self.frames.push((deed.to_string(), scene));
    }
}

impl Act {
    /// Its dice and draws.
    fn script(&self) -> Scripted {
        Scripted {
            dice: self.dice.iter().copied().collect(),
            draws: self.draws.iter().cloned().collect(),
            trouble: None,
        }
    }

    fn play<G: Game>(
        &self,
        game: &G,
        script: Scripted,
        position: &mut G::Position,
        played: &mut Played,
        journal: &mut Journal,
    ) -> Result<(), DataError> {
        self.probe(game, position, true, played)?;
        let start = position.clone();
        let mut scribe = Scribe::new(script);
        for node in &self.actions {
            let (seat, action) = read_action(game, node)?;
            must_allow(game, position, seat, action, node)?;
            game.apply(position, seat, action, &mut scribe);
            if let Some(trouble) = &scribe.fate.trouble {
                return Err(node.wrong(trouble.clone()));
            }
            game.sound(position)
                .map_err(|e| node.wrong(format!("after this the position cannot exist: {e}")))?;
            played.look(game, position, node.text()?);
        }
        scribe.fate.finish().map_err(|what| self.at.wrong(what))?;
        played.cited.extend(scribe.protocol.cited.iter().map(ToString::to_string));
        journal.extend(scribe.protocol.notes);
        self.probe(game, position, false, played)?;
        for wanted in &self.expect {
            let found = game.fact(&start, position, wanted.name()).ok_or_else(|| {
                wanted.wrong(format!("unknown fact `{}`; known: {}", wanted.name(), game.facts()))
            })?;
            let expected = read_fact(wanted)?;
            if found != expected {
                return Err(wanted.wrong(format!("`{}`: expected {expected}, found {found}", wanted.name())));
            }
        }
        Ok(())
    }

    fn probe<G: Game>(
        &self,
        game: &G,
        position: &G::Position,
        before: bool,
        played: &mut Played,
    ) -> Result<(), DataError> {
        for probe in self.allowed.iter().filter(|p| p.before == before) {
            let (seat, action) = read_action(game, &probe.action)?;
            must_allow(game, position, seat, action, &probe.action)?;
        }
        for probe in self.refused.iter().filter(|p| p.before == before) {
            let Some(rule) = &probe.rule else { continue };
            let (seat, action) = read_action(game, &probe.action)?;
            let cited = why_refused(game, position, seat, action)
                .map_err(|e| probe.action.wrong(format!("must be refused, but {e}")))?;
            if cited.0 != rule.text()? {
                return Err(rule.wrong(format!(
                    "expected a refusal under {}, found one under {}: {}",
                    rule.text()?,
                    cited.0,
                    cited.1
                )));
            }
            played.cited.insert(cited.0);
        }
        Ok(())
    }
}

fn must_allow<G: Game>(
    game: &G,
    position: &G::Position,
    seat: Seat,
    action: G::Action,
    node: &Node,
) -> Result<(), DataError> {
    if game.deciding(position).contains(seat) && is_allowed(game, position, seat, action) {
        return Ok(());
    }
    let why =
        why_refused(game, position, seat, action).map_or_else(|e| e, |(rule, why)| format!("{why} [{rule}]"));
    Err(node.wrong(format!("`{}` is not possible: {why}", node.text()?)))
}

fn read_action<G: Game>(game: &G, node: &Node) -> Result<(Seat, G::Action), DataError> {
    let text = node.text()?;
    let (name, text) = text.split_once(": ").ok_or_else(|| node.expected("`SEAT: ACTION`"))?;
    let seat = game.title().seat_named(name).ok_or_else(|| {
        node.wrong(format!(
            "no seat is called `{name}`; the seats are {}",
            game.title().seat_names().join(", ")
        ))
    })?;
    let action = game.read(text.trim()).map_err(|e| node.wrong(format!("cannot read `{text}`: {e}")))?;
    Ok((seat, action))
}

/// The rule and reason of a refusal; an error if it is allowed after all, or not this seat's decision.
fn why_refused<G: Game>(
    game: &G,
    position: &G::Position,
    seat: Seat,
    action: G::Action,
) -> Result<(String, String), String> {
    if !game.deciding(position).contains(seat) {
        return Err(format!("it is not for {} to decide now", game.title().seat_name(seat)));
    }
    if is_allowed(game, position, seat, action) {
        return Err("it is allowed".to_string());
    }
    let mut ballot = Explained::default();
    game.options(position, seat, &mut ballot);
    if let Some(refusal) = ballot.refusals.into_iter().find(|r| r.action == action) {
        return Ok((refusal.rule.to_string(), refusal.why));
    }
    match game.scene(&game.view(position, Viewer::Seat(seat))).prompt {
        Some(prompt) => Ok((prompt.rule.to_string(), format!("not now; {}", prompt.text))),
        None => Err("nothing is to be decided".to_string()),
    }
}

fn read_fact(node: &Node) -> Result<Fact, DataError> {
    if let Ok(number) = node.number() {
        Ok(Fact::Number(number))
    } else if let Ok(flag) = node.flag() {
        Ok(Fact::Flag(flag))
    } else if let Ok(text) = node.text() {
        Ok(Fact::Text(text.to_string()))
    } else if let Ok(list) = node.list() {
        Ok(Fact::List(list.iter().map(read_fact).collect::<Result<_, _>>()?))
    } else {
        Err(node.expected("a number, a text, true, false, or a list of these"))
    }
}
