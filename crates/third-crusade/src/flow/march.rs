//! Marches [glossary.march]: who goes, where to, by land and sea, bandits on the way.
//!
//! Whoever may march is in the group at first; pieces are left behind one by one, and the group goes.

use table::{Ballot, Readers, Set, Umpire, rule};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::data::{Effect, March as Kind, Sort};
use crate::ids::{Army, Owner, Piece, Region, UNITS};
use crate::position::{Ambush, Column, Force, March, Open, Position, Step};
use crate::words::{counted, listed};

impl ThirdCrusade {
    /// The pieces that an army may take along from a region [glossary.march, glossary.coordinated-march].
    pub(crate) fn movable(&self, open: &Open, army: Army, kind: Kind, region: Region) -> Force {
        let here = &open.lands[region];
        let partner = open.partner(army).filter(|_| kind == Kind::Coordinated);
        let controller = self.control(open, region);
        let mut force = Force::none();
        let mut take = |owner: Owner| {
            force.units[owner] = here.units[owner];
            force.leaders |= here.leaders & self.components.leaders_of[owner];
        };
        if !self.presence(open, region, army) {
            return Force::none();
        }
        take(army.owner());
        if let Some(partner) = partner {
            take(partner.owner());
        }
        // Tied partners have white pieces together, and neither may move them.
        if controller.is_some_and(|c| c == army || Some(c) == partner) {
            take(Owner::neutral());
        }
        force
    }

    /// Where a march may go from a region.
    pub(crate) fn goals(&self, open: &Open, kind: Kind, from: Region) -> Set<Region> {
        if kind != Kind::Sea {
            return self.beside(open, from);
        }
        if !self.is(open, from, Sort::Port) {
            return Set::NONE;
        }
        let ports = (self.components.ports & open.table.ground).without(from);
        ports.iter().filter(|r| self.is(open, *r, Sort::Port)).collect()
    }

    /// Whether there is anybody to march, and anywhere to go.
    pub(super) fn can_march(&self, open: &Open, army: Army, kind: Kind, region: Region) -> bool {
        self.presence(open, region, army) && self.goals(open, kind, region).any()
    }

    pub(super) fn begin_march(
        &self,
        p: &mut Position,
        part: u8,
        from: Region,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let Some(Step::Deed(deed)) = p.open.agenda.now().copied() else { return };
        let Effect::March { kind, strength, ignores, .. } = self.parts(deed.source)[usize::from(part)].effect
        else {
            return;
        };
        if let Some(deed) = Self::deed_mut(p) {
            deed.done |= 1 << part;
        }
        umpire.cite(match kind {
            Kind::Plain => rule!("glossary.march"),
            Kind::Forced => rule!("glossary.forced-march"),
            Kind::Coordinated => rule!("glossary.coordinated-march"),
            Kind::Disperse => rule!("glossary.disperse"),
            Kind::Sea => rule!("glossary.sea-move"),
        });
        if kind == Kind::Sea {
            umpire.cite(rule!("glossary.port"));
        }
        let all = self.movable(&p.open, deed.army, kind, from);
        p.open.march = Some(March {
            army: deed.army,
            kind,
            from,
            strength,
            ignores,
            all,
            group: all,
            second: false,
            first: None,
        });
        p.open.agenda.push(Step::March);
    }

    /// Why a group cannot go to a region.
    fn no_way(&self, open: &Open, march: &March, to: Region) -> Option<(table::Rule, &'static str)> {
        if march.kind == Kind::Sea {
            if !self.goals(open, Kind::Sea, march.from).has(to) {
                return Some((rule!("glossary.sea-move"), "a Sea Move leads from one open port to another"));
            }
        } else if !self.beside(open, march.from).has(to) {
            return Some((rule!("glossary.road"), "no road leads there"));
        }
        if march.first == Some(to) {
            return Some((
                rule!("glossary.disperse"),
                "the first group goes there: it must be another region",
            ));
        }
        if march.kind == Kind::Coordinated && !self.present(&march.group, march.army.owner()) {
            return Some((rule!("glossary.coordinated-march"), "at least one piece of his own must march"));
        }
        let enemies = self.side_presence(open, to, march.army.side().other());
        let fits = enemies || self.fits(open, to, &march.group);
        (!fits).then_some((rule!("glossary.slots"), "more pieces than find Slots there"))
    }

