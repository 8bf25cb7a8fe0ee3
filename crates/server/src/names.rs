//! Names that people give themselves: what others can read, and tell apart from another's.
//!
//! A name is made of letters that can be seen, of one script (or of such as are usually written together), so
//! that nobody is somebody else by a letter that looks the same. The name of an account is compared by its
//! looks: see [`shape`].

use unicode_normalization::UnicodeNormalization;
use unicode_security::{GeneralSecurityProfile, RestrictionLevel, RestrictionLevelDetection, skeleton};

use crate::fault::Fault;

/// How many letters a name has at most.
const LONGEST: usize = 32;

/// A name as others see it: one line, neither empty nor long, of letters that can be seen and told apart.
pub(crate) fn clean(name: &str) -> Result<String, Fault> {
    // Nobody means to send more than that, and it takes time to look at.
    if name.len() > 1000 {
        return Err(Fault::Wrong(format!("a name has 1 to {LONGEST} letters")));
    }
    let name: String = name.nfc().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() || name.chars().count() > LONGEST {
        return Err(Fault::Wrong(format!("a name has 1 to {LONGEST} letters")));
    }
    let readable = |c: char| c == ' ' || c == '’' || c.is_ascii_graphic() || c.identifier_allowed();
    if let Some(c) = name.chars().find(|c| !readable(*c)) {
        let code = u32::from(c);
        let why = "a name is made of letters, digits and the usual signs";
        return Err(Fault::Wrong(format!("{why}: U+{code:04X} is none of them")));
    }
    if !name.chars().any(char::is_alphanumeric) {
        return Err(Fault::Wrong("a name has a letter or a digit in it".into()));
    }
    let level = name.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    if level.detect_restriction_level() > RestrictionLevel::HighlyRestrictive {
        let why = "this name mixes letters of several scripts, which others could not tell apart";
        return Err(Fault::Wrong(format!("{why}: use those of one")));
    }
    Ok(name)
}

/// What a name looks like: two names with the same shape are taken for each other.
pub(crate) fn shape(name: &str) -> String {
    let shape: String = skeleton(name).flat_map(char::to_lowercase).collect();
    let letters: String = shape.chars().filter(|c| c.is_alphanumeric()).collect();
    if letters.is_empty() { shape } else { letters }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_seen() {
        for good in ["Ada", "Ada of Tyre", "Gui d’Ibelin", "صلاح الدين", "Łukasz-2", "李世民", "O'Neill (x)"]
        {
            assert!(clean(good).is_ok(), "{good}");
        }
        for bad in
            ["", " ", "\u{200b}", "A\u{200b}da", "\u{202e}adA", "Ad\u{430}", "\u{3164}", "---", "a\u{ad}b"]
        {
            assert!(clean(bad).is_err(), "{bad:?}");
        }
        assert!(clean(&"x".repeat(33)).is_err());
        assert_eq!(clean(" Ada \n Lovelace ").ok().as_deref(), Some("Ada Lovelace"));
    }

    #[test]
    fn names_that_look_alike_have_one_shape() {
        for (one, other) in
            [("Alan", "AIan"), ("Ada", "АԁА"), ("bo0", "bOo"), ("modern", "modem"), ("A.da", "Ada")]
        {
            assert_eq!(shape(one), shape(other), "{one} {other}");
        }
        assert_ne!(shape("Ada"), shape("Ida"));
    }
}
