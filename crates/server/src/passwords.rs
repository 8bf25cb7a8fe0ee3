//! Passwords: compared by a few at a time, so that nobody keeps the machine busy with them, and wrong ones counted
//! by account and by block of addresses.

use std::net::IpAddr;
use std::time::Duration;

use argon2::{Argon2, PasswordHasher, PasswordVerifier, password_hash::phc::PasswordHash};
use tokio::sync::Semaphore;

use crate::App;
use crate::fault::Fault;
use crate::limits::{Bucket, block};
use crate::store::PersonRow;

/// How many passwords are hashed at once: each takes twenty megabytes and some tenths of a second.
static HASHING: Semaphore = Semaphore::const_new(2);
/// How long somebody waits for his turn.
const QUEUE: Duration = Duration::from_secs(3);

/// Wrong passwords for one account: so many at once, and one more every so many seconds.
const WRONG_ACCOUNT: (f64, f64) = (10.0, 60.0);
/// The same for a block of addresses.
const WRONG_BLOCK: (f64, f64) = (30.0, 20.0);
/// Does something with a password, when it is its turn.
async fn hashing<T: Send + 'static>(what: impl FnOnce() -> T + Send + 'static) -> Result<T, Fault> {
    let turn = tokio::time::timeout(QUEUE, HASHING.acquire()).await.map_err(|_| Fault::TooMany)?;
    let turn = turn.map_err(|e| Fault::Server(e.to_string()))?;
    // The turn is over when the work is, whoever has gone meanwhile.
    let work = move || {
        let done = what();
        drop(turn);
        done
    };
    tokio::task::spawn_blocking(work).await.map_err(|e| Fault::Server(e.to_string()))
}

/// A password as it is stored, if it is long enough.
pub(crate) async fn hashed(password: String) -> Result<String, Fault> {
    if !(8..=200).contains(&password.chars().count()) {
        return Err(Fault::Wrong("a password has 8 to 200 letters".into()));
    }
    let hash = hashing(move || Argon2::default().hash_password(password.as_bytes()).map(|h| h.to_string()));
    hash.await?.map_err(|e| Fault::Server(e.to_string()))
}

/// Whether a password is the one that is stored; nobody's is never right, and takes as long.
async fn fits(password: String, stored: Option<String>) -> Result<bool, Fault> {
    let dummy =
        "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    if password.len() > 1000 {
        return Ok(false);
    }
    hashing(move || {
        let hash = stored.unwrap_or_else(|| dummy.into());
        PasswordHash::new(&hash)
            .is_ok_and(|h| Argon2::default().verify_password(password.as_bytes(), &h).is_ok())
    })
    .await
}

impl App {
    /// Whether a password is an account's own. Wrong ones are counted; after too many of them even the right one
    /// is not looked at for a while.
    pub(crate) async fn right_password(
        &self,
        account: &str,
        password: String,
        stored: Option<String>,
        from: IpAddr,
    ) -> Result<bool, Fault> {
        let tries = [
            (Bucket::Account(account.to_lowercase()), WRONG_ACCOUNT),
            (Bucket::Wrong(block(from)), WRONG_BLOCK),
        ];
        // Each try is counted before it is made, so that many at once are no way around; a right one is given
        // back.
        for (bucket, (most, each)) in &tries {
            if !self.buckets().take(bucket.clone(), 1.0 / each, *most) {
                self.tables().metrics().limited.add(1);
                return Err(Fault::TooMany);
            }
        }
        let right = fits(password, stored).await?;
        if right {
            for (bucket, (most, _)) in tries {
                self.buckets().give_back(bucket, most);
            }
        }
        Ok(right)
    }

    /// Asks an account for its password, before something that only its owner may do.
    pub(crate) async fn ask_password(
        &self,
        person: &PersonRow,
        password: Option<String>,
        from: IpAddr,
    ) -> Result<(), Fault> {
        let password =
            password.ok_or_else(|| Fault::NotYours("say the present password of the account".into()))?;
        if self.right_password(&person.name, password, person.password.clone(), from).await? {
            return Ok(());
        }
        Err(Fault::NotYours("this is not the present password of the account".into()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Passwords are looked at by two, and whoever would wait too long is told so.
    #[tokio::test(flavor = "multi_thread")]
    async fn few_passwords_are_hashed_at_once() {
        static NOW: AtomicUsize = AtomicUsize::new(0);
        static MOST: AtomicUsize = AtomicUsize::new(0);
        let one = || {
            tokio::spawn(hashing(|| {
                let now = NOW.fetch_add(1, Ordering::SeqCst) + 1;
                MOST.fetch_max(now, Ordering::SeqCst);
                #[allow(clippy::disallowed_methods)]
                std::thread::sleep(QUEUE * 2 / 3);
                NOW.fetch_sub(1, Ordering::SeqCst);
            }))
        };
        let all: Vec<_> = (0..12).map(|_| one()).collect();
        let mut turned_away = 0;
        for task in all {
            match task.await.unwrap() {
                Ok(()) => {}
                Err(fault) => {
                    assert_eq!(fault, Fault::TooMany);
                    turned_away += 1;
                }
            }
        }
        assert_eq!(MOST.load(Ordering::SeqCst), 2);
        assert_eq!(turned_away, 8, "two at once, two after them; the others would have waited too long");
    }
}
