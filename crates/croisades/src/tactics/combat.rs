//! Combat hand to hand: who attacks whom, and the counter-attack and the dodge [3.53 to 3.55, T17 to T19, T32].

use table::hex::Passed;
use table::{Ballot, Readers, Rule, Umpire, rule};

use super::{Refusal, Tactics};
use crate::data::{Dice, NCO, Terrain};
use crate::deed::Deed;
use crate::field::{Field, Fight, HORSE, Marks, Party, Step};
use crate::ids::{Man, Place, Side, Who};

impl Tactics {
    pub(super) fn begin_combat(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        f.agenda.replace(Step::Combat);
        self.drop_orders(f);
        if !self.has_combat(f) {
            self.end_player_turn(f, umpire);
        }
    }

    /// Whether a leader of his side has a man in range \[T32\].
    pub fn commanded(&self, f: &Field, man: Man) -> bool {
        let side = f.man(man).side;
        f.of(side).any(|(leader, soldier)| {
            let range = self.command_range(f, leader);
            range > 0
                && soldier.stands()
                && !soldier.is(Marks::ROUT)
                && (leader == man || f.apart(leader, man) <= range)
        })
    }

    /// How far a man leads others: by his class, and for the commander at least as far as he inspires [T32, 3.46].
    pub fn command_range(&self, f: &Field, man: Man) -> u32 {
        let soldier = f.man(man);
        let class = self.class(soldier);
        let own = u32::from(self.data.tables.command_range[usize::from(class)]);
        let chief = f.chiefs[soldier.side.index()];
        if chief.man == man && !soldier.is(Marks::VASSAL) { own.max(chief.range()) } else { own }
    }

    /// Whether a man may attack at all in this player-turn.
    pub fn may_attack(&self, f: &Field, man: Man) -> Result<(), Refusal> {
        let soldier = f.man(man);
        if f.retreats[soldier.side.index()] {
            return Err((rule!("T31"), "the retreat has been ordered"));
        }
        if !soldier.stands() {
            return Err((rule!("T23"), "he lies stunned"));
        }
        self.runs(soldier)?;
        if soldier.is(Marks::ATTACKED) {
            return Err((rule!("T17"), "he has attacked already"));
        }
        if soldier.is(Marks::STOPPED) {
            return Err((rule!("T12"), "he was stopped on his way"));
        }
        if !self.kind(soldier).armed {
            return Err((rule!("T46"), "he is no soldier"));
        }
        if soldier.is(Marks::ABOARD) && !self.atop(f, man) {
            return Err((rule!("T17"), "he works an engine"));
        }
        Ok(())
    }

    /// Whether a man runs, and so does nothing of his own will [T27, T28].
    pub(super) fn runs(&self, soldier: &crate::field::Soldier) -> Result<(), Refusal> {
        if soldier.is(Marks::ROUT) {
            return Err((rule!("T28"), "he is in rout"));
        }
        if soldier.is(Marks::PANIC) {
            return Err((rule!("T27"), "he is in panic"));
        }
        Ok(())
    }

    /// Whether a man stands next to another and, if he rides, has him in front \[T17\].
    pub fn can_hit(&self, f: &Field, man: Man, target: Man) -> Result<(), Refusal> {
        if !self.beside(f, man, target) {
            if f.apart(man, target) > 1 {
                return Err((rule!("T17"), "he does not stand next to him"));
            }
            let gate = f.man(man).hexes().any(|at| {
                let mut theirs = f.man(target).hexes();
                theirs.any(|to| at.distance(to) == 1 && self.gate_between(f, at, to))
            });
            return Err(if gate {
                (rule!("T35"), "a closed gate is between them")
            } else {
                (rule!("T34"), "they are not on one level")
            });
        }
        if !self.in_front(f, man, target) {
            return Err((rule!("T3"), "he does not have him in front"));
        }
        Ok(())
    }

    /// Whether another is in a rider's front; men on foot have no front \[T3\].
    pub fn in_front(&self, f: &Field, man: Man, target: Man) -> bool {
        let soldier = f.man(man);
        if !soldier.mounted() {
            return true;
        }
        let Some(head) = soldier.at else { return false };
        f.man(target).hexes().any(|at| {
            head.direction_to(at).is_some_and(|way| way.turns_to(soldier.facing) <= 1)
                && self.touch(f, head, at)
        })
    }

