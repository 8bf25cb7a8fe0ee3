//! The positions of vignettes and of the guided scenario, the facts that vignettes ask about, and what must
//! be true of every position.

use table::rooms::*;
use table::sheet::{DataError, Fields, Node};
use table::{Fact, Id, Map, Seat, SeatSet, Set, Silent, Umpire, Viewer};

use crate::CrusaderRex;
use crate::data::{BOTH, BattlePlot, Block, Card, Cards, FRANK, Mark, Place, SARACEN, SIDES, Sides, Town};
use crate::flow::FIRST_YEAR;
use crate::position::{Battle, Phase, Position, Stage, Step, TableRules};

/// What a vignette may ask.
const FACTS: &str = "the name of a block (`TOWN STRENGTH`, `TOWN castle STRENGTH`, `pool`, `dead`, \
     `gone`, `staging`), the name of a town (its controller), garrison TOWN and field TOWN (how many blocks), \
     deciding, step, round, attacker, player_1, year, turn, frank_cities, saracen_cities, shields, frank_steps_lost, \
     saracen_steps_lost, frank_hand, saracen_hand, hidden_from_frank, hidden_from_saracen, known_to_frank, \
     known_to_saracen (how many blocks), outcome, headline";

impl Staged for CrusaderRex {
    fn sound(&self, p: &Position) -> Result<(), String> {
        self.sound_blocks(p)?;
        self.sound_towns(p)?;
        let fights = |step: &Step| matches!(step, Step::Fight(_));
        if p.open.battle.is_some() != p.open.agenda.steps().iter().any(fights) && p.open.result.is_none() {
            return Err("a battle is fought without a step of battle, or the other way round".into());
        }
        let march = &p.march;
        let marching =
            |b: Block| (march.gone[b] > 0, march.came[b].is_some(), march.under_way.has(b) && p.moved.has(b));
        if Block::all().any(|b| ![(true, true, true), (false, false, false)].contains(&marching(b))) {
            return Err("a block is under way and has gone no road, or the other way round".into());
        }
        let moves = matches!(p.open.agenda.now(), Some(Step::Moves { .. }));
        if !moves && (march.under_way | march.unmarked).any() {
            return Err("blocks are under way, and nobody moves".into());
        }
        for card in Card::ALL {
            let held: u8 = p.secret.0.iter().map(|secret| secret.hand[card]).sum();
            if held > self.components.deck[card] {
                return Err(format!("too many cards of {}", card.name()));
            }
        }
        for seat in BOTH {
            let mut marks: Set<Mark> = Set::NONE;
            for mark in self.of(seat).iter().filter_map(|b| p.mark[b]) {
                if marks.has(mark) {
                    return Err(format!("two blocks have the mark {}", mark.number() + 1));
                }
                marks.insert(mark);
            }
            let secret = &p.secret[seat];
            if secret.starved.iter().any(|b| secret.gains[b] > 0) {
                return Err("a block that is given up gains steps".into());
            }
        }
        Ok(())
    }

