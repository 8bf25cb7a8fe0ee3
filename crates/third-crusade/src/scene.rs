//! A view as a picture of the table: both maps, the boards beside them, cards, tracks, prompts and warnings.
//!
//! Everything is made from the view; what only the owner of an order knows reaches nobody else. Pieces are numbered by
//! place: an order face down has the id of its region and side, whatever it is.

use std::sync::LazyLock;

use table::arms::{Arms, Roll};
use table::scene::{
    Aid, AidRow, Board, Card, CardTone, Choice, Face, Form, Front, Ground, Harbour, Keep, Link, LinkStyle,
    Marker, Piece, Prompt, Register, RegisterRow, Room, Scene, Shape, Sign, Space, Sum, SumLine, Track, Tray,
    Use,
};
use table::{Id as _, Lots, Options, Reach, Rules as _, Seat, Secrets as _, Shown, rule};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::data::{REGION_RADIUS, WINDOW};
use crate::flow::ground::Hold;
use crate::ids::{
    self, Army, Event, ICONS, Icon, Land, Leader, Objective, Order, Owner, Region, Road, SIDES, Side, UNITS,
    Unit,
};
use crate::position::{Battle, Force, Stage, Step};
use crate::view::View;
use crate::words::{counted, sentence};

mod sayings;
mod warnings;

/// Who bears which arms.
static ROLL: LazyLock<Roll> = LazyLock::new(|| Roll::read("arms.toml", levant::ARMS).unwrap_or_default());

fn arms(name: &str, powers: &[&str]) -> Option<Arms> {
    ROLL.bears("third-crusade", name, powers).map(|coat| coat.arms.clone())
}

impl Shown for ThirdCrusade {
    fn scene(&self, view: &View) -> Scene {
        let mut boards = vec![self.map(view), self.diplomacy_board(view)];
        if let Some(battle) = &view.open.battle {
            boards.push(self.battle_board(view, battle));
        }
        Scene {
            title: self.scene_title(view),
            boards,
            trays: self.trays(view),
            tracks: self.scene_tracks(view),
            register: Some(self.register(view)),
            sums: self.sums(view),
            aids: self.aids(view),
            prompt: self.prompt(view),
            warnings: self.warnings(view),
            ..Scene::default()
        }
    }

    fn choice(&self, view: &View, action: Action) -> Choice {
        self.button(view, action)
    }

    fn reach(&self, view: &View, picked: &[&str]) -> Vec<Reach> {
        let routes = self.routes(view, picked);
        let danger = |to: Region| {
            let Some(march) = view.open.march else { return String::new() };
            if self.side_presence(&view.open, to, march.army.side().other()) {
                "an enemy: battle".to_string()
            } else {
                String::new()
            }
        };
        routes
            .into_iter()
            .map(|(to, _)| Reach {
                space: self.region_id(to),
                cost: String::new(),
                ends: !danger(to).is_empty(),
                danger: danger(to),
            })
            .collect()
    }

    fn route(&self, view: &View, picked: &[&str], to: &str) -> Vec<Action> {
        let routes = self.routes(view, picked);
        routes
            .into_iter()
            .find(|(region, _)| self.region_id(*region) == to)
            .map_or(Vec::new(), |(_, way)| way)
    }
}

impl ThirdCrusade {
    pub(crate) fn region_id(&self, region: Region) -> String {
        format!("region-{}", self.components.place(region))
    }

    fn road_id(&self, road: Road) -> String {
        let (a, b) = self.components.ends(road);
        format!("road-{}-{}", self.components.place(a), self.components.place(b))
    }

    fn unit_id(&self, owner: Owner, unit: Unit, region: Region) -> String {
        format!("unit-{}-{}-{}", self.owner_name(owner), unit.name(), self.components.place(region))
    }

    fn leader_id(&self, leader: Leader) -> String {
        format!("leader-{}", self.components.leaders[leader].faces[0].name)
    }

    fn event_id(&self, event: Event) -> String {
        format!("event-{}", self.components.events[event].title)
    }

    fn box_id(&self, order: Order) -> String {
        format!("box-{}", self.order_name(order))
    }

    fn objective_id(&self, objective: Objective) -> String {
        format!("objective-{}", self.objective_title(Some(objective)))
    }

    fn space_id(&self, space: ids::Space) -> String {
        format!("space-{}", self.components.spaces[space].id)
    }

