//! The vocabulary at work: one function lists what a part can do now, one function an operation does it, none is
//! for a card. Parts may be done in any order, in part, or not at all [3.2].

use table::{Ballot, Id as _, Readers, Set, Umpire, rule};

use crate::ThirdCrusade;
use crate::action::{Action, Out};
use crate::data::{Effect, Mode, Part, Place, Presence, Target, Whose};
use crate::ids::{Army, Icon, Leader, Order, Owner, Piece, Region, Road, Shape, Slot, UNITS, Unit};
use crate::position::{Column, Deed, Force, Open, Position, Source, Step};
use crate::words::counted;

impl ThirdCrusade {
    /// The parts of what is carried out.
    #[inline]
    pub(crate) fn parts(&self, source: Source) -> &[Part] {
        match source {
            Source::Event(event) => &self.components.events[event].parts,
            Source::Order(order, _) => &self.components.orders[order].parts,
            Source::Reward(treaty, number) => &self.components.treaties[treaty].rewards[usize::from(number)],
            Source::Space(space) => &self.components.spaces[space].parts,
        }
    }

    /// Which of the two regions that `same` can mean a part belongs to: a crown event in the region of the main event
    /// shares its region.
    #[inline]
    fn anchor_of(&self, deed: &Deed, part: &Part) -> usize {
        match deed.source {
            Source::Event(event) if part.crown && self.components.events[event].mode != Mode::SameRegion => 1,
            _ => 0,
        }
    }

    /// Whether a part's turn can come: its branch was not given up, and main and crown event do not exclude it.
    #[inline]
    fn is_open(&self, open: &Open, deed: &Deed, number: usize, part: &Part) -> bool {
        if deed.done >> number & 1 == 1 || part.branch > 0 && deed.branch > 0 && part.branch != deed.branch {
            return false;
        }
        let Source::Event(event) = deed.source else { return true };
        let instead = self.components.events[event].mode == Mode::Instead;
        if instead && deed.begun[usize::from(!part.crown)] {
            return false;
        }
        !part.crown || deed.crowned || self.crown_price(open, deed) == Some(0)
    }

    /// The regions in which a part may be carried out, apart from whether there is anything to do.
    fn regions(&self, open: &Open, deed: &Deed, number: usize) -> Set<Region> {
        let parts = self.parts(deed.source);
        let part = &parts[number];
        if let Some((under_way, _, Some(region))) = deed.under_way
            && usize::from(under_way) == number
        {
            return Set::one(region);
        }
        let Some(place) = part.effect.place() else { return Set::NONE };
        match (place, deed.anchor[self.anchor_of(deed, part)]) {
            (Place::Same, Some(region)) => {
                // What is laid waits for nobody who was beaten there.
                let tokens = matches!(part.effect, Effect::PlaceToken { .. });
                let card = matches!(deed.source, Source::Event(_));
                let lost = self.side_presence(open, region, deed.army.side().other());
                if tokens && card && lost { Set::NONE } else { Set::one(region) }
            }
            // Not chosen yet: it fits the part that names a region, whichever branch that is in.
            (Place::Same, None) => (0..parts.len())
                .filter(|i| {
                    self.leads(deed, *i) && self.anchor_of(deed, &parts[*i]) == self.anchor_of(deed, part)
                })
                .filter(|i| parts[*i].branch == 0 || deed.branch == 0 || parts[*i].branch == deed.branch)
                .filter_map(|i| parts[i].effect.place())
                .fold(Set::NONE, |all, place| all | self.fitting(open, deed.army, place)),
            // It was chosen for a later part, and held when it was.
            (_, Some(region)) if self.leads(deed, number) => Set::one(region),
            (place, _) => self.fitting(open, deed.army, place),
        }
    }

    /// Whether a part is the first to name a region, in its branch.
    fn leads(&self, deed: &Deed, number: usize) -> bool {
        let parts = self.parts(deed.source);
        let part = &parts[number];
        let names = |other: &Part| {
            self.anchor_of(deed, other) == self.anchor_of(deed, part)
                && other.effect.place().is_some_and(|place| place != Place::Same)
        };
        names(part)
            && !parts[..number]
                .iter()
                .any(|other| names(other) && (other.branch == 0 || other.branch == part.branch))
    }

    /// The regions that fit a place.
    fn fitting(&self, open: &Open, army: Army, place: Place) -> Set<Region> {
        match place {
            Place::Fits(presence, sort) => {
                let ground = match presence {
                    // Only next to where the army stands.
                    Presence::Adjacent => {
                        let own = open.table.ground.iter().filter(|r| self.presence(open, *r, army));
                        return own
                            .fold(Set::NONE, |all, r| all | self.beside(open, r))
                            .iter()
                            .filter(|r| self.is(open, *r, sort))
                            .collect();
                    }
                    _ => open.table.ground,
                };
                ground
                    .iter()
                    .filter(|r| self.is(open, *r, sort) && self.meets(open, *r, army, presence))
                    .collect()
            }
            Place::At(region) => Set::one(region) & open.table.ground,
            Place::Leader(leader) => open.whereabouts(leader).map_or(Set::NONE, Set::one),
            Place::Same => Set::NONE,
        }
    }

