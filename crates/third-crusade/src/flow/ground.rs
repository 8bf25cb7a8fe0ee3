//! What can be told from the map: presence, control, Slots, open icons, tracks, supply, ports. Nothing of it is stored.

use table::{Id as _, Map, Set};

use crate::ThirdCrusade;
use crate::data::{Face, Presence, Quest, Shown, Sort};
use crate::ids::{
    Army, ICONS, Icon, Land, Leader, Owner, Piece, Region, SHAPES, SLOTS, Shape, Side, Slot, UNITS, Unit,
};
use crate::position::{Force, Open};

/// Who holds a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hold {
    /// This army controls it [glossary.control].
    Army(Army),
    /// Its partners are level: the alliance holds it, no player does.
    Tied(Side),
}

impl Hold {
    pub(crate) fn side(self) -> Side {
        match self {
            Self::Army(army) => army.side(),
            Self::Tied(side) => side,
        }
    }
}

impl ThirdCrusade {
    /// The side of a leader that shows.
    #[inline]
    pub(crate) fn face(&self, open: &Open, leader: Leader) -> &Face {
        &self.components.leaders[leader].faces[usize::from(open.flipped.has(leader))]
    }

    /// Whose leader it is.
    #[inline]
    pub(crate) fn leader_owner(&self, leader: Leader) -> Owner {
        self.components.leaders[leader].owner
    }

    /// Whose piece it is.
    #[inline]
    pub(crate) fn owner_of(&self, piece: Piece) -> Owner {
        match piece {
            Piece::Unit(owner, _) => owner,
            Piece::Leader(leader) => self.leader_owner(leader),
        }
    }

    /// The shape of a piece.
    #[inline]
    pub(crate) fn shape_of(&self, open: &Open, piece: Piece) -> Shape {
        match piece {
            Piece::Unit(_, unit) => unit.shape(),
            Piece::Leader(leader) => self.face(open, leader).shape,
        }
    }

    /// Whether a force holds a piece of an owner.
    #[inline]
    pub(crate) fn present(&self, force: &Force, owner: Owner) -> bool {
        force.units[owner] != [0; 3] || force.leaders.meets(self.components.leaders_of[owner])
    }

    /// Whether an army has a Unit or leader in a region [glossary.presence].
    #[inline]
    pub(crate) fn presence(&self, open: &Open, region: Region, army: Army) -> bool {
        self.present(&open.lands[region], army.owner())
    }

    /// Whether an alliance has a Unit or leader in a region.
    #[inline]
    pub(crate) fn side_presence(&self, open: &Open, region: Region, side: Side) -> bool {
        side.armies().iter().any(|army| self.presence(open, region, *army))
    }

    /// Units of an army in a force, Unit icons of its leaders counted among them.
    #[inline]
    fn weight(&self, open: &Open, force: &Force, army: Army) -> u8 {
        let leaders = force.leaders & self.components.leaders_of[army.owner()];
        let icons: u8 = leaders.iter().map(|l| self.face(open, l).units.iter().sum::<u8>()).sum();
        force.count(army.owner()) + icons
    }

    /// Who holds a region [glossary.control].
    #[inline]
    pub(crate) fn hold(&self, open: &Open, region: Region) -> Option<Hold> {
        let force = &open.lands[region];
        let mut best: Option<(u8, Hold)> = None;
        for army in open.table.party {
            if !self.present(force, army.owner()) {
                continue;
            }
            let weight = self.weight(open, force, army);
            best = match best {
                Some((most, hold)) if most > weight => Some((most, hold)),
                Some((most, _)) if most == weight => Some((most, Hold::Tied(army.side()))),
                _ => Some((weight, Hold::Army(army))),
            };
        }
        best.map(|(_, hold)| hold)
    }

    /// The army that controls a region.
    #[inline]
    pub(crate) fn control(&self, open: &Open, region: Region) -> Option<Army> {
        match self.hold(open, region)? {
            Hold::Army(army) => Some(army),
            Hold::Tied(_) => None,
        }
    }

    /// Pieces of a shape in a force.
    #[inline]
    pub(crate) fn of_shape(&self, open: &Open, force: &Force, shape: Shape) -> u8 {
        let units: u8 = force.units.values().iter().map(|units| units[shape as usize]).sum();
        if force.leaders.is_empty() {
            return units;
        }
        let [usual, turned] = &self.components.shaped;
        let flipped = force.leaders & open.flipped;
        let leaders =
            ((force.leaders - flipped) & usual[shape as usize]) | (flipped & turned[shape as usize]);
        units + leaders.len() as u8
    }

