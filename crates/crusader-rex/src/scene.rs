//! A view as a picture of the table: the map, the battle inside it, hands, pools, what is known of hidden
//! blocks, prompts and warnings.
//!
//! Everything is made from the view. Where a question of the rules must be answered (who holds a town, which
//! castle is full), it is asked of a position imagined from the view: what the viewer may know is the same in
//! all of them.

use table::scene::{
    Board, Choice, Face, Ground, Link, LinkStyle, Marker, Piece, Prompt, Scene, Shape, Space, Track, Tray,
    Warning,
};
use table::{Lots, Rule, Seat, Viewer, rule};

use crate::CrusaderRex;
use crate::action::Action;
use crate::data::{CARD_NAMES, FRANK, KINDS, NATIONS, NONE, Port, SARACEN, TOWN_RADIUS, TOWNS, WINDOW, one};
use crate::position::{DEAD, GONE, Going, HAND, POOL, Position, STAGING, Step};
use crate::view::{SeenBlock, Slot, View};

/// Where the castle of a besieged town stands, above its field.
const CASTLE_RISE: i32 = 34;

impl CrusaderRex {
    pub(crate) fn picture(&self, view: &View) -> Scene {
        let p = self.dream(view, &mut Lots::new(0));
        let year = 1187 + u32::from(view.year);
        let season = if view.turn == 6 { "winter turn".to_string() } else { format!("turn {}", view.turn) };
        let mut boards = vec![self.map(view, &p)];
        if view.battle.town != NONE {
            boards.push(self.battle_board(view, &p));
        }
        Scene {
            title: if view.result.is_some() {
                format!("{year}: the game is over")
            } else {
                format!("{year}, {season}")
            },
            boards,
            trays: self.trays(view),
            tracks: vec![
                Track {
                    id: "years".into(),
                    name: "Year".into(),
                    boxes: (0..view.table.years).map(|y| (1187 + u32::from(y)).to_string()).collect(),
                    markers: vec![Marker {
                        name: "now".into(),
                        owner: None,
                        at: usize::from(view.year.min(view.table.years - 1)),
                    }],
                },
                Track {
                    id: "turns".into(),
                    name: "Turn".into(),
                    boxes: ["1", "2", "3", "4", "5", "winter"].map(String::from).to_vec(),
                    markers: vec![Marker {
                        name: "now".into(),
                        owner: None,
                        at: usize::from(view.turn.clamp(1, 6)) - 1,
                    }],
                },
                self.goal_track(view, &p),
            ],
            prompt: self.prompt(view, &p),
            warnings: self.warnings(view, &p),
        }
    }

    /// What the Saracens have of what they need.
    fn goal_track(&self, view: &View, p: &Position) -> Track {
        if view.table.goal != NONE {
            let there = p.here[usize::from(view.table.goal)] & self.of(SARACEN) != 0;
            return Track {
                id: "goal".into(),
                name: format!("Saracens at {}", self.components.town_name(view.table.goal)),
                boxes: ["none: the Franks win", "some: the Saracens win"].map(String::from).to_vec(),
                markers: vec![Marker { name: "now".into(), owner: None, at: usize::from(there) }],
            };
        }
        let (name, has, needs) = match view.table.castles {
            0 => ("Saracen cities", self.prizes(p, SARACEN), view.table.needs),
            castles => ("Castles taken", self.castles_taken(p), castles),
        };
        let most = needs.max(has).max(7);
        Track {
            id: "goal".into(),
            name: name.into(),
            boxes: (0..=most).map(|n| n.to_string()).collect(),
            markers: vec![Marker {
                name: format!("{needs} win"),
                owner: Some(SARACEN),
                at: usize::from(has),
            }],
        }
    }

    fn town_id(&self, t: u8) -> String {
        format!("town-{}", self.components.town_name(t))
    }

    fn space_of(&self, slot: &Slot) -> String {
        let name = self.components.town_name(slot.town);
        if slot.inside { format!("castle-{name}") } else { format!("town-{name}") }
    }

    fn face(&self, b: u8, strength: u8, lit: bool, spent: bool) -> Face {
        let label = &self.components.blocks[usize::from(b)];
        Face::Shown {
            name: label.name.clone(),
            left: label.rating(),
            right: label.moves.to_string(),
            pips: (strength, label.steps),
            lit,
            spent,
        }
    }