    /// Whose Units a muster brings, if they can come.
    #[inline]
    fn mustered(&self, open: &Open, army: Army, whose: Whose) -> Option<Owner> {
        match whose {
            Whose::Own => Some(army.owner()),
            Whose::Ally => open.partner(army).map(Army::owner),
            Whose::Neutral => Some(Owner::neutral()),
        }
    }

    /// Units of an owner that can still be mustered.
    #[inline]
    fn available(&self, open: &Open, owner: Owner, unit: Unit) -> u8 {
        owner.army().map_or(u8::MAX, |army| self.in_pool(open, army, unit))
    }

    /// Whether an owner's pieces are a target.
    #[inline]
    fn is_target(target: Target, owner: Owner, leader: bool) -> bool {
        match target {
            Target::Side(side) => owner.army().map_or(leader, |army| army.side() == side),
            Target::Army(army) => owner == army.owner(),
            Target::Neutral => owner == Owner::neutral(),
            Target::Anyone => true,
        }
    }

    /// Whether pieces of a deed may be shared out over several regions.
    #[inline]
    fn spreads(deed: &Deed) -> bool {
        matches!(deed.source, Source::Space(_))
    }

    /// How many of a part are left.
    #[inline]
    fn left(deed: &Deed, number: usize, all: u8) -> u8 {
        match deed.under_way {
            Some((under_way, left, _)) if usize::from(under_way) == number => left,
            _ => all,
        }
    }

    /// Lists what the parts of a deed can do; `act` is told each, and says whether it wants more.
    fn each_deed(&self, open: &Open, deed: &Deed, act: &mut impl FnMut(Action) -> bool) {
        for (number, part) in self.parts(deed.source).iter().enumerate() {
            if self.is_open(open, deed, number, part) && !self.each_of(open, deed, number, part, act) {
                return;
            }
        }
    }

    /// The same for one part.
    fn each_of(
        &self,
        open: &Open,
        deed: &Deed,
        number: usize,
        part: &Part,
        act: &mut impl FnMut(Action) -> bool,
    ) -> bool {
        let (army, n) = (deed.army, number as u8);
        let regions = || self.regions(open, deed, number).iter();
        match part.effect {
            Effect::Glory(_)
            | Effect::Faith(_)
            | Effect::Gold(_)
            | Effect::BaseCommand(_)
            | Effect::Command(_) => act(Action::Part(n)),
            Effect::FlipLeader(leader) => {
                let stands = open.whereabouts(leader).is_some() && !open.flipped.has(leader);
                !stands || act(Action::Part(n))
            }
            Effect::DiplomacyMove(_) => self.reachable(open, army).is_empty() || act(Action::Part(n)),
            Effect::Muster { unit, n: all, whose, .. } => {
                let Some(owner) = self.mustered(open, army, whose) else { return true };
                let most = Self::left(deed, number, all).min(self.available(open, owner, unit));
                if most == 0 {
                    return true;
                }
                let (shape, each) = (unit.shape(), if Self::spreads(deed) { 1 } else { most });
                for region in regions() {
                    let room = self.room(open, region, shape).min(each);
                    if !(1..=room).rev().all(|k| act(Action::Place(n, region, k))) {
                        return false;
                    }
                    if room == 0 && Self::spreads(deed) && !self.each_swap(open, deed, n, region, shape, act)
                    {
                        return false;
                    }
                }
                true
            }
            Effect::PlaceToken { icon, n: all, .. } => {
                let left = Self::left(deed, number, all);
                let each = if Self::spreads(deed) { 1 } else { left };
                for region in regions() {
                    let room = self.token_room(open, region, icon).min(each);
                    if !(1..=room).rev().all(|k| act(Action::Place(n, region, k))) {
                        return false;
                    }
                    if room == 0 && Self::spreads(deed) {
                        let shape = self.components.figures.tokens[icon as usize];
                        if !self.each_swap(open, deed, n, region, shape, act) {
                            return false;
                        }
                    }
                }
                true
            }
            Effect::PlaceLeader { leader, .. } => {
                if !open.away.has(leader) {
                    return true;
                }
                let shape = self.face(open, leader).shape;
                regions().filter(|r| self.room(open, *r, shape) > 0).all(|r| act(Action::Place(n, r, 1)))
            }
            Effect::NeutralLeader { .. } => {
                for leader in open.away & self.components.pool {
                    let shape = self.face(open, leader).shape;
                    for region in regions().filter(|r| self.room(open, *r, shape) > 0) {
                        if !act(Action::Settle(n, leader, region)) {
                            return false;
                        }
                    }
                }
                true
            }
            Effect::RemoveUnit { unit, target, .. } => {
                for region in regions() {
                    for (owner, units) in open.lands[region].units.iter() {
                        if !Self::is_target(target, owner, false) {
                            continue;
                        }
                        for kind in UNITS {
                            if units[kind as usize] > 0
                                && unit.is_none_or(|wanted| wanted == kind)
                                && !act(Action::Remove(n, region, Piece::Unit(owner, kind)))
                            {
                                return false;
                            }
                        }
                    }
                }
                true
            }
            Effect::RemoveLeader { target, .. } => {
                for region in regions() {
                    for leader in open.lands[region].leaders {
                        if Self::is_target(target, self.leader_owner(leader), true)
                            && !act(Action::Slay(n, leader))
                        {
                            return false;
                        }
                    }
                }
                true
            }
            Effect::RemoveToken { icon, n: all, .. } => {
                let left = Self::left(deed, number, all);
                regions().all(|region| {
                    let there = self.tokens(open, region, icon).min(left);
                    (1..=there).rev().all(|k| act(Action::Place(n, region, k)))
                })
            }
            Effect::Sabotage { .. } => regions().all(|region| {
                self.sabotage_slots(open, region).iter().all(|slot| act(Action::Spot(n, region, slot)))
            }),
            Effect::Repair { .. } => regions().all(|region| {
                self.repair_slots(open, region).iter().all(|slot| act(Action::Spot(n, region, slot)))
            }),
            Effect::DestroyPort { .. } => {
                regions().filter(|r| self.ports(open, *r) > 0).all(|r| act(Action::Place(n, r, 1)))
            }
            Effect::Bandit(_) => self.open_roads(open).all(|road| act(Action::Road(n, road))),
            Effect::RemoveBandit(_) => {
                self.open_roads(open).filter(|r| open.bandits[*r] > 0).all(|r| act(Action::Road(n, r)))
            }
            Effect::March { kind, .. } => {
                regions().filter(|r| self.can_march(open, army, kind, *r)).all(|r| act(Action::March(n, r)))
            }
            Effect::AdvancedOrder(_) => {
                self.unowned(open, army).iter().all(|order| act(Action::Gain(n, order)))
            }
            Effect::Defence(_)
            | Effect::Reinforce(_)
            | Effect::Diversion
            | Effect::TacticalRetreat
            | Effect::Blank => true,
        }
    }

