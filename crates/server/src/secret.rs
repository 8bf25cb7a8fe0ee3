//! Random words: ids that nobody guesses, tokens and links, and the hashes they are stored as.

/// Letters and digits that are not mistaken for each other.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// So many random bytes.
#[allow(clippy::expect_used)]
pub(crate) fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Without true chance no dice can be rolled and no session is safe: there is no way on.
    getrandom::fill(&mut bytes).expect("the system gives random numbers");
    bytes
}

/// A random word of so many letters, five bits each.
pub(crate) fn word<const N: usize>() -> String {
    bytes::<N>().iter().map(|b| LETTERS[usize::from(b & 31)] as char).collect()
}

/// A random number.
pub(crate) fn number() -> u64 {
    u64::from_le_bytes(bytes())
}

/// A token as it is stored.
pub(crate) fn hashed(token: &str) -> String {
    blake3::derive_key("outremer stored token 1", token.as_bytes())
        .iter()
        .fold(String::with_capacity(64), |text, byte| format!("{text}{byte:02x}"))
}

/// Whether a token is the one that was stored, in a time that does not tell how much of it fits.
pub(crate) fn fits(token: &str, stored: &str) -> bool {
    use subtle::ConstantTimeEq;
    hashed(token).as_bytes().ct_eq(stored.as_bytes()).into()
}

/// A text without the one letter that not every store can keep.
pub(crate) fn without_nul(text: &str) -> String {
    text.replace('\0', "")
}

/// Now, in seconds since 1970.
pub(crate) fn now() -> i64 {
    jiff::Timestamp::now().as_second()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_stored_as_hashes() {
        let token = word::<32>();
        assert_eq!(token.len(), 32);
        assert_ne!(token, word::<32>());
        assert!(fits(&token, &hashed(&token)));
        assert!(!fits("other", &hashed(&token)));
        assert!(!hashed(&token).contains(&token));
    }
}
