//! `outremer vignette`: plays vignettes, one line each.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use table::Vignette;

use crate::args::{Data, VignetteArgs};
use crate::games;

pub(super) fn run(args: &VignetteArgs) -> Result<ExitCode> {
    let (mut passed, mut failed) = (0, 0);
    for path in games::gather(&args.paths, "toml")? {
        match play(&path, &args.data) {
            Ok(vignette) => {
                passed += 1;
                println!("ok      {:<7} {} ({})", vignette.rule, vignette.title, path.display());
            }
            Err(error) => {
                failed += 1;
                println!("FAILED  {error:#}");
            }
        }
    }
    println!("{passed} passed, {failed} failed");
    Ok(super::verdict(failed == 0))
}

fn play(path: &Path, data: &Data) -> Result<Vignette> {
    let vignette = Vignette::read(&path.display().to_string(), &games::read_text(path)?)?;
    games::open(&vignette.game, data)?.play_vignette(&vignette)?;
    Ok(vignette)
}
