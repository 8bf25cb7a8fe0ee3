//! `outremer list`: the games with their scenarios, options and seats.

use anyhow::Result;

use crate::args::Data;
use crate::{games, terminal};

pub(super) fn run() -> Result<()> {
    for entry in games::all() {
        let game = games::open(entry.id, &Data::default())?;
        let title = game.title();
        let most = title.seats.len();
        let seats =
            if title.fewest() == most { most.to_string() } else { format!("{} to {most}", title.fewest()) };
        println!("{}  {}", terminal::bold(title.id), title.name);
        terminal::paragraph(" ", &title.pitch);
        terminal::paragraph("  seats   ", &format!("{seats}: {}", title.seat_names().join(", ")));
        for scenario in &title.scenarios {
            let text = format!("{}. {} ({} min)", scenario.name, scenario.gist, scenario.minutes);
            terminal::paragraph(&format!("  scenario {:<14}", scenario.id), &text);
        }
        for option in &title.options {
            let text = format!("{}: {}", option.gist, option.values.join(", "));
            terminal::paragraph(&format!("  option   {:<14}", option.id), &text);
        }
        if !entry.files.is_empty() {
            let files: Vec<_> = entry.files.iter().map(|(name, _)| *name).collect();
            terminal::paragraph("  data    ", &files.join(", "));
        }
        println!();
    }
    Ok(())
}
