//! Where the figures of a game come from: every record of its data files says so, and the rules page tells it.
//!
//! Nothing here knows what a file is about: a record is a table, its name is its `name` or `id`, and its
//! origin is its `source`.

use std::collections::BTreeMap;

use toml::{Table, Value};

/// Records of a data file that come from the same source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Of which kind they are; empty for the file as a whole.
    pub(crate) kind: String,
    /// Where their figures come from.
    pub(crate) source: String,
    /// Their names, as far as they have any.
    pub(crate) names: Vec<String>,
    /// How many there are.
    pub(crate) records: usize,
    /// Whether some figure had to be reconstructed.
    pub(crate) reconstructed: bool,
}

/// A data file and where its figures come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sources {
    /// The file.
    pub(crate) file: String,
    /// The origins, the file's own first, then those of most records.
    pub(crate) origins: Vec<Origin>,
}

/// The sources that a data file names; none, if it cannot be read: then the game says so better.
pub(crate) fn read(file: &str, text: &str) -> Sources {
    let mut found: BTreeMap<(String, String), Origin> = BTreeMap::new();
    if let Ok(table) = text.parse::<Table>() {
        gather("", &table, &mut found);
    }
    let mut origins: Vec<_> = found.into_values().collect();
    origins.sort_by(|a, b| {
        (!a.kind.is_empty())
            .cmp(&!b.kind.is_empty())
            .then(b.records.cmp(&a.records))
            .then(a.kind.cmp(&b.kind))
    });
    Sources { file: file.into(), origins }
}

fn gather(kind: &str, table: &Table, found: &mut BTreeMap<(String, String), Origin>) {
    if let Some(source) = table.get("source").and_then(Value::as_str) {
        let origin = found.entry((kind.into(), source.into())).or_insert_with(|| Origin {
            kind: kind.into(),
            source: source.into(),
            names: Vec::new(),
            records: 0,
            reconstructed: false,
        });
        let name = table.get("name").or(table.get("id")).and_then(Value::as_str);
        origin.names.extend(name.map(String::from));
        origin.records += 1;
        let marked = table.get("reconstructed").is_some_and(|v| *v != Value::Boolean(false));
        origin.reconstructed |= marked || source.contains("reconstructed");
    }
    for (key, value) in table {
        match value {
            Value::Table(inner) => gather(key, inner, found),
            Value::Array(list) => {
                list.iter().filter_map(Value::as_table).for_each(|inner| gather(key, inner, found));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_gathered_by_their_source() {
        let text = r#"
            source = "the board"
            [[town]]
            name = "Acre"
            source = "board"
            [[town]]
            name = "Tyre"
            source = "board"
            [[town]]
            name = "Lacum"
            source = "reconstructed from the map"
        "#;
        let sources = read("map.toml", text);
        let told: Vec<_> =
            sources.origins.iter().map(|o| (o.kind.as_str(), o.records, o.reconstructed)).collect();
        assert_eq!(told, [("", 1, false), ("town", 2, false), ("town", 1, true)]);
        assert_eq!(sources.origins[1].names, ["Acre", "Tyre"]);
        assert_eq!(read("x.toml", "not = [toml").origins, []);
    }
}
