//! Battles after their decision [battle.7 to battle.11]: losses and who bears them, retreats, Slots, Glory.

use table::{Ballot, Readers, Set, Umpire, rule};

use crate::ThirdCrusade;
use crate::action::Action;
use crate::ids::{Army, Owner, Piece, Region, SHAPES, Side};
use crate::position::{Battle, Column, Force, Losses, Open, Position, Retreat, Stage, Step};

/// Whose losses: the chooser's, his partner's, white ones.
const OWN: usize = 0;
const PARTNER: usize = 1;
const WHITE: usize = 2;

impl ThirdCrusade {
    /// Who leads an alliance in the battle.
    #[inline]
    fn chief(battle: &Battle, side: Side) -> Army {
        if battle.attacker.side() == side { battle.attacker } else { battle.defender }
    }

    /// The winner loses one Unit or leader [battle.7].
    pub(super) fn winner_loses(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let Some((battle, winner)) = p.open.battle.as_ref().and_then(|b| Some((b, b.winner?))) else {
            return false;
        };
        let army = Self::chief(battle, winner);
        umpire.cite(rule!("battle.7"));
        self.set_stage(p, Stage::LoserLoses, |_| {});
        let losses = Losses { army, left: 1, lost: [0; 3], first: true, tactical: false };
        p.open.agenda.push(Step::Losses(losses));
        false
    }

    /// The loser loses as much as the strengths differ, and one at least [battle.7].
    pub(super) fn loser_loses(&self, p: &mut Position) -> bool {
        let Some((battle, winner)) = p.open.battle.as_ref().and_then(|b| Some((b, b.winner?))) else {
            return false;
        };
        let (army, left) = (Self::chief(battle, winner.other()), battle.margin.max(1));
        self.set_stage(p, Stage::LoserRetreats, |_| {});
        let losses = Losses { army, left, lost: [0; 3], first: true, tactical: false };
        p.open.agenda.push(Step::Losses(losses));
        false
    }

    /// The pieces of a side that may be lost, region by region.
    fn each_loss(&self, open: &Open, losses: &Losses, act: &mut impl FnMut(Piece, Region)) {
        let Some(battle) = &open.battle else { return };
        let side = losses.army.side();
        if losses.tactical {
            if let Some(retreat) = &open.retreat {
                for piece in retreat.group.kinds() {
                    if matches!(piece, Piece::Unit(..)) {
                        act(piece, battle.region);
                    }
                }
            }
            return;
        }
        let force = if battle.attacker.side() == side { &battle.force } else { &open.lands[battle.region] };
        force.kinds().for_each(|piece| act(piece, battle.region));
        for at in self.reinforcing(battle, side) {
            open.lands[at]
                .kinds()
                .filter(|piece| matches!(piece, Piece::Unit(..)))
                .for_each(|piece| act(piece, at));
        }
    }

    /// Whose account a loss goes to.
    fn account(&self, losses: &Losses, piece: Piece) -> usize {
        match self.owner_of(piece) {
            owner if owner == losses.army.owner() => OWN,
            owner if owner == Owner::neutral() => WHITE,
            _ => PARTNER,
        }
    }

    /// Whether a piece may be the next loss: a white Unit may always be first; then nobody loses more than the one
    /// who chooses, unless he has none left [battle.8].
    fn may_be_lost(&self, losses: &Losses, piece: Piece, has_own: bool) -> bool {
        let account = self.account(losses, piece);
        account == OWN
            || !has_own
            || losses.lost[account] < losses.lost[OWN]
            || losses.first && account == WHITE && matches!(piece, Piece::Unit(..))
    }

    fn has_own(&self, open: &Open, losses: &Losses) -> bool {
        let mut own = false;
        self.each_loss(open, losses, &mut |piece, _| own |= self.account(losses, piece) == OWN);
        own
    }

    pub(super) fn list_losses(
        &self,
        p: &Position,
        losses: &Losses,
        ballot: &mut (impl Ballot<Action> + ?Sized),
    ) {
        let has_own = self.has_own(&p.open, losses);
        self.each_loss(&p.open, losses, &mut |piece, at| {
            if self.may_be_lost(losses, piece, has_own) {
                ballot.allow(Action::Lose(piece, at));
            } else {
                ballot.refuse(
                    Action::Lose(piece, at),
                    rule!("battle.8"),
                    format_args!("others must not lose more than the army in charge"),
                );
            }
        });
        if ballot.explains() && !losses.tactical {
            let near = p.open.battle.as_ref().map_or(Set::NONE, |b| self.beside(&p.open, b.region));
            let battle = p.open.battle.as_ref();
            let with = battle.map_or(Set::NONE, |b| self.reinforcing(b, losses.army.side()));
            for at in near - with {
                for piece in p.open.lands[at].kinds() {
                    ballot.refuse(
                        Action::Lose(piece, at),
                        rule!("battle.8"),
                        format_args!("it is no part of this battle"),
                    );
                }
            }
        }
    }

