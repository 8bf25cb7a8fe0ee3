//! A view as a picture of the table: the map with strongholds and armies, hands and piles, points and Powers, the
//! prompt, and every choice in words.

use std::sync::LazyLock;

use table::arms::{Arms, Roll};
use table::rooms::*;
use table::scene::{
    self, Aid, AidRow, Board, CardTone, Choice, Face, Fall, Form, Front, Ground, Harbour, Keep, Link,
    LinkStyle, Manner, Marker, Piece, Prompt, Region, Register, RegisterRow, Scene, Shape, Sign,
    Space as Spot, Trace, Track, Tray,
};
use table::{Happening, Id as _, Seat, rule};

use crate::KingdomOfHeaven;
use crate::action::Action;
use crate::data::cards::{CardType, Trigger};
use crate::data::scenarios::Victory;
use crate::data::{Components, Stance, WINDOW};
use crate::flow::Element;
use crate::ids::{BOTH, CHRISTIAN, Card, Kind, Leader, MUSLIM, Power, Sort, Space, Units};
use crate::position::{Open, Owner, Place, Step, Toll, Trial};
use crate::view::View;
use crate::words::{counted, signed};

/// Half the room of a space.
const RADIUS: i32 = 26;
/// How far the inside of a stronghold is drawn above its space.
const RISE: i32 = 40;

/// Who bears which arms.
static ROLL: LazyLock<Roll> = LazyLock::new(|| Roll::read("arms.toml", levant::ARMS).unwrap_or_default());

/// The arms of a leader or of his Power.
fn arms(name: &str, power: &str) -> Option<Arms> {
    let house = format!("power:{power}");
    ROLL.bears("kingdom-of-heaven", name, &[&house]).map(|coat| coat.arms.clone())
}

/// The id of a space on the scene.
pub(crate) fn space_id(c: &Components, space: Space) -> String {
    format!("space-{}", c.space(space).id)
}

impl Shown for KingdomOfHeaven {
    fn scene(&self, view: &View) -> Scene {
        let o = &view.open;
        let plot = self.plot(o);
        let year = plot.first_year + u16::from(o.turn) - 1;
        let phase = match view.step() {
            None => "the war is over",
            Some(Step::Replace { .. }) => "replacements",
            Some(Step::MusterLeaders { .. } | Step::MusterUnits { .. }) => "mustering",
            Some(Step::Ransom { .. }) => "ransom",
            Some(Step::Winter { .. }) => "demobilisation",
            Some(_) => "strategy",
        };
        Scene {
            title: format!("Turn {} of {}, {year}: {phase}", o.turn, plot.turns),
            boards: [self.map(view)].into_iter().chain(self.stage_board(view)).collect(),
            trays: self.trays(view),
            tracks: self.tracks(view),
            register: Some(self.register(view)),
            sums: self.sums(view),
            aids: (self.command_aid(view).into_iter())
                .chain([self.powers_aid(view), self.interrupts_aid(view), self.year_aid(view)])
                .collect(),
            prompt: self.prompt(view),
            ..Scene::default()
        }
    }

    fn reach(&self, view: &View, picked: &[&str]) -> Vec<table::Reach> {
        self.reach_of(view, picked)
    }

    fn route(&self, view: &View, picked: &[&str], to: &str) -> Vec<Action> {
        self.route_of(view, picked, to)
    }

    fn choice(&self, view: &View, action: Action) -> Choice {
        let o = &view.open;
        let at = |s: Space| space_id(&self.components, s);
        let button = Choice::button(self.say(view, action));
        match action {
            Action::Activate(c, l) => {
                let button = button.at(card_id(self, c));
                o.leader_at(l).map_or(button.clone(), |s| button.at(at(s)))
            }
            Action::Event(c) | Action::Respond(c) => {
                button.at(card_id(self, c)).hint(self.components.card(c).gist.clone())
            }
            Action::Storm(c, s) => {
                let button = button.at(card_id(self, c)).at(at(s));
                match self.besieger(o, s).and_then(|seat| self.odds_in_words(o, s, seat)) {
                    Some(odds) => button.hint(capital(&odds)),
                    None => button,
                }
            }
            Action::Attack => match o.duel.and_then(|duel| self.odds_in_words(o, duel.at, duel.besieger)) {
                Some(odds) if o.battle.is_none() => button.hint(capital(&odds)),
                _ => button,
            },
            Action::Starve(c, s) | Action::Fortune(c, s) | Action::Siege(c, s) => {
                button.at(card_id(self, c)).at(at(s))
            }
            Action::Influence(c, p) => {
                let number = view.viewer.seat().and_then(|seat| self.plot(o).diplomacy[p].map(|n| n[seat]));
                let button = button.at(card_id(self, c));
                match number {
                    Some(n) => button.hint(format!("{n} or less is needed, with the card’s modifier")),
                    None => button,
                }
            }
            Action::Woo(c) | Action::Vassals(c) | Action::Combine(c) | Action::Discard(c) => {
                button.at(card_id(self, c))
            }
            Action::Stack(s)
            | Action::To(s)
            | Action::Sail(s)
            | Action::March(s)
            | Action::Embark(s)
            | Action::Target(s)
            | Action::Place(_, s)
            | Action::Restore(s, _)
            | Action::MusterLeader(_, s)
            | Action::Muster(s, _)
            | Action::Fill(s, _)
            | Action::Drain(s, _)
            | Action::DrainMore(s, _)
            | Action::Vassal(s, _) => button.at(at(s)),
            Action::Passage(s) => button.at(at(s)).hint("The advantage marker is spent"),
            Action::Besiege => button.hint("The march ends here"),
            Action::Intercept(s, leader) => button.at(at(s)).hint(self.interception_hint(view, s, leader)),
            Action::Avoid | Action::Shadow => {
                button.hint(self.avoidance_hint(view, action == Action::Shadow))
            }
            Action::Call => button.hint(self.call_hint(o)),
            _ => button,
        }
    }
}