    /// Slots of a shape in a region that are not sabotaged [glossary.slots].
    #[inline]
    pub(crate) fn slots(&self, open: &Open, region: Region, shape: Shape) -> u8 {
        let barred = (open.works[region].sabotage & shape.slots()).count_ones() as u8;
        SLOTS[shape as usize] - barred
    }

    /// Free Slots of a shape in a region.
    #[inline]
    pub(crate) fn room(&self, open: &Open, region: Region, shape: Shape) -> u8 {
        let taken = self.of_shape(open, &open.lands[region], shape);
        self.slots(open, region, shape).saturating_sub(taken)
    }

    /// Whether a force finds Slots in a region.
    #[inline]
    pub(crate) fn fits(&self, open: &Open, region: Region, force: &Force) -> bool {
        SHAPES.iter().all(|s| self.of_shape(open, force, *s) <= self.room(open, region, *s))
    }

    /// What a Slot shows if nothing stands on it: its token, or else its printed icon.
    #[inline]
    pub(crate) fn slot_icon(&self, open: &Open, region: Region, slot: Slot) -> Option<Icon> {
        open.works[region].tokens[slot].or(self.components.regions[region].icons[slot])
    }

    /// The icons that lie open in a region: pieces stand on bare Slots first and cover in a fixed order [glossary.region].
    pub(crate) fn icons(&self, open: &Open, region: Region) -> [u8; 5] {
        let (sheet, works, force) =
            (&self.components.regions[region], &open.works[region], &open.lands[region]);
        // Mostly nothing has been laid there, and what is printed shows.
        let untouched = works.sabotage == 0 && works.tokens.values().iter().all(Option::is_none);
        let shown = if untouched {
            sheet.shown
        } else {
            let slots = Map::new(|slot| works.tokens[slot].or(sheet.icons[slot]));
            Shown::of(&slots, works.sabotage)
        };
        let mut open_icons = [0; 5];
        for shape in SHAPES {
            let bare = shown.bare[shape as usize];
            let mut covered = self.of_shape(open, force, shape).saturating_sub(bare);
            for (all, n) in open_icons.iter_mut().zip(shown.icons[shape as usize]) {
                let under = n.min(covered);
                covered -= under;
                *all += n - under;
            }
        }
        open_icons
    }

    /// Ports of a region that are not destroyed [glossary.destroyed-port].
    #[inline]
    pub(crate) fn ports(&self, open: &Open, region: Region) -> u8 {
        self.components.regions[region].ports - open.works[region].ruined
    }

    /// Whether a region is of a sort.
    #[inline]
    pub(crate) fn is(&self, open: &Open, region: Region, sort: Sort) -> bool {
        match sort {
            Sort::Region => true,
            Sort::City => self.components.cities.has(region),
            Sort::Desert => !self.components.cities.has(region),
            Sort::Port => self.ports(open, region) > 0,
            Sort::Mercantile => self.components.mercantile.has(region),
            Sort::Jerusalem => self.components.regions[region].land == Land::Jerusalem,
        }
    }

    /// Whether a region has the presence that an army's effect asks for.
    #[inline]
    pub(crate) fn meets(&self, open: &Open, region: Region, army: Army, presence: Presence) -> bool {
        match presence {
            Presence::Own => self.presence(open, region, army),
            Presence::Alliance => self.side_presence(open, region, army.side()),
            Presence::Control => self.control(open, region) == Some(army),
            Presence::Enemy => self.side_presence(open, region, army.side().other()),
            Presence::NoEnemy => !self.side_presence(open, region, army.side().other()),
            Presence::Any => true,
            Presence::Empty => {
                !self.side_presence(open, region, Side::Crusader)
                    && !self.side_presence(open, region, Side::Muslim)
            }
            Presence::Adjacent => {
                self.beside(open, region).iter().any(|near| self.presence(open, near, army))
            }
            Presence::Of(other) => self.presence(open, region, other),
        }
    }

    /// The regions next to one, of the boards in play [glossary.adjacent].
    #[inline]
    pub(crate) fn beside(&self, open: &Open, region: Region) -> Set<Region> {
        self.components.near[region] & open.table.ground
    }

    /// What an army has of an icon, up to the end of its track [3.6].
    pub(crate) fn track(&self, open: &Open, army: Army, icon: Icon) -> u8 {
        let mut sum = if icon == Icon::Command { open.bonus[army] } else { 0 };
        for (region, force) in open.lands.iter() {
            if force.is_empty() {
                continue;
            }
            let own = force.leaders & self.components.leaders_of[army.owner()];
            sum += own.iter().map(|l| self.face(open, l).icons[icon as usize]).sum::<u8>();
            if self.presence(open, region, army) && self.control(open, region) == Some(army) {
                let white = force.leaders & self.components.leaders_of[Owner::neutral()];
                sum += white.iter().map(|l| self.face(open, l).icons[icon as usize]).sum::<u8>();
                sum += self.icons(open, region)[icon as usize];
            }
        }
        if icon == Icon::Glory { sum } else { sum.min(self.components.figures.tracks[icon as usize]) }
    }

