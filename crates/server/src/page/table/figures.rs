//! What lies beside the boards: tracks, registers, sums, dice, trays, the game's own tables.

use std::collections::BTreeSet;

use maud::{Markup, PreEscaped, html};
use picture::Loose;
use table::Seat;
use table::scene::{Face, Room, Sum, Throw, Track, Tray};

use super::rule_link;
use crate::sight::Sight;

/// A tray with more pieces than this, none of which can be chosen, is folded.
const FULLEST_TRAY: usize = 7;

pub(super) fn tracks(sight: &Sight) -> Markup {
    let (first, rest): (Vec<_>, Vec<_>) = sight.scene.tracks.iter().partition(|t| t.foremost);
    html! { @for one in first.into_iter().chain(rest) { (track(one)) } }
}

fn track(track: &Track) -> Markup {
    html! {
        div.track.foremost[track.foremost] data-id=(track.id) {
            span.label { (track.name) @if !track.note.is_empty() { small { " " (track.note) } } }
            ol {
                @for (i, name) in track.boxes.iter().enumerate() {
                    @let here: Vec<_> = track.markers.iter().filter(|m| m.at == i).collect();
                    li.here[!here.is_empty()].goal[track.goals.contains(&i)] title=[(!here.is_empty()).then(|| here.iter().map(|m| m.name.as_str()).collect::<Vec<_>>().join(", "))] {
                        (name)
                        // One marker alone is told by its box.
                        @for marker in here.iter().filter(|m| m.owner.is_some() && track.markers.len() > 1) {
                            span class=(format!("marker seat-{}", marker.owner.map_or(0, Seat::index))) {
                                (marker.name.chars().take(2).collect::<String>())
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Who has what.
pub(super) fn register(sight: &Sight, loose: &Loose<'_>) -> Markup {
    let Some(register) = &sight.scene.register else { return html! {} };
    let name = |seat: Seat| sight.seats.get(seat.index()).map_or("", |s| s.name.as_str());
    html! {
        table.register data-id=(register.id) {
            caption { (register.name) }
            thead { tr { td {} @for column in &register.columns { th scope="col" { (column) } } } }
            tbody {
                @for row in &register.rows {
                    tr class=(format!("seat-{}", row.seat.index())) {
                        th scope="row" {
                            @if let Some(arms) = &row.arms { (PreEscaped(loose.coat(arms, Some(row.seat)))) }
                            (name(row.seat)) @if !row.note.is_empty() { small { " " (row.note) } }
                        }
                        @for cell in &row.cells { td.best[cell.best].warned[cell.warned] { (cell.text) } }
                    }
                }
            }
        }
    }
}

/// Figures that unfold.
pub(super) fn sums(sight: &Sight, loose: &Loose<'_>) -> Markup {
    html! { @for one in &sight.scene.sums { (sum(sight, loose, one)) } }
}

fn sum(sight: &Sight, loose: &Loose<'_>, sum: &Sum) -> Markup {
    let whole: u32 = sum.shares.iter().map(|(_, share)| *share).sum();
    html! {
        details.sum data-key=(sum.id) data-show=[&sum.target] {
            summary { span { (sum.name) } b { (sum.total) } }
            @if !sum.note.is_empty() { p.small { (sum.note) } }
            ul {
                @for line in &sum.lines {
                    li.total[line.total] {
                        span { (line.text) @if let Some(rule) = line.rule { " " (rule_link(&sight.game, rule)) } }
                        b { (line.amount) }
                    }
                }
            }
            @if whole > 0 {
                // As shapes: a page has no styles of its own.
                svg.shares viewBox=(format!("0 0 {whole} 1")) preserveAspectRatio="none" aria-hidden="true" {
                    @for (i, (seat, share)) in sum.shares.iter().enumerate() {
                        @let before: u32 = sum.shares.iter().take(i).map(|(_, share)| *share).sum();
                        rect x=(before) width=(share) height="1" fill=(loose.colour(*seat)) {}
                    }
                }
            }
        }
    }
}

/// Dice that lie beside the boards.
pub(super) fn throws(sight: &Sight, loose: &Loose<'_>) -> Markup {
    let beside = |throw: &&Throw| throw.space.is_none();
    html! {
        @for throw in sight.scene.throws.iter().filter(beside) {
            div.throw {
                p { (throw.name) }
                div { @for die in &throw.dice { (PreEscaped(loose.die(die))) } b { (throw.result) } }
                @if !throw.note.is_empty() { p.small { (throw.note) } }
            }
        }
    }
}

/// The game's own tables, the row that counts now lit.
pub(super) fn aids(sight: &Sight) -> Markup {
    html! {
        @for aid in &sight.scene.aids {
            details data-key=(aid.id) open[aid.rows.iter().any(|r| r.lit)] {
                summary { (aid.name) @if let Some(rule) = aid.rule { " " (rule_link(&sight.game, rule)) } }
                @if !aid.note.is_empty() { p.small { (aid.note) } }
                div.wide {
                    table.aid data-id=(aid.id) {
                        thead { tr { @for column in &aid.columns { th scope="col" { (column) } } } }
                        tbody {
                            @for row in &aid.rows {
                                tr.lit[row.lit] {
                                    @for (i, cell) in row.cells.iter().enumerate() {
                                        @if i == 0 { th scope="row" { (cell) } } @else { td { (cell) } }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

pub(super) fn trays(sight: &Sight, loose: &Loose<'_>) -> Markup {
    let open: BTreeSet<&str> =
        sight.offered.iter().flat_map(|o| &o.choice.targets).map(String::as_str).collect();
    let own = |tray: &&Tray| tray.owner.is_some_and(|o| sight.seat == Some(o.into()));
    let (mine, rest): (Vec<_>, Vec<_>) = sight.scene.trays.iter().partition(own);
    html! {
        @for tray in mine.into_iter().chain(rest).filter(|t| !t.pieces.is_empty() || !t.note.is_empty()) {
            @let chosen = tray.pieces.iter().any(|p| open.contains(p.id.as_str()));
            @let read = tray.spread && tray.pieces.iter().any(|p| matches!(p.face, Face::Card(_)));
            @let size = if read || tray.room == Room::Large { 96.0 } else { 56.0 };
            @let pieces = html! {
                div.pieces.spread[read] {
                    @for piece in &tray.pieces { (PreEscaped(loose.piece(piece, open.contains(piece.id.as_str()), size))) }
                }
            };
            section.tray data-id=(tray.id) {
                @if tray.pieces.len() > FULLEST_TRAY && !chosen {
                    details data-key=(tray.id) { summary { h2 { (tray.name) } " · " (tray.pieces.len()) } (pieces) }
                } @else {
                    h2 { (tray.name) }
                    (pieces)
                }
                @if !tray.note.is_empty() { p.small { (tray.note) } }
            }
        }
    }
}
