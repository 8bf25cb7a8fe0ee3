//! What a seat may know, and positions that it cannot tell from the true one. Open are titles, fame, honour, places,
//! and of groups their size as a word; who is in a group is known to its lord, to lords who have met it, and after a
//! battle to everybody, until it takes in or gives off men [rulings 9 and 46].

use serde::Serialize;
use table::rooms::*;
use table::{Lots, MOST_SEATS, Notation, Seat, SeatSet, Viewer};

use super::Campaign;
use super::action::Action;
use super::atlas::hired;
use crate::data::NCO;
use crate::ids::{Counter, Who};
use crate::realm::{
    Cargo, Debt, GroupId, Hidden, LORD_MEN, Letter, MajorId, Man, Novice, Open, PLACES, PlaceId, Realm,
    Recruiting, Sailing, Sheet, Stage, Step, Trait, Traits, Treaty, What, side_of,
};

/// All that one viewer may know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// For whom.
    pub viewer: Viewer,
    /// All that everybody may know.
    pub open: Open,
    /// Who must decide.
    pub deciding: SeatSet,
    /// The viewer's own men, with their slots.
    pub men: Vec<(u16, Man)>,
    /// Men of other lords' groups, where the viewer knows them.
    pub known: Vec<(GroupId, Vec<Who>)>,
    /// The characteristics and purses of the viewer's own characters.
    pub traits: Vec<(MajorId, Traits)>,
    /// What the viewer's own groups carry.
    pub cargo: Vec<(GroupId, Cargo)>,
    /// The viewer's own sheet before the first turn.
    pub sheets: Vec<(Seat, Sheet)>,
    /// What the viewer has said in a secret choice.
    pub said: [Option<u8>; MOST_SEATS],
    /// The letter that the viewer is writing.
    pub drafts: [Option<Letter>; MOST_SEATS],
    /// Letters that he has written, and those that have reached him.
    pub letters: Vec<Letter>,
    /// Treaties that he has signed.
    pub treaties: Vec<Treaty>,
    /// Payments that he owes or awaits.
    pub debts: Vec<Debt>,
    /// Rations in besieged places where he commands.
    pub stores: Vec<(PlaceId, u16)>,
    /// What his dead lord left.
    pub estates: [u16; MOST_SEATS],
    /// Orders of his ships.
    pub sailing: Vec<Sailing>,
    /// Which of his works he launches into a blockade, a bit each.
    pub launches: u64,
    /// His recruitment.
    pub recruiting: [Option<Recruiting>; MOST_SEATS],
    /// His new vassal.
    pub novices: [Option<Novice>; MOST_SEATS],
}

impl Secrets for Campaign {
    type View = View;

