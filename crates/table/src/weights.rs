//! The weights of an appraisal: what a game's signs count for, read from a sheet.
//!
//! A game that can be tuned adds up signs (cities held, strength, cards ...), each times its weight, and
//! makes a chance of the sum. The signs are the game's; the weights are data, one table for each scenario,
//! found by `outremer tune` (`tune`).

use crate::sheet::{DataError, parse};

/// The data file that holds weights, in games that have such a file. No rule depends on it.
pub const FILE: &str = "appraise.toml";

/// Something that an appraisal measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sign {
    /// Its name in the sheet.
    pub name: &'static str,
    /// Whether it may speak against the seat as well as for it. Other signs are measured so that more is
    /// better, and tuning gives them no weight below nought.
    pub either: bool,
}

impl Sign {
    /// A sign of which more is better.
    pub const fn good(name: &'static str) -> Self {
        Self { name, either: false }
    }

    /// A sign that may count for either.
    pub const fn either(name: &'static str) -> Self {
        Self { name, either: true }
    }
}

/// Weights by scenario.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    tables: Vec<(String, Vec<f32>)>,
}

impl Weights {
    /// Reads a sheet with one table for each scenario, and in it a number for each sign.
    pub fn read(text: &str, signs: &[Sign], scenarios: &[&str]) -> Result<Self, DataError> {
        let root = parse(FILE, text)?;
        let mut fields = root.fields()?;
        let mut tables = Vec::new();
        for scenario in scenarios {
            let mut table = fields.required(scenario)?.fields()?;
            let mut weights = Vec::new();
            for sign in signs {
                weights.push(table.required(sign.name)?.decimal()? as f32);
            }
            table.finish()?;
            tables.push(((*scenario).to_string(), weights));
        }
        fields.finish()?;
        Ok(Self { tables })
    }

    /// The weights of a scenario, by its number in the list that they were read with.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub fn of(&self, scenario: usize) -> &[f32] {
        &self.tables[scenario].1
    }
}

/// The chance that signs and their weights stand for. Never quite 0 or 1: only a result is certain.
#[inline]
pub fn chance(signs: &[f32], weights: &[f32]) -> f32 {
    let sum: f32 = signs.iter().zip(weights).map(|(sign, weight)| sign * weight).sum();
    (1.0 / (1.0 + (-sum).exp())).clamp(0.005, 0.995)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_has_a_weight_and_every_weight_a_sign() {
        let read =
            |text: &str| Weights::read(text, &[Sign::good("cities"), Sign::either("cards")], &["long"]);
        let weights = read("[long]\ncities = 0.5\ncards = -2\n").unwrap();
        assert_eq!(weights.of(0), [0.5, -2.0]);
        let wrong = |text: &str| read(text).unwrap_err().to_string();
        assert!(wrong("[long]\ncities = 0.5\n").contains("cards"), "{}", wrong("[long]\ncities = 0.5\n"));
        assert!(wrong("[long]\ncities = 0.5\ncards = 1\nluck = 1\n").contains("luck"));
        assert!(wrong("[short]\ncities = 0.5\n").contains("long"));
    }

    #[test]
    fn a_sum_of_nothing_is_an_even_chance() {
        assert!((chance(&[1.0, -1.0], &[0.7, 0.7]) - 0.5).abs() < 1e-6);
        assert!(chance(&[1.0], &[1.0]) > 0.7);
        assert!(chance(&[1.0], &[100.0]) < 1.0);
    }
}
