//! Assaults [17.7], and what goes before them in a siege action.

use table::{Readers, Seat, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::data::Op;
use crate::ids::{Card, Sides, Space};
use crate::position::{Battle, Host, Open, Position, Step, Toll};

use super::command::Element;
use super::strongholds::Fall;

/// What an assault would bring, over the 36 throws of two dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Odds {
    /// In how many the place falls.
    pub falls: u8,
    /// In how many it does not, and the besieger loses more steps than he takes.
    pub costs_more: u8,
    /// The steps that the besieger loses in all of them.
    pub lost: u16,
    /// The steps that the besieged lose in all of them.
    pub taken: u16,
}

impl KingdomOfHeaven {
    /// What a siege action announced is done, unless it was stopped: stage 0 storms, 10 and more starves by that value,
    /// 20 draws for Fortunes of War, 30 lets the besieger hunger too.
    pub(super) fn storm(&self, p: &mut Position, stage: u8, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.agenda.pop();
        let Some(duel) = p.open.duel else { return };
        if duel.stopped {
            return;
        }
        match stage {
            0 => self.assault(p, umpire),
            10..=19 => self.starve(p, stage - 10, umpire),
            20 => self.fortune(p, umpire),
            30 => self.starve_besieger(p, umpire),
            _ => {}
        }
    }

    fn assault(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(duel) = &mut p.open.duel else { return };
        duel.assault = false;
        duel.events = false;
        let (seat, pre) = (duel.besieger, duel.pre_loss);
        let at = duel.at;
        let Some(battle) = self.storming(&p.open, at, seat) else { return };
        umpire.cite(if battle.castle > 0 { rule!("17.7.1") } else { rule!("17.7.2") });
        self.start_battle(p, battle, umpire);
        for who in [seat, seat.other()] {
            if pre[who] > 0 {
                let host = p
                    .open
                    .battle
                    .as_ref()
                    .map(|b| b.hosts[who].units | b.hosts[who].extra)
                    .unwrap_or(crate::ids::Units::NONE);
                self.lose(p, who, host, pre[who], Toll::Any, None);
            }
        }
    }

    /// Those who would storm a place and those who would hold it; nobody storms without a leader.
    fn storming(&self, o: &Open, at: Space, seat: Seat) -> Option<Battle> {
        let (units, leaders) = self.outside(o, at, seat);
        let top = self.ranking(leaders)?;
        let counted = self
            .commanded(o, seat, top, self.subordinates(top, leaders), units, Element::Land)
            .unwrap_or(units);
        let (inside, led) = self.within(o, at, seat.other());
        let rolls = o.duel.filter(|duel| duel.at == at).map_or(Sides::default(), |duel| duel.rolls);
        let mut battle = super::interception::new_battle(at, seat);
        battle.assault = true;
        battle.castle = match o.holds[at] {
            Some(hold) if !hold.city => 1 + u8::from(hold.full),
            _ => 0,
        };
        battle.hosts[seat] = Host {
            units: counted,
            extra: units - counted,
            leaders,
            modifier: rolls[seat],
            ..Host::default()
        };
        battle.hosts[seat.other()] =
            Host { units: inside, leaders: led, modifier: rolls[seat.other()], ..Host::default() };
        Some(battle)
    }

    /// What an assault by a player would bring, if no more cards were played.
    pub(crate) fn assault_odds(&self, o: &Open, at: Space, seat: Seat) -> Option<Odds> {
        let mut battle = self.storming(o, at, seat)?;
        let enemy = seat.other();
        for who in [seat, enemy] {
            battle.hosts[who].first = self.ranking(battle.hosts[who].leaders);
        }
        let modifiers = [seat, enemy].map(|who| self.battle_modifier(o, &battle, who));
        let all = |who: Seat| self.steps(o, battle.hosts[who].units | battle.hosts[who].extra);
        let (men, held) = (all(seat), all(enemy) + usize::from(battle.castle));
        let mut odds = Odds::default();
        for dice in 0..36_i8 {
            battle.hosts[seat].die = dice / 6 + 1 + modifiers[0];
            battle.hosts[enemy].die = dice % 6 + 1 + modifiers[1];
            self.reckon(o, &mut battle);
            let (lost, taken) = (battle.hosts[seat].owed, battle.hosts[enemy].owed);
            let falls = self.taken(&battle, usize::from(lost) < men, usize::from(taken) == held);
            odds.falls += u8::from(falls);
            odds.costs_more += u8::from(!falls && lost > taken);
            odds.lost += u16::from(lost);
            odds.taken += u16::from(taken);
        }
        Some(odds)
    }