    pub(super) fn losing(
        &self,
        p: &mut Position,
        losses: &Losses,
        umpire: &mut (impl Umpire + ?Sized),
    ) -> bool {
        if losses.left == 0 {
            p.open.agenda.pop();
            return false;
        }
        let has_own = self.has_own(&p.open, losses);
        let (mut only, mut count) = (None, 0);
        self.each_loss(&p.open, losses, &mut |piece, at| {
            if self.may_be_lost(losses, piece, has_own) {
                only = Some((piece, at));
                count += 1;
            }
        });
        match (only, count) {
            (None, _) => {
                p.open.agenda.pop();
                false
            }
            (Some((piece, at)), 1) => {
                self.bear(p, *losses, piece, at, umpire);
                false
            }
            _ => true,
        }
    }

    /// A piece is lost: to bandits, in battle, or for want of supply.
    pub(super) fn lose(
        &self,
        p: &mut Position,
        piece: Piece,
        at: Region,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        match p.open.agenda.now().copied() {
            Some(Step::Bandits(ambush)) => self.strike(p, ambush, piece, at, umpire),
            Some(Step::Losses(losses)) => self.bear(p, losses, piece, at, umpire),
            Some(Step::Starve { .. }) => self.send_home(p, piece, at, umpire),
            _ => {}
        }
    }

    /// A piece is lost in battle.
    fn bear(
        &self,
        p: &mut Position,
        mut losses: Losses,
        piece: Piece,
        at: Region,
        umpire: &mut (impl Umpire + ?Sized),
    ) {
        let account = self.account(&losses, piece);
        let free = losses.first && account == WHITE && matches!(piece, Piece::Unit(..));
        let Some(battle) = &mut p.open.battle else { return };
        if losses.tactical {
            if let Some(retreat) = &mut p.open.retreat {
                retreat.group.take(piece);
            }
        } else if battle.attacker.side() == losses.army.side() && at == battle.region {
            battle.force.take(piece);
        } else {
            p.open.lands[at].take(piece);
        }
        let loser = battle.winner.is_some_and(|winner| winner != losses.army.side());
        battle.killed |= loser && matches!(piece, Piece::Leader(_));
        losses.left -= 1;
        losses.first = false;
        losses.lost[account] += u8::from(!free);
        p.open.agenda.replace(Step::Losses(losses));
        if umpire.writes() {
            let (what, place) = (self.piece_words(&p.open, piece), self.components.place(at));
            umpire.note(
                Readers::ALL,
                if account == OWN { rule!("battle.7") } else { rule!("battle.8") },
                format_args!("{} is lost in {place}", crate::words::sentence(&what)),
            );
        }
    }

    /// The loser goes: attackers where they came from, defenders to the regions next to them [battle.9].
    pub(super) fn loser_retreats(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let Some((battle, winner)) = p.open.battle.as_mut().and_then(|b| b.winner.map(|w| (b, w))) else {
            return false;
        };
        umpire.cite(rule!("battle.9"));
        let region = battle.region;
        battle.stage = Stage::WinnerStays;
        let attackers_lost = battle.attacker.side() != winner;
        let army = Self::chief(battle, winner.other());
        let mut pool = if attackers_lost {
            std::mem::take(&mut battle.force)
        } else {
            std::mem::take(&mut p.open.lands[region])
        };
        // White pieces join the winner.
        let joined = self.white(&pool);
        pool.subtract(&joined);
        p.open.lands[region].add(&joined);
        p.open.retreat = Some(Retreat {
            army,
            from: region,
            group: pool,
            rest: Force::none(),
            only: if attackers_lost { battle.from } else { None },
            barred: if attackers_lost { None } else { battle.from },
            overseas: battle.from.filter(|_| attackers_lost && battle.sea),
            ignores: attackers_lost && battle.ignores,
            beaten: true,
        });
        if attackers_lost && battle.from.is_none() {
            // A card put them there: they have no way back.
            self.abandon(p, umpire);
            return false;
        }
        p.open.agenda.push(Step::Retreat);
        false
    }

