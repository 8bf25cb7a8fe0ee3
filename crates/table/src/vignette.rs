//! Vignettes: small positions that show one rule at work.
//!
//! A vignette is a TOML file: a position, the dice and draws to come, a few actions, what must be true after
//! them, and what must be refused under which rule. The keys under `[position]` and `[expect]` are each
//! game's own ([`Game::stage`], [`Game::fact`]); everything else is shared.

use crate::ballot::Explained;
use crate::game::{Fact, Game};
use crate::journal::Journal;
use crate::matches::is_allowed;
use crate::rule::Rule;
use crate::scene::Scene;
use crate::seat::{Seat, Viewer};
use crate::sheet::{self, DataError, Node};
use crate::title::Title;
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
    position: Node,
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
}

impl Vignette {
    /// Reads a vignette.
    pub fn read(file: &str, text: &str) -> Result<Self, DataError> {
        let root = sheet::parse(file, text)?;
        let mut fields = root.fields()?;
        let rule_of = |node: &Node| -> Result<String, DataError> {
            let rule = node.text()?;
            if Rule::well_formed(rule) {
                Ok(rule.to_string())
            } else {
                Err(node.expected("a rule number such as 6.32"))
            }
        };
        let game = fields.required("game")?.text()?.to_string();
        let rule = rule_of(fields.required("rule")?)?;
        let also = match fields.optional("also") {
            Some(list) => list.list()?.iter().map(rule_of).collect::<Result<_, _>>()?,
            None => Vec::new(),
        };
        let title = fields.required("title")?.text()?.to_string();
        let position = fields.required("position")?.clone();
        position.fields()?;
        let (mut dice, mut draws, mut actions) = (Vec::new(), Vec::new(), Vec::new());
        if let Some(play) = fields.optional("play") {
            let mut f = play.fields()?;
            if let Some(node) = f.optional("dice") {
                for die in node.list()? {
                    dice.push(die.number_in(1..=100)? as u8);
                }
            }
            if let Some(node) = f.optional("draws") {
                draws = node.texts()?;
            }
            if let Some(node) = f.optional("actions") {
                actions = node.list()?.to_vec();
            }
            f.finish()?;
        }
        let expect = match fields.optional("expect") {
            Some(node) => node.fields()?.all().to_vec(),
            None => Vec::new(),
        };
        let mut probes = |key: &str, with_rule: bool| -> Result<Vec<Probe>, DataError> {
            let mut probes = Vec::new();
            for node in fields.records(key)? {
                let mut f = node.fields()?;
                probes.push(Probe {
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
        };
        let refused = probes("refused", true)?;
        let allowed = probes("allowed", false)?;
        fields.finish()?;
        if expect.is_empty() && refused.is_empty() && allowed.is_empty() {
            return Err(
                root.wrong("the vignette expects nothing: give it [expect], [[refused]] or [[allowed]]")
            );
        }
        Ok(Self { game, rule, also, title, position, dice, draws, actions, expect, refused, allowed })
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
        let position = game.stage(&self.position)?;
        game.sound(&position).map_err(|e| self.position.wrong(format!("the position cannot exist: {e}")))?;
        Ok(position)
    }

    /// How many seats its table has: what its position says under `seats`, or else the fewest.
    pub fn seats(&self, title: &Title) -> usize {
        let said = self.position.fields().ok().and_then(|mut fields| fields.optional("seats")?.number().ok());
        said.and_then(|seats| usize::try_from(seats).ok()).unwrap_or(title.least_seats.into())
    }

    /// Plays the vignette, or says where it does not hold.
    pub fn play<G: Game>(&self, game: &G) -> Result<Played, DataError> {
        for rule in self.rules() {
            if game.title().ledger.find(rule).is_none() {
                let what = format!("rule {rule} is not in the ledger of {}", game.title().id);
                return Err(DataError::new(self.position.file(), 1, what));
            }
        }
        let start = self.stage(game)?;
        let picture = |position: &G::Position| game.scene(&game.view(position, Viewer::Umpire));
        let mut played =
            Played { frames: vec![("the position".to_string(), picture(&start))], journal: Vec::new() };
        self.probe(game, &start, true)?;
        let mut position = start.clone();
        let mut scribe = Scribe::new(Scripted {
            dice: self.dice.iter().copied().collect(),
            draws: self.draws.iter().cloned().collect(),
            trouble: None,
        });
        for node in &self.actions {
            let (seat, action) = self.read_action(game, node)?;
            self.must_allow(game, &position, seat, action, node)?;
            game.apply(&mut position, seat, action, &mut scribe);
            if let Some(trouble) = &scribe.fate.trouble {
                return Err(node.wrong(trouble.clone()));
            }
            game.sound(&position)
                .map_err(|e| node.wrong(format!("after this the position cannot exist: {e}")))?;
            played.frames.push((node.text()?.to_string(), picture(&position)));
        }
        scribe.fate.finish().map_err(|what| self.position.wrong(what))?;
        self.probe(game, &position, false)?;
        for wanted in &self.expect {
            let found = game.fact(&start, &position, wanted.name()).ok_or_else(|| {
                wanted.wrong(format!("unknown fact `{}`; known: {}", wanted.name(), game.facts()))
            })?;
            let expected = read_fact(wanted)?;
            if found != expected {
                return Err(wanted.wrong(format!("`{}`: expected {expected}, found {found}", wanted.name())));
            }
        }
        let mut journal = Journal::default();
        journal.extend(scribe.protocol.notes);
        played.journal = journal.read(Viewer::Umpire).map(|line| line.text).collect();
        Ok(played)
    }

    fn probe<G: Game>(&self, game: &G, position: &G::Position, before: bool) -> Result<(), DataError> {
        for probe in self.allowed.iter().filter(|p| p.before == before) {
            let (seat, action) = self.read_action(game, &probe.action)?;
            self.must_allow(game, position, seat, action, &probe.action)?;
        }
        for probe in self.refused.iter().filter(|p| p.before == before) {
            let Some(rule) = &probe.rule else { continue };
            let (seat, action) = self.read_action(game, &probe.action)?;
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
        }
        Ok(())
    }

    fn must_allow<G: Game>(
        &self,
        game: &G,
        position: &G::Position,
        seat: Seat,
        action: G::Action,
        node: &Node,
    ) -> Result<(), DataError> {
        if game.deciding(position).contains(seat) && is_allowed(game, position, seat, action) {
            return Ok(());
        }
        let why = why_refused(game, position, seat, action)
            .map_or_else(|e| e, |(rule, why)| format!("{why} [{rule}]"));
        Err(node.wrong(format!("`{}` is not possible: {why}", node.text()?)))
    }

    fn read_action<G: Game>(&self, game: &G, node: &Node) -> Result<(Seat, G::Action), DataError> {
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
