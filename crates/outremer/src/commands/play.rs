//! `outremer play`: a game in the terminal, as a person would like it.
//!
//! The board as text, what has happened since one last looked, numbered choices. Several seats on one
//! screen are kept apart by a curtain whenever hidden information changes hands.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use table::{Acted, AnyMatch, Lots, Nonces, Offered, Pick, Record, Seat, SeatSet, Seed, TableError, Viewer};

use crate::args::Play;
use crate::{games, terminal};

const HELP: &str = "\
  5            Do choice 5; `5 12` where it is an amount
  undo         Take back your last click, as long as nobody learned anything
  takeback     Take back your last decision: bots agree, and the dice will be new
  why          What you might try and may not do, and by which rule
  board        Show the table again
  journal      All that has happened
  rule NUMBER  Look a rule up
  orders       Your standing orders; `orders ORDER; ORDER` gives new ones
  save FILE    Write the record
  quit         Leave the game
Records write choices in a notation of their own, and so may you:
  notation     Show your choices as a record would write them
  NOTATION     Do what this line says
  why NOTATION Why not this?";

pub(super) fn run(args: &Play) -> Result<()> {
    let first = games::all().first().map_or("", |g| g.id);
    let mut table = Sitting::sit_down(args, args.game.as_deref().unwrap_or(first))?;
    table.play()
}

/// A match with the people at this terminal.
struct Sitting {
    game: Box<dyn table::AnyGame>,
    sitting: Box<dyn AnyMatch>,
    people: SeatSet,
    bots: Bots,
    lots: Lots,
    record: Option<PathBuf>,
    /// Whose eyes are on the screen, and how much of the journal they have read.
    looking: Option<Seat>,
    read: [usize; table::MOST_SEATS],
}

/// Who plays the seats that nobody here plays.
enum Bots {
    /// One that does not think, for all seats.
    Simple(Pick),
    /// Those that think, one for each seat.
    Thinking(BTreeMap<Seat, Box<dyn bots::Player>>),
}

impl Bots {
    fn named(name: &str, party: SeatSet, seed: u64) -> Result<Self> {
        if let Ok(pick) = games::bot(name) {
            return Ok(Self::Simple(pick));
        }
        let seat = |seat: Seat| {
            let seed = seed.wrapping_add(seat.index() as u64);
            Ok((seat, bots::seat_player(name, seed, bots::Limits::default())?))
        };
        Ok(Self::Thinking(party.iter().map(seat).collect::<Result<_>>()?))
    }
}

/// What somebody typed.
enum Typed {
    Line(String),
    Nothing,
    Gone,
}

impl Sitting {
    fn sit_down(args: &Play, id: &str) -> Result<Self> {
        let resumed = match &args.record {
            Some(path) if path.exists() => {
                Some(Record::read(&path.display().to_string(), &games::read_text(path)?)?)
            }
            _ => None,
        };
        let id = match (&resumed, &args.game) {
            (Some(record), Some(game)) if record.game != *game => {
                bail!("{} is a record of {}, not of {game}", record.file, record.game)
            }
            (Some(record), _) => record.game.as_str(),
            (None, _) => id,
        };
        let game = games::open(id, &args.data)?;
        let seed = match args.seed {
            Some(number) => Seed::numbered(number),
            None => {
                let mut bytes = [0; 32];
                getrandom::fill(&mut bytes)
                    .map_err(|e| anyhow::anyhow!("no chance to be had from the system: {e}"))?;
                Seed::new(bytes)
            }
        };
        let sitting = match &resumed {
            Some(record) => game.replay(record, None)?,
            None => game.open(games::set_up(game.title(), &args.set_up)?, seed, Nonces::default())?,
        };
        let party = sitting.setup().party();
        let people = if args.hot_seat {
            party
        } else if args.own.is_empty() {
            party.lowest().map_or(SeatSet::NONE, SeatSet::only)
        } else {
            args.own.iter().map(|name| games::seat(game.title(), name, party)).collect::<Result<_>>()?
        };
        Ok(Self {
            bots: Bots::named(&args.bot, party, args.seed.unwrap_or(0x6f75_7472))?,
            lots: Lots::new(args.seed.unwrap_or(0x6f75_7472)),
            record: args.record.clone(),
            looking: None,
            read: [0; table::MOST_SEATS],
            game,
            sitting,
            people,
        })
    }

