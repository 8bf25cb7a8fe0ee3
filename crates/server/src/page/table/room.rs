//! Before the game: who is missing, and what to do about it.

use maud::{Markup, html};

use crate::sight::Sight;
use crate::store::{Kind, TableStage};

/// While seats are being filled: who is missing, and what to do about it.
pub(super) fn room(sight: &Sight) -> Markup {
    if sight.stage != TableStage::Gathering {
        return html! {};
    }
    let mine: Vec<_> = sight.seats.iter().filter(|s| s.own && s.nonce.is_none()).map(|s| s.seat).collect();
    html! {
        h2 { "Before the game" }
        p { (sight.scenario) }
        ul {
            @for s in &sight.seats {
                li {
                    b { (s.name) } ": "
                    @match s.kind {
                        Kind::Bot => { (s.player) " (bot)" }
                        Kind::Person if s.nonce.is_some() => { (s.player) ", ready" }
                        Kind::Person => { (s.player) }
                        Kind::Nobody => { i { "nobody" } }
                        Kind::Open | Kind::Invited => {
                            @if s.kind == Kind::Open && !sight.host {
                                (sit(sight, s.seat, "", "Sit down here"))
                            } @else {
                                "waiting for somebody "
                                @if sight.host { button data-invite=(s.seat) { "Make an invitation link" } }
                                @if s.kind == Kind::Open { " " (sit(sight, s.seat, "quiet", "Sit here myself")) }
                            }
                        }
                    }
                }
            }
        }
        p.links id="ui-links" data-filled {}
        @if !mine.is_empty() {
            p #ui-ready data-ready=(mine.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")) {
                "Your browser adds a number of its own to the dice…"
            }
        }
        p.small {
            "The game begins when every seat is taken. The dice are already fixed by a secret seed; its "
            "fingerprint is " code { (sight.commitment) } ", and each player adds a number that the server "
            "could not know before."
        }
    }
}

/// A form of one button, so that somebody without a script, or without a name, can sit down as well.
fn sit(sight: &Sight, seat: u8, class: &str, text: &str) -> Markup {
    html! {
        form.inline method="post" action=(format!("/t/{}/sit", sight.table)) {
            input type="hidden" name="seat" value=(seat);
            button class=[(!class.is_empty()).then_some(class)] data-sit=(seat) { (text) }
        }
    }
}
