//! Croisades: battles and assaults man by man.
