//! The rule ledger: every numbered rule of a rulebook, its gist in our own words, and where it is shown.

use std::collections::{BTreeMap, BTreeSet};

use crate::rule::Rule;
use crate::sheet::{self, DataError};

/// One rule, or one provision of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LedgerEntry {
    /// Its number in the rulebook.
    pub number: String,
    /// Its title.
    pub title: String,
    /// What it says, in our own words.
    pub gist: String,
    /// Whether it is only an introduction, an inventory or a credit: nothing to show.
    pub prose: bool,
    /// Tests that show it, by function name, where a vignette cannot.
    pub tests: Vec<String>,
    /// How this project reads doubtful places, and why.
    pub rulings: Vec<String>,
    /// Why random play never meets it, if it cannot.
    pub unreachable: Option<String>,
}

/// All rules of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ledger {
    entries: Vec<LedgerEntry>,
    chapters: BTreeMap<String, Chapter>,
}

/// A chapter of a rulebook.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Chapter {
    name: String,
    /// The titles it belongs to, where a crate has several; all of them, if it names none.
    titles: Vec<String>,
}

impl Ledger {
    /// Reads a ledger: `[[rule]]` tables with `number`, `title`, `gist` and, where they apply, `prose`,
    /// `tests`, `rulings`, `unreachable`; and a table `[chapters]` from first numbers to names, or to
    /// `{ name = "…", titles = ["…"] }` where a chapter belongs to some titles of its crate only.
    pub fn read(file: &str, text: &str) -> Result<Self, DataError> {
        let root = sheet::parse(file, text)?;
        let mut fields = root.fields()?;
        let mut ledger = Self::default();
        if let Some(chapters) = fields.optional("chapters") {
            for chapter in chapters.fields()?.all() {
                let read = match chapter.text() {
                    Ok(name) => Chapter { name: name.to_string(), titles: Vec::new() },
                    Err(_) => {
                        let mut f =
                            chapter.fields().map_err(|_| chapter.expected("a name, or a name and titles"))?;
                        let name = f.required("name")?.text()?.to_string();
                        let titles = f.required("titles")?.texts()?;
                        f.finish()?;
                        Chapter { name, titles }
                    }
                };
                ledger.chapters.insert(chapter.name().to_string(), read);
            }
        }
        for node in fields.records("rule")? {
            let mut f = node.fields()?;
            let number = f.required("number")?;
            let entry = LedgerEntry {
                number: number.text()?.to_string(),
                title: f.required("title")?.text()?.to_string(),
                gist: f.required("gist")?.text()?.to_string(),
                prose: f.optional("prose").map_or(Ok(false), |n| n.flag())?,
                tests: f.optional("tests").map_or(Ok(Vec::new()), |n| n.texts())?,
                rulings: f.optional("rulings").map_or(Ok(Vec::new()), |n| n.texts())?,
                unreachable: match f.optional("unreachable") {
                    Some(node) => Some(node.text()?.to_string()),
                    None => None,
                },
            };
            f.finish()?;
            if !Rule::well_formed(&entry.number) {
                return Err(number.expected("a rule number such as 6.32"));
            }
            if ledger.find(&entry.number).is_some() {
                return Err(number.wrong(format!("rule {} stands in the ledger twice", entry.number)));
            }
            if entry.gist.trim().is_empty() {
                return Err(node.wrong(format!("rule {} has no gist", entry.number)));
            }
            ledger.entries.push(entry);
        }
        fields.finish()?;
        Ok(ledger)
    }

    /// The rules in the order of the book.
    pub fn entries(&self) -> &[LedgerEntry] {
        &self.entries
    }

    /// The rule with this number.
    pub fn find(&self, number: &str) -> Option<&LedgerEntry> {
        self.entries.iter().find(|e| e.number == number)
    }

    /// The name of the chapter that a rule belongs to: the longest first number that leads its own.
    pub fn chapter(&self, number: &str) -> Option<&str> {
        self.chapter_of(number).map(|chapter| chapter.name.as_str())
    }

