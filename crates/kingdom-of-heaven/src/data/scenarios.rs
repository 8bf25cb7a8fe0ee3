//! The scenarios: who takes part, who owns what, where everybody begins, and what each scenario says specially.

use table::sheet::{DataError, Node};
use table::{Id as _, Map, Seat, Set};

use super::{Components, Roster, Stance, deck, flag};
use crate::ids::{
    CHRISTIAN, Cards, Kind, Leader, MUSLIM, Power, Powers, Province, Sides, Space, Spaces, Unit,
};
use crate::position::{Hold, Owner};

/// How many replacement points a Power gets [6.1].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rate {
    /// So many each turn.
    Each(u8),
    /// One every so many turns.
    Every(u8),
}

impl Rate {
    /// The points of a turn.
    pub fn points(self, turn: u8) -> u8 {
        match self {
            Self::Each(n) => n,
            Self::Every(n) => u8::from(turn.is_multiple_of(n)),
        }
    }
}

/// A Power in a scenario.
#[derive(Clone, Copy, Debug)]
pub struct PowerPlot {
    pub stance: Stance,
    pub provinces: Set<Province>,
    pub boxes: Spaces,
    pub capitals: Spaces,
    pub rate: Rate,
}

/// Units that come or begin together.
#[derive(Clone, Debug)]
pub struct Arrival {
    pub turn: u8,
    pub space: Space,
    /// Where they go if their space is not friendly.
    pub other: Option<Space>,
    pub leaders: Vec<Leader>,
    pub units: Vec<(Kind, u8)>,
}

/// When and how a scenario is won [20.2].
#[derive(Clone, Copy, Debug)]
pub enum Victory {
    /// By victory points: the Christian's; the Muslim's, or the Christian's at most.
    Points { christian: u8, muslim: Option<u8>, most_christian: Option<u8> },
    /// By holding a space.
    Space(Space),
}

/// What a scenario says specially.
#[derive(Clone, Debug, Default)]
pub struct Special {
    pub no_diplomacy: bool,
    pub no_marker: bool,
    /// These never take this stance.
    pub never: Vec<(Powers, Stance)>,
    /// These stay in a province.
    pub stays_in: Vec<(Powers, Province)>,
    /// Taken by this player, a space turns a Power.
    pub turns: Vec<(Space, Seat, Power, Stance)>,
    /// A Power musters here too, at most so many.
    pub musters: Vec<(Power, Space, u8)>,
    pub never_dissolved: Powers,
}

/// A scenario.
#[derive(Clone, Debug)]
pub struct Plot {
    pub id: String,
    pub title: String,
    pub subtitle: String,
    pub guided: bool,
    pub introductory: bool,
    pub minutes: u32,
    pub first_year: u16,
    pub turns: u8,
    pub hand: u8,
    /// All its cards.
    pub deck: Cards,
    /// The cards of the scenario alone.
    pub own_cards: Cards,
    pub present: Powers,
    pub powers: Map<Power, Option<PowerPlot>>,
    pub owner: Map<Province, Option<Power>>,
    pub box_owner: Map<Space, Option<Power>>,
    /// Whose land each space is, by its province or box.
    pub land: Map<Space, Option<Power>>,
    pub vp: Map<Space, u8>,
    /// The spaces that victory hangs on.
    pub prizes: Spaces,
    pub holds: Map<Space, Option<Hold>>,
    /// Jerusalem belongs to the Power that began there until it is taken [17.1.2].
    pub held_apart: Option<Space>,
    pub leaders: Vec<(Leader, Space)>,
    /// All leaders that can take part.
    pub all_leaders: Set<Leader>,
    /// The same, one after the other.
    pub each_leader: Vec<Leader>,
    pub units: Vec<(Space, Kind, u8, bool)>,
    pub pool: Vec<(Kind, u8)>,
    pub arrivals: Vec<Arrival>,
    /// The turn of the scheduled crusade, the Muslim victory points it needs, and who comes.
    pub crusade: Option<(u8, u8, Vec<Arrival>)>,
    pub diplomacy: Map<Power, Option<Sides<i8>>>,
    pub special: Special,
    pub gists: Vec<String>,
    pub victory: Victory,
    pub roster: Roster,
}

