//! The components: the ground, its keeps and homes, read and checked once.

use table::hex::Hex;
use table::sheet::{self, DataError, Node};
use table::{DataFiles, Id as _, MOST_SEATS, Map, Seat};

table::ids! {
    /// A keep.
    pub struct Keep: 4 in u64;
}

/// The components.
#[derive(Clone, Debug)]
pub struct Components {
    /// How far the ground reaches from its middle.
    pub radius: u16,
    /// Name and hex of each keep.
    pub keeps: Map<Keep, (String, Hex)>,
    /// Where each captain is at home, by seat.
    pub homes: [Hex; MOST_SEATS],
}

impl Components {
    pub(crate) fn read(files: &DataFiles) -> Result<Self, DataError> {
        let root = sheet::parse("map.toml", files.text("map.toml"))?;
        let mut fields = root.sourced()?;
        let radius = fields.required("radius")?.number_in(2..=9)? as u16;
        let mut keeps = Vec::new();
        for node in fields.records("keep")? {
            let mut f = node.fields()?;
            let name = f.required("name")?.text()?.to_string();
            keeps.push((name, read_hex(f.required("hex")?, radius)?));
            f.finish()?;
        }
        let mut homes = Vec::new();
        for node in fields.records("home")? {
            let mut f = node.fields()?;
            let hex = read_hex(f.required("hex")?, radius)?;
            if homes.contains(&hex) || keeps.iter().any(|(_, keep)| *keep == hex) {
                return Err(node.wrong("something else stands on this hex"));
            }
            homes.push(hex);
            f.finish()?;
        }
        fields.finish()?;
        if keeps.len() != Keep::COUNT {
            return Err(root.wrong(format!("expected {} keeps, found {}", Keep::COUNT, keeps.len())));
        }
        let found = homes.len();
        let homes = homes
            .try_into()
            .map_err(|_| root.wrong(format!("expected {MOST_SEATS} homes, found {found}")))?;
        Ok(Self { radius, keeps: Map::new(|keep: Keep| keeps[keep.number()].clone()), homes })
    }

    /// Whether a hex is part of the ground.
    pub fn has(&self, hex: Hex) -> bool {
        hex.distance(Hex::ORIGIN) <= self.radius.into()
    }

    /// The keep on a hex.
    pub fn keep_at(&self, hex: Hex) -> Option<Keep> {
        self.keeps.iter().find(|(_, (_, at))| *at == hex).map(|(keep, _)| keep)
    }

    /// Where a captain is at home.
    pub fn home(&self, seat: Seat) -> Hex {
        self.homes[seat.index()]
    }

    /// What a hex is called: the keep on it, or its coordinates.
    pub fn place(&self, hex: Hex) -> String {
        match self.keep_at(hex) {
            Some(keep) => self.keeps[keep].0.clone(),
            None => format!("hex {}/{}", hex.q, hex.r),
        }
    }
}

/// Reads `[q, r]`, a hex of the ground.
pub(crate) fn read_hex(node: &Node, radius: u16) -> Result<Hex, DataError> {
    let expected = || node.expected(&format!("`[q, r]`, a hex at most {radius} from the middle"));
    let [q, r] = node.list()? else { return Err(expected()) };
    let number = |node: &Node| i16::try_from(node.number()?).map_err(|_| expected());
    let hex = Hex::new(number(q)?, number(r)?);
    if hex.distance(Hex::ORIGIN) <= radius.into() { Ok(hex) } else { Err(expected()) }
}
