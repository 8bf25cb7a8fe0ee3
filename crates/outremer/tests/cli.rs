//! The command line itself, as a person sees it: every command, and what it says when something is wrong.
//!
//! `TRYCMD=overwrite cargo test -p outremer` writes what is said now into the files; read the difference.
#![allow(clippy::unwrap_used)]

#[test]
fn the_command_line_says_what_it_should() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").case("tests/cmd/*.toml");
}

/// The games that a simulation keeps can be replayed.
#[test]
fn simulated_games_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_outremer"));
        let output = command.args(words).arg(folder.path()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    run(&["simulate", "connect-four", "--games", "3", "--records"]);
    let checked = run(&["replay", "--check"]);
    assert_eq!(checked.lines().filter(|line| line.starts_with("ok")).count(), 3, "{checked}");
}