const STANCES: [(&str, Stance); 3] =
    [("christian", Stance::Christian), ("muslim", Stance::Muslim), ("neutral", Stance::Neutral)];

pub(super) fn read(c: &mut Components, root: &Node) -> Result<(), DataError> {
    let mut fields = root.sourced()?;
    for node in fields.records("scenario")? {
        let plot = read_plot(c, node)?;
        if c.plots.iter().any(|other| other.id == plot.id) {
            return Err(node.wrong(format!("the scenario `{}` occurs twice", plot.id)));
        }
        c.plots.push(plot);
    }
    fields.finish()?;
    for card in &c.cards {
        if let Some(id) = &card.scenario
            && !c.plots.iter().any(|plot| plot.id == *id)
        {
            return Err(root.wrong(format!("card {} belongs to scenario `{id}`, which is not here", card.id)));
        }
    }
    if c.plots.is_empty() {
        return Err(root.wrong("expected a scenario"));
    }
    Ok(())
}

#[allow(clippy::too_many_lines)]
fn read_plot(c: &Components, node: &Node) -> Result<Plot, DataError> {
    let mut f = node.sourced()?;
    let id = f.required("id")?.new_name("~ : ( ) ,", false)?;
    let jerusalem = f.required("jerusalem")?.one_of(&[("city", true), ("castle", false)])?;
    let turns = f.required("turns")?.number_in(1..=12)? as u8;
    let years = f.required("years")?;
    let [first, last] = years.list()? else { return Err(years.expected("the first and the last year")) };
    let first_year = first.number_in(1000..=1400)? as u16;
    if last.number()? - i64::from(first_year) + 1 > i64::from(turns) {
        return Err(years.wrong(format!("{turns} turns do not reach to the last year")));
    }
    let mut plot = Plot {
        title: f.required("title")?.text()?.to_string(),
        subtitle: f.required("subtitle")?.text()?.to_string(),
        guided: flag(f.optional("guided"))?,
        introductory: flag(f.optional("introductory"))?,
        minutes: f.optional("minutes").map_or(Ok(i64::from(turns) * 30), |n| n.number_in(1..=2000))? as u32,
        first_year,
        turns,
        hand: f.optional("hand").map_or(Ok(7), |n| n.number_in(1..=12))? as u8,
        deck: Set::NONE,
        own_cards: deck(c, |card| card.scenario.as_ref() == Some(&id)),
        present: Set::NONE,
        powers: Map::filled(None),
        owner: Map::filled(None),
        box_owner: Map::filled(None),
        land: Map::filled(None),
        vp: Map::new(|s: Space| c.spaces.get(s.number()).map_or(0, |data| data.vp_in(&id))),
        prizes: Set::NONE,
        holds: Map::filled(None),
        held_apart: None,
        leaders: Vec::new(),
        all_leaders: Set::NONE,
        each_leader: Vec::new(),
        units: Vec::new(),
        pool: Vec::new(),
        arrivals: Vec::new(),
        crusade: None,
        diplomacy: Map::filled(None),
        special: Special::default(),
        gists: Vec::new(),
        victory: read_victory(c, f.required("victory")?)?,
        roster: Roster::new(c, Set::NONE),
        id,
    };
    plot.prizes = Space::all().filter(|s| plot.vp[*s] > 0).collect();
    if let Victory::Space(goal) = plot.victory {
        plot.prizes.insert(goal);
    }
    plot.deck = match f.optional("deck") {
        Some(n) if n.list().is_ok() => {
            let mut cards = Set::NONE;
            for card in n.list()? {
                cards.insert(c.card_named(card)?);
            }
            cards
        }
        other => {
            other.map_or(Ok(()), |n| n.one_of(&[("basic", ())]))?;
            deck(c, |card| card.scenario.is_none()) | plot.own_cards
        }
    };
    if plot.deck.len() < usize::from(plot.hand) * 2 {
        return Err(node.wrong(format!("{} cards, expected enough for two hands", plot.deck.len())));
    }
    for n in f.required("powers")?.list()? {
        read_power(c, &mut plot, n)?;
    }
    plot.roster = Roster::new(c, plot.present);
    if plot.roster.kinds.len() > Unit::COUNT {
        let found = plot.roster.kinds.len();
        return Err(node.wrong(format!("{found} counters of its Powers, expected at most {}", Unit::COUNT)));
    }
    let mut unowned = Set::NONE;
    for n in f.optional("unowned_provinces").map_or(Ok(&[][..]), Node::list)? {
        unowned.insert(province(c, n)?);
    }
    for p in Province::all() {
        if plot.owner[p].is_some() == unowned.has(p) {
            let name = &c.provinces[p.number()].id;
            return Err(node.wrong(format!("{name}: expected an owner, or to stand in `unowned_provinces`")));
        }
    }
    read_strongholds(c, &mut plot, node, jerusalem, f.required("cities")?, f.required("castles")?)?;
    read_pieces(c, &mut plot, &mut f)?;
    for n in f.optional("diplomacy").map_or(Ok(&[][..]), Node::list)? {
        let mut g = n.sourced()?;
        let power = present(c, &plot, g.required("power")?)?;
        let numbers = [g.required("christian")?.number_in(1..=5)?, g.required("muslim")?.number_in(1..=5)?];
        plot.diplomacy[power] = Some(Sides(numbers.map(|n| n as i8)));
        g.finish()?;
    }
    for n in f.optional("special").map_or(Ok(&[][..]), Node::list)? {
        let mut g = n.sourced()?;
        plot.gists.push(g.required("gist")?.text()?.to_string());
        for effect in g.optional("effect").map_or(Ok(&[][..]), Node::list)? {
            read_effect(c, &mut plot.special, effect)?;
        }
        g.finish()?;
    }
    if let Some(n) = f.optional("start_vp") {
        check_points(c, &plot, n)?;
    }
    f.finish()?;
    for power in plot.present {
        let stance = plot.powers[power].map_or(Stance::Absent, |p| p.stance);
        let never = c.power(power).never_dissolved || plot.special.never_dissolved.has(power);
        let strong = plot.holds.values().iter().flatten().any(|hold| hold.owner == Owner::Of(power));
        if stance != Stance::Neutral && !never && !strong {
            return Err(node.wrong(format!(
                "{} has no stronghold, expected one: it is dissolved at once [17.11]",
                c.power(power).id
            )));
        }
    }
    let leaders = c.leaders.iter().enumerate();
    let listed = leaders.filter(|(_, l)| l.scenarios.contains(&plot.id) && plot.present.has(l.power));
    plot.all_leaders |= listed.map(|(i, _)| Leader::at(i)).collect();
    plot.each_leader = plot.all_leaders.iter().collect();
    plot.land = Map::new(|s: Space| {
        let data = c.spaces.get(s.number())?;
        data.province.map_or(plot.box_owner[s], |province| plot.owner[province])
    });
    Ok(plot)
}

