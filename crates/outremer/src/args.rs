//! What can be said on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Board wargames of the Crusades, with every rule enforced.
///
/// Without a command, the web table is laid and the lobby opens in the browser.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
pub(crate) struct Outremer {
    #[command(subcommand)]
    command: Option<Command>,
}

impl Outremer {
    /// The command, or the one that stands for none.
    pub(crate) fn command(self) -> Command {
        self.command.unwrap_or_else(|| Self::parse_from(["outremer", "serve", "--open"]).command())
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the games with their scenarios, options and seats
    List,
    /// Play in the browser: serve the lobby and its tables
    Serve(Serve),
    /// Play in the terminal
    Play(Play),
    /// Play many games by bots, and count
    Simulate(Simulate),
    /// Examine a game: legality, secrecy, records, at every step of many games
    Check(Check),
    /// Replay records: show where they lead, or check them
    Replay(Replay),
    /// Play vignettes, one line each
    Vignette(VignetteArgs),
    /// Look up a rule and see it at work
    Rules(Rules),
    /// Draw a record or a vignette as a picture
    Draw(Draw),
    /// Measure the speed of the rules, or with `bots` that of the bots
    Bench(Bench),
    /// Let bots play against each other, and rate them
    Arena(Arena),
    /// Find the weights of a game's appraisal, or the figures of its habits, from games that bots play
    Tune(Tune),
    /// Show the chance to win over the course of a game, and its turning points
    Analyse(Analyse),
}

/// Which game, and with whose figures.
#[derive(Args, Clone, Debug)]
pub(crate) struct Opened {
    /// The game's id, as `outremer list` shows it
    pub(crate) game: String,
    #[command(flatten)]
    pub(crate) data: Data,
}

/// With whose figures a game is opened.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Data {
    /// A folder with replacements for the game's data files
    #[arg(long = "data", value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}

/// How a table is set up.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SetUp {
    /// The scenario [default: the game's first]
    #[arg(long, value_name = "ID")]
    pub(crate) scenario: Option<String>,
    /// An option of the set-up; can be given several times
    #[arg(long = "option", value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub(crate) options: Vec<(String, String)>,
    /// Which seats are played: how many, or their names with commas between them [default: the scenario's usual]
    #[arg(long, value_name = "SEATS")]
    pub(crate) seats: Option<table::Seats>,
}

fn key_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() && !value.is_empty() => Ok((key.into(), value.into())),
        _ => Err("expected KEY=VALUE".into()),
    }
}

