//! The rules of a campaign: set-up, who decides, and the sequence of a turn [3.15, table.11], a file for each chapter.
//!
//! | file | what it holds |
//! |---|---|
//! | `castles` | border castles and the places of the rich start [3.13, scenario.7] |
//! | `building` | castles that are built [3.75, S37] |
//! | `creation` | lord, vassals and companions by points [3.14, 3.66] |
//! | `letters` | letters, treaties and their breach [3.31, 3.74, scenario.3] |
//! | `supply` | lines of supply, rations, hunger [S8 to S10] |
//! | `fleet` | orders of ships, landing, battles at sea, blockade [3.72, 3.75, S12 to S17, S37] |
//! | `camp` | groups are put together, rations bought [S6, S7, S11] |
//! | `march` | the march [S2 to S4] |
//! | `meeting` | groups that meet [S18, S19] |
//! | `battles` | armies, fields, the aftermath [3.42, 3.45, S21 to S23] |
//! | `deputies` | who commands in the place of a lord [S39, scenario.9] |
//! | `sieges` | garrisons, days of a siege, surrender [3.47, S24 to S33] |
//! | `suits` | alliances, allegiances, marriages [3.41 to 3.43] |
//! | `revenue` | taxes, titles, ransoms [3.61, 3.7, 3.77] |
//! | `market` | recruitment, advancement, purchases [3.44, 3.6, 3.75] |
//! | `honour` | what characters gain and lose by battles [3.3] |
//! | `succession` | death, heirs, starting again [3.16] |
//! | `arrival` | newcomers and lords who come back [scenario.4] |
//! | `vassals` | lords who are vassals of lords [scenario.5] |
//! | `nile` | the banks of the Nile and the flood [scenario.10, S43] |
//! | `scenario` | turns, victory [scenario.2, scenario.7] |

use arrayvec::ArrayVec;
use table::rooms::*;
use table::{
    Agenda, Ballot, MOST_SEATS, Outcome, Readers, Seat, SeatSet, Setup, SetupError, Title, Umpire, rule,
};

use super::Campaign;
use super::action::Action;
use crate::ids::Who;
use crate::realm::{
    BUILT, Cargo, Group, GroupId, Hidden, LORD_MEN, Ladies, Lord, MajorId, Man, MapHex, Open, PLACES, Place,
    PlaceId, Quick, Realm, Stage, Step,
};

mod arrival;
mod battles;
mod building;
mod camp;
mod castles;
mod creation;
mod deputies;
mod fleet;
mod honour;
mod letters;
mod march;
mod market;
mod meeting;
mod nile;
mod revenue;
mod scenario;
mod sieges;
mod succession;
mod suits;
mod supply;
mod vassals;

impl Rules for Campaign {
    type Position = Realm;
    type Action = Action;

    fn title(&self) -> &Title {
        &self.title
    }

    fn setup(&self, setup: &Setup, umpire: &mut (impl Umpire + ?Sized)) -> Result<Realm, SetupError> {
        let scenario = self.atlas.scenarios.iter().position(|s| s.id == setup.scenario()).unwrap_or(0);
        let quick = match setup.option("battles") {
            "quick" => Quick::Always,
            "fought" => Quick::Never,
            _ => Quick::Asked,
        };
        let mut p = self.blank(setup.party(), scenario, quick);
        umpire.heading(format_args!("{}", self.atlas.scenarios[scenario].name));
        if !self.atlas.scenarios[scenario].rich {
            umpire.cite(rule!("scenario.6"));
        }
        self.roll_order(&mut p, umpire);
        p.open.agenda = Agenda::starting(Step::Castle(0));
        Ok(p)
    }

