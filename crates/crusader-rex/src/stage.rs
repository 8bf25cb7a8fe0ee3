//! The positions of vignettes and of the guided scenario, the facts that vignettes ask about, and what must
//! be true of every position.

use table::sheet::{DataError, Node};
use table::{Fact, Game, Seat, Silent, Umpire, Viewer};

use crate::CrusaderRex;
use crate::data::{
    BLOCKS, BattlePlot, CARD_NAMES, FRANK, KINDS, MOVES, NONE, SARACEN, SIDES, TOWNS, each, kind, one,
};
use crate::position::{Battle, DEAD, GONE, HAND, POOL, Phase, Position, STAGING, Stage, Step, TableRules};

/// What a vignette may ask.
pub(crate) const FACTS: &str = "the name of a block (`TOWN STRENGTH`, `TOWN castle STRENGTH`, `pool`, `dead`, \
     `gone`, `staging`), the name of a town (its controller), garrison TOWN and field TOWN (how many blocks), \
     deciding, step, round, attacker, player_1, year, turn, frank_cities, saracen_cities, castles, frank_steps_lost, \
     saracen_steps_lost, frank_hand, saracen_hand, hidden_from_frank, hidden_from_saracen, known_to_frank, \
     known_to_saracen (how many blocks), outcome";