    fn play(&mut self) -> Result<()> {
        let title = self.game.title();
        let names: Vec<_> = self.people.iter().map(|s| title.seat_name(s)).collect();
        println!(
            "{}. You play {}. Type `help` for what you can say.",
            terminal::bold(&title.name),
            names.join(" and ")
        );
        println!("{}", terminal::faint("The dice are bound by"));
        println!("  {}", terminal::faint(&self.sitting.commitment().to_hex()));
        loop {
            self.keep_record()?;
            if self.sitting.outcome().is_some() {
                return self.farewell();
            }
            let waiting = self.sitting.waiting_for();
            if let Some(seat) = waiting.minus(self.people).lowest() {
                self.let_bot_decide(seat)?;
                continue;
            }
            // The one who is looking goes on, if he can: the curtain falls as seldom as possible.
            let mine = waiting.both(self.people);
            let seat = self.looking.filter(|s| mine.contains(*s)).or_else(|| mine.lowest());
            let Some(seat) = seat else { bail!("the table waits for nobody, and the game is not over") };
            if !self.curtain(seat)? {
                return Ok(());
            }
            self.show(seat);
            if !self.decide(seat)? {
                return self.leave();
            }
        }
    }

    fn let_bot_decide(&mut self, seat: Seat) -> Result<()> {
        match &mut self.bots {
            Bots::Simple(pick) => self.sitting.pick(seat, *pick, &mut self.lots).map(drop)?,
            Bots::Thinking(bots) => {
                let Some(turn) = bots::Turn::new(&*self.sitting, seat) else { bail!("a bot has no choice") };
                let Some(bot) = bots.get_mut(&seat) else { bail!("nobody plays {}", seat.index()) };
                let answer = bot.decide(&turn)?;
                self.sitting.act(seat, None, &[answer.as_str()])?;
            }
        }
        Ok(())
    }

    /// Lets the next person take the screen. False when nobody is there.
    fn curtain(&mut self, seat: Seat) -> Result<bool> {
        let changed = self.looking.replace(seat) != Some(seat);
        if changed && self.people.len() > 1 {
            terminal::clear();
            println!(
                "\n{} is next: take the screen and press Enter.",
                terminal::bold(self.game.title().seat_name(seat))
            );
            return Ok(!matches!(self.ask("")?, Typed::Gone));
        }
        Ok(true)
    }

    /// What happened, the table, the choices.
    fn show(&mut self, seat: Seat) {
        let journal = self.sitting.journal(Viewer::Seat(seat));
        let read = self.read[seat.index()].min(journal.len());
        println!();
        for line in &journal[read..] {
            terminal::journal_line(line);
        }
        self.read[seat.index()] = journal.len();
        terminal::show(&self.sitting.scene(Viewer::Seat(seat)).to_text(&self.game.title().seat_names()), 0);
        self.show_choices(seat, false);
    }

    /// The choices with their numbers, in words or as notation.
    fn show_choices(&self, seat: Seat, written: bool) {
        let offered = self.sitting.offered(seat);
        let texts: Vec<String> = offered
            .iter()
            .enumerate()
            .map(|(i, offer)| {
                let (mut text, mut more) = (offer.notation.to_string(), Vec::new());
                if !written {
                    text = terminal::sentence(&offer.choice.label);
                    more.extend(Some(offer.choice.hint.clone()).filter(|hint| !hint.is_empty()));
                }
                if let Some((least, most)) = offer.range {
                    text = text.strip_suffix(&format!(" {least}")).unwrap_or(&text).to_string();
                    more.insert(0, format!("{least} to {most}"));
                }
                let more = if more.is_empty() { String::new() } else { format!(" ({})", more.join("; ")) };
                format!("{:>3}  {text}{more}", i + 1)
            })
            .collect();
        let longest = texts.iter().map(|t| t.chars().count()).max().unwrap_or(0) + 2;
        let columns = (terminal::width() / longest).clamp(1, 4).min(texts.len().div_ceil(4).max(1));
        let rows = texts.len().div_ceil(columns);
        for row in 0..rows {
            let cells: Vec<_> = (0..columns)
                .filter_map(|c| texts.get(c * rows + row))
                .map(|t| format!("{t:<longest$}"))
                .collect();
            terminal::show(cells.concat().trim_end(), 0);
        }
        let undoable = self.sitting.undoable(seat);
        if undoable > 0 {
            let clicks = terminal::counted(undoable as u64, "click");
            println!("{}", terminal::faint(&format!("     Type `undo` to take back: {clicks}")));
        }
    }