    fn stage(&self, sheet: &Node) -> Result<Position, DataError> {
        let mut f = sheet.fields()?;
        let switch = |node: Option<&Node>| node.map_or(Ok(false), Node::flag);
        let table = TableRules {
            iron_bridge: switch(f.optional("iron_bridge"))?,
            forced_marches: switch(f.optional("forced_marches"))?,
            handicap: f.optional("handicap").map_or(Ok(0), |n| n.number_in(0..=3))? as u8,
            years: f.optional("years").map_or(Ok(6), |n| n.number_in(1..=6))? as u8,
            needs: 4,
            shields: f.optional("shields").map(|n| n.number_in(1..=30)).transpose()?.map(|n| n as u8),
            goal: None,
        };
        let mut p = Position::empty(&self.components, table);
        let first = i64::from(FIRST_YEAR);
        let year = f.optional("year").map_or(Ok(first), |n| n.number_in(first..=first + 5))?;
        p.open.year = (year - first) as u8;
        p.open.turn = f.optional("turn").map_or(Ok(2), |n| n.number_in(1..=6))? as u8;
        match f.optional("blocks") {
            Some(blocks) => {
                for node in blocks.list()? {
                    let (b, t, strength) = self.components.block_place(node)?;
                    p.stand(b, t, strength);
                }
                self.send_away_the_rest(&mut p);
            }
            None => {
                self.deploy_at_home(&mut p);
                self.know_set_up(&mut p, FRANK);
                self.know_set_up(&mut p, SARACEN);
            }
        }
        p.inside = self.names(f.optional("castle"))?;
        for (key, place) in [("staging", Place::Staging), ("dead", Place::Dead), ("gone", Place::Gone)] {
            for b in self.names(f.optional(key))? {
                if let Some(t) = p.town(b) {
                    p.here[t].remove(b);
                }
                p.place[b] = place;
                p.strength[b] = if place == Place::Staging { self.components.blocks[b].steps } else { 0 };
                p.open.pooled.remove(b);
                p.open.board.remove(b);
            }
        }
        let known = self.names(f.optional("known"))?;
        p.open.known |= known;
        for b in known {
            p.open.seen[b] = Some(p.strength[b]);
        }
        p.moved = self.names(f.optional("moved"))?;
        p.second = self.names(f.optional("second"))?;
        p.third = self.names(f.optional("third"))?;
        self.give_all_marks(&mut p);
        self.begin_sieges_face_up(&mut p);
        if let Some(node) = f.optional("first") {
            p.open.first = node.one_of(&SIDES)?;
        }
        let card = |n: &Node| self.card_at(n).map(Some);
        p.open.last = self.by_side(f.optional("last"), None, card)?;
        p.open.cards = self.by_side(f.optional("in_play"), Some(Card::Move2), card)?;
        let hands = self.by_side(f.optional("hands"), None, |n| {
            let mut hand = Map::filled(0);
            for card in n.list()? {
                hand[self.card_at(card)?] += 1;
            }
            Ok(Some(hand))
        })?;
        p.open.attacked = self.by_side(f.optional("attacked"), Set::NONE, |n| {
            n.list()?.iter().map(|town| self.components.town_at(town)).collect()
        })?;
        if let Some(node) = f.optional("roads") {
            for road in node.list()? {
                let wrong = || road.expected("`SIDE FROM > TO`");
                let (who, way) = road.text()?.split_once(' ').ok_or_else(wrong)?;
                let (from, to) = way.split_once(" > ").ok_or_else(wrong)?;
                let seat = SIDES.iter().find(|(n, _)| *n == who).ok_or_else(wrong)?.1;
                let ends = self.components.town(from).zip(self.components.town(to)).ok_or_else(wrong)?;
                let number = self.components.road(ends.0, ends.1).ok_or_else(wrong)?;
                self.mark_entry(&mut p, seat, number, ends.1);
            }
        }
        if let Some(node) = f.optional("guide") {
            p.open.guide[node.one_of(&SIDES)?] = true;
        }
        if let Some(node) = f.optional("jihad") {
            p.open.jihad = Some(self.components.town_at(node)?);
        }
        if let Some(node) = f.optional("campaign") {
            p.open.campaign = Some(self.components.town_at(node)?);
        }
        let choosing = self.set_step(&mut p, sheet, &mut f)?;
        f.finish()?;
        self.deal_stage(&mut p, hands, choosing);
        if choosing {
            p.open.cards = Sides::default();
        }
        p.open.printed = p.open.cards;
        self.proceed(&mut p, &mut Silent::new(0));
        Ok(p)
    }