    #[inline]
    fn deciding(&self, p: &Realm) -> SeatSet {
        let playing = p.open.playing();
        match p.open.step() {
            Step::Castle(at) | Step::Holding(at) => p.open.at_turn(at).into_iter().collect(),
            Step::Creation(done)
            | Step::Writing(done)
            | Step::Answering(done)
            | Step::Camp(done)
            | Step::Fleet(done)
            | Step::Surtax(done)
            | Step::Ransom(done)
            | Step::Market(done) => playing.minus(done),
            Step::March { at, .. } => p.open.at_turn(at).into_iter().collect(),
            Step::Calls(done) | Step::Suits(done) => self.first_in_each_hex(p, playing.minus(done)),
            Step::Meeting { mover, met, said, .. } => SeatSet::only(mover).with(met).minus(said),
            Step::Naval { lords, said, .. } => SeatSet::only(lords[0]).with(lords[1]).minus(said),
            Step::Naming(done) => self.pressed(p).minus(done),
            Step::Agreeing(said) => self.named_deputies(p).minus(said),
            Step::Losses { lords, loser, .. } => lords[usize::from(loser)].into(),
            Step::Battles | Step::Sieges => {
                p.open.theatres.iter().fold(SeatSet::NONE, |all, t| all.union(self.deciding_in(t)))
            }
            Step::Heir(seat) | Step::Arrival(seat) => seat.into(),
            Step::Over => SeatSet::NONE,
        }
    }

    #[inline]
    fn options(&self, p: &Realm, seat: Seat, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        match p.open.step() {
            Step::Castle(_) => self.list_castles(p, seat, ballot),
            Step::Holding(_) => self.list_holdings(p, seat, ballot),
            Step::Creation(_) => self.list_creation(p, seat, ballot),
            Step::Writing(_) => self.list_writing(p, seat, ballot),
            Step::Answering(_) => self.list_answers(p, seat, ballot),
            Step::Camp(_) => self.list_camp(p, seat, ballot),
            Step::Fleet(_) => self.list_fleet(p, seat, ballot),
            Step::Naval { hex, .. } => self.list_naval(p, seat, hex, ballot),
            Step::Losses { hex, .. } => self.list_losses(p, seat, hex, ballot),
            Step::March { group, .. } => self.list_march(p, seat, group, ballot),
            Step::Meeting { hex, .. } => self.list_meeting(p, seat, hex, ballot),
            Step::Naming(_) => self.list_deputies(p, seat, ballot),
            Step::Agreeing(_) => {
                ballot.allow(Action::Agree(true));
                ballot.allow(Action::Agree(false));
            }
            Step::Battles | Step::Sieges => self.list_theatre(p, seat, ballot),
            Step::Calls(_) => self.list_calls(p, seat, ballot),
            Step::Suits(_) => self.list_suits(p, seat, ballot),
            Step::Surtax(_) => {
                ballot.allow(Action::Tax(false));
                ballot.allow(Action::Tax(true));
            }
            Step::Ransom(_) => self.list_ransoms(p, seat, ballot),
            Step::Market(_) => self.list_market(p, seat, ballot),
            Step::Heir(seat) => self.list_heirs(p, seat, ballot),
            Step::Arrival(seat) => self.list_arrival(p, seat, ballot),
            Step::Over => {}
        }
    }

