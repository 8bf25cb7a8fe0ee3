//! What cannot be: ids that occur twice, things that refer to nothing, figures that contradict each other.

use std::collections::BTreeSet;

use super::{Board, Face, Form, Ground, Keep, Piece, Scene, Tint};
use crate::seat::{MOST_SEATS, SeatSet};

/// What was found, and the ids that are there.
#[derive(Default)]
struct Finding {
    ids: BTreeSet<String>,
    faults: Vec<String>,
}

impl Finding {
    fn claim(&mut self, id: &str) {
        if id.is_empty() {
            self.faults.push("something has an empty id".to_string());
        } else if !self.ids.insert(id.to_string()) {
            self.faults.push(format!("the id `{id}` occurs twice"));
        }
    }

    fn say(&mut self, wrong: bool, fault: impl FnOnce() -> String) {
        if wrong {
            self.faults.push(fault());
        }
    }

    /// Something points at an id that nothing has.
    fn points(&mut self, what: &str, target: Option<&String>) {
        if let Some(target) = target.filter(|t| !self.ids.contains(*t)) {
            self.faults.push(format!("{what} points at `{target}`, which is not there"));
        }
    }
}

impl Scene {
    /// What cannot be in this scene, among the seats that the game has: a defect of the game's scene.
    pub fn faults_among(&self, seats: SeatSet) -> Vec<String> {
        let mut found = Finding::default();
        self.claim_all(&mut found);
        for board in &self.boards {
            board.find(&mut found);
        }
        for tray in &self.trays {
            for piece in &tray.pieces {
                piece.find(&mut found);
                found.say(!piece.space.is_empty(), || {
                    format!(
                        "piece `{}` lies in the tray `{}` and stands on `{}`",
                        piece.id, tray.id, piece.space
                    )
                });
            }
        }
        self.find_in_tracks(&mut found);
        self.find_in_figures(&mut found, seats);
        if let Some(prompt) = &self.prompt {
            found.say(!prompt.seats.minus(seats).is_empty(), || {
                "the prompt is for a seat that nobody has".to_string()
            });
        }
        for warning in &self.warnings {
            found.points("a warning", warning.target.as_ref());
        }
        found.faults
    }

    /// The same for a game with any number of seats.
    pub fn faults(&self) -> Vec<String> {
        self.faults_among(SeatSet::first(MOST_SEATS))
    }

    fn claim_all(&self, found: &mut Finding) {
        for board in &self.boards {
            found.claim(&board.id);
            for id in board.spaces.iter().map(|s| &s.id).chain(board.links.iter().map(|l| &l.id)) {
                found.claim(id);
            }
            for piece in &board.pieces {
                found.claim(&piece.id);
            }
        }
        for tray in &self.trays {
            found.claim(&tray.id);
            for piece in &tray.pieces {
                found.claim(&piece.id);
            }
        }
        let ids = self.tracks.iter().map(|t| &t.id).chain(self.register.iter().map(|r| &r.id));
        for id in ids.chain(self.sums.iter().map(|s| &s.id)).chain(self.aids.iter().map(|a| &a.id)) {
            found.claim(id);
        }
    }

    fn find_in_tracks(&self, found: &mut Finding) {
        let foremost: Vec<_> = self.tracks.iter().filter(|t| t.foremost).map(|t| t.id.as_str()).collect();
        found.say(foremost.len() > 1, || format!("several tracks are foremost: {}", foremost.join(", ")));
        for track in &self.tracks {
            for marker in &track.markers {
                found.say(marker.at >= track.boxes.len(), || {
                    format!("marker `{}` stands off the track `{}`", marker.name, track.id)
                });
            }
            for goal in &track.goals {
                found.say(*goal >= track.boxes.len(), || {
                    format!("goal {goal} lies off the track `{}`", track.id)
                });
            }
        }
    }

