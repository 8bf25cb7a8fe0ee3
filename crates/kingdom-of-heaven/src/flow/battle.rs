//! Battles \[13\]: cards, rolls, losses, pursuit, and the fates of leaders.

use table::{Ballot, Readers, Seat, Set, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::cards::Trigger;
use crate::ids::{BOTH, Leader, Leaders, Space, Spaces, Units};
use crate::position::{Battle, BattlePhase, March, Open, Place, Position, Step, Toll};
use crate::words::{counted, signed};

impl KingdomOfHeaven {
    /// A battle begins: leaders are found, and who may play cards [13.2].
    pub(super) fn start_battle(
        &self,
        p: &mut Position,
        mut battle: Battle,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.hidden.plan.clear();
        for seat in BOTH {
            battle.hosts[seat].first = self.first_by_lot(battle.hosts[seat].leaders, umpire);
            battle.hosts[seat].led = battle.hosts[seat].leaders.any();
        }
        let strengths = BOTH.map(|seat| self.host_strength(&p.open, &battle, seat));
        for seat in BOTH {
            let (mine, theirs) = (strengths[seat.index()], strengths[seat.other().index()]);
            battle.hosts[seat].cards = mine * 4 >= theirs;
        }
        if umpire.writes() {
            let (one, two) = (battle.attacker, battle.attacker.other());
            let place = self.space_name(battle.at);
            let what = if battle.assault { "The walls of" } else { "Battle at" };
            umpire.note(
                Readers::ALL,
                rule!("13.2"),
                format_args!(
                    "{what} {place}: the {} attacks with a strength of {} against {}",
                    self.title.seat_name(one),
                    strengths[one.index()],
                    strengths[two.index()]
                ),
            );
        }
        p.open.battle = Some(battle);
        p.open.agenda.push(Step::Battle);
    }

    /// The combat strength of a side.
    pub(crate) fn host_strength(&self, o: &Open, battle: &Battle, seat: Seat) -> i16 {
        let host = &battle.hosts[seat];
        let walls = match battle.castle {
            _ if !battle.assault || seat == battle.attacker => 0,
            0 => 0,
            1 => i16::from(self.components.castle.cs_low),
            _ => i16::from(self.components.castle.cs_full),
        };
        self.strength(o, host.units, host.leaders) + walls
    }

    /// What is added to a side's die.
    pub(crate) fn battle_modifier(&self, o: &Open, battle: &Battle, seat: Seat) -> i8 {
        let _ = o;
        let rating =
            |seat: Seat| battle.hosts[seat].first.map_or(0, |l| self.components.leader(l).battle as i8);
        let (mine, theirs) = (rating(seat), rating(seat.other()));
        let attacks = seat == battle.attacker;
        let mut modifier = battle.hosts[seat].modifier;
        if battle.assault {
            modifier += i8::from(mine > theirs);
            modifier += if attacks { 0 } else { 2 };
        } else {
            modifier += (mine - theirs).max(0);
            modifier += i8::from(attacks && battle.interception);
            modifier += i8::from(attacks && battle.relief);
            modifier -= i8::from(battle.hosts[seat].avoided);
        }
        modifier
    }

    /// Carries a battle on; says whether somebody is asked.
    pub(super) fn fight(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let Some(battle) = &p.open.battle else {
            p.open.agenda.pop();
            return false;
        };
        let (attacker, defender) = (battle.attacker, battle.attacker.other());
        // A sally that an answer has stopped before it began.
        let stopped = |march: &March| march.over && march.seat == attacker;
        if battle.sally
            && battle.phase == BattlePhase::CardsAttacker
            && p.open.march.as_ref().is_some_and(stopped)
        {
            p.open.battle = None;
            p.open.agenda.pop();
            return false;
        }
        let next = |p: &mut Position, phase| {
            if let Some(battle) = &mut p.open.battle {
                battle.phase = phase;
            }
            false
        };
        match battle.phase {
            BattlePhase::CardsAttacker => {
                self.battle_window(p, attacker, Trigger::BeforeRolls) || next(p, BattlePhase::CardsDefender)
            }
            BattlePhase::CardsDefender => {
                self.battle_window(p, defender, Trigger::BeforeRolls) || next(p, BattlePhase::Roll)
            }
            BattlePhase::Roll => {
                self.roll_battle(p, umpire);
                next(p, BattlePhase::AfterAttacker)
            }
            BattlePhase::AfterAttacker => {
                self.battle_window(p, attacker, Trigger::AfterRolls) || next(p, BattlePhase::AfterDefender)
            }
            BattlePhase::AfterDefender => {
                self.battle_window(p, defender, Trigger::AfterRolls) || next(p, BattlePhase::Count)
            }
            BattlePhase::Count => {
                self.count_losses(p, umpire);
                next(p, BattlePhase::Judge);
                p.open.agenda.push(Step::Casualties);
                false
            }
            BattlePhase::Judge if battle.assault => {
                self.judge_assault(p, umpire);
                false
            }
            BattlePhase::Judge => {
                self.judge_battle(p, umpire);
                next(p, BattlePhase::Way)
            }
            BattlePhase::Way => {
                next(p, BattlePhase::PursuitCards);
                self.begin_retreat(p);
                false
            }
            BattlePhase::PursuitCards => {
                let loser = Self::retreating(battle);
                if self.pursuit_due(&p.open) && self.opens(p, loser, Trigger::Pursuit) {
                    return true;
                }
                next(p, BattlePhase::Pursue)
            }
            BattlePhase::Pursue => {
                next(p, BattlePhase::Go);
                if self.pursuit_due(&p.open) {
                    self.pursue(p, umpire);
                }
                false
            }
            BattlePhase::Go => {
                next(p, BattlePhase::Fates);
                self.go_back(p, umpire);
                false
            }
            BattlePhase::Fates => {
                next(p, BattlePhase::Reward);
                self.fates_of_beaten(p, umpire);
                false
            }
            BattlePhase::Reward => {
                next(p, BattlePhase::Over);
                self.reward(p, umpire);
                false
            }
            BattlePhase::Over => {
                self.end_battle(p, umpire);
                false
            }
        }
    }

    /// Whether a player is asked for battle events, or for siege events in an assault.
    fn battle_window(&self, p: &Position, seat: Seat, trigger: Trigger) -> bool {
        let Some(battle) = &p.open.battle else { return false };
        if battle.assault {
            return trigger == Trigger::BeforeRolls
                && self.armed(p, seat)
                && self.at_large(p).iter().any(|card| self.serves_assault(p, seat, card));
        }
        battle.hosts[seat].cards && self.opens(p, seat, trigger)
    }

    fn battle_trigger(&self, p: &Position) -> Trigger {
        match p.open.battle.as_ref().map(|b| b.phase) {
            Some(BattlePhase::AfterAttacker | BattlePhase::AfterDefender) => Trigger::AfterRolls,
            Some(BattlePhase::PursuitCards) => Trigger::Pursuit,
            _ => Trigger::BeforeRolls,
        }
    }

    pub(super) fn list_battle_cards(
        &self,
        p: &Position,
        seat: Seat,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        ballot.allow(Action::Decline);
        let assault = p.open.battle.as_ref().is_some_and(|b| b.assault);
        let trigger = self.battle_trigger(p);
        for card in self.usable(p, seat) {
            let serves = if assault {
                self.serves_assault(p, seat, card)
            } else {
                self.answers(p, seat, card, trigger)
            };
            if serves {
                ballot.allow(Action::Respond(card));
            } else if ballot.explains() {
                let rule = if assault { rule!("17.7") } else { rule!("8.4.2") };
                ballot.refuse(
                    Action::Respond(card),
                    rule,
                    format_args!("it cannot be played in this battle now"),
                );
            }
        }
    }

    pub(super) fn act_battle_card(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        if let Action::Respond(card) = action {
            if p.open.battle.as_ref().is_some_and(|b| b.assault) {
                self.play_in_assault(p, seat, card, umpire);
            } else {
                self.respond(p, seat, card, umpire);
            }
            return;
        }
        if let Some(battle) = &mut p.open.battle {
            battle.phase = match battle.phase {
                BattlePhase::CardsAttacker => BattlePhase::CardsDefender,
                BattlePhase::CardsDefender => BattlePhase::Roll,
                BattlePhase::AfterAttacker => BattlePhase::AfterDefender,
                BattlePhase::PursuitCards => BattlePhase::Pursue,
                _ => BattlePhase::Count,
            };
        }
    }

    fn roll_battle(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(battle) = p.open.battle.clone() else { return };
        for seat in [battle.attacker, battle.attacker.other()] {
            let die = umpire.roll(6) as i8;
            let modifier = self.battle_modifier(&p.open, &battle, seat);
            if umpire.writes() {
                let (who, plus) = (self.title.seat_name(seat), signed(modifier.into()));
                umpire.note(Readers::ALL, rule!("13.2"), format_args!("The {who} rolls a {die} with {plus}"));
            }
            if let Some(battle) = &mut p.open.battle {
                battle.hosts[seat].die = die + modifier;
            }
        }
    }

    /// What the rolls cost each side.
    fn count_losses(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(mut battle) = p.open.battle.take() else { return };
        self.reckon(&p.open, &mut battle);
        if umpire.writes() {
            for seat in BOTH {
                let (who, steps) =
                    (self.title.seat_name(seat), counted(battle.hosts[seat].owed.into(), "step", "steps"));
                umpire.note(Readers::ALL, rule!("13.5"), format_args!("The {who} loses {steps}"));
            }
        }
        p.open.battle = Some(battle);
    }

    /// What the modified dice of a battle cost each side [13.3, 13.5].
    pub(super) fn reckon(&self, o: &Open, battle: &mut Battle) {
        let mut total = [0_usize; 2];
        for seat in BOTH {
            let strength = self.host_strength(o, battle, seat);
            let die = battle.hosts[seat].die;
            let mut column = self.components.crt.column(strength).map(|c| c as i16);
            if battle.assault && seat == battle.attacker {
                let rf = i16::from(o.marks[battle.at].rf.unwrap_or(0));
                column = column.map(|c| c - rf + i16::from(o.duel.map_or(0, |d| d.columns)));
            }
            let steps = match column {
                Some(c) if c >= 0 => self.components.crt.steps(c as usize, die),
                _ => 0,
            };
            battle.hosts[seat.other()].steps = steps;
        }
        for seat in BOTH {
            let host = &mut battle.hosts[seat];
            let walls =
                if battle.assault && seat != battle.attacker { usize::from(battle.castle) } else { 0 };
            total[seat.index()] = self.steps(o, host.units | host.extra) + walls;
            host.owed = usize::from(host.steps).min(total[seat.index()]) as u8;
            // Steps beyond what an army has are not lost; leaders alone fall to any.
            if total[seat.index()] > 0 {
                host.steps = host.owed;
            }
            let crusaders = self.units_of_powers(o, self.components.crusaders);
            host.crusader = host.owed > 0 && (host.units | host.extra).meets(crusaders);
        }
        // Both destroyed: each keeps a step [13.5].
        if BOTH.iter().all(|s| total[s.index()] > 0 && usize::from(battle.hosts[*s].owed) == total[s.index()])
        {
            for seat in BOTH {
                battle.hosts[seat].owed -= 1;
                battle.hosts[seat].steps = battle.hosts[seat].owed;
            }
            // A draw, whatever was rolled.
            let least = battle.hosts.0.iter().map(|h| h.steps).max().unwrap_or(0);
            battle.hosts.0.iter_mut().for_each(|h| h.steps = least);
        }
    }

    /// The units of a side that may lose the next step.
    fn may_fall(&self, o: &Open, seat: Seat) -> Units {
        let Some(battle) = &o.battle else { return Set::NONE };
        let host = &battle.hosts[seat];
        let units = host.units | host.extra;
        let crusaders = units & self.units_of_powers(o, self.components.crusaders);
        if host.crusader && crusaders.any() { crusaders } else { units }
    }

    /// Whether the walls themselves may lose a step: the last only when nobody else is left.
    fn walls_may_fall(&self, o: &Open, seat: Seat) -> bool {
        o.battle.as_ref().is_some_and(|b| {
            let host = &b.hosts[seat];
            b.assault
                && seat != b.attacker
                && !host.crusader
                && (b.castle > 1 || b.castle == 1 && (host.units | host.extra).is_empty())
        })
    }

    pub(super) fn list_casualties(
        &self,
        p: &Position,
        seat: Seat,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let o = &p.open;
        ballot.allow(Action::Usual);
        let may = self.may_fall(o, seat);
        self.sorts(o, may, |sort| ballot.allow(Action::Lose(sort)));
        if let Some(battle) = o.battle.as_ref().filter(|_| ballot.explains()) {
            let host = &battle.hosts[seat];
            self.sorts(o, (host.units | host.extra) - may, |sort| {
                ballot.refuse(
                    Action::Lose(sort),
                    rule!("13.5"),
                    format_args!("the first step is a Crusader’s"),
                );
            });
        }
        if self.walls_may_fall(o, seat) {
            ballot.allow(Action::LoseCastle);
        }
    }

    pub(super) fn act_casualties(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let owed = |p: &Position| p.open.battle.as_ref().map_or(0, |b| b.hosts[seat].owed);
        match action {
            Action::Lose(sort) => {
                if let Some(unit) = self.one_of(&p.open, self.may_fall(&p.open, seat), sort) {
                    self.fall(p, seat, unit);
                }
            }
            Action::LoseCastle => self.wall_falls(p, seat),
            _ => {
                while owed(p) > 0 {
                    let may = self.may_fall(&p.open, seat);
                    let extra = p.open.battle.as_ref().map_or(Set::NONE, |b| b.hosts[seat].extra);
                    match self.cheapest_loss(&p.open, may, extra) {
                        // The walls spare men where they can.
                        _ if self.walls_may_fall(&p.open, seat) => self.wall_falls(p, seat),
                        Some(unit) => self.fall(p, seat, unit),
                        None => break,
                    }
                }
                if let Some(battle) = &mut p.open.battle {
                    battle.hosts[seat].owed = 0;
                }
            }
        }
        let _ = umpire;
    }

    fn fall(&self, p: &mut Position, seat: Seat, unit: crate::ids::Unit) {
        if let Some(battle) = &mut p.open.battle {
            battle.hosts[seat].owed -= 1;
            battle.hosts[seat].crusader = false;
        }
        self.step_lost(p, unit);
    }

    fn wall_falls(&self, p: &mut Position, seat: Seat) {
        if let Some(battle) = &mut p.open.battle {
            battle.hosts[seat].owed -= 1;
            battle.castle -= 1;
        }
    }

    /// Who has won [13.3], and whether greatly [13.4].
    fn judge_battle(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(mut battle) = p.open.battle.clone() else { return };
        let (a, d) = (battle.attacker, battle.attacker.other());
        let wiped = |seat: Seat| {
            let host = &battle.hosts[seat];
            (host.units | host.extra).is_empty() && (host.dead > 0 || host.steps > 0)
        };
        let lost = |seat: Seat| battle.hosts[seat].steps;
        let winner = match (wiped(a), wiped(d)) {
            (true, false) => Some(d),
            (false, true) => Some(a),
            _ if lost(a) == lost(d) => None,
            _ => Some(if lost(a) < lost(d) { a } else { d }),
        };
        battle.winner = winner;
        battle.major = winner.is_some_and(|w| {
            let (own, other) = (lost(w), lost(w.other()));
            if own == 0 { other > 0 } else { other >= 2 * own }
        });
        let (winner, major, place) = (battle.winner, battle.major, self.space_name(battle.at));
        p.open.battle = Some(battle);
        match winner {
            None => umpire.note(Readers::ALL, rule!("13.3"), format_args!("The battle at {place} is drawn")),
            Some(w) => {
                let who = self.title.seat_name(w);
                let great = if major { "wins a major victory" } else { "wins" };
                umpire.note(Readers::ALL, rule!("13.3"), format_args!("The {who} {great} at {place}"));
            }
        }
    }

    /// Whether the victor pursues [13.4].
    pub(super) fn pursuit_due(&self, o: &Open) -> bool {
        let Some(battle) = &o.battle else { return false };
        let fled = Self::retreating(battle);
        let loser = &battle.hosts[fled];
        let through = battle.way.iter().any(|s| self.holds(o, *s, fled.other()));
        (loser.units | loser.extra).any() && !battle.pursued && (battle.major || through)
    }

    fn pursue(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(battle) = p.open.battle.clone() else { return };
        // In a draw, too, whoever goes back past an enemy stronghold is pursued [14.1].
        let winner = Self::retreating(&battle).other();
        let (host, loser) = (battle.hosts[winner], battle.hosts[winner.other()]);
        let strength = self.strength(&p.open, host.units | host.extra, host.leaders);
        let cavalry = (host.units | host.extra) & self.plot(&p.open).roster.cavalry;
        let (riding, walking) =
            (self.steps(&p.open, cavalry), self.steps(&p.open, (host.units | host.extra) - cavalry));
        let through = battle.way.iter().any(|s| self.holds(&p.open, *s, winner));
        let mut modifier = battle.pursuit;
        modifier += i8::from(riding >= walking);
        modifier += if through && battle.major { 2 } else { 0 };
        modifier -= i8::from(host.avoided);
        let die = umpire.roll(6) as i8;
        let steps = self.components.pursuit.result(strength, die + modifier);
        if let Some(battle) = &mut p.open.battle {
            battle.pursued = true;
        }
        if umpire.writes() {
            let (plus, lost) = (signed(modifier.into()), counted(steps.into(), "step", "steps"));
            umpire.note(Readers::ALL, rule!("13.4"), format_args!("Pursuit with a strength of {strength}: a {die} is rolled with {plus}, and {lost} more are lost"));
        }
        self.lose(p, winner.other(), loser.units | loser.extra, steps, Toll::Any, None);
    }

    /// Leaders of an army that is gone meet their fates [13.6].
    fn fates_of_beaten(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(battle) = p.open.battle.clone() else { return };
        for seat in BOTH {
            let host = &battle.hosts[seat];
            let beaten = battle.winner == Some(seat.other());
            let alone = (host.units | host.extra).is_empty() && beaten;
            if alone {
                // Also of one whose last unit fell on the retreat.
                let near =
                    |s: Option<Space>| s == Some(battle.at) || s.is_some() && s == battle.way.last().copied();
                let leaders: Leaders = host.leaders.iter().filter(|l| near(p.open.leader_at(*l))).collect();
                let modifier = if battle.major { -2 } else { 0 };
                for leader in leaders {
                    let at = p.open.leader_at(leader).unwrap_or(battle.at);
                    self.fate(p, leader, modifier, at, umpire);
                }
            }
        }
    }

    /// Two dice decide what becomes of a leader.
    pub(super) fn fate(
        &self,
        p: &mut Position,
        leader: Leader,
        modifier: i8,
        at: Space,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(seat) = self.leads_for(&p.open, leader) else { return };
        let dice = umpire.roll(6) + umpire.roll(6);
        let total = dice as i8 + self.components.leader(leader).battle as i8 + modifier;
        let name = self.leader_start(leader);
        self.forget_leader(p, leader);
        match total {
            ..=6 => {
                p.open.put_leader(leader, Place::Dead);
                umpire.note(
                    Readers::ALL,
                    rule!("13.6"),
                    format_args!("{name} rolls {dice}, {total} in all: he is dead"),
                );
            }
            7..=9 => {
                p.open.put_leader(leader, Place::Prison(seat.other()));
                umpire.note(
                    Readers::ALL,
                    rule!("13.6"),
                    format_args!("{name} rolls {dice}, {total} in all: he is a prisoner"),
                );
            }
            10..=11 => {
                let near = self.refuge_spaces(&p.open, seat, at);
                if near.any() {
                    umpire.note(
                        Readers::ALL,
                        rule!("13.6"),
                        format_args!(
                            "{name} rolls {dice}, {total} in all: he escapes to a stronghold near by"
                        ),
                    );
                    match near.single() {
                        Some(space) => p.open.put_leader(leader, Place::At(space)),
                        None => {
                            p.open.put_leader(leader, Place::Pool);
                            p.open.agenda.push(Step::Refuge { seat, leader, from: at });
                        }
                    }
                } else if umpire.roll(6) <= 3 {
                    p.open.put_leader(leader, Place::Prison(seat.other()));
                    umpire.note(
                        Readers::ALL,
                        rule!("13.6"),
                        format_args!(
                            "{name} rolls {dice}, {total} in all, and finds no refuge: he is a prisoner"
                        ),
                    );
                } else {
                    p.open.put_leader(leader, Place::Dead);
                    umpire.note(
                        Readers::ALL,
                        rule!("13.6"),
                        format_args!("{name} rolls {dice}, {total} in all, and finds no refuge: he is dead"),
                    );
                }
            }
            _ => {
                p.open.put_leader(leader, Place::Pool);
                umpire.note(
                    Readers::ALL,
                    rule!("13.6"),
                    format_args!("{name} rolls {dice}, {total} in all: he escapes"),
                );
            }
        }
    }

    /// A leader who has left the map leads nobody.
    pub(super) fn forget_leader(&self, p: &mut Position, leader: Leader) {
        if let Some(march) = &mut p.open.march {
            march.leaders.remove(leader);
            if march.leader == Some(leader) {
                march.leader = None;
                march.over = true;
            }
        }
        for f in &mut p.open.foragers {
            f.leaders.remove(leader);
        }
        if let Some(battle) = &mut p.open.battle {
            battle.sheltered_led.remove(leader);
            for host in &mut battle.hosts.0 {
                host.leaders.remove(leader);
            }
        }
    }

    /// Friendly strongholds at most two spaces away, with no enemy stronghold between.
    fn refuge_spaces(&self, o: &Open, seat: Seat, at: Space) -> Spaces {
        let good = |s: &Space| self.holds(o, *s, seat) && !o.marks[*s].besieged;
        let mut found: Spaces = Set::NONE;
        if good(&at) {
            found.insert(at);
        }
        for way in self.components.space(at).ways.iter().filter(|way| !way.desert) {
            if good(&way.to) {
                found.insert(way.to);
            }
            if self.holds(o, way.to, seat.other()) {
                continue;
            }
            let further = self.components.space(way.to).ways.iter().filter(|w| !w.desert && w.to != at);
            found |= further.map(|w| w.to).filter(good).collect();
        }
        found
    }

    pub(super) fn list_refuges(
        &self,
        p: &Position,
        seat: Seat,
        _: Leader,
        from: Space,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let found = self.refuge_spaces(&p.open, seat, from);
        for space in found {
            ballot.allow(Action::Target(space));
        }
        if found.is_empty() {
            ballot.allow(Action::Done);
        }
    }

    pub(super) fn act_refuge(
        &self,
        p: &mut Position,
        leader: Leader,
        action: Action,
        _: &mut (impl Umpire + ?Sized),
    ) {
        p.open.agenda.pop();
        if let Action::Target(space) = action {
            p.open.put_leader(leader, Place::At(space));
        }
    }

    /// Victory over an army with a leader may bring the advantage marker [9.3].
    fn reward(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(battle) = p.open.battle.clone() else { return };
        let Some(winner) = battle.winner else { return };
        let loser = battle.hosts[winner.other()];
        if loser.led {
            self.advantage(p, winner, loser.dead, umpire);
        }
    }

    fn end_battle(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(battle) = p.open.battle.take() else { return };
        p.open.agenda.pop();
        if let Some(march) = &mut p.open.march
            && !battle.aside
        {
            let won = battle.winner == Some(march.seat);
            let lift = battle.sally && battle.attacker != march.seat;
            if !won && !lift {
                march.over = true;
            }
            if march.units.is_empty() && march.leaders.is_empty() {
                march.over = true;
            }
            if won && !lift {
                umpire.cite(rule!("13.7"));
            }
        }
        if battle.aside
            && battle.winner != Some(battle.attacker)
            && let Some(i) =
                p.open.forager_of(battle.hosts[battle.attacker].units, battle.hosts[battle.attacker].leaders)
        {
            p.open.foragers[i].shadows = false;
        }
        self.tidy(p, umpire);
    }
}
