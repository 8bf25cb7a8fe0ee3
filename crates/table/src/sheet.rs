//! Reading TOML that comes from outside: data, ledgers, vignettes.
//!
//! A thin reader over `toml` that knows the line of everything, so that an error can say the file, the
//! line, what was found and what was expected, and that leaves no unknown key unnoticed.

use std::ops::RangeInclusive;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong with a file, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}: {what}")]
pub struct DataError {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What was found and what was expected.
    pub what: String,
}

impl DataError {
    /// Something is wrong in this file at this line.
    pub fn new(file: impl Into<String>, line: usize, what: impl Into<String>) -> Self {
        Self { file: file.into(), line, what: what.into() }
    }
}

/// A value with the place where it stands.
#[derive(Clone, Debug)]
pub struct Node {
    file: Arc<str>,
    line: usize,
    name: String,
    value: Value,
}

#[derive(Clone, Debug)]
enum Value {
    Text(String),
    Number(i64),
    Decimal(f64),
    Flag(bool),
    Other(&'static str),
    List(Vec<Node>),
    Table(Vec<Node>),
}

/// The longest file that is read, in bytes.
pub const LONGEST_FILE: usize = 8 << 20;

/// Parses a TOML document.
pub fn parse(file: &str, text: &str) -> Result<Node, DataError> {
    if text.len() > LONGEST_FILE {
        let what = format!("the file has {} bytes, expected at most {LONGEST_FILE}", text.len());
        return Err(DataError::new(file, 1, what));
    }
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
    let line = |offset: usize| starts.partition_point(|s| *s <= offset).max(1);
    match DeTable::parse(text) {
        Ok(table) => {
            let file: Arc<str> = file.into();
            let value = read_table(table.get_ref(), &file, &line)?;
            Ok(Node { file, line: 1, name: "the file".into(), value })
        }
        Err(error) => {
            let at = error.span().map_or(1, |span| line(span.start));
            Err(DataError::new(file, at, format!("no valid TOML: {}", error.message())))
        }
    }
}

type LineOf<'a> = &'a dyn Fn(usize) -> usize;

fn read_table(table: &DeTable<'_>, file: &Arc<str>, line: LineOf<'_>) -> Result<Value, DataError> {
    let mut entries = Vec::new();
    for (key, value) in table.iter() {
        let name = key.get_ref().to_string();
        entries.push((key.span().start, read_value(name, line(key.span().start), value, file, line)?));
    }
    entries.sort_by_key(|(start, _)| *start);
    Ok(Value::Table(entries.into_iter().map(|(_, node)| node).collect()))
}

fn read_value(
    name: String,
    at: usize,
    value: &Spanned<DeValue<'_>>,
    file: &Arc<str>,
    line: LineOf<'_>,
) -> Result<Node, DataError> {
    let wrong = |what: String| DataError::new(&**file, at, what);
    let value =
        match value.get_ref() {
            DeValue::String(text) => Value::Text(text.to_string()),
            DeValue::Integer(number) => Value::Number(
                i64::from_str_radix(number.as_str(), number.radix())
                    .map_err(|_| wrong(format!("`{name}` is too large a number: {}", number.as_str())))?,
            ),
            DeValue::Float(number) => Value::Decimal(number.as_str().parse().map_err(|_| {
                wrong(format!("`{name}` is no number that we can read: {}", number.as_str()))
            })?),
            DeValue::Boolean(flag) => Value::Flag(*flag),
            DeValue::Datetime(_) => Value::Other("a date"),
            DeValue::Array(items) => {
                let mut list = Vec::new();
                for (i, item) in items.iter().enumerate() {
                    let at = line(item.span().start);
                    list.push(read_value(format!("{name}[{i}]"), at, item, file, line)?);
                }
                Value::List(list)
            }
            DeValue::Table(table) => read_table(table, file, line)?,
        };
    Ok(Node { file: file.clone(), line: at, name, value })
}

impl Node {
    /// An error at this place.
    pub fn wrong(&self, what: impl Into<String>) -> DataError {
        DataError::new(&*self.file, self.line, what)
    }

    /// The key under which it stands.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The line, counted from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// What stands there, as one would say it.
    pub fn found(&self) -> String {
        match &self.value {
            Value::Text(text) => format!("the text \"{text}\""),
            Value::Number(number) => format!("the number {number}"),
            Value::Decimal(number) => format!("the number {number}"),
            Value::Flag(flag) => format!("{flag}"),
            Value::Other(what) => (*what).to_string(),
            Value::List(list) => format!("a list of {}", list.len()),
            Value::Table(entries) => format!("a table of {}", entries.len()),
        }
    }

    /// An error that says what was found and what was expected.
    pub fn expected(&self, expected: &str) -> DataError {
        self.wrong(format!("`{}`: expected {expected}, found {}", self.name, self.found()))
    }

    /// A text.
    pub fn text(&self) -> Result<&str, DataError> {
        match &self.value {
            Value::Text(text) => Ok(text),
            _ => Err(self.expected("a text")),
        }
    }

    /// A whole number.
    pub fn number(&self) -> Result<i64, DataError> {
        match &self.value {
            Value::Number(number) => Ok(*number),
            _ => Err(self.expected("a whole number")),
        }
    }

    /// A whole number within a range.
    pub fn number_in(&self, range: RangeInclusive<i64>) -> Result<i64, DataError> {
        match &self.value {
            Value::Number(number) if range.contains(number) => Ok(*number),
            _ => Err(self.expected(&format!("a whole number from {} to {}", range.start(), range.end()))),
        }
    }

