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

/// Nobody reads any more, as behind `| head`: the program ends without a word, whatever it was printing.
#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("records");
    let records = record.to_string_lossy().into_owned();
    let database = format!("sqlite://{}", folder.path().join("t.db").display());
    let program = || std::process::Command::new(env!("CARGO_BIN_EXE_outremer"));
    let kept =
        program().args(["simulate", "connect-four", "--games", "1", "--records", &records]).output().unwrap();
    assert!(kept.status.success());
    let serve = ["serve", "--listen", "127.0.0.1:0", "--log", "error", "--db", &database];
    let commands: [&[&str]; 9] = [
        &["list"],
        &["--help"],
        &["rules", "ten-towns"],
        &["simulate", "connect-four", "--games", "2"],
        &["check", "tic-tac-toe", "--games", "1"],
        &["replay", &records],
        &["play", "tic-tac-toe"],
        &["bench", "tic-tac-toe", "--seconds", "1"],
        &serve,
    ];
    for words in commands {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output =
            program().args(words).stdin(std::process::Stdio::null()).stdout(writer).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(said, "", "{words:?}");
        assert_ne!(output.status.code(), Some(101), "{words:?} panics");
    }
}

/// A setting that is there and empty is a mistake, and the message says what would be right.
#[test]
fn an_empty_database_is_none() {
    let run = |command: &mut std::process::Command| {
        let output = command.args(["serve", "--listen", "127.0.0.1:0"]).output().unwrap();
        assert!(!output.status.success());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("sqlite://outremer.db"), "{said}");
    };
    let program = || std::process::Command::new(env!("CARGO_BIN_EXE_outremer"));
    run(program().env("OUTREMER_DB", ""));
    let output = program().args(["serve", "--listen", "127.0.0.1:0", "--db", " "]).output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("sqlite://outremer.db"));
}