    fn view(&self, p: &Realm, viewer: Viewer) -> View {
        let knows = |i: usize| viewer.shares(Seat::new(i as u8));
        let own = |seat: Option<Seat>| seat.is_some_and(|seat| viewer.shares(seat));
        let men = p.hidden.men.iter().enumerate().filter(|(_, m)| own(m.lord));
        let seen =
            |g: &crate::realm::Group| g.public || viewer.seat().is_some_and(|seat| g.known.contains(seat));
        let known = p.open.all_groups().filter(|(_, g)| !viewer.shares(g.lord) && seen(g)).map(|(id, _)| {
            let mut names: Vec<Who> = p.men_in(id).map(|m| m.who).collect();
            names.sort_unstable();
            (id, names)
        });
        let majors = p.open.majors.iter().enumerate().filter(|(_, m)| own(m.lord));
        // Who commands for another sees what that lord's groups carry there \[S39\].
        let commands = |g: &crate::realm::Group| {
            p.open.theatres.iter().any(|t| {
                let hex = match t.what {
                    What::Battle(hex) => hex,
                    What::Siege(id) => self.hex_of(&p.open, id),
                };
                g.at == hex && (0..2).any(|i| t.seats[i] == Some(g.lord) && own(t.deputies[i]))
            })
        };
        let groups = p.open.all_groups().filter(|(_, g)| viewer.shares(g.lord) || commands(g));
        let sieges = p.open.sieges.iter().filter(|s| {
            let t = p.open.theatres.iter().find(|t| t.what == What::Siege(s.place));
            own(s.warden) || t.is_some_and(|t| own(t.deputies[1]))
        });
        let delivered = matches!(p.open.step(), Step::Answering(_));
        let letter = |l: &&Letter| viewer.shares(l.from) || delivered && viewer.shares(l.to);
        let told = |l: &Letter| Letter { answer: l.answer.filter(|_| viewer.shares(l.to)), ..*l };
        View {
            viewer,
            open: p.open.clone(),
            deciding: self.deciding(p),
            men: men.map(|(i, m)| (i as u16, *m)).collect(),
            known: known.collect(),
            traits: majors.map(|(i, _)| (MajorId::at(i), p.hidden.traits[i])).collect(),
            cargo: groups.map(|(id, _)| (id, p.hidden.cargo[id.number()])).collect(),
            sheets: (0..MOST_SEATS)
                .filter(|i| knows(*i))
                .map(|i| (Seat::new(i as u8), p.hidden.sheets[i].clone()))
                .collect(),
            said: std::array::from_fn(|i| p.hidden.said[i].filter(|_| knows(i))),
            drafts: std::array::from_fn(|i| p.hidden.drafts[i].filter(|_| knows(i))),
            letters: p.hidden.letters.iter().filter(letter).map(told).collect(),
            treaties: p
                .hidden
                .treaties
                .iter()
                .filter(|t| t.parties.iter().any(|s| viewer.shares(*s)))
                .copied()
                .collect(),
            debts: p
                .hidden
                .debts
                .iter()
                .filter(|d| viewer.shares(d.from) || viewer.shares(d.to))
                .copied()
                .collect(),
            stores: sieges.map(|s| (s.place, p.hidden.stores[s.place.number()])).collect(),
            estates: std::array::from_fn(|i| if knows(i) { p.hidden.estates[i] } else { 0 }),
            sailing: {
                let lord = |s: &Sailing| p.open.ships.get(s.ship.number()).copied().flatten().map(|s| s.lord);
                p.hidden.sailing.iter().filter(|s| own(lord(s))).copied().collect()
            },
            launches: {
                let own = p.open.works.iter().enumerate().filter(|(_, w)| viewer.shares(w.lord));
                p.hidden.launches & own.fold(0, |mask, (i, _)| mask | 1 << i)
            },
            recruiting: std::array::from_fn(|i| p.hidden.recruiting[i].filter(|_| knows(i))),
            novices: std::array::from_fn(|i| p.hidden.novices[i].filter(|_| knows(i))),
        }
    }