fn province(c: &Components, node: &Node) -> Result<Province, DataError> {
    let id = node.text()?;
    let found = c.provinces.iter().position(|p| p.id == id);
    found.map(Province::at).ok_or_else(|| node.expected("the id of a province"))
}

/// A Power that takes part.
fn present(c: &Components, plot: &Plot, node: &Node) -> Result<Power, DataError> {
    let power = c.power_named(node)?;
    if plot.present.has(power) { Ok(power) } else { Err(node.expected("a Power of this scenario")) }
}

fn read_power(c: &Components, plot: &mut Plot, node: &Node) -> Result<(), DataError> {
    let mut f = node.sourced()?;
    let power = c.power_named(f.required("power")?)?;
    if plot.present.has(power) {
        return Err(node.wrong(format!("{} occurs twice", c.power(power).id)));
    }
    plot.present.insert(power);
    let rate = f.required("rate")?.one_of(&[
        ("0", Rate::Each(0)),
        ("1", Rate::Each(1)),
        ("2", Rate::Each(2)),
        ("3", Rate::Each(3)),
        ("4", Rate::Each(4)),
        ("5", Rate::Each(5)),
        ("1/2", Rate::Every(2)),
        ("1/3", Rate::Every(3)),
    ])?;
    let mut data = PowerPlot {
        stance: f.required("orientation")?.one_of(&STANCES)?,
        provinces: Set::NONE,
        boxes: Set::NONE,
        capitals: Set::NONE,
        rate,
    };
    for n in f.optional("provinces").map_or(Ok(&[][..]), Node::list)? {
        let p = province(c, n)?;
        if plot.owner[p].replace(power).is_some() {
            return Err(n.expected("a province that no other Power owns"));
        }
        data.provinces.insert(p);
    }
    for n in f.optional("boxes").map_or(Ok(&[][..]), Node::list)? {
        let space = c.space_named(n)?;
        if !c.space(space).is_box || plot.box_owner[space].replace(power).is_some() {
            return Err(n.expected("a box that no other Power owns"));
        }
        data.boxes.insert(space);
    }
    let home = f.optional("home");
    if home.is_none() && (data.provinces.any() || data.boxes.any()) {
        return Err(node.wrong("it owns land and has no home, expected `home`"));
    }
    if let Some(n) = home {
        let id = n.text()?;
        let own = data.provinces.iter().any(|p| c.provinces[p.number()].id == id)
            || data.boxes.iter().any(|b| c.space(b).id == id);
        if !own {
            return Err(n.expected("a province or box of its own"));
        }
    }
    for n in f.optional("capital").map_or(Ok(&[][..]), Node::list)? {
        data.capitals.insert(c.space_named(n)?);
    }
    plot.powers[power] = Some(data);
    f.finish()
}

