//! The positions of vignettes, the facts that vignettes ask about, and what must be true of every position.

use table::rooms::*;
use table::sheet::{DataError, Fields, Node};
use table::{Fact, Id as _, Seat, Set, Silent};

use crate::KingdomOfHeaven;
use crate::data::{Plot, Stance};
use crate::ids::{BOTH, CHRISTIAN, Card, Cards, Kind, Leader, MUSLIM, Space, Unit, Units};
use crate::position::{Ending, Hold, Mark, Open, Owner, Phase, Place, Position, Step, TableRules};

/// What a vignette may ask.
const FACTS: &str = "at SPACE, inside SPACE (leaders and units, `nobody`), units SPACE (how many), leader NAME (a space, \
     `pool`, `dead`, `half paid`, `captive`, `tray`, `gone`), control SPACE, owner SPACE (a Power, `taken`, `nobody`), \
     garrison SPACE (`full`, `low`, `city`, `none`), rf SPACE, besieged SPACE, blockaded SPACE, orientation POWER, \
     points POWER, points later POWER, pool KIND, dead KIND, tray KIND (how many; `reduced KIND` for reduced ones), \
     card NUMBER (`Christian`, `Muslim`, `deck`, `discards`, `removed`), vp SEAT, hand SEAT, failed calls SEAT, advantage, \
     reshuffle, deck, turn, step, deciding, mp, army, march, strength SIDE and modifier SIDE and steps SIDE of a battle \
     (`attacker`, `defender`), outcome";

const SEATS: [(&str, Seat); 2] = [("Christian", CHRISTIAN), ("Muslim", MUSLIM)];

impl Staged for KingdomOfHeaven {
    fn sound(&self, p: &Position) -> Result<(), String> {
        self.sound_pieces(p)?;
        self.sound_cards(p)?;
        self.sound_strongholds(p)
    }