    /// Asks until something was done. False when the person leaves.
    fn decide(&mut self, seat: Seat) -> Result<bool> {
        loop {
            let name = self.game.title().seat_name(seat).to_string();
            let line = match self.ask(&format!("{name}> "))? {
                Typed::Line(line) => line,
                Typed::Nothing => continue,
                Typed::Gone => return Ok(false),
            };
            let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
            match (word, rest.trim()) {
                ("help" | "h" | "?", "") => println!("{HELP}"),
                ("quit" | "q" | "exit", "") => return Ok(false),
                ("board" | "b", "") => self.show(seat),
                ("notation", "") => self.show_choices(seat, true),
                ("journal" | "j", "") => {
                    self.sitting.journal(Viewer::Seat(seat)).iter().for_each(terminal::journal_line);
                }
                ("undo" | "u", "") => match self.sitting.undo(seat) {
                    Ok(()) => return Ok(true),
                    Err(error) => terminal::say(format!("{error}; `takeback` asks for it")),
                },
                ("takeback", "") => {
                    if self.take_back(seat) {
                        return Ok(true);
                    }
                }
                ("why", "") => self.why_not_anything(seat),
                ("why", text) => match self.sitting.why_not(seat, text) {
                    Ok(()) => println!("`{text}` is possible."),
                    Err(error) => terminal::say(error),
                },
                ("rule", number) if !number.is_empty() => self.show_rule(number),
                ("orders", text) => {
                    if self.give_orders(seat, text) {
                        return Ok(true);
                    }
                }
                ("save", file) if !file.is_empty() => {
                    match games::write_record(Path::new(file), &*self.sitting) {
                        Ok(()) => println!("The record is in {file}."),
                        Err(error) => terminal::say(format!("{error:#}")),
                    }
                }
                _ => match self.act(seat, &line) {
                    Ok(true) => return Ok(true),
                    Ok(false) => {}
                    Err(error) => terminal::say(error),
                },
            }
        }
    }

    /// Does what a number or a line of notation says. Whether anything was done.
    fn act(&mut self, seat: Seat, line: &str) -> Result<bool, TableError> {
        let offered = self.sitting.offered(seat);
        let text = match self.chosen(&offered, line) {
            Some(Ok(text)) => text,
            Some(Err(problem)) => {
                terminal::say(problem);
                return Ok(false);
            }
            None => line.to_string(),
        };
        let question =
            offered.iter().find(|o| o.notation.as_str() == text).and_then(|o| o.choice.confirm.as_ref());
        if let Some(question) = question {
            let answer = self.ask(&format!("{question} [y/N] ")).unwrap_or(Typed::Gone);
            if !matches!(&answer, Typed::Line(yes) if yes.eq_ignore_ascii_case("y") || yes.eq_ignore_ascii_case("yes"))
            {
                return Ok(false);
            }
        }
        let acted = self.sitting.act(seat, None, &[&text])?;
        if matches!(acted, Acted::Held { .. }) && self.sitting.undoable(seat) > 0 {
            println!("(Kept secret until the others have chosen.)");
        }
        Ok(true)
    }

    /// The choice that a number stands for, with its amount where it has one.
    fn chosen(&self, offered: &[Offered], line: &str) -> Option<Result<String, String>> {
        let mut words = line.split_whitespace();
        let number: usize = words.next()?.parse().ok()?;
        let amount = words.next();
        let Some(offer) = number.checked_sub(1).and_then(|i| offered.get(i)) else {
            return Some(Err(match offered.len() {
                1 => "there is only choice 1".into(),
                last => format!("there are choices 1 to {last}"),
            }));
        };
        Some(match (offer.range, amount) {
            (None, None) => Ok(offer.notation.to_string()),
            (None, Some(_)) => Err(format!("choice {number} takes no amount")),
            (Some((least, most)), amount) => {
                let amount = amount.and_then(|a| a.parse().ok()).filter(|a| (least..=most).contains(a));
                match amount.and_then(|a| self.game.with_amount(offer.notation.as_str(), a).ok()) {
                    Some(text) => Ok(text.to_string()),
                    None => Err(format!("say `{number} AMOUNT`, from {least} to {most}")),
                }
            }
        })
    }

