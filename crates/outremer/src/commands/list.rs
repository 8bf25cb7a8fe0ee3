//! `outremer list`: the games with their scenarios, options and seats.

use anyhow::Result;

use crate::args::Data;
use crate::{games, terminal};

pub(super) fn run() -> Result<()> {
    for entry in games::all() {
        let game = games::open(entry.id, &Data::default())?;
        let title = game.title();
        let most = title.seats.len();
        let seats = if usize::from(title.least_seats) == most {
            format!("{most} seats")
        } else {
            format!("{} to {most} seats", title.least_seats)
        };
        println!("{}  {} ({seats}: {})", terminal::bold(title.id), title.name, title.seat_names().join(", "));
        println!("  {}", title.pitch);
        for scenario in &title.scenarios {
            println!("  scenario {:<14} {} ({} min)", scenario.id, scenario.gist, scenario.minutes);
        }
        for option in &title.options {
            println!("  option   {:<14} {}: {}", option.id, option.gist, option.values.join(", "));
        }
        if !entry.files.is_empty() {
            let files: Vec<_> = entry.files.iter().map(|(name, _)| *name).collect();
            println!("  data     {}", files.join(", "));
        }
        println!();
    }
    Ok(())
}