    fn stage(&self, sheet: &Node) -> Result<Position, DataError> {
        let mut f = sheet.fields()?;
        let c = &self.components;
        let number = match f.optional("scenario") {
            None => c.plots.iter().position(|plot| plot.id == "D"),
            Some(node) => {
                let id = node.text()?;
                let found = c.plots.iter().position(|plot| plot.id == id);
                Some(found.ok_or_else(|| node.expected("the id of a scenario"))?)
            }
        };
        let number = number.ok_or_else(|| sheet.wrong("expected a `scenario`"))?;
        let plot = &c.plots[number];
        let options = f.optional("options").map(Node::texts).transpose()?.unwrap_or_default();
        let has = |name: &str| options.iter().any(|o| o == name);
        let rules = TableRules {
            combine: has("combined-cards"),
            dealt: has("dealt-events"),
            marginal: has("marginal-victory"),
        };
        // Strongholds stand as in the scenario, and nobody is on the map but those who are named.
        let mut p = self.empty_board(number, rules);
        p.open.turn = f.optional("turn").map_or(Ok(1), |n| n.number_in(1..=i64::from(plot.turns)))? as u8;
        if let Some(node) = f.optional("orientation") {
            for n in node.fields()?.all() {
                let power = c.power_of(n.name()).filter(|power| plot.present.has(*power));
                let power =
                    power.ok_or_else(|| n.wrong(format!("{} is no Power of this scenario", n.name())))?;
                p.open.stance[power] = n.one_of(&[
                    ("christian", Stance::Christian),
                    ("muslim", Stance::Muslim),
                    ("neutral", Stance::Neutral),
                    ("dissolved", Stance::Absent),
                ])?;
            }
        }
        for node in f.optional("strongholds").map_or(Ok(&[][..]), Node::list)? {
            self.stage_stronghold(&mut p, plot, node)?;
        }
        for node in f.optional("forces").map_or(Ok(&[][..]), Node::list)? {
            self.stage_force(&mut p, plot, node)?;
        }
        for (key, place) in [("pool", Place::Pool), ("dead", Place::Dead)] {
            for node in f.optional(key).map_or(Ok(&[][..]), Node::list)? {
                self.stage_pieces(&mut p, plot, node, node.text()?, place, false)?;
            }
        }
        for node in f.optional("captive").map_or(Ok(&[][..]), Node::list)? {
            let leader = c.leader_named(node)?;
            let captor = match p.open.stance[c.leader(leader).power] {
                Stance::Muslim => CHRISTIAN,
                _ => MUSLIM,
            };
            p.open.put_leader(leader, Place::Prison(captor));
        }
        for node in f.optional("paid").map_or(Ok(&[][..]), Node::list)? {
            p.open.paid.insert(c.leader_named(node)?);
        }
        for node in f.optional("sieges").map_or(Ok(&[][..]), Node::list)? {
            self.stage_siege(&mut p, node)?;
        }
        p.open.marker = f.optional("advantage").map(|n| n.one_of(&SEATS)).transpose()?;
        if let Some(node) = f.optional("failed_calls") {
            for n in node.fields()?.all() {
                let seat = SEATS.iter().find(|(name, _)| *name == n.name()).map(|(_, seat)| *seat);
                p.open.failed[seat.ok_or_else(|| n.expected("Christian or Muslim"))?] =
                    n.number_in(0..=9)? as u8;
            }
        }
        if let Some(node) = f.optional("passage") {
            for n in node.fields()?.all() {
                let seat = SEATS.iter().find(|(name, _)| *name == n.name()).map(|(_, seat)| *seat);
                let power = c.power_of(n.text()?).ok_or_else(|| n.expected("the id of a Power"))?;
                p.open.passage[seat.ok_or_else(|| n.expected("Christian or Muslim"))?].insert(power);
            }
        }
        let mut dealt = Set::NONE;
        for (key, seat) in [("christian", CHRISTIAN), ("muslim", MUSLIM)] {
            let hand = self.stage_cards(plot, f.optional(key), &mut dealt)?;
            p.hidden.hands[seat] = hand;
            p.open.held[seat] = hand.len() as u8;
        }
        p.open.discards = self.stage_cards(plot, f.optional("discards"), &mut dealt)?;
        p.open.removed = self.stage_cards(plot, f.optional("removed"), &mut dealt)?;
        if let Some(node) = f.optional("reshuffle") {
            p.open.reshuffle = node.flag()?;
        }
        self.stage_step(&mut p, sheet, &mut f)?;
        f.finish()?;
        self.settle(&mut p, &mut Silent::new(0));
        Ok(p)
    }