/// The id of a card in a hand.
fn card_id(game: &KingdomOfHeaven, card: Card) -> String {
    format!("card-{}", game.card_id(card))
}

impl KingdomOfHeaven {
    /// An army's way from one space to another, for the board.
    pub(crate) fn trace(
        &self,
        owner: Seat,
        count: usize,
        from: Space,
        to: Space,
        manner: Manner,
    ) -> Happening {
        let (from, to) = (space_id(&self.components, from), space_id(&self.components, to));
        Happening::Moved(Trace { from, to, count: count as u16, owner: Some(owner), manner })
    }

    /// Something that fell in a space, for the board.
    pub(crate) fn felled(&self, owner: Seat, space: Space) -> Happening {
        Happening::Fell(Fall { space: space_id(&self.components, space), count: 1, owner: Some(owner) })
    }

    fn map(&self, view: &View) -> Board {
        let (o, c) = (&view.open, &self.components);
        let (west, south, east, north) = WINDOW;
        let plot = self.plot(o);
        let (mut spaces, mut insides) = (Vec::new(), Vec::new());
        let mut pieces = Vec::new();
        for s in c.all_spaces() {
            let data = c.space(s);
            let hold = o.holds[s];
            let mark = &o.marks[s];
            let keep = match hold {
                Some(hold) if hold.city => Some(Keep::City(3)),
                Some(hold) if hold.full => Some(Keep::FullCastle),
                Some(_) => Some(Keep::LowCastle),
                None if data.is_box => None,
                None => Some(Keep::Village),
            };
            let lord = match hold.map(|hold| hold.owner) {
                Some(Owner::Of(power)) => Some(power),
                _ => None,
            };
            let badge = match (mark.besieged, mark.rf) {
                (true, Some(rf)) if mark.blockaded => format!("blockaded, resists with {rf}"),
                (true, Some(rf)) => format!("besieged, resists with {rf}"),
                (false, Some(rf)) => format!("resists with {rf}"),
                _ if data.harsh => "harsh".into(),
                _ => String::new(),
            };
            let shape =
                if data.is_box { Shape::Rect { w: 150, h: 90 } } else { Shape::Circle { r: RADIUS - 4 } };
            spaces.push(Spot {
                keep,
                points: plot.vp[s],
                harbour: if data.any_port() { Harbour::Plain } else { Harbour::No },
                arms: lord.and_then(|power| arms("", &c.power(power).id)),
                holder: self.controller(o, s),
                siege: self.besieger(o, s),
                badge,
                region: data.province.map_or(String::new(), |p| c.provinces[p.number()].name.clone()),
                prize: plot.vp[s] > 0,
                lit: o.battle.as_ref().is_some_and(|b| b.at == s)
                    || o.march.as_ref().is_some_and(|m| m.at == s && !m.over),
                ..Spot::new(space_id(c, s), data.name.clone(), data.xy, shape)
            });
            let shut = o.here[s].meets(o.inside) || self.all_leaders(o, s).meets(o.inside_led);
            if shut {
                insides.push(Spot {
                    id: format!("inside-{}", data.id),
                    name: format!("Inside {}", data.name),
                    x: data.xy.0,
                    y: data.xy.1 - RISE,
                    shape: Shape::Rect { w: 40, h: 26 },
                    holder: self.controller(o, s),
                    annex: true,
                    ..Spot::default()
                });
            }
            self.stand(view, s, &mut pieces);
        }
        spaces.extend(insides);
        let mut links = Vec::new();
        for s in c.all_spaces() {
            for way in &c.space(s).ways {
                if s.number() < way.to.number() || c.space(s).is_box {
                    let note = match (way.desert, way.mp) {
                        (true, _) => "a card of 3".to_string(),
                        (_, 1) => String::new(),
                        (_, mp) => mp.to_string(),
                    };
                    let style = match (way.desert, way.pass, c.space(s).is_box) {
                        (true, ..) => LinkStyle::Sea,
                        (_, true, _) => LinkStyle::Minor,
                        (.., true) => LinkStyle::Arrow,
                        _ => LinkStyle::Major,
                    };
                    links.push(Link {
                        id: format!("road-{}-{}", c.space(s).id, c.space(way.to).id),
                        from: space_id(c, s),
                        to: space_id(c, way.to),
                        style,
                        note,
                    });
                }
            }
        }
        Board {
            id: "map".into(),
            name: "The Holy Land".into(),
            width: c.board.0,
            height: c.board.1,
            ground: Ground::Levant { west, south, east, north },
            regions: c.provinces.iter().map(|p| Region::lettered(p.name.clone(), &spaces)).collect(),
            spaces,
            links,
            pieces,
            ..Board::default()
        }
    }