    /// What a gain of the diplomacy board may be put in the place of, where a region is full [4.5].
    fn each_swap(
        &self,
        open: &Open,
        deed: &Deed,
        n: u8,
        region: Region,
        shape: Shape,
        act: &mut impl FnMut(Action) -> bool,
    ) -> bool {
        let parts = self.parts(deed.source);
        let token = matches!(parts[usize::from(n)].effect, Effect::PlaceToken { .. });
        let works = &open.works[region];
        // A token needs a Slot without a token, and no piece that has to stand there.
        let free =
            |s: &Slot| shape.slots() & !works.sabotage & (1 << s.number()) != 0 && works.tokens[*s].is_none();
        if token && !Slot::all().any(|slot| free(&slot)) {
            return self.room(open, region, shape) == 0
                || self.each_token_swap(open, parts, n, region, shape, act);
        }
        for owner in [deed.army.owner(), Owner::neutral()] {
            let units = open.lands[region].units[owner][shape as usize] > 0;
            // A white Unit in the place of a white Unit changes nothing.
            if units
                && (token || owner != Owner::neutral())
                && !act(Action::Replace(n, region, Out::Unit(owner)))
            {
                return false;
            }
        }
        true
    }

    /// Tokens that another token may take the place of.
    fn each_token_swap(
        &self,
        open: &Open,
        parts: &[Part],
        n: u8,
        region: Region,
        shape: Shape,
        act: &mut impl FnMut(Action) -> bool,
    ) -> bool {
        let Effect::PlaceToken { icon, .. } = parts[usize::from(n)].effect else { return true };
        let works = &open.works[region];
        let mut seen = [false; 5];
        for slot in Slot::all().filter(|s| shape.slots() & !works.sabotage & (1 << s.number()) != 0) {
            let Some(other) = works.tokens[slot].filter(|other| *other != icon) else { continue };
            if !std::mem::replace(&mut seen[other as usize], true)
                && !act(Action::Replace(n, region, Out::Token(other)))
            {
                return false;
            }
        }
        true
    }

    /// How many tokens of an icon find Slots in a region.
    fn token_room(&self, open: &Open, region: Region, icon: Icon) -> u8 {
        let shape = self.components.figures.tokens[icon as usize];
        if self.room(open, region, shape) == 0 {
            return 0;
        }
        let works = &open.works[region];
        let free = |slot: &Slot| {
            shape.slots() & !works.sabotage & (1 << slot.number()) != 0 && works.tokens[*slot].is_none()
        };
        Slot::all().filter(free).count() as u8
    }

    /// The roads of the boards in play.
    fn open_roads<'a>(&'a self, open: &'a Open) -> impl Iterator<Item = Road> + 'a {
        let roads = self.components.roads.iter().enumerate();
        roads
            .filter(|(_, (a, b))| open.table.ground.has(*a) && open.table.ground.has(*b))
            .map(|(number, _)| Road::at(number))
    }

    /// Advanced Orders that an army does not have yet.
    #[inline]
    pub(crate) fn unowned(&self, open: &Open, army: Army) -> Set<Order> {
        let all = self.components.orders_of[army] - open.bought;
        all.iter().filter(|order| self.components.orders[*order].advanced).collect()
    }

    pub(super) fn list_parts(&self, p: &Position, deed: &Deed, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        self.each_deed(&p.open, deed, &mut |action| {
            ballot.allow(action);
            true
        });
        if self.may_pay_for_crowns(&p.open, deed) {
            ballot.allow(Action::Crown);
        } else if let Source::Event(event) = deed.source
            && ballot.explains()
            && self.crown_price(&p.open, deed).is_some_and(|price| price > 0)
        {
            let needs = self.components.events[event].crowns;
            let why = if self.crown_is_shut(deed) {
                "the main event was executed, and the crown event would take its place".to_string()
            } else {
                format!("the crown event needs {needs} crowns, and the gold for those missing is not there")
            };
            ballot.refuse(Action::Crown, rule!("3.3"), format_args!("{why}"));
        }
        ballot.allow(Action::Done);
        if ballot.explains() {
            self.refuse_parts(p, deed, ballot);
        }
    }