    fn fact(&self, before: &Position, after: &Position, key: &str) -> Option<Fact> {
        if let Some(b) = self.components.block(key) {
            return Some(match after.place[b] {
                Place::Pool => "pool".into(),
                Place::Dead => "dead".into(),
                Place::Gone => "gone".into(),
                Place::Staging => "staging".into(),
                Place::Hand => "hand".into(),
                Place::Town(t) => {
                    let castle = if after.inside.has(b) { " castle" } else { "" };
                    Fact::Text(format!("{}{castle} {}", self.components.town_name(t), after.strength[b]))
                }
            });
        }
        if let Some(t) = self.components.town(key) {
            return Some(self.control(after, t).map_or("nobody", |s| self.title.seat_name(s)).into());
        }
        if let Some((what, t)) = key.split_once(' ').and_then(|(w, t)| Some((w, self.components.town(t)?))) {
            let garrison = self.garrison(after, t);
            let here = after.here[t];
            return match what {
                "garrison" => Some(Fact::Number(garrison.len() as i64)),
                "field" => Some(Fact::Number((here - garrison).len() as i64)),
                _ => None,
            };
        }
        let steps = |p: &Position, seat: Seat| -> i64 {
            let standing = self.of(seat).iter().filter(|b| p.place[*b].is_town());
            standing.map(|b| i64::from(p.strength[b])).sum()
        };
        let hidden = |seat: Seat| Fact::Number(self.view(after, Viewer::Seat(seat)).hidden.len() as i64);
        let known = |seat: Seat| Fact::Number(self.view(after, Viewer::Seat(seat)).suspects.len() as i64);
        let hand =
            |seat: Seat| Fact::Number(after.secret[seat].hand.values().iter().map(|n| i64::from(*n)).sum());
        Some(match key {
            "deciding" => {
                let names: Vec<_> = self.deciding(after).iter().map(|s| self.title.seat_name(s)).collect();
                Fact::Text(names.join(" and "))
            }
            "step" => match after.open.agenda.now() {
                None => "over",
                Some(Step::Turn(_) | Step::Fight(_)) => "control",
                Some(Step::Deploy { .. }) => "deploy",
                Some(Step::Exchange) => "exchange",
                Some(Step::Deal) => "deal",
                Some(Step::Cards { .. }) => "cards",
                Some(Step::Assassins { .. }) => "assassins",
                Some(Step::Manna { .. }) => "manna",
                Some(Step::Moves { .. }) => "moves",
                Some(Step::MainRoad { .. }) => "main road",
                Some(Step::Jihad { .. }) => "jihad",
                Some(Step::NextBattle) => "next battle",
                Some(Step::Shelter { .. }) => "shelter",
                Some(Step::Storm { .. }) => "storm",
                Some(Step::Sally { .. }) => "sally",
                Some(Step::FaceUp { .. }) => "face up",
                Some(Step::Round) => "round",
                Some(Step::Hits { .. }) => "hits",
                Some(Step::Harried { .. }) => "harried",
                Some(Step::MustRetreat { .. }) => "must retreat",
                Some(Step::LeaveSiege { .. }) => "leave siege",
                Some(Step::Regroup { .. }) => "regroup",
                Some(Step::Place { .. }) => "place",
                Some(Step::Winter) => "winter",
            }
            .into(),
            "round" => after.open.battle.map_or(0, |battle| i64::from(battle.round)).into(),
            "attacker" => self.title.seat_name(after.open.battle.map_or(FRANK, |b| b.attacker)).into(),
            "player_1" => self.title.seat_name(after.open.first).into(),
            "year" => (i64::from(after.open.year) + i64::from(FIRST_YEAR)).into(),
            "turn" => i64::from(after.open.turn).into(),
            "shields" => i64::from(self.shields_taken(after)).into(),
            "frank_cities" => i64::from(self.prizes(after, FRANK)).into(),
            "saracen_cities" => i64::from(self.prizes(after, SARACEN)).into(),
            "frank_steps_lost" => (steps(before, FRANK) - steps(after, FRANK)).into(),
            "saracen_steps_lost" => (steps(before, SARACEN) - steps(after, SARACEN)).into(),
            "frank_hand" => hand(FRANK),
            "saracen_hand" => hand(SARACEN),
            "hidden_from_frank" => hidden(FRANK),
            "hidden_from_saracen" => hidden(SARACEN),
            "known_to_frank" => known(FRANK),
            "known_to_saracen" => known(SARACEN),
            "outcome" => match after.open.result {
                None => "not over",
                Some((FRANK, false)) => "Frank wins",
                Some((FRANK, true)) => "Frank wins by sudden death",
                Some((_, false)) => "Saracen wins",
                Some((_, true)) => "Saracen wins by sudden death",
            }
            .into(),
            "headline" => self.outcome(after).map_or("not over", |o| o.headline).into(),
            _ => return None,
        })
    }

    fn facts(&self) -> &'static str {
        FACTS
    }
}

impl CrusaderRex {
    /// What must be true of every block.
    fn sound_blocks(&self, p: &Position) -> Result<(), String> {
        let name = |b: Block| self.components.block_name(b);
        for b in self.of(FRANK) | self.of(SARACEN) {
            let (steps, town) = (self.components.blocks[b].steps, p.town(b));
            if town.is_some() && !(1..=steps).contains(&p.strength[b]) {
                return Err(format!("{} is on the map with {} steps of {steps}", name(b), p.strength[b]));
            }
            let standing: Set<Town> = Town::all().filter(|t| p.here[*t].has(b)).collect();
            if standing != town.map_or(Set::NONE, Set::one) {
                return Err(format!("{} stands in {standing:?}, and says {:?}", name(b), p.place[b]));
            }
            let marks =
                p.inside | p.open.shown | p.open.known | p.coming() | p.marched | p.landed | p.open.board;
            if town.is_none() && marks.has(b) {
                return Err(format!("{} has marks of the map, and is not on it", name(b)));
            }
            if town.is_some() && !self.among(p, b).has(b) {
                return Err(format!("{} is thought to be somebody else", name(b)));
            }
            if p.open.pooled.has(b) && p.place[b] != Place::Pool {
                return Err(format!("{} is thought to be in the pool, and is not", name(b)));
            }
            if let Some(t) = town
                && p.inside.has(b)
                && self.field(p, t, self.owner(b).other()).is_empty()
            {
                return Err(format!("{} is shut in {} by nobody", name(b), self.components.town_name(t)));
            }
        }
        Ok(())
    }