    /// Who stands in a space: leaders one by one, units by sort.
    fn stand(&self, view: &View, s: Space, pieces: &mut Vec<Piece>) {
        let (o, c) = (&view.open, &self.components);
        let place = |inside: bool| self.stand_id(s, inside);
        let marching = o.march.as_ref();
        for leader in self.all_leaders(o, s) {
            let lit = marching.is_some_and(|m| m.leaders.has(leader));
            pieces.push(self.leader_piece(o, leader, place(o.inside_led.has(leader)), lit));
        }
        for (units, inside) in [(o.here[s] - o.inside, false), (o.here[s] & o.inside, true)] {
            for (sort, count) in self.army_sorts(o, units) {
                let lit = marching.is_some_and(|m| {
                    let alike = self.plot(o).roster.of_kind[sort.kind] & units & m.units;
                    (if sort.reduced { alike & o.reduced } else { alike - o.reduced }).any()
                });
                let id = self.unit_id(&place(inside), sort);
                let where_ = if inside {
                    format!("inside {}", c.space(s).name)
                } else {
                    format!("at {}", c.space(s).name)
                };
                pieces.push(self.unit_piece(o, sort, count, id, place(inside), lit, &where_));
            }
        }
    }

    /// The id of the place on the scene where pieces of a space stand.
    pub(crate) fn stand_id(&self, s: Space, inside: bool) -> String {
        if inside { format!("inside-{}", self.components.space(s).id) } else { space_id(&self.components, s) }
    }

    /// The id of units of a sort in a place of the scene.
    pub(crate) fn unit_id(&self, place: &str, sort: Sort) -> String {
        format!("unit-{place}-{}", self.sort_key(sort))
    }

    pub(crate) fn sort_key(&self, sort: Sort) -> String {
        format!("{}-{}", self.components.kind(sort.kind).id, if sort.reduced { "reduced" } else { "full" })
    }

