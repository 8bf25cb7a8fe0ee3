//! Mail, sent through the server that the owner of the house has set up.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lettre::message::{Mailbox, header::ContentType};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

/// Somebody who takes mail to the post.
pub(crate) struct Post {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    stamps: Stamps,
}

/// How many letters may go to addresses that nobody has confirmed: three to each and then one in eight hours,
/// and thirty in all and then one every half minute. Nobody shall flood a stranger's box through us.
#[derive(Debug, Default)]
struct Stamps(Mutex<HashMap<String, (f64, Instant)>>);

impl Stamps {
    fn take(&self, address: &str, now: Instant) -> bool {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Who has not been written to for a day starts anew.
        left.retain(|_, (_, then)| now.duration_since(*then) < Duration::from_secs(86_400));
        let mut refilled = |key: &str, most: f64, each: f64| {
            let (stamps, then) = left.entry(key.to_string()).or_insert((most, now));
            *stamps = (*stamps + now.duration_since(*then).as_secs_f64() / each).min(most);
            *then = now;
            *stamps
        };
        let address = address.to_lowercase();
        let enough = refilled(&address, 3.0, 28_800.0) >= 1.0 && refilled("", 30.0, 30.0) >= 1.0;
        if enough {
            for key in [address.as_str(), ""] {
                if let Some((stamps, _)) = left.get_mut(key) {
                    *stamps -= 1.0;
                }
            }
        }
        enough
    }
}

impl Post {
    /// The post behind an address such as `smtps://USER:PASSWORD@HOST`. What is wrong with it is told without
    /// the address, which holds a password.
    pub(crate) fn new(smtp: &str, from: &str) -> Result<Self, String> {
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(smtp).map_err(|e| {
            format!("mail is sent through smtps://USER:PASSWORD@HOST or smtp://HOST:PORT: {e}")
        })?;
        let from = from.parse().map_err(|e| format!("mail cannot come from `{from}`: {e}"))?;
        let transport = transport.timeout(Some(Duration::from_secs(20))).build();
        Ok(Self { transport, from, stamps: Stamps::default() })
    }

    /// Whether a letter may go to an address that nobody has confirmed; if so, it is counted.
    pub(crate) fn stamp(&self, address: &str) -> bool {
        self.stamps.take(address, Instant::now())
    }

    /// Whether mail could be sent to an address.
    pub(crate) fn checked(address: &str) -> Result<Mailbox, String> {
        if address.len() > 254 || address.chars().any(char::is_control) {
            return Err("an e-mail address is one line of at most 254 letters".into());
        }
        let address: lettre::Address =
            address.parse().map_err(|e| format!("`{address}` is not an e-mail address: {e}"))?;
        Ok(Mailbox::new(None, address))
    }

    /// Sends a letter.
    pub(crate) async fn send(&self, to: &str, subject: &str, text: String) -> Result<(), String> {
        let letter = Message::builder()
            .from(self.from.clone())
            .to(Self::checked(to)?)
            .subject(subject)
            .header(ContentType::TEXT_PLAIN)
            .body(text)
            .map_err(|e| e.to_string())?;
        self.transport.send(letter).await.map(drop).map_err(|e| e.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_are_not_flooded() {
        let (stamps, now) = (Stamps::default(), Instant::now());
        let to = |address: &str, later: u64| stamps.take(address, now + Duration::from_secs(later));
        assert_eq!((0..10).filter(|_| to("ada@example.com", 0)).count(), 3);
        assert!(!to("ADA@example.com", 3600));
        assert!(to("ada@example.com", 3600 + 28_800));
        let many = (0..100).filter(|i| to(&format!("{i}@example.com"), 40_000)).count();
        assert_eq!(many, 30);
        assert!(to("late@example.com", 40_030));
    }

    #[test]
    fn addresses_are_checked() {
        for wrong in ["", "ada", "ada@", "ada@example.com\r\nBcc: all@example.com", "a b@example.com"] {
            assert!(Post::checked(wrong).is_err(), "{wrong}");
        }
        assert!(Post::checked("ada@example.com").is_ok());
        assert!(Post::new("smtps://mail.example.com", "Outremer <o@example.com>").is_ok());
        assert!(Post::new("smtps://mail.example.com", "nobody").is_err());
        let wrong = Post::new("pigeon://ada:secret-word@roof", "o@example.com").err().unwrap();
        assert!(!wrong.contains("secret-word"), "{wrong}");
    }
}
