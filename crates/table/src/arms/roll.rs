//! Rolls of arms: who bears what, read from a file such as `arms.toml`.
//!
//! A coat is borne by name, or by the units of a house. What a game calls its people and units is the file's
//! matter; this module only looks it up, and sees that nobody has two coats.

use std::collections::BTreeMap;

use super::Arms;
use crate::sheet::{self, DataError, Node};

/// What we know of a coat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Borne or shown in its time or within a generation.
    Historical,
    /// Given by later tradition.
    Attributed,
    /// Ours, and plausible.
    Invented,
}

/// A coat of the roll.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coat {
    /// Its key in the roll.
    pub key: String,
    /// The arms.
    pub arms: Arms,
    /// What we know of them.
    pub status: Status,
    /// The family, dynasty or power it belongs to.
    pub house: Option<String>,
    /// It varies another coat of its house.
    pub differenced: bool,
    /// It breaks the rule of tincture, and is meant to.
    pub exception: bool,
    /// The games in which it is borne, by name or through a house.
    pub games: Vec<String>,
    /// Who bears it, by game.
    pub names: BTreeMap<String, Vec<String>>,
    /// Why these arms.
    pub note: String,
}

/// A power, order, dynasty or lordship.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct House {
    /// Its name.
    pub name: String,
    /// The key of the coat that its units and places bear.
    pub arms: String,
    /// Which units, by game: names of units, or kinds such as `power:templars`.
    pub units: BTreeMap<String, Vec<String>>,
    /// A remark.
    pub note: Option<String>,
}

/// A roll of arms.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Roll {
    coats: Vec<Coat>,
    houses: Vec<House>,
    /// By game: whose own coat it is, as a place in `coats`.
    own: BTreeMap<String, BTreeMap<String, usize>>,
    /// By game: the coat of the house that a unit is in.
    through: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Roll {
    /// Reads a roll. Nothing that is wrong with it passes: the error has file and line.
    pub fn read(file: &str, text: &str) -> Result<Self, DataError> {
        let mut roll = Self::default();
        let node = sheet::parse(file, text)?;
        let mut fields = node.fields()?;
        let coats = fields.required("arms")?.fields()?.all();
        let houses = fields.required("house")?.fields()?.all();
        fields.finish()?;
        let known = |name: &str| houses.iter().any(|house| house.name() == name);
        for node in coats {
            let coat = read_coat(node, known)?;
            let place = roll.coats.len();
            bear(&mut roll.own, node, &coat.names, place)?;
            roll.coats.push(coat);
        }
        for node in houses {
            let (house, place) = roll.read_house(node)?;
            bear(&mut roll.through, node, &house.units, place)?;
            roll.houses.push(house);
        }
        for (coat, node) in roll.coats.iter().zip(coats) {
            roll.check_games(coat, node)?;
        }
        Ok(roll)
    }

    /// All coats, in the order of the file.
    pub fn coats(&self) -> &[Coat] {
        &self.coats
    }

    /// All houses, in the order of the file.
    pub fn houses(&self) -> &[House] {
        &self.houses
    }

    /// The coat under a key.
    pub fn coat(&self, key: &str) -> Option<&Coat> {
        self.coats.iter().find(|coat| coat.key == key)
    }

    /// A house by its name.
    pub fn house(&self, name: &str) -> Option<&House> {
        self.houses.iter().find(|house| house.name == name)
    }

    /// The coat of a house.
    pub fn of_house(&self, name: &str) -> Option<&Coat> {
        self.coat(&self.house(name)?.arms)
    }

    /// The coat that somebody of a game bears: his own; else that of the house that names him; else that of
    /// the first of his `kinds` (`contingent:crusader`, `power:templars`, `place:Acre`) that a house has.
    pub fn bears(&self, game: &str, name: &str, kinds: &[&str]) -> Option<&Coat> {
        let through = |unit: &&str| self.through.get(game)?.get(*unit);
        let own = self.own.get(game).and_then(|own| own.get(name));
        let place = own.or_else(|| std::iter::once(&name).chain(kinds).find_map(through))?;
        self.coats.get(*place)
    }

    fn read_house(&self, node: &Node) -> Result<(House, usize), DataError> {
        let mut fields = node.fields()?;
        let arms = fields.required("arms")?;
        let key = arms.text()?.to_string();
        let place = self.coats.iter().position(|coat| coat.key == key);
        let place = place.ok_or_else(|| arms.expected("the key of a coat of this file"))?;
        let units = fields.optional("units").map_or(Ok(BTreeMap::new()), lists)?;
        let note = fields.optional("note").map(Node::text).transpose()?.map(str::to_string);
        fields.finish()?;
        Ok((House { name: node.name().to_string(), arms: key, units, note }, place))
    }

    /// The games that a coat tells are those in which somebody bears it.
    fn check_games(&self, coat: &Coat, node: &Node) -> Result<(), DataError> {
        let houses = self.houses.iter().filter(|house| house.arms == coat.key);
        let mut borne: Vec<&String> = coat.names.keys().chain(houses.flat_map(|h| h.units.keys())).collect();
        borne.sort();
        borne.dedup();
        let mut told: Vec<&String> = coat.games.iter().collect();
        told.sort();
        if told != borne {
            let list = |games: &[&String]| match games {
                [] => "none".to_string(),
                _ => games.iter().map(|g| g.as_str()).collect::<Vec<_>>().join(", "),
            };
            let what = format!("games of {}: found {}, borne in {}", coat.key, list(&told), list(&borne));
            return Err(node.wrong(what));
        }
        if borne.is_empty() {
            return Err(node.wrong(format!("nobody bears the arms of {}", coat.key)));
        }
        Ok(())
    }
}