    /// What must be true of every town.
    fn sound_towns(&self, p: &Position) -> Result<(), String> {
        let fighting = p.open.agenda.steps().iter().any(|s| {
            matches!(s, Step::Fight(_))
                || matches!(s, Step::Turn(phase) if matches!(phase,
                    Phase::FirstMoves | Phase::FirstSettles | Phase::SecondMoves | Phase::SecondSettles | Phase::Battles))
        });
        let choosing = matches!(p.open.agenda.now(), Some(Step::Cards { .. }));
        for t in Town::all() {
            let (inside, town) = (self.garrison(p, t), self.components.town_name(t));
            if BOTH.iter().all(|s| inside.meets(self.of(*s))) {
                return Err(format!("both sides hold the castle of {town}"));
            }
            if inside.len() > self.rating(t) {
                let (many, rating) = (inside.len(), self.rating(t));
                return Err(format!("{many} blocks in the castle of {town}, rated {rating}"));
            }
            if !fighting && BOTH.iter().all(|s| self.field(p, t, *s).any()) {
                return Err(format!("both sides stand in the field of {town}"));
            }
            let besiegers = self.besieged(p, t).map_or(Set::NONE, |seat| self.field(p, t, seat.other()));
            let shown = p.here[t] & p.open.shown;
            if choosing && (shown.len() != usize::from(besiegers.any()) || !shown.within(besiegers)) {
                return Err(format!("not one besieger of {town} lies face-up, or others do"));
            }
        }
        Ok(())
    }

    /// The guided scenario: armies in touch, the first player about to move.
    pub(crate) fn open_in_battle(
        &self,
        p: &mut Position,
        plot: &BattlePlot,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        for (b, t, strength, inside) in &plot.blocks {
            p.stand(*b, *t, *strength);
            if *inside {
                p.inside.insert(*b);
            }
        }
        self.send_away_the_rest(p);
        self.give_all_marks(p);
        self.begin_sieges_face_up(p);
        p.open.first = plot.first;
        for (seat, moves) in [(plot.first, plot.moves[0]), (plot.first.other(), plot.moves[1])] {
            let card = Card::ALL.into_iter().find(|card| card.moves() == moves).unwrap_or(Card::Move1);
            p.open.cards[seat] = Some(card);
            p.open.printed[seat] = Some(card);
            p.open.played[seat][card] += 1;
        }
        umpire.heading(format_args!("July 1187"));
        p.open.agenda.push(Step::Turn(Phase::FirstMoves));
        self.proceed(p, umpire);
    }

    /// Those who never come back and were not named are gone; the others lie in the pool.
    fn send_away_the_rest(&self, p: &mut Position) {
        let crusaders = self.components.nations.values().iter().fold(Set::NONE, |all, n| all | *n);
        for b in self.components.permanent - crusaders {
            if p.place[b] == Place::Pool {
                p.place[b] = Place::Gone;
                p.open.pooled.remove(b);
            }
        }
    }

    fn names(&self, node: Option<&Node>) -> Result<Set<Block>, DataError> {
        let mut set = Set::NONE;
        if let Some(node) = node {
            for name in node.list()? {
                let text = name.text()?;
                let b = self.components.block(text);
                set.insert(b.ok_or_else(|| name.wrong(format!("no block is called `{text}`")))?);
            }
        }
        Ok(set)
    }

    fn card_at(&self, node: &Node) -> Result<Card, DataError> {
        node.one_of(&Card::ALL.map(|card| (card.name(), card)))
    }

    /// A pair of values for the Franks and the Saracens.
    fn by_side<T: Copy>(
        &self,
        node: Option<&Node>,
        usual: T,
        read: impl Fn(&Node) -> Result<T, DataError>,
    ) -> Result<Sides<T>, DataError> {
        let mut values = Sides::both(usual);
        if let Some(node) = node {
            let mut f = node.fields()?;
            for (name, seat) in SIDES {
                if let Some(node) = f.optional(name) {
                    values[seat] = read(node)?;
                }
            }
            f.finish()?;
        }
        Ok(values)
    }

