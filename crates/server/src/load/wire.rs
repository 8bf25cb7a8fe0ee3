//! A caller on the wire: as much of HTTP and of web sockets as a measurement needs, over real connections.

use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use crate::Fault;

fn broken(what: impl std::fmt::Display) -> Fault {
    Fault::Server(format!("the line broke: {what}"))
}

/// After so long without a request a caller opens a new connection: a server may have closed the old one.
const IDLE: Duration = Duration::from_secs(5);

/// A connection that is kept open from request to request.
pub(super) struct Wire {
    stream: BufReader<TcpStream>,
    address: String,
    used: Instant,
}

impl Wire {
    pub(super) async fn connect(address: &str) -> Result<Self, Fault> {
        let stream = TcpStream::connect(address).await.map_err(broken)?;
        stream.set_nodelay(true).map_err(broken)?;
        Ok(Self { stream: BufReader::new(stream), address: address.into(), used: Instant::now() })
    }

    async fn send(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.stream.get_mut().write_all(bytes).await.map_err(broken)
    }

    async fn read(&mut self, count: usize) -> Result<Vec<u8>, Fault> {
        let mut bytes = vec![0; count];
        self.stream.read_exact(&mut bytes).await.map_err(broken)?;
        Ok(bytes)
    }

    /// The head of an answer: its status, and how long its body is.
    async fn head(&mut self) -> Result<(u16, Option<usize>), Fault> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(self.stream.read_u8().await.map_err(broken)?);
        }
        let head = String::from_utf8_lossy(&head).to_lowercase();
        let status =
            head.split(' ').nth(1).and_then(|s| s.parse().ok()).ok_or_else(|| broken("no status"))?;
        let length = head.lines().find_map(|l| l.strip_prefix("content-length:")?.trim().parse().ok());
        Ok((status, length))
    }

    /// Asks for something: a body is sent, nothing is asked for.
    pub(super) async fn ask(
        &mut self,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> Result<(u16, Value), Fault> {
        if self.used.elapsed() > IDLE {
            *self = Self::connect(&self.address).await?;
        }
        let method = if body.is_some() { "POST" } else { "GET" };
        let body = body.map_or_else(String::new, ToString::to_string);
        let bearer = token.map_or_else(String::new, |t| format!("authorization: Bearer {t}\r\n"));
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\n{bearer}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        self.send(request.as_bytes()).await?;
        let (status, length) = self.head().await?;
        let length = length.ok_or_else(|| broken(format!("an answer without a length to {path}")))?;
        let body = self.read(length).await?;
        self.used = Instant::now();
        Ok((status, serde_json::from_slice(&body).unwrap_or(Value::Null)))
    }

    /// The same where only success will do.
    pub(super) async fn done(&mut self, path: &str, token: &str, body: &Value) -> Result<Value, Fault> {
        match self.ask(path, Some(token), Some(body)).await? {
            (200, answer) => Ok(answer),
            (status, answer) => Err(broken(format!("{path} was answered with {status}: {answer}"))),
        }
    }

    /// Becomes a web socket of a table, through a seat's eyes or an onlooker's.
    pub(super) async fn watch(mut self, table: &str, token: Option<&str>) -> Result<Watching, Fault> {
        let bearer = token.map_or_else(String::new, |t| format!("authorization: Bearer {t}\r\n"));
        let request = format!(
            "GET /t/{table}/socket HTTP/1.1\r\nhost: {}\r\n{bearer}connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            self.address
        );
        self.send(request.as_bytes()).await?;
        let (status, _) = self.head().await?;
        if status != 101 {
            return Err(broken(format!("no socket, but {status}")));
        }
        // What a page says first, masked as a client's words must be; a mask of noughts will do.
        let hello = br#"{"packed":true}"#;
        let mut frame = vec![0x81, 0x80 | hello.len() as u8, 0, 0, 0, 0];
        frame.extend_from_slice(hello);
        self.send(&frame).await?;
        Ok(Watching(self))
    }
}

/// A web socket that is only listened to.
pub(super) struct Watching(Wire);

impl Watching {
    /// Waits for the next message; how long it is. Nothing, if none comes in this time.
    pub(super) async fn message(&mut self, patience: Duration) -> Result<Option<usize>, Fault> {
        let next = async {
            loop {
                let head = self.0.read(2).await?;
                let length = match head[1] & 0x7f {
                    126 => usize::from(self.0.stream.read_u16().await.map_err(broken)?),
                    127 => self.0.stream.read_u64().await.map_err(broken)? as usize,
                    short => usize::from(short),
                };
                let body = self.0.read(length).await?;
                // Signs of life are no news.
                if matches!(head[0] & 0x0f, 1 | 2) && !body.starts_with(b"{\"beat\"") {
                    return Ok(length);
                }
            }
        };
        tokio::time::timeout(patience, next).await.map_or(Ok(None), |told| told.map(Some))
    }
}