    fn fact(&self, _: &Position, after: &Position, key: &str) -> Option<Fact> {
        let (o, c) = (&after.open, &self.components);
        let seat_of = |name: &str| SEATS.iter().find(|(n, _)| *n == name).map(|(_, seat)| *seat);
        let seat_name = |seat: Option<Seat>| seat.map_or("nobody", |s| self.title.seat_name(s));
        let count = |sort: &str, place: Place| -> Option<Fact> {
            let (kind, reduced) = sort.strip_prefix("reduced ").map_or((sort, false), |k| (k, true));
            let units = self.plot(o).roster.of_kind[c.kind_of(kind)?] & o.units_in(place);
            Some(((units.iter().filter(|u| o.reduced.has(*u) == reduced).count()) as i64).into())
        };
        if let Some((what, rest)) = key.split_once(' ') {
            match what {
                "at" | "inside" => {
                    let space = c.space_of(rest)?;
                    return Some(Fact::Text(self.who_is_there(o, space, what == "inside")));
                }
                "units" => return Some((o.here[c.space_of(rest)?].len() as i64).into()),
                "leader" => {
                    let leader = c.leader_of(rest)?;
                    return Some(match o.led[leader] {
                        Place::At(space) => Fact::Text(c.space(space).name.clone()),
                        Place::Dead if o.paid.has(leader) => "half paid".into(),
                        Place::Dead => "dead".into(),
                        Place::Pool => "pool".into(),
                        Place::Prison(_) => "captive".into(),
                        Place::Tray => "tray".into(),
                        Place::Gone => "gone".into(),
                    });
                }
                "control" => {
                    let space = c.space_of(rest)?;
                    return Some(seat_name(self.controller(o, space)).into());
                }
                "owner" => {
                    return Some(match o.holds[c.space_of(rest)?] {
                        None => "nobody".into(),
                        Some(Hold { owner: Owner::Of(power), .. }) => Fact::Text(c.power(power).id.clone()),
                        Some(Hold { owner: Owner::Taken(seat), .. }) => self.title.seat_name(seat).into(),
                    });
                }
                "garrison" => {
                    return Some(
                        match o.holds[c.space_of(rest)?] {
                            None => "none",
                            Some(hold) if hold.city => "city",
                            Some(hold) if hold.full => "full",
                            Some(_) => "low",
                        }
                        .into(),
                    );
                }
                "rf" => {
                    return Some(i64::from(o.marks[c.space_of(rest)?].rf.map_or(-1, |rf| rf as i8)).into());
                }
                "besieged" => return Some(o.marks[c.space_of(rest)?].besieged.into()),
                "blockaded" => return Some(o.marks[c.space_of(rest)?].blockaded.into()),
                "orientation" => {
                    return Some(
                        match o.stance[c.power_of(rest)?] {
                            Stance::Christian => "Christian",
                            Stance::Muslim => "Muslim",
                            Stance::Neutral => "neutral",
                            Stance::Absent => "dissolved",
                        }
                        .into(),
                    );
                }
                "points" => {
                    return Some(match rest.strip_prefix("later ") {
                        Some(power) => i64::from(o.points_later[c.power_of(power)?]).into(),
                        None => i64::from(o.points[c.power_of(rest)?]).into(),
                    });
                }
                "pool" => return count(rest, Place::Pool),
                "dead" => return count(rest, Place::Dead),
                "tray" => return count(rest, Place::Tray),
                "card" => {
                    let card = c.card_of(rest)?;
                    let holder = BOTH.into_iter().find(|seat| after.hidden.hands[*seat].has(card));
                    return Some(match holder {
                        Some(seat) => self.title.seat_name(seat).into(),
                        None if o.discards.has(card) => "discards".into(),
                        None if o.removed.has(card) => "removed".into(),
                        None => "deck".into(),
                    });
                }
                "vp" => return Some(i64::from(self.points(o, seat_of(rest)?)).into()),
                "hand" => return Some(i64::from(o.held[seat_of(rest)?]).into()),
                "failed" => return Some(i64::from(o.failed[seat_of(rest.strip_prefix("calls ")?)?]).into()),
                "strength" | "modifier" | "steps" => {
                    let battle = o.battle.as_ref()?;
                    let seat = match rest {
                        "attacker" => battle.attacker,
                        "defender" => battle.attacker.other(),
                        _ => return None,
                    };
                    return Some(match what {
                        "strength" => {
                            i64::from(self.strength(o, battle.hosts[seat].units, battle.hosts[seat].leaders))
                                .into()
                        }
                        "modifier" => i64::from(battle.hosts[seat].modifier).into(),
                        _ => i64::from(battle.hosts[seat].steps).into(),
                    });
                }
                _ => {}
            }
        }
        Some(match key {
            "advantage" => seat_name(o.marker).into(),
            "reshuffle" => o.reshuffle.into(),
            "deck" => {
                let hands = after.hidden.hands[CHRISTIAN] | after.hidden.hands[MUSLIM];
                ((self.plot(o).deck - hands - o.discards - o.removed).len() as i64).into()
            }
            "turn" => i64::from(o.turn).into(),
            "mp" => o.march.as_ref().map_or(0, |march| i64::from(self.points_left(o, march))).into(),
            "army" => o.march.as_ref().map_or(0, |march| march.units.len() as i64).into(),
            "march" => Fact::Text(o.march.as_ref().map_or("nobody".into(), |m| c.space(m.at).name.clone())),
            "deciding" => {
                let names: Vec<_> = self.deciding(after).iter().map(|s| self.title.seat_name(s)).collect();
                Fact::Text(names.join(" and "))
            }
            "step" => Self::step_name(o.agenda.now()).into(),
            "outcome" => match o.ending {
                None => "not over",
                Some(Ending::Won(CHRISTIAN)) => "Christian",
                Some(Ending::Won(_)) => "Muslim",
                Some(Ending::Marginal(CHRISTIAN)) => "Christian marginally",
                Some(Ending::Marginal(_)) => "Muslim marginally",
                Some(Ending::NoCrusade) => "no crusade",
                Some(Ending::Draw) => "draw",
            }
            .into(),
            _ => return None,
        })
    }

