//! The command line, tested in one binary; the browser has its own.

mod cli;
mod jobs;
