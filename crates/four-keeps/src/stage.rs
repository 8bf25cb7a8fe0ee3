//! Positions of vignettes, what they ask about, and what cannot be.

use arrayvec::ArrayVec;
use table::rooms::*;
use table::sheet::{DataError, Node};
use table::{Fact, Id as _, MOST_SEATS, Seat, SetupError, Silent, Viewer, Wishes};

use crate::FourKeeps;
use crate::data::{Keep, read_hex};
use crate::position::{Battle, MARCH, MEN, Position, Step, side};

impl Staged for FourKeeps {
    fn sound(&self, p: &Position) -> Result<(), String> {
        for seat in p.open.party.iter() {
            let (name, captain) = (self.title.seat_name(seat), p.open.captain(seat));
            if captain.men > MEN || p.hidden.wards[seat.index()] > captain.cards {
                return Err(format!("{name} has {} men, {} cards", captain.men, captain.cards));
            }
            if captain.men == 0 && captain.at.is_some() {
                return Err(format!("{name} is out and stands on the ground"));
            }
            let Some(at) = captain.at else { continue };
            if !self.components.has(at) {
                return Err(format!("{name} stands beyond the edge"));
            }
            if p.open.on(at).without(seat).iter().any(|other| side(other) == side(seat)) {
                return Err(format!("{name} shares a hex with a friend"));
            }
        }
        Ok(())
    }

    /// Keys: `seats` (a number or names), `turn`, `captains` (name = `[q, r]`), `men`, `wards` and `cards` (name =
    /// number), `held` (keep = 0 or 1), and what goes on: `march` (names in their order) or `battles` (pairs of
    /// names); else all bid.
    fn stage(&self, sheet: &Node) -> Result<Position, DataError> {
        let mut f = sheet.fields()?;
        let seats = f.optional("seats").map(|node| match node.number() {
            Ok(count) => table::Seats::Count(count.clamp(0, 255) as u8),
            Err(_) => table::Seats::Named(node.texts().unwrap_or_default()),
        });
        let wrong = |e: SetupError| sheet.wrong(e.to_string());
        let setup = self.title.set_up(&Wishes { seats, ..Wishes::default() }).map_err(wrong)?;
        let mut p = self.setup(&setup, &mut Silent::new(1)).map_err(wrong)?;
        p.hidden.wards = [0; MOST_SEATS];
        if let Some(node) = f.optional("turn") {
            p.open.turn = node.number_in(1..=6)? as u8;
        }
        for (key, most) in [("men", 4), ("cards", 2), ("wards", 2), ("fame", 20)] {
            for node in f.optional(key).map_or(Ok(Vec::new()), |n| n.fields().map(|f| f.all().to_vec()))? {
                let (seat, number) = (self.captain(&node, node.name())?, node.number_in(0..=most)? as u8);
                let captain = &mut p.open.captains[seat.index()];
                match key {
                    "men" => captain.men = number,
                    "cards" => captain.cards = number,
                    "fame" => captain.fame = number,
                    _ => p.hidden.wards[seat.index()] = number,
                }
                if captain.men == 0 {
                    captain.at = None;
                }
            }
        }
        for node in f.optional("captains").map_or(Ok(Vec::new()), |n| n.fields().map(|f| f.all().to_vec()))? {
            let seat = self.captain(&node, node.name())?;
            p.open.captains[seat.index()].at = Some(read_hex(&node, self.components.radius)?);
        }
        for node in f.optional("held").map_or(Ok(Vec::new()), |n| n.fields().map(|f| f.all().to_vec()))? {
            let keep = self.components.keeps.iter().find(|(_, (name, _))| name == node.name());
            let (keep, _) = keep.ok_or_else(|| node.wrong(format!("no keep is called `{}`", node.name())))?;
            p.open.held[keep] = Some(node.number_in(0..=1)? as u8);
        }
        if let Some(node) = f.optional("march") {
            let order = node
                .texts()?
                .iter()
                .map(|name| self.captain(node, name))
                .collect::<Result<ArrayVec<_, 8>, _>>()?;
            p.open.step = Step::March { order, left: MARCH };
        }
        for node in f.optional("battles").map_or(Ok(&[][..]), Node::list)? {
            let [one, two] = &node.texts()?[..] else { return Err(node.expected("two captains")) };
            let (one, two) = (self.captain(node, one)?, self.captain(node, two)?);
            let at = p
                .open
                .captain(one)
                .at
                .filter(|at| p.open.captain(two).at == Some(*at) && side(one) != side(two));
            let at = at.ok_or_else(|| node.wrong("these do not stand against each other"))?;
            p.open.battles.push(Battle {
                at,
                sides: if one < two { [one, two] } else { [two, one] },
                asked: None,
            });
            p.open.step = Step::Battles;
        }
        f.finish()?;
        Ok(p)
    }

    fn fact(&self, _: &Position, after: &Position, key: &str) -> Option<Fact> {
        if let Some(seat) = self.title.seat_named(key) {
            let captain = after.open.captain(seat);
            let place = captain.at.map_or_else(|| "away".into(), |at| self.components.place(at));
            return Some(format!("{place}, {} men", captain.men).as_str().into());
        }
        if let Some((keep, _)) = self.components.keeps.iter().find(|(_, (name, _))| name == key) {
            return Some(after.open.held[keep].map_or(-1, i64::from).into());
        }
        let names = |seats: table::SeatSet| self.title.party_names(seats).as_str().into();
        Some(match key {
            "deciding" => names(self.deciding(after)),
            "windows" => names(self.deciding(after).iter().filter(|s| self.window(after, *s)).collect()),
            "turn" => i64::from(after.open.turn).into(),
            "keeps" => {
                Keep::all().map(|keep| after.open.held[keep].map_or(-1, i64::from)).sum::<i64>().into()
            }
            "outcome" => self.outcome(after).map_or("not over", |o| o.headline).into(),
            "first" => {
                self.outcome(after).and_then(|o| o.first).map_or("nobody", |s| self.title.seat_name(s)).into()
            }
            "seen_by_all" => {
                let view = self.view(after, Viewer::Observer);
                i64::from(view.wards.iter().flatten().sum::<u8>()).into()
            }
            _ => return None,
        })
    }

    fn facts(&self) -> &'static str {
        "a captain (`PLACE, N men`), a keep (0, 1 or -1), deciding, windows, turn, keeps, outcome, first, seen_by_all"
    }
}

impl FourKeeps {
    fn captain(&self, node: &Node, name: &str) -> Result<Seat, DataError> {
        let seat = self.title.seat_named(name);
        seat.ok_or_else(|| {
            node.wrong(format!(
                "no captain is called `{name}`; there are {}",
                self.title.seat_names().join(", ")
            ))
        })
    }
}