    /// Whether the walls are taken by an assault whose losses are counted [17.7.3].
    fn taken(&self, battle: &Battle, alive: bool, nobody: bool) -> bool {
        let suffered = battle.hosts[battle.attacker].steps;
        let inflicted = battle.hosts[battle.attacker.other()].steps;
        let major = if suffered == 0 { inflicted > 0 } else { inflicted >= 2 * suffered };
        alive && inflicted > 0 && (nobody || major)
    }

    /// Whether a card can be played in the assault at hand [8.4.2].
    pub(super) fn serves_assault(&self, p: &Position, seat: Seat, card: Card) -> bool {
        let Some(battle) = &p.open.battle else { return false };
        let Some(event) = self.components.card(card).siege else { return false };
        self.components.sieges[table::Id::number(event)].blue && self.may_use(p, seat, event, battle.at)
    }

    pub(super) fn play_in_assault(
        &self,
        p: &mut Position,
        seat: Seat,
        card: Card,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(event) = self.components.card(card).siege else { return };
        self.spend(p, seat, card, umpire);
        let data = &self.components.sieges[table::Id::number(event)];
        let who = self.title.seat_name(seat);
        umpire.note(Readers::ALL, rule!("8.4.2"), format_args!("The {who} plays {}", data.title));
        if let Some(duel) = &mut p.open.duel {
            duel.spent[seat] += data.man;
        }
        for op in self.components.list(data.effects) {
            if let Op::AssaultModifier { own, columns, pre_loss } = *op {
                if let Some(battle) = &mut p.open.battle {
                    battle.hosts[seat].modifier += own;
                }
                if let Some(duel) = &mut p.open.duel {
                    duel.columns += columns;
                }
                let host = p
                    .open
                    .battle
                    .as_ref()
                    .map(|b| b.hosts[seat.other()].units | b.hosts[seat.other()].extra)
                    .unwrap_or(crate::ids::Units::NONE);
                self.lose(p, seat.other(), host, pre_loss, Toll::Any, None);
            }
        }
        if data.draws {
            p.open.agenda.push(Step::Draw { seat, left: 1 });
        }
    }

    /// Whether the walls are taken [17.7.3, 17.7.4].
    pub(super) fn judge_assault(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(battle) = p.open.battle.take() else { return };
        p.open.agenda.pop();
        let (at, seat) = (battle.at, battle.attacker);
        let (mine, theirs) = (battle.hosts[seat], battle.hosts[seat.other()]);
        let nobody = (theirs.units | theirs.extra).is_empty() && battle.castle == 0;
        let alive = (mine.units | mine.extra).any() || mine.dead == 0;
        if self.taken(&battle, alive, nobody) {
            let blockaded = p.open.marks[at].blockaded;
            self.capture(p, at, seat, Fall::Assault(blockaded), umpire);
            return;
        }
        if let Some(hold) = &mut p.open.holds[at]
            && !hold.city
        {
            hold.full = battle.castle > 1;
        }
        umpire.note(Readers::ALL, rule!("17.7.4"), format_args!("The assault fails"));
        self.change_resistance(p, at, 1, umpire);
        if !alive {
            for leader in mine.leaders {
                self.fate(p, leader, 0, at, umpire);
            }
        }
        self.tidy(p, umpire);
    }
}