    #[inline]
    fn apply(&self, p: &mut Realm, seat: Seat, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
        match action {
            Action::Castle(place) => self.take_castle(p, seat, place, umpire),
            Action::Hold(place) => self.take_holding(p, seat, place, umpire),
            Action::Settle => self.settle(p, umpire),
            Action::Lord(counter) => self.name_lord(p, seat, counter),
            Action::Vassal(counter) => self.name_vassal(p, seat, counter),
            Action::Raise(which, n) => match p.open.step() {
                Step::Market(_) => self.teach(p, seat, which, n),
                _ => self.raise(p, seat, which, n),
            },
            Action::Hire(counter) => match p.open.step() {
                Step::Market(_) => self.recruit_man(p, seat, counter, umpire),
                Step::Sieges => self.post(p, seat, counter),
                _ => self.hire(p, seat, counter),
            },
            Action::Ready => match p.open.step() {
                Step::Sieges => self.post_all(p, seat, umpire),
                _ => self.ready_made(p, seat, umpire),
            },
            Action::Seal => match p.open.step() {
                Step::Creation(_) => self.seal_company(p, seat, umpire),
                Step::Sieges => self.seal_garrison(p, seat, umpire),
                _ => self.seal_letters(p, seat, umpire),
            },
            Action::Write(_) | Action::Term(_) | Action::Send => self.write_letter(p, seat, action),
            Action::Accept(from, number) => self.accept(p, seat, from, number),
            Action::Shift(who, group) => self.shift(p, seat, who, group),
            Action::Split(who) => self.split(p, seat, who),
            Action::Give(from, to, sum) => self.give(p, seat, from, to, sum),
            Action::Entrust(place, who) => self.entrust(p, seat, place, who, umpire),
            Action::Buy(good, group, n) => self.buy(p, seat, (good, group, n), umpire),
            Action::Take(group) => {
                p.open.marched = true;
                if let Some(Step::March { group: taken, .. }) = p.open.agenda.now_mut() {
                    *taken = Some((group, 0));
                }
            }
            Action::Go(direction) => self.go(p, seat, direction, umpire),
            Action::Halt => self.halt(p, umpire),
            Action::Attack(whom) => self.attack_friend(p, seat, whom, umpire),
            Action::Sail(..) | Action::Load(..) | Action::Land(..) | Action::Launch(_) => {
                self.order_ship(p, seat, action);
            }
            Action::Sink(ship) => self.choose_loss(p, ship, umpire),
            Action::Breach | Action::Mend | Action::Renounce => self.say_any_time(p, seat, action, umpire),
            Action::Build(kind, place) => self.build_ship(p, seat, kind, place, umpire),
            Action::Found(kind, hex) => self.found(p, seat, kind, hex, umpire),
            Action::Finish(hex) => self.finish_castle(p, seat, hex, umpire),
            Action::Elite(who) => self.make_elite(p, seat, who, umpire),
            Action::Delegate(what, to) => self.delegate(p, seat, what, to),
            Action::Agree(will) => self.agree(p, seat, will, umpire),
            Action::Summon(group) => self.summon(p, seat, group, umpire),
            Action::Join => self.join_relief(p, seat, umpire),
            Action::Flee => self.say_at_sea(p, seat, false, umpire),
            Action::Fight if matches!(p.open.step(), Step::Naval { .. }) => {
                self.say_at_sea(p, seat, true, umpire);
            }
            Action::Pass | Action::Fight => self.say_at_meeting(p, seat, action, umpire),
            Action::Refuge => match p.open.step() {
                Step::Meeting { .. } => self.say_at_meeting(p, seat, action, umpire),
                _ => self.leave_field(p, seat, None, umpire),
            },
            Action::Quick | Action::Command => self.answer_quick(p, seat, action == Action::Quick, umpire),
            Action::Battle(deed) => self.do_deed(p, seat, deed, umpire),
            Action::Leave(direction) => self.leave_field(p, seat, Some(direction), umpire),
            Action::Besiege(place) => self.besiege(p, seat, place, umpire),
            Action::Eat(quarters) => self.eat(p, seat, quarters, umpire),
            Action::Assault
            | Action::Batter
            | Action::Parley
            | Action::Sortie
            | Action::Raid
            | Action::Wait => {
                self.siege_day(p, seat, action, umpire);
            }
            Action::Suit(who, suit) => self.sue(p, seat, who, suit, umpire),
            Action::Tax(raised) => self.say_tax(p, seat, raised, umpire),
            Action::Ransom(who) => self.pay_ransom(p, seat, who, umpire),
            Action::Redeem(who) => self.redeem(p, seat, who, umpire),
            Action::Kill(lord, who) => self.kill_prisoner(p, seat, lord, who, umpire),
            Action::Polish(who) => self.polish(p, seat, who),
            Action::Recruit(who) => self.recruit(p, seat, who, umpire),
            Action::Advance(who, counter) => self.advance_man(p, seat, who, counter, umpire),
            Action::Heir(who) => self.name_heir(p, seat, who, umpire),
            Action::Done => self.done(p, seat, umpire),
        }
    }

