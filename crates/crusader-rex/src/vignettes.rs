//! The vignettes, by file name.

pub(crate) const ALL: &[(&str, &str)] = &[];