fn read_strongholds(
    c: &Components,
    plot: &mut Plot,
    node: &Node,
    jerusalem: bool,
    cities: &Node,
    castles: &Node,
) -> Result<(), DataError> {
    let mut counted: Map<Power, u8> = Map::filled(0);
    for (list, city) in [(cities, true), (castles, false)] {
        for n in list.list()? {
            let mut f = n.sourced()?;
            let at = f.required("space")?;
            let space = c.space_named(at)?;
            let power = present(c, plot, f.required("power")?)?;
            if plot.holds[space].is_some() {
                return Err(
                    at.wrong(format!("two strongholds in {}, expected one [17.1]", c.space(space).id))
                );
            }
            if c.space(space).is_box || c.space(space).city_in(&plot.id, jerusalem) != city {
                return Err(at.expected(if city {
                    "a walled city"
                } else {
                    "a space that is no walled city"
                }));
            }
            let full = if city {
                true
            } else {
                f.required("garrison")?.one_of(&[("full", true), ("low", false)])?
            };
            f.finish()?;
            counted[power] += u8::from(!city);
            if c.power(power).castles.is_some_and(|most| counted[power] > most) {
                return Err(at.wrong(format!(
                    "{} castles of {}, more than it has counters",
                    counted[power],
                    c.power(power).id
                )));
            }
            plot.holds[space] = Some(Hold { city, owner: Owner::Of(power), full });
            let data = c.space(space);
            // The one place whose walls come and go with the scenarios is Jerusalem.
            if data.varies() && !c.power(power).christian {
                plot.held_apart = Some(space);
            }
        }
    }
    for space in c.all_spaces() {
        // Small set-ups leave out the cities of provinces that nobody plays in.
        let owned = c.space(space).province.is_some_and(|p| plot.owner[p].is_some());
        if owned && c.space(space).city_in(&plot.id, jerusalem) && plot.holds[space].is_none() {
            return Err(node.wrong(format!("the city {} has no owner, expected one", c.space(space).id)));
        }
    }
    Ok(())
}