    pub(super) fn list_marches(&self, p: &Position, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let Some(march) = &p.open.march else { return };
        for to in self.goals(&p.open, march.kind, march.from) {
            match self.no_way(&p.open, march, to) {
                None => ballot.allow(Action::Go(to)),
                Some((rule, why)) => ballot.refuse(Action::Go(to), rule, format_args!("{why}")),
            }
        }
        if march.group.size() > 1 {
            for piece in march.group.kinds() {
                ballot.allow(Action::Leave(piece));
            }
        }
        ballot.allow(Action::Halt);
        if ballot.explains() {
            for to in table::Set::all() - p.open.table.ground {
                ballot.refuse(
                    Action::Go(to),
                    rule!("setup.4"),
                    format_args!("it is not on the boards in play"),
                );
            }
            for to in p.open.table.ground - self.goals(&p.open, march.kind, march.from) {
                if let Some((rule, why)) = self.no_way(&p.open, march, to) {
                    ballot.refuse(Action::Go(to), rule, format_args!("{why}"));
                }
            }
            for piece in p.open.lands[march.from].kinds().filter(|piece| !march.group.has(*piece)) {
                let why = if march.all.has(piece) { "it stays already" } else { "it is not his to move" };
                ballot.refuse(Action::Leave(piece), rule!("glossary.march"), format_args!("{why}"));
            }
        }
    }

    /// A piece stays behind, in a march or in a retreat, or aboard a ship.
    pub(super) fn leave(&self, p: &mut Position, piece: Piece) {
        match p.open.agenda.now() {
            Some(Step::March) => {
                if let Some(march) = &mut p.open.march {
                    march.group.take(piece);
                }
            }
            Some(Step::Land { .. }) => {
                p.open.cargo.take(piece);
                p.open.kept.put(piece);
            }
            _ => {
                if let Some(retreat) = &mut p.open.retreat {
                    retreat.group.take(piece);
                    retreat.rest.put(piece);
                }
            }
        }
    }

    /// A group goes, in a march or in a retreat.
    pub(super) fn go(&self, p: &mut Position, to: Region, umpire: &mut (impl Umpire + ?Sized)) {
        if matches!(p.open.agenda.now(), Some(Step::Retreat)) {
            self.send_back(p, to, umpire);
            return;
        }
        let Some(mut march) = p.open.march else { return };
        p.open.lands[march.from].subtract(&march.group);
        let column = Column {
            army: march.army,
            force: march.group,
            from: Some(march.from),
            to,
            sea: march.kind == Kind::Sea,
            ignores: march.ignores,
            strength: march.strength,
            struck: false,
            back: false,
        };
        if umpire.writes() {
            let (who, what) = (self.components.army(march.army), self.force_words(&p.open, &march.group));
            let (from, place) = (self.components.place(march.from), self.components.place(to));
            let verb = if column.sea { "sails" } else { "marches" };
            umpire.note(
                Readers::ALL,
                rule!("glossary.march"),
                format_args!("{who} {verb} from {from} to {place} with {what}"),
            );
        }
        if !column.sea {
            umpire.cite(rule!("glossary.adjacent"));
        }
        if march.kind == Kind::Disperse && march.first.is_none() {
            march.first = Some(to);
            march.second = true;
            // Who may march was settled when the march began.
            march.all.subtract(&column.force);
            march.group = march.all;
            p.open.columns.push(column);
            p.open.march = Some(march);
            return;
        }
        p.open.columns.push(column);
        if march.kind == Kind::Forced && !march.second {
            // The second leg comes when the first has arrived without a battle.
            march.second = true;
            march.from = to;
            march.group = Force::none();
            p.open.march = Some(march);
            p.open.agenda.push(Step::Columns);
        } else {
            self.dispatch(p);
        }
    }

