//! Standing orders: those that were given, in their order, and those that make sense now, as switches. Who likes
//! to write finds a text box.

use maud::{Markup, html};

use super::rule_link;
use crate::sight::Sight;
use crate::store::TableStage;

/// The orders of the viewer's seat.
pub(super) fn orders(sight: &Sight) -> Markup {
    let plays = sight.seat.is_some_and(|s| sight.seats.get(usize::from(s)).is_some_and(|s| s.own));
    let none = sight.standing.is_empty() && sight.offered_orders.is_empty();
    if !plays || sight.stage != TableStage::Running || sight.frozen.is_some() || none {
        return html! {};
    }
    let given = |notation: &str| sight.standing.iter().any(|o| o.notation == notation);
    let several = sight.standing.len() > 1;
    html! {
        ul {
            @for (i, order) in sight.standing.iter().enumerate() {
                li.given.stopped[order.stopped.is_some()] data-key=(format!("order-{}", order.notation)) draggable=(several) {
                    label { input type="checkbox" role="switch" checked[true] data-order=(order.notation) data-given; span { b { (order.label) } } }
                    @if several {
                        button.quiet data-order-move="-1" data-order-of=(order.notation) disabled[i == 0] aria-label=(format!("{}: earlier", order.label)) { "▲" }
                        button.quiet data-order-move="1" data-order-of=(order.notation) disabled[i + 1 == sight.standing.len()] aria-label=(format!("{}: later", order.label)) { "▼" }
                    }
                    @if let Some((rule, why)) = &order.stopped {
                        p.warned role="status" { "Stopped: " (why) " " (rule_link(&sight.game, rule)) }
                    } @else if !order.hint.is_empty() { p.small { (order.hint) } }
                }
            }
            @for order in sight.offered_orders.iter().filter(|o| !given(o.notation.as_str())) {
                li data-key=(format!("order-{}", order.notation)) {
                    label { input type="checkbox" role="switch" data-order=(order.notation); span { b { (order.label) } } }
                    @if !order.hint.is_empty() { p.small { (order.hint) } }
                }
            }
        }
    }
}