    fn seen(&self, p: &Realm, seat: Seat, action: Action, viewer: Viewer) -> Option<Notation> {
        let whole = || Some(self.write(action));
        if viewer.shares(seat) {
            return whole();
        }
        // Who knew the men of a group learns that it has changed, once; how many come and go nobody can count.
        let stirs = |groups: [Option<GroupId>; 2]| {
            let knew = |id: &GroupId| {
                let group = p.open.group(*id);
                group.public || viewer.seat().is_some_and(|v| group.known.contains(v))
            };
            let mut known = groups.into_iter().flatten().filter(knew).map(|id| (id.number() + 1).to_string());
            let first = known.next()?;
            let names = known.fold(first, |all, one| if all == one { all } else { all + " and " + &one });
            Some(Notation::new(format!("reorganise {names}")))
        };
        // Whoever has a group in the same hex sees who comes and goes.
        let looks_on = |id: Option<GroupId>| {
            let at = id.map(|id| p.open.group(id).at);
            at.is_some_and(|at| viewer.seat().is_some_and(|v| p.open.lords_at(at).contains(v)))
        };
        let home = |who: Who| p.find(seat, who).and_then(|i| p.hidden.men[i].group);
        let recruiter = || p.hidden.recruiting[seat.index()].and_then(|r| p.group_of(r.major));
        let alone = self.together(p, seat).both(self.deciding(p)).len() < 2;
        match action {
            // What a company is made of, what stands in letters, what changes hands within a house.
            // Honour is open.
            Action::Raise(Trait::Honour, _) if matches!(p.open.step(), Step::Market(_)) => whole(),
            Action::Lord(_) | Action::Vassal(_) | Action::Raise(..) => None,
            Action::Write(_) | Action::Term(_) | Action::Send | Action::Accept(..) => None,
            Action::Give(..) | Action::Buy(..) | Action::Recruit(_) => None,
            Action::Sail(..) | Action::Load(..) | Action::Land(..) | Action::Launch(_) => None,
            // What is said beside letters is done when all have sealed.
            Action::Breach | Action::Mend | Action::Renounce if matches!(p.open.step(), Step::Writing(_)) => {
                None
            }
            Action::Ready if !matches!(p.open.step(), Step::Sieges) => Some(self.write(Action::Seal)),
            Action::Hire(counter) => match p.open.step() {
                Step::Market(_) if self.is_knight(counter) || looks_on(recruiter()) => whole(),
                Step::Market(_) => stirs([recruiter(), None]),
                Step::Sieges => whole(),
                _ => None,
            },
            Action::Shift(who, _) | Action::Split(who) | Action::Advance(who, _) | Action::Elite(who)
                if looks_on(home(who)) =>
            {
                whole()
            }
            Action::Shift(who, to) => stirs([home(who), Some(to)]),
            Action::Elite(who) => stirs([home(who), None]),
            Action::Split(who) => Some(Notation::new(format!(
                "split off from group {}",
                home(who).map_or(0, |id| id.number() + 1)
            ))),
            Action::Polish(_) => Some(Notation::new("diplomacy for somebody")),
            Action::Advance(who, counter) if !self.is_knight(counter) => stirs([home(who), None]),
            Action::Pass | Action::Fight | Action::Refuge
                if matches!(p.open.step(), Step::Meeting { .. }) =>
            {
                if alone {
                    whole()
                } else {
                    None
                }
            }
            Action::Quick
            | Action::Command
            | Action::Tax(_)
            | Action::Fight
            | Action::Flee
            | Action::Agree(_) => {
                if alone {
                    whole()
                } else {
                    None
                }
            }
            _ => whole(),
        }
    }

    fn imagine(&self, view: &View, lots: &mut Lots) -> Realm {
        let mut p = Realm {
            open: view.open.clone(),
            hidden: Hidden {
                men: Default::default(),
                traits: view.open.majors.iter().map(|_| self.guess_traits(lots)).collect(),
                cargo: view.open.groups.iter().map(|_| Cargo::default()).collect(),
                sheets: Default::default(),
                said: view.said,
                drafts: view.drafts,
                letters: view.letters.iter().copied().collect(),
                treaties: view.treaties.iter().copied().collect(),
                debts: view.debts.iter().copied().collect(),
                sailing: view.sailing.iter().copied().collect(),
                stores: std::iter::repeat_n(0, PLACES).collect(),
                estates: view.estates,
                launches: view.launches,
                recruiting: view.recruiting,
                novices: view.novices,
            },
        };
        for siege in &view.open.sieges {
            p.hidden.stores[siege.place.number()] = 100 + lots.below(200) as u16;
        }
        for (id, stores) in &view.stores {
            p.hidden.stores[id.number()] = *stores;
        }
        for (id, traits) in &view.traits {
            p.hidden.traits[id.number()] = *traits;
        }
        for (id, cargo) in &view.cargo {
            p.hidden.cargo[id.number()] = *cargo;
        }
        for (seat, sheet) in &view.sheets {
            p.hidden.sheets[seat.index()] = sheet.clone();
        }
        for seat in view.open.party.iter() {
            if view.viewer.shares(seat) {
                for (slot, man) in view.men.iter().filter(|(_, m)| m.lord == Some(seat)) {
                    while p.hidden.men.len() <= usize::from(*slot) {
                        p.hidden.men.push(Man { lord: None, group: None, ..*man });
                    }
                    p.hidden.men[usize::from(*slot)] = *man;
                }
            } else {
                self.guess_men(&mut p, view, seat, lots);
                self.guess_choice(&mut p, seat, lots);
            }
        }
        p
    }
}