fn read_pieces(c: &Components, plot: &mut Plot, f: &mut table::sheet::Fields<'_>) -> Result<(), DataError> {
    let mut used: Map<Kind, u16> = Map::filled(0);
    let mut placed: Set<Leader> = Set::NONE;
    let kind = |plot: &Plot, used: &mut Map<Kind, u16>, n: &Node, count: u8| {
        let kind = c.kind_named(n)?;
        if !plot.present.has(c.kind(kind).power) {
            return Err(n.expected("a unit of a Power of this scenario"));
        }
        used[kind] += u16::from(count);
        if used[kind] > u16::from(c.kind(kind).count) {
            return Err(n.wrong(format!(
                "{} of {}, expected at most {} counters",
                used[kind],
                c.kind(kind).id,
                c.kind(kind).count
            )));
        }
        Ok(kind)
    };
    let leader = |plot: &Plot, placed: &mut Set<Leader>, n: &Node| {
        let leader = c.leader_named(n)?;
        if !plot.present.has(c.leader(leader).power) || placed.has(leader) {
            return Err(n.expected("a leader of a Power of this scenario, once"));
        }
        placed.insert(leader);
        Ok(leader)
    };
    for n in f.optional("leaders").map_or(Ok(&[][..]), Node::list)? {
        let mut g = n.sourced()?;
        let who = leader(plot, &mut placed, g.required("leader")?)?;
        plot.leaders.push((who, c.space_named(g.required("space")?)?));
        g.finish()?;
    }
    for n in f.optional("units").map_or(Ok(&[][..]), Node::list)? {
        let mut g = n.sourced()?;
        let count = g.required("count")?.number_in(1..=30)? as u8;
        let unit = g.required("unit")?;
        let unit_kind = kind(plot, &mut used, unit, count)?;
        let at = g.required("space")?;
        let space = c.space_named(at)?;
        let stance = |power: Power| plot.powers[power].map(|p| p.stance);
        if let Some(Hold { owner: Owner::Of(power), .. }) = plot.holds[space]
            && stance(power) != stance(c.kind(unit_kind).power)
        {
            return Err(at.expected("a space without a stronghold of another side"));
        }
        let reduced =
            g.optional("steps").map_or(Ok(false), |s| s.one_of(&[("full", false), ("reduced", true)]))?;
        plot.units.push((space, unit_kind, count, reduced));
        g.finish()?;
    }
    for n in f.optional("force_pool").map_or(Ok(&[][..]), Node::list)? {
        let mut g = n.sourced()?;
        let count = g.required("count")?.number_in(1..=30)? as u8;
        plot.pool.push((kind(plot, &mut used, g.required("unit")?, count)?, count));
        g.finish()?;
    }
    let mut force = |plot: &Plot, g: &mut table::sheet::Fields<'_>| -> Result<_, DataError> {
        let (mut leaders, mut units) = (Vec::new(), Vec::new());
        for n in g.optional("leaders").map_or(Ok(&[][..]), Node::list)? {
            leaders.push(leader(plot, &mut placed, n)?);
        }
        for n in g.optional("units").map_or(Ok(&[][..]), Node::list)? {
            let mut h = n.fields()?;
            let count = h.required("count")?.number_in(1..=30)? as u8;
            units.push((kind(plot, &mut used, h.required("unit")?, count)?, count));
            h.finish()?;
        }
        Ok((leaders, units))
    };
    for n in f.optional("arrivals").map_or(Ok(&[][..]), Node::list)? {
        let mut g = n.sourced()?;
        let turn = g.required("turn")?.number_in(2..=i64::from(plot.turns))? as u8;
        let space = c.space_named(g.required("space")?)?;
        let other = g.optional("else").map(|n| c.space_named(n)).transpose()?;
        let (leaders, units) = force(plot, &mut g)?;
        g.finish()?;
        plot.arrivals.push(Arrival { turn, space, other, leaders, units });
    }
    if let Some(n) = f.optional("crusade") {
        let mut g = n.sourced()?;
        let turn = g.required("turn")?.number_in(2..=i64::from(plot.turns))? as u8;
        let year = g.required("year")?;
        if year.number()? != i64::from(plot.first_year) + i64::from(turn) - 1 {
            return Err(year.expected("the year of its turn"));
        }
        let least = g.required("muslim_vp_min")?.number_in(0..=99)? as u8;
        let mut arrivals = Vec::new();
        for m in g.required("forces")?.list()? {
            let mut h = m.fields()?;
            let at = h.required("box")?;
            let space = c.space_named(at)?;
            if !c.space(space).is_box {
                return Err(at.expected("a box"));
            }
            let (leaders, units) = force(plot, &mut h)?;
            h.finish()?;
            arrivals.push(Arrival { turn, space, other: None, leaders, units });
        }
        g.finish()?;
        plot.crusade = Some((turn, least, arrivals));
    }
    plot.all_leaders |= placed;
    Ok(())
}

