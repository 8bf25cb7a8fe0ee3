//! Assaults [17.7], and what goes before them in a siege action.

use table::{Readers, Seat, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::data::Op;
use crate::ids::Card;
use crate::position::{Host, Position, Step, Toll};

use super::strongholds::Fall;

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
        let duel = *duel;
        let (seat, at) = (duel.besieger, duel.at);
        let (units, leaders) = self.outside(&p.open, at, seat);
        let Some(top) = self.ranking(leaders) else { return };
        let counted =
            self.commanded(&p.open, seat, top, self.subordinates(top, leaders), units).unwrap_or(units);
        let (inside, led) = self.within(&p.open, at, seat.other());
        let mut battle = super::interception::new_battle(at, seat);
        battle.assault = true;
        battle.castle = match p.open.holds[at] {
            Some(hold) if !hold.city => 1 + u8::from(hold.full),
            _ => 0,
        };
        umpire.cite(if battle.castle > 0 { rule!("17.7.1") } else { rule!("17.7.2") });
        battle.hosts[seat] = Host {
            units: counted,
            extra: units - counted,
            leaders,
            modifier: duel.rolls[seat],
            ..Host::default()
        };
        battle.hosts[seat.other()] =
            Host { units: inside, leaders: led, modifier: duel.rolls[seat.other()], ..Host::default() };
        let pre = duel.pre_loss;
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
        let inflicted = theirs.steps;
        let nobody = (theirs.units | theirs.extra).is_empty() && battle.castle == 0;
        let major = if mine.steps == 0 { inflicted > 0 } else { inflicted >= 2 * mine.steps };
        let alive = (mine.units | mine.extra).any() || mine.dead == 0;
        if alive && inflicted > 0 && (nobody || major) {
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
