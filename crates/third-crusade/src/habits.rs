//! What an old hand does without thinking, for the bots.