    fn find_in_figures(&self, found: &mut Finding, seats: SeatSet) {
        if let Some(register) = &self.register {
            let mut seen = SeatSet::NONE;
            for row in &register.rows {
                let seat = row.seat.index();
                found.say(!seats.contains(row.seat), || {
                    format!("register `{}` has a row for seat {seat}, which nobody has", register.id)
                });
                found.say(seen.contains(row.seat), || {
                    format!("register `{}` has two rows for seat {seat}", register.id)
                });
                seen = seen.with(row.seat);
                let (has, wants) = (row.cells.len(), register.columns.len());
                found.say(has != wants, || {
                    format!(
                        "the row of seat {seat} in register `{}` has {has} cells for {wants} columns",
                        register.id
                    )
                });
            }
        }
        for sum in &self.sums {
            found.say(sum.total.is_empty(), || format!("sum `{}` has no figure", sum.id));
            let nothing = !sum.shares.is_empty() && sum.shares.iter().all(|(_, share)| *share == 0);
            found.say(nothing, || format!("the shares of sum `{}` are all nothing", sum.id));
            found.points(&format!("sum `{}`", sum.id), sum.target.as_ref());
        }
        for throw in &self.throws {
            for die in &throw.dice {
                found.say(die.result == 0 || die.result > die.sides, || {
                    format!("a die of {} sides shows {} (`{}`)", die.sides, die.result, throw.name)
                });
            }
            if let Some(space) = &throw.space {
                found.say(!self.boards.iter().any(|b| b.space(space).is_some()), || {
                    format!("the dice of `{}` lie on `{space}`, which no board has", throw.name)
                });
            }
        }
        for aid in &self.aids {
            for row in aid.rows.iter().filter(|r| r.cells.len() != aid.columns.len()) {
                let (has, wants) = (row.cells.len(), aid.columns.len());
                found
                    .faults
                    .push(format!("a row of the aid `{}` has {has} cells for {wants} columns", aid.id));
            }
        }
    }
}

impl Board {
    fn find(&self, found: &mut Finding) {
        let spaces: BTreeSet<&str> = self.spaces.iter().map(|s| s.id.as_str()).collect();
        let has = |id: &String| spaces.contains(id.as_str());
        for piece in &self.pieces {
            found.say(!has(&piece.space), || {
                format!("piece `{}` stands on `{}`, which board `{}` lacks", piece.id, piece.space, self.id)
            });
            if let Some(covered) = &piece.covers {
                found.say(!has(covered) || *covered == piece.space, || {
                    format!("piece `{}` cannot cover `{covered}` besides `{}`", piece.id, piece.space)
                });
            }
            piece.find(found);
        }
        for link in self.links.iter().filter(|l| !has(&l.from) || !has(&l.to)) {
            found.faults.push(format!("link `{}` leads to a space that board `{}` lacks", link.id, self.id));
        }
        let now = self.order.iter().filter(|turn| turn.state == super::TurnState::Now).count();
        found.say(now > 1, || format!("on board `{}` it is {now} turns' time at once", self.id));
        if let Some(head) = &self.head {
            found.say(head.title.is_empty(), || format!("the heading of board `{}` has no title", self.id));
            let now = head.steps.iter().filter(|step| step.now).count();
            found.say(now > 1, || format!("the heading of board `{}` is at {now} steps at once", self.id));
        }
        for space in &self.spaces {
            if let Some(Keep::City(walls @ (0 | 5..))) = space.keep {
                found.faults.push(format!("`{}` is a city with {walls} towers, not 1 to 4", space.id));
            }
            found.say(space.siege.is_some() && space.siege == space.holder, || {
                format!("`{}` is besieged by its own holder", space.id)
            });
            if let Some(terrain) = space.terrain.filter(|t| usize::from(*t) >= self.terrains.len()) {
                found
                    .faults
                    .push(format!("`{}` has terrain {terrain}, which is not in the legend", space.id));
            }
        }
        for pair in self.spaces.windows(2).filter(|pair| pair[0].annex && !pair[1].annex) {
            found.faults.push(format!("`{}` is an annex and stands before `{}`", pair[0].id, pair[1].id));
        }
        for region in &self.regions {
            let corners = region.outline.len();
            found.say(region.name.is_empty(), || format!("a region of board `{}` has no name", self.id));
            found.say(corners > 0 && corners < 3 || (region.tint != Tint::Bare && corners == 0), || {
                format!("region `{}` has an outline of {corners} corners", region.name)
            });
        }
        if let Ground::Walls { foot } = self.ground {
            found.say(!(1..self.height).contains(&foot), || {
                format!("the wall of board `{}` stands at {foot}, off the board", self.id)
            });
        }
        self.find_ways(found, &has);
    }