    /// Whether a man charges another \[T18\].
    pub fn charges(&self, f: &Field, man: Man, target: Man) -> bool {
        let soldier = f.man(man);
        let ahead = soldier.at.and_then(|at| f.next(at, soldier.facing));
        soldier.mounted()
            && soldier.run >= self.data.tables.charge_hexes
            && !soldier.is(Marks::STOPPED)
            && ahead.is_some_and(|ahead| f.man(target).hexes().any(|at| at == ahead))
    }

    fn has_combat(&self, f: &Field) -> bool {
        let fights = f.of(f.active).any(|(man, soldier)| {
            self.may_attack(f, man).is_ok()
                && (f.siege.is_some()
                    || soldier.hexes().any(|at| f.around(at).any(|near| f.on.get(near) != 0)))
                && (self.foes_beside(f, man).next().is_some() || self.horses_beside(f, man).next().is_some())
                && self.commanded(f, man)
        });
        fights || f.siege.is_some() && self.has_assault_combat(f)
    }

    /// The enemies whom a man could attack.
    pub fn foes_beside<'a>(&'a self, f: &'a Field, man: Man) -> impl Iterator<Item = Man> + 'a {
        let foes = f.of(f.man(man).side.foe());
        foes.filter(move |(foe, enemy)| !enemy.is(Marks::ASSAILED) && self.can_hit(f, man, *foe).is_ok())
            .map(|(foe, _)| foe)
    }

    fn horses_beside<'a>(&'a self, f: &'a Field, man: Man) -> impl Iterator<Item = Place> + 'a {
        let soldier = *f.man(man);
        let at = soldier.at.into_iter();
        at.flat_map(|at| f.around(at).map(move |near| (at, near)))
            .filter(move |(at, near)| {
                f.on.get(*near) == HORSE
                    && self.touch(f, *at, *near)
                    && (!soldier.mounted()
                        || at.direction_to(*near).is_some_and(|way| way.turns_to(soldier.facing) <= 1))
            })
            .map(|(_, near)| near)
    }

    pub(super) fn list_combat(&self, f: &Field, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        ballot.allow(Deed::Done);
        for (man, soldier) in f.of(f.active) {
            let may = self.may_attack(f, man);
            if may.is_err() && !ballot.explains() {
                continue;
            }
            let beside =
                f.siege.is_some() || soldier.hexes().any(|at| f.around(at).any(|near| f.on.get(near) != 0));
            if !beside && !ballot.explains() {
                continue;
            }
            let mut commanded = None;
            for (foe, enemy) in f.of(f.active.foe()) {
                let deed = Deed::Attack(soldier.who, enemy.who);
                let verdict = may.and_then(|()| {
                    self.can_hit(f, man, foe)?;
                    if enemy.is(Marks::ASSAILED) {
                        return Err((rule!("T17"), "he was attacked already"));
                    }
                    if !*commanded.get_or_insert_with(|| self.commanded(f, man)) {
                        return Err((rule!("T32"), "no leader has him in range"));
                    }
                    Ok(())
                });
                match verdict {
                    Ok(()) => ballot.allow(deed),
                    Err((rule, why)) => ballot.refuse(deed, rule, format_args!("{why}")),
                }
            }
            if may.is_ok() {
                for place in self.horses_beside(f, man) {
                    if *commanded.get_or_insert_with(|| self.commanded(f, man)) {
                        ballot.allow(Deed::KillHorse(soldier.who, place));
                    }
                }
            }
        }
        if f.siege.is_some() {
            self.list_assault_combat(f, ballot);
        }
    }

    pub(super) fn begin_attack(&self, f: &mut Field, who: Who, target: Who) {
        let (Some(man), Some(target)) = (f.find(who), f.find(target)) else { return };
        f.fight = Fight::default();
        f.fight.attackers.push(man);
        f.fight.defenders.push(target);
        f.agenda.push(Step::Attack);
    }

