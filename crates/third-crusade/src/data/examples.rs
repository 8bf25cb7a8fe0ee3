//! What the rulebook's worked examples fix about orders and cards.

use table::Id as _;
use table::sheet::{DataError, Node};

use super::{Components, Effect, Part, Place, Presence, Sort, Whose};
use crate::ids::{Army, Event, Icon, Leader, Objective, Order, Owner, Region, Shape, Unit};

pub(super) fn check(c: &Components, orders: &Node) -> Result<(), DataError> {
    let [angevin, ayyubid, hre, turkoman] = [0, 1, 2, 3].map(Army::at);
    let order = |army: Army, wanted: &dyn Fn(&super::OrderSheet) -> bool| {
        Order::all().any(|o| c.orders[o].army == army && wanted(&c.orders[o]))
    };
    let does = |parts: &[Part], effect: Effect| matches!(parts, [part] if part.effect == effect);
    let infantry = |n| Effect::Muster { unit: Unit::Infantry, n, at: Place::Same, whose: Whose::Own };
    let known = [
        (
            order(hre, &|o| (o.presence, o.sort, o.cost) == (Presence::Own, Sort::Region, 2)),
            "p11: an order of the Holy Roman Empire for own presence anywhere, cost 2",
        ),
        (
            Order::all().any(|o| (c.orders[o].presence, c.orders[o].sort) == (Presence::Any, Sort::Desert)),
            "p11: an order for deserts that asks for no presence",
        ),
        (
            order(angevin, &|o| (o.presence, o.sort) == (Presence::Own, Sort::Desert)),
            "p13: an Angevin order for own presence in a desert",
        ),
        (
            order(turkoman, &|o| {
                (o.presence, o.sort, o.cost) == (Presence::Any, Sort::Desert, 3)
                    && does(&o.parts, infantry(1))
            }),
            "p13: a Turkoman order that musters 1 Infantry in any desert for 3",
        ),
        (
            order(ayyubid, &|o| {
                (o.presence, o.sort, o.cost) == (Presence::Alliance, Sort::City, 3)
                    && does(&o.parts, infantry(2))
            }),
            "p13: an Ayyubid order that musters 2 Infantry in a city for 3",
        ),
        (order(hre, &|o| does(&o.parts, Effect::Defence(2))), "p14: a Defence of 2 of the Holy Roman Empire"),
        (order(angevin, &|o| does(&o.parts, Effect::Reinforce(1))), "p14: an Angevin Reinforce"),
        (
            order(turkoman, &|o| o.presence == Presence::Own && does(&o.parts, Effect::Diversion)),
            "p14: a Turkoman Diversion for own presence",
        ),
    ];
    if let Some((_, what)) = known.iter().find(|(holds, _)| !holds) {
        return Err(orders.wrong(format!("expected, by the example of {what}; found none")));
    }
    for (name, owner, shape, cavalry) in [
        ("Badr al-Din", turkoman.owner(), Shape::Hex, Some(2)),
        ("Conrad", Owner::neutral(), Shape::Hex, Some(1)),
        ("Tughril", ayyubid.owner(), Shape::Hex, None),
    ] {
        let leader = Leader::all().find(|l| c.leaders[*l].faces[0].name == name);
        let holds = leader.is_some_and(|l| {
            let (sheet, face) = (&c.leaders[l], &c.leaders[l].faces[0]);
            let icons =
                cavalry.is_none_or(|n| (face.shape, face.units, face.icons) == (shape, [0, n, 0], [0; 5]));
            sheet.owner == owner && icons
        });
        if !holds {
            let what = format!("expected {name} as in the examples of p12 and p14, found another");
            return Err(DataError::new("armies.toml", 1, what));
        }
    }
    let event = |title: &str| Event::all().find(|e| c.events[*e].title == title);
    let titled = |title: &str, army: Army| event(title).is_some_and(|e| c.events[e].army == army);
    let any = |wanted: &dyn Fn(&super::EventSheet) -> bool| Event::all().any(|e| wanted(&c.events[e]));
    let objective = |name: &str| {
        let region = Region::all().find(|r| c.place(*r) == name);
        Objective::all().find(|o| Some(c.objectives[*o].main) == region)
    };
    let has = |o: Objective, names: &[&str]| {
        names.iter().all(|name| c.objectives[o].cities.iter().any(|r| c.place(r) == *name))
    };
    let known = [
        (titled("Greek Fire", turkoman), "events.toml", "p10: the Turkoman card Greek Fire"),
        (
            titled("Burning of Haifa", angevin)
                && event("Burning of Haifa").is_some_and(|e| c.events[e].needs == Some(ayyubid)),
            "events.toml",
            "p4: the Angevin card Burning of Haifa, which leaves without the Ayyubids",
        ),
        (
            any(&|e| {
                e.army == ayyubid
                    && e.crowns == 4
                    && e.parts.iter().any(|p| {
                        matches!(
                            p.effect,
                            Effect::PlaceLeader { at: Place::Fits(Presence::Empty, Sort::Desert), .. }
                        )
                    })
            }),
            "events.toml",
            "p12: an Ayyubid card that brings a leader to an empty desert, with a crown event for 4",
        ),
        (
            any(&|e| {
                let crown: Vec<_> = e.parts.iter().filter(|p| p.crown).map(|p| p.effect).collect();
                e.army == hre
                    && e.crowns == 3
                    && crown == [Effect::BaseCommand(1)]
                    && e.parts
                        .iter()
                        .any(|p| matches!(p.effect, Effect::PlaceToken { icon: Icon::Crown, .. }))
            }),
            "events.toml",
            "p13: a card of the Holy Roman Empire with a crown token, and base command for 3 crowns",
        ),
        (
            any(&|e| {
                let or: Vec<_> = e.parts.iter().filter(|p| p.branch > 0).map(|p| p.effect).collect();
                or == [Effect::Faith(1), Effect::Glory(3)]
            }),
            "events.toml",
            "p12: a card that gives 1 Faith or 3 Glory",
        ),
        (
            c.missions.values().iter().any(|m| {
                (m.glory, m.faith) == (super::Quest::Icon(Icon::Crown), super::Quest::Sort(Sort::Port))
            }),
            "boards.toml",
            "p17: a mission for crown icons and ports",
        ),
        (
            objective("Kerak")
                .is_some_and(|o| has(o, &["Kerak", "Damascus"]) && c.objectives[o].score[1] == 3),
            "boards.toml",
            "p18: an objective Kerak with Damascus, 3 Glory for two",
        ),
        (
            Objective::all().any(|o| has(o, &["Sidon", "Ascalon", "Heraclium"])),
            "boards.toml",
            "p18: an objective with Sidon, Ascalon and Heraclium",
        ),
        (
            Objective::all().any(|o| has(o, &["Homs", "Tyre"])),
            "boards.toml",
            "p18: an objective with Homs and Tyre",
        ),
    ];
    match known.iter().find(|(holds, ..)| !holds) {
        Some((_, file, what)) => {
            Err(DataError::new(*file, 1, format!("expected, by the example of {what}; found none")))
        }
        None => Ok(()),
    }
}
