//! Counts in words, for the journal, prompts and buttons.

/// So many of a thing: `1 unit`, `3 units`.
pub(crate) fn counted(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

/// Names in a row: `Guy`, `Guy and Reynald`, `Guy, Reynald and Conrad`.
pub(crate) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A text as a sentence begins with it; it makes no room of its own.
pub(crate) struct Begins<'a>(pub(crate) &'a str);

impl std::fmt::Display for Begins<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut letters = self.0.chars();
        if let Some(first) = letters.next() {
            write!(f, "{}", first.to_uppercase())?;
        }
        f.write_str(letters.as_str())
    }
}

/// A thing with its article, as a sentence begins: `An Ayyubid 2-6`, `A Templar 3-4`.
pub(crate) struct A<'a>(pub(crate) &'a str);

impl std::fmt::Display for A<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let vowel = self.0.starts_with(['A', 'E', 'I', 'O', 'U', 'a', 'e', 'i', 'o', 'u']);
        write!(f, "{} {}", if vowel { "An" } else { "A" }, self.0)
    }
}

/// So many of a thing, where it is written only if somebody reads it.
pub(crate) struct Counted<'a>(pub(crate) u8, pub(crate) &'a str, pub(crate) &'a str);

impl std::fmt::Display for Counted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.0, if self.0 == 1 { self.1 } else { self.2 })
    }
}

/// A modifier with its sign.
pub(crate) struct Signed(pub(crate) i32);

impl std::fmt::Display for Signed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.0 < 0 { '−' } else { '+' }, self.0.abs())
    }
}

/// A modifier with its sign.
pub(crate) const fn signed(n: i32) -> Signed {
    Signed(n)
}
