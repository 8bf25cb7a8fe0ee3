//! The covers of the games: a board in the middle of a game, as an observer sees it, drawn once.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use picture::{Highlights, board_svg};
use table::scene::{Board, Ground};
use table::{AnyGame, Lots, Nonces, Pick, Seed, Viewer};

use crate::fault::Fault;
use crate::page::Theme;

/// How wide a cover is for its height.
const SHAPE: f64 = 1.6;
/// How far into the game the picture is taken, in hundredths of all its actions.
const INTO: usize = 40;
/// No game is played farther than this for its cover.
const LONGEST: usize = 1200;

/// The cover of a game.
pub(crate) fn draw(game: &dyn AnyGame, theme: Theme) -> Result<String, Fault> {
    let wrong = |e: String| Fault::Server(e);
    let setup = game.title().usual_set_up();
    let mut sitting =
        game.open(setup.clone(), Seed::numbered(1), Nonces::default()).map_err(|e| wrong(e.to_string()))?;
    let mut lots = Lots::new(5);
    let mut done = 0;
    while let Some(seat) = sitting.waiting_for().lowest().filter(|_| done < LONGEST) {
        sitting.pick(seat, Pick::Random, &mut lots).map_err(|e| wrong(e.to_string()))?;
        done += 1;
    }
    let entry = sitting.last_entry() as usize * INTO / 100;
    let sitting =
        game.replay(&sitting.record(false), Some(entry as u32)).map_err(|e| wrong(e.to_string()))?;
    let scene = sitting.scene(Viewer::Observer);
    let names = game.title().seat_names();
    let Some(board) = scene.boards.first() else { return Ok(String::new()) };
    let svg = board_svg(board, &names, &Highlights::default(), &theme.style());
    Ok(lettered(&cut(&svg, board)))
}

/// A picture that is shown as an image knows nothing of the page around it: it brings the letters along.
fn lettered(svg: &str) -> String {
    let Some(letters) = crate::assets::bytes("libertinus.woff2") else { return svg.into() };
    let style = format!(
        "<style>@font-face{{font-family:\"Libertinus Serif\";src:url(data:font/woff2;base64,{}) format(\"woff2\");font-weight:400 700}}</style>",
        STANDARD.encode(&letters)
    );
    match svg.find('>') {
        Some(at) => format!("{}{style}{}", &svg[..=at], &svg[at + 1..]),
        None => svg.into(),
    }
}

/// How much of a board with many places its cover shows: so little that names can be read.
const NEAR: f64 = 0.58;

/// The picture cut to the shape of a cover: of a board with many places, the part with most pieces; anything else whole.
fn cut(svg: &str, board: &Board) -> String {
    let Some((before, rest)) = svg.split_once("viewBox=\"") else { return svg.into() };
    let Some((numbers, after)) = rest.split_once('"') else { return svg.into() };
    let numbers: Vec<f64> = numbers.split(' ').filter_map(|n| n.parse().ok()).collect();
    let [x, y, w, h] = numbers[..] else { return svg.into() };
    let map = matches!(board.ground, Ground::Levant { .. }) || board.spaces.len() > 100;
    let (w2, h2) = match (w / h < SHAPE, map) {
        (true, true) => (w * NEAR, w * NEAR / SHAPE),
        (true, false) => (h * SHAPE, h),
        (false, true) => (h * NEAR * SHAPE, h * NEAR),
        (false, false) => (w, w / SHAPE),
    };
    let (cx, cy) = if map { middle(board, (w2, h2)) } else { (x + w / 2.0, y + h / 2.0) };
    // A cut stays within the board.
    let within = |at: f64, size: f64, least: f64, all: f64| match size < all {
        true => (at - size / 2.0).clamp(least, least + all - size),
        false => at - size / 2.0,
    };
    format!(
        "{before}viewBox=\"{:.0} {:.0} {w2:.0} {h2:.0}\"{after}",
        within(cx, w2, x, w),
        within(cy, h2, y, h)
    )
}

/// Where most of the pieces are: the middle of those that a cut of this size around one of them shows, where it shows
/// most.
fn middle(board: &Board, (w, h): (f64, f64)) -> (f64, f64) {
    let at =
        |space: &str| board.spaces.iter().find(|s| s.id == space).map(|s| (f64::from(s.x), f64::from(s.y)));
    let places: Vec<_> = board.pieces.iter().filter_map(|p| at(&p.space)).collect();
    let near = |a: &(f64, f64)| -> Vec<(f64, f64)> {
        let shown = |b: &&(f64, f64)| (a.0 - b.0).abs() < w * 0.45 && (a.1 - b.1).abs() < h * 0.45;
        places.iter().filter(shown).copied().collect()
    };
    let most = places.iter().map(near).max_by_key(Vec::len).unwrap_or_default();
    let count = most.len().max(1) as f64;
    let sum = most.iter().fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
    match most.is_empty() {
        true => (f64::from(board.width) / 2.0, f64::from(board.height) / 2.0),
        false => (sum.0 / count, sum.1 / count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cover_brings_its_letters_along() {
        assert!(lettered("<svg a=\"b\"><g/></svg>").starts_with("<svg a=\"b\"><style>@font-face"));
    }
}