    /// Why parts cannot be carried out elsewhere.
    fn refuse_parts(&self, p: &Position, deed: &Deed, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let open = &p.open;
        for (number, part) in self.parts(deed.source).iter().enumerate() {
            let n = number as u8;
            if deed.done >> number & 1 == 1 {
                continue;
            }
            if !self.is_open(open, deed, number, part) {
                let (rule, why) = if part.branch > 0 && deed.branch > 0 && part.branch != deed.branch {
                    (rule!("3.4"), "the other effect of the OR was chosen")
                } else if self.crown_is_shut(deed) || !part.crown {
                    (rule!("3.4"), "main event and crown event exclude each other")
                } else {
                    (rule!("3.3"), "the crowns do not suffice")
                };
                self.refuse_all_of(open, part, n, (rule, why), ballot);
                continue;
            }
            self.refuse_elsewhere(open, deed, number, part, ballot);
        }
    }

    /// Why an open part cannot be carried out in other regions, on other Slots, with other pieces.
    fn refuse_elsewhere(
        &self,
        open: &Open,
        deed: &Deed,
        number: usize,
        part: &Part,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let n = number as u8;
        let fitting = self.regions(open, deed, number);
        let wrong_place = "that region is not what the effect asks for";
        for region in open.table.ground {
            let fits = fitting.has(region);
            match part.effect {
                Effect::Muster { unit, n: all, whose, .. } if fits => {
                    let left = Self::left(deed, number, all);
                    let owner = self.mustered(open, deed.army, whose);
                    let pool = owner.map_or(0, |owner| self.available(open, owner, unit));
                    let room = self.room(open, region, unit.shape());
                    for k in room.min(pool).min(left) + 1..=left {
                        let (rule, why) = if k > pool {
                            (rule!("glossary.muster"), "so many are not left on the board")
                        } else if k > room {
                            (rule!("glossary.slots"), "more pieces than find Slots there")
                        } else {
                            continue;
                        };
                        ballot.refuse(Action::Place(n, region, k), rule, format_args!("{why}"));
                    }
                }
                Effect::PlaceToken { icon, .. } if fits && self.token_room(open, region, icon) == 0 => {
                    ballot.refuse(
                        Action::Place(n, region, 1),
                        rule!("glossary.resources"),
                        format_args!("no Slot is left for the token there"),
                    );
                }
                Effect::PlaceLeader { leader, .. } if fits => {
                    let (rule, why) = if !open.away.has(leader) {
                        (rule!("glossary.named-leader"), "he is on the map already, or out of the game")
                    } else if self.room(open, region, self.face(open, leader).shape) == 0 {
                        (rule!("glossary.slots"), "no Slot of his shape is free there")
                    } else {
                        continue;
                    };
                    ballot.refuse(Action::Place(n, region, 1), rule, format_args!("{why}"));
                }
                Effect::Sabotage { .. } => self.refuse_sabotage(open, n, region, fits, ballot),
                Effect::March { kind, .. } if !fits || !self.can_march(open, deed.army, kind, region) => {
                    ballot.refuse(
                        Action::March(n, region),
                        rule!("3.2"),
                        format_args!("the march does not begin there"),
                    );
                }
                Effect::RemoveUnit { unit, target, .. } => {
                    for piece in open.lands[region].kinds() {
                        let (rule, why) = match piece {
                            Piece::Leader(_) => (rule!("glossary.unit"), "a leader is no Unit"),
                            Piece::Unit(owner, kind) => {
                                let meant = Self::is_target(target, owner, false)
                                    && unit.is_none_or(|wanted| wanted == kind);
                                if fits && meant {
                                    continue;
                                }
                                (rule!("3.2"), "that is not what the effect asks for")
                            }
                        };
                        ballot.refuse(Action::Remove(n, region, piece), rule, format_args!("{why}"));
                    }
                }
                Effect::RemoveLeader { target, .. } => {
                    for leader in open.lands[region].leaders {
                        if !fits || !Self::is_target(target, self.leader_owner(leader), true) {
                            ballot.refuse(
                                Action::Slay(n, leader),
                                rule!("3.2"),
                                format_args!("{wrong_place}"),
                            );
                        }
                    }
                }
                Effect::Muster { .. }
                | Effect::PlaceToken { .. }
                | Effect::PlaceLeader { .. }
                | Effect::RemoveToken { .. }
                | Effect::DestroyPort { .. }
                    if !fits =>
                {
                    ballot.refuse(Action::Place(n, region, 1), rule!("3.2"), format_args!("{wrong_place}"));
                }
                _ => {}
            }
        }
        match part.effect {
            Effect::Bandit(_) | Effect::RemoveBandit(_) => {
                for (i, (a, b)) in self.components.roads.iter().enumerate() {
                    if !open.table.ground.has(*a) || !open.table.ground.has(*b) {
                        ballot.refuse(
                            Action::Road(n, Road::at(i)),
                            rule!("setup.4"),
                            format_args!("that road leads off the boards in play"),
                        );
                    }
                }
            }
            Effect::AdvancedOrder(_) => {
                for order in self.bought_by(open, deed.army) {
                    ballot.refuse(
                        Action::Gain(n, order),
                        rule!("glossary.advanced-order"),
                        format_args!("it is in the box already"),
                    );
                }
            }
            _ => {}
        }
    }