#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Play {
    /// The game's id [default: the first of `outremer list`]
    pub(crate) game: Option<String>,
    #[command(flatten)]
    pub(crate) data: Data,
    #[command(flatten)]
    pub(crate) set_up: SetUp,
    /// The seats you play, by name; several are played on one screen, with a curtain between them
    /// [default: the first seat]
    #[arg(long = "as", value_name = "SEAT", value_delimiter = ',')]
    pub(crate) own: Vec<String>,
    /// Play all seats yourself
    #[arg(long, conflicts_with = "own")]
    pub(crate) hot_seat: bool,
    /// Who plays the other seats: random, greedy, squire, knight, captain or marshal
    #[arg(long, value_name = "BOT", default_value = "greedy")]
    pub(crate) bot: String,
    /// A number to take the dice from, for a game that can be repeated [default: true chance]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// Keep the record in this file; if it holds one already, go on with it
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Serve {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8117", env = "OUTREMER_LISTEN")]
    pub(crate) listen: String,
    /// Where tables are kept: sqlite://FILE, or for several servers postgres://USER:PASSWORD@HOST/NAME
    #[arg(
        long,
        value_name = "ADDRESS",
        hide_env_values = true,
        default_value = "sqlite://outremer.db",
        env = "OUTREMER_DB"
    )]
    pub(crate) db: String,
    /// Open the lobby in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// How long a bot waits before it acts, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 350)]
    pub(crate) bot_pause: u64,
    /// How long after it was asked a window is opened, in milliseconds, whoever has answered
    #[arg(long, value_name = "MS", default_value_t = 2000)]
    pub(crate) window_pace: u64,
    /// How long a table that nobody looks at stays in memory, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub(crate) keep: u64,
    /// Requests that change something, allowed each second from one address
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub(crate) rate: u32,
    /// Requests that only look, allowed each second from one address
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(crate) reads: u32,
    /// Words that one person may say at tables each minute
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub(crate) words: u32,
    /// The largest request, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 65536)]
    pub(crate) body: usize,
    /// How long a request may take to arrive, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) patience: u64,
    /// Web sockets and streams open at once
    #[arg(long, value_name = "N", default_value_t = 4000)]
    pub(crate) sockets: u64,
    /// Web sockets and streams open at once from one address
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(crate) sockets_each: u32,
    /// Tables at which one person may have bots that think hard (captain, marshal) at once
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) strong_tables: usize,
    /// How long a session lasts that nobody uses, in days
    #[arg(long, value_name = "DAYS", default_value_t = 90, value_parser = clap::value_parser!(u64).range(1..=3650))]
    pub(crate) session_idle: u64,
    /// How long a session lasts at most, in days
    #[arg(long, value_name = "DAYS", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..=3650))]
    pub(crate) session_longest: u64,
    /// One proxy stands before the server: believe the last address that its X-Forwarded-For names
    #[arg(long)]
    pub(crate) behind_proxy: bool,
    /// Pages come through TLS: cookies must not travel without, and browsers shall not come without
    #[arg(long)]
    pub(crate) behind_tls: bool,
    /// The address under which players reach the server, for links in messages [default: where it listens]
    #[arg(long, value_name = "https://HOST", env = "OUTREMER_URL")]
    pub(crate) url: Option<String>,
    /// Send e-mail to players who ask for it through this server: smtps://USER:PASSWORD@HOST, or
    /// smtp://HOST:PORT without TLS, or with STARTTLS if ?tls=required follows
    #[arg(long, value_name = "ADDRESS", env = "OUTREMER_SMTP", hide_env_values = true)]
    pub(crate) smtp: Option<String>,
    /// From whom e-mail comes
    #[arg(
        long,
        value_name = "MAILBOX",
        default_value = "Outremer <outremer@localhost>",
        env = "OUTREMER_MAIL_FROM"
    )]
    pub(crate) mail_from: String,
    /// Let players' webhooks have private addresses: only where you trust them all
    #[arg(long)]
    pub(crate) call_private: bool,
    /// How long a table waits for an absent player before he is told, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) tell_after: u64,
    /// How long a player is told nothing more after a message, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub(crate) tell_pause: u64,
    /// What to log: error, warn, info, debug, or a filter such as server=debug
    #[arg(long, value_name = "FILTER", default_value = "info", env = "OUTREMER_LOG")]
    pub(crate) log: String,
    /// Log lines of JSON
    #[arg(long)]
    pub(crate) log_json: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) opened: Opened,
    #[command(flatten)]
    pub(crate) set_up: SetUp,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) games: u64,
    /// The number from which all chance follows
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many threads; results do not depend on it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) threads: u16,
    /// Who plays, seat by seat: random, greedy, or a searching player such as captain:200; the last plays all
    /// seats after it
    #[arg(long, value_name = "BOT,BOT", value_delimiter = ',', default_value = "random")]
    pub(crate) bots: Vec<String>,
    /// Keep the record of every game in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) records: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Tune {
    #[command(flatten)]
    pub(crate) opened: Opened,
    #[command(flatten)]
    pub(crate) set_up: SetUp,
    /// How many games; for habits, how many for each comparison [default: 2000 by habit, 200 by players]
    #[arg(long, value_name = "N")]
    pub(crate) games: Option<u64>,
    /// The number from which all chance follows
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many threads; what is found does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) threads: u16,
    /// Who plays, for each side one of them by lot, such as captain:400,captain:100; without, the game plays itself
    /// by habit. For habits one player, who meets himself with other figures
    #[arg(long, value_name = "BOT,BOT", value_delimiter = ',')]
    pub(crate) players: Vec<String>,
    /// With players: note one of so many moments at rest
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) every: u32,
    /// Find the figures of habits in the place of the weights
    #[arg(long)]
    pub(crate) habits: bool,
    /// For habits: go through all figures so often at most
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) rounds: u16,
    /// The name of the table of weights [default: the scenario's]
    #[arg(long, value_name = "NAME")]
    pub(crate) table: Option<String>,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) opened: Opened,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) games: u32,
    /// The first seed; game number i is played from seed + i
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) threads: u16,
    /// Make the dear checks at one step of N, chosen by lot
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) every: u32,
    /// Leave each game after N actions
    #[arg(long, value_name = "N")]
    pub(crate) actions: Option<u32>,
    /// Look over the wording, too: no notation, no ids, no `1 moves`, capitals
    #[arg(long)]
    pub(crate) wording: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Replay {
    /// Records, or folders of them
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) records: Vec<PathBuf>,
    /// Stop after this entry
    #[arg(long, value_name = "ENTRY")]
    pub(crate) to: Option<u32>,
    /// Only say of each record whether it replays, and at which entry it does not
    #[arg(long)]
    pub(crate) check: bool,
    /// Through whose eyes [default: an observer's; all is shown when the game is over]
    #[arg(long, value_name = "SEAT")]
    pub(crate) seat: Option<String>,
    #[command(flatten)]
    pub(crate) data: Data,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct VignetteArgs {
    /// Vignettes, or folders of them
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) data: Data,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Rules {
    #[command(flatten)]
    pub(crate) opened: Opened,
    /// The number of a rule [default: list them all]
    pub(crate) rule: Option<String>,
    /// Prove that every rule of the rulebook is in the ledger and is shown at work
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Draw {
    /// A record or a vignette
    #[arg(value_name = "RECORD|VIGNETTE")]
    pub(crate) source: PathBuf,
    /// Where the picture goes; its ending decides: .svg or .png
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Through whose eyes [default: an observer's; everything for vignettes and finished games]
    #[arg(long, value_name = "SEAT")]
    pub(crate) seat: Option<String>,
    /// For a record: after this entry. For a vignette: after so many actions [default: the last]
    #[arg(long, value_name = "ENTRY")]
    pub(crate) to: Option<u32>,
    /// Draw for a dark room
    #[arg(long)]
    pub(crate) dark: bool,
    #[command(flatten)]
    pub(crate) data: Data,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Bench {
    /// Games to measure; `server` for the web table; `bots` and games for how fast bots think [default: all games]
    #[arg(value_name = "GAME")]
    pub(crate) games: Vec<String>,
    /// Seconds of random play for each game
    #[arg(long, value_name = "SECONDS", default_value_t = 2)]
    pub(crate) seconds: u32,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Arena {
    #[command(flatten)]
    pub(crate) opened: Opened,
    #[command(flatten)]
    pub(crate) set_up: SetUp,
    /// Who plays: random, greedy, squire, knight, captain, marshal, a number of iterations after a colon
    /// (captain:4000), with the weights and habits of a folder (captain:4000@DIR), or the path of a program (./mybot.py)
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', required_unless_present_any = ["ladder", "merge"])]
    pub(crate) players: Vec<String>,
    /// Each player against the one below, the weakest first, until it is known whether he is stronger by 60 Elo or
    /// not at all; without names squire, knight, captain and marshal
    #[arg(long)]
    pub(crate) ladder: bool,
    /// How many games each two of them play; rounded up to pairs with the sides swapped
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) games: u32,
    /// Play only the third of eight parts of it, say, and keep the results for `--merge`
    #[arg(long, value_name = "3/8", requires = "results", conflicts_with = "merge")]
    pub(crate) share: Option<bots::arena::Share>,
    /// Keep everything in this file, so that it can be put together with other shares
    #[arg(long, value_name = "FILE", conflicts_with = "merge")]
    pub(crate) results: Option<PathBuf>,
    /// Put the results of shares together instead of playing
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["players", "iterations", "seconds", "sprt"])]
    pub(crate) merge: Vec<PathBuf>,
    /// The number from which all chance follows
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many games at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) threads: u16,
    /// Iterations of a captain for one decision, four times as many for a marshal: a match that can be
    /// repeated
    #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) iterations: Option<u32>,
    /// Seconds of a captain for one decision, four times as many for a marshal [default: 1]
    #[arg(long, value_name = "SECONDS", value_parser = crate::commands::arena::read_seconds)]
    pub(crate) seconds: Option<f64>,
    /// Seconds that a program from outside may take for one decision
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = crate::commands::arena::read_seconds)]
    pub(crate) patience: f64,
    /// Stop when it is answered whether the first of two players is stronger by ELO1, or only by ELO0
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = crate::commands::arena::read_sprt)]
    pub(crate) sprt: Option<bots::arena::Sprt>,
    /// Write everything to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write the games to this file, one a line
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Draw the ratings into this file
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) chart: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct Analyse {
    /// The record
    #[arg(value_name = "RECORD")]
    pub(crate) record: PathBuf,
    /// Iterations of the search at each point
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(crate) iterations: u32,
    /// At how many points at most
    #[arg(long, value_name = "N", default_value_t = 120)]
    pub(crate) points: u32,
    /// The number from which the search's chance follows
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Draw the chance over the course of the game into this file
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) chart: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) data: Data,
}