    fn describe(&self, b: u8, strength: u8) -> String {
        let label = &self.components.blocks[usize::from(b)];
        let plural = if strength == 1 { "step" } else { "steps" };
        format!(
            "{} {}, moves {}, {strength} {plural} of {}",
            label.name,
            label.rating(),
            label.moves,
            label.steps
        )
    }

    fn piece(&self, seen: &SeenBlock, space: String, view: &View, p: &Position) -> Piece {
        let label = &self.components.blocks[usize::from(seen.block)];
        let acting = self.acting(p).is_some_and(|(_, blocks)| {
            matches!(view.steps.last(), Some(Step::Round)) && blocks & one(seen.block) != 0
        });
        let picked = view.battle.picked & one(seen.block) != 0;
        let mut text = self.describe(seen.block, seen.strength);
        if view.known & one(seen.block) != 0 && !seen.shown {
            text.push_str("; the enemy knows where it is");
        }
        if seen.slot.arrival > 0 {
            text.push_str(&format!("; arrives in round {}", seen.slot.arrival));
        }
        Piece {
            id: format!("block-{}", label.name),
            space,
            owner: Some(seen.slot.owner),
            face: self.face(seen.block, seen.strength, acting || picked, seen.slot.moved),
            text,
        }
    }

    /// Hidden blocks of the viewer's enemies: a lone one is followed by its mark, others are numbered by place.
    fn hidden_pieces(&self, view: &View) -> Vec<Piece> {
        let mut slots: Vec<Slot> = view.hidden.clone();
        slots.extend(view.suspects.iter().map(|(_, slot)| *slot));
        slots.sort_unstable();
        let mut pieces: Vec<Piece> = Vec::new();
        for slot in slots {
            let owner = self.title.seat_name(slot.owner);
            let space = self.space_of(&slot);
            let before = pieces.iter().filter(|p| p.space == space && p.owner == Some(slot.owner)).count();
            let id = if slot.token > 0 {
                format!("hidden-{owner}-lone-{}", slot.token)
            } else {
                format!("hidden-{owner}-{space}-{before}")
            };
            let when =
                if slot.arrival > 0 { format!(", arrives in round {}", slot.arrival) } else { String::new() };
            pieces.push(Piece {
                id,
                space,
                owner: Some(slot.owner),
                face: Face::Hidden,
                text: format!("a hidden block of the {}{when}", self.title_of(slot.owner)),
            });
        }
        pieces
    }

    fn map(&self, view: &View, p: &Position) -> Board {
        let (west, south, east, north) = WINDOW;
        let mut spaces = Vec::new();
        for t in 0..TOWNS as u8 {
            let town = &self.components.towns[usize::from(t)];
            let mut badge = if town.rating > 0 { town.rating.to_string() } else { String::new() };
            match town.port {
                Port::No => {}
                Port::Plain => badge.push_str(" port"),
                Port::Fortified => badge.push_str(" fortified port"),
            }
            let besieged = self.besieged(p, t);
            if besieged.is_some() {
                badge.push_str(" besieged");
            }
            spaces.push(Space {
                id: self.town_id(t),
                name: town.name.clone(),
                x: town.xy.0,
                y: town.xy.1,
                shape: Shape::Circle { r: TOWN_RADIUS - 4 },
                holder: self.control(p, t),
                badge: badge.trim().to_string(),
                region: town.region.clone(),
                prize: town.prize,
            });
            if besieged.is_some() {
                spaces.push(Space {
                    id: format!("castle-{}", town.name),
                    name: format!("{} castle", town.name),
                    x: town.xy.0,
                    y: town.xy.1 - CASTLE_RISE,
                    shape: Shape::Rect { w: 36, h: 24 },
                    holder: besieged,
                    badge: String::new(),
                    region: town.region.clone(),
                    prize: false,
                });
            }
        }
        let mover = match view.steps.last() {
            Some(Step::Moves { seat, .. } | Step::Regroup { seat, .. }) => Some(*seat),
            _ => view.deciding.lowest(),
        };
        let links = self
            .components
            .roads
            .iter()
            .enumerate()
            .filter(|(_, road)| road.a != NONE)
            .map(|(r, road)| Link {
                id: format!(
                    "road-{}-{}",
                    self.components.town_name(road.a),
                    self.components.town_name(road.b)
                ),
                from: self.town_id(road.a),
                to: self.town_id(road.b),
                style: if road.major { LinkStyle::Major } else { LinkStyle::Minor },
                note: match (view.used[r], mover) {
                    (0, _) | (_, None) => String::new(),
                    (used, Some(seat)) => format!("{used}/{}", self.road_limit(p, seat, r as u8)),
                },
            })
            .collect();
        let mut pieces: Vec<Piece> = view
            .blocks
            .iter()
            .filter(|seen| seen.slot.town < POOL)
            .map(|seen| self.piece(seen, self.space_of(&seen.slot), view, p))
            .collect();
        pieces.extend(self.hidden_pieces(view));
        if let Some((b, label)) = self.components.blocks.iter().enumerate().find(|(_, l)| l.side.is_none()) {
            pieces.push(Piece {
                id: format!("block-{}", label.name),
                space: self.town_id(label.home),
                owner: None,
                face: self.face(b as u8, label.steps, false, false),
                text: "the Assassins of Masyaf".into(),
            });
        }
        Board {
            id: "map".into(),
            name: "Outremer".into(),
            width: self.components.board.0,
            height: self.components.board.1,
            ground: Ground::Levant { west, south, east, north },
            spaces,
            links,
            pieces,
        }
    }

