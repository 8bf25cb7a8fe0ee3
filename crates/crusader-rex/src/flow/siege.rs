//! Sieges [6.5] and combat deployment [6.1]: castle and field, storms, sallies, attrition.

use table::{Ballot, Id, Readers, Seat, Set, Umpire, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{Block, Port, Town};
use crate::position::{Position, Stage, Step};
use crate::words::{counted, listed};

/// A besieged block loses a step on so much or less [6.57, 8.2]: elsewhere, and in Tripoli and Tyre.
const ATTRITION: [u8; 2] = [3, 1];
const WINTER_ATTRITION: [u8; 2] = [4, 2];

impl CrusaderRex {
    #[inline]
    pub(crate) fn rating(&self, t: Town) -> usize {
        self.components.towns[t].rating.into()
    }

    pub(super) fn list_shelter(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let t = p.open.battle().town;
        ballot.allow(Action::Begin);
        let full = p.secret[seat].picked.len() >= self.rating(t);
        for b in self.field(p, t, seat) - p.secret[seat].picked {
            if p.coming().has(b) {
                ballot.refuse(Action::Pick(b), rule!("6.1"), format_args!("it has not arrived yet"));
            } else if full {
                ballot.refuse(Action::Pick(b), rule!("6.52"), format_args!("the castle is full"));
            } else {
                ballot.allow(Action::Pick(b));
            }
        }
    }

    pub(super) fn act_shelter(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        if let Action::Pick(b) = action {
            p.secret[seat].picked.insert(b);
            umpire.cite(rule!("1.11"));
            return;
        }
        p.open.agenda.pop();
        umpire.cite(rule!("6.52"));
        let t = p.open.battle().town;
        let sheltered = std::mem::take(&mut p.secret[seat].picked);
        let present = self.active(p, t, seat);
        if sheltered.any() && sheltered != present {
            // Who went where is not seen.
            self.confuse(p, present - p.open.shown);
        }
        p.inside |= sheltered;
        if sheltered == present {
            // Where nobody has fought nobody regroups.
            umpire.cite(rule!("6.7"));
        }
        for b in present {
            p.mark[b] = None;
        }
        self.mark_lone(p, t);
        if umpire.writes() {
            let who = self.title_of(seat);
            let places = [(sheltered, "in the castle"), (present - sheltered, "in the field")];
            let parts: Vec<_> = places
                .iter()
                .filter(|(blocks, _)| blocks.any())
                .map(|(blocks, place)| format!("{} {place}", counted(blocks.len(), "block", "blocks")))
                .collect();
            let parts = listed(&parts);
            umpire.note(Readers::ALL, rule!("6.1"), format_args!("The {who} deploy {parts}"));
        }
    }

    pub(super) fn list_storm(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let t = p.open.battle().town;
        let storming = p.open.battle().stormers | p.secret[seat].picked;
        if storming.is_empty() {
            ballot.allow(Action::Done);
            ballot.refuse(Action::Begin, rule!("6.53"), format_args!("name a block that storms"));
        } else {
            ballot.allow(Action::Begin);
            let why = if p.open.battle().stormers.any() {
                "storming blocks go on"
            } else {
                "blocks are named already"
            };
            ballot.refuse(Action::Done, rule!("6.53"), format_args!("{why}"));
        }
        let full = storming.len() >= self.rating(t);
        for b in self.field(p, t, seat) - storming {
            if p.coming().has(b) {
                ballot.refuse(Action::Pick(b), rule!("6.41"), format_args!("it has not arrived yet"));
            } else if full {
                ballot.refuse(
                    Action::Pick(b),
                    rule!("6.52"),
                    format_args!("as many storm here as the castle limit of {} allows", self.rating(t)),
                );
            } else {
                ballot.allow(Action::Pick(b));
            }
        }
    }

    pub(super) fn act_storm(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        match action {
            Action::Pick(b) => {
                p.secret[seat].picked.insert(b);
            }
            Action::Begin => {
                p.open.agenda.pop();
                let picked = std::mem::take(&mut p.secret[seat].picked);
                p.open.battle_mut().stormers |= picked;
                p.open.agenda.replace(Step::Fight(Stage::Assault));
                if umpire.writes() {
                    let who = self.title_of(seat);
                    let many = counted(p.open.battle().stormers.len(), "block", "blocks");
                    umpire.note(Readers::ALL, rule!("6.53"), format_args!("The {who} storm with {many}"));
                }
            }
            _ => {
                // No storm: the jihad's moment is over, and the castle may sally.
                p.open.agenda.pop();
                umpire.note(
                    Readers::ALL,
                    rule!("6.53"),
                    format_args!("The {} do not storm", self.title_of(seat)),
                );
                p.open.agenda.push(Step::Sally { seat: seat.other() });
                self.keep_face_up(p, p.open.battle().town, umpire);
            }
        }
    }

    pub(super) fn list_sally(&self, p: &Position, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        if p.secret[seat].picked.is_empty() {
            ballot.allow(Action::Done);
            ballot.refuse(Action::Begin, rule!("6.55"), format_args!("name a block that sallies"));
        } else {
            ballot.allow(Action::Begin);
            ballot.refuse(Action::Done, rule!("6.55"), format_args!("blocks are named already"));
        }
        for b in self.garrison(p, p.open.battle().town) - p.secret[seat].picked {
            ballot.allow(Action::Pick(b));
        }
    }

    pub(super) fn act_sally(
        &self,
        p: &mut Position,
        seat: Seat,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let t = p.open.battle().town;
        let field_fight = self.active(p, t, seat).any();
        match action {
            Action::Pick(b) => {
                p.secret[seat].picked.insert(b);
            }
            Action::Begin => {
                p.open.agenda.pop();
                let out = std::mem::take(&mut p.secret[seat].picked);
                self.show(p, out, umpire);
                p.inside -= out;
                p.open.battle_mut().sallied |= out;
                if !field_fight {
                    // They open the field battle, so they attack [6.55].
                    p.open.battle_mut().attacker = seat;
                }
                p.open.agenda.replace(Step::Fight(Stage::Clash));
                if umpire.writes() {
                    let (who, many) = (self.title_of(seat), counted(out.len(), "block", "blocks"));
                    umpire.note(Readers::ALL, rule!("6.55"), format_args!("The {who} sally with {many}"));
                }
            }
            _ => {
                p.open.agenda.pop();
                let waits = p.here[t].meets(p.coming());
                if !field_fight && !waits && p.open.battle().round < super::battle::ROUNDS {
                    // Neither storm nor sally, and nobody to come: nothing but hunger is left [6.53]. After
                    // three rounds the besieger may leave first [6.2].
                    p.open.agenda.replace(Step::Fight(Stage::Attrition));
                }
                umpire.cite(rule!("6.53"));
                if waits {
                    umpire.cite(rule!("6.41"));
                }
            }
        }
    }

    /// The block that a besieger would rather show than others: the one that is least worth keeping.
    fn least(&self, p: &Position, blocks: Set<Block>) -> Set<Block> {
        blocks.iter().min_by_key(|b| self.worth(p, *b)).map_or(Set::NONE, Set::one)
    }

    /// One besieger lies face-up [6.51]: of those who do already, one; of those who stand, the only one, or
    /// one that the besieger names.
    pub(super) fn keep_face_up(&self, p: &mut Position, t: Town, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(seat) = self.besieged(p, t).map(Seat::other) else { return };
        let besiegers = self.field(p, t, seat);
        umpire.cite(rule!("6.51"));
        if besiegers.meets(p.open.shown) {
            return;
        }
        if besiegers.len() == 1 {
            self.show(p, besiegers, umpire);
        } else if besiegers.any() {
            p.open.agenda.push(Step::FaceUp { seat, town: t });
        }
    }

    /// Everybody in a town stands up again when the fighting is over, but for one besieger [6.51].
    pub(super) fn stand_up(&self, p: &mut Position, t: Town) {
        let besiegers = self.besieged(p, t).map_or(Set::NONE, |seat| self.field(p, t, seat.other()));
        self.hide(p, t, self.least(p, besiegers & p.open.shown));
    }

    /// Sieges that nobody has fought in show a besieger, too.
    pub(crate) fn begin_sieges_face_up(&self, p: &mut Position) {
        for t in Town::all() {
            if let Some(seat) = self.besieged(p, t) {
                let besieger = self.least(p, self.field(p, t, seat.other()));
                self.turn_up(p, besieger);
            }
        }
    }

    /// Whether every siege shows a besieger after the moves; if not, one is asked for. In winter only the
    /// siege that goes on needs one.
    pub(super) fn besiegers_show(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        for t in Town::all() {
            if p.open.is_winter() && Some(t) != p.open.campaign {
                continue;
            }
            let steps = p.open.agenda.steps().len();
            self.keep_face_up(p, t, umpire);
            if p.open.agenda.steps().len() != steps {
                return false;
            }
        }
        true
    }

    pub(super) fn list_face_up(
        &self,
        p: &Position,
        seat: Seat,
        t: Town,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        ballot.allow(Action::Done);
        for b in self.field(p, t, seat) {
            ballot.allow(Action::Pick(b));
        }
        ballot.refuse(Action::Begin, rule!("6.51"), format_args!("one besieger must lie face-up"));
    }

    pub(super) fn act_face_up(
        &self,
        p: &mut Position,
        seat: Seat,
        t: Town,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.agenda.pop();
        let shown = self.face_up(p, seat, t, action);
        self.show(p, shown, umpire);
        umpire.cite(rule!("6.51"));
    }

    /// The besieger that an action turns face-up.
    pub(crate) fn face_up(&self, p: &Position, seat: Seat, t: Town, action: Action) -> Set<Block> {
        match action {
            Action::Pick(b) => b.into(),
            _ => self.least(p, self.field(p, t, seat)),
        }
    }

    /// Storming is over: a half-hit is recovered [6.54].
    pub(super) fn end_storm(&self, p: &mut Position) {
        p.open.battle_mut().stormers = Set::NONE;
        p.open.battle_mut().half = None;
        p.open.battle_mut().storm = false;
    }

    /// Whether a block may withdraw into the castle on its turn [6.62, 6.63].
    pub(super) fn list_withdrawal(
        &self,
        p: &Position,
        b: Block,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let t = p.open.battle().town;
        let (seat, withdraw) = (self.owner(b), Action::Withdraw(b));
        if p.open.battle().sallied.has(b) {
            ballot.allow(withdraw);
            return;
        }
        let taken = self.garrison(p, t).len() + (p.open.battle().sallied & p.here[t]).len();
        if self.rating(t) == 0 {
            ballot.refuse(withdraw, rule!("6.5"), format_args!("there is no castle"));
        } else if seat == p.open.battle().attacker {
            // Even while the whole garrison is out the castle is theirs whose blocks have sallied.
            let relief = self.besieged(p, t) == Some(seat) || p.open.battle().sallied.meets(self.of(seat));
            let rule = if relief { rule!("6.56") } else { rule!("6.62") };
            ballot.refuse(withdraw, rule, format_args!("attackers cannot withdraw into the castle"));
        } else if self.besieged(p, t) == Some(seat.other())
            || p.open.battle().sallied.meets(self.of(seat.other()))
        {
            ballot.refuse(withdraw, rule!("6.62"), format_args!("the enemy holds the castle"));
        } else if taken >= self.rating(t) {
            ballot.refuse(withdraw, rule!("6.52"), format_args!("the castle is full"));
        } else {
            ballot.allow(withdraw);
        }
    }

    /// From the field into the castle, or from a storm back to the field [6.63].
    pub(super) fn withdraw(&self, p: &mut Position, b: Block, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.battle_mut().acted.insert(b);
        if p.open.battle().storm {
            p.open.battle_mut().stormers.remove(b);
        } else {
            p.open.battle_mut().sallied.remove(b);
            p.inside.insert(b);
            self.lift_siege(p, p.open.battle().town, umpire);
        }
        if umpire.writes() {
            let name = self.components.block_name(b);
            let to = if p.open.battle().storm { "to the field" } else { "into the castle" };
            umpire.note(Readers::ALL, rule!("6.63"), format_args!("{name} withdraws {to}"));
            umpire.cite(rule!("6.62"));
        }
    }

    /// Hunger and disease in a castle; its besieger may regroup when it falls [6.57, 6.7].
    pub(super) fn attrition(
        &self,
        p: &mut Position,
        t: Town,
        winter: bool,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let rule = if winter { rule!("8.2") } else { rule!("6.57") };
        umpire.cite(rule);
        let Some(seat) = self.besieged(p, t) else { return };
        let fortified = self.components.towns[t].port == Port::Fortified;
        let worst = (if winter { WINTER_ATTRITION } else { ATTRITION })[usize::from(fortified)];
        for b in self.garrison(p, t) {
            let die = umpire.roll(6);
            let lost = die <= worst;
            if umpire.writes() {
                let (town, cost) =
                    (self.components.town_name(t), if lost { "costs a step" } else { "costs nothing" });
                umpire.note(
                    Readers::ALL,
                    rule,
                    format_args!("Hunger in {town} {cost}, with a roll of {die}"),
                );
            }
            if lost {
                self.lose_step(p, b, umpire);
            }
        }
        if self.garrison(p, t).is_empty() && self.field(p, t, seat.other()).any() {
            self.offer_regroup(p, seat.other(), t);
        }
    }
}
