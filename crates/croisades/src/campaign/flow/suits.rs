//! Phase 9: alliances, allegiances, marriages [3.41 to 3.43, table.10, S34, S35].

use table::{Ballot, Readers, Seat, SeatSet, Umpire, rule};

use crate::campaign::Campaign;
use crate::campaign::action::{Action, Suit};
use crate::campaign::atlas::Kind;
use crate::ids::{Side, Who};
use crate::realm::{LadyId, MajorId, PlaceId, Realm, Step, side_of};

/// What a suit comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bid {
    /// Points of characteristics, after what is taken off.
    pub(crate) points: u32,
    /// Troop points, after what is taken off.
    pub(crate) troops: u32,
    /// What must be reached.
    pub(crate) needed: u32,
}

impl Campaign {
    pub(super) fn begin_suits(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        let idle = self.idle_suitors(p, p.open.sued);
        p.open.agenda.replace(Step::Suits(idle));
        if p.open.playing().minus(idle).is_empty() {
            self.end_suits(p, umpire);
        }
    }

    pub(super) fn sue_no_more(&self, p: &mut Realm, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::Suits(done) = p.open.step() else { return };
        let done = done.with(seat);
        p.open.agenda.replace(Step::Suits(done));
        if p.open.playing().minus(done).is_empty() {
            self.end_suits(p, umpire);
        }
    }

    fn end_suits(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        self.hold_weddings(p, umpire);
        self.begin_revenue(p, umpire);
    }

    /// Whether a lord is asked for suits: he has a group at a place that is not wholly his own, or holds prisoners, whom
    /// he may put to death. Everybody can see that.
    pub(super) fn is_suitor(&self, p: &Realm, seat: Seat) -> bool {
        let comes = p.open.groups_of(seat).any(|(_, g)| {
            self.place_at(&p.open, g.at).is_some_and(|id| {
                p.open.place(id).mapped && p.open.place(id).lord() != Some(seat) && p.open.siege(id).is_none()
            })
        });
        comes || p.open.majors.iter().any(|m| m.lord.is_some() && m.captor == Some(seat))
    }

    /// Whether nobody else has a group in a hex where a lord has one.
    pub(super) fn is_alone(&self, p: &Realm, seat: Seat) -> bool {
        p.open.groups_of(seat).all(|(_, g)| p.open.lords_at(g.at).without(seat).is_empty())
    }

    /// Who is asked for no suits, besides those who are done.
    pub(crate) fn idle_suitors(&self, p: &Realm, done: SeatSet) -> SeatSet {
        p.open.playing().iter().filter(|seat| done.contains(*seat) || !self.is_suitor(p, *seat)).collect()
    }

    /// Who is asked now: all at once, but lords in one hex in the order of play \[S34\].
    pub(super) fn first_in_each_hex(&self, p: &Realm, left: SeatSet) -> SeatSet {
        let place = |seat: Seat| (0..p.open.order.len() as u8).find(|at| p.open.at_turn(*at) == Some(seat));
        let meets = |one: Seat, other: Seat| {
            p.open.groups_of(one).any(|(_, g)| p.open.lords_at(g.at).contains(other))
        };
        let waits = |seat: Seat| {
            left.without(seat).iter().any(|other| place(other) < place(seat) && meets(other, seat))
        };
        left.iter().filter(|seat| !waits(*seat)).collect()
    }

    /// The place at which a major character is.
    pub(crate) fn place_of(&self, p: &Realm, id: MajorId) -> Option<PlaceId> {
        let group = p.group_of(id).filter(|group| p.open.group(*group).aboard.is_none())?;
        self.place_at(&p.open, p.open.group(group).at).filter(|place| p.open.place(*place).mapped)
    }