    fn refuse_sabotage(
        &self,
        open: &Open,
        n: u8,
        region: Region,
        fits: bool,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let can = if fits { self.sabotage_slots(open, region) } else { Set::NONE };
        for slot in Set::<Slot>::all() - can {
            let why = if region == self.components.jerusalem {
                "Jerusalem cannot be sabotaged"
            } else if !fits {
                "that region is not what the effect asks for"
            } else if open.works[region].sabotage >> slot.number() & 1 == 1 {
                "it is sabotaged already"
            } else if self.room(open, region, Shape::of(slot)) == 0 {
                "a piece has to stand there"
            } else {
                "another Slot just like it is offered"
            };
            ballot.refuse(Action::Spot(n, region, slot), rule!("glossary.sabotage"), format_args!("{why}"));
        }
    }

    /// Refuses whatever a part could do that is not open now.
    fn refuse_all_of(
        &self,
        open: &Open,
        part: &Part,
        n: u8,
        (rule, why): (table::Rule, &str),
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        match part.effect {
            Effect::Bandit(_) | Effect::RemoveBandit(_) => {
                for road in self.open_roads(open) {
                    ballot.refuse(Action::Road(n, road), rule, format_args!("{why}"));
                }
            }
            Effect::AdvancedOrder(_) => {
                for order in Order::all().filter(|o| self.components.orders[*o].advanced) {
                    ballot.refuse(Action::Gain(n, order), rule, format_args!("{why}"));
                }
            }
            effect if effect.place().is_none() => ballot.refuse(Action::Part(n), rule, format_args!("{why}")),
            effect => {
                for region in open.table.ground {
                    match effect {
                        Effect::March { .. } => {
                            ballot.refuse(Action::March(n, region), rule, format_args!("{why}"))
                        }
                        Effect::Sabotage { .. } | Effect::Repair { .. } => {
                            for slot in Slot::all() {
                                ballot.refuse(Action::Spot(n, region, slot), rule, format_args!("{why}"));
                            }
                        }
                        Effect::RemoveUnit { .. } => {
                            for piece in open.lands[region].kinds() {
                                ballot.refuse(Action::Remove(n, region, piece), rule, format_args!("{why}"));
                            }
                        }
                        Effect::Muster { n: all, .. } | Effect::PlaceToken { n: all, .. } => {
                            for k in 1..=all {
                                ballot.refuse(Action::Place(n, region, k), rule, format_args!("{why}"));
                            }
                        }
                        _ => ballot.refuse(Action::Place(n, region, 1), rule, format_args!("{why}")),
                    }
                }
            }
        }
    }

    /// Whether the crown event was given up for the main event.
    fn crown_is_shut(&self, deed: &Deed) -> bool {
        let Source::Event(event) = deed.source else { return true };
        self.components.events[event].mode == Mode::Instead && deed.begun[0]
    }

    /// Whether gold can buy the crowns that are missing, and there would be something to do.
    fn may_pay_for_crowns(&self, open: &Open, deed: &Deed) -> bool {
        if self.crown_is_shut(deed) || deed.crowned {
            return false;
        }
        let Some(price) = self.crown_price(open, deed).filter(|price| *price > 0) else { return false };
        if price > open.gold[deed.army] {
            return false;
        }
        let paid = Deed { crowned: true, ..*deed };
        let parts = self.parts(deed.source).iter().enumerate();
        for (number, part) in parts.filter(|(_, part)| part.crown) {
            if !self.is_open(open, &paid, number, part) {
                continue;
            }
            if !self.each_of(open, &paid, number, part, &mut |_| false) {
                return true;
            }
        }
        false
    }

    /// Whether anything is left that a deed could do.
    fn can_go_on(&self, open: &Open, deed: &Deed) -> bool {
        let mut can = false;
        self.each_deed(open, deed, &mut |_| {
            can = true;
            false
        });
        can || self.may_pay_for_crowns(open, deed)
    }

    pub(super) fn doing(&self, p: &mut Position, deed: &Deed, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        if self.can_go_on(&p.open, deed) {
            return true;
        }
        self.finish_deed(p, deed, umpire);
        false
    }

    /// Carries out a part, or a piece of it.
    pub(super) fn carry_out(&self, p: &mut Position, action: Action, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(Step::Deed(mut deed)) = p.open.agenda.now().copied() else { return };
        let (number, region, count) = match action {
            Action::Part(n) => (n, None, u8::MAX),
            Action::Place(n, region, k) => (n, Some(region), k),
            Action::Spot(n, region, _) | Action::Remove(n, region, _) | Action::Replace(n, region, _) => {
                (n, Some(region), 1)
            }
            Action::Settle(n, _, region) => (n, Some(region), 1),
            Action::March(n, region) => (n, Some(region), u8::MAX),
            Action::Slay(n, leader) => (n, p.open.whereabouts(leader), 1),
            Action::Road(n, _) | Action::Gain(n, _) => (n, None, 1),
            _ => return,
        };
        let part = self.parts(deed.source)[usize::from(number)];
        self.note_begun(p, &mut deed, number, &part, region, count, umpire);
        if let Some(now) = Self::deed_mut(p) {
            *now = deed;
        }
        self.perform(p, &deed, &part, action, umpire);
    }