    /// The battle as a strip: castle, defenders, attackers, and those on their way.
    fn battle_board(&self, view: &View, p: &Position) -> Board {
        let t = view.battle.town;
        let town = self.components.town_name(t);
        let attacker = view.battle.attacker;
        let rows = [
            ("battle-castle", "castle".to_string(), 70),
            ("battle-defence", format!("{} in the field, defending", self.title_of(attacker.other())), 190),
            ("battle-attack", format!("{} in the field, attacking", self.title_of(attacker)), 310),
            ("battle-storm", "storming".to_string(), 430),
            ("battle-reserve", "on their way".to_string(), 550),
        ];
        let row = |slot: &Slot, stormer: bool| {
            let name = if slot.arrival > 0 {
                "battle-reserve"
            } else if slot.inside {
                "battle-castle"
            } else if stormer {
                "battle-storm"
            } else if slot.owner == attacker {
                "battle-attack"
            } else {
                "battle-defence"
            };
            name.to_string()
        };
        let mut pieces: Vec<Piece> = Vec::new();
        let mut fighters: Vec<&SeenBlock> = view.blocks.iter().filter(|s| s.slot.town == t).collect();
        fighters.sort_by_key(|s| (self.components.blocks[usize::from(s.block)].letter, s.block));
        for seen in fighters {
            let mut piece =
                self.piece(seen, row(&seen.slot, view.battle.stormers & one(seen.block) != 0), view, p);
            piece.id = format!("battle-{}", piece.id);
            if let Face::Shown { spent, .. } = &mut piece.face {
                *spent = view.battle.acted & one(seen.block) != 0;
            }
            if view.battle.half == seen.block {
                piece.text.push_str("; half-hit");
            }
            pieces.push(piece);
        }
        let hidden = view.hidden.iter().chain(view.suspects.iter().map(|(_, slot)| slot));
        for (i, slot) in hidden.filter(|s| s.town == t).enumerate() {
            pieces.push(Piece {
                id: format!("battle-hidden-{i}"),
                space: row(slot, false),
                owner: Some(slot.owner),
                face: Face::Hidden,
                text: format!("a hidden block of the {}", self.title_of(slot.owner)),
            });
        }
        let jihad = if view.jihad == t { ", jihad" } else { "" };
        Board {
            id: "battle".into(),
            name: format!("{town}, round {} of 3{jihad}", view.battle.round),
            width: 1000,
            height: 620,
            ground: Ground::Plain,
            spaces: rows
                .into_iter()
                .map(|(id, name, y)| Space {
                    id: id.into(),
                    name,
                    x: 500,
                    y,
                    shape: Shape::Rect { w: 960, h: 110 },
                    holder: None,
                    badge: String::new(),
                    region: String::new(),
                    prize: false,
                })
                .collect(),
            links: Vec::new(),
            pieces,
        }
    }

