//! The games there are, and how they are opened.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use table::{
    AnyGame, AnyMatch, DataFiles, GameEntry, Pick, Seat, SeatSet, Setup, Title, Viewer, Wishes, small,
};

use crate::args::{Data, Opened, SetUp};

/// The largest file that is read from a folder.
const LARGEST_FILE: u64 = 32 << 20;

/// All games, the one that a newcomer should play first.
pub(crate) fn all() -> Vec<GameEntry> {
    let [tic_tac_toe, connect_four, phantom, ten_towns] = small::ALL;
    let mut games = vec![
        crusader_rex::ENTRY,
        first_crusade::ENTRY,
        kingdom_of_heaven::ENTRY,
        third_crusade::ENTRY,
        croisades::skirmish::ENTRY,
    ];
    // Toys, in lines of their own: `cargo xtask new-game` adds one.
    games.push(four_keeps::ENTRY);
    games.extend([ten_towns, tic_tac_toe, connect_four, phantom]);
    games
}

/// Opens a game by its id.
pub(crate) fn open(id: &str, data: &Data) -> Result<Box<dyn AnyGame>> {
    let (entry, files) = find(id, data)?;
    let opened = (entry.open)(&files);
    match &data.dir {
        Some(dir) => opened.with_context(|| format!("in the data folder {}", dir.display())),
        None => Ok(opened?),
    }
}

/// A game by its id, and the texts that it is opened with.
pub(crate) fn find(id: &str, data: &Data) -> Result<(GameEntry, DataFiles)> {
    let games = all();
    let Some(entry) = games.iter().find(|g| g.id == id) else {
        let known: Vec<_> = games.iter().map(|g| g.id).collect();
        bail!("no game is called `{id}`; there are: {}", known.join(", "));
    };
    let mut files = DataFiles::built_in(entry.files);
    if let Some(dir) = &data.dir {
        for path in files_in(dir, "toml")? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files
                .replace(&name, read_text(&path)?)
                .with_context(|| format!("in the data folder {}", dir.display()))?;
        }
    }
    Ok((*entry, files))
}

/// Opens the game that was named.
pub(crate) fn open_named(opened: &Opened) -> Result<Box<dyn AnyGame>> {
    open(&opened.game, &opened.data)
}

/// The files with an ending in a folder, in the order of their names; one level only.
fn files_in(dir: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let entries =
        std::fs::read_dir(dir).with_context(|| format!("cannot read the folder {}", dir.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.with_context(|| format!("cannot read the folder {}", dir.display()))?.path();
        if path.is_file() && path.extension().is_some_and(|e| e == ending) {
            files.push(path);
        }
    }
    if files.is_empty() {
        bail!("the folder {} has no .{ending} file", dir.display());
    }
    files.sort();
    Ok(files)
}

/// Writes a record beside its place and then moves it there, so that no half of it is ever read.
pub(crate) fn write_record(path: &Path, sitting: &dyn AnyMatch) -> Result<()> {
    let context = || format!("cannot write the record {}", path.display());
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    std::fs::write(&beside, sitting.record(true).to_string()).with_context(context)?;
    std::fs::rename(&beside, path).with_context(context)
}

/// Files and the files of folders, folders within folders included, in the order of their names.
pub(crate) fn gather(paths: &[PathBuf], ending: &str) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = files.len();
            gather_folder(path, ending, &mut files)?;
            if files.len() == before {
                bail!("the folder {} has no .{ending} file", path.display());
            }
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn gather_folder(dir: &Path, ending: &str, files: &mut Vec<PathBuf>) -> Result<()> {
    let context = || format!("cannot read the folder {}", dir.display());
    let mut entries: Vec<_> =
        std::fs::read_dir(dir).with_context(context)?.collect::<Result<_, _>>().with_context(context)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            gather_folder(&path, ending, files)?;
        } else if path.extension().is_some_and(|e| e == ending) {
            files.push(path);
        }
    }
    Ok(())
}

/// The text of a file.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let context = || format!("cannot read {}", path.display());
    let size = std::fs::metadata(path).with_context(context)?.len();
    if size > LARGEST_FILE {
        bail!("{} has {size} bytes; at most {LARGEST_FILE} are read", path.display());
    }
    let bytes = std::fs::read(path).with_context(context)?;
    String::from_utf8(bytes).map_err(|e| {
        let line = e.as_bytes()[..e.utf8_error().valid_up_to()].iter().filter(|b| **b == b'\n').count() + 1;
        anyhow!("{}:{line}: expected UTF-8 text, found other bytes", path.display())
    })
}

/// The set-up that was asked for.
pub(crate) fn set_up(title: &Title, wishes: &SetUp) -> Result<Setup> {
    let mut options = std::collections::BTreeMap::new();
    for (key, value) in &wishes.options {
        if options.insert(key.clone(), value.clone()).is_some() {
            bail!("option `{key}` is given twice");
        }
    }
    Ok(title.set_up(&Wishes { scenario: wishes.scenario.clone(), seats: wishes.seats.clone(), options })?)
}

/// The bot with this name.
pub(crate) fn bot(name: &str) -> Result<Pick> {
    match name {
        "random" => Ok(Pick::Random),
        "greedy" => Ok(Pick::Greedy),
        _ => bail!("no bot is called `{name}`; there are: random, greedy"),
    }
}

/// The seat with this name.
pub(crate) fn seat(title: &Title, name: &str, party: SeatSet) -> Result<Seat> {
    title
        .seat_named(name)
        .filter(|s| party.contains(*s))
        .ok_or_else(|| anyhow!("no seat is called `{name}`; there are: {}", title.party_names(party)))
}

/// Through whose eyes: a seat's, or those of one who sees everything that may be seen.
pub(crate) fn viewer(title: &Title, name: Option<&str>, party: SeatSet) -> Result<Viewer> {
    match name {
        Some(name) => Ok(Viewer::Seat(seat(title, name, party)?)),
        None => Ok(Viewer::Umpire),
    }
}