    /// Whether a suit may be tried; else why not.
    pub(crate) fn may_sue(
        &self,
        p: &Realm,
        seat: Seat,
        who: Who,
        suit: Suit,
    ) -> Result<(MajorId, PlaceId), (table::Rule, &'static str)> {
        let rule = match suit {
            Suit::Alliance => rule!("3.41"),
            Suit::Allegiance => rule!("3.42"),
            Suit::Marriage => rule!("3.43"),
        };
        let no = |why| Err((rule, why));
        let Some(id) = p.open.major_of(seat, who) else { return no("he is no major character of yours") };
        let major = p.open.major(id);
        if major.captor.is_some() {
            return no("he is a prisoner");
        }
        let Some(place) = self.place_of(p, id) else { return no("there is no stronghold where he is") };
        if p.open.siege(place).is_some() {
            return no("the place is besieged");
        }
        if suit == Suit::Marriage {
            let lady = p.open.ladies.free[side_of(seat).index()];
            return match lady.map(|lady| self.atlas.lady(lady)) {
                None => no("no lady of his side is to be married"),
                Some(_) if major.wife.is_some() => no("he has a wife"),
                Some(lady) if lady.town != place => no("the lady lives in another town"),
                Some(_) if major.courted > 0 && major.courted + self.atlas.every > p.open.turn => {
                    no("he has tried his luck in these five turns")
                }
                Some(_) => Ok((id, place)),
            };
        }
        if major.suited == p.open.turn {
            return no("he has tried in this turn");
        }
        let there = p.open.place(place);
        let taxed = |_: Seat| there.taxed >= p.open.turn;
        match there.holder {
            Some(holder) if holder == seat && (there.controlled || suit == Suit::Alliance) => {
                no("it is yours already")
            }
            Some(holder) if there.controlled && !taxed(holder) => match suit {
                Suit::Alliance => no("another lord controls it"),
                _ if self.troops_inside(p, holder, place) > 0 => no("its lord's troops are inside"),
                _ if self.lady_inside(p, place) => no("the lady of the place is there"),
                _ => Ok((id, place)),
            },
            Some(holder) if holder != seat => {
                let guard = u32::from(self.atlas.suits[self.atlas.place(place).kind as usize].guard);
                if self.troops_inside(p, holder, place) >= guard {
                    no("its ally's troops are too many")
                } else {
                    Ok((id, place))
                }
            }
            _ => Ok((id, place)),
        }
    }

    fn troops_inside(&self, p: &Realm, lord: Seat, place: PlaceId) -> u32 {
        self.troops_at(p, lord, self.hex_of(&p.open, place))
    }

    /// Whether the wife who brought a place lives there [3.43].
    fn lady_inside(&self, p: &Realm, place: PlaceId) -> bool {
        self.lady_of(p, place).is_some()
    }

    /// The wife who lives in a place that she brought, and her husband: she stays in the first town of her dowry.
    pub(super) fn lady_of(&self, p: &Realm, place: PlaceId) -> Option<(LadyId, MajorId)> {
        let lord = p.open.place(place).lord()?;
        p.open.majors_of(lord).find_map(|(id, m)| {
            let lady = m.wife?;
            let home = self.atlas.lady(lady).dowry.first() == Some(&place);
            (home && p.open.ladies.captors[lady.number()].is_none()).then_some((lady, id))
        })
    }

    /// The lady of a place that falls is a prisoner [3.47].
    pub(super) fn take_lady(
        &self,
        p: &mut Realm,
        place: PlaceId,
        captor: Seat,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some((lady, _)) = self.lady_of(p, place) else { return };
        p.open.ladies.captors[lady.number()] = Some(captor);
        umpire.note(
            Readers::ALL,
            rule!("3.47"),
            format_args!("{} is a prisoner of {}", self.atlas.lady(lady).name, self.lord_name(captor)),
        );
    }

    /// What a suit comes to, with all that is taken off [3.41, 3.42].
    pub(crate) fn bid(&self, p: &Realm, seat: Seat, id: MajorId, place: PlaceId, suit: Suit) -> Bid {
        let worth = |id: MajorId| -> u32 {
            let (m, t) = (p.open.major(id), &p.hidden.traits[id.number()]);
            let short = u32::from(t.diplomacy) + u32::from(m.fame);
            if suit == Suit::Alliance { short + u32::from(m.honour) + u32::from(t.charisma) } else { short }
        };
        let (sheet, there) = (self.atlas.place(place), p.open.place(place));
        let hex = self.hex_of(&p.open, place);
        let (mut points, mut troops) = (worth(id), self.troops_at(p, seat, hex));
        if let Some(holder) = there.holder.filter(|holder| *holder != seat) {
            let taxed = there.taxed >= p.open.turn;
            let fame = p.open.lords[holder.index()].suzerain.map_or(0, |s| u32::from(p.open.major(s).fame));
            if there.controlled && !taxed {
                points = points.saturating_sub(2 * fame);
            } else {
                let inside = self.troops_inside(p, holder, place);
                if inside > 0 {
                    troops = troops.saturating_sub(inside);
                    let best = self.majors_at(p, holder, hex).map(worth).max().unwrap_or(0);
                    points = points.saturating_sub(best);
                } else {
                    points = points.saturating_sub(fame);
                }
            }
        }
        let table = &self.atlas.suits[sheet.kind as usize];
        let other = usize::from(there.side != Some(side_of(seat)));
        let figure = if suit == Suit::Alliance { table.alliance[other] } else { table.allegiance[other] };
        let times = if sheet.kind == Kind::Important { u32::from(sheet.fame) } else { 1 };
        Bid { points, troops, needed: figure * times }
    }