    pub(super) fn list_attack(&self, f: &Field, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        ballot.allow(Deed::Strike);
        let fight = &f.fight;
        for (man, soldier) in f.of(f.active) {
            if fight.attackers.contains(&man) {
                continue;
            }
            let deed = Deed::With(soldier.who);
            match self.may_join(f, man) {
                Ok(()) => ballot.allow(deed),
                Err((rule, why)) => ballot.refuse(deed, rule, format_args!("{why}")),
            }
        }
        for (foe, enemy) in f.of(f.active.foe()) {
            if fight.defenders.contains(&foe) {
                continue;
            }
            let deed = Deed::Also(enemy.who);
            let verdict = self.can_hit(f, fight.attackers[0], foe).and_then(|()| {
                if fight.attackers.len() > 1 || fight.defenders.is_full() {
                    return Err((rule!("3.53"), "many against many do not fight"));
                }
                if enemy.is(Marks::ASSAILED) {
                    return Err((rule!("T17"), "he was attacked already"));
                }
                Ok(())
            });
            match verdict {
                Ok(()) => ballot.allow(deed),
                Err((rule, why)) => ballot.refuse(deed, rule, format_args!("{why}")),
            }
        }
    }

    /// Whether a man may join the attack that is put together; one who has joined may not [3.53].
    pub(crate) fn may_join(&self, f: &Field, man: Man) -> Result<(), Refusal> {
        let fight = &f.fight;
        self.may_attack(f, man)?;
        self.can_hit(f, man, fight.defenders[0])?;
        if fight.attackers.contains(&man) || fight.defenders.len() > 1 || fight.attackers.is_full() {
            return Err((rule!("3.53"), "many against many do not fight"));
        }
        if !self.commanded(f, man) {
            return Err((rule!("T32"), "no leader has him in range"));
        }
        Ok(())
    }

    pub(super) fn join_attack(&self, f: &mut Field, who: Who) {
        if let Some(man) = f.find(who) {
            f.fight.attackers.push(man);
        }
    }

    pub(super) fn widen_attack(&self, f: &mut Field, who: Who) {
        if let Some(man) = f.find(who) {
            f.fight.defenders.push(man);
        }
    }

    pub(super) fn declare(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        let (attackers, defenders) = (f.fight.attackers.clone(), f.fight.defenders.clone());
        let (ours, theirs) = (self.bare_strength(f, &attackers), self.bare_strength(f, &defenders));
        let mut charging = 0;
        for (i, man) in attackers.iter().enumerate() {
            if defenders.iter().any(|foe| self.charges(f, *man, *foe)) {
                charging |= 1 << i;
            }
            f.man_mut(*man).marks.set(Marks::ATTACKED, true);
            self.mark_odds(f, *man, ours, theirs);
        }
        for man in &defenders {
            f.man_mut(*man).marks.set(Marks::ASSAILED, true);
            self.mark_odds(f, *man, theirs, ours);
            let charged = attackers.iter().any(|foe| self.charges(f, *foe, *man));
            if charged && !f.man(*man).mounted() {
                f.man_mut(*man).marks.set(Marks::SHAKEN, true);
                umpire.cite(rule!("T25"));
            }
        }
        f.fight.charging = charging;
        umpire.cite(rule!("T32"));
        if umpire.writes() {
            let (first, target) = (self.call(f, attackers[0]), self.call(f, defenders[0]));
            let manner = if charging != 0 { "charges" } else { "attacks" };
            let rule = if charging != 0 { rule!("T18") } else { rule!("3.53") };
            umpire.cite(rule!("T17"));
            umpire.cite(rule!("3.53"));
            match (attackers.len() - 1, defenders.len() - 1) {
                (0, 0) => umpire.note(Readers::ALL, rule, format_args!("{first} {manner} {target}")),
                (0, 1) => {
                    let other = self.call(f, defenders[1]);
                    umpire.note(Readers::ALL, rule, format_args!("{first} {manner} {target} and {other}"));
                }
                (0, more) => umpire.note(
                    Readers::ALL,
                    rule,
                    format_args!("{first} {manner} {target} and {more} others"),
                ),
                (1, _) => {
                    let other = self.call(f, attackers[1]);
                    umpire.note(Readers::ALL, rule, format_args!("{first} with {other} {manner} {target}"));
                }
                (more, _) => umpire.note(
                    Readers::ALL,
                    rule,
                    format_args!("{first} with {more} others {manner} {target}"),
                ),
            }
        }
        f.agenda.replace(Step::Answer);
    }