    /// The pieces that were picked, and for each place that they can march to the actions that bring them there.
    fn routes(&self, view: &View, picked: &[&str]) -> Vec<(Region, Vec<Action>)> {
        let (Some(march), Some(Step::March), Some(army)) =
            (view.open.march, view.open.agenda.now(), view.army())
        else {
            return Vec::new();
        };
        if march.army != army || picked.is_empty() {
            return Vec::new();
        }
        let mut p = self.imagine(view, &mut Lots::new(0));
        let mut way = Vec::new();
        for piece in march.group.kinds() {
            let (id, count) = match piece {
                ids::Piece::Unit(owner, unit) => {
                    (self.unit_id(owner, unit, march.from), march.group.units[owner][unit as usize])
                }
                ids::Piece::Leader(leader) => (self.leader_id(leader), 1),
            };
            if !picked.contains(&id.as_str()) {
                way.extend(std::iter::repeat_n(Action::Leave(piece), count.into()));
            }
        }
        for leave in &way {
            let mut options = Options::new();
            self.options(&p, army.seat(), &mut options);
            if !options.offers().iter().any(|offer| offer.action == *leave) {
                return Vec::new();
            }
            self.apply(&mut p, army.seat(), *leave, &mut table::Silent::new(0));
        }
        let mut options = Options::new();
        self.options(&p, army.seat(), &mut options);
        let goals = options.offers().iter().filter_map(|offer| match offer.action {
            Action::Go(to) => Some(to),
            _ => None,
        });
        goals
            .map(|to| {
                let mut all = way.clone();
                all.push(Action::Go(to));
                (to, all)
            })
            .collect()
    }

    fn scene_title(&self, view: &View) -> String {
        let period = self.period_name(view.open.period);
        let phase = match view.open.agenda.steps().first() {
            Some(Step::Deal { .. } | Step::Keep | Step::Deploy { .. }) => "set-up",
            Some(Step::Lay | Step::Market { .. }) => "Strategy Phase",
            Some(Step::Plan { .. }) => "Planning Phase",
            Some(Step::Command { .. }) => "Command Phase",
            Some(Step::Bids | Step::Reward { .. } | Step::Envoys { .. }) => "Diplomacy Phase",
            Some(Step::Reveal) => "end of the game",
            Some(Step::Over) | None => "the game is over",
            _ => "Upkeep Phase",
        };
        format!("{period}: {phase}")
    }

    fn holder(&self, view: &View, region: Region) -> Option<Seat> {
        Some(match self.hold(&view.open, region)? {
            Hold::Army(army) => army.seat(),
            Hold::Tied(side) => view.open.ahead(view.open.armies(side))?.seat(),
        })
    }

    fn map(&self, view: &View) -> Board {
        let (west, south, east, north) = WINDOW;
        let c = &self.components;
        let mut board = Board {
            id: "map".into(),
            name: "The Holy Land".into(),
            width: c.board.0,
            height: c.board.1,
            room: Room::Large,
            ground: Ground::Levant { west, south, east, north },
            ..Board::default()
        };
        for region in view.open.table.ground {
            let sheet = &c.regions[region];
            let mut badges = Vec::new();
            for (icon, n) in ICONS.iter().zip(self.icons(&view.open, region)) {
                if n > 0 {
                    // Many stand side by side: the shorter, the more of them can be read.
                    badges.push(if n == 1 { icon.name().into() } else { format!("{n} {}", icon.name()) });
                }
            }
            let sabotage = view.open.works[region].sabotage.count_ones() as u8;
            if sabotage > 0 {
                badges.push(format!("{sabotage} sabotaged"));
            }
            if c.mercantile.has(region) {
                badges.push("market".into());
            }
            board.spaces.push(Space {
                keep: match sheet.land {
                    Land::City => Some(Keep::City(2)),
                    Land::Jerusalem => Some(Keep::City(4)),
                    Land::Desert => None,
                },
                harbour: if self.ports(&view.open, region) > 0 { Harbour::Plain } else { Harbour::No },
                holder: self.holder(view, region),
                badge: badges.join(", "),
                region: if c.south.has(region) { "The south".into() } else { "The north".into() },
                prize: region == c.jerusalem,
                lit: view.open.battle.as_ref().is_some_and(|battle| battle.region == region)
                    || view.open.march.is_some_and(|march| march.from == region),
                ..Space::new(
                    self.region_id(region),
                    sheet.name.clone(),
                    sheet.xy,
                    Shape::Circle { r: REGION_RADIUS - 6 },
                )
            });
        }
        for (number, (a, b)) in c.roads.iter().enumerate() {
            let road = Road::at(number);
            if view.open.table.ground.has(*a) && view.open.table.ground.has(*b) {
                let bandits = view.open.bandits[road];
                board.links.push(Link {
                    id: self.road_id(road),
                    from: self.region_id(*a),
                    to: self.region_id(*b),
                    style: LinkStyle::Major,
                    note: if bandits > 0 { counted(bandits, "Bandit", "Bandits") } else { String::new() },
                });
            }
        }
        for region in view.open.table.ground {
            self.add_force(
                view,
                &mut board,
                &view.open.lands[region],
                &self.region_id(region),
                Some(region),
                "",
            );
            self.add_orders(view, &mut board, region);
        }
        board
    }