    /// The white pieces of a force.
    pub(crate) fn white(&self, force: &Force) -> Force {
        let mut white = Force::none();
        let owner = Owner::neutral();
        white.units[owner] = force.units[owner];
        white.leaders = force.leaders & self.components.leaders_of[owner];
        white
    }

    /// Where those who retreat may go, whether or not there is room.
    pub(crate) fn refuges(&self, open: &Open, retreat: &Retreat) -> Set<Region> {
        let enemy = retreat.army.side().other();
        let mut refuges = match retreat.only {
            Some(only) => Set::one(only),
            None => retreat.barred.map_or(self.beside(open, retreat.from), |barred| {
                self.beside(open, retreat.from).without(barred)
            }),
        };
        if let Some(overseas) = retreat.overseas {
            refuges.insert(overseas);
        }
        refuges.iter().filter(|r| !self.side_presence(open, *r, enemy)).collect()
    }

    /// Whether a piece finds a Slot in any of these regions.
    fn finds_place(&self, open: &Open, piece: Piece, refuges: Set<Region>) -> bool {
        let shape = self.shape_of(open, piece);
        refuges.iter().any(|r| self.room(open, r, shape) > 0)
    }

    pub(super) fn list_retreats(&self, p: &Position, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        let Some(retreat) = &p.open.retreat else { return };
        let refuges = self.refuges(&p.open, retreat);
        for to in refuges {
            if self.fits(&p.open, to, &retreat.group) {
                ballot.allow(Action::Go(to));
            } else {
                ballot.refuse(
                    Action::Go(to),
                    rule!("glossary.slots"),
                    format_args!("more pieces than find Slots there"),
                );
            }
        }
        if retreat.group.size() > 1 {
            for piece in retreat.group.kinds() {
                ballot.allow(Action::Leave(piece));
            }
        }
        if ballot.explains() {
            for to in p.open.table.ground - refuges {
                let why = if retreat.barred == Some(to) {
                    "the attack came from there"
                } else if retreat.only.is_some() {
                    "beaten attackers go back where they came from"
                } else if !self.beside(&p.open, retreat.from).has(to) {
                    "it is not next to the battle"
                } else {
                    "enemies stand there"
                };
                ballot.refuse(Action::Go(to), rule!("battle.9"), format_args!("{why}"));
            }
        }
    }

    pub(super) fn retreating(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        let Some(mut retreat) = p.open.retreat else {
            p.open.agenda.pop();
            return false;
        };
        if retreat.group.is_empty() {
            if retreat.rest.is_empty() {
                p.open.retreat = None;
                p.open.agenda.pop();
                return false;
            }
            std::mem::swap(&mut retreat.group, &mut retreat.rest);
            p.open.retreat = Some(retreat);
            return false;
        }
        let refuges = self.refuges(&p.open, &retreat);
        if retreat.rest.is_empty() {
            // Who finds no place anywhere is lost.
            let lost = retreat.group.kinds().find(|piece| !self.finds_place(&p.open, *piece, refuges));
            if let Some(piece) = lost {
                self.lose_on_retreat(p, piece, umpire);
                return false;
            }
            if let Some(only) = refuges.single()
                && self.fits(&p.open, only, &retreat.group)
            {
                self.send_back(p, only, umpire);
                return false;
            }
        }
        true
    }

    /// All who have no way are lost.
    fn abandon(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) {
        while let Some(piece) = p.open.retreat.as_ref().and_then(|r| r.group.kinds().next()) {
            self.lose_on_retreat(p, piece, umpire);
        }
        p.open.retreat = None;
    }

    fn lose_on_retreat(&self, p: &mut Position, piece: Piece, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(retreat) = &mut p.open.retreat else { return };
        retreat.group.take(piece);
        let (beaten, from) = (retreat.beaten, retreat.from);
        if let Some(battle) = &mut p.open.battle {
            battle.killed |= beaten && matches!(piece, Piece::Leader(_));
        }
        if umpire.writes() {
            let what = crate::words::sentence(&self.piece_words(&p.open, piece));
            let place = self.components.place(from);
            umpire.note(
                Readers::ALL,
                rule!("battle.9"),
                format_args!("{what} finds no way out of {place} and is lost"),
            );
            umpire.cite(rule!("glossary.slots"));
        }
    }

