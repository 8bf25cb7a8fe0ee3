//! Where a game lists what a seat may do now, and says why it may not do the rest.
//!
//! [`Rules::options`](crate::Rules::options) is the one source of legality. It is written once, against the
//! trait [`Ballot`], and read in several ways: a search keeps only what is allowed ([`Options`]) and pays
//! nothing for reasons; the page keeps the reasons too ([`Explained`]); a check asks for one action only
//! ([`Verdict`]).

use std::fmt;

use crate::rule::Rule;

/// What a game tells of its options.
pub trait Ballot<A> {
    /// The seat may do this.
    fn allow(&mut self, action: A);

    /// The seat may do this with any amount from `least` to `most`: a bid, a payment. One option, not
    /// hundreds; [`Rules::with_amount`](crate::Rules::with_amount) makes the action of an amount.
    fn allow_range(&mut self, action: A, least: u32, most: u32);

    /// The seat can do only this, and **everybody can know that it can do only this**. Such a choice may be
    /// made for the player. Where only hidden knowledge leaves one option, use [`allow`](Self::allow):
    /// passing over the choice would tell the others.
    fn force(&mut self, action: A) {
        self.allow(action);
    }

    /// Whether refusals are wanted. Where finding out why not is dear, ask this first.
    #[inline]
    fn explains(&self) -> bool {
        false
    }

    /// The seat might try this, and the rule forbids it.
    fn refuse(&mut self, action: A, rule: Rule, why: fmt::Arguments<'_>) {
        let _ = (action, rule, why);
    }
}

/// One thing that a seat may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offer<A> {
    /// The action, or for a range the action with its least amount.
    pub action: A,
    /// For an amount, from what to what.
    pub range: Option<(u32, u32)>,
    /// Whether everybody can know that nothing else is possible.
    pub forced: bool,
}

/// A ballot that keeps what is allowed and drops refusals. Cleared and used again, it allocates nothing.
#[derive(Clone, Debug)]
pub struct Options<A> {
    offers: Vec<Offer<A>>,
}

impl<A: Copy> Options<A> {
    /// An empty ballot.
    pub fn new() -> Self {
        Self { offers: Vec::with_capacity(64) }
    }

    /// Forgets all, keeping the room.
    #[inline]
    pub fn clear(&mut self) {
        self.offers.clear();
    }

    /// What was allowed, in the order of the game.
    #[inline]
    pub fn offers(&self) -> &[Offer<A>] {
        &self.offers
    }

    /// How many offers there are, a range counting as one.
    #[inline]
    pub fn len(&self) -> usize {
        self.offers.len()
    }

    /// Whether nothing was allowed.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.offers.is_empty()
    }
}

impl<A: Copy> Default for Options<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Copy> Ballot<A> for Options<A> {
    #[inline]
    fn allow(&mut self, action: A) {
        self.offers.push(Offer { action, range: None, forced: false });
    }
    #[inline]
    fn allow_range(&mut self, action: A, least: u32, most: u32) {
        debug_assert!(least <= most, "an empty range is no option");
        self.offers.push(Offer { action, range: Some((least, most)), forced: false });
    }
    #[inline]
    fn force(&mut self, action: A) {
        self.offers.push(Offer { action, range: None, forced: true });
    }
}

/// A reason why a seat may not do something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal<A> {
    /// What it might try.
    pub action: A,
    /// The rule that forbids it.
    pub rule: Rule,
    /// Why, in a few words.
    pub why: String,
}

/// A ballot that keeps everything: for the page, the terminal and the tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained<A> {
    /// What is allowed.
    pub offers: Vec<Offer<A>>,
    /// What is not, and why.
    pub refusals: Vec<Refusal<A>>,
}

impl<A> Default for Explained<A> {
    fn default() -> Self {
        Self { offers: Vec::new(), refusals: Vec::new() }
    }
}

impl<A: Copy> Ballot<A> for Explained<A> {
    fn allow(&mut self, action: A) {
        self.offers.push(Offer { action, range: None, forced: false });
    }
    fn allow_range(&mut self, action: A, least: u32, most: u32) {
        self.offers.push(Offer { action, range: Some((least, most)), forced: false });
    }
    fn force(&mut self, action: A) {
        self.offers.push(Offer { action, range: None, forced: true });
    }
    fn explains(&self) -> bool {
        true
    }
    fn refuse(&mut self, action: A, rule: Rule, why: fmt::Arguments<'_>) {
        self.refusals.push(Refusal { action, rule, why: why.to_string() });
    }
}