    /// Units as counters with a number, leaders as stands.
    fn add_force(
        &self,
        view: &View,
        board: &mut Board,
        force: &Force,
        space: &str,
        region: Option<Region>,
        prefix: &str,
    ) {
        let picked = |piece: ids::Piece| {
            view.open.march.is_some_and(|march| Some(march.from) == region && march.group.has(piece))
        };
        for (owner, units) in force.units.iter() {
            for unit in UNITS {
                let n = units[unit as usize];
                if n == 0 {
                    continue;
                }
                let id = region.map_or_else(
                    || format!("{prefix}unit-{}-{}-{space}", self.owner_name(owner), unit.name()),
                    |region| format!("{prefix}{}", self.unit_id(owner, unit, region)),
                );
                let sign = match unit {
                    Unit::Infantry => Sign::Foot,
                    Unit::Cavalry => Sign::HeavyHorse,
                    Unit::Siege => Sign::Engine,
                };
                board.pieces.push(Piece {
                    id,
                    space: space.to_string(),
                    owner: owner.army().map(Army::seat),
                    form: Form::Counter,
                    more: u16::from(n) - 1,
                    face: Face::Shown(Front {
                        name: unit.name().into(),
                        sign: Some(sign),
                        lit: picked(ids::Piece::Unit(owner, unit)),
                        ..Front::default()
                    }),
                    text: format!("{}: {}", self.owner_name(owner), counted(n, unit.name(), unit.many())),
                    ..Piece::default()
                });
            }
        }
        for leader in force.leaders {
            let face = self.face(&view.open, leader);
            let owner = self.leader_owner(leader);
            let power = self.owner_name(owner);
            board.pieces.push(Piece {
                id: format!("{prefix}{}", self.leader_id(leader)),
                space: space.to_string(),
                owner: owner.army().map(Army::seat),
                form: Form::Stand,
                face: Face::Shown(Front {
                    name: face.name.clone(),
                    arms: arms(&face.name, &[power]),
                    left: face.units.iter().sum::<u8>().to_string(),
                    lit: picked(ids::Piece::Leader(leader)),
                    ..Front::default()
                }),
                text: format!("{}, leader of {power}: {}", face.name, self.face_words(face)),
                ..Piece::default()
            });
        }
    }

    fn face_words(&self, face: &crate::data::Face) -> String {
        let mut words = Vec::new();
        for unit in UNITS {
            let n = face.units[unit as usize];
            if n > 0 {
                words.push(format!("fights as {}", counted(n, unit.name(), unit.many())));
            }
        }
        for (icon, n) in ICONS.iter().zip(face.icons) {
            if n > 0 {
                words.push(format!("brings {n} {}", icon.name()));
            }
        }
        if words.is_empty() { "cannot fight".into() } else { words.join(", ") }
    }

    /// Orders face their owner: others see a back, with the id of the place.
    fn add_orders(&self, view: &View, board: &mut Board, region: Region) {
        for side in SIDES {
            let Some(placed) = view.open.orders[side][region] else { continue };
            let known = placed.face.or(view.known.orders[side][region]);
            let letter = if side == Side::Crusader { "c" } else { "m" };
            let (who, place) = (self.components.army(placed.army), self.components.place(region));
            let face = match known {
                None => Face::Hidden,
                Some(order) => {
                    let sheet = &self.components.orders[order];
                    Face::Shown(Front {
                        name: sheet.title.clone(),
                        right: sheet.cost.to_string(),
                        unseen: placed.face.is_none(),
                        ..Front::default()
                    })
                }
            };
            let text = known.map_or_else(
                || format!("an order of {who} at {place}, face down"),
                |order| format!("{} at {place}: {}", self.order_name(order), self.order_words(order)),
            );
            board.pieces.push(Piece {
                id: format!("order-{place}-{letter}"),
                space: self.region_id(region),
                owner: Some(placed.army.seat()),
                form: Form::Token,
                face,
                text,
                ..Piece::default()
            });
        }
    }