    fn facts(&self) -> &'static str {
        FACTS
    }
}

impl KingdomOfHeaven {
    /// The board of a scenario with its strongholds and nobody on it; all cards in the deck.
    fn empty_board(&self, number: usize, rules: TableRules) -> Position {
        let mut p = self.at_start(number, rules);
        let plot = &self.components.plots[number];
        for unit in Set::first_n(plot.roster.kinds.len()) {
            p.open.put(unit, Place::Tray);
            p.open.reduced.remove(unit);
        }
        for leader in plot.all_leaders {
            p.open.put_leader(leader, Place::Tray);
        }
        p
    }

    /// `SPACE POWER`, `SPACE POWER low`, `SPACE taken Muslim` for a captured city, or `SPACE none`.
    fn stage_stronghold(&self, p: &mut Position, plot: &Plot, node: &Node) -> Result<(), DataError> {
        let c = &self.components;
        let wrong = || {
            node.expected("`SPACE POWER`, with `low` for a low castle; `SPACE taken SEAT`; or `SPACE none`")
        };
        let text = node.text()?;
        if let Some(name) = text.strip_suffix(" none") {
            p.open.holds[c.space_of(name).ok_or_else(wrong)?] = None;
            return Ok(());
        }
        let (text, full) = text.strip_suffix(" low").map_or((text, true), |rest| (rest, false));
        if let Some((name, seat)) = text.split_once(" taken ") {
            let space = c.space_of(name).ok_or_else(wrong)?;
            let seat = SEATS.iter().find(|(n, _)| *n == seat).ok_or_else(wrong)?.1;
            p.open.holds[space] = Some(Hold { city: true, owner: Owner::Taken(seat), full: true });
            return Ok(());
        }
        let (name, power) = text.rsplit_once(' ').ok_or_else(wrong)?;
        let (space, power) = (c.space_of(name).ok_or_else(wrong)?, c.power_of(power).ok_or_else(wrong)?);
        if !plot.present.has(power) {
            return Err(node.expected("a Power of this scenario"));
        }
        let city = plot.holds[space].is_some_and(|hold| hold.city);
        // A city outside the Power's own land is nobody's but the side's [7.2.1].
        let own = c.space(space).province.is_some_and(|prov| plot.owner[prov] == Some(power));
        let owner = match p.open.stance[power].seat() {
            Some(seat) if city && !own => Owner::Taken(seat),
            _ => Owner::Of(power),
        };
        p.open.holds[space] = Some(Hold { city, owner, full });
        Ok(())
    }

    /// `SPACE: Guy, 2 jerusalem_2-4, 1 reduced templars_3-4`, or `SPACE inside: …`.
    fn stage_force(&self, p: &mut Position, plot: &Plot, node: &Node) -> Result<(), DataError> {
        let wrong = || node.expected("`SPACE: LEADER, 2 KIND, 1 reduced KIND`, or `SPACE inside: …`");
        let (name, who) = node.text()?.split_once(": ").ok_or_else(wrong)?;
        let (name, inside) = name.strip_suffix(" inside").map_or((name, false), |name| (name, true));
        let space = self.components.space_of(name).ok_or_else(wrong)?;
        for piece in who.split(", ") {
            self.stage_pieces(p, plot, node, piece, Place::At(space), inside)?;
        }
        Ok(())
    }