    /// The four tracks of an army: command, crown, supply, gold.
    pub(crate) fn tracks(&self, open: &Open, army: Army) -> [u8; 4] {
        [Icon::Command, Icon::Crown, Icon::Supply, Icon::Gold].map(|icon| self.track(open, army, icon))
    }

    /// The supply that the open Sections of an army ask for [5.4a].
    pub(crate) fn need(&self, open: &Open, army: Army) -> u8 {
        UNITS.iter().map(|unit| self.section_need(*unit, open.off_board(army, *unit))).sum()
    }

    /// The supply that so many Units of a kind ask for.
    #[inline]
    pub(crate) fn section_need(&self, unit: Unit, off: u8) -> u8 {
        let (size, supply) = self.components.figures.sections[unit as usize];
        off.div_ceil(size) * supply
    }

    /// Units of a kind left on an army's board.
    #[inline]
    pub(crate) fn in_pool(&self, open: &Open, army: Army, unit: Unit) -> u8 {
        self.components.armies[army].pool[unit as usize].saturating_sub(open.off_board(army, unit))
    }

    /// Whether a region counts for a mission [5.1].
    pub(crate) fn counts_for(&self, open: &Open, region: Region, quest: Quest) -> bool {
        match quest {
            Quest::Sort(sort) => self.is(open, region, sort),
            Quest::Icon(icon) => self.icons(open, region)[icon as usize] > 0,
        }
    }

    /// How many mercantile cities an army controls.
    pub(crate) fn markets(&self, open: &Open, army: Army) -> i8 {
        let own = |r: &Region| self.control(open, *r) == Some(army);
        (self.components.mercantile & open.table.ground).iter().filter(own).count() as i8
    }

    /// Whether one token more of an icon finds a Slot in a region [glossary.resources], and which.
    pub(crate) fn token_slot(&self, open: &Open, region: Region, icon: Icon) -> Option<Slot> {
        let shape = self.components.figures.tokens[icon as usize];
        if self.room(open, region, shape) == 0 {
            return None;
        }
        let works = &open.works[region];
        let free = |slot: &Slot| {
            shape.slots() & !works.sabotage & (1 << slot.number()) != 0 && works.tokens[*slot].is_none()
        };
        let printed = &self.components.regions[region].icons;
        // A bare Slot, else over the printed icon that pieces would cover first.
        Slot::all().filter(free).min_by_key(|slot| printed[*slot].map_or(0, |icon| 1 + icon as u8))
    }

    /// How many tokens of an icon lie in a region.
    #[inline]
    pub(crate) fn tokens(&self, open: &Open, region: Region, icon: Icon) -> u8 {
        open.works[region].tokens.values().iter().filter(|token| **token == Some(icon)).count() as u8
    }

    /// The Slots of a region that Sabotage could be laid on, one of those that are alike [glossary.sabotage].
    pub(crate) fn sabotage_slots(&self, open: &Open, region: Region) -> Set<Slot> {
        let mut slots = Set::NONE;
        if self.components.regions[region].land == Land::Jerusalem {
            return slots;
        }
        for shape in SHAPES {
            if self.room(open, region, shape) == 0 {
                continue;
            }
            // Bare, or by what they show and whether it is printed.
            let mut seen = [false; 11];
            for slot in Slot::all().filter(|slot| shape.slots() >> slot.number() & 1 == 1) {
                if open.works[region].sabotage >> slot.number() & 1 == 1 {
                    continue;
                }
                let token = open.works[region].tokens[slot].is_some();
                let class = match self.slot_icon(open, region, slot) {
                    None => 0,
                    Some(icon) => 1 + icon as usize + if token { ICONS.len() } else { 0 },
                };
                if !std::mem::replace(&mut seen[class], true) {
                    slots.insert(slot);
                }
            }
        }
        slots
    }

    /// The Slots of a region from which Sabotage could be removed, one of those that are alike.
    pub(crate) fn repair_slots(&self, open: &Open, region: Region) -> Set<Slot> {
        let mut slots = Set::NONE;
        let mut seen = [[false; 6]; 3];
        for slot in Slot::all().filter(|slot| open.works[region].sabotage >> slot.number() & 1 == 1) {
            let class = self.slot_icon(open, region, slot).map_or(0, |icon| 1 + icon as usize);
            if !std::mem::replace(&mut seen[Shape::of(slot) as usize][class], true) {
                slots.insert(slot);
            }
        }
        slots
    }
}