const STATUS: [(&str, Status); 3] =
    [("historical", Status::Historical), ("attributed", Status::Attributed), ("invented", Status::Invented)];

fn read_coat(node: &Node, known_house: impl Fn(&str) -> bool) -> Result<Coat, DataError> {
    let mut fields = node.fields()?;
    let blazon = fields.required("blazon")?;
    let text = blazon.text()?;
    let arms = Arms::read(text).map_err(|e| blazon.wrong(format!("the blazon \"{text}\": {e}")))?;
    let status = fields.required("status")?.one_of(&STATUS)?;
    let house = match fields.optional("house") {
        Some(house) if !known_house(house.text()?) => {
            return Err(house.expected("the name of a house of this file"));
        }
        Some(house) => Some(house.text()?.to_string()),
        None => None,
    };
    let mut flag = |key| fields.optional(key).map_or(Ok(false), Node::flag);
    let (differenced, exception) = (flag("differenced")?, flag("exception")?);
    let games = fields.required("games")?.texts()?;
    let names = fields.optional("names").map_or(Ok(BTreeMap::new()), lists)?;
    let note = fields.required("note")?.text()?.to_string();
    fields.finish()?;
    let breaches = arms.breaches();
    if exception && breaches.is_empty() {
        return Err(blazon.wrong(format!("`exception`, but \"{text}\" breaks no rule of tincture")));
    }
    if !exception && !breaches.is_empty() {
        let breaches = breaches.join("; ");
        let what = format!(
            "\"{text}\" breaks the rule of tincture: {breaches}; expected metal on colour, colour on metal, or `exception = true`"
        );
        return Err(blazon.wrong(what));
    }
    if differenced && house.is_none() {
        return Err(node.wrong(format!("`{}` is differenced, but has no house", node.name())));
    }
    let key = node.name().to_string();
    Ok(Coat { key, arms, status, house, differenced, exception, games, names, note })
}

/// A table of lists of names, by game.
fn lists(node: &Node) -> Result<BTreeMap<String, Vec<String>>, DataError> {
    let games = node.fields()?.all().iter();
    games.map(|game| Ok((game.name().to_string(), game.texts()?))).collect()
}

/// Notes who bears a coat; nobody bears two.
fn bear(
    borne: &mut BTreeMap<String, BTreeMap<String, usize>>,
    node: &Node,
    lists: &BTreeMap<String, Vec<String>>,
    place: usize,
) -> Result<(), DataError> {
    for (game, names) in lists {
        let bearers = borne.entry(game.clone()).or_default();
        for name in names {
            if bearers.insert(name.clone(), place).is_some() {
                let what = format!("{name} of {game} stands in {} and elsewhere, expected once", node.name());
                return Err(node.wrong(what));
            }
        }
    }
    Ok(())
}