    fn trays(&self, view: &View) -> Vec<Tray> {
        let mut trays = Vec::new();
        for seat in [FRANK, SARACEN] {
            let (i, name) = (seat.index(), self.title.seat_name(seat));
            let mut pieces = Vec::new();
            match view.hands[i] {
                Some(hand) => {
                    for k in 0..KINDS {
                        for copy in 0..hand[k] {
                            pieces.push(Piece {
                                id: format!("card-{name}-{}-{copy}", CARD_NAMES[k]),
                                space: String::new(),
                                owner: Some(seat),
                                face: Face::named(CARD_NAMES[k]),
                                text: self.components.effects[k].clone(),
                            });
                        }
                    }
                }
                None => {
                    for copy in 0..view.hand_sizes[i] {
                        pieces.push(Piece {
                            id: format!("card-{name}-hidden-{copy}"),
                            space: String::new(),
                            owner: Some(seat),
                            face: Face::Hidden,
                            text: "a card".into(),
                        });
                    }
                }
            }
            let card = |k: u8| CARD_NAMES.get(usize::from(k)).copied();
            let note = match (card(view.printed[i]), card(view.last[i])) {
                (Some(now), Some(last)) => format!("played {now}; last turn {last}"),
                (Some(now), None) => format!("played {now}"),
                (None, Some(last)) => format!("last turn {last}"),
                (None, None) => String::new(),
            };
            trays.push(Tray {
                id: format!("hand-{name}"),
                name: format!("{name} cards"),
                owner: Some(seat),
                pieces,
                note,
            });
        }
        let lying = |what: &str, id: &str, owner: Option<Seat>, place: u8, nation: u8, note: String| Tray {
            id: id.into(),
            name: what.into(),
            owner,
            pieces: view
                .blocks
                .iter()
                .filter(|s| s.slot.town == place && owner.is_none_or(|o| s.slot.owner == o))
                .filter(|s| nation == NONE || self.components.blocks[usize::from(s.block)].nation == nation)
                .map(|s| Piece {
                    id: format!("block-{}", self.components.block_name(s.block)),
                    space: String::new(),
                    owner: Some(s.slot.owner),
                    face: self.face(s.block, s.strength, false, false),
                    text: self.describe(s.block, s.strength),
                })
                .collect(),
            note,
        };
        for (n, nation) in NATIONS.iter().enumerate() {
            let tray = lying(
                &format!("{nation} crusaders"),
                &format!("staging-{n}"),
                Some(FRANK),
                STAGING,
                n as u8,
                String::new(),
            );
            if !tray.pieces.is_empty() {
                trays.push(tray);
            }
        }
        // A single battle has no pools.
        let pools: &[Seat] = if view.table.goal == NONE { &[FRANK, SARACEN] } else { &[] };
        for seat in pools.iter().copied() {
            let name = self.title.seat_name(seat);
            let note = format!("{} face down", view.pools[seat.index()]);
            let pool = format!("{name} draw pool");
            let mut tray = lying(&pool, &format!("pool-{name}"), Some(seat), DEAD, NONE, note);
            if view.open || view.viewer.shares(seat) {
                tray.pieces.extend(lying("", "", Some(seat), POOL, NONE, String::new()).pieces);
            }
            trays.push(tray);
            for (what, id, place) in [("drawn", "drawn", HAND), ("lost for good", "lost", GONE)] {
                let tray = lying(
                    &format!("{name} {what}"),
                    &format!("{id}-{name}"),
                    Some(seat),
                    place,
                    NONE,
                    String::new(),
                );
                if !tray.pieces.is_empty() {
                    trays.push(tray);
                }
            }
        }
        if !view.suspects.is_empty() {
            let pieces = view.suspects.iter().map(|(b, slot)| {
                let seen = view.seen[usize::from(*b)];
                Piece {
                    id: format!("known-{}", self.components.block_name(*b)),
                    space: String::new(),
                    owner: Some(slot.owner),
                    face: self.face(*b, seen, false, false),
                    text: format!(
                        "{} is in {}, last seen with {seen} steps",
                        self.components.block_name(*b),
                        self.components.town_name(slot.town)
                    ),
                }
            });
            let places: Vec<_> = view
                .suspects
                .iter()
                .map(|(b, slot)| {
                    format!("{} in {}", self.components.block_name(*b), self.components.town_name(slot.town))
                })
                .collect();
            trays.push(Tray {
                id: "known".into(),
                name: "Known and suspected".into(),
                owner: None,
                pieces: pieces.collect(),
                note: places.join(", "),
            });
        }
        trays
    }

