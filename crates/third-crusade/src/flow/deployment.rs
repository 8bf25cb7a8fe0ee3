//! Objectives are dealt [setup.3], and armies deployed in the variable set-up [setup.variable].

use table::{Ballot, Id as _, Readers, Set, Umpire, rule};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::ids::{Army, Land, Objective, Piece, Region, Shape, Side, UNITS, Unit};
use crate::position::{Open, Position, Step};
use crate::setup::VARIABLE_OBJECTIVES;

/// Square and hexagonal pieces that Muslims may deploy in Jerusalem, together.
const IN_JERUSALEM: [u8; 2] = [3, 1];

impl ThirdCrusade {
    /// Each draws by himself, so that no draw tells of another.
    pub(super) fn draw_objectives(&self, p: &mut Position, army: Army, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(Step::Deal { count, dealt }) = p.open.agenda.now().copied() else { return };
        let variable = count == VARIABLE_OBJECTIVES;
        let deck = self.objective_deck(&p.open, variable.then_some(army.side()));
        for _ in 0..count {
            let held = p.hidden.objectives.values().iter().fold(Set::NONE, |all, own| all | *own);
            let left = deck - held;
            let name = |i: u16| self.objective_title(left.nth(i.into()));
            let drawn = umpire.draw(Readers::only(army.seat().into()), left.len() as u16, &name);
            if let Some(objective) = left.nth(drawn.into()) {
                p.hidden.objectives[army].insert(objective);
            }
        }
        let (name, rule) =
            (self.components.army(army), if variable { rule!("setup.variable") } else { rule!("setup.3") });
        umpire.note(Readers::ALL, rule, format_args!("{name} draws {count} objectives"));
        p.open.agenda.replace(Step::Deal { count, dealt: dealt.with(army) });
    }

    pub(crate) fn objective_title(&self, objective: Option<Objective>) -> String {
        objective.map_or("nothing", |o| self.components.place(self.components.objectives[o].main)).to_string()
    }

    pub(super) fn dealing(
        &self,
        p: &mut Position,
        count: u8,
        dealt: Set<Army>,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> bool {
        if dealt != p.open.table.party {
            return true;
        }
        if count == VARIABLE_OBJECTIVES {
            p.open.chosen = Set::NONE;
            p.open.agenda.replace(Step::Keep);
        } else {
            self.begin_round(p, umpire);
        }
        false
    }

    pub(super) fn list_discards(
        &self,
        p: &Position,
        army: Army,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        for objective in p.hidden.objectives[army] {
            ballot.allow(Action::Discard(objective));
        }
    }

    pub(super) fn discard(&self, p: &mut Position, army: Army, objective: Objective) {
        p.hidden.discards[army] = Some(objective);
        p.open.chosen.insert(army);
    }

    /// All have chosen: three objectives each lie open.
    pub(super) fn keeping(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        if p.open.chosen != p.open.table.party {
            return true;
        }
        umpire.reveal(Readers::ALL);
        for army in p.open.table.party {
            let mut kept = std::mem::replace(&mut p.hidden.objectives[army], Set::NONE);
            if let Some(discard) = p.hidden.discards[army].take() {
                kept.remove(discard);
            }
            p.open.shown[army] = kept;
            if umpire.writes() {
                let names: Vec<_> = kept.iter().map(|o| self.objective_title(Some(o))).collect();
                umpire.note(
                    Readers::ALL,
                    rule!("setup.variable"),
                    format_args!(
                        "{} deploys around {}",
                        self.components.army(army),
                        crate::words::listed(&names)
                    ),
                );
            }
        }
        p.open.passed = Set::NONE;
        p.open.agenda.replace(Step::Deploy { turn: 0 });
        false
    }

    /// Why an army may not deploy in a region, whatever the piece.
    fn barred(&self, open: &Open, army: Army, region: Region) -> Option<&'static str> {
        if self.side_presence(open, region, army.side().other()) {
            return Some("the other alliance stands there");
        }
        let mains: Set<Region> =
            open.shown[army].iter().map(|o| self.components.objectives[o].main).collect();
        match self.components.regions[region].land {
            Land::Jerusalem if army.side() == Side::Crusader => Some("Crusaders do not begin in Jerusalem"),
            Land::Jerusalem => None,
            Land::City if mains.has(region) => None,
            Land::City => Some("it is no main city of his objectives"),
            Land::Desert => {
                let own = |r: &Region| *r != region && self.is(open, *r, crate::data::Sort::Desert);
                let used = Region::all().filter(own).any(|r| self.presence(open, r, army));
                if used {
                    Some("he has deployed in another desert")
                } else if self.beside(open, region).meets(mains) {
                    None
                } else {
                    Some("it lies next to none of his main cities")
                }
            }
        }
    }