    /// A leader, or `2 KIND`, or `2 reduced KIND`.
    fn stage_pieces(
        &self,
        p: &mut Position,
        plot: &Plot,
        node: &Node,
        piece: &str,
        place: Place,
        inside: bool,
    ) -> Result<(), DataError> {
        let c = &self.components;
        if let Some(leader) = c.leader_of(piece) {
            if !plot.all_leaders.has(leader) {
                return Err(node.wrong(format!("{piece} takes no part in this scenario")));
            }
            p.open.put_leader(leader, place);
            if inside {
                p.open.inside_led.insert(leader);
            }
            return Ok(());
        }
        let wrong = || node.wrong(format!("`{piece}`: expected a leader, or a number and a kind of unit"));
        let (count, sort) = piece.split_once(' ').ok_or_else(wrong)?;
        let count: usize = count.parse().map_err(|_| wrong())?;
        let (kind, reduced) = sort.strip_prefix("reduced ").map_or((sort, false), |kind| (kind, true));
        let kind = c.kind_of(kind).ok_or_else(wrong)?;
        let free: Vec<Unit> =
            plot.roster.of_kind[kind].iter().filter(|u| p.open.at[*u] == Place::Tray).take(count).collect();
        if free.len() < count {
            return Err(node.wrong(format!("more of {} than there are counters", c.kind(kind).id)));
        }
        for unit in free {
            p.open.put(unit, place);
            if reduced {
                p.open.reduced.insert(unit);
            }
            if inside {
                p.open.inside.insert(unit);
            }
        }
        Ok(())
    }