    fn prompt(&self, view: &View, p: &Position) -> Option<Prompt> {
        let seat = view.deciding.lowest()?;
        let who = self.title.seat_name(seat);
        let town = |t: u8| self.components.town_name(t).to_string();
        let here = town(view.battle.town);
        let round = view.battle.round;
        let (text, rule) = match *view.steps.last()? {
            Step::Turn(_) | Step::Fight(_) => return None,
            Step::Deploy { .. } => {
                (format!("{who} shifts blocks among their seats, then is done"), rule!("3.1"))
            }
            Step::Exchange => {
                (format!("{who} lets Saladin change places with one of his family, or not"), rule!("3.2"))
            }
            Step::Deal => (format!("{who} takes six cards"), rule!("4.0")),
            Step::Cards { .. } => {
                let all: Vec<_> = view.deciding.iter().map(|s| self.title.seat_name(s)).collect();
                let verb = if all.len() > 1 { "choose" } else { "chooses" };
                (format!("{} {verb} a card in secret", all.join(" and ")), rule!("4.1"))
            }
            Step::Assassins { .. } => (
                format!("{who} names a town: a block there is drawn for the assassins"),
                rule!("card.assassins"),
            ),
            Step::Manna { left, .. } => {
                (format!("{who} gives {left} more blocks a step, or is done"), rule!("card.manna"))
            }
            Step::Moves { left, group_only, going, .. } => match going {
                Going::Sail { block } => {
                    (format!("{who} names the port for {}", self.components.block_name(block)), rule!("5.4"))
                }
                Going::Muster { town: NONE, .. } => (format!("{who} names the muster town"), rule!("5.3")),
                Going::Muster { town: t, .. } => (
                    format!("{who} musters at {}: any block that can reach it ({left} moves left)", town(t)),
                    rule!("5.3"),
                ),
                Going::Group { town: t, .. } => (
                    format!("{who} moves the group in {}, road by road ({left} moves left)", town(t)),
                    rule!("5.2"),
                ),
                Going::Idle if group_only => {
                    (format!("{who} moves one group by road, or is done"), rule!("4.2b"))
                }
                Going::Idle if view.turn == 6 => {
                    (format!("{who} moves into winter quarters ({left} moves left)"), rule!("8.1"))
                }
                Going::Idle => (
                    format!("{who} moves a group, musters or sails ({left} moves left), or is done"),
                    rule!("5.0"),
                ),
            },
            Step::MainRoad { town: t, .. } => {
                let rule = if view.attacked[seat.other().index()] & one(t) != 0 {
                    rule!("6.42")
                } else {
                    rule!("6.41")
                };
                (format!("{who} names the main road into {}; the others come a round later", town(t)), rule)
            }
            Step::Jihad { .. } => (format!("{who} declares where the jihad is"), rule!("card.jihad")),
            Step::NextBattle => (format!("{who} picks the next battle"), rule!("6.0")),
            Step::Shelter { .. } => (
                format!(
                    "{who} puts up to {} blocks into the castle of {here}; the rest fights in the field",
                    self.rating(view.battle.town)
                ),
                rule!("6.1"),
            ),
            Step::Storm { .. } => (
                format!(
                    "{who} storms {here} with up to {} blocks in round {round}, or does not",
                    self.rating(view.battle.town)
                ),
                rule!("6.53"),
            ),
            Step::Sally { .. } => (
                format!(
                    "{who} sallies from {here} in round {round}, or stays; if nobody fights, hunger decides"
                ),
                rule!("6.55"),
            ),
            Step::Round if view.battle.storm => {
                (format!("{who}: a block fires in the storm of {here} (round {round})"), rule!("6.54"))
            }
            Step::Round => {
                (format!("{who}: a block fires or retreats at {here} (round {round} of 3)"), rule!("6.2"))
            }
            Step::Hits { hits, .. } => (
                format!("{who} chooses which of the strongest blocks takes a hit ({hits} to place)"),
                rule!("6.31"),
            ),
            Step::Harried { block } => (
                format!("{who}: {} has harried and must retreat", self.components.block_name(block)),
                rule!("6.33"),
            ),
            Step::MustRetreat { .. } => {
                (format!("{who} has attacked for three rounds and must leave {here}"), rule!("6.2"))
            }
            Step::LeaveSiege { .. } => {
                (format!("{who} may leave the siege of {here}, or stays"), rule!("6.2"))
            }
            Step::Regroup { town: t, .. } => (format!("{who} may regroup from {}", town(t)), rule!("6.7")),
            Step::Place { block, .. } if block != NONE && view.hands[seat.index()].is_some() => {
                (format!("{who} places {}", self.components.block_name(block)), rule!("7.0"))
            }
            Step::Place { .. } => (format!("{who} places the drawn block"), rule!("7.0")),
            Step::Winter => {
                let hungry = view.viewer.seat().is_some_and(|s| {
                    (0..TOWNS as u8).any(|t| self.wintering(p, s, t).count_ones() > self.supply(t))
                });
                let all: Vec<_> = view.deciding.iter().map(|s| self.title.seat_name(s)).collect();
                let all = all.join(" and ");
                if hungry {
                    (format!("{all}: too many blocks in some towns; give some up, or fill"), rule!("8.3"))
                } else {
                    (format!("{all} spend replacement points in secret, or fill, then done"), rule!("8.4"))
                }
            }
        };
        let text = match self.guidance(view) {
            Some(advice) => format!("{text}. {advice}"),
            None => text,
        };
        Some(Prompt { seats: view.deciding, text, rule })
    }

