//! Clocks on pages: the choice of a pace, the clocks of a table, and what to do when time has run out or
//! somebody is away. All of it works as plain forms; a script only counts down.

use maud::{Markup, html};

use crate::bots::LEVELS;
use crate::clock::{Pace, USUAL};
use crate::live::{USUAL_ABSENCE, in_words};
use crate::sight::{Seated, Sight};
use crate::store::{Kind, TableStage, Tempo};

/// The field of a new table's form.
pub(crate) fn field() -> Markup {
    html! {
        fieldset {
            legend { "Clocks" }
            label.option { span { "Time to think" }
                select name="clock" {
                    option value="" selected[true] { "As long as you like" }
                    @for (word, name, _) in USUAL { option value=(word) { (name) } }
                }
            }
        }
    }
}

/// How long somebody may be away at a table without clocks: the field of a new table's form.
pub(crate) fn absence_field() -> Markup {
    let lengths = [(3600, "an hour"), (86_400, "a day"), (259_200, "three days"), (604_800, "a week")];
    html! {
        label.option { span { "Without clocks, a bot may sit in for somebody who is away for" }
            select name="absence" {
                @for (seconds, name) in lengths {
                    option value=(seconds) selected[seconds == USUAL_ABSENCE] { (name) }
                }
            }
        }
    }
}

/// How quickly bots play: the field of a new table's form.
pub(crate) fn tempo_field() -> Markup {
    let in_words = |tempo: Tempo| match tempo {
        Tempo::AtOnce => "at once",
        Tempo::Steady => "with a short pause",
        Tempo::Leisurely => "slowly enough to follow every move",
    };
    html! {
        label.option { span { "Bots play" }
            select name="tempo" {
                @for tempo in Tempo::ALL {
                    option value=(tempo.word()) selected[tempo == Tempo::default()] { (in_words(tempo)) }
                }
            }
        }
    }
}

/// A length of time, as a clock shows it before a script counts it down.
fn length(milliseconds: i64) -> String {
    let seconds = milliseconds.max(0) / 1000;
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match days {
        0 if hours == 0 => format!("{minutes}:{:02}", seconds % 60),
        0 => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
        _ => format!("{days} d {hours} h"),
    }
}

pub(super) fn pace_in_words(pace: Pace) -> String {
    format!(
        "{} in the bank, {} for each decision",
        length(i64::from(pace.bank) * 1000),
        length(i64::from(pace.each) * 1000)
    )
}

/// A form of one button.
fn button(sight: &Sight, seat: u8, ask: &str, more: &[(&str, String)], text: &str) -> Markup {
    html! {
        form.inline method="post" action=(format!("/t/{}/time", sight.table)) {
            input type="hidden" name="seat" value=(seat);
            input type="hidden" name="ask" value=(ask);
            @for (name, value) in more { input type="hidden" name=(name) value=(value); }
            button.quiet { (text) }
        }
    }
}

/// The clocks of a table, and everything about time and absence.
pub(crate) fn clocks(sight: &Sight) -> Markup {
    if sight.stage == TableStage::Gathering {
        return html! {
            @if let Some(pace) = sight.pace { p.small { "Clocks: " (pace_in_words(pace)) "." } }
            (events(sight))
        };
    }
    let name = |seat: u8| sight.seats.get(usize::from(seat)).map_or("", |s| s.name.as_str());
    let running = sight.stage == TableStage::Running;
    html! {
        @if running && !sight.clocks.is_empty() {
            ul.clocks title=[sight.pace.map(pace_in_words)] {
                @for clock in &sight.clocks {
                    li.runs[clock.since.is_some()] {
                        (name(clock.seat)) " "
                        time data-runs-out=[clock.runs_out] { (length(clock.left)) }
                    }
                }
            }
        }
        @if running { (remedies(sight)) }
        @if running { (events(sight)) }
    }
}

/// What happened outside the game, the last of it first.
fn events(sight: &Sight) -> Markup {
    html! {
        @if !sight.events.is_empty() {
            details.events { summary { (sight.events.last().map_or("", |e| e.text.as_str())) }
                ul { @for event in sight.events.iter().rev().skip(1) { li { (event.text) " · " (super::ago(event.at)) } } }
            }
        }
    }
}

