//! Groups of two lords meet: both say in secret whether they fight [S18, S19, ruling 7].

use table::{Ballot, Readers, Seat, SeatSet, Umpire, rule};

use super::march::{STOPPED, Spot};
use crate::campaign::Campaign;
use crate::campaign::action::Action;
use crate::realm::{GroupId, MapHex, Pact, Pending, Realm, Step, What};

/// What is said.
const PASS: u8 = 0;
const FIGHT: u8 = 1;
const REFUGE: u8 = 2;

impl Campaign {
    /// A group has come into a hex: whoever is there sees it, and those without a treaty meet.
    pub(super) fn arrive_at(
        &self,
        p: &mut Realm,
        seat: Seat,
        id: GroupId,
        hex: MapHex,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        self.look_around(p, hex, umpire);
        let others = p.open.lords_at(hex).without(seat);
        // Peace alone gives no passage: the march ends here.
        let stops = |met: Seat| {
            let bound =
                p.hidden.treaties.iter().filter(|t| t.parties.contains(&seat) && t.parties.contains(&met));
            let passage = |pact: Pact| matches!(pact, Pact::Passage | Pact::Alliance);
            p.pact(seat, met).is_some() && !bound.filter(|t| t.until >= p.open.turn).any(|t| passage(t.pact))
        };
        if others.iter().any(stops)
            && let Some(Step::March { group: Some((_, spent)), .. }) = p.open.agenda.now_mut()
        {
            *spent = STOPPED;
        }
        // All who meet are asked, whatever they have signed: nobody else can tell from it who has a treaty.
        for met in others.iter() {
            if self.fought_over(p, hex, seat, met) {
                p.open.group_mut(id).pinned = true;
                continue;
            }
            p.open.agenda.push(Step::Meeting { hex, mover: seat, met, said: SeatSet::NONE });
        }
        self.go_on(p, umpire);
    }

    pub(super) fn fought_over(&self, p: &Realm, hex: MapHex, one: Seat, other: Seat) -> bool {
        let both = |b: &Pending| b.seats == [Some(one), Some(other)] || b.seats == [Some(other), Some(one)];
        p.open.pending.iter().any(|b| b.what == What::Battle(hex) && both(b))
    }

    /// Whether a lord has walls to go behind in a hex \[S19\].
    fn has_refuge(&self, p: &Realm, seat: Seat, hex: MapHex) -> bool {
        self.is_friendly(p, seat, hex)
            && self.place_at(&p.open, hex).is_some_and(|place| {
                p.open.siege(place).is_none_or(|i| {
                    p.open.groups_of(seat).all(|(_, g)| g.at != hex || g.inside)
                        && p.open.sieges[i].besieger != seat
                })
            })
    }

    pub(super) fn list_meeting(
        &self,
        p: &Realm,
        seat: Seat,
        hex: MapHex,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        ballot.allow(Action::Pass);
        ballot.allow(Action::Fight);
        if self.has_refuge(p, seat, hex) {
            ballot.allow(Action::Refuge);
        } else {
            ballot.refuse(Action::Refuge, rule!("S19"), format_args!("no walls here are open to you"));
        }
    }

    pub(super) fn say_at_meeting(
        &self,
        p: &mut Realm,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Step::Meeting { hex, mover, met, said } = p.open.step() else { return };
        p.hidden.said[seat.index()] = Some(match action {
            Action::Fight => FIGHT,
            Action::Refuge => REFUGE,
            _ => PASS,
        });
        let said = said.with(seat);
        p.open.agenda.replace(Step::Meeting { hex, mover, met, said });
        if said.len() < 2 {
            return;
        }
        umpire.reveal(Readers::ALL);
        let answers = [mover, met].map(|seat| p.hidden.said[seat.index()].take().unwrap_or(PASS));
        p.open.agenda.pop();
        for (seat, answer) in [mover, met].into_iter().zip(answers) {
            if answer == REFUGE {
                umpire.cite(rule!("S19"));
                for group in p.open.groups.iter_mut().flatten().filter(|g| g.lord == seat && g.is_ashore(hex))
                {
                    group.inside = true;
                }
            }
        }
        let fight = answers.contains(&FIGHT) && !answers.contains(&REFUGE);
        // Who attacks in spite of a treaty breaks it, whether or not the other hides [3.31].
        let bound = p.treaty(mover, met).is_some();
        for (by, with, answer) in [(mover, met, answers[0]), (met, mover, answers[1])] {
            if bound && answer == FIGHT {
                self.breach(p, by, with, umpire);
            }
        }
        if fight {
            self.declare_battle(p, hex, mover, met, umpire);
        } else {
            umpire.note(
                Readers::ALL,
                rule!("S18"),
                format_args!(
                    "{} and {} let each other be at {}",
                    self.lord_name(mover),
                    self.lord_name(met),
                    Spot(self, hex)
                ),
            );
        }
        self.go_on(p, umpire);
    }

    /// There will be a battle: the groups of both lords are held where they are.
    pub(super) fn declare_battle(
        &self,
        p: &mut Realm,
        hex: MapHex,
        mover: Seat,
        met: Seat,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        umpire.note(
            Readers::ALL,
            rule!("S18"),
            format_args!(
                "{} and {} will fight at {}",
                self.lord_name(mover),
                self.lord_name(met),
                Spot(self, hex)
            ),
        );
        if !p.open.pending.is_full() {
            p.open.pending.push(Pending::new(What::Battle(hex), [Some(mover), Some(met)]));
        }
        for group in p.open.groups.iter_mut().flatten() {
            if group.is_ashore(hex) && (group.lord == mover || group.lord == met) {
                group.inside = false;
                group.pinned = true;
            }
        }
    }

    /// After a meeting the march goes on: a group that is held has marched.
    fn go_on(&self, p: &mut Realm, umpire: &mut (impl Umpire + ?Sized)) {
        let Step::March { at, group } = p.open.step() else { return };
        if let Some((id, _)) = group
            && p.open.groups[id.number()].is_some_and(|g| !g.pinned)
        {
            return;
        }
        let seat = p.open.at_turn(at);
        p.open.agenda.replace(Step::March { at, group: None });
        let more = seat.is_some_and(|s| p.open.groups_of(s).any(|(_, g)| Self::is_fresh(g)));
        if group.is_some() && !more {
            self.begin_march(p, at + 1, umpire);
        }
    }

    /// A lord attacks another with whom he has a treaty: a breach [3.31].
    pub(super) fn attack_friend(
        &self,
        p: &mut Realm,
        seat: Seat,
        whom: Seat,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Step::March { group: Some((id, _)), .. } = p.open.step() else { return };
        let hex = p.open.group(id).at;
        self.breach(p, seat, whom, umpire);
        self.declare_battle(p, hex, seat, whom, umpire);
        self.go_on(p, umpire);
    }
}