    /// The march is put together: its columns move.
    fn dispatch(&self, p: &mut Position) {
        let enemy = |column: &Column| self.side_presence(&p.open, column.to, column.army.side().other());
        if let [one, two] = p.open.columns[..] {
            match (enemy(&one), enemy(&two)) {
                (true, true) => {
                    p.open.agenda.replace(Step::Which);
                    return;
                }
                // Who meets nobody goes first: the last in the list.
                (false, true) => p.open.columns.swap(0, 1),
                _ => {}
            }
        }
        p.open.march = None;
        p.open.agenda.replace(Step::Columns);
    }

    pub(super) fn halt(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        if p.open.columns.is_empty() {
            umpire.cite(rule!("glossary.march"));
            p.open.march = None;
            p.open.agenda.pop();
        } else {
            self.dispatch(p);
        }
    }

    pub(super) fn marching(&self, p: &mut Position) -> bool {
        let Some(march) = &mut p.open.march else {
            p.open.agenda.pop();
            return false;
        };
        if march.kind == Kind::Forced && march.second && march.group.is_empty() {
            let march = *march;
            let group = self.movable(&p.open, march.army, march.kind, march.from);
            if group.is_empty() {
                p.open.march = None;
                p.open.agenda.pop();
                return false;
            }
            p.open.march = Some(March { all: group, group, ..march });
            return true;
        }
        if march.group.is_empty() {
            if p.open.columns.is_empty() {
                p.open.march = None;
                p.open.agenda.pop();
            } else {
                self.dispatch(p);
            }
            return false;
        }
        true
    }

    pub(super) fn list_battles(&self, p: &Position, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        for column in &p.open.columns {
            ballot.allow(Action::Fight(column.to));
        }
    }

    pub(super) fn fight_first(&self, p: &mut Position, region: Region) {
        if p.open.columns.last().is_some_and(|column| column.to != region) {
            p.open.columns.swap(0, 1);
        }
        p.open.march = None;
        p.open.agenda.replace(Step::Columns);
    }

    /// The last column meets bandits, then arrives or attacks.
    pub(super) fn columns_move(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let Some(column) = p.open.columns.last().copied() else {
            p.open.agenda.pop();
            return false;
        };
        if !column.struck {
            if let Some(last) = p.open.columns.last_mut() {
                last.struck = true;
            }
            let road = column.from.and_then(|from| self.components.road[from][column.to]);
            if let Some(road) = road.filter(|_| !column.sea && !column.ignores) {
                let left = std::mem::take(&mut p.open.bandits[road]) * self.components.figures.prices.2;
                if left > 0 {
                    umpire.note(
                        Readers::ALL,
                        rule!("glossary.bandit"),
                        format_args!("Bandits strike on the way to {}", self.components.place(column.to)),
                    );
                    let ambush = Ambush { army: column.army, left, lost: [0; 2], reinforcing: None };
                    p.open.agenda.push(Step::Bandits(ambush));
                    return false;
                }
            }
        }
        p.open.columns.pop();
        if column.back {
            // A retreat is a step of its own: the second column of a disperse may still be waiting.
            p.open.lands[column.to].add(&column.force);
            p.open.agenda.pop();
            return false;
        }
        if column.force.is_empty() {
            return false;
        }
        if self.side_presence(&p.open, column.to, column.army.side().other()) {
            self.begin_battle(p, &column, umpire);
            return false;
        }
        p.open.lands[column.to].add(&column.force);
        umpire.cite(rule!("glossary.control"));
        false
    }

    /// The Units that bandits may strike.
    fn at_risk(&self, open: &Open, ambush: &Ambush) -> Force {
        let mut force = match ambush.reinforcing {
            Some(region) => open.lands[region],
            None => open.columns.last().map_or_else(Force::none, |column| column.force),
        };
        force.leaders = Set::NONE;
        force
    }