    fn outcome(&self, p: &Realm) -> Option<Outcome> {
        self.result(p)
    }

    fn reason(&self, p: &Realm) -> String {
        self.why(p)
    }

    fn together(&self, p: &Realm, seat: Seat) -> SeatSet {
        match p.open.step() {
            Step::Battles | Step::Sieges => match p.open.theatre_of(seat) {
                Some(i) => p.open.theatres[i].commanders().into_iter().flatten().collect(),
                None => seat.into(),
            },
            // What one says about his own places no other waits for.
            Step::Calls(_) | Step::Suits(_) => seat.into(),
            _ => self.deciding(p),
        }
    }

    fn still_in(&self, p: &Realm, party: SeatSet) -> SeatSet {
        party.both(p.open.playing().union(p.open.waiting()))
    }

    fn lets_join(&self) -> bool {
        true
    }

    fn latecomers(&self, p: &Realm) -> SeatSet {
        self.newcomers(p)
    }

    fn arrive(&self, p: &mut Realm, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        self.come_late(p, seat, umpire);
    }

    fn with_amount(&self, action: Action, amount: u32) -> Action {
        use crate::realm::Term;
        let (byte, sum) = (amount.min(255) as u8, amount.min(65_535) as u16);
        match action {
            Action::Raise(which, _) => Action::Raise(which, byte),
            Action::Term(Term::Peace(_)) => Action::Term(Term::Peace(byte)),
            Action::Term(Term::Passage(_)) => Action::Term(Term::Passage(byte)),
            Action::Term(Term::Alliance(_)) => Action::Term(Term::Alliance(byte)),
            Action::Term(Term::Due(_)) => Action::Term(Term::Due(byte)),
            Action::Term(Term::Vow(_)) => Action::Term(Term::Vow(byte)),
            Action::Term(Term::Homage(_)) => Action::Term(Term::Homage(byte)),
            Action::Term(Term::Promise(_)) => Action::Term(Term::Promise(sum)),
            Action::Term(Term::Claim(_)) => Action::Term(Term::Claim(sum)),
            Action::Term(Term::Gift(_)) => Action::Term(Term::Gift(sum)),
            Action::Term(Term::Demand(_)) => Action::Term(Term::Demand(sum)),
            Action::Give(from, to, _) => Action::Give(from, to, sum),
            Action::Buy(good, group, _) => Action::Buy(good, group, byte),
            other => other,
        }
    }

    fn amount(&self, action: Action) -> Option<u32> {
        use crate::realm::Term;
        Some(match action {
            Action::Raise(_, n)
            | Action::Term(
                Term::Peace(n)
                | Term::Passage(n)
                | Term::Alliance(n)
                | Term::Due(n)
                | Term::Vow(n)
                | Term::Homage(n),
            )
            | Action::Buy(_, _, n) => n.into(),
            Action::Term(Term::Gift(sum) | Term::Demand(sum) | Term::Promise(sum) | Term::Claim(sum))
            | Action::Give(_, _, sum) => sum.into(),
            _ => return None,
        })
    }
}