    /// Keeps account of what a deed has done: its branch, its region, how many of a part are left.
    #[allow(clippy::too_many_arguments)]
    fn note_begun(
        &self,
        p: &Position,
        deed: &mut Deed,
        number: u8,
        part: &Part,
        region: Option<Region>,
        count: u8,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let index = usize::from(number);
        if part.crown && !deed.crowned {
            umpire.cite(rule!("3.3"));
            deed.crowned = true;
        }
        if part.branch > 0 {
            umpire.cite(rule!("3.4"));
            deed.branch = part.branch;
        }
        if let Source::Event(event) = deed.source
            && self.components.events[event].mode == Mode::Instead
        {
            umpire.cite(rule!("3.4"));
        }
        deed.begun[usize::from(part.crown)] = true;
        let anchor = self.anchor_of(deed, part);
        if let (Some(region), Some(place)) = (region, part.effect.place()) {
            let leads = !Self::spreads(deed) && (place == Place::Same || self.leads(deed, index));
            match place {
                Place::Same => umpire.cite(rule!("3.4")),
                Place::At(_) | Place::Leader(_) => umpire.cite(rule!("glossary.named-region")),
                Place::Fits(..) => {}
            }
            if leads && deed.anchor[anchor].is_none() {
                deed.anchor[anchor] = Some(region);
            }
        }
        let all = match part.effect {
            Effect::Muster { n, .. }
            | Effect::RemoveUnit { n, .. }
            | Effect::RemoveLeader { n, .. }
            | Effect::PlaceToken { n, .. }
            | Effect::RemoveToken { n, .. }
            | Effect::Sabotage { n, .. }
            | Effect::Repair { n, .. }
            | Effect::DestroyPort { n, .. }
            | Effect::Bandit(n)
            | Effect::RemoveBandit(n)
            | Effect::AdvancedOrder(n) => n,
            _ => 1,
        };
        let left = Self::left(deed, index, all).saturating_sub(count);
        let fought = region.is_some_and(|r| self.side_presence(&p.open, r, deed.army.side().other()));
        let musters = matches!(part.effect, Effect::Muster { .. } | Effect::PlaceLeader { .. });
        // Pieces of one effect go to one region together; what is not placed at once is not placed [3.5].
        let over = matches!(
            part.effect,
            Effect::Muster { .. } | Effect::PlaceToken { .. } | Effect::RemoveToken { .. }
        ) && !Self::spreads(deed)
            || musters && fought;
        if left == 0 || over {
            deed.done |= 1 << number;
            deed.under_way = deed.under_way.filter(|(n, ..)| *n != number);
        } else {
            let bound = region.filter(|_| !Self::spreads(deed));
            deed.under_way = Some((number, left, bound));
        }
    }

    /// One function an operation.
    fn perform(
        &self,
        p: &mut Position,
        deed: &Deed,
        part: &Part,
        action: Action,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let army = deed.army;
        match (part.effect, action) {
            (Effect::Glory(n), _) => self.do_glory(p, army, n, umpire),
            (Effect::Faith(n), _) => self.do_faith(p, army, n, umpire),
            (Effect::Gold(n), _) => self.do_gold(p, army, n, umpire),
            (Effect::BaseCommand(n), _) => self.do_base_command(p, army, n, umpire),
            (Effect::Command(n), _) => self.do_command(p, army, n, umpire),
            (Effect::FlipLeader(leader), _) => self.do_flip(p, leader, umpire),
            (Effect::DiplomacyMove(left), _) => p.open.agenda.push(Step::Advance { army, left }),
            (Effect::Muster { unit, whose, .. }, Action::Place(_, region, k)) => {
                let Some(owner) = self.mustered(&p.open, army, whose) else { return };
                self.do_muster(p, army, owner, unit, k, region, umpire);
            }
            (Effect::Muster { unit, whose, .. }, Action::Replace(_, region, out)) => {
                let Some(owner) = self.mustered(&p.open, army, whose) else { return };
                self.do_replace(p, region, unit.shape(), out, umpire);
                self.do_muster(p, army, owner, unit, 1, region, umpire);
            }
            (Effect::PlaceToken { icon, .. }, Action::Place(_, region, k)) => {
                self.do_tokens(p, region, icon, k, umpire);
            }
            (Effect::PlaceToken { icon, .. }, Action::Replace(_, region, out)) => {
                self.do_replace(p, region, self.components.figures.tokens[icon as usize], out, umpire);
                self.do_tokens(p, region, icon, 1, umpire);
            }
            (Effect::PlaceLeader { leader, .. }, Action::Place(_, region, _)) => {
                self.do_leader(p, army, leader, region, umpire);
            }
            (Effect::NeutralLeader { .. }, Action::Settle(_, leader, region)) => {
                self.do_leader(p, army, leader, region, umpire);
            }
            (Effect::RemoveUnit { .. }, Action::Remove(_, region, piece)) => {
                self.do_remove_unit(p, region, piece, umpire);
            }
            (Effect::RemoveLeader { .. }, Action::Slay(_, leader)) => self.do_slay(p, leader, umpire),
            (Effect::RemoveToken { icon, .. }, Action::Place(_, region, k)) => {
                self.do_remove_tokens(p, region, icon, k, umpire);
            }
            (Effect::Sabotage { .. }, Action::Spot(_, region, slot)) => {
                self.do_sabotage(p, army, region, slot, umpire);
            }
            (Effect::Repair { .. }, Action::Spot(_, region, slot)) => self.do_repair(p, region, slot, umpire),
            (Effect::DestroyPort { .. }, Action::Place(_, region, _)) => {
                self.do_destroy_port(p, region, umpire)
            }
            (Effect::Bandit(_), Action::Road(_, road)) => self.do_bandit(p, road, umpire),
            (Effect::RemoveBandit(_), Action::Road(_, road)) => self.do_remove_bandit(p, road, umpire),
            (Effect::March { .. }, Action::March(n, region)) => self.begin_march(p, n, region, umpire),
            (Effect::AdvancedOrder(_), Action::Gain(_, order)) => self.do_gain(p, army, order, umpire),
            _ => {}
        }
    }