    fn diplomacy_board(&self, view: &View) -> Board {
        const ROW: i32 = 120;
        const COLUMN: i32 = 300;
        let spaces = &self.components.spaces;
        let rows = spaces.values().iter().map(|s| i32::from(s.row)).max().unwrap_or(1);
        let mut board = Board {
            id: "diplomacy".into(),
            name: "The diplomacy board: white Units, and tokens, for regions that you control".into(),
            width: COLUMN * 4 + 40,
            height: ROW * rows + 60,
            room: Room::Small,
            ..Board::default()
        };
        for (space, sheet) in spaces.iter() {
            let row: Vec<_> = ids::Space::all().filter(|other| spaces[*other].row == sheet.row).collect();
            let column = row.iter().position(|other| *other == space).unwrap_or(0) as i32;
            let width = row.len() as i32;
            let x = 20 + COLUMN * 2 + (2 * column + 1 - width) * COLUMN * 4 / width / 2;
            let y = ROW * (rows - i32::from(sheet.row)) + 80;
            board.spaces.push(Space {
                holder: view.open.board[space].map(Army::seat),
                region: format!("Row {}", sheet.row),
                ..Space::new(
                    self.space_id(space),
                    self.gain_words(&sheet.parts),
                    (x, y),
                    Shape::Rect { w: COLUMN - 20, h: ROW - 30 },
                )
            });
            if let Some(army) = view.open.board[space] {
                let name = self.components.army(army);
                board.pieces.push(Piece {
                    id: format!("marker-{}", sheet.id),
                    space: self.space_id(space),
                    owner: Some(army.seat()),
                    form: Form::Token,
                    face: Face::named(name),
                    text: format!("a marker of {name}"),
                    ..Piece::default()
                });
            }
        }
        for (space, sheet) in spaces.iter() {
            let sideways = sheet.sideways.iter().filter(|other| *other > space);
            for (to, style) in sheet
                .forward
                .iter()
                .map(|to| (to, LinkStyle::Major))
                .chain(sideways.map(|to| (to, LinkStyle::Minor)))
            {
                board.links.push(Link {
                    id: format!("line-{}-{}", sheet.id, spaces[to].id),
                    from: self.space_id(space),
                    to: self.space_id(to),
                    style,
                    note: String::new(),
                });
            }
        }
        board
    }

    /// A battle: the attackers on the road, the defenders in the region, and who stands behind them.
    fn battle_board(&self, view: &View, battle: &Battle) -> Board {
        let place = self.components.place(battle.region);
        let city = self.components.cities.has(battle.region);
        let mut board = Board {
            id: "battle".into(),
            name: format!("The battle in {place}"),
            width: 900,
            height: 480,
            room: Room::Large,
            ground: if city { Ground::Walls { foot: 258 } } else { Ground::Field },
            ..Board::default()
        };
        let (attackers, defenders) = (battle.attacker.side(), battle.attacker.side().other());
        // Defenders stand behind the wall, attackers before it.
        let rows = if city { [(92, 140), (366, 180)] } else { [(130, 180), (350, 180)] };
        for ((y, h), (id, name, side)) in rows
            .into_iter()
            .zip([("battle-defence", "Defenders", defenders), ("battle-attack", "Attackers", attackers)])
        {
            let leader = if side == attackers { battle.attacker } else { battle.defender };
            board.spaces.push(Space {
                holder: Some(leader.seat()),
                lit: view.deciding.iter().any(|seat| Army::of(seat).side() == side),
                ..Space::new(id, name, (450, y), Shape::Rect { w: 840, h })
            });
        }
        self.add_force(view, &mut board, &battle.force, "battle-attack", None, "battle-");
        self.add_force(view, &mut board, &view.open.lands[battle.region], "battle-defence", None, "battle-");
        board
    }

    fn card(&self, event: Event, value: Option<u8>) -> Card {
        let sheet = &self.components.events[event];
        Card {
            value: value.map_or_else(String::new, |v| v.to_string()),
            title: sheet.title.clone(),
            text: self.parts_words(&sheet.parts, Some(false)),
            foot: self.crown_words(event),
            tone: CardTone::Event,
            uses: vec![Use::open("Crown event", self.crown_words(event))],
            ..Card::default()
        }
    }

