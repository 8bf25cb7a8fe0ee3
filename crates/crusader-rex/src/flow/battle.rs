//! Combat [6.0]: the course of a battle, combat turns, fire, charges, harrying and hits.

use table::{Ballot, Map, Readers, Seat, Set, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{BOTH, Block, Card, FRANK, SARACEN, Sides};
use crate::position::{Battle, Position, Stage, Step};
use crate::words::counted;

/// Rounds of a battle [6.2].
pub(super) const ROUNDS: u8 = 3;

impl CrusaderRex {
    fn enter(&self, p: &mut Position, stage: Stage) {
        p.open.agenda.replace(Step::Fight(stage));
    }

    /// The side that has no block left in the battle's town.
    fn absent(&self, p: &Position) -> Option<Seat> {
        let here = p.here[p.open.battle().town];
        BOTH.into_iter().find(|s| !here.meets(self.of(*s)))
    }

    /// The course of a battle.
    pub(super) fn fight_on(&self, p: &mut Position, stage: Stage, umpire: &mut (impl Umpire + ?Sized)) {
        let t = p.open.battle().town;
        match stage {
            Stage::Open => self.open_fight(p, umpire),
            Stage::Round => self.begin_round(p, umpire),
            Stage::Clash => {
                self.begin_combat_turns(p);
                p.open.battle_mut().clashed = true;
                let both = self.active(p, t, FRANK) | self.active(p, t, SARACEN);
                self.show(p, both, umpire);
                self.enter(p, Stage::RoundEnd);
                p.open.agenda.push(Step::Round);
            }
            Stage::Assault => {
                self.begin_combat_turns(p);
                p.open.battle_mut().storm = true;
                let both = p.open.battle().stormers | self.garrison(p, t);
                self.show(p, both, umpire);
                umpire.cite(rule!("6.54"));
                self.enter(p, Stage::RoundEnd);
                p.open.agenda.push(Step::Round);
            }
            Stage::RoundEnd => self.end_round(p, umpire),
            Stage::Dusk => self.dusk(p, umpire),
            Stage::FieldHeld => {
                self.enter(p, Stage::Attrition);
                let defender = p.open.battle().attacker.other();
                if self.absent(p).is_some() {
                    self.enter(p, Stage::Won);
                } else {
                    self.offer_regroup(p, defender, t);
                }
            }
            Stage::Attrition => {
                self.enter(p, Stage::Close);
                self.attrition(p, t, false, umpire);
            }
            Stage::Won => {
                self.enter(p, Stage::Close);
                p.open.battle_mut().sallied = Set::NONE;
                p.open.battle_mut().stormers = Set::NONE;
                let winner = p.open.battle().victor.or_else(|| self.absent(p).map(Seat::other));
                p.inside -= p.here[t];
                if let Some(winner) = winner {
                    let empty = p.here[t].is_empty();
                    if umpire.writes() {
                        let (who, town) = (self.title_of(winner), self.components.town_name(t));
                        let rest = if empty { ", and leave it empty" } else { "" };
                        umpire.note(
                            Readers::ALL,
                            rule!("6.0"),
                            format_args!("The {who} win at {town}{rest}"),
                        );
                    }
                    if !empty {
                        self.offer_regroup(p, winner, t);
                    }
                }
            }
            Stage::Close => {
                let here = p.here[t];
                p.second -= here;
                p.third -= here;
                self.lift_siege(p, t, umpire);
                self.stand_up(p, t);
                p.open.to_fight.remove(t);
                p.open.battle = None;
                p.open.agenda.pop();
                self.keep_face_up(p, t, umpire);
            }
        }
    }

    fn open_fight(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let t = p.open.battle().town;
        if umpire.writes() {
            let what = if self.besieged(p, t).is_some() { "siege" } else { "battle" };
            umpire.heading(format_args!("The {what} of {}", self.components.town_name(t)));
        }
        // Even if everybody goes inside: where nobody has fought nobody regroups [6.7].
        self.enter(p, Stage::Round);
        match self.besieged(p, t) {
            Some(besieged) => {
                umpire.cite(rule!("6.5"));
                umpire.cite(rule!("6.51"));
                // Whoever holds the field defends it; those who relieve the castle attack [6.51, 6.56].
                p.open.battle_mut().attacker = besieged;
                if self.field(p, t, besieged).any() {
                    umpire.cite(rule!("6.56"));
                }
            }
            None => {
                p.open.battle_mut().fresh = true;
                let saracens = p.open.attacked[SARACEN].has(t);
                p.open.battle_mut().attacker = if saracens { SARACEN } else { FRANK };
                umpire.cite(rule!("1.11"));
                if self.components.towns[t].rating > 0 {
                    p.open.agenda.push(Step::Shelter { seat: p.open.battle().attacker.other() });
                }
            }
        }
    }

    /// Reserves arrive; then it is a field battle, a siege, or waiting.
    fn begin_round(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let t = p.open.battle().town;
        p.open.battle_mut().clashed = false;
        p.open.battle_mut().storm = false;
        if self.absent(p).is_some() {
            // The enemy has left for elsewhere before anybody could fight.
            self.enter(p, Stage::Close);
            return;
        }
        // Who holds the field alone defends it against those who come [6.41, 6.51].
        let held = BOTH.map(|s| self.active(p, t, s).any());
        match held {
            [true, false] => p.open.battle_mut().attacker = SARACEN,
            [false, true] => p.open.battle_mut().attacker = FRANK,
            _ => {}
        }
        let here = p.here[t];
        if held != [true; 2] && here.meets(p.coming()) {
            umpire.cite(rule!("6.41"));
        }
        let arriving = here
            & match p.open.battle().round {
                2 => p.second,
                3 => p.second | p.third,
                _ => Set::NONE,
            };
        p.second -= arriving;
        p.third -= arriving;
        if arriving.any() && umpire.writes() {
            let (many, round) = (counted(arriving.len(), "block", "blocks"), p.open.battle().round);
            let verb = if arriving.single().is_some() { "arrives" } else { "arrive" };
            umpire.note(Readers::ALL, rule!("6.4"), format_args!("In round {round} {many} {verb}"));
        }
        let fields = Sides::new(|s| self.active(p, t, s).any());
        let castle = self.besieged(p, t);
        if fields == Sides::both(true) {
            if p.open.battle().stormers.any() {
                // Relief calls a storm off.
                self.end_storm(p);
                umpire.cite(rule!("6.56"));
            }
            self.enter(p, Stage::Clash);
            if let Some(seat) = castle
                && (p.open.battle().round > 1 || !p.open.battle().fresh)
            {
                p.open.agenda.push(Step::Sally { seat });
            }
            return;
        }
        match castle {
            Some(seat) if fields[seat.other()] => {
                self.enter(p, Stage::RoundEnd);
                p.open.agenda.push(Step::Storm { seat: seat.other() });
                umpire.cite(rule!("6.5"));
            }
            _ => self.enter(p, Stage::RoundEnd),
        }
    }

    fn begin_combat_turns(&self, p: &mut Position) {
        p.open.battle_mut().acted = Set::NONE;
        p.open.used = Map::filled(0);
    }

    fn end_round(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let t = p.open.battle().town;
        if p.open.battle().storm && p.open.battle().stormers.is_empty() {
            self.end_storm(p);
        }
        if self.absent(p).is_some() {
            self.enter(p, Stage::Won);
            return;
        }
        if p.open.battle().round == ROUNDS {
            self.enter(p, Stage::Dusk);
            return;
        }
        p.open.battle_mut().round += 1;
        self.enter(p, Stage::Round);
        let sallied = p.open.battle().sallied & p.here[t];
        if let Some(b) = sallied.first()
            && self.active(p, t, self.owner(b).other()).is_empty()
        {
            // Salliers who have won the field hold it against whoever comes [6.41, 6.55].
            p.open.battle_mut().sallied = Set::NONE;
            umpire.cite(rule!("6.41"));
        }
        // A field battle that ended leaves its victor free to regroup, unless reserves still come [6.7].
        if p.open.battle().clashed {
            umpire.cite(rule!("6.7"));
            for winner in BOTH {
                let won = self.active(p, t, winner).any() && self.field(p, t, winner.other()).is_empty();
                if won {
                    self.offer_regroup(p, winner, t);
                }
            }
        }
    }

    /// The third round is over [6.2, 6.55].
    fn dusk(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let t = p.open.battle().town;
        umpire.cite(rule!("6.2"));
        let attacker = p.open.battle().attacker;
        let salliers = p.open.battle().sallied & p.here[t] & self.of(attacker);
        p.open.battle_mut().sallied = Set::NONE;
        if salliers.any() && self.field(p, t, attacker.other()).any() {
            // Salliers who attacked and have not won the field go back into the castle; those who joined
            // defenders defend it like them [6.2, 6.55].
            p.inside |= salliers;
            umpire.cite(rule!("6.55"));
        }
        self.end_storm(p);
        if self.active(p, t, attacker).any() && self.active(p, t, attacker.other()).any() {
            self.enter(p, Stage::FieldHeld);
            p.open.agenda.push(Step::MustRetreat { seat: attacker });
        } else if let Some(seat) = self.besieged(p, t) {
            self.enter(p, Stage::Attrition);
            if p.open.battle().clashed {
                self.offer_regroup(p, seat.other(), t);
            } else {
                p.open.used = Map::filled(0);
                p.open.agenda.push(Step::LeaveSiege { seat: seat.other() });
            }
        } else {
            self.enter(p, Stage::Close);
        }
    }

    /// Whose turn it is in a round, and with which blocks: letters in order, the defender first [6.2]; in a
    /// jihad's first round all attackers first [card.jihad].
    pub(crate) fn acting(&self, p: &Position) -> Option<(Seat, Set<Block>)> {
        let battle = p.open.battle.as_ref()?;
        let t = battle.town;
        let attacker = if battle.storm { self.besieged(p, t)?.other() } else { battle.attacker };
        let defender = attacker.other();
        let (attack, defence) = if battle.storm {
            (battle.stormers, self.garrison(p, t))
        } else {
            (self.active(p, t, attacker), self.active(p, t, defender))
        };
        if attack.is_empty() || defence.is_empty() {
            return None;
        }
        let (attack, defence) = (attack - battle.acted, defence - battle.acted);
        let letters = self.components.letter.values();
        if self.has_jihad(p, battle) {
            for (seat, blocks) in [(attacker, attack), (defender, defence)] {
                for letter in letters {
                    if blocks.meets(*letter) {
                        return Some((seat, blocks & *letter));
                    }
                }
            }
            return None;
        }
        for letter in letters {
            if defence.meets(*letter) {
                return Some((defender, defence & *letter));
            }
            if attack.meets(*letter) {
                return Some((attacker, attack & *letter));
            }
        }
        None
    }

    /// Whether the jihad puts the attackers first in this round.
    pub(crate) fn has_jihad(&self, p: &Position, battle: &Battle) -> bool {
        p.open.jihad == Some(battle.town) && battle.round == 1 && {
            let player = if p.open.cards[FRANK] == Some(Card::Jihad) { FRANK } else { SARACEN };
            let attacker = match self.besieged(p, battle.town) {
                Some(seat) if battle.storm => seat.other(),
                _ => battle.attacker,
            };
            player == attacker
        }
    }

    pub(super) fn list_round(&self, p: &Position, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let Some((seat, blocks)) = self.acting(p) else { return };
        let t = p.open.battle().town;
        let single = blocks.single().is_some();
        for b in blocks {
            if p.open.battle().storm {
                if p.inside.has(b) && single {
                    // A castle under storm can only fire, and everybody sees it [6.54].
                    ballot.force(Action::Fire(b));
                } else {
                    ballot.allow(Action::Fire(b));
                }
                if p.open.battle().stormers.has(b) {
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
            if self.components.knights.has(b) {
                ballot.allow(Action::Charge(b));
            } else {
                ballot.refuse(Action::Charge(b), rule!("6.32"), format_args!("only Frank knights charge"));
            }
            let sallied = p.open.battle().sallied.has(b);
            let mut roads = false;
            if sallied {
                if ballot.explains() {
                    for (to, _) in &self.components.towns[t].roads {
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
            if !self.components.harriers.has(b) {
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
            for b in self.garrison(p, t) & self.of(seat) {
                for (to, _) in &self.components.towns[t].roads {
                    let why = "besieged blocks never retreat";
                    ballot.refuse(Action::Retreat(b, *to), rule!("6.62"), format_args!("{why}"));
                }
            }
            let others = (self.active(p, t, FRANK) | self.active(p, t, SARACEN)) & (p.open.shown - blocks);
            for b in others {
                let (rule, why) = if p.open.battle().acted.has(b) {
                    (rule!("6.2"), "it has had its turn in this round")
                } else {
                    (rule!("6.2"), "its turn has not come: A before B before C, the defender first")
                };
                ballot.refuse(Action::Fire(b), rule, format_args!("{why}"));
            }
        }
    }

    pub(super) fn act_round(&self, p: &mut Position, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
        if umpire.writes() && self.has_jihad(p, p.open.battle()) {
            umpire.cite(rule!("card.jihad"));
        }
        match action {
            Action::Fire(b) => self.fire(p, b, false, umpire),
            Action::Charge(b) => self.fire(p, b, true, umpire),
            Action::Harry(b) => {
                umpire.cite(rule!("6.33"));
                p.open.agenda.push(Step::Harried { block: b });
                self.fire(p, b, false, umpire);
            }
            Action::Retreat(b, to) => {
                p.open.battle_mut().acted.insert(b);
                self.retreat(p, b, to, umpire);
            }
            Action::Withdraw(b) => self.withdraw(p, b, umpire),
            _ => {}
        }
    }

    /// A block rolls a die for each step and hits up to its firepower [6.3]; a charge hits on one more and
    /// pays for sixes [6.32].
    fn fire(&self, p: &mut Position, b: Block, charge: bool, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.battle_mut().acted.insert(b);
        let aim = self.components.blocks[b].fire + u8::from(charge);
        let (mut hits, mut sixes) = (0, 0);
        let mut shown = String::new();
        for _ in 0..p.strength[b] {
            let die = umpire.roll(6);
            if umpire.writes() {
                shown.push(' ');
                shown.push(char::from(b'0' + die));
            }
            hits += u8::from(die <= aim);
            sixes += u8::from(die == 6);
        }
        if umpire.writes() {
            // The page draws what stands between two colons as dice.
            let (name, dice) = (self.components.block_name(b), shown.trim());
            let scored = counted(hits, "hit", "hits");
            let threw = || vec![self.threw(p, b, aim, dice, &scored)];
            if charge {
                let lost = counted(sixes, "step", "steps");
                umpire.tell(
                    Readers::ALL,
                    rule!("6.32"),
                    format_args!("{name} charges: {dice}: {scored}, and {lost} of its own lost"),
                    &threw,
                );
            } else {
                umpire.tell(
                    Readers::ALL,
                    rule!("6.3"),
                    format_args!("{name} fires: {dice}: {scored}"),
                    &threw,
                );
            }
            umpire.cite(rule!("2.1"));
            umpire.cite(rule!("2.1.1"));
            umpire.cite(rule!("2.1.2"));
        }
        if charge {
            for _ in 0..sixes.min(p.strength[b]) {
                if self.lose_step(p, b, umpire) {
                    break;
                }
            }
        }
        if hits > 0 {
            p.open.agenda.push(Step::Hits { seat: self.owner(b).other(), hits });
        }
    }

    /// The blocks that may be hit, and the strongest among them [6.31].
    fn strongest(&self, p: &Position, seat: Seat) -> (Set<Block>, Set<Block>) {
        let t = p.open.battle().town;
        let targets = if !p.open.battle().storm {
            self.active(p, t, seat)
        } else if self.besieged(p, t) == Some(seat) {
            self.garrison(p, t)
        } else {
            p.open.battle().stormers & self.of(seat)
        };
        let most = targets.iter().map(|b| p.strength[b]).max().unwrap_or(0);
        let tied = targets.iter().filter(|b| p.strength[*b] == most).collect();
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
        let doubled = p.open.battle().storm && self.besieged(p, p.open.battle().town) == Some(seat);
        loop {
            let (targets, tied) = self.strongest(p, seat);
            if hits == 0 || targets.is_empty() {
                p.open.agenda.pop();
                return false;
            }
            if doubled {
                if let Some(b) = p.open.battle_mut().half.take() {
                    // The second half of a hit goes where the first went [6.54].
                    self.wound(p, b, umpire);
                    hits -= 1;
                    continue;
                }
                if let Some(only) = tied.single() {
                    p.open.battle_mut().half = Some(only);
                    hits -= 1;
                    continue;
                }
            } else if usize::from(hits) >= tied.len() {
                // Everyone who could take one takes one.
                for b in tied {
                    self.wound(p, b, umpire);
                    hits -= 1;
                }
                continue;
            }
            p.open.agenda.replace(Step::Hits { seat, hits });
            return true;
        }
    }

    fn wound(&self, p: &mut Position, b: Block, umpire: &mut (impl Umpire + ?Sized)) {
        umpire.cite(rule!("6.31"));
        self.lose_step(p, b, umpire);
    }

    pub(super) fn list_hits(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let (targets, tied) = self.strongest(p, seat);
        for b in targets {
            if tied.has(b) {
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
        p.open.agenda.replace(Step::Hits { seat, hits: hits - 1 });
        if p.open.battle().storm && p.inside.has(b) {
            p.open.battle_mut().half = Some(b);
            umpire.cite(rule!("6.54"));
        } else {
            self.wound(p, b, umpire);
        }
    }
}
