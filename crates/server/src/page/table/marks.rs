//! What the script must know of the boards and nobody needs to read: who stands where, why
//! something cannot be chosen, and how the table stands.

use maud::{Markup, html};
use table::scene::Face;

use crate::page::sentence;
use crate::sight::Sight;

/// Why not: one line for each target that may not be chosen.
pub(super) fn refused(sight: &Sight) -> Markup {
    let mut lines: Vec<(&str, String, String)> = Vec::new();
    for refusal in &sight.refused {
        for target in &refusal.targets {
            let line = (target.as_str(), sentence(&refusal.why), refusal.rule.to_string());
            if !lines.contains(&line) && lines.iter().filter(|(t, _, _)| t == target).count() < 3 {
                lines.push(line);
            }
        }
    }
    html! {
        @for (target, why, rule) in lines { i data-target=(target) data-why=(why) data-rule=(rule) {} }
    }
}

pub(super) fn state(sight: &Sight) -> Markup {
    html! {
        i #ui-state data-number=(sight.number) data-decide=(sight.to_decide()) data-stage=(sight.stage.word())
            data-hand=[sight.hand_over.map(|(seat, _)| seat)] data-curtain=[sight.hand_over.map(|(_, c)| c)]
            data-hand-name=[sight.hand_over.and_then(|(seat, _)| sight.seats.get(usize::from(seat))).map(|s| &s.name)]
            data-title=(if sight.to_decide() { format!("● Your turn: {}", sight.game_name) } else { sight.game_name.clone() }) {}
    }
}

/// Who stands where, by space, each as a fragment of its own so that a march brings few of them: whose, and how
/// strong as far as the viewer sees it. What pieces look like is on the board.
pub(super) fn stacks(sight: &Sight) -> Vec<(String, Markup)> {
    let own =
        |owner: Option<table::Seat>| owner.is_some_and(|o| sight.seat == Some(o.into()) && sight.plays());
    let mut stacks = Vec::new();
    for board in &sight.scene.boards {
        for (i, space) in board.spaces.iter().enumerate() {
            if board.on(&space.id).next().is_none() {
                continue;
            }
            let notes = Some(space.notes().join(", ")).filter(|n| !n.is_empty());
            let markup = html! {
                i data-stack=(space.id) data-on=(board.id) data-called=(space.name) data-notes=[notes] {
                    @for piece in board.on(&space.id) {
                        @let strength = match &piece.face { Face::Shown(front) if front.pips.1 > 0 => Some(front.pips.0), _ => None };
                        i data-piece=(piece.id) data-mine[own(piece.owner)] data-side=[piece.owner.map(u8::from)] data-strength=[strength]
                            data-more=[Some(piece.more).filter(|m| *m > 0)] {}
                    }
                }
            };
            stacks.push((format!("f-stack-{}-{i}", board.id), markup));
        }
    }
    stacks
}
