//! `outremer draw`: a record or a vignette as a picture.

use anyhow::{Result, bail};

use crate::args::Draw;

pub(super) fn run(args: &Draw) -> Result<()> {
    bail!("{}", args.output.display())
}
