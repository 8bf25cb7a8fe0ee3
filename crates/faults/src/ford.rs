//! What lies between clients and a server: a port of its own that carries connections over, or lets some of
//! them drown half-way.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use table::Lots;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A way to a server.
#[derive(Debug)]
pub struct Ford {
    /// Where clients connect.
    pub port: u16,
    /// How many of a hundred new connections come to grief.
    pub danger: AtomicU32,
    /// How many did.
    pub drowned: AtomicU32,
    lots: Mutex<Lots>,
}

/// What becomes of a connection.
#[derive(Clone, Copy, Debug)]
struct Fate {
    /// It is cut after so many bytes of the client's.
    request: usize,
    /// It is cut after so many bytes of the server's.
    answer: usize,
    /// The first bytes of the answer wait so long.
    delay: Duration,
}

const SAFE: Fate = Fate { request: usize::MAX, answer: usize::MAX, delay: Duration::ZERO };

impl Ford {
    /// Opens a way to the server at this port.
    pub async fn open(server: u16, seed: u64) -> Result<Arc<Self>> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let ford = Arc::new(Self {
            port: listener.local_addr()?.port(),
            danger: AtomicU32::new(0),
            drowned: AtomicU32::new(0),
            lots: Mutex::new(Lots::new(seed)),
        });
        let way = ford.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let fate = way.fate();
                tokio::spawn(async move { carry(client, server, fate).await });
            }
        });
        Ok(ford)
    }

    fn fate(&self) -> Fate {
        let mut lots = self.lots.lock().unwrap_or_else(PoisonError::into_inner);
        if lots.below(100) >= self.danger.load(Ordering::Relaxed) {
            return SAFE;
        }
        self.drowned.fetch_add(1, Ordering::Relaxed);
        match lots.below(4) {
            0 => Fate { request: lots.below(400) as usize, ..SAFE },
            // The request is carried out and nobody hears of it.
            1 => Fate { answer: 0, ..SAFE },
            2 => Fate { answer: lots.below(2_000) as usize, ..SAFE },
            _ => Fate { delay: Duration::from_millis(u64::from(lots.below(4_000))), ..SAFE },
        }
    }
}

async fn carry(mut client: TcpStream, server: u16, fate: Fate) -> Option<()> {
    let mut server = TcpStream::connect(SocketAddr::from(([127, 0, 0, 1], server))).await.ok()?;
    let _ = client.set_nodelay(true);
    let _ = server.set_nodelay(true);
    let cut = {
        let (from_client, to_client) = client.split();
        let (from_server, to_server) = server.split();
        let there = pass(from_client, to_server, fate.request, Duration::ZERO);
        let back = pass(from_server, to_client, fate.answer, fate.delay);
        tokio::pin!(there, back);
        tokio::select! {
            // A client that has said all still wants to hear the answer; one that is cut off does not.
            cut = &mut there => cut || back.await,
            cut = &mut back => cut,
        }
    };
    if cut {
        // Whoever is cut off is told so at once.
        let _ = client.set_zero_linger();
    }
    Some(())
}

/// Passes bytes on, and says whether it had to stop before the end.
async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    most: usize,
    delay: Duration,
) -> bool {
    let (mut left, mut waits) = (most, delay);
    let mut room = vec![0; 16 << 10];
    loop {
        let Ok(read @ 1..) = from.read(&mut room).await else {
            let _ = to.shutdown().await;
            return false;
        };
        tokio::time::sleep(std::mem::take(&mut waits)).await;
        if to.write_all(&room[..read.min(left)]).await.is_err() || read >= left {
            return true;
        }
        left -= read;
    }
}