    /// Attack and experience of all who are not stunned, for the odds of a morale test [3.59].
    pub fn bare_strength(&self, f: &Field, party: &[Man]) -> u16 {
        let up = party.iter().map(|man| f.man(*man)).filter(|m| !m.is(Marks::STUNNED));
        up.map(|m| u16::from(self.face(m).attack) + u16::from(m.experience)).sum()
    }

    fn mark_odds(&self, f: &mut Field, man: Man, own: u16, other: u16) {
        let marks = &mut f.man_mut(man).marks;
        marks.set(Marks::STRONGER, own >= other * 2);
        marks.set(Marks::WEAKER, own * 2 <= other);
    }

    /// Whether the ground a man fights on is better or worse: 1, 0 or -1 [3.55, T36].
    pub fn footing(&self, f: &Field, man: Man, enemies: &[Man]) -> i8 {
        let soldier = f.man(man);
        let Some(at) = soldier.at else { return 0 };
        if f.siege.is_some() {
            let up = |e: &crate::field::Engine| {
                enemies.iter().any(|foe| f.man(*foe).at.is_some_and(|to| Self::leads(e, at, to)))
            };
            if soldier.is(Marks::CLIMBER) || f.engines().any(|(_, e)| up(e)) {
                return -1;
            }
        }
        self.data.ground(f.terrain(at)).fighting.unwrap_or(0)
    }

    /// What the ground gives or takes a man against his enemies: something only where theirs differs [3.55].
    pub fn ground_bonus(&self, f: &Field, man: Man, enemies: &[Man]) -> i8 {
        let own = self.footing(f, man, enemies);
        let theirs = enemies.iter().map(|foe| self.footing(f, *foe, &[man])).max().unwrap_or(own);
        if own == theirs { 0 } else { own * self.data.tables.ground as i8 }
    }