    /// Everybody here, and every bot, agrees.
    fn take_back(&mut self, seat: Seat) -> bool {
        let Some(to) = self.sitting.before_last_decision(seat) else {
            println!("You have decided nothing yet.");
            return false;
        };
        let others = self.sitting.setup().party().without(seat);
        let result = self
            .sitting
            .ask_take_back(seat, to)
            .and_then(|()| others.iter().try_for_each(|other| self.sitting.answer_take_back(other, true)));
        if let Err(error) = result {
            terminal::say(error);
            return false;
        }
        true
    }

    fn why_not_anything(&self, seat: Seat) {
        let refused = self.sitting.refused(seat);
        if refused.is_empty() {
            println!("Nothing that you might try is forbidden.");
        }
        for refusal in refused {
            terminal::show(
                &format!("{}: {} [{}]", terminal::sentence(&refusal.label), refusal.why, refusal.rule),
                2,
            );
        }
    }

    fn show_rule(&self, number: &str) {
        match self.game.title().ledger.find(number) {
            Some(entry) => {
                println!("{}", terminal::bold(&format!("{} {}", entry.number, entry.title)));
                terminal::paragraph("  ", &entry.gist);
                entry
                    .rulings
                    .iter()
                    .for_each(|ruling| terminal::paragraph("  ", &format!("Ruling: {ruling}")));
            }
            None => println!("There is no rule {number}."),
        }
    }

    /// Shows a seat's standing orders, or gives new ones. Whether they may have acted.
    fn give_orders(&mut self, seat: Seat, text: &str) -> bool {
        if text.is_empty() {
            let orders = self.sitting.orders(seat);
            if orders.is_empty() {
                println!("You have given no standing orders. `orders none` takes all back.");
            }
            orders.iter().for_each(|order| println!("  {order}"));
            return false;
        }
        let orders: Vec<&str> =
            if text == "none" { Vec::new() } else { text.split(';').map(str::trim).collect() };
        match self.sitting.give_orders(seat, &orders) {
            Ok(()) => true,
            Err(error) => {
                terminal::say(error);
                false
            }
        }
    }

    fn ask(&self, prompt: &str) -> Result<Typed> {
        print!("{prompt}");
        std::io::stdout().flush()?;
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line).context("cannot read what you type")? == 0 {
            println!();
            return Ok(Typed::Gone);
        }
        let line = line.trim();
        Ok(if line.is_empty() { Typed::Nothing } else { Typed::Line(line.to_string()) })
    }

    fn keep_record(&self) -> Result<()> {
        match &self.record {
            Some(path) => games::write_record(path, &*self.sitting),
            None => Ok(()),
        }
    }

    fn leave(&self) -> Result<()> {
        let clicks: usize = self.people.iter().map(|seat| self.sitting.undoable(seat)).sum();
        match clicks {
            0 => {}
            1 => println!("(One click that could still be undone is not part of the record.)"),
            _ => println!("({clicks} clicks that could still be undone are not part of the record.)"),
        }
        match &self.record {
            Some(path) => {
                println!("The game is kept in {}; the same command goes on with it.", path.display())
            }
            None => println!("You leave the game. (`--record FILE` would have kept it.)"),
        }
        Ok(())
    }

    fn farewell(&self) -> Result<()> {
        let Some(outcome) = self.sitting.outcome() else { return Ok(()) };
        println!();
        terminal::show(&self.sitting.scene(Viewer::Umpire).to_text(&self.game.title().seat_names()), 0);
        println!();
        terminal::ending(&outcome, &self.sitting.reason());
        if let Some(seed) = self.sitting.record(true).seed {
            println!("\n{}", terminal::faint("The seed of the dice was"));
            println!("  {}", terminal::faint(&seed.to_hex()));
        }
        Ok(())
    }
}
