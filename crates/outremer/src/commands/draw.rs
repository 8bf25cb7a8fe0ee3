//! `outremer draw`: a record or a vignette as a picture.

use std::path::Path;

use anyhow::{Context, Result, bail};
use picture::{Highlights, Size, Style, picture, to_png};
use table::{Scene, SeatSet, Viewer, Vignette};

use crate::args::Draw;
use crate::games;

/// How much larger than its units a PNG is.
const SCALE: f32 = 1.5;

pub(super) fn run(args: &Draw) -> Result<()> {
    let ending = args.output.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    if ending != "svg" && ending != "png" {
        bail!("the picture's name must end in .svg or .png, not `{}`", args.output.display());
    }
    let text = games::read_text(&args.source)?;
    let drawn =
        if text.starts_with("outremer record") { from_record(args)? } else { from_vignette(args, &text)? };
    let style = if args.dark { Style::DARK } else { Style::LIGHT };
    let highlights = Highlights::on(drawn.targets).warning(&drawn.scene.warnings);
    let svg = picture(&drawn.scene, &drawn.seats, &highlights, &style);
    if ending == "svg" {
        write(&args.output, svg.as_bytes())
    } else {
        write(&args.output, &to_png(&svg, Size::Scale(SCALE))?)
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// What is to be drawn.
struct Drawn {
    scene: Scene,
    seats: Vec<String>,
    /// What the viewer could click.
    targets: Vec<String>,
}

fn from_record(args: &Draw) -> Result<Drawn> {
    let played = super::replay::replayed(&args.source, args.to, &args.data)?;
    let title = played.title();
    let viewer = games::viewer(title, args.seat.as_deref(), played.setup().party())?;
    let offered = viewer.seat().map(|seat| played.offered(seat)).unwrap_or_default();
    Ok(Drawn {
        scene: played.scene(viewer),
        seats: title.seat_names(),
        targets: offered.into_iter().flat_map(|o| o.choice.targets.into_iter().take(1)).collect(),
    })
}

fn from_vignette(args: &Draw, text: &str) -> Result<Drawn> {
    let vignette = Vignette::read(&args.source.display().to_string(), text)
        .context("expected a record (its first line says `outremer record 1`) or a vignette")?;
    let game = games::open(&vignette.game, &args.data)?;
    let title = game.title();
    if games::viewer(title, args.seat.as_deref(), SeatSet::first(title.seats.len()))? != Viewer::Umpire {
        bail!("a vignette is drawn with everything open; --seat is for records");
    }
    let mut played = game.play_vignette(&vignette)?;
    let last = played.frames.len() - 1;
    let frame = args.to.map_or(last, |to| to as usize);
    if frame > last {
        bail!("the vignette has {last} actions, there is no picture after {frame}");
    }
    let (deed, mut scene) = played.frames.swap_remove(frame);
    scene.title = format!("{} [{}]: {deed}", vignette.title, vignette.rule);
    Ok(Drawn { scene, seats: title.seat_names(), targets: Vec::new() })
}