    fn event_piece(&self, event: Event, value: Option<u8>) -> Piece {
        let sheet = &self.components.events[event];
        Piece {
            id: self.event_id(event),
            owner: Some(sheet.army.seat()),
            form: Form::Card,
            face: Face::Card(self.card(event, value)),
            text: format!(
                "{}. {}. {}",
                sheet.title,
                self.parts_words(&sheet.parts, Some(false)),
                self.crown_words(event)
            ),
            ..Piece::default()
        }
    }

    fn trays(&self, view: &View) -> Vec<Tray> {
        let mut trays = Vec::new();
        let open = &view.open;
        let values = self.components.figures.values;
        for army in open.table.party {
            let name = self.components.army(army);
            let row: Vec<Piece> = open.rows[army]
                .iter()
                .zip(values)
                .filter_map(|(event, value)| Some(self.event_piece((*event)?, Some(value))))
                .collect();
            if !row.is_empty() {
                trays.push(Tray {
                    id: format!("row-{name}"),
                    name: format!("Event row of {name}"),
                    owner: Some(army.seat()),
                    spread: true,
                    pieces: row,
                    note: "Enemies select from it".into(),
                    ..Tray::default()
                });
            }
            let cards: Vec<Piece> =
                self.cards_of(open, army).iter().map(|event| self.event_piece(event, None)).collect();
            if !cards.is_empty() {
                trays.push(Tray {
                    id: format!("cards-{name}"),
                    name: format!("Event cards of {name}"),
                    owner: Some(army.seat()),
                    spread: true,
                    pieces: cards,
                    ..Tray::default()
                });
            }
            if view.is_own(army) {
                trays.extend(self.own_trays(view, army));
            }
        }
        trays.push(self.table_cards(view));
        trays
    }

    /// A player's hand, box and objectives: his own only.
    fn own_trays(&self, view: &View, army: Army) -> Vec<Tray> {
        let name = self.components.army(army);
        let mut trays = Vec::new();
        let laid = &view.known.laid[army];
        let values = self.components.figures.values;
        let mut hand: Vec<Piece> =
            view.known.hands[army].iter().map(|event| self.event_piece(event, None)).collect();
        let lying = laid.iter().zip(values);
        hand.extend(lying.filter_map(|(event, value)| Some(self.event_piece((*event)?, Some(value)))));
        if !hand.is_empty() {
            trays.push(Tray {
                id: format!("hand-{name}"),
                name: format!("Hand of {name}"),
                owner: Some(army.seat()),
                spread: true,
                pieces: hand,
                note: "Cards with a value lie under it, face down".into(),
                ..Tray::default()
            });
        }
        let objective = |o: Objective| Piece {
            id: self.objective_id(o),
            owner: Some(army.seat()),
            form: Form::Card,
            face: Face::Card(Card::titled(self.objective_title(Some(o)), self.objective_words(o))),
            text: format!("objective of {}: {}", self.objective_title(Some(o)), self.objective_words(o)),
            ..Piece::default()
        };
        let objectives: Vec<Piece> = view.known.objectives[army].iter().map(objective).collect();
        if !objectives.is_empty() {
            trays.push(Tray {
                id: format!("objectives-{name}"),
                name: format!("Objectives of {name}"),
                owner: Some(army.seat()),
                spread: true,
                pieces: objectives,
                note: "Secret even from your partner".into(),
                ..Tray::default()
            });
        }
        let p = self.imagine(view, &mut Lots::new(0));
        let mut orders = Vec::new();
        for (order, left) in self.boxed(&p, army) {
            let Some(order) = order.filter(|_| left > 0) else { continue };
            let sheet = &self.components.orders[order];
            orders.push(Piece {
                id: self.box_id(order),
                owner: Some(army.seat()),
                form: Form::Card,
                more: u16::from(left) - 1,
                face: Face::Card(Card {
                    value: sheet.cost.to_string(),
                    title: sheet.title.clone(),
                    text: self.parts_words(&sheet.parts, None),
                    foot: if sheet.tithe { "Tithe".into() } else { String::new() },
                    tone: if sheet.reaction { CardTone::Response } else { CardTone::Plain },
                    lit: view.known.ready[army] == Some(order),
                    ..Card::default()
                }),
                text: format!("{}: {}", sheet.title, self.order_words(order)),
                ..Piece::default()
            });
        }
        trays.push(Tray {
            id: format!("box-{name}"),
            name: format!("Order box of {name}"),
            owner: Some(army.seat()),
            room: Room::Small,
            pieces: orders,
            ..Tray::default()
        });
        trays
    }

