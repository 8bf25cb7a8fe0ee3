//! Sieges [17.6]: how they begin, starvation, Fortunes of War, and the duel of siege events.

use table::{Ballot, Readers, Seat, Umpire, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::Op;
use crate::data::cards::{Fortunes, SiegeData, Trigger};
use crate::ids::{Card, SiegeEvent, Space};
use crate::position::{Chosen, Effects, Open, Position, Step};

use super::strongholds::MOST;

impl KingdomOfHeaven {
    /// A siege is begun [17.6.1].
    pub(super) fn besiege(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(march) = &mut p.open.march else { return };
        let (seat, at) = (march.seat, march.at);
        march.over = true;
        // An army that stands its ground here forages all the same.
        march.begun = true;
        p.open.marks[at].besieged = true;
        p.open.marks[at].begun = true;
        umpire.cite(rule!("17.6"));
        let low = p.open.holds[at].is_some_and(|h| !h.city && !h.full);
        if low && self.within(&p.open, at, seat.other()).0.any() {
            p.open.agenda.push(Step::Man { seat: seat.other(), at });
        } else {
            self.invest(p, seat, at, umpire);
        }
    }

    /// The resistance is reckoned, and a blockade is tried [17.6.2].
    pub(super) fn invest(
        &self,
        p: &mut Position,
        seat: Seat,
        at: Space,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let rf = p.open.marks[at].rf.unwrap_or_else(|| self.resistance(&p.open, at));
        p.open.marks[at].rf = Some(rf);
        let place = self.space_name(at);
        umpire.note(
            Readers::ALL,
            rule!("17.6.1"),
            format_args!("{place} is besieged; its resistance is {rf}"),
        );
        if self.components.space(at).any_port() {
            umpire.note(
                Readers::ALL,
                rule!("17.6.2"),
                format_args!("{place} is a port and is not blockaded"),
            );
            return;
        }
        let castle =
            i16::from(p.open.holds[at].is_some_and(|h| !h.city)) * i16::from(self.components.castle.blockade);
        let inside = self.within(&p.open, at, seat.other()).0.len() as i16 + castle;
        let margin = self.outside(&p.open, at, seat).0.len() as i16 - inside;
        let blockaded = match margin {
            ..=0 => false,
            6.. => true,
            _ => i16::from(umpire.roll(6)) <= margin,
        };
        p.open.marks[at].blockaded = blockaded;
        if blockaded {
            umpire.note(Readers::ALL, rule!("17.6.2"), format_args!("{place} is blockaded"));
        } else {
            umpire.note(Readers::ALL, rule!("17.6.2"), format_args!("{place} is not blockaded"));
        }
    }

    /// The manpower of a side at a siege [17.6.6].
    pub(crate) fn manpower(&self, o: &Open, at: Space, seat: Seat) -> u8 {
        let defends = self.holds(o, at, seat);
        let units = if defends { self.within(o, at, seat).0 } else { self.outside(o, at, seat).0 };
        let weak = (units & o.reduced).len();
        let men = (units.len() - weak) + weak / 2;
        let castle = match o.holds[at] {
            Some(hold) if defends && !hold.city => {
                if hold.full {
                    self.components.castle.man_full
                } else {
                    self.components.castle.man_low
                }
            }
            _ => 0,
        };
        men as u8 + castle
    }

    /// Whether a siege event can be played by a player in the siege of a space.
    pub(super) fn may_use(&self, p: &Position, seat: Seat, event: SiegeEvent, at: Space) -> bool {
        let data = &self.components.sieges[table::Id::number(event)];
        let attacks = self.besieger(&p.open, at) == Some(seat);
        let spent = p.open.duel.filter(|d| d.at == at).map_or(0, |d| d.spent[seat]);
        (if attacks { data.attacker } else { data.defender })
            && data.usable_by.is_none_or(|who| who == seat)
            && data.man + spent <= self.manpower(&p.open, at, seat)
            && !(data.unblockaded && p.open.marks[at].blockaded)
            && self.does_something(&p.open, data, at)
            && self.meets_siege(p, seat, at, &data.requires)
    }

    /// Whether a siege event could do anything at a place: no blockade is laid twice, by ships inland, or broken where
    /// there is none, and nobody sallies from an empty place.
    fn does_something(&self, o: &Open, data: &SiegeData, at: Space) -> bool {
        let mark = &o.marks[at];
        let port = self.components.space(at).any_port();
        let ops = self.components.list(data.effects);
        let possible = |op: &Op| match op {
            Op::Blockade { on: true, port: asked, .. } => {
                !mark.blockaded && asked.is_none_or(|asked| asked == port)
            }
            Op::Blockade { .. } => mark.blockaded,
            Op::Sortie { .. } => {
                let holder = o.holds[at].and_then(|hold| self.holder(o, hold));
                holder.is_some_and(|seat| self.within(o, at, seat).0.any())
            }
            _ => true,
        };
        data.rf != 0 || ops.is_empty() || ops.iter().any(possible)
    }

    /// Whether an event can be played as an action of its own: neither one that cancels or stops nor one for assaults.
    fn is_action(&self, event: SiegeEvent) -> bool {
        let data = &self.components.sieges[table::Id::number(event)];
        data.cancels.is_empty() && !data.halts && !data.blue
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn list_siege_uses(
        &self,
        p: &Position,
        seat: Seat,
        card: Card,
        at: Space,
        hostile: bool,
        alone: bool,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let o = &p.open;
        let Some(besieger) = self.besieger(o, at) else { return };
        let attacks = besieger == seat;
        if hostile {
            let what = if attacks { Action::Storm(card, at) } else { Action::Siege(card, at) };
            ballot.refuse(what, rule!("8.4.1"), format_args!("a truce forbids it"));
            return;
        }
        if attacks {
            if o.marks[at].blockaded {
                ballot.allow(Action::Starve(card, at));
            } else {
                ballot.refuse(
                    Action::Starve(card, at),
                    rule!("17.6.4"),
                    format_args!("the place is not blockaded"),
                );
            }
            if alone {
                ballot.allow(Action::Fortune(card, at));
                if self.outside(o, at, seat).1.any() {
                    ballot.allow(Action::Storm(card, at));
                } else {
                    ballot.refuse(
                        Action::Storm(card, at),
                        rule!("17.7"),
                        format_args!("nobody leads the besiegers"),
                    );
                }
            }
        }
        if let Some(event) = self.components.card(card).siege.filter(|_| alone) {
            if self.is_action(event) && self.may_use(p, seat, event, at) {
                ballot.allow(Action::Siege(card, at));
            } else {
                ballot.refuse(
                    Action::Siege(card, at),
                    rule!("17.6.6"),
                    format_args!("this siege event cannot be used here now"),
                );
            }
        }
    }

    /// A siege is resolved by a card [17.6.3].
    pub(super) fn begin_siege_action(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        card: Card,
        at: Space,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(besieger) = self.besieger(&p.open, at) else { return };
        let value = self.value(p, card);
        self.spend(p, seat, card, umpire);
        p.open.agenda.pop();
        p.open.duel = Some(Self::new_duel(at, besieger));
        let (who, place, title) =
            (self.title.seat_name(seat), self.space_name(at), &self.components.card(card).title);
        umpire.cite(rule!("17.6.3"));
        if besieger == seat {
            p.open.agenda.push(Step::Press);
        }
        match action {
            Action::Siege(..) => {
                if let Some(event) = self.components.card(card).siege {
                    let event_title = &self.components.sieges[table::Id::number(event)].title;
                    umpire.note(
                        Readers::ALL,
                        rule!("17.6.6"),
                        format_args!("At {place} the {who} plays {event_title} ({title})"),
                    );
                    p.open.agenda.push(Step::Announced { seat, card: Some(card), event, stage: 0 });
                }
            }
            Action::Starve(..) => {
                umpire.note(
                    Readers::ALL,
                    rule!("17.6.4"),
                    format_args!("The {who} starves {place} with a card of {value}"),
                );
                if let Some(duel) = &mut p.open.duel {
                    duel.events = false;
                }
                p.open.agenda.push(Step::Storm { stage: 10 + value.min(9) });
            }
            Action::Fortune(..) => {
                umpire.note(
                    Readers::ALL,
                    rule!("17.6.5"),
                    format_args!("The {who} discards {title} and trusts in the fortunes of war at {place}"),
                );
                if let Some(duel) = &mut p.open.duel {
                    duel.events = false;
                }
                p.open.agenda.push(Step::Storm { stage: 20 });
            }
            _ => {
                umpire.note(
                    Readers::ALL,
                    rule!("17.7"),
                    format_args!("The {who} discards {title} to storm {place}"),
                );
                if let Some(duel) = &mut p.open.duel {
                    duel.events = false;
                }
                p.open.agenda.push(Step::Storm { stage: 0 });
            }
        }
        if besieger == seat {
            self.ask(p, seat.other(), Trigger::SiegeAction);
        }
    }

    /// Both sides hunger [17.6.4].
    pub(super) fn starve(&self, p: &mut Position, value: u8, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(duel) = p.open.duel else { return };
        let (at, seat) = (duel.at, duel.besieger);
        let inside = self.within(&p.open, at, seat.other()).0;
        let outside = self.outside(&p.open, at, seat).0;
        // The besieger rolls after the besieged: what is pushed last is done first, so dice are rolled in order here.
        let shift = inside.len().saturating_sub(4);
        umpire.cite(rule!("17.6.4"));
        self.attrition(p, seat.other(), inside, inside.len() as i16, shift, value as i8, umpire);
        let first = p.open.struck;
        let _ = first;
        p.open.agenda.push(Step::Storm { stage: 30 });
        // Losses of the besieged come first: the besieger's roll waits beneath them.
        let steps = p.open.agenda.steps().len();
        if steps >= 2 && matches!(p.open.agenda.steps()[steps - 2], Step::Losses { .. }) {
            let top = p.open.agenda.pop();
            let losses = p.open.agenda.pop();
            if let (Some(top), Some(losses)) = (top, losses) {
                p.open.agenda.push(top);
                p.open.agenda.push(losses);
            }
        }
        let _ = outside;
    }

    /// The besieger hungers too.
    pub(super) fn starve_besieger(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(duel) = p.open.duel else { return };
        let units = self.outside(&p.open, duel.at, duel.besieger).0;
        self.attrition(p, duel.besieger, units, units.len() as i16, 0, 0, umpire);
    }

    /// A card is drawn from the deck, and its siege event takes effect [17.6.5].
    pub(super) fn fortune(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(duel) = p.open.duel else { return };
        let mut deck = self.deck(p);
        if deck.is_empty() {
            p.open.discards = Default::default();
            deck = self.deck(p);
            umpire.cite(rule!("8.5"));
        }
        if deck.is_empty() {
            return;
        }
        let name = |i: u16| deck.nth(i.into()).map_or(String::new(), |card| self.card_id(card).to_string());
        let drawn = umpire.draw(Readers::ALL, deck.len() as u16, &name);
        let Some(card) = deck.nth(drawn.into()) else { return };
        p.open.discards.insert(card);
        let data = self.components.card(card);
        umpire.note(Readers::ALL, rule!("17.6.5"), format_args!("The card is {}", data.title));
        let besieged = duel.besieger.other();
        match (data.siege, data.fortunes) {
            (Some(event), _) => {
                let siege = &self.components.sieges[table::Id::number(event)];
                // Whose event it is: the besieger's where both could use it.
                let seat = if siege.attacker { duel.besieger } else { besieged };
                let usable = self.may_use(p, seat, event, duel.at) && siege.cancels.is_empty();
                if usable {
                    p.open.agenda.push(Step::Announced { seat, card: None, event, stage: 20 });
                }
            }
            (None, Some(Fortunes::Event)) => {
                p.open.reshuffle |= data.reshuffle;
                self.begin_effects(p, duel.besieger, card, data.effects, Chosen::default());
            }
            (None, Some(Fortunes::Epidemic)) => {
                let die = umpire.roll(6);
                let target = if die <= 3 { duel.besieger } else { besieged };
                let chosen = Chosen { space: Some(duel.at), ..Chosen::default() };
                self.begin_effects(p, target.other(), card, data.effects, chosen);
            }
            (None, None) => {
                if let Some(duel) = &mut p.open.duel {
                    duel.assault = false;
                }
            }
        }
    }

    /// The effects of a card begin.
    pub(super) fn begin_effects(
        &self,
        p: &mut Position,
        seat: Seat,
        card: Card,
        list: crate::data::List,
        chosen: Chosen,
    ) {
        p.open.agenda.push(Step::Effects(Effects {
            seat,
            card,
            list,
            at: 0,
            left: 0,
            stage: 0,
            chosen,
            done: false,
        }));
    }

    /// A siege event on its way: cancelled or not, answered or not [17.6.6]. Stages from 20 on are Fortunes of War.
    pub(super) fn announced(
        &self,
        p: &mut Position,
        seat: Seat,
        card: Option<Card>,
        event: SiegeEvent,
        stage: u8,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(duel) = p.open.duel else {
            p.open.agenda.pop();
            return;
        };
        let data = &self.components.sieges[table::Id::number(event)];
        let attacks = seat == duel.besieger;
        p.open.agenda.replace(Step::Announced { seat, card, event, stage: stage + 1 });
        match stage {
            // Manpower is used, and whoever is struck may cancel it, or answer at once if no die is rolled.
            0 | 20 => {
                if let Some(duel) = &mut p.open.duel {
                    duel.spent[seat] += data.man;
                }
                p.open.cancelled = false;
                let now = attacks && stage == 0 && !data.rolls;
                self.ask_answer(p, seat.other(), event, attacks || stage == 0, now);
            }
            1 | 21 => {
                let draws = data.draws && card.is_some();
                if std::mem::take(&mut p.open.cancelled) {
                    umpire.note(Readers::ALL, rule!("17.6.6"), format_args!("{} is cancelled", data.title));
                    p.open.agenda.pop();
                    if draws {
                        p.open.agenda.push(Step::Draw { seat, left: 1 });
                    }
                    return;
                }
                if draws {
                    umpire.cite(rule!("8.4.1"));
                    p.open.agenda.push(Step::Draw { seat, left: 1 });
                }
                let at = duel.at;
                if data.rf != 0 {
                    self.change_resistance(p, at, data.rf, umpire);
                }
                umpire.cite(rule!("17.6.7"));
                let with =
                    card.or_else(|| self.all_cards().find(|c| self.components.card(*c).siege == Some(event)));
                if let Some(with) = with {
                    let chosen = Chosen { space: Some(at), ..Chosen::default() };
                    self.begin_effects(p, seat, with, data.effects, chosen);
                }
            }
            2 if attacks && data.rolls && !duel.stopped => {
                self.ask_answer(p, seat.other(), event, false, true)
            }
            _ => {
                p.open.agenda.pop();
            }
        }
    }

    /// The resistance of a besieged place changes, between nothing and eight.
    pub(super) fn change_resistance(
        &self,
        p: &mut Position,
        at: Space,
        by: i8,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(rf) = p.open.marks[at].rf else { return };
        let now = (rf as i8 + by).clamp(0, MOST) as u8;
        p.open.marks[at].rf = Some(now);
        let place = self.space_name(at);
        umpire.note(Readers::ALL, rule!("17.4"), format_args!("The resistance of {place} is {now}"));
    }

    /// Whether a card cancels a siege event for a player: by its own siege event, or as a response.
    fn cancels(&self, p: &Position, seat: Seat, card: Card, event: SiegeEvent) -> bool {
        let Some(duel) = p.open.duel else { return false };
        let data = self.components.card(card);
        let by_siege = data.siege.is_some_and(|s| {
            self.components.sieges[table::Id::number(s)].cancels.has(event)
                && self.may_use(p, seat, s, duel.at)
        });
        by_siege || self.answers(p, seat, card, Trigger::SiegeEvent)
    }

    /// Whether a card answers a siege event by one of its own.
    fn replies(&self, p: &Position, seat: Seat, card: Card) -> bool {
        let Some(duel) = p.open.duel else { return false };
        let Some(event) = self.components.card(card).siege else { return false };
        let data = &self.components.sieges[table::Id::number(event)];
        seat != duel.besieger
            && data.cancels.is_empty()
            && !data.blue
            && self.may_use(p, seat, event, duel.at)
    }

    /// The other side is asked, if by what everybody knows it could have something to play.
    fn ask_answer(
        &self,
        p: &mut Position,
        seat: Seat,
        event: SiegeEvent,
        may_cancel: bool,
        may_answer: bool,
    ) {
        let could = |card: Card| {
            may_cancel && self.cancels(p, seat, card, event) || may_answer && self.replies(p, seat, card)
        };
        if self.armed(p, seat) && self.at_large(p).iter().any(could) {
            p.open.agenda.push(Step::Answer { seat, event, may_cancel, may_answer, answer: None });
        }
    }

    pub(super) fn list_answers(
        &self,
        p: &Position,
        seat: Seat,
        event: SiegeEvent,
        may_cancel: bool,
        may_answer: bool,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        ballot.allow(Action::Decline);
        for card in self.usable(p, seat) {
            if may_cancel && self.cancels(p, seat, card, event) || may_answer && self.replies(p, seat, card) {
                ballot.allow(Action::Respond(card));
            } else if ballot.explains() {
                ballot.refuse(
                    Action::Respond(card),
                    rule!("17.6.6"),
                    format_args!("it does not answer this siege event"),
                );
            }
        }
    }

    pub(super) fn act_answer(
        &self,
        p: &mut Position,
        seat: Seat,
        event: SiegeEvent,
        may_answer: bool,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.agenda.pop();
        let Action::Respond(card) = action else { return };
        let cancels = self.cancels(p, seat, card, event);
        let replies = may_answer && self.replies(p, seat, card);
        self.spend(p, seat, card, umpire);
        let (who, data) = (self.title.seat_name(seat), self.components.card(card));
        let own = data.siege.map(|s| &self.components.sieges[table::Id::number(s)]);
        if cancels {
            let title = own.filter(|s| s.cancels.has(event)).map_or(&data.title, |s| &s.title);
            umpire.note(Readers::ALL, rule!("17.6.6"), format_args!("The {who} plays {title}"));
            umpire.cite(rule!("8.4.3"));
            p.open.cancelled = true;
            if own.is_some_and(|s| s.cancels.has(event) && s.draws) {
                p.open.agenda.push(Step::Draw { seat, left: 1 });
            }
        } else if let (true, Some(reply)) = (replies, data.siege) {
            let title = &self.components.sieges[table::Id::number(reply)].title;
            umpire.note(Readers::ALL, rule!("17.6.6"), format_args!("The {who} answers with {title}"));
            // What was announced comes first; the answer waits beneath it, and may be cancelled in its turn.
            let waiting = p.open.agenda.pop();
            p.open.agenda.push(Step::Announced { seat, card: Some(card), event: reply, stage: 0 });
            if let Some(step) = waiting {
                p.open.agenda.push(step);
            }
        }
    }

    /// Whether the besieger may go on; what leaves no choice ends his action.
    pub(super) fn pressing(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let _ = umpire;
        let Some(duel) = p.open.duel else {
            p.open.agenda.pop();
            return false;
        };
        let seat = duel.besieger;
        let led = self.outside(&p.open, duel.at, seat).1.any();
        let over = duel.stopped
            || !p.open.marks[duel.at].besieged
            || self.banned(&p.open, seat, crate::position::Forbidden::Hostile);
        let storm = duel.assault && led;
        if over || !(storm || duel.events && self.armed(p, seat)) {
            p.open.agenda.pop();
            return false;
        }
        true
    }

    pub(super) fn list_press(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let Some(duel) = p.open.duel else { return };
        ballot.allow(Action::Done);
        if duel.assault && self.outside(&p.open, duel.at, seat).1.any() {
            ballot.allow(Action::Attack);
        }
        if !duel.events {
            return;
        }
        for card in self.usable(p, seat) {
            let data = self.components.card(card);
            if let Some(event) = data.siege.filter(|_| !data.must) {
                if self.is_action(event) && self.may_use(p, seat, event, duel.at) {
                    ballot.allow(Action::Siege(card, duel.at));
                } else {
                    ballot.refuse(
                        Action::Siege(card, duel.at),
                        rule!("17.6.6"),
                        format_args!("this siege event cannot be used here now"),
                    );
                }
            }
        }
    }

    pub(super) fn act_press(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        match action {
            Action::Siege(card, at) => {
                self.spend(p, seat, card, umpire);
                if let Some(event) = self.components.card(card).siege {
                    let (who, place) = (self.title.seat_name(seat), self.space_name(at));
                    let title = &self.components.sieges[table::Id::number(event)].title;
                    umpire.note(
                        Readers::ALL,
                        rule!("17.6.6"),
                        format_args!("At {place} the {who} plays {title}"),
                    );
                    p.open.agenda.push(Step::Announced { seat, card: Some(card), event, stage: 0 });
                }
            }
            Action::Attack => {
                let (who, place) =
                    (self.title.seat_name(seat), p.open.duel.map_or("", |d| self.space_name(d.at)));
                umpire.note(Readers::ALL, rule!("17.7"), format_args!("The {who} storms {place}"));
                p.open.agenda.push(Step::Storm { stage: 0 });
                self.ask(p, seat.other(), Trigger::SiegeAction);
            }
            _ => {
                p.open.agenda.pop();
            }
        }
    }
}
