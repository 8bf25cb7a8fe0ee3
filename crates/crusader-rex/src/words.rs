//! Counts and lists in words, for the journal, prompts and buttons.

/// `a, b or c`.
pub(crate) fn either(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}

/// So many of a thing: `1 block`, `3 blocks`.
pub(crate) fn counted<N: std::fmt::Display + PartialEq + From<bool>>(n: N, one: &str, many: &str) -> String {
    let what = if n == N::from(true) { one } else { many };
    format!("{n} {what}")
}

/// Names in a row: `Conrad`, `Conrad and Walter`, `Conrad, Walter and Balian`.
pub(crate) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{counted, listed};

    #[test]
    fn one_is_not_many() {
        assert_eq!(counted(1u8, "block", "blocks"), "1 block");
        assert_eq!(counted(0u8, "block", "blocks"), "0 blocks");
        assert_eq!(counted(4u8, "block", "blocks"), "4 blocks");
    }

    #[test]
    fn names_stand_in_a_row() {
        let names: Vec<_> = ["Conrad", "Walter", "Balian"].map(String::from).to_vec();
        assert_eq!(listed(&names), "Conrad, Walter and Balian");
        assert_eq!(listed(&names[..2]), "Conrad and Walter");
        assert_eq!(listed(&names[..1]), "Conrad");
        assert_eq!(listed(&[]), "");
    }
}