    /// What a side of a combat brings besides its dice, line by line [3.54].
    pub fn force(
        &self,
        f: &Field,
        party: &[Man],
        enemies: &[Man],
        charges: impl Fn(usize) -> bool,
        tell: &mut impl FnMut(Rule, Man, &'static str, i16),
    ) -> u16 {
        let mut sum = 0i16;
        for (i, man) in party.iter().enumerate() {
            let soldier = f.man(*man);
            if soldier.is(Marks::STUNNED) {
                continue;
            }
            let attack = i16::from(self.face(soldier).attack);
            let bonus = i16::from(self.ground_bonus(f, *man, enemies));
            let mut strength = (attack + bonus).max(0);
            tell(rule!("3.54"), *man, "Attack", attack);
            if bonus != 0 {
                tell(rule!("3.55"), *man, "Ground", bonus);
            }
            if charges(i) {
                let more = strength * self.data.tables.charge_halves as i16 / 2 - strength;
                tell(rule!("T18"), *man, "Charge", more);
                strength += more;
            }
            tell(rule!("3.36"), *man, "Experience", i16::from(soldier.experience));
            sum += strength + i16::from(soldier.experience);
        }
        sum.max(0) as u16
    }

    /// The dice against a party: more against one unarmoured man [3.54].
    pub fn dice_against(&self, f: &Field, party: &[Man]) -> Dice {
        match party {
            [man] if !self.kind(f.man(*man)).armoured => self.data.tables.attack_unarmoured,
            _ => self.data.tables.attack_armoured,
        }
    }

    /// Whether all of a party are in the inspiring range of their commander [3.46].
    pub fn inspired(&self, f: &Field, party: &[Man]) -> bool {
        let Some(first) = party.first() else { return false };
        let chief = f.chiefs[f.man(*first).side.index()];
        let lord = f.man(chief.man);
        if !lord.stands() || lord.is(Marks::ROUT.or(Marks::VASSAL)) {
            return false;
        }
        party.iter().all(|man| {
            *man == chief.man
                || f.apart(*man, chief.man) <= chief.range()
                    && f.man(*man).at.is_some_and(|at| !self.walled_off(f, at, chief.man))
        })
    }

    /// Whether a commander who inspires now would inspire a man on a hex [3.46].
    pub fn inspires(&self, f: &Field, side: Side, place: Place) -> bool {
        let chief = f.chiefs[side.index()];
        let lord = f.man(chief.man);
        let near = lord.hexes().any(|at| at.distance(place) <= chief.range());
        near && lord.stands()
            && !lord.is(Marks::ROUT.or(Marks::VASSAL))
            && !self.walled_off(f, place, chief.man)
    }

    /// Whether a wall without an opening is between a hex and a man [3.46].
    fn walled_off(&self, f: &Field, from: Place, man: Man) -> bool {
        let Some(to) = f.man(man).at else { return true };
        let wall = |hex| Place::of(hex).is_some_and(|at| f.has(at) && f.terrain(at) == Terrain::Wall);
        from.hex().line(to.hex()).any(|passed| match passed {
            Passed::Through(hex) => wall(hex),
            Passed::Between(one, other) => wall(one) && wall(other),
        })
    }

    /// Rolls the dice of a side, twice where it is inspired, and keeps the better roll [3.46].
    pub(super) fn roll_best(&self, dice: Dice, inspired: bool, umpire: &mut (impl Umpire + ?Sized)) -> u16 {
        let first = dice.roll(umpire);
        if !inspired {
            return first.into();
        }
        umpire.cite(rule!("3.46"));
        first.max(dice.roll(umpire)).into()
    }

    pub(super) fn list_answers(&self, f: &Field, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        let fight = &f.fight;
        match self.may_counter(f) {
            Ok(()) => ballot.allow(Deed::Counter),
            Err((rule, why)) => ballot.refuse(Deed::Counter, rule, format_args!("{why}")),
        }
        let pleads = fight.defenders.iter().any(|man| {
            self.major(f, *man)
                && f.of(f.man(*man).side.foe()).any(|(foe, _)| self.may_plead(f, *man, foe).is_ok())
        });
        if self.may_counter(f).is_err() && self.may_withdraw(f).is_err() && !pleads {
            ballot.force(Deed::Dodge);
        } else {
            ballot.allow(Deed::Dodge);
        }
        match self.may_withdraw(f) {
            Ok(()) => ballot.allow(Deed::Withdraw),
            Err((rule, why)) => ballot.refuse(Deed::Withdraw, rule, format_args!("{why}")),
        }
        for man in &fight.defenders {
            self.list_pleas(f, *man, ballot);
        }
    }

    /// Whether the defenders may counter-attack [3.53].
    pub fn may_counter(&self, f: &Field) -> Result<(), Refusal> {
        let defenders = || f.fight.defenders.iter().map(|man| f.man(*man));
        if defenders().all(|m| m.is(Marks::STUNNED)) {
            return Err((rule!("3.53"), "who lies stunned can only dodge"));
        }
        if defenders().any(|m| m.is(Marks::ROUT)) {
            return Err((rule!("T28"), "who is in rout can only dodge or withdraw"));
        }
        if defenders().any(|m| m.is(Marks::PANIC)) {
            return Err((rule!("T27"), "who is in panic can only dodge or withdraw"));
        }
        if defenders().any(|m| !self.kind(m).armed) {
            return Err((rule!("T46"), "who is no soldier can only dodge or withdraw"));
        }
        Ok(())
    }

    /// Whether the defenders may withdraw [3.53].
    pub fn may_withdraw(&self, f: &Field) -> Result<(), Refusal> {
        if f.fight.defenders.iter().any(|man| f.man(*man).is(Marks::STUNNED)) {
            return Err((rule!("3.53"), "a stunned man cannot withdraw"));
        }
        if f.fight.defenders.iter().any(|man| f.man(*man).is(Marks::ABOARD)) {
            return Err((rule!("T20"), "he is inside an engine"));
        }
        Ok(())
    }

    /// Whether a defender charges back: a rider who has a charger in his front \[T19\].
    pub fn charges_back(&self, f: &Field, man: Man) -> bool {
        let fight = &f.fight;
        f.man(man).mounted()
            && fight
                .attackers
                .iter()
                .enumerate()
                .any(|(i, foe)| fight.charging >> i & 1 == 1 && self.in_front(f, man, *foe))
    }

    /// The attackers' total without dice.
    pub fn attack_force(&self, f: &Field) -> u16 {
        let fight = &f.fight;
        let charges = |i: usize| fight.charging >> i & 1 == 1;
        self.force(f, &fight.attackers, &fight.defenders, charges, &mut |_, _, _, _| {})
    }

    /// The defenders' total in a counter-attack, without dice.
    pub fn counter_force(&self, f: &Field) -> u16 {
        let fight = &f.fight;
        let back = |i: usize| self.charges_back(f, fight.defenders[i]);
        self.force(f, &fight.defenders, &fight.attackers, back, &mut |_, _, _, _| {})
    }

    /// What a defender dodges with, before the die multiplies it [3.54].
    pub fn dodge_force(&self, f: &Field, man: Man) -> u16 {
        let soldier = f.man(man);
        let bonus = i16::from(self.ground_bonus(f, man, &f.fight.attackers));
        let defence = (i16::from(self.dodging_defence(soldier)) + bonus).max(0) as u16;
        defence + self.data.tables.dodge_experience * u16::from(soldier.experience)
    }

    /// Option A: the lower total loses the difference [3.54].
    pub(super) fn counter(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        let (attackers, defenders) = (f.fight.attackers.clone(), f.fight.defenders.clone());
        let (ours, theirs) = (self.attack_force(f), self.counter_force(f));
        let up: Party = defenders.iter().copied().filter(|man| !f.man(*man).is(Marks::STUNNED)).collect();
        self.cite_forces(f, umpire);
        let attack =
            ours + self.roll_best(self.dice_against(f, &defenders), self.inspired(f, &attackers), umpire);
        let counter =
            theirs + self.roll_best(self.dice_against(f, &attackers), self.inspired(f, &up), umpire);
        umpire.note(
            Readers::ALL,
            rule!("3.54"),
            format_args!("Attack {attack} against counter-attack {counter}"),
        );
        let loss = attack.abs_diff(counter).min(250) as u8;
        f.fight.hits = loss;
        match attack.cmp(&counter) {
            std::cmp::Ordering::Equal => self.end_fight(f, umpire),
            std::cmp::Ordering::Greater => {
                self.reward(f, &attackers, &defenders, defenders.len(), umpire);
                self.strike_one(f, f.active, umpire);
            }
            std::cmp::Ordering::Less => {
                self.reward(f, &up, &attackers, attackers.len(), umpire);
                self.strike_one(f, f.active.foe(), umpire);
            }
        }
    }

    fn cite_forces(&self, f: &Field, umpire: &mut (impl Umpire + ?Sized)) {
        if !umpire.writes() {
            return;
        }
        let fight = &f.fight;
        let uneven =
            |party: &[Man], foes: &[Man]| party.iter().any(|man| self.ground_bonus(f, *man, foes) != 0);
        if uneven(&fight.attackers, &fight.defenders) || uneven(&fight.defenders, &fight.attackers) {
            umpire.cite(rule!("3.55"));
        }
        if fight.defenders.iter().any(|man| self.charges_back(f, *man)) {
            umpire.cite(rule!("T19"));
        }
        let climbs = |man: &Man| f.siege.is_some() && self.footing(f, *man, &fight.defenders) < 0;
        if fight.attackers.iter().any(climbs) {
            umpire.cite(rule!("T36"));
        }
    }

    /// The side that has won deals the hits to one of the other.
    fn strike_one(&self, f: &mut Field, winner: Side, umpire: &mut (impl Umpire + ?Sized)) {
        let losers = if winner == f.active { &f.fight.defenders } else { &f.fight.attackers };
        if let [one] = losers[..] {
            self.take_hits(f, one, umpire);
        } else {
            f.agenda.replace(Step::Victim(winner));
        }
    }

    pub(super) fn list_victims(&self, f: &Field, side: Side, ballot: &mut (impl Ballot<Deed> + ?Sized)) {
        let losers = if side == f.active { &f.fight.defenders } else { &f.fight.attackers };
        for man in losers {
            ballot.allow(Deed::Hit(f.man(*man).who));
        }
    }

    pub(super) fn hit(&self, f: &mut Field, who: Who, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(man) = f.find(who) else { return };
        if f.fight.leaving.is_empty() {
            self.take_hits(f, man, umpire);
        } else {
            self.hit_leaving(f, man, umpire);
        }
    }

    fn take_hits(&self, f: &mut Field, man: Man, umpire: &mut (impl Umpire + ?Sized)) {
        let stood = *f.man(man);
        // A dodger's blow is rolled for whom it falls on.
        let loss = if f.fight.hits > 0 { f.fight.hits } else { self.blow(f, man).roll(umpire) };
        self.hurt(f, man, loss, true, umpire);
        if !f.man(man).here() && f.fight.defenders.contains(&man) {
            self.vacates(f, man, &stood);
            self.offer_advance(f, umpire);
        } else {
            self.end_fight(f, umpire);
        }
    }

    /// Option B: each defender dodges by himself [3.54].
    pub(super) fn dodge(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        let (attackers, defenders) = (f.fight.attackers.clone(), f.fight.defenders.clone());
        let tables = &self.data.tables;
        self.cite_forces(f, umpire);
        let dice = self.dice_against(f, &defenders);
        let attack = self.attack_force(f) + self.roll_best(dice, self.inspired(f, &attackers), umpire);
        let mut beaten = Party::new();
        for man in &defenders {
            let force = self.dodge_force(f, *man);
            let one = Dice { tens: 0, sixes: 1, less: 0 };
            let die = self.roll_best(one, self.inspired(f, &[*man]), umpire) as u8;
            let times = u16::from(die.saturating_sub(tables.dodge_less).max(tables.dodge_least));
            let total = force * times;
            umpire.note(
                Readers::ALL,
                rule!("3.54"),
                format_args!("Attack {attack} against the dodge of {} with {total}", self.call(f, *man)),
            );
            if attack > total {
                beaten.push(*man);
                let stood = *f.man(*man);
                self.hurt(f, *man, (attack - total).min(250) as u8, true, umpire);
                if !f.man(*man).here() {
                    self.vacates(f, *man, &stood);
                }
                continue;
            }
            self.reward(f, &[*man], &attackers, attackers.len(), umpire);
            if attack == total || f.man(*man).is(Marks::STUNNED) {
                continue;
            }
            if let [attacker] = attackers[..] {
                let blow = self.blow(f, attacker).roll(umpire);
                self.hurt(f, attacker, blow, true, umpire);
            } else {
                // Several attackers have one defender only: he chooses whom he strikes.
                f.fight.hits = 0;
                f.agenda.replace(Step::Victim(f.active.foe()));
                return;
            }
        }
        if !beaten.is_empty() {
            self.reward(f, &attackers, &beaten, defenders.len(), umpire);
        }
        if f.fight.ways().next().is_none() {
            self.end_fight(f, umpire);
        } else {
            self.offer_advance(f, umpire);
        }
    }

    /// What a man loses to a dodger's blow, or to a pursuer [3.54].
    fn blow(&self, f: &Field, man: Man) -> Dice {
        let tables = &self.data.tables;
        if self.kind(f.man(man)).armoured { tables.blow_armoured } else { tables.blow_unarmoured }
    }

    /// Who has won gains skill [3.36].
    fn reward(
        &self,
        f: &mut Field,
        winners: &[Man],
        losers: &[Man],
        faced: usize,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let class = |man: &Man| self.class(f.man(*man));
        let lucky = match winners {
            [one] if faced > 1 || losers.iter().all(|foe| class(foe) <= class(one)) => Some(*one),
            [_] | [] => None,
            several => match losers {
                [foe] => {
                    let worthy = several.iter().filter(|man| class(foe) < class(man));
                    // The one who is nearest to his next point, the first of equals.
                    worthy.rev().max_by_key(|man| f.man(**man).skill).copied()
                }
                _ => None,
            },
        };
        let Some(man) = lucky.filter(|man| f.man(*man).here()) else { return };
        let soldier = f.man_mut(man);
        soldier.skill += 1;
        if soldier.skill >= self.data.tables.skill_for_experience {
            soldier.skill = 0;
            soldier.experience = soldier.experience.saturating_add(1).min(50);
            umpire.note(
                Readers::ALL,
                rule!("3.36"),
                format_args!("{} has gained a point of experience", self.call(f, man)),
            );
        } else {
            umpire.cite(rule!("3.36"));
        }
    }

    /// A combat is over.
    pub(super) fn end_fight(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        f.fight = Fight::default();
        f.agenda.pop();
        self.after_combat(f, umpire);
    }

    /// Something in the combat phase is settled: the next one, if there is any.
    pub(super) fn after_combat(&self, f: &mut Field, umpire: &mut (impl Umpire + ?Sized)) {
        if f.step() == Step::Combat && !self.has_combat(f) {
            self.end_player_turn(f, umpire);
        }
    }

    /// Whether a man leads others: of class 4 or better.
    pub fn leads_men(&self, f: &Field, man: Man) -> bool {
        self.class(f.man(man)) <= NCO
    }
}
