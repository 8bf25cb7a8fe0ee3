//! What a careful player would not leave, before the click; and advice in the guided round.

use std::fmt;

use table::rule;
use table::scene::{Sum, SumLine, Warning};

use crate::ThirdCrusade;
use crate::data::{Effect, Whose};
use crate::ids::{Army, Icon, Region, Side, Unit};
use crate::position::{Chore, Open, Step};
use crate::view::View;
use crate::words::counted;

/// The supply of an army: what its Units ask for and what it has.
pub(super) struct Supply {
    need: u8,
    has: u8,
}

impl Supply {
    const fn short(&self) -> u8 {
        self.need.saturating_sub(self.has)
    }
}

impl fmt::Display for Supply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} supply and have {}", self.need, self.has)?;
        match self.short() {
            0 => Ok(()),
            short => write!(f, ": {short} Glory would be lost"),
        }
    }
}

impl ThirdCrusade {
    pub(super) fn warnings(&self, view: &View) -> Vec<Warning> {
        let Some(army) = view.army().filter(|_| view.open.result.is_none()) else { return Vec::new() };
        let mut warnings = Vec::new();
        match view.open.agenda.steps().first() {
            Some(Step::Plan { .. } | Step::Command { .. }) => {
                self.warn_of_costs(view, army, &mut warnings);
                self.warn_of_orders(view, army, &mut warnings);
                self.warn_of_supply(view, army, &mut warnings);
                self.foretell(view, &mut warnings);
            }
            Some(Step::Bids | Step::Reward { .. } | Step::Envoys { .. }) => {
                self.warn_of_supply(view, army, &mut warnings);
                self.foretell(view, &mut warnings);
            }
            _ => {}
        }
        warnings
    }

