//! Draws the whole roll of arms, by day and by night, at 96, 46, 22 and 16 pixels and on every shield:
//!
//! ```text
//! cargo run -p picture --example arms -- /tmp/arms
//! ```
//!
//! writes `/tmp/arms-day-1.png` and so on, and says how many bytes the coats take.

use std::error::Error;
use std::fmt::Write;

use picture::arms::{Escutcheon, symbol, used};
use picture::{Size, Style, escape, to_png};
use table::arms::{Arms, Charge, Roll};

const COLUMNS: usize = 5;
const ROWS: usize = 10;
const WIDTH: usize = 280;
const HEIGHT: usize = 126;

fn main() -> Result<(), Box<dyn Error>> {
    let stem = std::env::args().nth(1).unwrap_or_else(|| "arms".to_string());
    let roll = Roll::read("arms.toml", levant::ARMS)?;
    let mut coats: Vec<(String, Arms)> =
        roll.coats().iter().map(|coat| (coat.key.clone(), coat.arms.clone())).collect();
    // What no coat of the roll has: all charges, places and ordinaries.
    for charge in Charge::ALL {
        let (one, many) = (charge.singular(), charge.plural());
        let article = if one.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        coats.push((one.to_string(), Arms::read(&format!("or, {article} {one} azure"))?));
        coats.push((many.to_string(), Arms::read(&format!("gules, three {many} argent"))?));
    }
    for more in MORE {
        coats.push((more.chars().take(34).collect(), Arms::read(more)?));
    }
    let bytes: Vec<usize> =
        coats.iter().map(|(_, arms)| symbol(arms, Escutcheon::Heater, &Style::LIGHT).svg.len()).collect();
    println!(
        "{} coats, {} bytes each, at most {}",
        coats.len(),
        bytes.iter().sum::<usize>() / coats.len(),
        bytes.iter().max().unwrap_or(&0)
    );
    for (name, style, ground, ink) in
        [("day", Style::LIGHT, "#e6dabf", "#35291a"), ("night", Style::DARK, "#161514", "#e6dac0")]
    {
        for (page, coats) in coats.chunks(COLUMNS * ROWS).enumerate() {
            let svg = sheet(coats, &style, ground, ink);
            std::fs::write(format!("{stem}-{name}-{}.png", page + 1), to_png(&svg, Size::Scale(1.0))?)?;
            std::fs::write(format!("{stem}-{name}-{}.svg", page + 1), svg)?;
        }
    }
    Ok(())
}

fn sheet(coats: &[(String, Arms)], style: &Style, ground: &str, ink: &str) -> String {
    let (width, height) = (COLUMNS * WIDTH, coats.len().div_ceil(COLUMNS) * HEIGHT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-size=\"13\">\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{ground}\"/>"
    );
    for (i, (name, arms)) in coats.iter().enumerate() {
        let (x, y) = ((i % COLUMNS * WIDTH) as f64, (i / COLUMNS * HEIGHT) as f64);
        let ids = Escutcheon::ALL.map(|shield| {
            let symbol = symbol(arms, shield, style);
            let _ = write!(svg, "<defs>{}</defs>", symbol.svg);
            symbol.id
        });
        for (id, dx, dy, size) in [
            (0, 54.0, 54.0, 96.0),
            (0, 130.0, 30.0, 46.0),
            (0, 169.0, 30.0, 22.0),
            (0, 193.0, 30.0, 16.0),
            (1, 215.0, 30.0, 22.0),
            (1, 238.0, 30.0, 16.0),
            (1, 130.0, 80.0, 46.0),
            (2, 180.0, 80.0, 46.0),
            (3, 230.0, 80.0, 46.0),
        ] {
            svg += &used(&ids[id], x + dx, y + dy, size);
        }
        let name = escape(name);
        let _ = write!(svg, "<text x=\"{}\" y=\"{}\" fill=\"{ink}\">{name}</text>", x + 8.0, y + 119.0);
    }
    svg + "</svg>"
}

/// Words of the grammar that the roll does not use.
const MORE: &[&str] = &[
    "vair",
    "ermine, a bordure vair",
    "per bend (azure, a mullet or) and (or, a rose gules)",
    "per fess (gules, three mullets or) and vair",
    "per pale ermine and (azure semy of mullets or)",
    "paly of ten or and gules",
    "lozengy argent and vert, a bordure chequy or and gules",
    "chequy argent and sable, a chief or",
    "or, a chief vert charged with three escallops or",
    "gules, a fess or cotised argent between six roses argent",
    "argent, three fesses azure, a lion rampant gules",
    "argent, three bends gules charged with six mullets or",
    "or, a bend azure between two lions rampant gules",
    "or, a bend sinister vert charged with three crescents or",
    "argent, a chevron sable charged with five roundels or between three towers gules",
    "or, a pale gules charged with three towers or between two keys azure",
    "azure, a saltire or between four fleurs-de-lis argent",
    "or, a saltire sable charged with five mullets or",
    "argent, a cross azure charged with five escallops or",
    "or, three piles gules",
    "vert, twelve roundels or",
    "azure, ten mullets of seven points or",
    "or, nine swords gules",
    "argent, five eagles displayed sable",
    "gules, four castles or",
    "azure, three fishes in pale argent, a chief or",
    "sable, three crescents in bend argent",
    "or, three roses in chief gules, a ship in base azure",
    "gules, a lion rampant vair, a bordure ermine",
    "or, two inscription bands sable",
    "argent, eleven crescents in orle gules, a tower sable",
    "or, an eagle displayed sable, a label of three points gules",
    "quarterly (gules, a bend or) and (ermine, a chevron gules)",
    "quarterly (barry of six or and azure, a bordure gules) and (argent, a saltire azure)",
];