fn read_victory(c: &Components, node: &Node) -> Result<Victory, DataError> {
    let mut f = node.sourced()?;
    if let Some(n) = f.optional("space") {
        let space = c.space_named(n)?;
        f.finish()?;
        return Ok(Victory::Space(space));
    }
    f.required("consult")?.one_of(&[("christian", ()), ("both", ())])?;
    f.optional("if_both").map_or(Ok(()), |n| n.one_of(&[("christian", ())]))?;
    f.optional("if_neither").map_or(Ok(()), |n| n.one_of(&[("draw", ())]))?;
    let points = |n: &Node| Ok(n.number_in(0..=99)? as u8);
    let victory = Victory::Points {
        christian: points(f.required("christian_vp")?)?,
        muslim: f.optional("muslim_vp").map(points).transpose()?,
        most_christian: f.optional("muslim_max_christian").map(points).transpose()?,
    };
    f.finish()?;
    Ok(victory)
}

fn read_effect(c: &Components, special: &mut Special, node: &Node) -> Result<(), DataError> {
    let mut f = node.fields()?;
    let id = f.required("id")?;
    let powers =
        |n: &Node| -> Result<Powers, DataError> { n.list()?.iter().map(|p| c.power_named(p)).collect() };
    match id.text()? {
        "no_diplomacy" => special.no_diplomacy = true,
        "no_advantage_marker" => special.no_marker = true,
        "never" => {
            special.never.push((powers(f.required("powers")?)?, f.required("orientation")?.one_of(&STANCES)?))
        }
        "stays_in" => {
            special.stays_in.push((powers(f.required("powers")?)?, province(c, f.required("province")?)?))
        }
        "turns_when_taken" => special.turns.push((
            c.space_named(f.required("space")?)?,
            f.required("by")?.one_of(&[("christian", CHRISTIAN), ("muslim", MUSLIM)])?,
            c.power_named(f.required("power")?)?,
            f.required("to")?.one_of(&STANCES)?,
        )),
        "musters_also" => special.musters.push((
            c.power_named(f.required("power")?)?,
            c.space_named(f.required("space")?)?,
            f.required("most")?.number_in(1..=9)? as u8,
        )),
        "never_dissolved" => special.never_dissolved |= powers(f.required("powers")?)?,
        _ => return Err(id.expected("an effect that the rules know")),
    }
    f.finish()
}

/// The victory points at the start, as the scenario says them, against the map.
fn check_points(c: &Components, plot: &Plot, node: &Node) -> Result<(), DataError> {
    let mut f = node.fields()?;
    let mut found = [0_i64; 4];
    for space in c.all_spaces() {
        let power = match plot.holds[space] {
            Some(Hold { owner: Owner::Of(power), .. }) => Some(power),
            _ => c.space(space).province.and_then(|p| plot.owner[p]),
        };
        let stance = power.and_then(|p| plot.powers[p]).map_or(Stance::Absent, |p| p.stance);
        found[stance as usize] += i64::from(plot.vp[space]);
    }
    for (i, key) in ["christian", "muslim", "neutral", "unowned"].into_iter().enumerate() {
        let n = f.required(key)?;
        if n.number()? != found[i] {
            return Err(n.expected(&format!("{}, as the map gives", found[i])));
        }
    }
    f.finish()
}
