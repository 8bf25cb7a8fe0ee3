//! The components of Ten Towns, read and checked once.

use crate::sheet::{self, DataError};
use crate::{DataFiles, Seat};

/// How many towns there are.
pub const TOWNS: usize = 10;
/// How many blocks there are.
pub const BLOCKS: usize = 12;
/// The most roads that the map may have.
pub const ROADS: usize = 20;

/// A town.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Town {
    pub(super) name: String,
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) home: Option<Seat>,
    pub(super) prize: bool,
    /// Neighbours: the town and the number of the road.
    pub(super) roads: Vec<(u8, u8)>,
}

/// A block as its label shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    pub(super) name: String,
    pub(super) side: Seat,
    /// 0 for A, 1 for B, 2 for C.
    pub(super) letter: u8,
    pub(super) fire: u8,
    pub(super) steps: u8,
    pub(super) start: u8,
}

/// All components.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Components {
    pub(super) towns: Vec<Town>,
    pub(super) blocks: Vec<Label>,
    pub(super) roads: usize,
}

/// The two sides, by name.
pub(super) const SIDES: [(&str, Seat); 2] = [("Red", Seat::new(0)), ("Blue", Seat::new(1))];

impl Components {
    /// Reads and checks the data files.
    pub fn read(files: &DataFiles) -> Result<Self, DataError> {
        let mut this = Self { towns: Vec::new(), blocks: Vec::new(), roads: 0 };
        this.read_towns(files.text("towns.toml"))?;
        this.read_blocks(files.text("blocks.toml"))?;
        Ok(this)
    }

    fn read_towns(&mut self, text: &str) -> Result<(), DataError> {
        let root = sheet::parse("towns.toml", text)?;
        let mut fields = root.fields()?;
        fields.required("source")?.text()?;
        for node in fields.records("town")? {
            let mut f = node.fields()?;
            let name = f.required("name")?;
            let town = Town {
                name: name.text()?.to_string(),
                x: f.required("x")?.number_in(0..=1000)? as i32,
                y: f.required("y")?.number_in(0..=700)? as i32,
                home: f.optional("home").map(|n| n.one_of(&SIDES)).transpose()?,
                prize: f.optional("prize").map_or(Ok(false), |n| n.flag())?,
                roads: Vec::new(),
            };
            f.finish()?;
            if town.name.is_empty() || town.name.contains([' ', '>', '~']) {
                return Err(name.expected("a name without spaces"));
            }
            if self.town(&town.name).is_some() {
                return Err(name.wrong(format!("there are two towns called {}", town.name)));
            }
            self.towns.push(town);
        }
        if self.towns.len() != TOWNS {
            return Err(root.wrong(format!("expected {TOWNS} towns, found {}", self.towns.len())));
        }
        for node in fields.required("roads")?.fields()?.all() {
            let unknown = |name: &str| node.wrong(format!("no town is called {name}"));
            let from = self.town(node.name()).ok_or_else(|| unknown(node.name()))?;
            for end in node.list()? {
                let to = self
                    .town(end.text()?)
                    .ok_or_else(|| end.wrong(format!("no town is called {}", end.found())))?;
                if from == to || self.road(from, to).is_some() {
                    return Err(end.wrong("a road leads to another town, and only one leads there"));
                }
                if self.roads == ROADS {
                    return Err(end.wrong(format!("expected at most {ROADS} roads")));
                }
                let road = self.roads as u8;
                self.towns[usize::from(from)].roads.push((to, road));
                self.towns[usize::from(to)].roads.push((from, road));
                self.roads += 1;
            }
        }
        fields.finish()?;
        if let Some(town) = self.towns.iter().find(|t| t.roads.is_empty()) {
            return Err(root.wrong(format!("no road leads to {}", town.name)));
        }
        Ok(())
    }

    fn read_blocks(&mut self, text: &str) -> Result<(), DataError> {
        let root = sheet::parse("blocks.toml", text)?;
        let mut fields = root.fields()?;
        fields.required("source")?.text()?;
        for node in fields.records("block")? {
            let mut f = node.fields()?;
            let (name, start) = (f.required("name")?, f.required("start")?);
            let block = Label {
                name: name.text()?.to_string(),
                side: f.required("side")?.one_of(&SIDES)?,
                letter: f.required("letter")?.one_of(&[("A", 0), ("B", 1), ("C", 2)])?,
                fire: f.required("fire")?.number_in(1..=6)? as u8,
                steps: f.required("steps")?.number_in(1..=4)? as u8,
                start: self.town(start.text()?).ok_or_else(|| start.expected("the name of a town"))?,
            };
            f.finish()?;
            if block.name.is_empty()
                || block.name.contains([' ', '>', '~', ')'])
                || self.block(&block.name).is_some()
            {
                return Err(name.expected("a new name without spaces"));
            }
            self.blocks.push(block);
        }
        fields.finish()?;
        let half = self.blocks.iter().filter(|b| b.side == SIDES[0].1).count();
        if self.blocks.len() != BLOCKS || half * 2 != BLOCKS {
            return Err(
                root.wrong(format!("expected six blocks a side, found {half} of {}", self.blocks.len()))
            );
        }
        for block in &self.blocks {
            if self.blocks.iter().any(|b| b.start == block.start && b.side != block.side) {
                return Err(
                    root.wrong(format!("both sides start in {}", self.towns[usize::from(block.start)].name))
                );
            }
        }
        Ok(())
    }

    /// The town with this name.
    pub(super) fn town(&self, name: &str) -> Option<u8> {
        self.towns.iter().position(|t| t.name == name).map(|i| i as u8)
    }

    /// The block with this name.
    pub(super) fn block(&self, name: &str) -> Option<u8> {
        self.blocks.iter().position(|b| b.name == name).map(|i| i as u8)
    }

    /// The road between two towns.
    pub(super) fn road(&self, from: u8, to: u8) -> Option<u8> {
        self.towns[usize::from(from)].roads.iter().find(|(t, _)| *t == to).map(|(_, road)| *road)
    }
}
