//! The few numbers by which habits judge: how bold, how far, when content. They are data, like an appraisal's
//! weights, and are found in the same way: `outremer tune GAME --habits` moves one figure at a time and keeps what
//! wins more games.

use crate::sheet::{DataError, parse};

/// The data file that holds them, in games that have such a file. No rule depends on it.
pub const FILE: &str = "habits.toml";

/// A number by which habits judge, and how far it may be moved.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figure {
    /// Its name in the sheet.
    pub name: &'static str,
    /// It is never less than this.
    pub least: f32,
    /// Nor more than this.
    pub most: f32,
    /// By how much it is moved at a time.
    pub step: f32,
}

impl Figure {
    /// A figure with its bounds and its step.
    pub const fn new(name: &'static str, least: f32, most: f32, step: f32) -> Self {
        Self { name, least, most, step }
    }
}

/// Reads a sheet with a number for each figure.
pub fn read<const N: usize>(text: &str, figures: &[Figure; N]) -> Result<[f32; N], DataError> {
    let root = parse(FILE, text)?;
    let mut fields = root.fields()?;
    let mut values = [0.0; N];
    for (value, figure) in values.iter_mut().zip(figures) {
        let node = fields.required(figure.name)?;
        *value = node.decimal()? as f32;
        if !(figure.least..=figure.most).contains(value) {
            return Err(node.expected(&format!("a number from {} to {}", figure.least, figure.most)));
        }
    }
    fields.finish()?;
    Ok(values)
}

/// A sheet with these figures.
pub fn write(figures: &[(Figure, f32)]) -> String {
    // Steps are added up in binary; people read decimals.
    let decimal = |value: f32| (f64::from(value) * 1e4).round() / 1e4;
    figures.iter().map(|(figure, value)| format!("{} = {:?}\n", figure.name, decimal(*value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: [Figure; 2] = [Figure::new("bold", 0.0, 2.0, 0.1), Figure::new("guard", 0.0, 4.0, 1.0)];

    #[test]
    fn what_is_written_is_read_again() {
        let sheet = write(&[(TWO[0], 0.7 + 0.1), (TWO[1], 3.0)]);
        assert_eq!(sheet, "bold = 0.8\nguard = 3.0\n");
        assert_eq!(read(&sheet, &TWO).unwrap(), [0.8, 3.0]);
    }

    #[test]
    fn every_figure_has_a_number_within_its_bounds() {
        let wrong = |text: &str| read(text, &TWO).unwrap_err().to_string();
        assert!(wrong("bold = 1\n").contains("guard"), "{}", wrong("bold = 1\n"));
        assert!(wrong("bold = 3\nguard = 1\n").contains("from 0 to 2"), "{}", wrong("bold = 3\nguard = 1\n"));
        assert!(wrong("bold = 1\nguard = 1\nluck = 1\n").contains("luck"));
    }
}