    /// Why a piece may not be deployed in a region that is open to its army.
    fn unfit(&self, open: &Open, army: Army, piece: Piece, region: Region) -> Option<&'static str> {
        let shape = self.shape_of(open, piece);
        if self.room(open, region, shape) == 0 {
            return Some("no Slot of its shape is free there");
        }
        match piece {
            Piece::Unit(_, unit) => {
                if self.components.figures.deployment[unit as usize] > open.points[army] {
                    return Some("his points do not suffice");
                }
                if self.in_pool(open, army, unit) == 0 {
                    return Some("none is left on his board");
                }
                if unit == Unit::Siege && !self.components.cities.has(region) {
                    return Some("Siege Engines begin in cities");
                }
            }
            Piece::Leader(_) => {}
        }
        if region == self.components.jerusalem {
            let most = IN_JERUSALEM.get(shape as usize).copied().unwrap_or(0);
            if self.of_shape(open, &open.lands[region], shape) >= most {
                return Some("Jerusalem begins with three square pieces and a hexagonal one at the most");
            }
        }
        None
    }

    /// The pieces that an army has still to deploy, one of those that are alike.
    fn undeployed<'a>(&'a self, open: &'a Open, army: Army) -> impl Iterator<Item = Piece> + 'a {
        let units = UNITS.into_iter().map(move |unit| Piece::Unit(army.owner(), unit));
        let leaders = open.away & self.components.armies[army].leaders;
        units.chain(leaders.iter().map(Piece::Leader))
    }

    pub(super) fn list_deployments(
        &self,
        p: &Position,
        army: Army,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        for region in p.open.table.ground {
            let barred = self.barred(&p.open, army, region);
            if barred.is_some() && !ballot.explains() {
                continue;
            }
            for piece in self.undeployed(&p.open, army) {
                match barred.or_else(|| self.unfit(&p.open, army, piece, region)) {
                    None => ballot.allow(Action::Deploy(piece, region)),
                    Some(why) => {
                        ballot.refuse(
                            Action::Deploy(piece, region),
                            rule!("setup.variable"),
                            format_args!("{why}"),
                        );
                    }
                }
            }
        }
        ballot.allow(Action::Done);
    }

    pub(super) fn deploy(
        &self,
        p: &mut Position,
        army: Army,
        piece: Piece,
        region: Region,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        match piece {
            Piece::Unit(_, unit) => p.open.points[army] -= self.components.figures.deployment[unit as usize],
            Piece::Leader(leader) => p.open.away.remove(leader),
        }
        p.open.lands[region].put(piece);
        if umpire.writes() {
            let (who, what, place) =
                (self.components.army(army), self.piece_words(&p.open, piece), self.components.place(region));
            umpire.note(
                Readers::ALL,
                rule!("setup.variable"),
                format_args!("{who} deploys {what} in {place}"),
            );
        }
        if let Some(Step::Deploy { turn }) = p.open.agenda.now().copied() {
            let turn = p.open.after(turn);
            p.open.agenda.replace(Step::Deploy { turn });
        }
    }

    pub(super) fn deploying(&self, p: &mut Position, turn: u8, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let open = &mut p.open;
        if open.passed == open.table.party {
            // Leaders who were not deployed stay out of the game.
            let left =
                open.table.party.iter().fold(Set::NONE, |all, a| all | self.components.armies[a].leaders);
            open.away -= left;
            open.shown.fill(Set::NONE);
            open.passed = Set::NONE;
            let neutrals = self.components.setups.first().map_or(1, |sheet| sheet.neutrals);
            self.garrison(open, neutrals);
            self.begin(p, umpire);
            return false;
        }
        let army = open.at_turn(turn);
        let can = |piece: Piece| {
            let fits = |r: &Region| {
                self.barred(open, army, *r).is_none() && self.unfit(open, army, piece, *r).is_none()
            };
            open.table.ground.iter().any(|r| fits(&r))
        };
        if !open.passed.has(army) && self.undeployed(open, army).any(can) {
            return true;
        }
        open.passed.insert(army);
        let turn = open.after(turn);
        open.agenda.replace(Step::Deploy { turn });
        false
    }

    /// A piece in a sentence: `1 Infantry`, `Saladin`, `a white Cavalry`.
    pub(crate) fn piece_words(&self, open: &Open, piece: Piece) -> String {
        match piece {
            Piece::Unit(owner, unit) => match owner.army() {
                Some(army) => {
                    format!("{} {} of {}", article(unit), unit.name(), self.components.army(army))
                }
                None => format!("a Neutral {}", unit.name()),
            },
            Piece::Leader(leader) => self.face(open, leader).name.clone(),
        }
    }
}

fn article(unit: Unit) -> &'static str {
    match unit.shape() {
        Shape::Square => "an",
        Shape::Hex | Shape::Trapezoid => "a",
    }
}
