//! Draws the boards of the wargames from records, as a page shows them: each board by itself, by day and by
//! night.
//!
//! ```text
//! cargo run -p picture --example boards -- OUT RECORD ENTRY SEAT [PIXELS [LIST]]
//! ```
//!
//! writes `OUT-map-light.png` and so on, so many pixels wide, and the whole table as `OUT-sheet-light.png`; `SEAT` is a number, or `-` for whoever must
//! decide. With a list it only says where battles are.

use std::error::Error;

use picture::{Highlights, Press, Size, Style, picture, to_png};
use table::{DataFiles, Record, Seat, Viewer};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [stem, record, entry, seat, rest @ ..] = args.as_slice() else {
        return Err("boards OUT RECORD ENTRY SEAT [PIXELS [LIST]]".into());
    };
    let pixels = rest.first().map_or(Ok(1400), |text| text.parse())?;
    let record = Record::read(record, &std::fs::read_to_string(record)?)?;
    let known = [crusader_rex::ENTRY, first_crusade::ENTRY];
    let game = known.iter().find(|g| g.id == record.game).ok_or("only the wargames have such boards")?;
    let game = (game.open)(&DataFiles::built_in(game.files))?;
    if rest.len() > 1 {
        for to in 0..=record.entries.len() as u32 {
            let scene = game.replay(&record, Some(to))?.scene(Viewer::Umpire);
            let boards = scene.boards.iter();
            let told =
                |b: &table::scene::Board| format!("{} ({}, {})", b.name, b.pieces.len(), b.traces.len());
            println!("{to}: {} | {}", scene.title, boards.map(told).collect::<Vec<_>>().join(" | "));
        }
        return Ok(());
    }
    let played = game.replay(&record, Some(entry.parse()?))?;
    let seat = match seat.as_str() {
        "-" => played.waiting_for().lowest().unwrap_or(Seat::new(0)),
        number => Seat::new(number.parse()?),
    };
    let scene = played.scene(Viewer::Seat(seat));
    println!("{}; {}", scene.title, scene.prompt.as_ref().map_or("", |p| &p.text));
    let offered = played.offered(seat);
    let marks =
        Highlights::of(offered.iter().map(|o| &o.choice)).warning(&scene.warnings).thrown(&scene.throws);
    for (theme, style) in [("light", Style::LIGHT), ("dark", Style::DARK)] {
        let sheet = picture(&scene, &played.title().seat_names(), &marks, &style);
        std::fs::write(format!("{stem}-sheet-{theme}.png"), to_png(&sheet, Size::Scale(1.5))?)?;
        for board in &scene.boards {
            let drawn = Press::default().draw(board, &played.title().seat_names(), &marks, &style);
            let svg = drawn.svg();
            println!("{}: {} bytes", board.name, svg.len());
            std::fs::write(format!("{stem}-{}-{theme}.svg", board.id), &svg)?;
            std::fs::write(format!("{stem}-{}-{theme}.png", board.id), to_png(&svg, Size::Width(pixels))?)?;
        }
    }
    Ok(())
}