    fn do_glory(&self, p: &mut Position, army: Army, n: i8, umpire: &mut (impl Umpire + ?Sized)) {
        self.gain_glory(p, army.side(), n);
        let who = self.components.army(army);
        umpire.note(
            Readers::ALL,
            rule!("glossary.glory"),
            format_args!("{who} moves the Glory marker by {n}"),
        );
        umpire.cite(rule!("goal.1"));
        umpire.cite(rule!("glossary.alliance"));
    }

    fn do_faith(&self, p: &mut Position, army: Army, n: i8, umpire: &mut (impl Umpire + ?Sized)) {
        self.gain_faith(p, army, n);
        let who = self.components.army(army);
        let verb = if n < 0 { "loses" } else { "gains" };
        umpire.note(Readers::ALL, rule!("glossary.faith"), format_args!("{who} {verb} {} Faith", n.abs()));
    }

    fn do_gold(&self, p: &mut Position, army: Army, n: i8, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.gold[army] = p.open.gold[army].saturating_add_signed(n);
        let who = self.components.army(army);
        let verb = if n < 0 { "loses" } else { "gains" };
        umpire.note(Readers::ALL, rule!("3.2"), format_args!("{who} {verb} {} gold", n.abs()));
    }

    fn do_base_command(&self, p: &mut Position, army: Army, n: i8, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.bonus[army] = p.open.bonus[army].saturating_add_signed(n);
        let who = self.components.army(army);
        umpire.note(Readers::ALL, rule!("3.6"), format_args!("{who} gains {n} base command"));
    }

    fn do_command(&self, p: &mut Position, army: Army, n: i8, umpire: &mut (impl Umpire + ?Sized)) {
        let most = self.components.figures.tracks[Icon::Command as usize];
        p.open.command[army] = p.open.command[army].saturating_add_signed(n).min(most);
        if umpire.writes() {
            let (who, points) = (self.components.army(army), counted(n, "command point", "command points"));
            umpire.note(Readers::ALL, rule!("3.6"), format_args!("{who} gains {points} for this round"));
        }
    }

    fn do_flip(&self, p: &mut Position, leader: Leader, umpire: &mut (impl Umpire + ?Sized)) {
        let before = &self.face(&p.open, leader).name;
        p.open.flipped.insert(leader);
        let after = &self.face(&p.open, leader).name;
        umpire.note(
            Readers::ALL,
            rule!("glossary.named-leader"),
            format_args!("{after} takes the place of {before}"),
        );
    }

    #[allow(clippy::too_many_arguments)]
    fn do_muster(
        &self,
        p: &mut Position,
        army: Army,
        owner: Owner,
        unit: Unit,
        n: u8,
        region: Region,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let mut force = Force::none();
        force.units[owner][unit as usize] = n;
        if umpire.writes() {
            let (whose, units) = (self.owner_name(owner), counted(n, unit.name(), unit.many()));
            let place = self.components.place(region);
            umpire.note(
                Readers::ALL,
                rule!("glossary.muster"),
                format_args!("{whose} musters {units} in {place}"),
            );
        }
        umpire.cite(match unit {
            Unit::Infantry => rule!("glossary.infantry"),
            Unit::Cavalry => rule!("glossary.cavalry"),
            Unit::Siege => rule!("glossary.siege-engine"),
        });
        self.arrive(p, army, force, region, umpire);
    }

    /// Pieces of a card or order come to a region; where enemies stand, they attack [3.5].
    fn arrive(
        &self,
        p: &mut Position,
        army: Army,
        force: Force,
        region: Region,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        if !self.side_presence(&p.open, region, army.side().other()) {
            p.open.lands[region].add(&force);
            umpire.cite(rule!("glossary.control"));
            return;
        }
        umpire.cite(rule!("3.5"));
        let column = Column {
            army,
            force,
            from: None,
            to: region,
            sea: false,
            ignores: true,
            strength: 0,
            struck: true,
            back: false,
        };
        p.open.columns.push(column);
        p.open.agenda.push(Step::Columns);
    }

    fn do_leader(
        &self,
        p: &mut Position,
        army: Army,
        leader: Leader,
        region: Region,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.away.remove(leader);
        let (name, place) = (&self.face(&p.open, leader).name, self.components.place(region));
        umpire.note(Readers::ALL, rule!("glossary.named-leader"), format_args!("{name} comes to {place}"));
        let mut force = Force::none();
        force.leaders.insert(leader);
        self.arrive(p, army, force, region, umpire);
    }

