//! The battle and the siege as stages of their own: walls, camp and manpower, what the walls resist with, and what an
//! assault would bring.

use table::Seat;
use table::rule;
use table::scene::{Board, Face, Form, Front, Head, HeadCount, Mat, MatRow, Piece, Sum, SumLine};

use crate::KingdomOfHeaven;
use crate::ids::{Leaders, Space, Units};
use crate::position::{Battle, Duel, Open, Step};
use crate::scene::space_id;
use crate::view::View;
use crate::words::signed;

impl KingdomOfHeaven {
    /// The stage of what is fought now, if anything is.
    pub(crate) fn stage_board(&self, view: &View) -> Option<Board> {
        let o = &view.open;
        match (&o.battle, o.duel) {
            (Some(battle), _) => Some(self.battle_board(view, battle)),
            (None, Some(duel)) if o.marks[duel.at].besieged => Some(self.siege_board(view, duel)),
            _ => None,
        }
    }

    fn battle_board(&self, view: &View, battle: &Battle) -> Board {
        let o = &view.open;
        let place = self.space_name(battle.at);
        let defender = battle.attacker.other();
        let mut pieces = Vec::new();
        let mut row = |id: &str, seat: Seat, name: &str, within: bool, dice_above: bool| {
            let host = &battle.hosts[seat];
            self.stand_in(o, id, host.units | host.extra, host.leaders, &mut pieces);
            MatRow { id: id.into(), name: name.into(), holder: Some(seat), within, dice_above }
        };
        let who = |seat: Seat| self.title.seat_name(seat);
        let mut rows = vec![
            row(
                "stage-defence",
                defender,
                &format!("The {} holds {place}", who(defender)),
                battle.assault,
                false,
            ),
            row(
                "stage-attack",
                battle.attacker,
                &format!("The {} attacks", who(battle.attacker)),
                false,
                true,
            ),
        ];
        if battle.assault {
            pieces.push(self.walls(o, battle.at, "stage-defence"));
        }
        if view.viewer.seat() == Some(defender) && !battle.assault {
            rows.reverse();
            rows[0].dice_above = false;
            rows[1].dice_above = true;
        }
        let (verb, seats) =
            (if battle.assault { "storms" } else { "attacks at" }, [battle.attacker, defender]);
        let name = format!("The {} {verb} {place}", who(battle.attacker));
        let mat = Mat { id: "stage".into(), name: name.clone(), rows, pieces };
        let count = |seat: Seat| {
            let modifier = self.battle_modifier(o, battle, seat);
            let strength = self.host_strength(o, battle, seat);
            HeadCount {
                owner: Some(seat),
                text: format!("strength {strength}, {} on the die", signed(modifier.into())),
            }
        };
        Board {
            head: Some(Head {
                title: name,
                figure: String::new(),
                counts: seats.map(count).to_vec(),
                ribbon: self.ribbon(view),
                ..Head::default()
            }),
            ..mat.board()
        }
    }

    fn siege_board(&self, view: &View, duel: Duel) -> Board {
        let o = &view.open;
        let (at, besieger) = (duel.at, duel.besieger);
        let place = self.space_name(at);
        let besieged = besieger.other();
        let mut pieces = Vec::new();
        let (units, leaders) = self.within(o, at, besieged);
        self.stand_in(o, "stage-defence", units, leaders, &mut pieces);
        pieces.push(self.walls(o, at, "stage-defence"));
        let (units, leaders) = self.outside(o, at, besieger);
        self.stand_in(o, "stage-attack", units, leaders, &mut pieces);
        let men = |seat: Seat| {
            let all = self.manpower(o, at, seat);
            format!("manpower {} of {all} left", all.saturating_sub(duel.spent[seat]))
        };
        let row = |id: &str, seat: Seat, name: String, within: bool| MatRow {
            id: id.into(),
            name,
            holder: Some(seat),
            within,
            dice_above: !within,
        };
        let rows = vec![
            row("stage-defence", besieged, format!("Inside {place}: {}", men(besieged)), true),
            row("stage-attack", besieger, format!("The camp: {}", men(besieger)), false),
        ];
        let rf = o.marks[at].rf.unwrap_or(0);
        let mut notes = vec![format!("it resists with {rf}")];
        if o.marks[at].blockaded {
            notes.push("blockaded".into());
        }
        if let Some(odds) = self.odds_in_words(o, at, besieger) {
            notes.push(odds);
        }
        let mat = Mat { id: "stage".into(), name: format!("The siege of {place}"), rows, pieces };
        let count = |seat: Seat| HeadCount { owner: Some(seat), text: men(seat) };
        Board {
            head: Some(Head {
                title: format!("The siege of {place}"),
                figure: rf.to_string(),
                note: notes.join("; "),
                counts: [besieger, besieged].map(count).to_vec(),
                ribbon: self.ribbon(view),
                ..Head::default()
            }),
            ..mat.board()
        }
    }