    /// Whether bandits may take a Unit of an owner: a partner loses no more than the one who leads [glossary.bandit].
    fn may_be_struck(&self, ambush: &Ambush, force: &Force, owner: Owner) -> bool {
        owner != ambush.army.partner().owner()
            || ambush.lost[1] < ambush.lost[0]
            || force.count(ambush.army.owner()) == 0
    }

    pub(super) fn list_victims(
        &self,
        p: &Position,
        ambush: &Ambush,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let force = self.at_risk(&p.open, ambush);
        let at = self.ambush_place(&p.open, ambush);
        for piece in force.kinds() {
            if self.may_be_struck(ambush, &force, self.owner_of(piece)) {
                ballot.allow(Action::Lose(piece, at));
            } else {
                ballot.refuse(
                    Action::Lose(piece, at),
                    rule!("glossary.bandit"),
                    format_args!("the partner loses no more Units than the one who leads"),
                );
            }
        }
    }

    fn ambush_place(&self, open: &Open, ambush: &Ambush) -> Region {
        let goal = open.columns.last().map(|column| column.to);
        ambush.reinforcing.or(goal).unwrap_or(self.components.jerusalem)
    }

    pub(super) fn striking(
        &self,
        p: &mut Position,
        ambush: &Ambush,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> bool {
        let force = self.at_risk(&p.open, ambush);
        if ambush.left == 0 || force.is_empty() {
            p.open.agenda.pop();
            return false;
        }
        let mut choices =
            force.kinds().filter(|piece| self.may_be_struck(ambush, &force, self.owner_of(*piece)));
        let (first, second) = (choices.next(), choices.next());
        match (first, second) {
            (Some(_), Some(_)) if force.all_units() > ambush.left => true,
            (Some(piece), _) => {
                let at = self.ambush_place(&p.open, ambush);
                self.strike(p, *ambush, piece, at, umpire);
                false
            }
            (None, _) => {
                p.open.agenda.pop();
                false
            }
        }
    }

    /// Bandits take a Unit.
    pub(super) fn strike(
        &self,
        p: &mut Position,
        mut ambush: Ambush,
        piece: Piece,
        at: Region,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        match ambush.reinforcing {
            Some(region) => p.open.lands[region].take(piece),
            None => {
                if let Some(column) = p.open.columns.last_mut() {
                    column.force.take(piece);
                }
            }
        }
        let owner = self.owner_of(piece);
        ambush.left -= 1;
        ambush.lost[0] += u8::from(owner == ambush.army.owner());
        ambush.lost[1] += u8::from(owner == ambush.army.partner().owner());
        p.open.agenda.replace(Step::Bandits(ambush));
        if umpire.writes() {
            let what = crate::words::sentence(&self.piece_words(&p.open, piece));
            let place = self.components.place(at);
            umpire.note(
                Readers::ALL,
                rule!("glossary.bandit"),
                format_args!("{what} is lost to bandits near {place}"),
            );
        }
    }

    /// A force in words: `3 Infantry, 1 Cavalry and Saladin`.
    pub(crate) fn force_words(&self, open: &Open, force: &Force) -> String {
        let mut words = Vec::new();
        for unit in UNITS {
            let own: u8 = force
                .units
                .iter()
                .filter(|(owner, _)| *owner != Owner::neutral())
                .map(|(_, units)| units[unit as usize])
                .sum();
            if own > 0 {
                words.push(counted(own, unit.name(), unit.many()));
            }
            let white = force.units[Owner::neutral()][unit as usize];
            if white > 0 {
                let (one, many) = (format!("Neutral {}", unit.name()), format!("Neutral {}", unit.many()));
                words.push(counted(white, &one, &many));
            }
        }
        words.extend(force.leaders.iter().map(|l| self.face(open, l).name.clone()));
        listed(&words)
    }
}
