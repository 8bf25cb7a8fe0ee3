//! Positions of vignettes, facts about them, and what must hold in every position of Ten Towns.

use super::TenTowns;
use super::data::{BLOCKS, ROADS, SIDES, TOWNS};
use super::position::{Position, Step, TURNS, Token};
use crate::rooms::*;
use crate::sheet::{DataError, Node};
use crate::{Agenda, Fact, Seat, Viewer};

impl TenTowns {
    /// Keys: `blocks` (a list of `NAME TOWN STRENGTH`; blocks not named are eliminated), `holder` (town to
    /// side), `tokens`, `gold`, `turn`, and one of `cards`, `moves`, `window`, `battle`. Without `blocks`
    /// the game's own set-up.
    pub(super) fn set_stage(&self, sheet: &Node) -> Result<Position, DataError> {
        let mut f = sheet.fields()?;
        let mut p = Position::start(&self.components);
        let town_at = |node: &Node, name: &str| {
            self.components.town(name).ok_or_else(|| node.wrong(format!("no town is called `{name}`")))
        };
        if let Some(blocks) = f.optional("blocks") {
            for block in &mut p.blocks {
                block.town = None;
                block.strength = 0;
            }
            p.holder = [None; TOWNS];
            for node in blocks.list()? {
                let text = node.text()?;
                let [name, town, strength] = text.split(' ').collect::<Vec<_>>()[..] else {
                    return Err(node.expected("`BLOCK TOWN STRENGTH`"));
                };
                let b = self
                    .components
                    .block(name)
                    .ok_or_else(|| node.wrong(format!("no block is called `{name}`")))?;
                let label = &self.components.blocks[usize::from(b)];
                let block = &mut p.blocks[usize::from(b)];
                block.town = Some(town_at(node, town)?);
                block.strength = strength
                    .parse()
                    .ok()
                    .filter(|s| (1..=label.steps).contains(s))
                    .ok_or_else(|| node.expected(&format!("a strength from 1 to {}", label.steps)))?;
                let holder = &mut p.holder[usize::from(town_at(node, town)?)];
                holder.get_or_insert(label.side);
            }
        }
        if let Some(holders) = f.optional("holder") {
            for node in holders.fields()?.all() {
                p.holder[usize::from(town_at(node, node.name())?)] = Some(node.one_of(&SIDES)?);
            }
        }
        if let Some(tokens) = f.optional("tokens") {
            let mut t = tokens.fields()?;
            for (name, seat) in SIDES {
                if let Some(node) = t.optional(name) {
                    let words = [
                        ("ambush", (Token::Ambush, false)),
                        ("feint", (Token::Feint, false)),
                        ("spent", (Token::Ambush, true)),
                    ];
                    (p.tokens[seat.index()], p.spent[seat.index()]) = node.one_of(&words)?;
                }
            }
            t.finish()?;
        }
        if let Some(node) = f.optional("gold") {
            p.gold = [node.number_in(0..=200)? as u8; 2];
        }
        if let Some(node) = f.optional("turn") {
            p.turn = node.number_in(1..=i64::from(TURNS))? as u8;
        }
        let mut steps = Vec::new();
        if let Some(node) = f.optional("cards") {
            let mut chosen = [None; 2];
            for chosen_by in node.fields()?.all() {
                let seat = SIDES.iter().find(|(n, _)| *n == chosen_by.name());
                let (_, seat) = seat.ok_or_else(|| chosen_by.wrong("expected Red or Blue"))?;
                chosen[seat.index()] = Some(chosen_by.number_in(1..=3)? as u8 - 1);
            }
            steps.push(Step::Cards { chosen });
        }
        if let Some(node) = f.optional("bids") {
            steps.push(Step::Bids { bids: [None; 2], card: node.number_in(1..=3)? as u8 - 1 });
        }
        if let Some(node) = f.optional("moves") {
            let mut m = node.fields()?;
            let seat = m.required("seat")?.one_of(&SIDES)?;
            let mut left = [0; 2];
            left[seat.index()] = m.required("left")?.number_in(0..=3)? as u8;
            let second = m.optional("second").map_or(Ok(false), Node::flag)?;
            if !second {
                left[seat.other().index()] = 1;
            }
            m.finish()?;
            steps.push(Step::Moves { seat, second, left, group: None, roads: [0; ROADS] });
        }
        if let Some(node) = f.optional("window") {
            steps.push(Step::Window { town: town_at(node, node.text()?)? });
        }
        if let Some(node) = f.optional("battle") {
            let mut b = node.fields()?;
            let town = b.required("town")?;
            let town = town_at(town, town.text()?)?;
            let round = b.required("round")?.number_in(1..=3)? as u8;
            b.finish()?;
            for block in p.blocks.iter_mut().filter(|b| b.town == Some(town)) {
                block.shown = true;
            }
            steps.push(Step::Battle { town, round });
        }
        f.finish()?;
        match steps.as_slice() {
            [] => {}
            [step] => p.agenda = Agenda::starting(*step),
            _ => return Err(sheet.wrong("expected only one of cards, bids, moves, window, battle")),
        }
        // Cards of earlier turns are played, and this turn's if it is past its first step: any will do.
        let choosing = matches!(p.agenda.now(), Some(Step::Cards { .. }));
        for played in 0..p.turn - u8::from(choosing) {
            for hand in &mut p.hands {
                hand[usize::from(played / 2)] -= 1;
            }
        }
        Ok(p)
    }