    pub(super) fn list_suits(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        ballot.allow(Action::Done);
        for (_, major) in p.open.majors_of(seat) {
            for suit in [Suit::Alliance, Suit::Allegiance, Suit::Marriage] {
                let action = Action::Suit(major.who, suit);
                match self.may_sue(p, seat, major.who, suit) {
                    Ok(_) => ballot.allow(action),
                    Err((rule, why)) => ballot.refuse(action, rule, format_args!("{why}")),
                }
            }
        }
        for lord in p.open.playing().without(seat).iter() {
            for (_, major) in p.open.majors_of(lord) {
                let action = Action::Kill(lord, major.who);
                if major.captor == Some(seat) {
                    ballot.allow(action);
                } else if ballot.explains() {
                    ballot.refuse(action, rule!("3.31"), format_args!("he is no prisoner of yours"));
                }
            }
        }
    }

    pub(super) fn sue(
        &self,
        p: &mut Realm,
        seat: Seat,
        who: Who,
        suit: Suit,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Ok((id, place)) = self.may_sue(p, seat, who, suit) else { return };
        let name = self.tactics().named(who);
        let town = &self.atlas.place(place).name;
        umpire.reveal(Readers::ALL);
        if suit == Suit::Marriage {
            p.open.majors[id.number()].courted = p.open.turn;
            if let Some(slot) = p.open.ladies.suitors.iter_mut().find(|s| s.is_none()) {
                *slot = Some(id);
            }
            umpire.note(Readers::ALL, rule!("3.43"), format_args!("{name} asks for a lady's hand in {town}"));
            return;
        }
        p.open.majors[id.number()].suited = p.open.turn;
        let bid = self.bid(p, seat, id, place, suit);
        let (rule, what) = match suit {
            Suit::Alliance => (rule!("3.41"), "an alliance"),
            _ => (rule!("3.42"), "allegiance"),
        };
        let wins = bid.points * bid.troops >= bid.needed;
        umpire.note(
            Readers::ALL,
            rule,
            format_args!(
                "{name} seeks {what} of {town}: {} × {} = {} of {}, {}",
                bid.points,
                bid.troops,
                bid.points * bid.troops,
                bid.needed,
                if wins { "and it is granted" } else { "and it is refused" }
            ),
        );
        if !wins {
            return;
        }
        self.set_guardian(p, place, None);
        self.lose_fame(p, place);
        let there = &mut p.open.places[place.number()];
        (there.holder, there.taxed) = (Some(seat), 0);
        there.controlled = suit == Suit::Allegiance;
        if suit == Suit::Allegiance {
            self.set_guardian(p, place, Some(id));
            self.win_fame(p, place, Some(id));
        }
        self.put_out(p, place, umpire);
        let hex = self.hex_of(&p.open, place);
        for group in p.open.groups.iter_mut().flatten().filter(|g| g.lord == seat && g.at == hex) {
            group.inside = true;
        }
    }

    /// A prisoner is put to death: who does it loses all his honour [3.31].
    pub(super) fn kill_prisoner(
        &self,
        p: &mut Realm,
        seat: Seat,
        lord: Seat,
        who: Who,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(n) = p.find(lord, who) else { return };
        if let Some(id) = p.open.lords[seat.index()].suzerain {
            p.open.majors[id.number()].honour = 0;
        }
        umpire.note(
            Readers::ALL,
            rule!("3.31"),
            format_args!(
                "{} puts {} to death, and has no honour left",
                self.lord_name(seat),
                self.tactics().named(who)
            ),
        );
        self.lose_man(p, n);
        self.raise_heirs(p, umpire);
    }