    /// A sentence of advice for each kind of decision in the guided scenario.
    fn guidance(&self, view: &View) -> Option<&'static str> {
        if view.table.goal == NONE {
            return None;
        }
        let frank = view.deciding.contains(FRANK);
        Some(match view.steps.last()? {
            Step::Moves { going: Going::Idle, .. } if frank => {
                "Raymond is besieged in Tiberias. Click Acre and send its blocks along the road to Tiberias; four fit on it"
            }
            Step::Moves { going: Going::Idle, .. } => {
                "Your army stands before Tiberias. Bring more blocks from Banyas or Ashtera: they arrive in round 2"
            }
            Step::Moves { .. } => {
                "Pick a block, then the next town on its way; a field with enemies ends the march"
            }
            Step::MainRoad { .. } => {
                "Blocks of the main road fight from the first round; choose the stronger column"
            }
            Step::Sally { .. } => {
                "Raymond may join the fight outside, or keep the walls between himself and Saladin"
            }
            Step::Storm { .. } => "Storming costs blood: behind walls it takes two hits to lose a step",
            Step::Round => {
                "Letters act in order, A before B before C. Knights may charge: one more to hit, but sixes hurt"
            }
            Step::Hits { .. } => "Hits go to your strongest block; only ties are yours to decide",
            Step::MustRetreat { .. } => "Three rounds did not win the field: go back the way you came",
            Step::Regroup { .. } => "The field is yours: you may move on one road, or stay",
            Step::LeaveSiege { .. } => "Stay, and the siege stands; leave, and Tiberias is free",
            Step::Harried { .. } => "Choose where the riders go",
            Step::Shelter { .. } => "Walls protect, but blocks inside go hungry",
            _ => "Read the rule beside the prompt if in doubt",
        })
    }

    fn warnings(&self, view: &View, p: &Position) -> Vec<Warning> {
        let Viewer::Seat(me) = view.viewer else { return Vec::new() };
        let Some(Step::Moves { seat, left, .. }) = view.steps.last() else { return Vec::new() };
        let mut warnings = Vec::new();
        if *seat != me {
            return warnings;
        }
        let mut warn = |text: String, rule: Rule, t: Option<u8>| {
            warnings.push(Warning { text, rule, target: t.map(|t| self.town_id(t)) });
        };
        if *left > 0 {
            warn(format!("{left} moves are left and cannot be saved"), rule!("5.0"), None);
        }
        for t in 0..TOWNS as u8 {
            let town = &self.components.towns[usize::from(t)];
            let mine = (p.here[usize::from(t)] & self.of(me)).count_ones();
            if town.prize && self.control(p, t) == Some(me) && mine == 0 && view.table.goal == NONE {
                warn(format!("{} is a victory city and nobody guards it", town.name), rule!("1.12"), Some(t));
            }
            if self.is_winter(p) && mine > 0 {
                if self.besieged(p, t) == Some(me.other()) && view.campaign != t {
                    warn(
                        format!("{mine} besiegers of {} will not survive the winter", town.name),
                        rule!("8.3"),
                        Some(t),
                    );
                } else if self.besieged(p, t).is_none() && mine > self.supply(t) {
                    warn(
                        format!(
                            "{} feeds {} blocks in winter, and {mine} are there",
                            town.name,
                            self.supply(t)
                        ),
                        rule!("8.3"),
                        Some(t),
                    );
                }
            }
            if p.attacked[me.index()] & one(t) != 0 && p.pending & one(t) != 0 {
                let way_out = town.roads.iter().any(|(to, road)| {
                    self.entered_by(p, me, *road, t) && (self.vacant(p, *to) || self.friendly(p, *to, me))
                });
                if !way_out {
                    warn(format!("nobody who attacks {} could retreat", town.name), rule!("6.61"), Some(t));
                }
            }
        }
        warnings
    }

    pub(crate) fn button(&self, view: &View, action: Action) -> Choice {
        let town = |t: u8| self.town_id(t);
        let block = |b: u8| {
            let name = self.components.block_name(b);
            if view.battle.town == NONE { format!("block-{name}") } else { format!("battle-block-{name}") }
        };
        let strength = |b: u8| view.blocks.iter().find(|s| s.block == b).map_or(0, |s| s.strength);
        let odds = |dice: u8, aim: u8| {
            let tenths = (u32::from(dice) * u32::from(aim) * 10 + 3) / 6;
            format!("about {}.{} hits from {dice} dice", tenths / 10, tenths % 10)
        };
        let label = |b: u8| &self.components.blocks[usize::from(b)];
        let button = Choice::button(self.say(view, action));
        match action {
            Action::Go(b, t) | Action::Enter(b, t) => button.at(town(t)).at(block(b)).hint(self.march_hint(view, t)),
            Action::Seat(b, t) | Action::Regroup(b, t) => button.at(town(t)).at(block(b)),
            Action::Retreat(b, t) => {
                let leaves = self.components.prizes & one(view.battle.town) != 0
                    && view.viewer.seat().is_some_and(|s| s != view.battle.attacker)
                    && matches!(view.steps.last(), Some(Step::Round));
                let button = button.at(town(t)).at(block(b));
                if leaves {
                    button.confirm(format!("Leave {}, a victory city?", self.components.town_name(view.battle.town)))
                } else {
                    button
                }
            }
            Action::Exchange(b) | Action::Bless(b) | Action::Sail(b) | Action::Withdraw(b) | Action::Take(b)
            | Action::Starve(b) | Action::Replace(b) | Action::Pick(b) => button.at(block(b)),
            Action::Play(k) => {
                let hint = self.components.effects.get(usize::from(k)).cloned().unwrap_or_default();
                let hand = view.viewer.seat().map_or("", |s| self.title.seat_name(s));
                button.at(format!("card-{hand}-{}-0", CARD_NAMES.get(usize::from(k)).unwrap_or(&""))).hint(hint)
            }
            Action::Strike(t) => button.at(town(t)).hint("three dice, hits up to 3").confirm("Send the assassins there?"),
            Action::Group(t) | Action::MusterAt(t) | Action::Land(t) | Action::Assault(t) | Action::Campaign(t)
            | Action::Main(t, _) | Action::Jihad(t) | Action::Fight(t) => button.at(town(t)),
            Action::Place(t) => button.at(town(t)).hint(self.place_hint(view, t)),
            Action::Fire(b) => button.at(block(b)).hint(odds(strength(b), label(b).fire)),
            Action::Harry(b) => {
                button.at(block(b)).hint(format!("{}, then it must retreat", odds(strength(b), label(b).fire)))
            }
            Action::Charge(b) => {
                let hint = format!("{}; every six costs it a step", odds(strength(b), label(b).fire + 1));
                let button = button.at(block(b)).hint(hint);
                if strength(b) == 1 { button.confirm("One step left: a six would be its end. Charge?") } else { button }
            }
            Action::Begin if matches!(view.steps.last(), Some(Step::Shelter { .. })) => {
                let n = view.battle.picked.count_ones();
                button
                    .hint("besieged blocks lose a step on 1 to 3 each turn (Tripoli and Tyre: on 1)")
                    .confirm(format!("{n} blocks go into the castle, the rest fights in the field?"))
            }
            Action::Done if matches!(view.steps.last(), Some(Step::Sally { .. })) => {
                button.hint("if the besieger does not storm either, attrition follows at once: 50 % a block, 17 % in Tripoli and Tyre")
            }
            Action::Homes | Action::Deal | Action::Muster | Action::Begin | Action::Return | Action::Fill
            | Action::Done => button,
        }
    }

    /// What awaits a block that goes to a town.
    fn march_hint(&self, view: &View, t: u8) -> String {
        let Some(Step::Moves { seat, .. }) = view.steps.last() else { return String::new() };
        let p = self.dream(view, &mut Lots::new(0));
        let enemies = self.field(&p, t, seat.other()).count_ones();
        if enemies == 0 {
            let besieged = self.besieged(&p, t) == Some(seat.other());
            return if besieged { "your own siege".into() } else { String::new() };
        }
        let reinforces = view.attacked[seat.other().index()] & one(t) != 0;
        let relieves = self.besieged(&p, t) == Some(*seat) && *seat != view.first;
        if reinforces || relieves {
            format!("against {enemies} blocks: on the main road in round 2, else in round 3")
        } else {
            format!("against {enemies} blocks: on the main road in round 1, else in round 2")
        }
    }

    fn place_hint(&self, view: &View, t: u8) -> String {
        match view.steps.last() {
            Some(Step::Place { seat, block }) if *block != NONE => {
                let p = self.dream(view, &mut Lots::new(0));
                format!("arrives with strength {}", self.entry_strength(&p, *seat, *block, t))
            }
            _ => String::new(),
        }
    }

    /// An action as a button says it.
    fn say(&self, view: &View, action: Action) -> String {
        let town = |t: u8| self.components.town_name(t);
        let block = |b: u8| self.components.block_name(b);
        match (action, view.steps.last()) {
            (Action::Pick(b), Some(Step::Shelter { .. })) => format!("{} into the castle", block(b)),
            (Action::Pick(b), Some(Step::Storm { .. })) => format!("{} storms", block(b)),
            (Action::Pick(b), Some(Step::Sally { .. })) => format!("{} sallies", block(b)),
            (Action::Begin, Some(Step::Shelter { .. })) => "Deploy".into(),
            (Action::Begin, Some(Step::Storm { .. })) => "Storm!".into(),
            (Action::Begin, Some(Step::Sally { .. })) => "Sally!".into(),
            (Action::Done, Some(Step::Storm { .. })) => "Do not storm".into(),
            (Action::Done, Some(Step::Sally { .. })) => "Stay inside".into(),
            (Action::Done, Some(Step::Moves { .. })) => "End the moves".into(),
            (Action::Done, Some(Step::LeaveSiege { .. })) => "Stay on siege".into(),
            (Action::Done, Some(Step::Regroup { .. })) => "No (more) regrouping".into(),
            (Action::Done, Some(Step::Exchange)) => "Saladin stays where he is".into(),
            (Action::Done, _) => "Done".into(),
            (Action::Go(b, t), _) => format!("{} to {}", block(b), town(t)),
            (Action::Fire(b), _) => format!("{} fires", block(b)),
            (Action::Charge(b), _) => format!("{} charges", block(b)),
            (Action::Harry(b), _) => format!("{} harries", block(b)),
            (Action::Withdraw(b), _) => format!("{} withdraws", block(b)),
            (Action::Retreat(b, t), _) => format!("{} retreats to {}", block(b), town(t)),
            (Action::Regroup(b, t), _) => format!("{} regroups to {}", block(b), town(t)),
            (Action::Take(b), _) => format!("{} takes the hit", block(b)),
            (Action::Fill, _) => "Fill up for me".into(),
            (Action::Homes, _) => "All to their home seats".into(),
            _ => crate::action::write(&self.components, action).to_string(),
        }
    }
}