impl Campaign {
    /// A realm before anything has happened.
    pub(crate) fn blank(&self, party: SeatSet, scenario: usize, quick: Quick) -> Realm {
        let mut lords = [Lord::default(); MOST_SEATS];
        for seat in party.iter() {
            lords[seat.index()].plays = true;
        }
        let place = |(i, sheet): (usize, &super::atlas::PlaceSheet)| Place {
            side: sheet.side,
            holder: None,
            controlled: false,
            guardian: None,
            famed: None,
            taxed: 0,
            sent: 0,
            mapped: i < self.atlas.printed && self.atlas.mapped(scenario, sheet.hex),
        };
        Realm {
            open: Open {
                party,
                scenario: scenario as u8,
                quick,
                turn: 0,
                order: party.iter().collect(),
                lords,
                majors: ArrayVec::new(),
                groups: ArrayVec::new(),
                places: self.atlas.places.iter().enumerate().map(place).collect(),
                sieges: ArrayVec::new(),
                ladies: Ladies::default(),
                ships: ArrayVec::new(),
                works: ArrayVec::new(),
                built: [None; BUILT],
                nile: Default::default(),
                marched: false,
                sued: SeatSet::NONE,
                exchange: 0,
                pending: ArrayVec::new(),
                theatres: ArrayVec::new(),
                agenda: Agenda::default(),
                victor: None,
            },
            hidden: Hidden {
                men: ArrayVec::new(),
                traits: ArrayVec::new(),
                cargo: ArrayVec::new(),
                sheets: Default::default(),
                said: [None; MOST_SEATS],
                drafts: [None; MOST_SEATS],
                letters: ArrayVec::new(),
                treaties: ArrayVec::new(),
                debts: ArrayVec::new(),
                sailing: ArrayVec::new(),
                stores: std::iter::repeat_n(0, PLACES).collect(),
                estates: [0; MOST_SEATS],
                launches: 0,
                recruiting: [None; MOST_SEATS],
                novices: [None; MOST_SEATS],
            },
        }
    }

    pub(crate) fn lord_name(&self, seat: Seat) -> &str {
        self.title.seat_name(seat)
    }

    /// Somebody is done with a phase.
    fn done(&self, p: &mut Realm, seat: Seat, umpire: &mut (impl Umpire + ?Sized)) {
        match p.open.step() {
            Step::Camp(done) => {
                p.open.agenda.replace(Step::Camp(done.with(seat)));
                if p.open.playing().minus(done.with(seat)).is_empty() {
                    umpire.reveal(Readers::ALL);
                    self.recount_all(p);
                    self.feed_all(p, umpire);
                    self.begin_fleet(p, umpire);
                }
            }
            Step::Fleet(done) => {
                p.open.agenda.replace(Step::Fleet(done.with(seat)));
                if p.open.playing().minus(done.with(seat)).is_empty() {
                    self.sail_all(p, umpire);
                }
            }
            Step::Naming(done) => {
                let done = done.with(seat);
                p.open.agenda.replace(Step::Naming(done));
                if self.pressed(p).minus(done).is_empty() {
                    self.ask_deputies(p, umpire);
                }
            }
            Step::Battles => self.done_mustering(p, seat, umpire),
            Step::Arrival(_) => self.stay_away(p, seat, umpire),
            Step::March { at, .. } => self.begin_march(p, at + 1, umpire),
            Step::Calls(_) => self.call_no_more(p, seat, umpire),
            Step::Suits(_) => self.sue_no_more(p, seat, umpire),
            Step::Ransom(done) => {
                p.open.agenda.replace(Step::Ransom(done.with(seat)));
                if p.open.playing().minus(done.with(seat)).is_empty() {
                    self.end_ransoms(p, umpire);
                }
            }
            Step::Market(done) => {
                p.hidden.recruiting[seat.index()] = None;
                p.hidden.novices[seat.index()] = None;
                p.open.agenda.replace(Step::Market(done.with(seat)));
                if p.open.playing().minus(done.with(seat)).is_empty() {
                    umpire.reveal(Readers::ALL);
                    self.recount_all(p);
                    self.drop_castles(p, umpire);
                    self.draw_ladies(p, umpire);
                    p.open.exchange = 1;
                    self.begin_writing(p);
                }
            }
            _ => {}
        }
    }