impl CrusaderRex {
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
                p.inside |= one(*b);
            }
        }
        self.send_away_the_rest(p);
        self.give_all_tokens(p);
        p.first = plot.first;
        let card = |moves: u8| MOVES.iter().position(|m| *m == moves).unwrap_or(2) as u8;
        for (seat, moves) in [(plot.first, plot.moves[0]), (plot.first.other(), plot.moves[1])] {
            let i = seat.index();
            p.cards[i] = card(moves);
            p.printed[i] = card(moves);
            p.played[i][usize::from(card(moves))] += 1;
        }
        umpire.heading(format_args!("July 1187"));
        p.agenda.push(Step::Turn(Phase::FirstMoves));
        self.proceed(p, umpire);
    }

    /// Those who never come back and were not named are gone; the others lie in the pool.
    fn send_away_the_rest(&self, p: &mut Position) {
        let crusaders = self.components.nations.iter().fold(0, |all, n| all | n);
        for b in each(self.components.permanent & !crusaders) {
            if p.town[usize::from(b)] == POOL {
                p.town[usize::from(b)] = GONE;
                p.pooled &= !one(b);
            }
        }
    }

    fn names(&self, node: Option<&Node>) -> Result<u64, DataError> {
        let mut set = 0;
        if let Some(node) = node {
            for name in node.list()? {
                let text = name.text()?;
                let b = self.components.block(text);
                set |= one(b.ok_or_else(|| name.wrong(format!("no block is called `{text}`")))?);
            }
        }
        Ok(set)
    }

    fn card_at(&self, node: &Node) -> Result<u8, DataError> {
        let words: Vec<_> = CARD_NAMES.iter().enumerate().map(|(i, n)| (*n, i as u8)).collect();
        node.one_of(&words)
    }

    /// A pair of values for the Franks and the Saracens.
    fn by_side<T: Copy>(
        &self,
        node: Option<&Node>,
        usual: T,
        read: impl Fn(&Node) -> Result<T, DataError>,
    ) -> Result<[T; 2], DataError> {
        let mut values = [usual; 2];
        if let Some(node) = node {
            let mut f = node.fields()?;
            for (name, seat) in SIDES {
                if let Some(node) = f.optional(name) {
                    values[seat.index()] = read(node)?;
                }
            }
            f.finish()?;
        }
        Ok(values)
    }

    pub(crate) fn set_stage(&self, sheet: &Node) -> Result<Position, DataError> {
        let mut f = sheet.fields()?;
        let switch = |node: Option<&Node>| node.map_or(Ok(false), Node::flag);
        let table = TableRules {
            iron_bridge: switch(f.optional("iron_bridge"))?,
            forced_marches: switch(f.optional("forced_marches"))?,
            handicap: f.optional("handicap").map_or(Ok(0), |n| n.number_in(0..=3))? as u8,
            years: f.optional("years").map_or(Ok(6), |n| n.number_in(1..=6))? as u8,
            needs: 4,
            castles: f.optional("castles").map_or(Ok(0), |n| n.number_in(0..=30))? as u8,
            goal: NONE,
        };
        let mut p = Position::empty(&self.components, table);
        p.year = (f.optional("year").map_or(Ok(1187), |n| n.number_in(1187..=1192))? - 1187) as u8;
        p.turn = f.optional("turn").map_or(Ok(2), |n| n.number_in(1..=6))? as u8;
        match f.optional("blocks") {
            Some(blocks) => {
                for node in blocks.list()? {
                    let (b, t, strength) = self.components.block_place(node)?;
                    p.stand(b, t, strength);
                }
                self.send_away_the_rest(&mut p);
            }
            None => self.deploy_at_home(&mut p),
        }
        p.inside = self.names(f.optional("castle"))?;
        for (key, place) in [("staging", STAGING), ("dead", DEAD), ("gone", GONE)] {
            for b in each(self.names(f.optional(key))?) {
                p.here.iter_mut().for_each(|here| *here &= !one(b));
                p.town[usize::from(b)] = place;
                p.strength[usize::from(b)] =
                    if place == STAGING { self.components.blocks[usize::from(b)].steps } else { 0 };
                p.pooled &= !one(b);
                p.board &= !one(b);
            }
        }
        p.known = self.names(f.optional("known"))?;
        for b in each(p.known) {
            p.seen[usize::from(b)] = p.strength[usize::from(b)];
        }
        p.moved = self.names(f.optional("moved"))?;
        p.second = self.names(f.optional("second"))?;
        p.third = self.names(f.optional("third"))?;
        self.give_all_tokens(&mut p);
        if let Some(node) = f.optional("first") {
            p.first = node.one_of(&SIDES)?;
        }
        p.last = self.by_side(f.optional("last"), NONE, |n| self.card_at(n))?;
        p.cards = self.by_side(f.optional("in_play"), kind::MOVE2, |n| self.card_at(n))?;
        let hands = self.by_side(f.optional("hands"), None, |n| {
            let mut hand = [0u8; KINDS];
            for card in n.list()? {
                hand[usize::from(self.card_at(card)?)] += 1;
            }
            Ok(Some(hand))
        })?;
        let attacked = self.by_side(f.optional("attacked"), 0, |n| {
            n.list()?.iter().try_fold(0, |set, n| Ok(set | one(self.components.town_at(n)?)))
        })?;
        p.attacked = attacked;
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
            p.guide[node.one_of(&SIDES)?.index()] = true;
        }
        if let Some(node) = f.optional("jihad") {
            p.jihad = self.components.town_at(node)?;
        }
        if let Some(node) = f.optional("campaign") {
            p.campaign = self.components.town_at(node)?;
        }
        let choosing = self.set_step(&mut p, sheet, &mut f)?;
        f.finish()?;
        self.deal_stage(&mut p, hands, choosing);
        p.printed = if choosing { [NONE; 2] } else { p.cards };
        if choosing {
            p.cards = [NONE; 2];
        }
        self.proceed(&mut p, &mut Silent::new(0));
        Ok(p)
    }

    /// What is going on; whether cards are being chosen.
    fn set_step(
        &self,
        p: &mut Position,
        sheet: &Node,
        f: &mut table::sheet::Fields<'_>,
    ) -> Result<bool, DataError> {
        let mut choosing = false;
        let mut found = 0;
        if f.optional("deploy").is_some() {
            found += 1;
            p.agenda.push(Step::Turn(Phase::Nomads));
            p.agenda.push(Step::Deploy { shifts: 0 });
            p.turn = 1;
            choosing = true;
        }
        if f.optional("exchange").is_some() {
            found += 1;
            p.agenda.push(Step::Turn(Phase::NewYear));
            p.agenda.push(Step::Exchange);
            p.turn = 1;
            choosing = true;
        }
        if let Some(node) = f.optional("cards") {
            found += 1;
            let chosen = self.by_side(Some(node), NONE, |n| self.card_at(n))?;
            p.agenda.push(Step::Turn(Phase::FirstMoves));
            p.agenda.push(Step::Cards { chosen });
            choosing = true;
        }
        if let Some(node) = f.optional("moves") {
            found += 1;
            let seat = node.one_of(&SIDES)?;
            p.agenda.push(Step::Turn(if seat == p.first { Phase::FirstMoves } else { Phase::SecondMoves }));
        }
        if let Some(node) = f.optional("battle") {
            found += 1;
            let mut b = node.fields()?;
            let t = self.components.town_at(b.required("town")?)?;
            let round = b.optional("round").map(|n| n.number_in(1..=3)).transpose()?;
            let attacker = b.optional("attacker").map(|n| n.one_of(&SIDES)).transpose()?;
            b.finish()?;
            p.battle = Battle { town: t, round: round.unwrap_or(1) as u8, ..Battle::NONE };
            p.battle.fresh = self.besieged(p, t).is_none();
            if let Some(attacker) = attacker {
                p.attacked[attacker.index()] |= one(t);
                p.battle.attacker = attacker;
            }
            p.to_fight |= one(t);
            p.agenda.push(Step::Turn(Phase::Battles));
            p.agenda.push(Step::Fight(if round.is_some() { Stage::Round } else { Stage::Open }));
        }
        if f.optional("battles").is_some() {
            found += 1;
            for t in 0..TOWNS {
                if [FRANK, SARACEN].iter().all(|s| p.here[t] & self.of(*s) != 0) {
                    p.to_fight |= 1 << t;
                }
            }
            p.agenda.push(Step::Turn(Phase::Battles));
        }
        if let Some(node) = f.optional("place") {
            found += 1;
            let b = self.components.block(node.text()?).filter(|b| p.town[usize::from(*b)] == POOL);
            let b = b.ok_or_else(|| node.expected("a block that lies in the pool"))?;
            self.come_from_pool(p, b);
            p.town[usize::from(b)] = HAND;
            p.agenda.push(Step::Turn(Phase::Draws(2)));
            p.agenda.push(Step::Place { seat: self.owner(b), block: b });
        }
        if f.optional("winter").is_some() {
            found += 1;
            p.turn = 6;
            p.agenda.push(Step::Turn(Phase::YearEnd));
            p.agenda.push(Step::Winter);
        }
        if found > 1 {
            return Err(sheet.wrong(
                "expected only one of deploy, exchange, cards, moves, battle, battles, place, winter",
            ));
        }
        if found == 0 {
            p.agenda.push(Step::Turn(Phase::TurnStart));
            p.cards = [NONE; 2];
            choosing = true;
        }
        Ok(choosing)
    }

    /// Hands of the right size from whatever cards are left, and as many played.
    fn deal_stage(&self, p: &mut Position, hands: [Option<[u8; KINDS]>; 2], choosing: bool) {
        let undealt = matches!(p.agenda.steps().last(), Some(Step::Deploy { .. } | Step::Exchange));
        if undealt {
            return;
        }
        let mut left = self.components.deck;
        for hand in hands.iter().flatten() {
            for k in 0..KINDS {
                left[k] = left[k].saturating_sub(hand[k]);
            }
        }
        for (i, hand) in hands.iter().enumerate() {
            if let Some(hand) = hand {
                p.hands[i] = *hand;
            }
            let size = 6 - (p.turn - 1) - u8::from(!choosing);
            let mut take = |to: &mut [u8; KINDS]| {
                if let Some(k) = (0..4).find(|k| left[*k] > 0) {
                    left[k] -= 1;
                    to[k] += 1;
                }
            };
            while hand.is_none() && p.hands[i].iter().sum::<u8>() < size {
                take(&mut p.hands[i]);
            }
        }
    }

    pub(crate) fn ask_fact(&self, before: &Position, after: &Position, key: &str) -> Option<Fact> {
        if let Some(b) = self.components.block(key) {
            let i = usize::from(b);
            let strength = after.strength[i];
            return Some(match after.town[i] {
                POOL => "pool".into(),
                DEAD => "dead".into(),
                GONE => "gone".into(),
                STAGING => "staging".into(),
                HAND => "hand".into(),
                t => {
                    let castle = if after.inside & one(b) != 0 { " castle" } else { "" };
                    Fact::Text(format!("{}{castle} {strength}", self.components.town_name(t)))
                }
            });
        }
        if let Some(t) = self.components.town(key) {
            return Some(self.control(after, t).map_or("nobody", |s| self.title.seat_name(s)).into());
        }
        if let Some((what, t)) = key.split_once(' ').and_then(|(w, t)| Some((w, self.components.town(t)?))) {
            let garrison = self.garrison(after, t);
            let here = after.here[usize::from(t)];
            return match what {
                "garrison" => Some(Fact::Number(garrison.count_ones().into())),
                "field" => Some(Fact::Number((here & !garrison).count_ones().into())),
                _ => None,
            };
        }
        let steps = |p: &Position, seat: Seat| -> i64 {
            each(self.of(seat))
                .filter(|b| p.town[usize::from(*b)] < POOL)
                .map(|b| i64::from(p.strength[usize::from(b)]))
                .sum()
        };
        let hidden = |seat: Seat| Fact::Number(self.view(after, Viewer::Seat(seat)).hidden.len() as i64);
        let known = |seat: Seat| Fact::Number(self.view(after, Viewer::Seat(seat)).suspects.len() as i64);
        let hand = |seat: Seat| Fact::Number(after.hands[seat.index()].iter().map(|n| i64::from(*n)).sum());
        Some(match key {
            "deciding" => {
                let names: Vec<_> = self.who_decides(after).iter().map(|s| self.title.seat_name(s)).collect();
                Fact::Text(names.join(" and "))
            }
            "step" => match after.agenda.now() {
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
            "round" => i64::from(after.battle.round).into(),
            "attacker" => self.title.seat_name(after.battle.attacker).into(),
            "player_1" => self.title.seat_name(after.first).into(),
            "year" => (i64::from(after.year) + 1187).into(),
            "turn" => i64::from(after.turn).into(),
            "castles" => i64::from(self.castles_taken(after)).into(),
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
            "outcome" => self.outcome(after).map_or("not over", |o| o.headline).into(),
            _ => return None,
        })
    }

    pub(crate) fn check_sound(&self, p: &Position) -> Result<(), String> {
        let name = |b: u8| self.components.block_name(b);
        for b in each(self.of(FRANK) | self.of(SARACEN)) {
            let (i, label) = (usize::from(b), &self.components.blocks[usize::from(b)]);
            let on_map = p.town[i] < POOL;
            if on_map && !(1..=label.steps).contains(&p.strength[i]) {
                return Err(format!(
                    "{} is on the map with {} steps of {}",
                    name(b),
                    p.strength[i],
                    label.steps
                ));
            }
            let standing = p.here.iter().filter(|here| *here & one(b) != 0).count();
            if standing != usize::from(on_map) || (on_map && p.here[usize::from(p.town[i])] & one(b) == 0) {
                return Err(format!("{} stands in {standing} towns, and says {}", name(b), p.town[i]));
            }
            let marks = p.inside | p.shown | p.known | p.coming() | p.marched | p.board;
            if !on_map && marks & one(b) != 0 {
                return Err(format!("{} has marks of the map, and is not on it", name(b)));
            }
            if p.pooled & one(b) != 0 && p.town[i] != POOL {
                return Err(format!("{} is thought to be in the pool, and is not", name(b)));
            }
            if p.inside & one(b) != 0 {
                let t = p.town[i];
                if self.field(p, t, self.owner(b).other()) == 0 {
                    return Err(format!("{} is shut in {} by nobody", name(b), self.components.town_name(t)));
                }
            }
        }
        for t in 0..TOWNS as u8 {
            let inside = self.garrison(p, t);
            if [FRANK, SARACEN].iter().all(|s| inside & self.of(*s) != 0) {
                return Err(format!("both sides hold the castle of {}", self.components.town_name(t)));
            }
            if inside.count_ones() > self.rating(t) {
                return Err(format!(
                    "{} blocks in the castle of {}, rated {}",
                    inside.count_ones(),
                    self.components.town_name(t),
                    self.rating(t)
                ));
            }
            let both = [FRANK, SARACEN].iter().all(|s| self.field(p, t, *s) != 0);
            let fighting = p.agenda.steps().iter().any(|s| {
                matches!(s, Step::Fight(_))
                    || matches!(s, Step::Turn(phase) if matches!(phase,
                        Phase::FirstMoves | Phase::FirstSettles | Phase::SecondMoves | Phase::SecondSettles | Phase::Battles))
            });
            if both && !fighting {
                return Err(format!("both sides stand in the field of {}", self.components.town_name(t)));
            }
        }
        for (k, name) in CARD_NAMES.iter().enumerate() {
            if p.hands[0][k] + p.hands[1][k] > self.components.deck[k] {
                return Err(format!("too many cards of {name}"));
            }
        }
        for seat in [FRANK, SARACEN] {
            let mut marks = 0u64;
            for b in each(self.of(seat)) {
                let token = p.token[usize::from(b)];
                if token != 0 && marks & one(token) != 0 {
                    return Err(format!("two blocks have the mark {token}"));
                }
                marks |= one(token);
            }
        }
        if (0..BLOCKS).any(|b| p.gains[b] > 0 && p.starved & one(b as u8) != 0) {
            return Err("a block that is given up gains steps".into());
        }
        Ok(())
    }
}