    /// The missions, the diplomacy card and objectives that lie open.
    fn table_cards(&self, view: &View) -> Tray {
        let open = &view.open;
        let first = open.table.party.first().map(Army::seat);
        let mut pieces = Vec::new();
        // On the card what fits on it; in full where it is looked at.
        let mut add = |id: &str, owner: Option<Seat>, card: Card, text: String| {
            pieces.push(Piece {
                id: id.into(),
                owner: owner.or(first),
                form: Form::Card,
                face: Face::Card(card),
                text,
                ..Piece::default()
            });
        };
        for (id, word, mission) in
            [("mission", "Mission", open.mission), ("future", "Next mission", open.future)]
        {
            let Some(mission) = mission else { continue };
            let sheet = &self.components.missions[mission];
            let (glory, faith) = (self.quest_words(sheet.glory), self.quest_words(sheet.faith));
            let short =
                |quest: &str| quest.replacen("regions with an open ", "", 1).replacen("icon", "icons", 1);
            let card = Card {
                foot: word.into(),
                ..Card::titled(
                    sheet.title.clone(),
                    format!("Glory for more {}. Faith for more {}", short(&glory), short(&faith)),
                )
            };
            let text = format!(
                "{word}: {}: Glory for the alliance with more {glory}; Faith for the partner with more {faith}",
                sheet.title
            );
            add(id, None, card, text);
        }
        if let Some(treaty) = open.treaty {
            let sheet = &self.components.treaties[treaty];
            let rewards = |words: &dyn Fn(&[crate::data::Part]) -> String| {
                let reward = |(i, parts): (usize, &crate::data::Parts)| {
                    let taken = open.rewards[i].map_or_else(String::new, |army| {
                        format!(" (taken by {})", self.components.army(army))
                    });
                    format!("{}. {}{taken}", i + 1, words(parts))
                };
                sheet.rewards.iter().enumerate().map(reward).collect::<Vec<_>>().join(". ")
            };
            let card = Card {
                foot: "Diplomacy".into(),
                ..Card::titled(sheet.name.clone(), rewards(&|parts| self.gain_words(parts)))
            };
            let text =
                format!("Diplomacy: {}: {}", sheet.name, rewards(&|parts| self.parts_words(parts, None)));
            add("treaty", None, card, text);
        }
        for (army, shown) in open.shown.iter() {
            for objective in *shown {
                let (title, words) = (self.objective_title(Some(objective)), self.objective_words(objective));
                let text = format!("Objective: {title}: {words}");
                let card = Card { foot: "Objective".into(), ..Card::titled(title.to_string(), words) };
                add(&format!("shown-{title}"), Some(army.seat()), card, text);
            }
        }
        Tray { id: "cards".into(), name: "On the table".into(), spread: true, pieces, ..Tray::default() }
    }

    fn scene_tracks(&self, view: &View) -> Vec<Track> {
        let open = &view.open;
        let (end, wins) = self.components.figures.glory;
        let sides = SIDES.map(|side| open.ahead(open.armies(side)).map(Army::seat));
        let boxes = |end: i8| (-end..=end).rev().map(|n| n.abs().to_string()).collect::<Vec<_>>();
        let at = |value: i8, end: i8| usize::from((end - value) as u8);
        let lead = match open.glory {
            0 => "Glory is level".to_string(),
            n => {
                let side = if n > 0 { Side::Crusader } else { Side::Muslim };
                format!("{} leads by {}", Self::side_name(side), n.abs())
            }
        };
        let owner = match open.glory {
            0 => None,
            n => sides[usize::from(n < 0)],
        };
        let mut tracks = vec![Track {
            id: "glory".into(),
            name: "Glory".into(),
            note: format!("{lead}; {wins} wins at a victory check"),
            foremost: true,
            ends: sides[0].zip(sides[1]),
            boxes: boxes(end),
            goals: vec![at(wins, end), at(-wins, end)],
            markers: vec![Marker { name: "Glory".into(), owner, at: at(open.glory, end) }],
        }];
        let faith_end = self.components.figures.faith.0;
        for side in SIDES {
            let name = format!("Faith of {}", side.name());
            if open.is_lone(side) {
                tracks.push(Track {
                    id: format!("faith-{}", side as u8),
                    name,
                    boxes: (0..=faith_end).map(|n| n.to_string()).collect(),
                    markers: vec![Marker {
                        name: "Faith".into(),
                        owner: sides[side as usize],
                        at: usize::from(open.faith[side] as u8),
                    }],
                    ..Track::default()
                });
                continue;
            }
            let [one, two] = side.armies();
            let markets = (self.markets(open, one) - self.markets(open, two)).clamp(-faith_end, faith_end);
            let marker = |name: &str, value: i8| Marker {
                name: name.into(),
                owner: match value {
                    0 => None,
                    n => Some(if n > 0 { one.seat() } else { two.seat() }),
                },
                at: at(value, faith_end),
            };
            tracks.push(Track {
                id: format!("faith-{}", side as u8),
                name,
                note: "It helps to be first of the alliance".into(),
                ends: Some((one.seat(), two.seat())),
                boxes: boxes(faith_end),
                markers: vec![marker("Faith", open.faith[side]), marker("Mercantile Cities", markets)],
                ..Track::default()
            });
        }
        tracks.push(Track {
            id: "round".into(),
            name: "Round".into(),
            boxes: (0..self.components.figures.periods.len()).map(|i| self.period_name(i as u8)).collect(),
            markers: vec![Marker { name: "Now".into(), owner: None, at: open.period.into() }],
            ..Track::default()
        });
        tracks
    }