    /// A man joins a lord: the first free slot is his.
    pub(crate) fn add_man(&self, p: &mut Realm, man: Man) {
        let Some(lord) = man.lord else { return };
        let from = lord.index() * LORD_MEN;
        while p.hidden.men.len() < from {
            p.hidden.men.push(Man { lord: None, group: None, ..man });
        }
        let slots = p.slots(lord);
        match p.hidden.men[slots].iter().position(|m| m.lord.is_none()) {
            Some(slot) => p.hidden.men[from + slot] = man,
            None if p.hidden.men.len() < from + LORD_MEN => p.hidden.men.push(man),
            None => {}
        }
    }

    /// A man in full health, with a point of experience [3.14].
    pub(crate) fn fresh_man(&self, lord: Seat, who: Who, group: GroupId) -> Man {
        Man {
            lord: Some(lord),
            who,
            group: Some(group),
            life: self.tactics().data.card(who.counter).life,
            experience: self.tactics().data.tables.first_experience,
            skill: 0,
            kills: 0,
            heals: 0,
            shifted: false,
            risen: false,
        }
    }

    /// Which of several men with a counter the next one of a lord is [3.66].
    pub(crate) fn next_double(&self, p: &Realm, lord: Seat, counter: crate::ids::Counter) -> Option<Who> {
        let taken = |double| p.find(lord, Who { counter, double }).is_some();
        (0..9).find(|double| !taken(*double)).map(|double| Who { counter, double })
    }

    /// A new group of a lord.
    pub(crate) fn add_group(&self, p: &mut Realm, lord: Seat, at: MapHex) -> Option<GroupId> {
        let inside = self.is_friendly(p, lord, at);
        let group = Group {
            lord,
            at,
            word: 0,
            known: SeatSet::NONE,
            public: false,
            inside,
            moved: false,
            pinned: false,
            aboard: None,
        };
        let slot = p.open.groups.iter().position(Option::is_none);
        let id = match slot {
            Some(slot) => {
                p.open.groups[slot] = Some(group);
                p.hidden.cargo[slot] = Cargo::default();
                slot
            }
            None if !p.open.groups.is_full() => {
                p.open.groups.push(Some(group));
                p.hidden.cargo.push(Cargo::default());
                p.open.groups.len() - 1
            }
            None => return None,
        };
        GroupId::try_at(id)
    }

    /// Where a stronghold stands: as the map prints it, or where it was built.
    pub(crate) fn hex_of(&self, open: &Open, id: PlaceId) -> MapHex {
        match id.number().checked_sub(self.atlas.printed) {
            Some(n) => open.built[n].unwrap_or(self.atlas.place(id).hex),
            None => self.atlas.place(id).hex,
        }
    }

    /// The stronghold on a hex, printed or built.
    #[inline]
    pub(crate) fn place_at(&self, open: &Open, hex: MapHex) -> Option<PlaceId> {
        self.atlas.tile(hex).place.or_else(|| {
            let n = open.built.iter().position(|built| *built == Some(hex))?;
            PlaceId::try_at(self.atlas.printed + n)
        })
    }

    /// The stronghold to whose domain a hex belongs: a castle built later has its own hex \[S5\].
    pub(crate) fn domain_of(&self, open: &Open, hex: MapHex) -> Option<PlaceId> {
        self.place_at(open, hex).or(self.atlas.tile(hex).domain)
    }

    /// Whether a stronghold in a hex is open to a lord: his own, his ally's, or that of a lord allied with him.
    pub(crate) fn is_friendly(&self, p: &Realm, lord: Seat, hex: MapHex) -> bool {
        let Some(place) = self.place_at(&p.open, hex) else { return false };
        p.open.place(place).mapped && p.open.place(place).holder.is_some_and(|holder| p.allied(lord, holder))
    }

    /// The men of a group have changed: its size is counted anew, and only who is there still knows them [ruling 46].
    /// An empty group is gone.
    pub(crate) fn recount(&self, p: &mut Realm, id: GroupId, in_sight: bool) {
        let men = p.men_in(id).count();
        if men == 0 {
            p.open.groups[id.number()] = None;
            p.hidden.cargo[id.number()] = Cargo::default();
            return;
        }
        let there = p.open.lords_at(p.open.group(id).at);
        let word = self.atlas.word(men);
        let group = p.open.group_mut(id);
        group.word = word;
        if !in_sight {
            group.public = false;
            group.known = there.without(group.lord);
        }
    }

