//! What a player is told: at which tables something is new, and nothing of their games.

use serde::Serialize;

use super::News;

/// A message to one player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Message {
    /// In a line.
    pub(crate) title: String,
    /// The tables: name, link, and whether the game is over.
    pub(crate) tables: Vec<Named>,
}

/// A table in a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) link: String,
    pub(crate) over: bool,
    /// `turn`, `over`, `away` or `bot`.
    pub(crate) what: &'static str,
    #[serde(skip)]
    pub(crate) news: News,
}

impl Message {
    pub(super) fn new(tables: Vec<Named>) -> Self {
        let turns = tables.iter().filter(|t| t.news == News::Turn).count();
        let away = tables.iter().find(|t| matches!(t.news, News::Away(_) | News::Bot));
        let title = match (turns, &tables[..]) {
            _ if away.is_some_and(|t| t.news == News::Bot) => {
                format!("A bot sits in for you: {}", away.map_or("", |t| t.name.as_str()))
            }
            _ if away.is_some() => format!("You are awaited: {}", away.map_or("", |t| t.name.as_str())),
            (0, [one]) => format!("The game is over: {}", one.name),
            (0, many) => format!("{} games are over", many.len()),
            (1, [one]) => format!("Your turn: {}", one.name),
            (1, _) => "Your turn at a table".into(),
            (n, _) => format!("Your turn at {n} tables"),
        };
        Self { title, tables }
    }

    /// The message as text.
    pub(crate) fn text(&self) -> String {
        let line = |t: &Named| format!("{}{}\n{}\n", t.name, t.news.in_words(), t.link);
        self.tables.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_counts_turns() {
        let named = |over| {
            let news = if over { News::Over } else { News::Turn };
            Named { name: "Ten Towns".into(), link: "http://t/x".into(), over, what: news.word(), news }
        };
        assert_eq!(Message::new(vec![named(false)]).title, "Your turn: Ten Towns");
        assert_eq!(Message::new(vec![named(false), named(false)]).title, "Your turn at 2 tables");
        assert_eq!(Message::new(vec![named(true)]).title, "The game is over: Ten Towns");
        assert_eq!(Message::new(vec![named(true), named(false)]).title, "Your turn at a table");
        assert_eq!(Message::new(vec![named(true)]).text(), "Ten Towns, over\nhttp://t/x\n");
    }
}