    pub(super) fn ask_fact(&self, _: &Position, after: &Position, key: &str) -> Option<Fact> {
        if let Some(b) = self.components.block(key) {
            let block = &after.blocks[usize::from(b)];
            return Some(match block.town {
                Some(t) => format!("{} {}", self.components.towns[usize::from(t)].name, block.strength)
                    .as_str()
                    .into(),
                None => "eliminated".into(),
            });
        }
        if let Some(t) = self.components.town(key) {
            return Some(after.holder[usize::from(t)].map_or("nobody", |s| self.title.seat_name(s)).into());
        }
        Some(match key {
            "deciding" => {
                let names: Vec<_> = self.who_decides(after).iter().map(|s| self.title.seat_name(s)).collect();
                names.join(" and ").as_str().into()
            }
            "step" => match after.agenda.now() {
                None => "over",
                Some(Step::Cards { .. }) => "cards",
                Some(Step::Bids { .. }) => "bids",
                Some(Step::Moves { .. }) => "moves",
                Some(Step::Window { .. }) => "window",
                Some(Step::Battle { .. }) => "battle",
                Some(Step::Hits { .. }) => "hits",
            }
            .into(),
            "turn" => i64::from(after.turn).into(),
            "red_gold" => i64::from(after.gold[0]).into(),
            "blue_gold" => i64::from(after.gold[1]).into(),
            "hidden_from_blue" => {
                let view = self.view(after, Viewer::Seat(Seat::new(1)));
                Fact::Number(view.hidden.len() as i64)
            }
            "outcome" => self.outcome(after).map_or("not over", |o| o.headline).into(),
            _ => return None,
        })
    }

    pub(super) fn check_sound(&self, p: &Position) -> Result<(), String> {
        for b in 0..BLOCKS {
            let (block, label) = (&p.blocks[b], &self.components.blocks[b]);
            if block.strength > label.steps {
                return Err(format!("{} has {} steps of {}", label.name, block.strength, label.steps));
            }
            if (block.strength == 0) != block.town.is_none() {
                return Err(format!(
                    "{} has strength {} and town {:?}",
                    label.name, block.strength, block.town
                ));
            }
            if let Some(town) = block.town {
                let holder = p.holder[usize::from(town)];
                let enemy = p
                    .blocks
                    .iter()
                    .enumerate()
                    .any(|(o, b)| b.town == Some(town) && self.side(o) != label.side);
                if !enemy && holder != Some(label.side) {
                    return Err(format!("{} stands alone in a town that {holder:?} holds", label.name));
                }
            }
        }
        let choosing = matches!(p.agenda.now(), Some(Step::Cards { .. }));
        for hand in p.hands {
            if hand.iter().sum::<u8>() != TURNS - p.turn + u8::from(choosing) {
                let left = hand.iter().sum::<u8>();
                return Err(format!("{left} cards are left in turn {}", p.turn));
            }
        }
        if let Some(Step::Moves { roads, .. }) = p.agenda.now()
            && roads.iter().any(|used| *used > 2)
        {
            return Err("a road was used by more than two blocks".into());
        }
        Ok(())
    }
}