    /// Men come or go in a group out of sight: who is not there knows it no longer. Its size is counted when the phase
    /// is over, so that nobody can count the men one by one [ruling 46].
    pub(crate) fn stir(&self, p: &mut Realm, id: GroupId) {
        let there = p.open.lords_at(p.open.group(id).at);
        let group = p.open.group_mut(id);
        group.public = false;
        group.known = there.without(group.lord);
    }

    /// A phase in which all put their groups together is over: sizes are counted, empty groups are gone.
    pub(crate) fn recount_all(&self, p: &mut Realm) {
        for i in 0..p.open.groups.len() {
            if p.open.groups[i].is_some() {
                self.recount(p, GroupId::at(i), true);
            }
        }
    }

    /// Everybody whose groups share a hex learns who is there [ruling 46].
    pub(crate) fn look_around(&self, p: &mut Realm, hex: MapHex, umpire: &mut (impl Umpire + ?Sized)) {
        let there = p.open.lords_at(hex);
        if there.len() < 2 {
            return;
        }
        umpire.reveal(Readers::ALL);
        for group in p.open.groups.iter_mut().flatten().filter(|g| g.is_ashore(hex)) {
            group.known = group.known.union(there.without(group.lord));
        }
    }

    /// What the groups of a lord in a hex count [3.34].
    pub(crate) fn troops_at(&self, p: &Realm, lord: Seat, hex: MapHex) -> u32 {
        let here = |m: &&Man| m.group.is_some_and(|g| p.open.group(g).is_ashore(hex));
        let data = &self.tactics().data;
        p.men_of(lord).filter(here).map(|m| u32::from(data.kind(m.who.counter).points)).sum()
    }

