//! Where chance comes from: the honest dice of a table, and the fast lots of a search.
//!
//! **Honest dice.** A table's seed is 32 secret bytes. Before anybody acts, every seat sees the
//! [`Commitment`] (the BLAKE3 hash of the seed) and may answer it with a nonce of its own. Key of the dice
//! is `derive_key("outremer dice 1", seed, nonces)`, and the dice of one entry of the record are the
//! extendable output of BLAKE3, keyed with it, over (take-backs so far, number of the entry). When the game
//! is over the seed is shown, and anybody can roll every die again.
//!
//! The reduction of random bytes to a die is ours and never changes (see the golden vectors below).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::seat::{MOST_SEATS, Seat};

/// The 32 secret bytes from which all dice of a table come.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// The seed with these bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A seed for simulations and tests: the same number gives the same dice.
    pub fn numbered(number: u64) -> Self {
        Self(
            *blake3::Hasher::new_derive_key("outremer numbered seed")
                .update(&number.to_le_bytes())
                .finalize()
                .as_bytes(),
        )
    }

    /// What every seat sees before the game begins.
    pub fn commitment(&self) -> Commitment {
        Commitment(*blake3::hash(&self.0).as_bytes())
    }

    /// The seed as 64 hexadecimal digits.
    pub fn to_hex(&self) -> String {
        hex(&self.0)
    }

    /// Reads 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Result<Self, NotHex> {
        unhex(text).map(Self)
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(secret)")
    }
}

/// The hash of a seed: it binds the table to its dice without showing them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Commitment([u8; 32]);

impl Commitment {
    /// The commitment as 64 hexadecimal digits.
    pub fn to_hex(&self) -> String {
        hex(&self.0)
    }

    /// Reads 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Result<Self, NotHex> {
        unhex(text).map(Self)
    }
}

/// What the seats add to the seed after they have seen the commitment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Nonces([u64; MOST_SEATS]);

impl Nonces {
    /// Sets the nonce of one seat.
    pub fn set(&mut self, seat: Seat, nonce: u64) {
        self.0[seat.index()] = nonce;
    }

    /// The nonce of one seat; 0 if it gave none.
    pub fn get(&self, seat: Seat) -> u64 {
        self.0[seat.index()]
    }
}

/// The key of a table's dice: the seed mixed with the nonces.
#[derive(Clone)]
pub struct DiceKey([u8; 32]);

impl DiceKey {
    /// Mixes seed and nonces.
    pub fn new(seed: &Seed, nonces: &Nonces) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("outremer dice 1");
        hasher.update(&seed.0);
        for nonce in nonces.0 {
            hasher.update(&nonce.to_le_bytes());
        }
        Self(*hasher.finalize().as_bytes())
    }

    /// The dice of one entry of the record.
    pub fn stream(&self, take_backs: u32, entry: u32) -> DiceStream {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(&take_backs.to_le_bytes());
        hasher.update(&entry.to_le_bytes());
        DiceStream(hasher.finalize_xof())
    }
}

impl fmt::Debug for DiceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DiceKey(secret)")
    }
}

/// The random bytes of one entry.
#[derive(Clone, Debug)]
pub struct DiceStream(blake3::OutputReader);

impl DiceStream {
    /// A number below `n`, every one equally likely: the next four bytes as a little-endian number,
    /// modulo `n`; numbers of the last, incomplete round are skipped.
    ///
    /// # Panics
    /// When `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "nothing to choose from");
        let incomplete = (u32::MAX % n + 1) % n;
        loop {
            let mut bytes = [0; 4];
            self.0.fill(&mut bytes);
            let word = u32::from_le_bytes(bytes);
            if word <= u32::MAX - incomplete {
                return word % n;
            }
        }
    }
}

/// A small fast generator for searches, simulations and imagined positions. Never for play.
#[derive(Clone, Debug)]
pub struct Lots(u64);

impl Lots {
    /// The same number gives the same lots.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`. The bias is below one in four thousand million.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0, "nothing to choose from");
        (((self.bits() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// Puts a slice into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }

    /// One element of a slice, or none of an empty one.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len() as u32) as usize]) }
    }
}

/// A text that should have been 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 hexadecimal digits, found {found}")]
pub struct NotHex {
    found: String,
}

fn hex(bytes: &[u8; 32]) -> String {
    blake3::Hash::from_bytes(*bytes).to_hex().to_string()
}

fn unhex(text: &str) -> Result<[u8; 32], NotHex> {
    let not_hex = || NotHex {
        found: if text.chars().count() == 64 {
            format!("`{}…`", text.chars().take(12).collect::<String>())
        } else {
            format!("{} characters", text.chars().count())
        },
    };
    blake3::Hash::from_hex(text).map(|h| *h.as_bytes()).map_err(|_| not_hex())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, every saved game has lost its dice: mend the code, not the numbers.
    #[test]
    fn golden_vectors() {
        let key = DiceKey::new(&Seed::new([7; 32]), &Nonces::default());
        let roll = |take_backs, entry| {
            let mut stream = key.stream(take_backs, entry);
            (0..12).map(|_| stream.below(6) + 1).collect::<Vec<_>>()
        };
        assert_eq!(roll(0, 1), [4, 1, 1, 5, 3, 6, 4, 3, 4, 5, 1, 4]);
        assert_eq!(roll(0, 2), [3, 4, 1, 1, 5, 4, 4, 1, 2, 4, 6, 5]);
        assert_eq!(roll(1, 1), [1, 1, 6, 4, 5, 1, 3, 3, 3, 5, 4, 2]);
        let mut lots = Lots::new(1);
        assert_eq!([(); 12].map(|()| lots.below(6) + 1), [4, 5, 6, 3, 3, 5, 6, 4, 2, 5, 3, 4]);
    }

    #[test]
    fn a_nonce_changes_the_dice() {
        let seed = Seed::numbered(1);
        let mut nonces = Nonces::default();
        let plain = DiceKey::new(&seed, &nonces).stream(0, 0).below(1_000_000);
        nonces.set(Seat::new(1), 5);
        assert_ne!(plain, DiceKey::new(&seed, &nonces).stream(0, 0).below(1_000_000));
    }

    #[test]
    fn dice_are_fair() {
        let mut stream = DiceKey::new(&Seed::numbered(3), &Nonces::default()).stream(0, 0);
        let mut lots = Lots::new(3);
        let (mut honest, mut fast) = ([0u32; 6], [0u32; 6]);
        for _ in 0..60_000 {
            honest[stream.below(6) as usize] += 1;
            fast[lots.below(6) as usize] += 1;
        }
        for count in honest.into_iter().chain(fast) {
            assert!((9_600..10_400).contains(&count), "{honest:?} {fast:?}");
        }
    }

    #[test]
    fn every_number_below_can_come() {
        let mut stream = DiceKey::new(&Seed::numbered(3), &Nonces::default()).stream(0, 0);
        for n in 1..=52 {
            let mut seen = vec![false; n as usize];
            for _ in 0..n * 40 {
                seen[stream.below(n) as usize] = true;
            }
            assert!(seen.iter().all(|s| *s), "below({n})");
        }
    }

    #[test]
    fn seeds_are_read_strictly() {
        let seed = Seed::numbered(9);
        assert_eq!(Seed::from_hex(&seed.to_hex()), Ok(seed.clone()));
        assert_eq!(
            Seed::from_hex("abc").unwrap_err().to_string(),
            "expected 64 hexadecimal digits, found 3 characters"
        );
        assert!(Seed::from_hex(&"zz".repeat(32)).is_err());
        assert_eq!(format!("{seed:?}"), "Seed(secret)");
    }
}