    /// The rules that belong to one title of a crate: those of chapters that name it, or that name none.
    #[must_use]
    pub fn of_title(&self, title: &str) -> Self {
        let belongs = |entry: &&LedgerEntry| {
            self.chapter_of(&entry.number)
                .is_none_or(|c| c.titles.is_empty() || c.titles.iter().any(|t| t == title))
        };
        Self {
            entries: self.entries.iter().filter(belongs).cloned().collect(),
            chapters: self.chapters.clone(),
        }
    }

    fn chapter_of(&self, number: &str) -> Option<&Chapter> {
        self.chapters
            .iter()
            .filter(|(first, _)| {
                number
                    .strip_prefix(first.as_str())
                    .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
            })
            .max_by_key(|(first, _)| first.len())
            .map(|(_, chapter)| chapter)
    }

    /// What is missing: rules of the list that the ledger lacks, and rules that nothing shows. `shown` are
    /// the numbers that vignettes show. A rule split into lettered entries covers its own number.
    pub fn gaps(&self, list: &[String], shown: &BTreeSet<String>) -> Vec<String> {
        let letters = |number: &str, entry: &str| {
            entry
                .strip_prefix(number)
                .is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_lowercase()))
        };
        let mut gaps = Vec::new();
        for number in list {
            if !self.entries.iter().any(|e| e.number == *number || letters(number, &e.number)) {
                gaps.push(format!("{number} is not in the ledger"));
            }
        }
        for entry in self.entries.iter().filter(|e| !e.prose && e.tests.is_empty()) {
            if !shown.contains(&entry.number) {
                gaps.push(format!("{} ({}) is shown by no vignette and no test", entry.number, entry.title));
            }
        }
        gaps
    }
}

/// Reads a list of rule numbers: a number, a tab and a title on each line; `#` begins a comment.
pub fn read_rule_numbers(file: &str, text: &str) -> Result<Vec<String>, DataError> {
    let mut numbers = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let number = line.split('\t').next().unwrap_or("").trim();
        if number.is_empty() || number.starts_with('#') {
            continue;
        }
        if !Rule::well_formed(number) {
            return Err(DataError::new(file, i + 1, format!("expected a rule number, found `{number}`")));
        }
        numbers.push(number.to_string());
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
[chapters]
"5" = "Movement"
"15" = "Winter"
[[rule]]
number = "5.1a"
title = "Roads"
gist = "Four blocks on a road."
[[rule]]
number = "15.2"
title = "Credits"
gist = "Who made it."
prose = true
"#;

    #[test]
    fn gaps_are_listed() {
        let ledger = Ledger::read("rules.toml", TEXT).unwrap();
        let list = ["5.1".to_string(), "5.2".to_string(), "15.2".to_string()];
        assert_eq!(
            ledger.gaps(&list, &BTreeSet::new()),
            ["5.2 is not in the ledger", "5.1a (Roads) is shown by no vignette and no test"]
        );
        assert_eq!(ledger.gaps(&list[..1], &BTreeSet::from(["5.1a".to_string()])), Vec::<String>::new());
        assert_eq!(ledger.chapter("15.2"), Some("Winter"));
        assert_eq!(ledger.chapter("5.1a"), Some("Movement"));
        assert_eq!(ledger.chapter("55.1"), None);
    }

    #[test]
    fn a_chapter_may_belong_to_some_titles() {
        let split =
            TEXT.replace("\"15\" = \"Winter\"", "\"15\" = { name = \"Winter\", titles = [\"campaign\"] }");
        let ledger = Ledger::read("rules.toml", &split).unwrap();
        assert_eq!(ledger.chapter("15.2"), Some("Winter"));
        let numbers =
            |title| ledger.of_title(title).entries().iter().map(|e| e.number.clone()).collect::<Vec<_>>();
        assert_eq!(numbers("campaign"), ["5.1a", "15.2"]);
        assert_eq!(numbers("skirmish"), ["5.1a"]);
        let wrong = Ledger::read("rules.toml", &TEXT.replace("\"Winter\"", "7")).unwrap_err().to_string();
        assert_eq!(wrong, "rules.toml:4: `15`: expected a name, or a name and titles, found the number 7");
    }

    #[test]
    fn a_rule_stands_once() {
        let twice = TEXT.replace("15.2", "5.1a");
        let error = Ledger::read("rules.toml", &twice).unwrap_err();
        assert_eq!(error.to_string(), "rules.toml:10: rule 5.1a stands in the ledger twice");
    }
}