impl Campaign {
    fn guess_traits(&self, lots: &mut Lots) -> Traits {
        Traits {
            command: 1 + lots.below(6) as u8,
            diplomacy: 1 + lots.below(6) as u8,
            charisma: 1 + lots.below(5) as u8,
            purse: lots.below(200) as u16,
            recruited: 0,
        }
    }

    /// What another lord may have chosen in secret, if he has.
    fn guess_choice(&self, p: &mut Realm, seat: Seat, lots: &mut Lots) {
        let asked = p.open.theatre_of(seat).map(|i| p.open.theatres[i].stage);
        let said = match (p.open.step(), asked) {
            (Step::Meeting { said, .. } | Step::Naval { said, .. }, _) => said,
            (Step::Surtax(said) | Step::Agreeing(said), _) => said,
            (Step::Battles | Step::Sieges, Some(Stage::Asked(said))) => said,
            _ => SeatSet::NONE,
        };
        if said.contains(seat) {
            p.hidden.said[seat.index()] = Some(lots.below(2) as u8);
        }
        if let Step::Creation(done) = p.open.step()
            && done.contains(seat)
            && p.open.lords[seat.index()].suzerain.is_none()
        {
            self.fill_sheet(p, seat);
            let sheet = &mut p.hidden.sheets[seat.index()];
            let keep = sheet.men.len() - lots.below(sheet.men.len().max(1) as u32) as usize;
            sheet.men.truncate(keep);
        }
    }

    /// The men of another lord: those whom the viewer knows, and others as the size of his groups allows.
    fn guess_men(&self, p: &mut Realm, view: &View, seat: Seat, lots: &mut Lots) {
        let first = view.known.iter().filter(|(id, _)| view.open.group(*id).lord == seat);
        for (id, names) in first {
            for who in names {
                let man = self.fresh_man(seat, *who, *id);
                self.add_man(p, man);
            }
        }
        let unknown: Vec<GroupId> = view
            .open
            .groups_of(seat)
            .map(|(id, _)| id)
            .filter(|id| !view.known.iter().any(|(other, _)| other == id))
            .collect();
        let most = |id: GroupId| -> usize {
            let word = usize::from(view.open.group(id).word);
            self.atlas.words.get(word + 1).map_or(60, |next| usize::from(*next) - 1)
        };
        let loose: Vec<(MajorId, Who, bool)> = view
            .open
            .majors_of(seat)
            .filter(|(_, m)| p.find(seat, m.who).is_none())
            .map(|(id, m)| (id, m.who, m.captor.is_some()))
            .collect();
        for (_, who, captive) in loose {
            let fits: Vec<GroupId> =
                unknown.iter().copied().filter(|id| p.men_in(*id).count() < most(*id)).collect();
            let group = if captive { None } else { lots.pick(&fits) };
            if let Some(group) = group {
                let man = self.fresh_man(seat, who, group);
                self.add_man(p, man);
            } else if let Some(any) = GroupId::try_at(0) {
                let man = Man { group: None, ..self.fresh_man(seat, who, any) };
                self.add_man(p, man);
            }
        }
        let data = &self.tactics().data;
        let all: Vec<Counter> = hired(data, side_of(seat)).collect();
        let leaders: Vec<Counter> = all.iter().copied().filter(|c| data.kind(*c).class <= NCO).collect();
        for id in unknown {
            let least = usize::from(self.atlas.words[usize::from(view.open.group(id).word)]);
            let room = LORD_MEN.saturating_sub(p.men_of(seat).count() + 8);
            let more = (lots.below(5) as usize).min(most(id).saturating_sub(least)).min(room / 12);
            while p.men_in(id).count() < least + more {
                let led = p.men_in(id).next().is_some();
                let from = if led { &all } else { &leaders };
                let Some(counter) = lots.pick(from) else { break };
                let Some(who) = self.next_double(p, seat, counter) else { continue };
                let man = self.fresh_man(seat, who, id);
                self.add_man(p, man);
            }
        }
    }
}