    /// `SPACE rf 6`, with `blockaded`; `SPACE rf 6 watched` where nobody besieges yet.
    fn stage_siege(&self, p: &mut Position, node: &Node) -> Result<(), DataError> {
        let wrong = || node.expected("`SPACE rf 6`, with `blockaded` or `watched`");
        let (name, rest) = node.text()?.split_once(" rf ").ok_or_else(wrong)?;
        let space = self.components.space_of(name).ok_or_else(wrong)?;
        let (rf, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let rf = rf.parse().ok().filter(|rf| *rf <= 8).ok_or_else(wrong)?;
        let (besieged, blockaded) = match rest {
            "" => (true, false),
            "blockaded" => (true, true),
            "watched" => (false, false),
            _ => return Err(wrong()),
        };
        p.open.marks[space] = Mark { rf: Some(rf), besieged, blockaded, ..Mark::default() };
        Ok(())
    }

    fn stage_cards(&self, plot: &Plot, node: Option<&Node>, dealt: &mut Cards) -> Result<Cards, DataError> {
        let mut cards: Cards = Set::NONE;
        for n in node.map_or(Ok(&[][..]), Node::list)? {
            let card: Card = self.components.card_named(n)?;
            if !plot.deck.has(card) || dealt.has(card) {
                return Err(n.expected("a card of this scenario, once"));
            }
            dealt.insert(card);
            cards.insert(card);
        }
        Ok(cards)
    }

    /// What is going on: `moves` for a player's round, or the `phase` that begins.
    fn stage_step(&self, p: &mut Position, sheet: &Node, f: &mut Fields<'_>) -> Result<(), DataError> {
        let (moves, phase) = (f.optional("moves"), f.optional("phase"));
        match (moves, phase) {
            (Some(node), None) => {
                let seat = node.one_of(&SEATS)?;
                p.open.to_play = seat.other();
                p.open.agenda.push(Step::Turn(Phase::Strategy));
                p.open.agenda.push(Step::RoundEnd { seat });
                p.open.agenda.push(Step::Round { seat });
            }
            (None, Some(node)) if node.text() == Ok("ransom") => {
                p.open.agenda.push(Step::Turn(Phase::Initiative));
                p.open.agenda.push(Step::Ransom { seat: MUSLIM });
                p.open.agenda.push(Step::Ransom { seat: CHRISTIAN });
            }
            (None, Some(node)) => {
                let phase = node.one_of(&[
                    ("arrivals", Phase::Arrivals),
                    ("replacement", Phase::Replacement),
                    ("muster", Phase::Muster),
                    ("deal", Phase::Deal),
                    ("initiative", Phase::Initiative),
                    ("demobilisation", Phase::Demobilisation),
                    ("end", Phase::End),
                ])?;
                p.open.agenda.push(Step::Turn(phase));
            }
            _ => return Err(sheet.wrong("expected either `moves` or `phase`")),
        }
        Ok(())
    }

    /// Everybody in a space, outside or inside its stronghold.
    fn who_is_there(&self, o: &Open, space: Space, inside: bool) -> String {
        let c = &self.components;
        let mut words = Vec::new();
        for leader in (0..c.leaders.len()).map(Leader::at) {
            if o.leader_at(leader) == Some(space) && o.inside_led.has(leader) == inside {
                words.push(c.leader(leader).name.clone());
            }
        }
        let units: Units = if inside { o.here[space] & o.inside } else { o.here[space] - o.inside };
        for kind in (0..c.kinds.len()).map(Kind::at) {
            let such = units & self.plot(o).roster.of_kind[kind];
            for (these, word) in [(such - o.reduced, ""), (such & o.reduced, "reduced ")] {
                if these.any() {
                    words.push(format!("{} {word}{}", these.len(), c.kind(kind).name));
                }
            }
        }
        if words.is_empty() { "nobody".into() } else { words.join(", ") }
    }

    /// What is going on, in a word.
    fn step_name(step: Option<&Step>) -> &'static str {
        match step {
            None => "over",
            Some(Step::Turn(_)) => "turn",
            Some(Step::Replace { .. }) => "replace",
            Some(Step::Recover { .. }) => "recover",
            Some(Step::MusterLeaders { .. }) => "muster leaders",
            Some(Step::MusterUnits { .. }) => "muster units",
            Some(Step::Ransom { .. }) => "ransom",
            Some(Step::Round { .. }) => "round",
            Some(Step::Window { .. }) => "window",
            Some(Step::Command) => "command",
            Some(Step::March) => "march",
            Some(Step::Designate { .. }) => "designate",
            Some(Step::Destination { .. }) => "destination",
            Some(Step::Follow { .. }) => "follow",
            Some(Step::Rearguard { .. }) => "rearguard",
            Some(Step::Shelter { .. }) => "shelter",
            Some(Step::Lift { .. }) => "lift",
            Some(Step::Battle) => "battle",
            Some(Step::Casualties) => "casualties",
            Some(Step::Losses { .. }) => "losses",
            Some(Step::Retreat { .. }) => "retreat",
            Some(Step::Refuge { .. }) => "refuge",
            Some(Step::Garrison { .. }) => "garrison",
            Some(Step::Man { .. }) => "man",
            Some(Step::Vassals { .. }) => "vassals",
            Some(Step::Activations { .. }) => "activations",
            Some(Step::Overture { .. }) => "overture",
            Some(Step::Expelled { .. }) => "expelled",
            Some(Step::Press) => "press",
            Some(Step::Answer { .. }) => "answer",
            Some(Step::Winter { .. }) => "winter",
            Some(Step::Effects(_)) => "effects",
            Some(Step::Deal { .. }) => "deal",
            Some(Step::Draw { .. }) => "draw",
            Some(_) => "passing",
        }
    }