    fn register(&self, view: &View) -> Register {
        let open = &view.open;
        let columns =
            ["Gold", "Command", "Base", "Crowns", "Supply", "Needs", "Income", "In the box", "Placed"];
        let rows = open.table.party.iter().map(|army| {
            let [base, crown, supply, gold] = self.tracks(open, army);
            let need = self.need(open, army);
            let figures = [
                open.gold[army],
                open.command[army],
                base,
                crown,
                supply,
                need,
                gold,
                self.in_box(open, army),
                open.on_map(army),
            ];
            let mut row = RegisterRow::new(army.seat(), figures.map(|n| n.to_string()));
            row.arms = arms(self.components.army(army), &[]);
            row.note = match open.rank(army) {
                0 => "has the initiative".into(),
                n => format!("place {} in initiative", n + 1),
            };
            row.cells[5].warned = need > supply;
            row
        });
        Register {
            id: "armies".into(),
            name: "Armies".into(),
            columns: columns.map(String::from).to_vec(),
            rows: rows.collect(),
        }
    }

    fn sums(&self, view: &View) -> Vec<Sum> {
        let open = &view.open;
        let mut sums = self.outlook(view);
        for army in open.table.party {
            let (need, has) = (self.need(open, army), self.track(open, army, Icon::Supply));
            let name = self.components.army(army);
            let lines = UNITS.iter().map(|unit| {
                let off = open.off_board(army, *unit);
                let (size, _) = self.components.figures.sections[*unit as usize];
                let sections = counted(off.div_ceil(size), "Section", "Sections");
                let pool = self.components.armies[army].pool[*unit as usize];
                SumLine::new(
                    format!("{off} of {pool} {} out: {sections} open", unit.many()),
                    self.section_need(*unit, off).to_string(),
                    rule!("5.4a"),
                )
            });
            sums.push(Sum {
                id: format!("supply-{name}"),
                name: format!("Army board of {name}"),
                total: format!("{need} of {has}"),
                note: if need > has {
                    format!("{} short", counted(need - has, "supply is", "supplies are"))
                } else {
                    format!("{} supply to spare", has - need)
                },
                lines: lines.collect(),
                ..Sum::default()
            });
        }
        if let Some(battle) = &open.battle {
            sums.extend(self.battle_sums(view, battle));
        }
        sums
    }

    /// Both strengths of a battle, in their parts.
    fn battle_sums(&self, view: &View, battle: &Battle) -> Vec<Sum> {
        let open = &view.open;
        let attackers = battle.attacker.side();
        [attackers, attackers.other()]
            .into_iter()
            .map(|side| {
                let might = self.might(open, battle, side);
                let attacks = side == attackers;
                let force = if attacks { &battle.force } else { &open.lands[battle.region] };
                let mut lines = vec![SumLine::new(
                    sentence(&self.force_words(open, force)),
                    might.pieces.to_string(),
                    rule!("battle.3"),
                )];
                for (text, n, rule) in [
                    ("The march", might.march, rule!("battle.3")),
                    ("Faith", might.faith, rule!("battle.4")),
                    ("Defence", might.defence, rule!("glossary.defence")),
                    ("Reinforcements", might.reinforced, rule!("glossary.reinforce-order")),
                ] {
                    if n > 0 {
                        lines.push(SumLine::new(text, format!("+{n}"), rule));
                    }
                }
                let near = self.beside(open, battle.region).with(battle.region);
                let hidden = near
                    .iter()
                    .filter(|r| open.orders[side][*r].is_some_and(|placed| placed.face.is_none()))
                    .count();
                let note = match (battle.stage == Stage::React, hidden) {
                    (true, 0) => "No order lies near: it cannot react".to_string(),
                    (true, n) => format!("{} near by may be reactions", counted(n as i64, "order", "orders")),
                    (false, _) => String::new(),
                };
                let word = if attacks { "attack" } else { "defence" };
                Sum {
                    id: format!("strength-{word}"),
                    name: sentence(&format!("strength of the {word}")),
                    total: might.sum().to_string(),
                    note,
                    lines,
                    shares: Vec::new(),
                    target: Some(self.region_id(battle.region)),
                }
            })
            .collect()
    }