    fn find_ways(&self, found: &mut Finding, has: &dyn Fn(&String) -> bool) {
        for trace in &self.traces {
            found.say(!has(&trace.from) || !has(&trace.to), || {
                format!(
                    "a trace leads from `{}` to `{}`, which board `{}` lacks",
                    trace.from, trace.to, self.id
                )
            });
            found.say(trace.from == trace.to || trace.count == 0, || {
                format!("a trace of {} from `{}` to `{}` is none", trace.count, trace.from, trace.to)
            });
        }
        for fall in self.falls.iter().filter(|f| !has(&f.space)) {
            found.faults.push(format!("something fell at `{}`, which board `{}` lacks", fall.space, self.id));
        }
        for ring in &self.rings {
            let lacks = ring.spaces.iter().find(|space| !has(space));
            found.say(ring.name.is_empty() || ring.spaces.is_empty() || lacks.is_some(), || {
                let lacks = lacks.map_or("anything", String::as_str);
                format!("the ring `{}` on board `{}` lacks a name or `{lacks}`", ring.name, self.id)
            });
        }
        for plan in &self.plans {
            found.say(plan.owner.is_none(), || format!("a plan on board `{}` is nobody's", self.id));
            for step in plan.steps.iter().filter(|s| !has(&s.from) || !has(&s.to)) {
                found.faults.push(format!(
                    "a plan leads from `{}` to `{}`, which board `{}` lacks",
                    step.from, step.to, self.id
                ));
            }
            for pair in plan.steps.windows(2).filter(|pair| pair[0].to != pair[1].from) {
                found.faults.push(format!("a plan leaps from `{}` to `{}`", pair[0].to, pair[1].from));
            }
        }
        found.say(self.reach.iter().filter(|r| r.shown).count() > 1, || {
            format!("board `{}` shows more than one reach", self.id)
        });
        for reach in &self.reach {
            for space in reach.spaces.iter().filter(|r| !has(&r.space)) {
                let fault = format!("a reach leads to `{}`, which board `{}` lacks", space.space, self.id);
                found.faults.push(fault);
            }
            found.say(reach.pieces.is_empty(), || format!("a reach on board `{}` is no piece's", self.id));
            for piece in &reach.pieces {
                found.points("a reach", Some(piece));
            }
        }
    }
}