    /// Who is asked for what.
    fn ribbon(&self, view: &View) -> Option<(Seat, String)> {
        let seat = view.deciding.lowest()?;
        let what = match view.step()? {
            Step::Press => "goes on, storms or stops",
            Step::Answer { .. } => "may answer",
            Step::Battle | Step::Window { .. } => "may play a card",
            Step::Casualties | Step::Losses { .. } => "takes losses",
            Step::Retreat { .. } => "retreats",
            _ => return None,
        };
        Some((seat, format!("The {} {what}", self.title.seat_name(seat))))
    }

    /// Those who stand in a row.
    fn stand_in(&self, o: &Open, row: &str, units: Units, leaders: Leaders, pieces: &mut Vec<Piece>) {
        for leader in leaders {
            let piece = self.leader_piece(o, leader, row.into(), false);
            pieces.push(Piece { id: format!("{row}-{}", piece.id), ..piece });
        }
        for (sort, count) in self.army_sorts(o, units) {
            let id = format!("{row}-{}", self.sort_key(sort));
            pieces.push(self.unit_piece(o, sort, count, id, row.into(), false, "in the fight"));
        }
    }

    /// The walls, as a piece that shows what they resist with.
    fn walls(&self, o: &Open, at: Space, row: &str) -> Piece {
        let rf = o.marks[at].rf.unwrap_or_else(|| self.resistance(o, at));
        let (name, what) = match o.holds[at] {
            Some(hold) if hold.city => ("Walls", "the walls of the city"),
            Some(hold) if hold.full => ("Castle", "the castle with its full garrison"),
            _ => ("Castle", "the castle with its low garrison"),
        };
        Piece {
            id: "stage-walls".into(),
            space: row.into(),
            owner: o.holds[at].and_then(|hold| self.holder(o, hold)),
            form: Form::Token,
            face: Face::Shown(Front { name: name.into(), left: rf.to_string(), ..Front::default() }),
            text: format!("A resistance of {rf}: {what}"),
            ..Piece::default()
        }
    }

    /// What an assault would bring, in words.
    pub(crate) fn odds_in_words(&self, o: &Open, at: Space, seat: Seat) -> Option<String> {
        let odds = self.assault_odds(o, at, seat)?;
        let percent = |n: u8| (u32::from(n) * 100 + 18) / 36;
        let tenths = |n: u16| (u32::from(n) * 10 + 18) / 36;
        let (lost, taken) = (tenths(odds.lost), tenths(odds.taken));
        Some(format!(
            "an assault now takes it in {} % of all throws, costs more than it takes in {} %; on average {}.{} steps lost for {}.{}",
            percent(odds.falls),
            percent(odds.costs_more),
            lost / 10,
            lost % 10,
            taken / 10,
            taken % 10
        ))
    }

    /// What a place resists with, line by line [17.4].
    pub(crate) fn resistance_sum(&self, o: &Open, at: Space) -> Sum {
        let parts = self.resistance_parts(o, at);
        let mut lines: Vec<SumLine> = parts
            .iter()
            .filter(|(_, n)| *n != 0)
            .map(|(text, n)| SumLine::new(*text, signed((*n).into()).to_string(), rule!("17.4")))
            .collect();
        let reckoned = self.resistance(o, at);
        let now = o.marks[at].rf.unwrap_or(reckoned);
        let since = i32::from(now) - i32::from(reckoned);
        if since != 0 {
            lines.push(SumLine::new("Since it was reckoned", signed(since).to_string(), rule!("17.6.7")));
        }
        Sum {
            id: format!("resistance-{}", self.components.space(at).id),
            name: format!("Resistance of {}", self.space_name(at)),
            total: now.to_string(),
            note: "Between nothing and eight".into(),
            lines,
            target: Some(space_id(&self.components, at)),
            ..Sum::default()
        }
    }

    /// What the men of both sides at a siege can still do [17.6.6].
    pub(crate) fn manpower_sum(&self, o: &Open, duel: Duel) -> Sum {
        let mut lines = Vec::new();
        let mut shares = Vec::new();
        for seat in [duel.besieger, duel.besieger.other()] {
            let who = self.title.seat_name(seat);
            let (all, spent) = (self.manpower(o, duel.at, seat), duel.spent[seat]);
            lines.push(SumLine::new(format!("The {who}"), all.to_string(), rule!("17.6.6")));
            if spent > 0 {
                lines.push(SumLine::new(
                    format!("The {who} has used"),
                    signed(-i32::from(spent)).to_string(),
                    rule!("17.6.6"),
                ));
            }
            shares.push((Some(seat), u32::from(all.saturating_sub(spent))));
        }
        Sum {
            id: "manpower".into(),
            name: "Manpower left".into(),
            total: format!("{} : {}", shares[0].1, shares[1].1),
            note: format!("At {}", self.space_name(duel.at)),
            lines,
            shares: if shares.iter().all(|(_, n)| *n == 0) { Vec::new() } else { shares },
            target: Some(space_id(&self.components, duel.at)),
        }
    }
}