    /// The major characters of a lord in a hex who are free.
    pub(crate) fn majors_at<'a>(
        &self,
        p: &'a Realm,
        lord: Seat,
        hex: MapHex,
    ) -> impl Iterator<Item = crate::realm::MajorId> + 'a {
        let here =
            move |id: &crate::realm::MajorId| p.group_of(*id).is_some_and(|g| p.open.group(g).at == hex);
        p.open.majors_of(lord).filter(|(_, m)| m.captor.is_none()).map(|(id, _)| id).filter(here)
    }

    /// Whether the purse of a character can pay for his lord: the lord's own, then those of vassals who are where he
    /// is; while he is a prisoner, of all who are free [ruling 44, 3.77].
    fn pays(&self, p: &Realm, seat: Seat, id: MajorId) -> bool {
        let own = p.open.lords[seat.index()].suzerain;
        if own == Some(id) {
            return true;
        }
        let at = |id: MajorId| p.group_of(id).map(|g| p.open.group(g).at);
        p.open.major(id).captor.is_none()
            && match own {
                Some(own) if p.open.major(own).captor.is_none() => at(own).is_some() && at(own) == at(id),
                _ => true,
            }
    }

    /// What a lord can spend: his own purse, and those of vassals who are with him.
    pub(crate) fn funds(&self, p: &Realm, seat: Seat) -> u32 {
        let all = p.open.majors_of(seat).filter(|(id, _)| self.pays(p, seat, *id));
        all.map(|(id, _)| u32::from(p.hidden.traits[id.number()].purse)).sum()
    }

    /// What the characters of a lord in a hex can spend together [3.63, 3.7].
    pub(crate) fn funds_at(&self, p: &Realm, seat: Seat, hex: MapHex) -> u32 {
        self.majors_at(p, seat, hex).map(|id| u32::from(p.hidden.traits[id.number()].purse)).sum()
    }

    /// Somebody pays from his purse, and others of his lord where he is for what is missing.
    pub(crate) fn spend_at(&self, p: &mut Realm, seat: Seat, hex: MapHex, first: Option<MajorId>, sum: u32) {
        let mut here: ArrayVec<MajorId, 32> = ArrayVec::new();
        here.extend(first);
        for id in self.majors_at(p, seat, hex) {
            if Some(id) != first {
                let _ = here.try_push(id);
            }
        }
        let mut left = sum;
        for id in here {
            let part = left.min(u32::from(p.hidden.traits[id.number()].purse));
            p.hidden.traits[id.number()].purse -= part as u16;
            left -= part;
        }
    }

    /// A lord pays: from his own purse first, then from those of his vassals [ruling 44].
    pub(crate) fn spend(&self, p: &mut Realm, seat: Seat, sum: u32) {
        let mut left = sum;
        let own = p.open.lords[seat.index()].suzerain;
        for round in 0..2 {
            for i in 0..p.open.majors.len() {
                let first = own.is_some_and(|id| id.number() == i);
                if p.open.majors[i].lord != Some(seat)
                    || first != (round == 0)
                    || !self.pays(p, seat, MajorId::at(i))
                {
                    continue;
                }
                let part = left.min(u32::from(p.hidden.traits[i].purse));
                p.hidden.traits[i].purse -= part as u16;
                left -= part;
            }
        }
    }

    /// A lord is paid: into the purse of the character who stands for him.
    pub(crate) fn earn(&self, p: &mut Realm, seat: Seat, sum: u32) {
        let own = p.open.lords[seat.index()].suzerain;
        let to = own.or_else(|| p.open.majors_of(seat).map(|(id, _)| id).next());
        if let Some(id) = to {
            let purse = &mut p.hidden.traits[id.number()].purse;
            *purse = u32::from(*purse).saturating_add(sum).min(60_000) as u16;
        }
    }

    /// Points of a characteristic come or go, never below nought [3.3].
    pub(crate) fn adjust(value: &mut u8, by: i8) {
        *value = value.saturating_add_signed(by).min(99);
    }

    fn deciding_in(&self, t: &crate::realm::Theatre) -> SeatSet {
        let both = || t.commanders().into_iter().flatten().collect::<SeatSet>();
        let one = |i: usize| t.commanders()[i].into_iter().collect();
        match t.stage {
            Stage::Muster(said) => both().minus(said),
            Stage::Levy => one(1),
            Stage::Asked(said) => both().minus(said),
            Stage::Fought => match t.field.deciding() {
                Some(side) => one(side.index()),
                None => SeatSet::NONE,
            },
            Stage::Leaving(side) => one(side.index()),
            Stage::Rations | Stage::Garrison => one(1),
            Stage::Besiegers => one(0),
        }
    }

    pub(crate) fn cite_step(step: Step) -> table::Rule {
        match step {
            Step::Castle(_) => rule!("3.13"),
            Step::Holding(_) => rule!("scenario.7"),
            Step::Creation(_) => rule!("3.14"),
            Step::Writing(_) | Step::Answering(_) => rule!("scenario.3"),
            Step::Camp(_) => rule!("S7"),
            Step::Fleet(_) => rule!("S13"),
            Step::Naval { .. } | Step::Losses { .. } => rule!("S15"),
            Step::March { .. } => rule!("S4"),
            Step::Meeting { .. } => rule!("S18"),
            Step::Naming(_) | Step::Agreeing(_) => rule!("S39"),
            Step::Battles => rule!("S40"),
            Step::Calls(_) => rule!("S24"),
            Step::Sieges => rule!("table.4"),
            Step::Suits(_) => rule!("S34"),
            Step::Surtax(_) => rule!("3.73"),
            Step::Ransom(_) => rule!("3.77"),
            Step::Market(_) => rule!("S36"),
            Step::Heir(_) => rule!("3.16"),
            Step::Arrival(_) => rule!("scenario.4"),
            Step::Over => rule!("scenario.7"),
        }
    }
}