    pub(crate) fn leader_piece(&self, o: &Open, leader: Leader, space: String, lit: bool) -> Piece {
        let data = self.components.leader(leader);
        let power = self.components.power(data.power);
        Piece {
            id: format!("leader-{}", data.id),
            space,
            owner: self.leads_for(o, leader),
            form: Form::Stand,
            face: Face::Shown(Front {
                name: data.name.clone(),
                arms: arms(&data.name, &power.id),
                left: format!("{}/{}", data.strategy, data.battle),
                right: data.command.to_string(),
                lit,
                ..Front::default()
            }),
            text: format!(
                "{}, {}: strategy {}, battle {}, command {}",
                self.leader_start(leader),
                power.name,
                data.strategy,
                data.battle,
                data.command
            ),
            ..Piece::default()
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(crate) fn unit_piece(
        &self,
        o: &Open,
        sort: Sort,
        count: usize,
        id: String,
        space: String,
        lit: bool,
        place: &str,
    ) -> Piece {
        let kind = self.components.kind(sort.kind);
        let power = self.components.power(kind.power);
        let strength = if sort.reduced { kind.reduced_cs } else { kind.cs };
        let many = counted(
            count,
            &format!("{} unit", self.sort_name(sort)),
            &format!("{} units", self.sort_name(sort)),
        );
        let (first, rest) = many.split_at(many.chars().next().map_or(0, char::len_utf8));
        Piece {
            id,
            space,
            owner: self.side(o, kind.power),
            form: Form::Counter,
            more: (count - 1) as u16,
            face: Face::Shown(Front {
                name: kind.name.clone(),
                arms: arms("", &power.id),
                sign: Some(match (kind.cavalry, power.christian) {
                    (true, _) => Sign::LightHorse,
                    (false, true) => Sign::HeavyHorse,
                    (false, false) => Sign::Foot,
                }),
                left: strength.to_string(),
                right: kind.ma.to_string(),
                pips: (if sort.reduced { 1 } else { 2 }, 2),
                wounded: sort.reduced,
                lit,
                ..Front::default()
            }),
            text: format!("{}{rest} {place}", first.to_uppercase()),
            ..Piece::default()
        }
    }

    fn card_face(&self, card: Card, spent: bool) -> scene::Card {
        let data = self.components.card(card);
        let siege = data.siege.map(|e| &self.components.sieges[e.number()]);
        scene::Card {
            value: data.ov.to_string(),
            corner: data.diplomacy.map_or(String::new(), |d| signed(d.into()).to_string()),
            foot: siege.map_or(String::new(), |e| format!("{}: {}", e.title, e.gist)),
            tone: match data.kind {
                CardType::Normal => CardTone::Event,
                CardType::Battle => CardTone::Battle,
                CardType::Response => CardTone::Response,
            },
            spent,
            ..scene::Card::titled(data.title.clone(), data.gist.clone())
        }
    }

    fn trays(&self, view: &View) -> Vec<Tray> {
        let o = &view.open;
        let mut trays = Vec::new();
        for seat in BOTH {
            let uses = self.explained_hand(view, seat);
            let who = self.title.seat_name(seat);
            let mut pieces = Vec::new();
            let shown = view.hands[seat].unwrap_or(view.known[seat]);
            for card in shown {
                let fresh = view.fresh[seat].is_some_and(|fresh| fresh.has(card));
                pieces.push(Piece {
                    id: format!("card-{}", self.card_id(card)),
                    owner: Some(seat),
                    form: Form::Card,
                    face: Face::Card(scene::Card {
                        uses: uses.as_ref().map_or_else(Vec::new, |all| self.uses_of(all, card)),
                        ..self.card_face(card, fresh)
                    }),
                    text: format!(
                        "{}, value {}",
                        self.components.card(card).title,
                        self.components.card(card).ov
                    ),
                    ..Piece::default()
                });
            }
            for i in shown.len()..usize::from(o.held[seat]) {
                pieces.push(Piece {
                    id: format!("hand-{who}-{i}"),
                    owner: Some(seat),
                    form: Form::Card,
                    text: "A card".into(),
                    ..Piece::default()
                });
            }
            let note = match o.drawn[seat] {
                0 => String::new(),
                n => format!("{} drawn this round", counted(n.into(), "card", "cards")),
            };
            trays.push(Tray {
                id: format!("hand-{who}"),
                name: format!("The {who}’s cards"),
                owner: Some(seat),
                spread: view.hands[seat].is_some(),
                pieces,
                note,
                ..Tray::default()
            });
            for (place, key, name) in [
                (Place::Pool, "pool", "force pool"),
                (Place::Dead, "dead", "dead"),
                (Place::Prison(seat.other()), "captive", "captive leaders"),
            ] {
                let pieces = self.pile(o, Some(seat), place, key);
                if !pieces.is_empty() {
                    trays.push(Tray {
                        id: format!("{key}-{who}"),
                        name: format!("The {who}’s {name}"),
                        owner: Some(seat),
                        room: scene::Room::Small,
                        pieces,
                        ..Tray::default()
                    });
                }
            }
        }
        let pieces = self.pile(o, None, Place::Pool, "pool-neutral");
        if !pieces.is_empty() {
            trays.push(Tray {
                id: "pool-neutral".into(),
                name: "Neutral force pool".into(),
                room: scene::Room::Small,
                pieces,
                ..Tray::default()
            });
        }
        for (cards, id, name) in
            [(o.discards, "discards", "Discards"), (o.removed, "removed", "Out of the game")]
        {
            if cards.any() {
                trays.push(Tray {
                    id: id.into(),
                    name: name.into(),
                    room: scene::Room::Small,
                    pieces: cards
                        .iter()
                        .map(|card| Piece {
                            id: format!("{id}-{}", self.card_id(card)),
                            // One deck serves both: its back is the same, whoever played it.
                            owner: Some(self.components.card(card).usable_by.unwrap_or(CHRISTIAN)),
                            form: Form::Card,
                            face: Face::Card(self.card_face(card, true)),
                            text: self.components.card(card).title.clone(),
                            ..Piece::default()
                        })
                        .collect(),
                    ..Tray::default()
                });
            }
        }
        trays
    }

    /// Pieces off the map.
    fn pile(&self, o: &Open, seat: Option<Seat>, place: Place, key: &str) -> Vec<Piece> {
        let plot = self.plot(o);
        let mut pieces = Vec::new();
        for leader in plot.all_leaders {
            if o.led[leader] == place && self.leads_for(o, leader) == seat {
                pieces.push(self.leader_piece(o, leader, String::new(), false));
            }
        }
        let units: Units =
            o.units_in(place).iter().filter(|u| self.side(o, self.unit_power(o, *u)) == seat).collect();
        for (sort, count) in self.army_sorts(o, units) {
            let id = format!("{key}-{}", self.sort_key(sort));
            pieces.push(self.unit_piece(o, sort, count, id, String::new(), false, "off the map"));
        }
        pieces
    }

    fn tracks(&self, view: &View) -> Vec<Track> {
        let o = &view.open;
        let plot = self.plot(o);
        let turns = Track {
            id: "turns".into(),
            name: "Turns".into(),
            boxes: (1..=plot.turns).map(|n| n.to_string()).collect(),
            markers: vec![Marker {
                name: "Now".into(),
                owner: None,
                at: usize::from(o.turn.clamp(1, plot.turns)) - 1,
            }],
            ..Track::default()
        };
        let goal = match plot.victory {
            Victory::Space(space) => Track {
                id: "goal".into(),
                name: format!("Who holds {}", self.space_name(space)),
                foremost: true,
                ends: Some((CHRISTIAN, MUSLIM)),
                boxes: ["The Christian", "The Muslim"].map(String::from).to_vec(),
                markers: vec![Marker {
                    name: "Now".into(),
                    owner: None,
                    at: usize::from(!self.friendly(o, space, CHRISTIAN)),
                }],
                ..Track::default()
            },
            Victory::Points { christian, muslim, most_christian } => {
                let points = BOTH.map(|seat| self.points(o, seat));
                let most = points.into_iter().chain([christian, muslim.unwrap_or(0)]).max().unwrap_or(0);
                let mut goals = vec![usize::from(christian)];
                goals.extend(muslim.map(usize::from));
                goals.extend(most_christian.map(usize::from));
                goals.sort_unstable();
                goals.dedup();
                let theirs = match (muslim, most_christian) {
                    (Some(n), _) => format!("the Muslim needs {n}"),
                    (None, Some(n)) => format!("the Muslim wins if it is {n} or less"),
                    (None, None) => String::new(),
                };
                Track {
                    id: "goal".into(),
                    name: "Victory points".into(),
                    note: format!("The Christian needs {christian}, {theirs}"),
                    foremost: true,
                    boxes: (0..=most).map(|n| n.to_string()).collect(),
                    goals,
                    markers: BOTH
                        .map(|seat| Marker {
                            name: self.title.seat_name(seat).to_string(),
                            owner: Some(seat),
                            at: self.points(o, seat).into(),
                        })
                        .to_vec(),
                    ..Track::default()
                }
            }
        };
        vec![turns, goal]
    }

    fn register(&self, view: &View) -> Register {
        let o = &view.open;
        let row = |seat: Seat| {
            let units = self.army(o, seat).iter().filter(|u| o.unit_at(*u).is_some()).count();
            let marker = if o.marker == Some(seat) { "yes" } else { "no" };
            let figures = [
                self.points(o, seat).to_string(),
                units.to_string(),
                o.held[seat].to_string(),
                o.failed[seat].to_string(),
                marker.to_string(),
            ];
            RegisterRow::new(seat, figures)
        };
        Register {
            id: "register".into(),
            name: "Who has what".into(),
            columns: ["points", "units on the map", "cards", "failed calls", "advantage"]
                .map(String::from)
                .to_vec(),
            rows: BOTH.map(row).to_vec(),
        }
    }

    fn powers_aid(&self, view: &View) -> Aid {
        let o = &view.open;
        let plot = self.plot(o);
        let row = |power: Power| {
            let numbers = plot.diplomacy[power];
            let number = |seat: Seat| numbers.map_or("—".to_string(), |n| n[seat].to_string());
            AidRow::new([
                self.power_name(power).to_string(),
                o.stance[power].name().to_string(),
                number(CHRISTIAN),
                number(MUSLIM),
            ])
        };
        Aid {
            id: "aid-powers".into(),
            name: "Powers".into(),
            note: "Where every Power stands, and what each player must roll to move it".into(),
            rule: Some(rule!("9.1")),
            columns: ["Power", "orientation", "Christian", "Muslim"].map(String::from).to_vec(),
            rows: plot.present.iter().filter(|p| o.stance[*p] != Stance::Absent).map(row).collect(),
        }
    }

    /// How likely an interception is [11.2].
    fn interception_hint(&self, view: &View, from: Space, leader: Option<Leader>) -> String {
        let o = &view.open;
        let (Some(march), Some(seat)) = (&o.march, view.viewer.seat()) else { return String::new() };
        let (units, leaders) = self.outside(o, from, seat);
        let (units, rating) = match leader {
            Some(top) => (
                self.largest(o, seat, top, leaders, units, Element::Land).1,
                self.components.leader(top).battle,
            ),
            None => (units & self.plot(o).roster.cavalry, 1),
        };
        chances(rating as i8 - self.interception_modifier(o, march, seat, units))
    }

    /// How likely it is to get away, or to shadow [12.1].
    fn avoidance_hint(&self, view: &View, shadow: bool) -> String {
        let o = &view.open;
        let (Some(march), Some(seat)) = (&o.march, view.viewer.seat()) else { return String::new() };
        let (units, leaders) = self.outside(o, march.at, seat);
        let (units, rating) = match self.ranking(leaders) {
            Some(top) => (units, self.components.leader(top).battle),
            None => (units & self.plot(o).roster.cavalry, 1),
        };
        if o.forager_of(units, leaders).is_some_and(|i| o.foragers[i].avoided) {
            return "They have got away from this army before, and need not roll".into();
        }
        chances(rating as i8 - self.avoidance_modifier(o, march.into(), seat, units, shadow))
    }

    /// What a call for surrender needs [17.5].
    pub(crate) fn call_hint(&self, o: &Open) -> String {
        o.march.as_ref().map_or_else(String::new, |march| capital(&self.call_in_words(o, march)))
    }

    /// The same, about an army that has come to a stronghold.
    pub(crate) fn call_in_words(&self, o: &Open, march: &crate::position::March) -> String {
        let rf = o.marks[march.at].rf.unwrap_or_else(|| self.resistance(o, march.at));
        let needs = rf as i8 + 1 - self.call_modifier(o, march);
        match needs {
            ..=1 => format!("any roll of a call beats a resistance of {rf}"),
            2..=5 => format!("a call of {needs} or more beats a resistance of {rf}"),
            6 => format!("only a 6 in a call beats a resistance of {rf}"),
            _ => format!("no roll of a call beats a resistance of {rf}"),
        }
    }

    fn prompt(&self, view: &View) -> Option<Prompt> {
        let o = &view.open;
        let seat = view.deciding.lowest()?;
        let who = format!("The {}", self.title.seat_name(seat));
        let place = |s: Space| self.space_name(s);
        let leader = || o.march.as_ref().and_then(|m| m.leader).map_or("the army", |l| self.leader_name(l));
        let window = matches!(view.step(), Some(Step::Window { .. } | Step::Answer { .. } | Step::Battle));
        let (text, rule) = match *view.step()? {
            Step::Replace { .. } => (format!("{who} spends replacement points"), rule!("6.1")),
            Step::Recover { left, .. } => (
                format!("{who} spends {}", counted(left.into(), "replacement point", "replacement points")),
                rule!("6.1"),
            ),
            Step::MusterLeaders { .. } => (format!("{who} places leaders"), rule!("7.1")),
            Step::MusterUnits { .. } => (format!("{who} places units and changes garrisons"), rule!("7.2")),
            Step::Ransom { .. } => (format!("{who} may ransom a leader for a card"), rule!("8.1")),
            Step::Deal { .. } => (format!("{who} takes new cards"), rule!("8.1")),
            Step::Draw { .. } => (format!("{who} draws a card"), rule!("8.4.1")),
            Step::Round { .. } => (format!("{who} plays a card"), rule!("8.4")),
            Step::Window { trigger, .. } => {
                (format!("{who} may answer {} with a card", answered(trigger)), rule!("8.4.3"))
            }
            Step::Answer { .. } => (format!("{who} may answer the siege event"), rule!("17.6.6")),
            Step::Effects(e) => {
                let title = &self.components.card(e.card).title;
                (format!("{who} chooses for {title}"), rule!("8.4.1"))
            }
            Step::Activations { .. } => (format!("{who} activates a leader"), rule!("10.1.1")),
            Step::Command => match o.march.as_ref().and_then(|m| m.leader) {
                Some(l) => (format!("{who} forms the army of {}", self.leader_name(l)), rule!("10.2")),
                None => (format!("{who} says who goes along"), rule!("10.2")),
            },
            Step::March => (format!("{who} marches with {}", leader()), rule!("10.2")),
            Step::Designate { .. } => (format!("{who} may intercept, avoid battle or shadow"), rule!("11.4")),
            Step::Destination { shadow: true, .. } => {
                (format!("{who} says where the shadowers go"), rule!("12.4.1"))
            }
            Step::Destination { which, .. }
                if o.tries.get(usize::from(which)).is_some_and(|t| t.what == Trial::Intercept) =>
            {
                (format!("{who} may buy free passage for the interceptors"), rule!("9.4"))
            }
            Step::Destination { .. } => {
                (format!("{who} says where those who avoid battle go"), rule!("12.1"))
            }
            Step::Follow { .. } => (format!("{who} follows the army, or stops shadowing"), rule!("12.4.1")),
            Step::Rearguard { away: false, at, .. } => {
                (format!("{who} may avoid battle with the shadowers at {}", place(at)), rule!("12.4.1"))
            }
            Step::Rearguard { .. } => (format!("{who} says where those who avoid battle go"), rule!("12.1")),
            Step::Shelter { at, .. } => (format!("{who} says who goes inside {}", place(at)), rule!("17.2")),
            Step::Lift { at, .. } => {
                (format!("{who} may attack the besiegers left at {}", place(at)), rule!("17.9"))
            }
            Step::Battle if o.battle.as_ref().is_some_and(|b| b.assault) => {
                (format!("{who} may play a siege event in the assault"), rule!("17.7"))
            }
            Step::Battle => (format!("{who} may play a battle event"), rule!("8.4.2")),
            Step::Casualties => ("Losses are taken".to_string(), rule!("13.5")),
            Step::Losses { left, toll, .. } => {
                let rule = if toll == Toll::Attrition { rule!("15.2") } else { rule!("13.5") };
                (format!("{who} loses {}", counted(left.into(), "step", "steps")), rule)
            }
            Step::Retreat { .. } => (format!("{who} retreats"), rule!("14.1")),
            Step::Refuge { .. } => (format!("{who} says where a leader finds refuge"), rule!("13.6")),
            Step::Garrison { at, .. } => {
                (format!("{who} may fill the castle of {}", place(at)), rule!("17.7.3"))
            }
            Step::Man { at, .. } => (format!("{who} may fill the castle of {}", place(at)), rule!("17.10.1")),
            Step::Vassals { .. } => (format!("{who} moves vassals"), rule!("8.4")),
            Step::Overture { seat: asks, power, .. } => {
                let about = power.map_or("the advantage marker".into(), |w| self.power_name(w).to_string());
                let what = if asks == seat { "to help" } else { "to harm" };
                (format!("{who} may spend the marker {what} the roll for {about}"), rule!("9.5"))
            }
            Step::Expelled { from, .. } => {
                (format!("{who} says where the units of {} go", place(from)), rule!("9.6.1"))
            }
            Step::Press => (format!("{who} goes on with the siege, assaults or stops"), rule!("17.6.6")),
            Step::Winter { at: Some(at), .. } => {
                (format!("{who} says who stays at {}", place(at)), rule!("16.1"))
            }
            Step::Winter { .. } => (format!("{who} sends forces home"), rule!("16.1")),
            _ => return None,
        };
        Some(Prompt::new(view.deciding, text, rule).advice(self.guidance(view)).window(window))
    }

    /// An action as a line for a button.
    pub(crate) fn say(&self, view: &View, action: Action) -> String {
        let o = &view.open;
        let card = |c: Card| self.components.card(c).title.as_str();
        let space = |s: Space| self.space_name(s);
        let leader = |l: Leader| self.leader_name(l);
        let power = |p: Power| self.power_name(p);
        let sort = |s: Sort| with_article(&self.sort_name(s));
        let full = |s: Sort| capital(&with_article(&self.sort_name(s)));
        let kind = |k: Kind| with_article(&self.components.kind(k).name);
        let siege = |c: Card| {
            let event =
                self.components.card(c).siege.map(|e| self.components.sieges[e.number()].title.as_str());
            event.unwrap_or("its siege event")
        };
        match action {
            Action::Activate(c, l) => format!("Activate {} with {}", leader(l), card(c)),
            Action::Event(c) => format!("Play {} as an event", card(c)),
            Action::Starve(c, s) => format!("Starve {} with {}", space(s), card(c)),
            Action::Fortune(c, s) => format!("Try fortunes of war at {} for {}", space(s), card(c)),
            Action::Siege(c, s) => format!("{} at {}", siege(c), space(s)),
            Action::Storm(c, s) => format!("Assault {} for {}", space(s), card(c)),
            Action::Influence(c, p) => format!("Influence {} with {}", power(p), card(c)),
            Action::Woo(c) => format!("Try for the advantage marker with {}", card(c)),
            Action::Vassals(c) => format!("Move vassals with {}", card(c)),
            Action::FreeVassal => "Move one vassal without a card".into(),
            Action::Combine(c) => format!("Put {} to another card", card(c)),
            Action::Discard(c) => format!("Discard {}", card(c)),
            Action::Deal => "Take your cards".into(),
            Action::Draw => "Draw a card".into(),
            Action::Pass => "Pass".into(),
            Action::Respond(c) => match view.step() {
                Some(Step::Answer { .. } | Step::Press) => format!("Play {} from {}", siege(c), card(c)),
                _ => format!("Play {}", card(c)),
            },
            Action::Decline => "Play nothing".into(),
            Action::Lead(l) => format!("Activate {}", leader(l)),
            Action::Stack(s) => format!("Activate the cavalry of {}", space(s)),
            Action::Take(s) => format!("Take along {}", sort(s)),
            Action::Leave(s) => format!("Leave {} behind", sort(s)),
            Action::Bring(l) => format!("Take {} along", leader(l)),
            Action::Dismiss(l) => format!("Leave {} behind", leader(l)),
            Action::To(s) => format!("Lay out the way to {}", space(s)),
            Action::Rest => "Lay out a wait there".into(),
            Action::Forget => "Forget the way".into(),
            Action::Go => "Set out".into(),
            Action::Sail(s) => format!("Sail to {}", space(s)),
            Action::Sally => "Attack the besiegers".into(),
            Action::March(s) => match o.march.as_ref().and_then(|m| self.components.way(m.at, s)) {
                Some(way) if way.mp > 1 => format!("March to {} for {} points", space(s), way.mp),
                _ => format!("March to {}", space(s)),
            },
            Action::Passage(s) => format!("March to {} under free passage", space(s)),
            Action::Wait => "Spend a point waiting here".into(),
            Action::Drop(s) => format!("Leave {} here", sort(s)),
            Action::DropLeader(l) => format!("Leave {} here", leader(l)),
            Action::Call => "Call for surrender".into(),
            Action::Besiege => "Begin a siege".into(),
            Action::Halt => "March no further".into(),
            Action::Vassal(s, k) => format!("{} moves from {}", full(k), space(s)),
            Action::Embark(s) => format!("Vassals sail from {}", space(s)),
            Action::Intercept(s, Some(l)) => format!("{} intercepts from {}", self.leader_start(l), space(s)),
            Action::Intercept(s, None) => format!("Cavalry intercepts from {}", space(s)),
            Action::Avoid => "Avoid battle".into(),
            Action::Shadow => "Shadow the army".into(),
            Action::Done => match view.step() {
                Some(Step::Designate { .. }) => "That is all".into(),
                Some(Step::Shelter { .. }) => "Nobody else goes inside".into(),
                Some(Step::Lift { .. }) => "Stay inside".into(),
                Some(Step::Follow { .. }) => "Stop shadowing".into(),
                Some(Step::Rearguard { .. }) => "Stand and fight".into(),
                Some(Step::Garrison { .. } | Step::Man { .. }) => "Leave the garrison low".into(),
                Some(Step::Press) => "End the siege action".into(),
                Some(Step::Winter { .. }) => "The others go home".into(),
                _ => "Done".into(),
            },
            Action::Target(s) => format!("To {}", space(s)),
            Action::Inside(s) => format!("{} goes inside", full(s)),
            Action::InsideLeader(l) => format!("{} goes inside", self.leader_start(l)),
            Action::AllInside => "As many as can go inside".into(),
            Action::Attack => match view.step() {
                Some(Step::Press) => "Assault the walls".into(),
                _ => "Attack".into(),
            },
            Action::Lose(s) => format!("{} loses a step", full(s)),
            Action::LoseInside(s) => format!("{} inside loses a step", full(s)),
            Action::LoseCastle => "The castle’s garrison loses a step".into(),
            Action::Usual => "Take losses as usual".into(),
            Action::Choose(n) => self.offered(view, n),
            Action::PickPower(p) => power(p).to_string(),
            Action::PickLeader(l) => self.leader_start(l).to_string(),
            Action::PickProvince(p) => self.components.provinces[p.number()].name.clone(),
            Action::Place(k, s) => format!("{} comes to {}", capital(&kind(k)), space(s)),
            Action::Commit(n) => match n {
                0 => "Nobody sallies".into(),
                1 => "1 step sallies".into(),
                n => format!("{n} steps sally"),
            },
            Action::Spend => "Spend the advantage marker".into(),
            Action::Keep => "Keep the advantage marker".into(),
            Action::Rebuild(k) => format!("Rebuild {}", kind(k)),
            Action::Restore(s, k) => format!("Restore {} in {}", kind(k), space(s)),
            Action::RestorePool(k) => format!("Restore {} in the force pool", kind(k)),
            Action::Revive(l) => format!("Bring {} back", leader(l)),
            Action::Boost(p) => format!("Spend the advantage marker for {}", power(p)),
            Action::MusterLeader(l, s) => format!("{} musters in {}", self.leader_start(l), space(s)),
            Action::Muster(s, k) => format!("{} musters in {}", full(k), space(s)),
            Action::Fill(s, k) => format!("A step of {} fills the castle of {}", sort(k), space(s)),
            Action::Drain(s, k) => {
                format!("The garrison of {} becomes a reduced {}", space(s), self.components.kind(k).name)
            }
            Action::DrainMore(s, k) => format!("The garrison of {} makes {} full", space(s), kind(k)),
            Action::Ransom(l) => format!("Ransom {}", leader(l)),
            Action::Stays(l) => format!("{} stays", self.leader_start(l)),
            Action::Keeps(s) => format!("{} stays", full(s)),
        }
    }

    /// What one of several offers of an event is.
    fn offered(&self, view: &View, n: u8) -> String {
        let Some(Step::Effects(effects)) = view.step() else { return format!("Choice {}", n + 1) };
        let ops = self.components.list(effects.list);
        let lists = match ops.get(usize::from(effects.at)) {
            Some(crate::data::Op::Choose { of, .. }) => of.as_slice(),
            _ => &[],
        };
        let first = lists.get(usize::from(n)).and_then(|list| self.components.list(*list).first());
        first.map_or_else(|| format!("Choice {}", n + 1), |op| op_in_words(op).to_string())
    }
}

/// How many faces of a die are at most this, where a one always succeeds and a six never does.
pub(crate) fn chances(most: i8) -> String {
    match most.clamp(1, 5) {
        1 => "Only a 1 succeeds".into(),
        most => format!("{most} or less succeeds"),
    }
}

/// What is answered in a window.
const fn answered(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Activation => "the activation",
        Trigger::Move => "the march",
        Trigger::Naval => "the voyage",
        Trigger::SiegeAction => "the siege action",
        Trigger::SiegeEvent => "the siege event",
        Trigger::Interception => "the interception",
        _ => "what was played",
    }
}

/// A name with its article: `an Ayyubid 2-6`, `a reduced Ayyubid 2-6`.
fn with_article(name: &str) -> String {
    let vowel = name.starts_with(['A', 'E', 'I', 'O', 'U']);
    format!("{} {name}", if vowel { "an" } else { "a" })
}

/// The same at the beginning of a sentence.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// An operation in a few words.
fn op_in_words(op: &crate::data::Op) -> &'static str {
    use crate::data::Op;
    match op {
        Op::Choose { .. } => "One of several things",
        Op::Roll { .. } => "Roll a die",
        Op::Reinforce { .. } => "New units come",
        Op::Recover { .. } => "Spend replacement points",
        Op::PlaceLeader { .. } => "A leader comes",
        Op::RemoveLeader { .. } => "A leader goes",
        Op::RemoveUnits { .. } => "Units go",
        Op::LoseSteps { .. } => "Steps are lost",
        Op::RollPerUnit { .. } => "A sickness strikes",
        Op::Attrition { .. } => "An army suffers attrition",
        Op::FlipGarrison { .. } => "Garrisons change",
        Op::PlaceCastle { .. } => "A castle is built",
        _ => "The other thing",
    }
}