fn remedies(sight: &Sight) -> Markup {
    let Some(me) = sight.seat.filter(|s| sight.seats.get(usize::from(*s)).is_some_and(|s| s.own)) else {
        return html! {};
    };
    let level = vec![("level", LEVELS[0].id.to_string())];
    let others = |s: &&Seated| !s.own && s.kind == Kind::Person;
    let mine = sight.seats.iter().find(|s| s.seat == me);
    html! {
        @if let Some(bot) = mine.and_then(|s| s.stand_in.as_ref()) {
            p { "A bot (" (bot) ") keeps your seat. " (button(sight, me, "return", &[], "I am back")) }
        }
        @if sight.bot_undo {
            p { "Nobody has learned anything from what the bot did. " (button(sight, me, "take-back", &[], "Take it back")) }
        }
        @if sight.out_of_time {
            div.late role="status" {
                p { b { "Time has run out." } }
                @if !sight.to_decide() {
                    (button(sight, me, "claim", &[], "Claim the game"))
                    (button(sight, me, "replace", &level, "Let a bot take over"))
                }
                @for s in sight.seats.iter().filter(others).filter(|s| s.waiting) {
                    (button(sight, me, "grant", &[("to", s.seat.to_string())], &format!("Give {} more time", s.name)))
                }
            }
        }
    }
}

/// Resigning, a draw, putting the game away: what can be done depends on who else plays.
fn endings(sight: &Sight, me: &Seated) -> Markup {
    let mine = sight.draw_offered.as_ref().filter(|d| d.by == me.seat);
    html! {
        @if sight.alone {
            p.small { "Nobody else plays here: the game can be put away unfinished." }
            (button(sight, me.seat, "abandon", &[], "Put the game away"))
        } @else if mine.is_some() {
            p.small { "You have offered a draw." }
            (button(sight, me.seat, "decline-draw", &[], "Take the offer back"))
        } @else if sight.draw_offered.is_none() {
            p.small { "A draw needs the consent of all who play." }
            (button(sight, me.seat, "offer-draw", &[], "Offer a draw"))
        }
        @if sight.seats.len() > 1 {
            p.small { "Whoever resigns loses; with partners who play on, a bot takes his seat instead." }
            (button(sight, me.seat, "resign", &[], "Resign"))
        }
    }
}

/// A draw that is offered, for whoever must answer it.
pub(crate) fn draw_offer(sight: &Sight) -> Markup {
    let Some((offer, me)) = sight.draw_offered.as_ref().filter(|d| d.answer).zip(sight.seat) else {
        return html! {};
    };
    html! {
        p { b { (offer.name) } " offers a draw. "
            (button(sight, me, "agree-draw", &[], "Agree to a draw"))
            (button(sight, me, "decline-draw", &[], "Play on")) }
    }
}

/// A bot that keeps a seat warm: the own one, or that of somebody who is away; and leaving for good.
pub(crate) fn absence(sight: &Sight) -> Markup {
    let mine = sight.seats.iter().find(|s| s.own && sight.seat == Some(s.seat));
    let Some(me) = mine else { return html! {} };
    if sight.seats.len() < 2 {
        return if sight.stage == TableStage::Running {
            html! { h2 { "Ending it" } (endings(sight, me)) }
        } else {
            html! {}
        };
    }
    let leave = button(sight, me.seat, "give-up", &[], "Leave this seat for good");
    match sight.stage {
        TableStage::Gathering => return html! { (leave) },
        TableStage::Over | TableStage::Frozen => return html! {},
        TableStage::Running => {}
    }
    let level = vec![("level", LEVELS[0].id.to_string())];
    let away = |s: &&Seated| {
        let absent = !s.own && s.kind == Kind::Person && s.waiting && !s.present && s.stand_in.is_none();
        absent && sight.pace.is_none()
    };
    html! {
        @if me.stand_in.is_none() {
            p.small { "Going away? A bot can keep your seat warm until you are back." }
            (button(sight, me.seat, "sit-in", &level, "Let a bot play for me"))
        }
        @for s in sight.seats.iter().filter(away) {
            @let text = match s.due {
                Some(_) => format!("Let a bot play for {}, if the time has passed", s.name),
                None => format!("{} is away: announce a bot in {}", s.name, in_words(sight.absence)),
            };
            (button(sight, s.seat, "sit-in", &level, &text))
        }
        p.small { "Whoever leaves for good has a bot play the seat to its end." }
        (leave)
        h2 { "Ending it" }
        (endings(sight, me))
    }
}