    /// A group retreats: over a road with bandits it suffers like all who pass.
    pub(super) fn send_back(&self, p: &mut Position, to: Region, umpire: &mut (impl Umpire + ?Sized)) {
        let Some(retreat) = &mut p.open.retreat else { return };
        let force = std::mem::take(&mut retreat.group);
        let retreat = *retreat;
        if umpire.writes() && !force.is_empty() {
            let (what, place) = (self.force_words(&p.open, &force), self.components.place(to));
            umpire.note(Readers::ALL, rule!("battle.9"), format_args!("To {place} goes back: {what}"));
            umpire.cite(rule!("glossary.adjacent"));
        }
        let column = Column {
            army: retreat.army,
            force,
            from: Some(retreat.from),
            to,
            sea: retreat.overseas == Some(to),
            ignores: retreat.ignores,
            strength: 0,
            struck: false,
            back: true,
        };
        p.open.columns.push(column);
        p.open.agenda.push(Step::Columns);
    }

    /// The winner holds the region; what finds no Slot has to go [battle.9].
    pub(super) fn winner_stays(&self, p: &mut Position) -> bool {
        let Some((battle, winner)) = p.open.battle.as_mut().and_then(|b| b.winner.map(|w| (b, w))) else {
            return false;
        };
        let (region, army) = (battle.region, Self::chief(battle, winner));
        battle.stage = Stage::Glory;
        let entering = std::mem::take(&mut battle.force);
        p.open.lands[region].add(&entering);
        if self.overfull(&p.open, region).is_some() {
            p.open.retreat = Some(Retreat {
                army,
                from: region,
                group: Force::none(),
                rest: Force::none(),
                only: None,
                barred: None,
                overseas: None,
                ignores: false,
                beaten: false,
            });
            p.open.agenda.push(Step::Excess { army });
        }
        false
    }

    /// A shape of which more pieces stand in a region than it has Slots.
    fn overfull(&self, open: &Open, region: Region) -> Option<crate::ids::Shape> {
        SHAPES
            .into_iter()
            .find(|shape| self.of_shape(open, &open.lands[region], *shape) > self.slots(open, region, *shape))
    }

    /// The pieces among which the winner chooses what has to go.
    fn excess<'a>(&'a self, open: &'a Open) -> impl Iterator<Item = Piece> + 'a {
        let region = open.retreat.map(|retreat| retreat.from);
        let shape = region.and_then(|region| self.overfull(open, region));
        region
            .into_iter()
            .flat_map(|region| open.lands[region].kinds())
            .filter(move |piece| Some(self.shape_of(open, *piece)) == shape)
    }

    pub(super) fn list_excess(&self, p: &Position, _army: Army, ballot: &mut (impl Ballot<Action> + ?Sized)) {
        for piece in self.excess(&p.open) {
            ballot.allow(Action::Send(piece));
        }
    }

    pub(super) fn send(&self, p: &mut Position, piece: Piece) {
        if let Some(retreat) = &mut p.open.retreat {
            retreat.group.put(piece);
            p.open.lands[retreat.from].take(piece);
        }
    }

    pub(super) fn exceeding(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        umpire.cite(rule!("battle.9"));
        let mut pieces = self.excess(&p.open);
        let (first, second) = (pieces.next(), pieces.next());
        drop(pieces);
        match (first, second) {
            (Some(_), Some(_)) => return true,
            (Some(piece), None) => {
                self.send(p, piece);
                return false;
            }
            (None, _) => {}
        }
        if let (Some(battle), Some(retreat)) = (&p.open.battle, &mut p.open.retreat) {
            retreat.overseas = battle.from.filter(|_| battle.sea && retreat.army == battle.attacker);
        }
        p.open.agenda.replace(Step::Retreat);
        false
    }

    /// Glory of the winner, and the battle is over [battle.10, battle.11].
    pub(super) fn battle_glory(&self, p: &mut Position, umpire: &mut (impl Umpire + ?Sized)) -> bool {
        p.open.agenda.pop();
        let Some(battle) = p.open.battle.take() else { return false };
        let (Some(winner), false) = (battle.winner, battle.quiet) else { return false };
        let city = battle.attacker.side() == winner && self.components.cities.has(battle.region);
        let glory = [city, battle.led[0], battle.led[1], battle.killed].map(u8::from).iter().sum::<u8>();
        self.gain_glory(p, winner, glory as i8);
        umpire.note(
            Readers::ALL,
            rule!("battle.10"),
            format_args!(
                "The battle in {} brings {} {glory} Glory",
                self.components.place(battle.region),
                winner.name()
            ),
        );
        umpire.cite(rule!("battle.11"));
        umpire.cite(rule!("glossary.alliance"));
        umpire.cite(rule!("glossary.control"));
        if self.components.mercantile.has(battle.region) {
            umpire.cite(rule!("glossary.mercantile-cities"));
        }
        false
    }
}
