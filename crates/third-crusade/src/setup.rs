//! The start of a game [setup], and the check that every casting starts as printed.

use arrayvec::ArrayVec;
use table::sheet::DataError;
use table::{Agenda, Id as _, Map, Readers, Set, Setup, SetupError, Silent, Umpire, rule};

use crate::ThirdCrusade;
use crate::data::{Casting, Origin, Plot, SetupSheet};
use crate::ids::{
    Army, Icon, Leader, Objective, Owner, Piece, Region, SHAPES, SIDES, Side, Sides, Treaty, UNITS, Unit,
    armies,
};
use crate::position::{Force, Hidden, Open, Position, Step, Table, Works};

/// Objectives that each is dealt for the variable set-up, one of which he discards.
pub(crate) const VARIABLE_OBJECTIVES: u8 = 4;

impl ThirdCrusade {
    pub(crate) fn set_up(
        &self,
        setup: &Setup,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> Result<Position, SetupError> {
        let c = &self.components;
        let party = armies(setup.party());
        let plot = c.plots.iter().find(|plot| plot.id == setup.scenario());
        let casting = c.castings.iter().find(|casting| casting.armies == party);
        let (Some(plot), Some(casting)) = (plot, casting) else {
            return Err(SetupError::Together("no casting has these armies".into()));
        };
        let mut p = self.empty_table(plot, casting);
        for rule in [
            rule!("setup.1"),
            rule!("setup.2"),
            rule!("setup.4"),
            rule!("setup.5"),
            rule!("setup.6"),
            rule!("goal.1"),
        ] {
            umpire.cite(rule);
        }
        self.draw_initiative(&mut p.open, umpire);
        for _ in 0..2 {
            self.draw_mission(&mut p.open, umpire);
        }
        self.draw_treaty(&mut p.open, umpire);
        if p.open.table.variable {
            umpire.cite(rule!("setup.variable"));
            let count = VARIABLE_OBJECTIVES;
            p.open.agenda = Agenda::starting(Step::Deal { count, dealt: Set::NONE });
            return Ok(p);
        }
        let sheet = &c.setups[casting.setup];
        umpire.cite(match party.len() {
            2 => rule!("setup.2p"),
            3 => rule!("setup.3p"),
            _ => rule!("setup.4p"),
        });
        self.populate(&mut p.open, sheet);
        self.garrison(&mut p.open, sheet.neutrals);
        self.land_at_start(&mut p.open, plot);
        self.begin(&mut p, umpire);
        Ok(p)
    }

    /// What all set-ups have: gold, Faith, leaders, and an empty map.
    fn empty_table(&self, plot: &Plot, casting: &Casting) -> Position {
        let c = &self.components;
        let party = casting.armies;
        let variable = plot.id == "variable";
        let north = if variable { party.len() == 4 } else { c.setups[casting.setup].north };
        let of_party = |leader: Leader| c.leaders[leader].owner.army().is_none_or(|army| party.has(army));
        let with = |origin: Origin| {
            Leader::all().filter(|l| of_party(*l) && c.leaders[*l].origin == origin).collect::<Set<_>>()
        };
        let lone = |army: Army| !party.has(army.partner());
        let mut away = with(Origin::Event) | with(Origin::Diplomacy);
        if variable {
            away |= with(Origin::Setup);
        }
        let faith = |side: Side| {
            let alone = side.armies().iter().filter(|army| party.has(**army)).count() == 1;
            if alone { c.figures.faith.1 } else { c.figures.faith.2 }
        };
        Position {
            open: Open {
                table: Table {
                    party,
                    ground: if north { Set::all() } else { c.south },
                    last: plot.first + plot.rounds - 1,
                    objectives: plot.objectives,
                    variable,
                    guided: plot.objectives == 0,
                },
                period: plot.first,
                initiative: ArrayVec::new(),
                lands: Map::filled(Force::none()),
                away,
                aboard: with(Origin::Genoa),
                flipped: Set::NONE,
                works: Map::filled(Works::default()),
                bandits: Map::filled(0),
                orders: Sides([Map::filled(None), Map::filled(None)]),
                aside: Map::filled(0),
                bought: Set::NONE,
                gold: Map::new(|army: Army| match (party.has(army), lone(army) && party.len() == 3) {
                    (false, _) => 0,
                    (true, true) => c.figures.gold.1,
                    (true, false) => c.figures.gold.0,
                }),
                command: Map::filled(0),
                bonus: Map::filled(0),
                glory: 0,
                faith: Sides(SIDES.map(faith)),
                mission: None,
                future: None,
                missions: Set::NONE,
                treaty: None,
                treaties: Set::NONE,
                board: Map::filled(None),
                envoy: Map::filled(None),
                rows: Map::filled([None; 4]),
                picks: Map::filled(0),
                cards: Set::NONE,
                passed: Set::NONE,
                chosen: Set::NONE,
                bids: Map::filled(None),
                rewards: [None; 5],
                shown: Map::filled(Set::NONE),
                points: Map::new(|army| if party.has(army) { c.armies[army].points } else { 0 }),
                agenda: Agenda::default(),
                march: None,
                columns: ArrayVec::new(),
                battle: None,
                retreat: None,
                cargo: Force::none(),
                kept: Force::none(),
                result: None,
            },
            hidden: Hidden::none(),
        }
    }

    /// Markers at random, the alliances in turn [setup.4].
    fn draw_initiative(&self, open: &mut Open, umpire: &mut (impl Umpire + ?Sized)) {
        let party = open.table.party;
        let mut draw = |from: &[Army]| {
            let name = |i: u16| self.components.army(from[usize::from(i)]).to_string();
            from[usize::from(umpire.draw(Readers::ALL, from.len() as u16, &name))]
        };
        if party.len() == 2 {
            let both: ArrayVec<Army, 2> = party.iter().collect();
            let first = draw(&both);
            open.initiative.extend([first]);
            open.initiative.extend(party.without(first));
            return;
        }
        let all: ArrayVec<Army, 4> = Army::all().collect();
        let first = draw(&all);
        let second = draw(&first.side().other().armies());
        // A lone player of three has the marker of the army that does not play, too.
        let markers = [first, second, first.partner(), second.partner()];
        open.initiative.extend(markers.map(|army| if party.has(army) { army } else { army.partner() }));
    }

    pub(crate) fn draw_mission(&self, open: &mut Open, umpire: &mut (impl Umpire + ?Sized)) {
        let left = Set::all() - open.missions;
        let name = |i: u16| left.nth(i.into()).map_or("", |m| &self.components.missions[m].title).to_string();
        let drawn = left.nth(umpire.draw(Readers::ALL, left.len() as u16, &name).into());
        open.mission = open.future.take();
        open.future = drawn;
        open.missions = drawn.map_or(open.missions, |mission| open.missions.with(mission));
    }

    pub(crate) fn draw_treaty(&self, open: &mut Open, umpire: &mut (impl Umpire + ?Sized)) {
        let left: Set<Treaty> = Set::all() - open.treaties;
        let name = |i: u16| left.nth(i.into()).map_or("", |t| &self.components.treaties[t].name).to_string();
        open.treaty = left.nth(umpire.draw(Readers::ALL, left.len() as u16, &name).into());
        open.treaties = open.treaty.map_or(open.treaties, |treaty| open.treaties.with(treaty));
    }

    /// The pieces of the armies that play, and Sabotage.
    fn populate(&self, open: &mut Open, sheet: &SetupSheet) {
        for placement in &sheet.placements {
            let army = match placement.whose {
                Ok(army) => {
                    [Some(army), placement.or].into_iter().flatten().find(|army| open.table.party.has(*army))
                }
                Err(side) => open.armies(side).first(),
            };
            let Some(army) = army else { continue };
            let force = &mut open.lands[placement.at];
            for unit in UNITS {
                force.units[army.owner()][unit as usize] += placement.units[unit as usize];
            }
            force.leaders |= placement.leaders;
        }
        for (region, slot) in &sheet.sabotage {
            open.works[*region].sabotage |= 1 << slot.number();
        }
    }

    /// White Infantry in every city that nobody holds.
    pub(crate) fn garrison(&self, open: &mut Open, count: u8) {
        for region in self.components.cities & open.table.ground {
            if open.lands[region].is_empty() {
                open.lands[region].units[Owner::neutral()][Unit::Infantry as usize] = count;
            }
        }
    }

    /// The ship of the first period has come, in scenarios that say so.
    fn land_at_start(&self, open: &mut Open, plot: &Plot) {
        if plot.landed.is_empty() {
            return;
        }
        for army in open.table.party {
            let mut cargo = self.load(open, army, open.period);
            for port in &plot.landed {
                self.unload(open, &mut cargo, *port);
            }
        }
    }

    /// What a ship brings to an army: Units that are left on its board, and leaders aboard [5.7].
    pub(crate) fn load(&self, open: &mut Open, army: Army, period: u8) -> Force {
        let mut force = Force::none();
        for cargo in self.components.cargo.iter().filter(|c| c.army == army && c.period == period) {
            for unit in UNITS {
                let left = self.in_pool(open, army, unit);
                force.units[army.owner()][unit as usize] += cargo.units[unit as usize].min(left);
            }
            force.leaders |= cargo.leaders & open.aboard;
            open.aboard -= cargo.leaders;
        }
        force
    }

    /// Lands as much of a cargo as finds Slots.
    pub(crate) fn unload(&self, open: &mut Open, cargo: &mut Force, port: Region) {
        loop {
            let fits = |piece: &Piece| self.room(open, port, self.shape_of(open, *piece)) > 0;
            let Some(piece) = cargo.kinds().find(fits) else { return };
            cargo.take(piece);
            open.lands[port].put(piece);
        }
    }

    /// Pieces stand: tracks are counted, objectives are dealt, the first round begins.
    pub(crate) fn begin(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        for army in p.open.table.party {
            p.open.command[army] = self.track(&p.open, army, Icon::Command);
        }
        if p.open.table.objectives > 0 {
            let step = Step::Deal { count: p.open.table.objectives, dealt: Set::NONE };
            p.open.agenda = Agenda::starting(step);
        } else {
            self.begin_round(p, umpire);
        }
    }

    /// The objectives that are in the game, and in a side's deck of the variable set-up while it is dealt.
    pub(crate) fn objective_deck(&self, open: &Open, deck: Option<Side>) -> Set<Objective> {
        let north = open.table.ground == Set::all();
        let fits = |o: &Objective| {
            let sheet = &self.components.objectives[*o];
            (north || !sheet.north) && (deck.is_none() || sheet.deck == deck)
        };
        Objective::all().filter(fits).collect()
    }

    /// Every casting starts with the tracks that are printed, with room for all pieces, and without a battle.
    pub(crate) fn check_set_ups(&self) -> Result<(), DataError> {
        let c = &self.components;
        for plot in c.plots.iter().filter(|plot| plot.landed.is_empty() && plot.id != "variable") {
            for casting in c.castings.iter().filter(|x| plot.players.contains(&(x.armies.len() as u8))) {
                let sheet = &c.setups[casting.setup];
                let names: Vec<_> = casting.armies.iter().map(|army| c.army(army)).collect();
                let wrong = |what: String| {
                    let what = format!("set-up {} with {}: {what}", sheet.id, names.join(", "));
                    DataError::new("castings.toml", sheet.line, what)
                };
                let mut open = self.empty_table(plot, casting).open;
                self.draw_initiative(&mut open, &mut Silent::new(0));
                self.populate(&mut open, sheet);
                for region in Region::all() {
                    let place = c.place(region);
                    if SIDES.iter().all(|side| self.side_presence(&open, region, *side)) {
                        return Err(wrong(format!("expected one alliance in {place}, found both")));
                    }
                    for shape in SHAPES {
                        let has = self.of_shape(&open, &open.lands[region], shape);
                        let room = self.slots(&open, region, shape);
                        if has > room {
                            return Err(wrong(format!(
                                "expected at most {room} {} pieces in {place}, found {has}",
                                shape.name()
                            )));
                        }
                    }
                    if open.works[region].sabotage != 0 && region == c.jerusalem {
                        return Err(wrong("expected no Sabotage in Jerusalem, found some".into()));
                    }
                }
                for army in casting.armies {
                    let mut printed = sheet.tracks[army];
                    if casting.armies.has(army.partner()) && casting.armies.len() == 3 {
                        for (figure, change) in printed.iter_mut().zip(sheet.with_partner[army]) {
                            *figure += change;
                        }
                    }
                    let found = self.tracks(&open, army).map(|n| n as i8);
                    if found != printed {
                        return Err(wrong(format!(
                            "expected the printed tracks {printed:?} (command, crown, supply, gold) of {}, found {found:?}",
                            c.army(army)
                        )));
                    }
                }
            }
        }
        Ok(())
    }
}
