//! Many games shared among threads. Every game follows from its number, so the sharing changes nothing.

use std::ops::Range;

/// Shares the games among the threads: each works on a run of numbers; the results in their order.
pub(crate) fn shared<T: Send>(games: u64, threads: u16, work: impl Fn(Range<u64>) -> T + Sync) -> Vec<T> {
    let threads = u64::from(threads).clamp(1, games.max(1));
    let work = &work;
    std::thread::scope(|scope| {
        let start = |thread| {
            let share = games * thread / threads..games * (thread + 1) / threads;
            scope.spawn(move || work(share))
        };
        let workers: Vec<_> = (0..threads).map(start).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::shared;

    #[test]
    fn every_game_is_played_once() {
        for (games, threads) in [(10, 3), (2, 8), (1, 1), (7, 7)] {
            let all: Vec<u64> = shared(games, threads, |share| share.collect::<Vec<_>>()).concat();
            assert_eq!(all, (0..games).collect::<Vec<_>>());
        }
    }
}
