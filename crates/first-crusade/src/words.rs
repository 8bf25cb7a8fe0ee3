//! Counts and lists as people say them: one unit, three units; Godfrey, Tancred and 4 more units.

use std::fmt;

use table::Set;

use crate::data::{Components, Unit};

/// A number with what it counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted(i32, &'static str, &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(n, one, many) = *self;
        write!(f, "{n} {}", if n.abs() == 1 { one } else { many })
    }
}

/// So many of a thing: its name for one and for several.
pub(crate) fn count(n: impl TryInto<i32>, one: &'static str, many: &'static str) -> Counted {
    Counted(n.try_into().unwrap_or(i32::MAX), one, many)
}

/// So many units.
pub(crate) fn units(n: usize) -> Counted {
    count(n, "unit", "units")
}

/// So many points.
pub(crate) fn points(n: i16) -> Counted {
    count(n, "point", "points")
}

/// So many Special Actions.
pub(crate) fn special_actions(n: u8) -> Counted {
    count(n, "Special Action", "Special Actions")
}

/// Things one after another, the last after `and`.
#[derive(Clone, Debug)]
pub(crate) struct Listed<I>(pub(crate) I);

impl<I> fmt::Display for Listed<I>
where
    I: Iterator<Item: fmt::Display> + Clone,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut things = self.0.clone().peekable();
        let mut first = true;
        while let Some(thing) = things.next() {
            let before = match (first, things.peek().is_some()) {
                (true, _) => "",
                (false, true) => ", ",
                (false, false) => " and ",
            };
            write!(f, "{before}{thing}")?;
            first = false;
        }
        Ok(())
    }
}

/// How many of a host are named before the others are only counted.
const NAMED: usize = 4;

/// Who is in a host: its leaders first; of many the rest is counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Host<'a>(pub(crate) &'a Components, pub(crate) Set<Unit>);

impl fmt::Display for Host<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(components, units) = *self;
        let leaders = units & components.leaders;
        let all = || leaders.iter().chain((units - leaders).iter()).map(|u| components.unit_name(u));
        if units.len() <= NAMED {
            return write!(f, "{}", Listed(all()));
        }
        for name in all().take(NAMED - 1) {
            write!(f, "{name}, ")?;
        }
        write!(f, "and {}", count(units.len() - (NAMED - 1), "more unit", "more units"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Host, Listed, count};
    use crate::FirstCrusade;

    #[test]
    fn one_is_not_many() {
        let said: Vec<_> = [0, 1, 2, -1].map(|n: i32| count(n, "hit", "hits").to_string()).into();
        assert_eq!(said, ["0 hits", "1 hit", "2 hits", "-1 hit"]);
    }

    #[test]
    fn lists_end_with_and() {
        let said = |names: &[&str]| Listed(names.iter()).to_string();
        assert_eq!(said(&["Acre"]), "Acre");
        assert_eq!(said(&["Acre", "Tyre"]), "Acre and Tyre");
        assert_eq!(said(&["Acre", "Tyre", "Jaffa"]), "Acre, Tyre and Jaffa");
    }

    #[test]
    fn a_great_host_is_counted() {
        let game = FirstCrusade::built_in();
        let host = |names: &[&str]| {
            let units = names.iter().filter_map(|name| game.components.unit(name)).collect();
            Host(&game.components, units).to_string()
        };
        assert_eq!(host(&["Pilgrims I", "Godfrey"]), "Godfrey and Pilgrims I");
        let many = ["Knights I", "Knights II", "Pilgrims I", "Pilgrims II", "Godfrey"];
        assert_eq!(host(&many[1..]), "Godfrey, Knights II, Pilgrims I and Pilgrims II");
        assert_eq!(host(&many), "Godfrey, Knights I, Knights II, and 2 more units");
    }
}