    fn do_tokens(
        &self,
        p: &mut Position,
        region: Region,
        icon: Icon,
        n: u8,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        for _ in 0..n {
            if let Some(slot) = self.token_slot(&p.open, region, icon) {
                p.open.works[region].tokens[slot] = Some(icon);
            }
        }
        if umpire.writes() {
            let place = self.components.place(region);
            let tokens = counted(n, &format!("{} token", icon.name()), &format!("{} tokens", icon.name()));
            umpire.note(Readers::ALL, rule!("glossary.resources"), format_args!("{tokens} laid in {place}"));
            umpire.cite(rule!("glossary.upgrade"));
        }
    }

    /// Makes room for a gain of the diplomacy board [4.5].
    fn do_replace(
        &self,
        p: &mut Position,
        region: Region,
        shape: Shape,
        out: Out,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        match out {
            Out::Unit(owner) => p.open.lands[region].units[owner][shape as usize] -= 1,
            Out::Token(icon) => {
                let works = &mut p.open.works[region];
                let slot = Slot::all().find(|s| {
                    shape.slots() & !works.sabotage & (1 << s.number()) != 0 && works.tokens[*s] == Some(icon)
                });
                if let Some(slot) = slot {
                    works.tokens[slot] = None;
                }
            }
        }
        let place = self.components.place(region);
        umpire.note(Readers::ALL, rule!("4.5"), format_args!("Something makes room for it in {place}"));
    }

    fn do_remove_unit(
        &self,
        p: &mut Position,
        region: Region,
        piece: Piece,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        p.open.lands[region].take(piece);
        if umpire.writes() {
            let (what, place) = (self.piece_words(&p.open, piece), self.components.place(region));
            umpire.note(
                Readers::ALL,
                rule!("glossary.unit"),
                format_args!("{} is removed from {place}", crate::words::sentence(&what)),
            );
        }
    }

    fn do_slay(&self, p: &mut Position, leader: Leader, umpire: &mut (impl Umpire + ?Sized)) {
        if let Some(region) = p.open.whereabouts(leader) {
            p.open.lands[region].leaders.remove(leader);
        }
        let name = &self.face(&p.open, leader).name;
        umpire.note(Readers::ALL, rule!("glossary.assassination"), format_args!("{name} is killed"));
    }

    fn do_remove_tokens(
        &self,
        p: &mut Position,
        region: Region,
        icon: Icon,
        n: u8,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let works = &mut p.open.works[region];
        for _ in 0..n {
            // Of those alike one that pays goes before one under Sabotage.
            let alike = Slot::all().filter(|slot| works.tokens[*slot] == Some(icon));
            if let Some(slot) = alike.min_by_key(|slot| works.sabotage >> slot.number() & 1) {
                works.tokens[slot] = None;
            }
        }
        if umpire.writes() {
            let place = self.components.place(region);
            let gone = counted(n, &format!("{} token", icon.name()), &format!("{} tokens", icon.name()));
            umpire.note(
                Readers::ALL,
                rule!("glossary.resources"),
                format_args!("{gone} removed from {place}"),
            );
        }
    }

    fn do_sabotage(
        &self,
        p: &mut Position,
        army: Army,
        region: Region,
        slot: Slot,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let hides = self.slot_icon(&p.open, region, slot);
        p.open.works[region].sabotage |= 1 << slot.number();
        let (who, place) = (self.components.army(army), self.components.place(region));
        let what = hides.map_or(Shape::of(slot).name(), Icon::name);
        umpire.note(
            Readers::ALL,
            rule!("glossary.sabotage"),
            format_args!("{who} sabotages a {what} Slot of {place}"),
        );
    }

    fn do_repair(&self, p: &mut Position, region: Region, slot: Slot, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.works[region].sabotage &= !(1 << slot.number());
        let place = self.components.place(region);
        umpire.note(Readers::ALL, rule!("glossary.repair"), format_args!("Sabotage in {place} is repaired"));
    }

    fn do_destroy_port(&self, p: &mut Position, region: Region, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.works[region].ruined += 1;
        let place = self.components.place(region);
        umpire.note(
            Readers::ALL,
            rule!("glossary.destroyed-port"),
            format_args!("A port of {place} is destroyed for good"),
        );
    }

    fn do_bandit(&self, p: &mut Position, road: Road, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.bandits[road] += 1;
        let (a, b) = self.components.ends(road);
        umpire.note(
            Readers::ALL,
            rule!("glossary.bandit"),
            format_args!(
                "Bandits lie on the road from {} to {}",
                self.components.place(a),
                self.components.place(b)
            ),
        );
        umpire.cite(rule!("glossary.road"));
    }

    fn do_remove_bandit(&self, p: &mut Position, road: Road, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.bandits[road] -= 1;
        let (a, b) = self.components.ends(road);
        umpire.note(
            Readers::ALL,
            rule!("glossary.bandit"),
            format_args!(
                "Bandits leave the road from {} to {}",
                self.components.place(a),
                self.components.place(b)
            ),
        );
    }

    fn do_gain(&self, p: &mut Position, army: Army, order: Order, umpire: &mut (impl Umpire + ?Sized)) {
        p.open.bought.insert(order);
        let (who, title) = (self.components.army(army), &self.components.orders[order].title);
        umpire.note(
            Readers::ALL,
            rule!("glossary.advanced-order"),
            format_args!("{who} gains the Advanced Order {title}"),
        );
    }
}