    /// A number with or without a fraction, such as a latitude.
    pub fn decimal(&self) -> Result<f64, DataError> {
        match &self.value {
            Value::Decimal(number) if number.is_finite() => Ok(*number),
            Value::Number(number) if i32::try_from(*number).is_ok() => Ok(*number as f64),
            _ => Err(self.expected("a number")),
        }
    }

    /// Yes or no.
    pub fn flag(&self) -> Result<bool, DataError> {
        match &self.value {
            Value::Flag(flag) => Ok(*flag),
            _ => Err(self.expected("true or false")),
        }
    }

    /// A list.
    pub fn list(&self) -> Result<&[Node], DataError> {
        match &self.value {
            Value::List(list) => Ok(list),
            _ => Err(self.expected("a list")),
        }
    }

    /// A list of texts.
    pub fn texts(&self) -> Result<Vec<String>, DataError> {
        self.list()?.iter().map(|n| n.text().map(str::to_string)).collect()
    }

    /// The fields of a table that says where its figures come from.
    pub fn sourced(&self) -> Result<Fields<'_>, DataError> {
        let mut fields = self.fields()?;
        fields.required("source")?.text()?;
        Ok(fields)
    }

    /// A name that is not `taken` yet, with none of these characters, which are told apart by spaces.
    pub fn new_name(&self, without: &str, taken: bool) -> Result<String, DataError> {
        let name = self.text()?;
        let mixed = without.split_whitespace().any(|character| name.contains(character));
        if name.is_empty() || name.trim() != name || mixed || taken {
            return Err(self.expected(&format!("a new name without {without}")));
        }
        Ok(name.to_string())
    }

    /// A table, whose entries are asked for one by one; see [`Fields::finish`].
    pub fn fields(&self) -> Result<Fields<'_>, DataError> {
        match &self.value {
            Value::Table(entries) => Ok(Fields { node: self, entries, asked: Vec::new() }),
            _ => Err(self.expected("a table")),
        }
    }

    /// One of a few words.
    pub fn one_of<T: Copy>(&self, words: &[(&str, T)]) -> Result<T, DataError> {
        let known = || words.iter().map(|(w, _)| format!("\"{w}\"")).collect::<Vec<_>>().join(", ");
        match &self.value {
            Value::Text(text) => words
                .iter()
                .find(|(word, _)| word == text)
                .map(|(_, value)| *value)
                .ok_or_else(|| self.expected(&format!("one of {}", known()))),
            _ => Err(self.expected(&format!("one of {}", known()))),
        }
    }
}

/// The entries of a table.
#[derive(Debug)]
pub struct Fields<'a> {
    node: &'a Node,
    entries: &'a [Node],
    asked: Vec<String>,
}

impl<'a> Fields<'a> {
    /// An entry that may be missing.
    pub fn optional(&mut self, key: &str) -> Option<&'a Node> {
        self.asked.push(key.to_string());
        self.entries.iter().find(|n| n.name == key)
    }

    /// An entry that must be there.
    pub fn required(&mut self, key: &str) -> Result<&'a Node, DataError> {
        self.optional(key).ok_or_else(|| self.node.wrong(format!("`{key}` is missing in {}", self.node.name)))
    }

    /// The list of tables under a key; nothing where the key is missing.
    pub fn records(&mut self, key: &str) -> Result<&'a [Node], DataError> {
        self.optional(key).map_or(Ok(&[]), Node::list)
    }

    /// All entries, in the order of the file: for tables whose keys are names.
    pub fn all(mut self) -> &'a [Node] {
        self.asked.clear();
        self.entries
    }

    /// Nothing else may stand here.
    pub fn finish(self) -> Result<(), DataError> {
        match self.entries.iter().find(|n| !self.asked.contains(&n.name)) {
            None => Ok(()),
            Some(stray) => Err(stray.wrong(format!(
                "unknown key `{}`; known here: {}",
                stray.name,
                self.asked.join(", ")
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str, read: impl Fn(&mut Fields<'_>) -> Result<(), DataError>) -> String {
        let node = match parse("map.toml", text) {
            Ok(node) => node,
            Err(error) => return error.to_string(),
        };
        let mut fields = node.fields().unwrap();
        read(&mut fields).and_then(|()| fields.finish()).map_or_else(|e| e.to_string(), |()| "fine".into())
    }

    #[test]
    fn errors_say_file_line_found_and_expected() {
        let rating = |f: &mut Fields<'_>| f.required("rating")?.number_in(0..=4).map(drop);
        assert_eq!(complaint("rating = 3", rating), "fine");
        assert_eq!(
            complaint("\n\nrating = \"three\"", rating),
            "map.toml:3: `rating`: expected a whole number from 0 to 4, found the text \"three\""
        );
        assert_eq!(complaint("# nothing", rating), "map.toml:1: `rating` is missing in the file");
        assert_eq!(
            complaint("rating = 1\nratting = 2", rating),
            "map.toml:2: unknown key `ratting`; known here: rating"
        );
        assert!(complaint("rating = ", rating).starts_with("map.toml:1: no valid TOML"));
        assert!(complaint("rating = 99999999999999999999", rating).contains("too large"));
    }

    #[test]
    fn lines_inside_lists_are_known() {
        let node = parse("v.toml", "dice = [\n  3,\n  \"x\",\n]").unwrap();
        let mut fields = node.fields().unwrap();
        let dice = fields.required("dice").unwrap().list().unwrap();
        assert_eq!(dice[0].number(), Ok(3));
        assert_eq!(
            dice[1].number().unwrap_err().to_string(),
            "v.toml:3: `dice[1]`: expected a whole number, found the text \"x\""
        );
    }
}
