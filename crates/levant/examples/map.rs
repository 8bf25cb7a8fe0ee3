//! Draws a window of the map and writes it as SVG and PNG:
//!
//! ```text
//! cargo run -p levant --example map -- 31.5 30.5 38.5 38 1400 parchment map
//! ```
//!
//! West, south, east and north in degrees; the width in units; `parchment` or `night`; and the name of the
//! files, without an ending. After these, any of `bare` (no names, border or furniture) and `cities`.

use levant::{BaseMap, Levant, MapFrame, Theme, Window};
use resvg::{tiny_skia, usvg};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [west, south, east, north, width, theme, name, rest @ ..] = arguments.as_slice() else {
        return Err("expected: WEST SOUTH EAST NORTH WIDTH parchment|night NAME [bare] [cities]".into());
    };
    let window = Window::new(west.parse()?, south.parse()?, east.parse()?, north.parse()?)?;
    let frame = MapFrame::new(window, width.parse()?)?;
    let theme = match theme.as_str() {
        "parchment" => Theme::Parchment,
        "night" => Theme::Night,
        other => return Err(format!("found the theme `{other}`, expected `parchment` or `night`").into()),
    };
    let has = |word: &str| rest.iter().any(|r| r == word);
    let map = if has("bare") { BaseMap::bare(theme) } else { BaseMap { theme, ..BaseMap::default() } };
    let map = BaseMap { cities: has("cities"), ..map };

    let svg = map.document(Levant::built_in(), &frame);
    std::fs::write(format!("{name}.svg"), &svg)?;

    let mut options = usvg::Options::default();
    options.fontdb_mut().load_system_fonts();
    let tree = usvg::Tree::from_str(&svg, &options)?;
    let size = tree.size().to_int_size();
    let mut picture = tiny_skia::Pixmap::new(size.width(), size.height()).ok_or("a picture without size")?;
    resvg::render(&tree, tiny_skia::Transform::default(), &mut picture.as_mut());
    picture.save_png(format!("{name}.png"))?;
    println!("{name}.svg: {} bytes, {} by {}", svg.len(), size.width(), size.height());
    Ok(())
}