impl Piece {
    fn find(&self, found: &mut Finding) {
        let id = &self.id;
        if let Some(facing) = self.facing.filter(|f| *f > 5) {
            found.faults.push(format!("piece `{id}` faces {facing}, and there are six sides: 0 to 5"));
        }
        let card = matches!(self.face, Face::Card(_));
        found.say(card && !matches!(self.form, Form::Card | Form::Usual), || {
            format!("piece `{id}` has the front of a card and is none")
        });
        found.say((card || self.form == Form::Card) && self.owner.is_none(), || {
            format!("card `{id}` has no owner, so it has no back")
        });
        if let Some(front) = self.face.front() {
            let (now, most) = front.pips;
            found.say(now > most, || format!("piece `{id}` has strength {now} of {most}"));
            found.say(front.hit > most.saturating_sub(now), || {
                format!(
                    "piece `{id}` has just lost {} steps, and {} are gone",
                    front.hit,
                    most.saturating_sub(now)
                )
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use super::*;
    use crate::{Seat, rule};

    /// The gallery with something broken in it has exactly this fault.
    #[track_caller]
    fn broken(break_it: impl FnOnce(&mut Scene)) -> String {
        let mut scene = gallery::scene();
        break_it(&mut scene);
        let faults = scene.faults_among(SeatSet::first(4));
        assert_eq!(faults.len(), 1, "{faults:?}");
        faults.into_iter().next().unwrap_or_default()
    }

    #[test]
    fn the_gallery_has_no_faults() {
        assert_eq!(gallery::scene().faults_among(SeatSet::first(4)), Vec::<String>::new());
    }

    #[test]
    fn each_thing_that_cannot_be_is_named() {
        let reached = |space: &str| Reach { space: space.into(), ..Reach::default() };
        let all = [
            broken(|s| s.boards[0].reach[0].spaces.push(reached("atlantis"))),
            broken(|s| s.boards[0].reach[0].pieces.push("nobody".into())),
            broken(|s| s.boards[0].reach[0].pieces.clear()),
            broken(|s| s.boards[0].reach[1].shown = true),
            broken(|s| s.boards[0].traces[0].from = "nowhere".into()),
            broken(|s| s.boards[0].traces[0].count = 0),
            broken(|s| s.boards[0].falls[0].space = "nowhere".into()),
            broken(|s| {
                let spaces = vec!["acre".into(), "atlantis".into()];
                s.boards[0].rings.push(crate::scene::Ring { name: "a voice".into(), owner: None, spaces });
            }),
            broken(|s| s.boards[0].plans[0].owner = None),
            broken(|s| s.boards[0].plans[0].steps[1].from = "tyre".into()),
            broken(|s| s.boards[0].spaces[0].keep = Some(Keep::City(5))),
            broken(|s| s.boards[0].spaces[0].siege = s.boards[0].spaces[0].holder),
            broken(|s| s.boards[0].spaces[0].terrain = Some(3)),
            broken(|s| s.boards[0].spaces[0].annex = true),
            broken(|s| s.boards[0].regions[0].outline = vec![(0, 0), (1, 1)]),
            broken(|s| s.boards[1].ground = Ground::Walls { foot: 9999 }),
            broken(|s| s.boards[1].order[1].state = crate::scene::TurnState::Now),
            broken(|s| {
                if let Some(head) = &mut s.boards[0].head {
                    head.title.clear();
                }
            }),
            broken(|s| {
                if let Some(head) = &mut s.boards[0].head {
                    head.steps[0].now = true;
                }
            }),
            broken(|s| s.boards[2].pieces[0].facing = Some(6)),
            broken(|s| s.boards[2].pieces[0].covers = Some("acre".into())),
            broken(|s| {
                let piece = &mut s.boards[0].pieces[0];
                (piece.form, piece.owner) = (Form::Card, None);
            }),
            broken(|s| {
                if let Some(front) = s.boards[0].pieces[0].face.front_mut() {
                    front.pips = (5, 4);
                }
            }),
            broken(|s| {
                if let Some(front) = s.boards[0].pieces[0].face.front_mut() {
                    front.hit = 4;
                }
            }),
            broken(|s| s.trays[0].pieces[0].owner = None),
            broken(|s| s.trays[0].pieces[0].form = Form::Token),
            broken(|s| s.tracks[1].foremost = true),
            broken(|s| s.tracks[0].goals.push(99)),
            broken(|s| s.tracks[0].markers[0].at = 99),
            broken(|s| {
                if let Some(register) = &mut s.register {
                    register.rows[0].seat = Seat::new(6);
                }
            }),
            broken(|s| {
                if let Some(register) = &mut s.register {
                    register.rows[0].cells.pop();
                }
            }),
            broken(|s| s.sums[0].total.clear()),
            broken(|s| s.sums[0].target = Some("nothing".into())),
            broken(|s| s.throws[0].dice[0].result = 7),
            broken(|s| s.throws[0].space = Some("the floor".into())),
            broken(|s| s.aids[0].rows[0].cells.push("?".into())),
            broken(|s| s.prompt = Some(Prompt::new(SeatSet::only(Seat::new(7)), "what", rule!("1")))),
            broken(|s| s.aids[0].id = s.sums[0].id.clone()),
        ];
        insta::assert_snapshot!(all.join("\n"));
    }
}