    /// The regions in which an army's orders lie, with what they are.
    fn own_orders<'a>(
        &'a self,
        view: &'a View,
        army: Army,
    ) -> impl Iterator<Item = (Region, crate::ids::Order)> + 'a {
        let side = army.side();
        view.open.orders[side].iter().filter_map(move |(region, placed)| {
            placed.filter(|placed| placed.army == army)?;
            Some((region, view.known.orders[side][region]?))
        })
    }

    /// What an army's orders cost, one more among them if it says so: `9 of 7 command points`, and how many must fail.
    pub(super) fn costs(&self, view: &View, army: Army, more: Option<crate::ids::Order>) -> (String, u8) {
        let own = self.own_orders(view, army).map(|(_, order)| order);
        let mut costs: Vec<u8> = own.chain(more).map(|order| self.components.orders[order].cost).collect();
        let (sum, has) = (costs.iter().sum::<u8>(), view.open.command[army]);
        // The dearest are left out first: so many must fail at the least.
        costs.sort_unstable();
        let (mut left, mut failing) = (sum, 0u8);
        while left > has {
            left -= costs.pop().unwrap_or(left);
            failing += 1;
        }
        let mut text = format!("{sum} of {has} command points");
        if failing > 0 {
            let orders = counted(failing, "order", "orders");
            text.push_str(&format!(": {orders} will fail for {failing} Glory"));
        }
        (text, failing)
    }

    /// `9 of 7: 1 order will fail`, an order in hand among them.
    fn warn_of_costs(&self, view: &View, army: Army, warnings: &mut Vec<Warning>) {
        let (text, failing) = self.costs(view, army, view.known.ready[army]);
        if failing > 0 {
            warnings.push(Warning {
                text: format!("Your orders cost {text}"),
                rule: rule!("2.1"),
                target: None,
            });
        }
    }

    /// Orders that cannot be executed as things stand, and blanks.
    fn warn_of_orders(&self, view: &View, army: Army, warnings: &mut Vec<Warning>) {
        let mut blanks = 0u8;
        for (region, order) in self.own_orders(view, army) {
            let sheet = &self.components.orders[order];
            if sheet.parts.iter().any(|part| part.effect == Effect::Blank) {
                blanks += 1;
                continue;
            }
            let mut rich = view.open.clone();
            rich.command[army] = u8::MAX;
            if let Some((rule, why)) = self.unmet(&rich, army, order, region) {
                let place = self.components.place(region);
                warnings.push(Warning {
                    text: format!("{} in {place} cannot be executed now: {why}", sheet.title),
                    rule,
                    target: Some(self.region_id(region)),
                });
            }
        }
        if blanks > 0 {
            warnings.push(Warning {
                text: format!("{} will cost {blanks} Glory", counted(blanks, "Blank Order", "Blank Orders")),
                rule: rule!("5.3"),
                target: None,
            });
        }
    }

    /// Supply as things stand, and as it would be once the musters that are placed have been executed.
    fn warn_of_supply(&self, view: &View, army: Army, warnings: &mut Vec<Warning>) {
        let supply =
            Supply { need: self.need(&view.open, army), has: self.track(&view.open, army, Icon::Supply) };
        let mut warn = |words: String| {
            warnings.push(Warning { text: words, rule: rule!("5.4a"), target: None });
        };
        if supply.short() > 0 {
            warn(format!("You need {supply}"));
        }
        let placed: Vec<_> = self
            .own_orders(view, army)
            .filter(|(region, order)| self.unmet(&view.open, army, *order, *region).is_none())
            .flat_map(|(region, order)| self.musters(order).map(move |(unit, n)| (region, unit, n)))
            .collect();
        let then = self.supply_after(&view.open, army, placed);
        if then.short() > supply.short() {
            warn(format!("Once your musters are executed you will need {then}"));
        }
    }

    /// The Units of its own army that an order musters where it lies.
    pub(super) fn musters(&self, order: crate::ids::Order) -> impl Iterator<Item = (Unit, u8)> {
        self.components.orders[order].parts.iter().filter_map(|part| match part.effect {
            Effect::Muster { unit, n, whose: Whose::Own, .. } => Some((unit, n)),
            _ => None,
        })
    }

    /// What an army will need and have once Units of its own have come to these regions, as far as Slots and its board
    /// allow: they can cover icons, and open those of a region that nobody held.
    pub(super) fn supply_after(
        &self,
        open: &Open,
        army: Army,
        musters: impl IntoIterator<Item = (Region, Unit, u8)>,
    ) -> Supply {
        let mut then = open.clone();
        for (region, unit, n) in musters {
            let n = n.min(self.room(&then, region, unit.shape())).min(self.in_pool(&then, army, unit));
            then.lands[region].units[army.owner()][unit as usize] += n;
        }
        Supply { need: self.need(&then, army), has: self.track(&then, army, Icon::Supply) }
    }

    /// Glory if the round ended now, as far as the viewer may know.
    fn foretell(&self, view: &View, warnings: &mut Vec<Warning>) {
        let text = match self.glory_then(&view.open) {
            0 => "If the round ended now, Glory would be level".to_string(),
            n => {
                let side = if n > 0 { Side::Crusader } else { Side::Muslim };
                format!("If the round ended now, {} would lead by {} Glory", side.name(), n.abs())
            }
        };
        warnings.push(Warning { text, rule: rule!("5.5"), target: None });
    }

    /// What Upkeep would bring the Crusaders if nothing more happened, step by step: the mission, orders left, supply,
    /// Jerusalem, icons.
    fn upkeep_to_come(&self, open: &Open) -> [(&'static str, table::Rule, i8); 5] {
        let (order, supply, _) = self.components.figures.penalties;
        let sum = |of: &dyn Fn(Army) -> i8| {
            open.table.party.iter().map(|army| of(army) * army.side().sign()).sum::<i8>()
        };
        let short = |army| self.need(open, army).saturating_sub(self.track(open, army, Icon::Supply)) as i8;
        [
            ("The mission", rule!("5.1"), self.mission_steps(open).0),
            ("Orders still on the map", rule!("5.3"), sum(&|army| order * open.on_map(army) as i8)),
            ("Supply that is short", rule!("5.4a"), sum(&|army| supply * short(army))),
            ("Jerusalem", rule!("5.4c"), self.jerusalem_glory(open)),
            ("Open Glory icons", rule!("5.4e"), self.icon_glory(open)),
        ]
    }

    /// Where the Glory marker would stand if the round ended now.
    fn glory_then(&self, open: &Open) -> i8 {
        let end = self.components.figures.glory.0;
        let more: i8 = self.upkeep_to_come(open).iter().map(|step| step.2).sum();
        (open.glory + more).clamp(-end, end)
    }

    /// Glory if the round ended now, in its parts; and for whoever has placed orders what they cost.
    pub(super) fn outlook(&self, view: &View) -> Vec<Sum> {
        let open = &view.open;
        let mut sums = Vec::new();
        let phase = open.agenda.steps().first();
        if open.result.is_some()
            || matches!(phase, Some(Step::Deal { .. } | Step::Keep | Step::Deploy { .. }))
        {
            return sums;
        }
        let lead = |glory: i8| match glory {
            0 => "0".to_string(),
            n => format!("{} for {}", n.abs(), if n > 0 { Side::Crusader } else { Side::Muslim }.name()),
        };
        let now = SumLine::new("Glory now", lead(open.glory), rule!("glossary.glory"));
        let steps = self.upkeep_to_come(open).map(|(text, rule, n)| SumLine::new(text, lead(n), rule));
        sums.push(Sum {
            id: "outlook".into(),
            name: "Glory if the round ended now".into(),
            total: lead(self.glory_then(open)),
            lines: std::iter::once(now).chain(steps).collect(),
            ..Sum::default()
        });
        let commanding = matches!(phase, Some(Step::Plan { .. } | Step::Command { .. }));
        if let Some(army) = view.army().filter(|_| commanding) {
            let lines: Vec<_> = self
                .own_orders(view, army)
                .map(|(region, order)| {
                    let sheet = &self.components.orders[order];
                    let text = format!("{} in {}", sheet.title, self.components.place(region));
                    SumLine::new(text, sheet.cost.to_string(), rule!("2.1"))
                })
                .collect();
            let cost: u8 =
                self.own_orders(view, army).map(|(_, order)| self.components.orders[order].cost).sum();
            sums.push(Sum {
                id: "costs".into(),
                name: "Your orders cost".into(),
                total: format!("{cost} of {}", open.command[army]),
                lines,
                ..Sum::default()
            });
        }
        sums
    }

    /// A sentence of advice for the guided round.
    pub(super) fn advice(&self, view: &View) -> String {
        let ready = view.army().and_then(|army| view.known.ready[army]);
        match view.open.agenda.now() {
            Some(Step::Lay) => {
                "Your enemy picks two of the four and is paid the values above them; those two are the ones that you may \
                 play, the others are lost: a high value tempts him to pick what you want"
            }
            Some(Step::Market { .. }) => {
                "The value is what you gain in command points; the card itself goes to your enemy, so look for a high \
                 value over a weak card"
            }
            Some(Step::Plan { .. }) if ready.is_some() => {
                "Choose a region where your army stands; one order of your alliance fits into each"
            }
            Some(Step::Plan { .. }) => {
                "A March is placed where the army stands that is to go; count the costs, for each order left over \
                 costs a point of Glory"
            }
            Some(Step::Command { .. }) => {
                "Cards are free, orders cost command points; what must come first should be executed first"
            }
            Some(Step::Deed(_)) => "Do as much of it as you like, in any order, then leave it at that",
            Some(Step::March) => {
                "Everybody is picked at first: leave behind who should hold the region, then click where the others go"
            }
            Some(Step::Battle) => {
                "You are the weaker side: a Reaction Order in or next to the battle may turn it, and a bluff is \
                 answered by declining"
            }
            Some(Step::Losses(_)) => "Neutral Units may be lost first; leaders bring the enemy Glory when they die",
            Some(Step::Retreat) => "Go where your own side stands or nobody does; who finds no Slot is lost",
            Some(Step::Bids) => "Gold buys the first choice of rewards; the lowest bidder gets what his enemy picks",
            Some(Step::Reward { .. } | Step::Bestow { .. }) => {
                "The number also says who moves first on the diplomacy board"
            }
            Some(Step::Advance { .. }) => "A row of four must be entered before the next one can be reached",
            Some(Step::Upkeep(Chore::Tithe)) => "A tithe turns an unused order into a piece of gold and saves its Glory",
            Some(Step::Upkeep(Chore::Buy)) => "Supply that feeds nobody buys better orders for later rounds",
            Some(Step::Starve { .. }) => "Fill a Section up again: half a Section still asks for all of its supply",
            _ => "Take your time: whatever is offered is allowed",
        }
        .to_string()
    }
}
