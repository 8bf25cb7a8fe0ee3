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

/// A modifier with its sign.
pub(crate) fn signed(n: i32) -> String {
    if n < 0 { format!("−{}", -n) } else { format!("+{n}") }
}