    /// What is going on; whether cards are being chosen.
    fn set_step(&self, p: &mut Position, sheet: &Node, f: &mut Fields<'_>) -> Result<bool, DataError> {
        let mut choosing = false;
        let mut found = 0;
        if f.optional("deploy").is_some() {
            found += 1;
            p.open.agenda.push(Step::Turn(Phase::Nomads));
            p.open.agenda.push(Step::Deploy { shifts: 0 });
            p.open.turn = 1;
            choosing = true;
        }
        if f.optional("exchange").is_some() {
            found += 1;
            p.open.agenda.push(Step::Turn(Phase::NewYear));
            p.open.agenda.push(Step::Exchange);
            p.open.turn = 1;
            choosing = true;
        }
        if let Some(node) = f.optional("cards") {
            found += 1;
            let cards = self.by_side(Some(node), None, |n| self.card_at(n).map(Some))?;
            let mut chosen = SeatSet::NONE;
            for (seat, card) in cards.iter().filter(|(_, card)| card.is_some()) {
                p.secret[seat].chosen = *card;
                chosen = chosen.with(seat);
            }
            p.open.agenda.push(Step::Turn(Phase::FirstMoves));
            p.open.agenda.push(Step::Cards { chosen });
            choosing = true;
        }
        if let Some(node) = f.optional("moves") {
            found += 1;
            let seat = node.one_of(&SIDES)?;
            p.open.agenda.push(Step::Turn(if seat == p.open.first {
                Phase::FirstMoves
            } else {
                Phase::SecondMoves
            }));
        }
        if let Some(node) = f.optional("battle") {
            found += 1;
            let mut b = node.fields()?;
            let t = self.components.town_at(b.required("town")?)?;
            let round = b.optional("round").map(|n| n.number_in(1..=3)).transpose()?;
            let attacker = b.optional("attacker").map(|n| n.one_of(&SIDES)).transpose()?;
            b.finish()?;
            let mut battle = Battle::at(t);
            battle.round = round.unwrap_or(1) as u8;
            battle.fresh = self.besieged(p, t).is_none();
            if let Some(attacker) = attacker {
                p.open.attacked[attacker].insert(t);
                battle.attacker = attacker;
            }
            p.open.battle = Some(battle);
            p.open.to_fight.insert(t);
            p.open.agenda.push(Step::Turn(Phase::Battles));
            p.open.agenda.push(Step::Fight(if round.is_some() { Stage::Round } else { Stage::Open }));
        }
        if f.optional("battles").is_some() {
            found += 1;
            for t in Town::all() {
                if BOTH.iter().all(|s| p.here[t].meets(self.of(*s))) {
                    p.open.to_fight.insert(t);
                }
            }
            p.open.agenda.push(Step::Turn(Phase::Battles));
        }
        if let Some(node) = f.optional("place") {
            found += 1;
            let b = self.components.block(node.text()?).filter(|b| p.place[*b] == Place::Pool);
            let b = b.ok_or_else(|| node.expected("a block that lies in the pool"))?;
            self.come_from_pool(p, b);
            p.place[b] = Place::Hand;
            p.secret[self.owner(b)].drawn = Some(b);
            p.open.agenda.push(Step::Turn(Phase::Draws(2)));
            p.open.agenda.push(Step::Place { seat: self.owner(b) });
        }
        if f.optional("winter").is_some() {
            found += 1;
            p.open.turn = 6;
            p.open.agenda.push(Step::Turn(Phase::YearEnd));
            p.open.agenda.push(Step::Winter);
        }
        if found > 1 {
            return Err(sheet.wrong(
                "expected only one of deploy, exchange, cards, moves, battle, battles, place, winter",
            ));
        }
        if found == 0 {
            p.open.agenda.push(Step::Turn(Phase::TurnStart));
            p.open.cards = Sides::default();
            choosing = true;
        }
        Ok(choosing)
    }

    /// Hands of the right size from whatever cards are left, and as many played.
    fn deal_stage(&self, p: &mut Position, hands: Sides<Option<Cards>>, choosing: bool) {
        let undealt = matches!(p.open.agenda.now(), Some(Step::Deploy { .. } | Step::Exchange));
        if undealt {
            return;
        }
        let mut left = self.components.deck;
        for hand in hands.0.iter().flatten() {
            for card in Card::ALL {
                left[card] = left[card].saturating_sub(hand[card]);
            }
        }
        let size = 6 - (p.open.turn - 1) - u8::from(!choosing);
        for (seat, hand) in hands.iter() {
            p.secret[seat].hand = hand.unwrap_or_else(|| {
                let mut dealt = Map::filled(0);
                for _ in 0..size {
                    if let Some(card) = Card::ALL.into_iter().find(|c| !c.is_event() && left[*c] > 0) {
                        left[card] -= 1;
                        dealt[card] += 1;
                    }
                }
                dealt
            });
        }
    }
}