    fn sound_pieces(&self, p: &Position) -> Result<(), String> {
        let (o, c, plot) = (&p.open, &self.components, self.plot(&p.open));
        for (i, kind) in plot.roster.kinds.iter().enumerate() {
            let unit = Unit::at(i);
            let name = &c.kind(*kind).id;
            let standing = o.unit_at(unit);
            let seen: Set<Space> = c.all_spaces().filter(|s| o.here[*s].has(unit)).collect();
            if seen != standing.map_or(Set::NONE, Set::one) {
                return Err(format!("a unit of {name} stands in {seen:?}, and says {:?}", o.at[unit]));
            }
            if standing.is_none() && (o.inside | o.winter).has(unit) {
                return Err(format!("a unit of {name} has marks of the map, and is not on it"));
            }
            if standing.is_some() && o.stance[c.kind(*kind).power] == Stance::Absent {
                return Err(format!("a unit of {name} is on the map, and its Power is no more"));
            }
            if o.inside.has(unit) && standing.is_some_and(|s| o.holds[s].is_none()) {
                return Err(format!("a unit of {name} is inside, and there is no stronghold"));
            }
        }
        for leader in (0..c.leaders.len()).map(Leader::at) {
            let on_map = o.leader_at(leader).is_some();
            if !matches!(o.led[leader], Place::Tray | Place::Gone) && !plot.all_leaders.has(leader) {
                return Err(format!("{} takes no part in this scenario", c.leader(leader).name));
            }
            if o.inside_led.has(leader) && !on_map {
                return Err(format!("{} is inside, and not on the map", c.leader(leader).name));
            }
            if on_map && o.stance[c.leader(leader).power] == Stance::Absent {
                return Err(format!("{} is on the map, and his Power is no more", c.leader(leader).name));
            }
            if o.paid.has(leader) && o.led[leader] != Place::Dead {
                return Err(format!("{} is half paid for, and not dead", c.leader(leader).name));
            }
        }
        Ok(())
    }

    fn sound_cards(&self, p: &Position) -> Result<(), String> {
        let (o, h) = (&p.open, &p.hidden);
        let piles = [h.hands[CHRISTIAN], h.hands[MUSLIM], o.discards, o.removed];
        let mut all: Cards = Set::NONE;
        for pile in piles {
            if all.meets(pile) {
                return Err("a card lies in two places".into());
            }
            all |= pile;
        }
        if !all.within(self.plot(o).deck) {
            return Err("a card of another scenario is in play".into());
        }
        for seat in BOTH {
            if usize::from(o.held[seat]) != h.hands[seat].len() {
                return Err(format!(
                    "{} cards are said to be held, and {} are",
                    o.held[seat],
                    h.hands[seat].len()
                ));
            }
            if !h.fresh[seat].within(h.hands[seat]) || usize::from(o.drawn[seat]) != h.fresh[seat].len() {
                return Err("cards drawn this round are not those in the hand".into());
            }
            if !h.known[seat].within(h.hands[seat]) {
                return Err("a card is known in a hand that does not hold it".into());
            }
        }
        Ok(())
    }

    fn sound_strongholds(&self, p: &Position) -> Result<(), String> {
        let (o, c) = (&p.open, &self.components);
        for space in c.all_spaces() {
            let (mark, name) = (&o.marks[space], &c.space(space).name);
            match o.holds[space] {
                None if mark.besieged || mark.blockaded || mark.rf.is_some() => {
                    return Err(format!("{name} has marks of a siege, and no stronghold"));
                }
                Some(hold) => {
                    if let Owner::Of(power) = hold.owner
                        && o.stance[power] == Stance::Absent
                    {
                        return Err(format!("{name} belongs to a Power that is no more"));
                    }
                    if matches!(hold.owner, Owner::Taken(_)) && !hold.city {
                        return Err(format!("the castle of {name} belongs to no Power"));
                    }
                    if mark.rf.is_some_and(|rf| rf > 8) {
                        return Err(format!("{name} resists with more than eight"));
                    }
                    if mark.blockaded && !mark.besieged {
                        return Err(format!("{name} is blockaded, and not besieged"));
                    }
                    let inside = (o.here[space] & o.inside).len()
                        + o.inside_led.iter().filter(|l| o.leader_at(*l) == Some(space)).count();
                    if !hold.city && inside > usize::from(c.castle.capacity) {
                        return Err(format!("{inside} are inside the castle of {name}"));
                    }
                }
                None => {}
            }
        }
        Ok(())
    }
}