    /// All suitors of the turn roll; the highest product wins the lady [3.43].
    fn hold_weddings(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        for side in Side::BOTH {
            let Some(lady) = p.open.ladies.free[side.index()] else { continue };
            let sheet = self.atlas.lady(lady);
            let (mut best, mut equal): (Option<(u16, MajorId)>, u8) = (None, 1);
            for i in 0..p.open.ladies.suitors.len() {
                let Some(id) = p.open.ladies.suitors[i] else { continue };
                let Some(lord) = p.open.major(id).lord.filter(|lord| side_of(*lord) == side) else {
                    continue;
                };
                let charm =
                    u16::from(p.hidden.traits[id.number()].charisma) + u16::from(p.open.major(id).fame);
                let product = charm * u16::from(umpire.roll(6));
                umpire.note(
                    Readers::ALL,
                    rule!("3.43"),
                    format_args!(
                        "{} of {} reaches {product} of {} with {}",
                        self.tactics().named(p.open.major(id).who),
                        self.lord_name(lord),
                        sheet.target,
                        sheet.name
                    ),
                );
                if product < sheet.target {
                    continue;
                }
                best = match best {
                    Some((most, _)) if most > product => best,
                    // Of equal suitors a lot decides, as if they had rolled again until they differed.
                    Some((most, _)) if most == product => {
                        equal += 1;
                        if umpire.roll(equal) == 1 { Some((product, id)) } else { best }
                    }
                    _ => {
                        equal = 1;
                        Some((product, id))
                    }
                };
            }
            if let Some((_, id)) = best {
                self.wed(p, id, lady, umpire);
            }
        }
        p.open.ladies.suitors = [None; 16];
    }

    fn wed(&self, p: &mut Realm, id: MajorId, lady: LadyId, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(lord) = p.open.major(id).lord else { return };
        let sheet = self.atlas.lady(lady);
        p.open.majors[id.number()].wife = Some(lady);
        p.open.majors[id.number()].title = p.open.major(id).title.max(sheet.title);
        p.open.ladies.married |= 1 << lady.number();
        p.open.ladies.free[sheet.side.index()] = None;
        umpire.note(
            Readers::ALL,
            rule!("3.43"),
            format_args!("{} marries {}", self.tactics().named(p.open.major(id).who), sheet.name),
        );
        for place in &sheet.dowry {
            // What another lord controls stays with him.
            if p.open.place(*place).lord().is_none_or(|other| other == lord) {
                self.own(p, lord, *place);
                self.set_guardian(p, *place, Some(id));
                self.win_fame(p, *place, Some(id));
                // A siege goes on, and the husband's lord commands now.
                match p.open.siege(*place) {
                    Some(i) => p.open.sieges[i].warden = Some(lord),
                    None => self.put_out(p, *place, umpire),
                }
            }
        }
    }

    /// A lady for each side, by lot; one who is not to be had is rolled again [table.10].
    pub(super) fn draw_ladies(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        for side in Side::BOTH {
            let free = |lady: &super::super::atlas::Lady, i: usize| {
                let held = |id: &PlaceId| p.open.place(*id).lord().is_some();
                lady.side == side
                    && p.open.ladies.married >> i & 1 == 0
                    && p.open.place(lady.town).mapped
                    && lady.dowry.iter().all(|id| p.open.place(*id).mapped)
                    && !held(&lady.town)
                    && !lady.dowry.iter().all(held)
            };
            let any = self.atlas.ladies.iter().enumerate().any(|(i, lady)| free(lady, i));
            let found = any.then(|| {
                loop {
                    let die = umpire.roll(6);
                    let lady = self.atlas.ladies.iter().enumerate();
                    let mut lady = lady.filter(|(i, lady)| lady.die == die && free(lady, *i));
                    if let Some((i, _)) = lady.next() {
                        break LadyId::at(i);
                    }
                }
            });
            p.open.ladies.free[side.index()] = found;
            if let Some(lady) = found {
                let sheet = self.atlas.lady(lady);
                umpire.note(
                    Readers::ALL,
                    rule!("table.10"),
                    format_args!("{} may be courted at {}", sheet.name, self.atlas.place(sheet.town).name),
                );
            }
        }
    }
}
