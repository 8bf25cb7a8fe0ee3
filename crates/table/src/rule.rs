//! The number of a rule, as refusals, journal lines and prompts cite it.

use std::fmt;

use serde::{Serialize, Serializer};

/// A rule of a game's rulebook, by its number: `5.1`, `6.32`, `17.7a`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule(&'static str);

impl Rule {
    /// The rule with this number; write [`rule!`](crate::rule!) instead, which checks it while compiling.
    ///
    /// # Panics
    /// When the number is empty or holds anything but letters, digits, dots and hyphens.
    pub const fn new(number: &'static str) -> Self {
        assert!(Self::well_formed(number), "a rule number holds letters, digits, dots and hyphens");
        Self(number)
    }

    /// Whether a text can be a rule's number.
    pub const fn well_formed(number: &str) -> bool {
        let bytes = number.as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            if !(bytes[i].is_ascii_alphanumeric() || bytes[i] == b'.' || bytes[i] == b'-') {
                return false;
            }
            i += 1;
        }
        !bytes.is_empty()
    }

    /// The number as text.
    #[inline]
    pub const fn number(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}]", self.0)
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

/// A rule by its number, checked while compiling: `rule!("6.32")`.
#[macro_export]
macro_rules! rule {
    ($number:literal) => {
        const { $crate::Rule::new($number) }
    };
}
