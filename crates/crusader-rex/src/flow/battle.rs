//! Combat [6.0]: the course of a battle, combat turns, fire, charges, harrying and hits.

use table::{Ballot, Readers, Seat, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{FRANK, NONE, ROADS, SARACEN, Set, each, one};
use crate::position::{Position, Stage, Step};

/// Rounds of a battle [6.2].
const ROUNDS: u8 = 3;

impl CrusaderRex {
    fn stage(&self, p: &mut Position, stage: Stage) {
        p.agenda.replace(Step::Fight(stage));
    }

    /// The side that has no block left in the battle's town.
    fn absent(&self, p: &Position) -> Option<Seat> {
        let here = p.here[usize::from(p.battle.town)];
        [FRANK, SARACEN].into_iter().find(|s| here & self.of(*s) == 0)
    }

    /// The course of a battle.
    pub(super) fn fight_on(&self, p: &mut Position, stage: Stage, umpire: &mut (impl Umpire + ?Sized)) {
        let t = p.battle.town;
        match stage {
            Stage::Open => self.open_fight(p, umpire),
            Stage::Deployed => {
                self.stage(p, Stage::Round);
                let (attacker, defender) = (p.battle.attacker, p.battle.attacker.other());
                if p.battle.fresh && self.field(p, t, defender) == 0 && self.besieged(p, t).is_some() {
                    // Everybody withdrew and nobody comes to help: the field is won without a fight.
                    self.offer_regroup(p, attacker, t);
                }
            }
            Stage::Round => self.begin_round(p, umpire),
            Stage::Clash => {
                self.begin_combat_turns(p);
                p.battle.clashed = true;
                let both = self.active(p, t, FRANK) | self.active(p, t, SARACEN);
                self.show(p, both, umpire);
                self.stage(p, Stage::RoundEnd);
                p.agenda.push(Step::Round);
            }
            Stage::Assault => {
                self.begin_combat_turns(p);
                p.battle.storm = true;
                let both = p.battle.stormers | self.garrison(p, t);
                self.show(p, both, umpire);
                umpire.cite(rule!("6.54"));
                self.stage(p, Stage::RoundEnd);
                p.agenda.push(Step::Round);
            }
            Stage::RoundEnd => self.end_round(p),
            Stage::Dusk => self.dusk(p, umpire),
            Stage::FieldHeld => {
                self.stage(p, Stage::Attrition);
                let defender = p.battle.attacker.other();
                if self.absent(p).is_some() {
                    self.stage(p, Stage::Won);
                } else {
                    self.offer_regroup(p, defender, t);
                }
            }
            Stage::Attrition => {
                self.stage(p, Stage::Close);
                self.attrition(p, t, false, umpire);
            }
            Stage::Won => {
                self.stage(p, Stage::Close);
                p.battle.sallied = 0;
                p.battle.stormers = 0;
                if let Some(loser) = self.absent(p) {
                    let winner = loser.other();
                    p.inside &= !p.here[usize::from(t)];
                    if umpire.writes() {
                        let (who, town) = (self.title_of(winner), self.components.town_name(t));
                        umpire.note(Readers::ALL, rule!("6.0"), format_args!("the {who} win at {town}"));
                    }
                    if p.here[usize::from(t)] & self.of(winner) != 0 {
                        self.offer_regroup(p, winner, t);
                    }
                }
            }
            Stage::Close => {
                let here = p.here[usize::from(t)];
                p.second &= !here;
                p.third &= !here;
                self.hide(p, t);
                self.lift_siege(p, t);
                p.to_fight &= !one(t);
                p.battle = crate::position::Battle::NONE;
                p.agenda.pop();
            }
        }
    }

    fn open_fight(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let t = p.battle.town;
        if umpire.writes() {
            let what = if self.besieged(p, t).is_some() { "siege" } else { "battle" };
            umpire.heading(format_args!("The {what} of {}", self.components.town_name(t)));
        }
        self.stage(p, Stage::Deployed);
        match self.besieged(p, t) {
            Some(besieged) => {
                umpire.cite(rule!("6.5"));
                umpire.cite(rule!("6.51"));
                // Whoever holds the field defends it; those who relieve the castle attack [6.51, 6.56].
                p.battle.attacker = besieged;
                if self.field(p, t, besieged) != 0 {
                    umpire.cite(rule!("6.56"));
                }
            }
            None => {
                p.battle.fresh = true;
                let saracens = p.attacked[SARACEN.index()] & one(t) != 0;
                p.battle.attacker = if saracens { SARACEN } else { FRANK };
                umpire.cite(rule!("1.11"));
                if self.components.towns[usize::from(t)].rating > 0 {
                    p.agenda.push(Step::Shelter { seat: p.battle.attacker.other() });
                }
            }
        }
    }

    /// Reserves arrive; then it is a field battle, a siege, or waiting.
    fn begin_round(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let t = p.battle.town;
        p.battle.clashed = false;
        p.battle.storm = false;
        if self.absent(p).is_some() {
            // The enemy has left for elsewhere before anybody could fight.
            self.stage(p, Stage::Close);
            return;
        }
        // Who holds the field alone defends it against those who come [6.41, 6.51].
        match [FRANK, SARACEN].map(|s| self.active(p, t, s) != 0) {
            [true, false] => p.battle.attacker = SARACEN,
            [false, true] => p.battle.attacker = FRANK,
            _ => {}
        }
        let here = p.here[usize::from(t)];
        let arriving = here
            & match p.battle.round {
                2 => p.second,
                3 => p.second | p.third,
                _ => 0,
            };
        p.second &= !arriving;
        p.third &= !arriving;
        if arriving != 0 && umpire.writes() {
            let (n, round) = (arriving.count_ones(), p.battle.round);
            umpire.note(Readers::ALL, rule!("6.4"), format_args!("round {round}: {n} blocks arrive"));
        }
        let fields = [FRANK, SARACEN].map(|s| self.active(p, t, s));
        let castle = self.besieged(p, t);
        if fields[0] != 0 && fields[1] != 0 {
            if p.battle.stormers != 0 {
                // Relief calls a storm off [6.56].
                self.end_storm(p);
            }
            self.stage(p, Stage::Clash);
            if let Some(seat) = castle
                && (p.battle.round > 1 || !p.battle.fresh)
            {
                p.agenda.push(Step::Sally { seat });
            }
            return;
        }
        match castle {
            Some(seat) if fields[seat.other().index()] != 0 => {
                self.stage(p, Stage::RoundEnd);
                p.agenda.push(Step::Storm { seat: seat.other() });
            }
            _ => self.stage(p, Stage::RoundEnd),
        }
    }

    fn begin_combat_turns(&self, p: &mut Position) {
        p.battle.acted = 0;
        p.used = [0; ROADS];
    }

    fn end_round(&self, p: &mut Position) {
        let t = p.battle.town;
        if p.battle.storm && p.battle.stormers == 0 {
            self.end_storm(p);
        }
        if self.absent(p).is_some() {
            self.stage(p, Stage::Won);
            return;
        }
        if p.battle.round == ROUNDS {
            self.stage(p, Stage::Dusk);
            return;
        }
        p.battle.round += 1;
        self.stage(p, Stage::Round);
        // A field battle that ended leaves its victor free to regroup, unless reserves still come [6.7].
        if p.battle.clashed {
            for winner in [FRANK, SARACEN] {
                let won = self.active(p, t, winner) != 0 && self.field(p, t, winner.other()) == 0;
                if won {
                    self.offer_regroup(p, winner, t);
                }
            }
        }
    }

    /// The third round is over [6.2, 6.55].
    fn dusk(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let t = p.battle.town;
        umpire.cite(rule!("6.2"));
        let salliers = p.battle.sallied & p.here[usize::from(t)];
        let attacker = p.battle.attacker;
        p.battle.sallied = 0;
        let defended = self.active(p, t, attacker.other()) & !salliers;
        if salliers != 0 && self.field(p, t, self.owner(salliers.trailing_zeros() as u8).other()) != 0 {
            // Salliers who have not won the field go back into the castle [6.55].
            p.inside |= salliers;
            umpire.cite(rule!("6.55"));
        }
        self.end_storm(p);
        if self.active(p, t, attacker) != 0 && (defended != 0 || self.active(p, t, attacker.other()) != 0) {
            self.stage(p, Stage::FieldHeld);
            p.agenda.push(Step::MustRetreat { seat: attacker });
        } else if let Some(seat) = self.besieged(p, t) {
            self.stage(p, Stage::Attrition);
            if p.battle.clashed {
                self.offer_regroup(p, seat.other(), t);
            } else {
                p.used = [0; ROADS];
                p.agenda.push(Step::LeaveSiege { seat: seat.other() });
            }
        } else {
            self.stage(p, Stage::Close);
        }
    }

    /// Whose turn it is in a round, and with which blocks: letters in order, the defender first [6.2]; in a
    /// jihad's first round all attackers first [card.jihad].
    pub(crate) fn acting(&self, p: &Position) -> Option<(Seat, Set)> {
        let t = p.battle.town;
        if t == NONE {
            return None;
        }
        let attacker = if p.battle.storm { self.besieged(p, t)?.other() } else { p.battle.attacker };
        let defender = attacker.other();
        let (attack, defence) = if p.battle.storm {
            (p.battle.stormers, self.garrison(p, t))
        } else {
            (self.active(p, t, attacker), self.active(p, t, defender))
        };
        if attack == 0 || defence == 0 {
            return None;
        }
        let (attack, defence) = (attack & !p.battle.acted, defence & !p.battle.acted);
        if self.has_jihad(p) {
            for (seat, blocks) in [(attacker, attack), (defender, defence)] {
                for letter in self.components.letter {
                    if blocks & letter != 0 {
                        return Some((seat, blocks & letter));
                    }
                }
            }
            return None;
        }
        for letter in self.components.letter {
            if defence & letter != 0 {
                return Some((defender, defence & letter));
            }
            if attack & letter != 0 {
                return Some((attacker, attack & letter));
            }
        }
        None
    }

    /// Whether the jihad puts the attackers first in this round.
    pub(crate) fn has_jihad(&self, p: &Position) -> bool {
        p.jihad == p.battle.town && p.battle.round == 1 && {
            let player = if p.cards[0] == crate::data::kind::JIHAD { FRANK } else { SARACEN };
            let attacker = match self.besieged(p, p.battle.town) {
                Some(seat) if p.battle.storm => seat.other(),
                _ => p.battle.attacker,
            };
            player == attacker
        }
    }

    pub(super) fn list_round(&self, p: &Position, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let Some((_, blocks)) = self.acting(p) else { return };
        let t = p.battle.town;
        let single = blocks.is_power_of_two();
        for b in each(blocks) {
            let bit = one(b);
            if p.battle.storm {
                if p.inside & bit != 0 && single {
                    // A castle under storm can only fire, and everybody sees it [6.54].
                    ballot.force(Action::Fire(b));
                } else {
                    ballot.allow(Action::Fire(b));
                }
                if p.battle.stormers & bit != 0 {
                    ballot.allow(Action::Withdraw(b));
                } else {
                    ballot.refuse(Action::Withdraw(b), rule!("6.62"), format_args!("it is besieged"));
                }
                ballot.refuse(
                    Action::Charge(b),
                    rule!("6.32"),
                    format_args!("knights charge in the field only"),
                );
                ballot.refuse(Action::Harry(b), rule!("6.33"), format_args!("not in a storm"));
                continue;
            }
            ballot.allow(Action::Fire(b));
            if self.components.knights & bit != 0 {
                ballot.allow(Action::Charge(b));
            } else {
                ballot.refuse(Action::Charge(b), rule!("6.32"), format_args!("only Frank knights charge"));
            }
            let sallied = p.battle.sallied & bit != 0;
            let mut roads = false;
            if sallied {
                if ballot.explains() {
                    for (to, _) in &self.components.towns[usize::from(t)].roads {
                        ballot.refuse(
                            Action::Retreat(b, *to),
                            rule!("6.55"),
                            format_args!("those who sally can only withdraw"),
                        );
                    }
                }
            } else {
                roads = self.list_retreats(p, b, ballot);
            }
            if self.components.harriers & bit == 0 {
                ballot.refuse(
                    Action::Harry(b),
                    rule!("6.33"),
                    format_args!("only nomads and turcopoles harry"),
                );
            } else if sallied || !roads {
                ballot.refuse(Action::Harry(b), rule!("6.33"), format_args!("it has no road to retreat by"));
            } else {
                ballot.allow(Action::Harry(b));
            }
            self.list_withdrawal(p, b, ballot);
        }
        if ballot.explains() {
            let others = (self.active(p, t, FRANK) | self.active(p, t, SARACEN)) & p.shown & !blocks;
            for b in each(others) {
                let (rule, why) = if p.battle.acted & one(b) != 0 {
                    (rule!("6.2"), "it has had its turn in this round")
                } else {
                    (rule!("6.2"), "its turn has not come: A before B before C, the defender first")
                };
                ballot.refuse(Action::Fire(b), rule, format_args!("{why}"));
            }
        }
    }

    pub(super) fn act_round(&self, p: &mut Position, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
        match action {
            Action::Fire(b) => self.fire(p, b, false, umpire),
            Action::Charge(b) => self.fire(p, b, true, umpire),
            Action::Harry(b) => {
                umpire.cite(rule!("6.33"));
                p.agenda.push(Step::Harried { block: b });
                self.fire(p, b, false, umpire);
            }
            Action::Retreat(b, to) => {
                p.battle.acted |= one(b);
                self.retreat(p, b, to, umpire);
            }
            Action::Withdraw(b) => self.withdraw(p, b, umpire),
            _ => {}
        }
    }

    /// A block rolls a die for each step and hits up to its firepower [6.3]; a charge hits on one more and
    /// pays for sixes [6.32].
    fn fire(&self, p: &mut Position, b: u8, charge: bool, umpire: &mut (impl Umpire + ?Sized)) {
        let i = usize::from(b);
        p.battle.acted |= one(b);
        let aim = self.components.blocks[i].fire + u8::from(charge);
        let (mut hits, mut sixes) = (0, 0);
        let mut shown = String::new();
        for _ in 0..p.strength[i] {
            let die = umpire.roll(6);
            if umpire.writes() {
                shown.push(' ');
                shown.push(char::from(b'0' + die));
            }
            hits += u8::from(die <= aim);
            sixes += u8::from(die == 6);
        }
        if umpire.writes() {
            let name = self.components.block_name(b);
            if charge {
                umpire.note(
                    Readers::ALL,
                    rule!("6.32"),
                    format_args!("{name} charges:{shown}: {hits} hits, {sixes} lost"),
                );
            } else {
                umpire.note(Readers::ALL, rule!("6.3"), format_args!("{name} fires:{shown}: {hits} hits"));
            }
            umpire.cite(rule!("2.1"));
            umpire.cite(rule!("2.1.1"));
            umpire.cite(rule!("2.1.2"));
        }
        if charge {
            for _ in 0..sixes.min(p.strength[i]) {
                if self.lose_step(p, b, umpire) {
                    break;
                }
            }
        }
        if hits > 0 {
            p.agenda.push(Step::Hits { seat: self.owner(b).other(), hits });
        }
    }

    /// The blocks that may be hit, and the strongest among them [6.31].
    fn strongest(&self, p: &Position, seat: Seat) -> (Set, Set) {
        let t = p.battle.town;
        let targets = if !p.battle.storm {
            self.active(p, t, seat)
        } else if self.besieged(p, t) == Some(seat) {
            self.garrison(p, t)
        } else {
            p.battle.stormers & self.of(seat)
        };
        let most = each(targets).map(|b| p.strength[usize::from(b)]).max().unwrap_or(0);
        let tied =
            each(targets).filter(|b| p.strength[usize::from(*b)] == most).fold(0, |set, b| set | one(b));
        (targets, tied)
    }

    /// Places hits that leave no choice; whether one is left that needs a choice.
    pub(super) fn hits_need_choice(
        &self,
        p: &mut Position,
        seat: Seat,
        mut hits: u8,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> bool {
        let doubled = p.battle.storm && self.besieged(p, p.battle.town) == Some(seat);
        loop {
            let (targets, tied) = self.strongest(p, seat);
            if hits == 0 || targets == 0 {
                p.agenda.pop();
                return false;
            }
            if doubled {
                if p.battle.half != NONE {
                    // The second half of a hit goes where the first went [6.54].
                    let b = std::mem::replace(&mut p.battle.half, NONE);
                    self.wound(p, b, umpire);
                    hits -= 1;
                    continue;
                }
                if tied.is_power_of_two() {
                    p.battle.half = tied.trailing_zeros() as u8;
                    hits -= 1;
                    continue;
                }
            } else if u32::from(hits) >= tied.count_ones() {
                // Everyone who could take one takes one.
                for b in each(tied) {
                    self.wound(p, b, umpire);
                    hits -= 1;
                }
                continue;
            }
            p.agenda.replace(Step::Hits { seat, hits });
            return true;
        }
    }

    fn wound(&self, p: &mut Position, b: u8, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.cite(rule!("6.31"));
        self.lose_step(p, b, umpire);
    }

    pub(super) fn list_hits(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let (targets, tied) = self.strongest(p, seat);
        for b in each(targets) {
            if tied & one(b) != 0 {
                ballot.allow(Action::Take(b));
            } else {
                ballot.refuse(Action::Take(b), rule!("6.31"), format_args!("hits go to the strongest block"));
            }
        }
    }

    pub(super) fn act_hit(
        &self,
        p: &mut Position,
        seat: Seat,
        hits: u8,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Action::Take(b) = action else { return };
        p.agenda.replace(Step::Hits { seat, hits: hits - 1 });
        if p.battle.storm && p.inside & one(b) != 0 {
            p.battle.half = b;
            umpire.cite(rule!("6.54"));
        } else {
            self.wound(p, b, umpire);
        }
    }
}