    fn aids(&self, view: &View) -> Vec<Aid> {
        let mut aids = Vec::new();
        let figures = &self.components.figures;
        let battle = view.open.battle.as_ref().map(|battle| self.components.cities.has(battle.region));
        aids.push(Aid {
            id: "strength".into(),
            name: "Strength of Units".into(),
            rule: Some(rule!("battle.3")),
            columns: ["Region", "Infantry", "Cavalry", "Siege Engine"].map(String::from).to_vec(),
            rows: ["City", "Desert"]
                .iter()
                .zip(figures.strength)
                .enumerate()
                .map(|(i, (name, row))| {
                    let cells = std::iter::once((*name).to_string()).chain(row.map(|n| n.to_string()));
                    AidRow::new(cells).lit(battle == Some(i == 0))
                })
                .collect(),
            ..Aid::default()
        });
        aids.push(self.slots_aid(view));
        if let Some(army) = view.army() {
            aids.push(Aid {
                id: "orders".into(),
                name: format!("Orders of {}", self.components.army(army)),
                rule: Some(rule!("glossary.orders")),
                columns: ["Order", "Kind", "What it does"].map(String::from).to_vec(),
                rows: self.components.orders_of[army]
                    .iter()
                    .map(|order| {
                        let sheet = &self.components.orders[order];
                        let kind = match (sheet.advanced, view.open.bought.has(order)) {
                            (false, _) => counted(sheet.count, "basic order", "basic orders"),
                            (true, true) => "advanced, yours".into(),
                            (true, false) => "advanced, not bought".into(),
                        };
                        AidRow::new([sheet.title.clone(), kind, self.order_words(order)])
                    })
                    .collect(),
                ..Aid::default()
            });
        }
        aids
    }

    /// The Slots of every region: how many are taken and how many there are, and what lies open.
    fn slots_aid(&self, view: &View) -> Aid {
        let open = &view.open;
        let fighting = open.battle.as_ref().map(|battle| battle.region);
        let rows = open.table.ground.iter().map(|region| {
            let taken = |shape| {
                let taken = self.of_shape(open, &open.lands[region], shape);
                format!("{taken} of {}", self.slots(open, region, shape))
            };
            let icons = ICONS.iter().zip(self.icons(open, region)).filter(|(_, n)| *n > 0);
            let shows: Vec<_> = icons.map(|(icon, n)| format!("{n} {}", icon.name())).collect();
            let ports = self.ports(open, region);
            let cells = [
                self.components.place(region).to_string(),
                taken(ids::Shape::Square),
                taken(ids::Shape::Hex),
                taken(ids::Shape::Trapezoid),
                shows.join(", "),
                if ports > 0 { ports.to_string() } else { String::new() },
            ];
            AidRow::new(cells).lit(fighting == Some(region))
        });
        Aid {
            id: "slots".into(),
            name: "Slots taken, icons that lie open".into(),
            rule: Some(rule!("glossary.slots")),
            columns: ["Region", "Squares", "Hexagons", "Trapezoid", "Open", "Ports"]
                .map(String::from)
                .to_vec(),
            rows: rows.collect(),
            ..Aid::default()
        }
    }

    fn prompt(&self, view: &View) -> Option<Prompt> {
        if view.deciding.is_empty() {
            return None;
        }
        let (mut text, rule) = self.question(view);
        if let Some(words) = self.battle_words(view) {
            text = format!("{text} ({words})");
        }
        let own = view.viewer.seat().is_some_and(|seat| view.deciding.contains(seat));
        let advice = (own && view.open.table.guided).then(|| self.advice(view));
        let window = matches!(view.open.agenda.now(), Some(Step::Battle));
        Some(Prompt::new(view.deciding, text, rule).advice(advice).window(window))
    }
}
