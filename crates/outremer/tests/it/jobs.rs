//! A ladder in shares, played by GNU parallel and put together.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

#[test]
fn a_ladder_is_played_in_shares_and_put_together() {
    let out = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bots/jobs/ladder.sh");
    let climb = |shares: &str| {
        let played = Command::new(&script)
            .args(["ten-towns", shares, "--players", "random,greedy", "--games", "24"])
            .env("OUTREMER", env!("CARGO_BIN_EXE_outremer"))
            .env("OUT", out.path())
            .env("JOBS", "2")
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&played.stdout).into_owned();
        assert!(played.status.success(), "{told}{}", String::from_utf8_lossy(&played.stderr));
        // The table of players has times in it.
        told.lines().filter(|line| !line.starts_with('|')).collect::<Vec<_>>().join("\n")
    };
    let told = climb("3");
    assert!(told.contains("ten-towns") && told.contains("24 games"), "{told}");
    assert!(told.contains("Sequential test of greedy over random, 0 against 60 Elo"), "{told}");
    assert!(!told.contains("Not there"), "{told}");
    assert!(out.path().join("ladder.svg").is_file());

    // Only what is missing is played again.
    std::fs::remove_file(out.path().join("2.json")).unwrap();
    let kept = std::fs::metadata(out.path().join("1.json")).unwrap().modified().unwrap();
    assert_eq!(climb("3"), told);
    assert_eq!(std::fs::metadata(out.path().join("1.json")).unwrap().modified().unwrap(), kept);

    // What cannot be put together is named.
    std::fs::write(out.path().join("2.json"), "{}").unwrap();
    let merge = Command::new(env!("CARGO_BIN_EXE_outremer"))
        .args(["arena", "ten-towns", "--merge"])
        .arg(out.path().join("2.json"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&merge.stderr).into_owned();
    assert!(!merge.status.success() && told.contains("2.json: expected what `--results` writes"), "{told}");
}
