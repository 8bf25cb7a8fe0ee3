//! What a careful player would not leave, before the click; and advice in the guided round.

use table::rule;
use table::scene::Warning;

use crate::ThirdCrusade;
use crate::data::Effect;
use crate::ids::{Army, Icon, Region, Side};
use crate::position::{Chore, Open, Step};
use crate::view::View;
use crate::words::counted;

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

    fn warn_of_supply(&self, view: &View, army: Army, warnings: &mut Vec<Warning>) {
        let (need, has) = (self.need(&view.open, army), self.track(&view.open, army, Icon::Supply));
        if need > has {
            let short = need - has;
            warnings.push(Warning {
                text: format!("You need {need} supply and have {has}: {short} Glory would be lost"),
                rule: rule!("5.4a"),
                target: None,
            });
        }
    }

    /// Glory if the round ended now, as far as the viewer may know.
    fn foretell(&self, view: &View, warnings: &mut Vec<Warning>) {
        let glory = self.glory_to_come(&view.open);
        let end = self.components.figures.glory.0;
        let then = (view.open.glory + glory).clamp(-end, end);
        let text = match then {
            0 => "If the round ended now, Glory would be level".to_string(),
            n => {
                let side = if n > 0 { Side::Crusader } else { Side::Muslim };
                format!("If the round ended now, {} would lead by {} Glory", side.name(), n.abs())
            }
        };
        warnings.push(Warning { text, rule: rule!("5.5"), target: None });
    }

    /// What Upkeep would bring the Crusaders if nothing more happened: the mission, orders left, supply, Jerusalem, icons.
    pub(crate) fn glory_to_come(&self, open: &Open) -> i8 {
        let (order, supply, _) = self.components.figures.penalties;
        let mut glory = self.mission_steps(open).0 + self.jerusalem_glory(open) + self.icon_glory(open);
        for army in open.table.party {
            let short = self.need(open, army).saturating_sub(self.track(open, army, Icon::Supply)) as i8;
            glory += (order * open.on_map(army) as i8 + supply * short) * army.side().sign();
        }
        glory
    }

    /// A sentence of advice for the guided round.
    pub(super) fn advice(&self, view: &View) -> String {
        let ready = view.army().and_then(|army| view.known.ready[army]);
        match view.open.agenda.now() {
            Some(Step::Lay) => {
                "Lay the card that you would least like to give away under the lowest value: your enemy picks two of \
                 the four and is paid the value, and those two are the ones that you may play"
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
