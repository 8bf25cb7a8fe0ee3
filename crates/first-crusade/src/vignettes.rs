//! The vignettes, by file name.

macro_rules! vignettes {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../vignettes/", $name)))),*]
    };
}

/// Every file of the folder `vignettes`.
pub(crate) const ALL: &[(&str, &str)] = vignettes![];
