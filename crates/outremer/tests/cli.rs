//! The command line itself, as a person sees it: every command, and what it says when something is wrong.
//!
//! `TRYCMD=overwrite cargo test -p outremer` writes what is said now into the files; read the difference.

#[test]
fn the_command_line_says_what_it_should() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").case("tests/cmd/*.toml");
}
