//! Two servers over one PostgreSQL: one table played through both, two who act at once, bots that move once.
//!
//! The database is started from the system's packages in a folder of its own and stopped again.
// The helpers of tests fail loudly, as tests do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use crate::common::Caller;
use axum::Router;
use axum::http::StatusCode;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use server::{App, Postgres};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// A database that runs until it is dropped.
struct Database {
    child: Child,
    folder: tempfile::TempDir,
}

/// Where the programs of PostgreSQL are.
fn programs() -> PathBuf {
    let mut found: Vec<_> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("bin"))
        .filter(|bin| bin.join("initdb").exists() && bin.join("postgres").exists())
        .collect();
    found.sort();
    found.pop().expect("PostgreSQL is installed: `apt-get install postgresql`, or run `cargo xtask test`")
}

/// PostgreSQL does not run as root: root becomes the user of the package.
fn as_user(program: &Path) -> Command {
    let id = Command::new("id").arg("-u").output().unwrap();
    if String::from_utf8_lossy(&id.stdout).trim() != "0" {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
    command
}

impl Database {
    fn start() -> Self {
        let (bin, folder) = (programs(), tempfile::tempdir().unwrap());
        // The package's user makes its own folder in this one.
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
        let data = folder.path().join("data");
        let made = as_user(&bin.join("initdb"))
            .args(["--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "-D"])
            .arg(&data)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        Self { child: Self::run(folder.path()), folder }
    }

    /// The same, to be reached through TLS alone, at `localhost` and the port that is returned, with a
    /// certificate of its own that nobody else knows: `certificate.pem` in its folder.
    fn start_with_tls() -> (Self, u16) {
        let mut database = Self::start();
        database.stop();
        let folder = database.folder.path();
        let made = rcgen::generate_simple_self_signed(["localhost".to_string()]).unwrap();
        let (certificate, key) = (folder.join("certificate.pem"), folder.join("data/key.pem"));
        std::fs::write(&certificate, made.cert.pem()).unwrap();
        std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
        let owner = std::fs::metadata(folder.join("data")).unwrap();
        std::os::unix::fs::chown(&key, Some(owner.uid()), Some(owner.gid())).unwrap();
        std::fs::write(folder.join("data/pg_hba.conf"), "hostssl all all 127.0.0.1/32 trust\n").unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut settings = std::fs::read_to_string(folder.join("data/postgresql.conf")).unwrap();
        settings += &format!(
            "\nlisten_addresses = '127.0.0.1'\nport = {port}\nssl = on\nssl_cert_file = '{}'\nssl_key_file = '{}'\n",
            certificate.display(),
            key.display()
        );
        std::fs::write(folder.join("data/postgresql.conf"), settings).unwrap();
        database.child = Self::run_with(folder, &[]);
        (database, port)
    }

    fn run(folder: &Path) -> Child {
        Self::run_with(folder, &["-c", "listen_addresses="])
    }

    fn run_with(folder: &Path, settings: &[&str]) -> Child {
        as_user(&programs().join("postgres"))
            .arg("-D")
            .arg(folder.join("data"))
            .arg("-k")
            .arg(folder)
            .args(["-c", "fsync=off"])
            .args(settings)
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(folder.join("log")).unwrap())
            .spawn()
            .unwrap()
    }

    fn address(&self) -> String {
        let socket = self.folder.path().to_string_lossy().replace('/', "%2F");
        format!("postgres://postgres@{socket}/postgres")
    }

    /// Stops the database, in good order.
    fn stop(&mut self) {
        let _ = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        // One that is told so while it starts may not have heard.
        for _ in 0..200 {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    async fn store(&self) -> Postgres {
        let mut last = String::new();
        for _ in 0..200 {
            match Postgres::open(&self.address()).await {
                Ok(store) => return store,
                Err(error) => last = error.to_string(),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let log = std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        panic!("the database does not answer: {last}\n{log}");
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // The folder goes after that.
        self.stop();
    }
}

/// A server, its address, and a way to call it without a network.
struct House {
    app: App,
    router: Router,
    address: String,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    served: tokio::task::JoinHandle<std::io::Result<()>>,
}

impl House {
    async fn open(database: &Database) -> Self {
        let app =
            App::new(crate::common::games(), Arc::new(database.store().await), crate::common::settings());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let served = tokio::spawn(server::serve(listener, app.clone(), async { drop(stopped.await) }));
        Self { router: server::app(app.clone()), app, address, stop: Some(stop), served }
    }

    async fn close(mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        tokio::time::timeout(Duration::from_secs(10), self.served).await.unwrap().unwrap().unwrap();
    }
}

/// The same person, calling another server.
fn elsewhere(who: &Caller, house: &House) -> Caller {
    Caller { app: house.router.clone(), token: who.token.clone() }
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

async fn connect(house: &House, who: &Caller, table: &str, seat: u8) -> Socket {
    let mut request = format!("ws://{}/t/{table}/socket", house.address).into_client_request().unwrap();
    request.headers_mut().insert("authorization", format!("Bearer {}", who.token).parse().unwrap());
    let (mut socket, _) = connect_async(request).await.unwrap();
    socket.send(Message::text(json!({ "seat": seat }).to_string())).await.unwrap();
    socket
}

/// All news until there is silence.
async fn all_news(socket: &mut Socket) -> Vec<Value> {
    let mut all = Vec::new();
    while let Ok(Some(Ok(message))) = tokio::time::timeout(Duration::from_millis(500), socket.next()).await {
        if let Message::Text(text) = message {
            let value: Value = serde_json::from_str(&text).unwrap();
            if value.get("beat").is_none() {
                all.push(value);
            }
        }
    }
    all
}

/// Waits until a view is as it should be.
async fn until(who: &Caller, table: &str, seat: u8, is: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..1000 {
        let view = who.view(table, seat).await;
        if is(&view) {
            return view;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it never came to that: {}", who.view(table, seat).await);
}

/// Ada at the first server, Bo at the second, at one table.
async fn two_at(houses: &[House; 2], game: &str) -> (Caller, Caller, String) {
    let (one, two) =
        (Caller::new(&houses[0].router, "Ada").await, Caller::new(&houses[1].router, "Bo").await);
    let table = one.open(game, &["me", "open"]).await;
    assert_eq!(two.done(&format!("/api/tables/{table}/join"), json!({})).await["seat"], 1);
    one.ready(&table, 0).await;
    two.ready(&table, 1).await;
    until(&one, &table, 0, |v| v["stage"] == "running").await;
    (one, two, table)
}

#[tokio::test(flavor = "multi_thread")]
async fn one_table_is_played_through_two_servers() {
    let database = Database::start();
    let houses = [House::open(&database).await, House::open(&database).await];
    let (one, two, table) = two_at(&houses, "ten-towns").await;
    let people = [&one, &two];
    let act = format!("/api/tables/{table}/act");
    let mut red = connect(&houses[0], &one, &table, 0).await;
    let mut blue = connect(&houses[1], &two, &table, 1).await;
    all_news(&mut red).await;
    all_news(&mut blue).await;

    // That a seat has chosen is known at the other server; second thoughts leave no trace there, not in traffic
    // and not in numbers, through whichever server they come.
    assert_eq!(one.done(&act, json!({ "seat": 0, "actions": ["card 2"] })).await["what"], "held");
    let before = until(&two, &table, 1, |v| v["seats"][0]["chosen"] == true).await;
    assert!(Value::Array(all_news(&mut blue).await).to_string().contains("Red has chosen; waiting for you."));
    for house in &houses {
        let here = elsewhere(&one, house);
        here.done(&format!("/api/tables/{table}/ask"), json!({ "seat": 0, "ask": "undo" })).await;
        assert_eq!(all_news(&mut blue).await, Vec::<Value>::new());
        assert_eq!(two.view(&table, 1).await, before);
        assert_eq!(here.done(&act, json!({ "seat": 0, "actions": ["card 3"] })).await["what"], "held");
        assert_eq!(all_news(&mut blue).await, Vec::<Value>::new());
        assert_eq!(two.view(&table, 1).await, before);
    }
    all_news(&mut red).await;
    // The last choice opens both, at both servers.
    two.done(&act, json!({ "seat": 1, "number": before["number"], "actions": ["card 1"] })).await;
    assert!(!all_news(&mut red).await.is_empty(), "Red hears of it through the other server");
    assert!(!all_news(&mut blue).await.is_empty());
    let view = one.view(&table, 0).await;
    assert_eq!((&view["held"], &view["seats"][0]["waiting"]), (&json!(false), &json!(true)));
    // A draft too is only its owner's; who looks through both servers sees it at both.
    let option = view["offered"]
        .as_array()
        .unwrap()
        .iter()
        .position(|o| o["notation"].as_str().unwrap().starts_with("group"));
    let (_, done) = one.act(&table, 0, &view, option.unwrap()).await;
    assert_eq!(done["what"], "drafted");
    assert_eq!(all_news(&mut blue).await, Vec::<Value>::new());
    let there = elsewhere(&one, &houses[1]);
    let same = until(&there, &table, 0, |v| v["undoable"] == 1).await;
    assert_eq!(same["number"], one.view(&table, 0).await["number"], "all servers count alike");
    there.done(&format!("/api/tables/{table}/ask"), json!({ "seat": 0, "ask": "undo" })).await;
    until(&one, &table, 0, |v| v["undoable"] == 0).await;
    // What is said is heard.
    one.done(&format!("/api/tables/{table}/say"), json!({ "text": "Deus vult" })).await;
    until(&two, &table, 1, |v| v["chat"][0]["text"] == "Deus vult").await;

    // To the end, each action through a server that the lots choose.
    let mut lots = table::Lots::new(5);
    let mut steps = 0;
    loop {
        let view = one.view(&table, 0).await;
        if view["stage"] == "over" {
            break;
        }
        let seat = (0..2u8).find(|s| view["seats"][usize::from(*s)]["waiting"] == true);
        let Some(seat) = seat else {
            tokio::time::sleep(Duration::from_millis(5)).await;
            continue;
        };
        let who = elsewhere(people[usize::from(seat)], &houses[lots.below(2) as usize]);
        let view = who.view(&table, seat).await;
        let options = view["offered"].as_array().unwrap().len();
        if options == 0 {
            // This server has not heard yet.
            tokio::time::sleep(Duration::from_millis(5)).await;
            continue;
        }
        let (status, answer) = who.act(&table, seat, &view, lots.below(options as u32) as usize).await;
        // Who looked at a server that had not heard yet may come too late.
        let late = ["stale", "over"].iter().any(|error| answer["error"] == *error);
        assert!(status == StatusCode::OK || late, "{answer}");
        steps += 1;
        assert!(steps < 5000);
    }
    assert!(steps > 20);
    until(&two, &table, 1, |v| v["stage"] == "over").await;
    let records =
        [one.text(&format!("/t/{table}/record")).await, two.text(&format!("/t/{table}/record")).await];
    assert_eq!(records[0], records[1]);
    assert_eq!(two.get(&format!("/api/tables/{table}/verify")).await["holds"], true);
    let [first, second] = houses;
    first.close().await;
    second.close().await;
}

/// The connection to the database is closed to listeners, and where the address says so it is asked who answers.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_behind_tls() {
    let (database, port) = Database::start_with_tls();
    let certificate = database.folder.path().join("certificate.pem");
    let stranger = database.folder.path().join("stranger.pem");
    let made = rcgen::generate_simple_self_signed(["localhost".to_string()]).unwrap();
    std::fs::write(&stranger, made.cert.pem()).unwrap();
    let certificate = format!("&sslrootcert={}", certificate.display());
    let stranger = format!("&sslrootcert={}", stranger.display());
    let open = async |host: &str, more: &str| {
        Postgres::open(&format!("postgres://postgres@{host}:{port}/postgres?sslmode={more}")).await
    };
    // It takes a moment to start.
    for attempt in 0.. {
        match open("localhost", "require").await {
            Ok(_) => break,
            Err(error) if attempt < 200 => drop(error),
            Err(error) => panic!("{error}"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for (host, more) in [
        ("localhost", "prefer".to_string()),
        ("127.0.0.1", "require".into()),
        ("localhost", format!("require{certificate}")),
        ("localhost", format!("verify-full{certificate}")),
    ] {
        assert!(open(host, &more).await.is_ok(), "{host} {more}");
    }
    for (host, more, why) in [
        ("localhost", "disable".to_string(), "no encryption"),
        ("localhost", "verify-full".into(), "certificate"),
        ("localhost", format!("verify-full{stranger}"), "certificate"),
        ("127.0.0.1", format!("verify-full{certificate}"), "certificate"),
        ("localhost", "verify-full&sslrootcert=/nowhere.pem".into(), "/nowhere.pem"),
        ("localhost", "sometimes".into(), "disable, prefer, require or verify-full"),
    ] {
        let error = open(host, &more).await.unwrap_err().to_string();
        assert!(error.contains(why), "{host} {more}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_who_act_at_once_one_is_stale() {
    let database = Database::start();
    let houses = [House::open(&database).await, House::open(&database).await];
    let mut stale = 0;
    for _ in 0..10 {
        let (one, _, table) = two_at(&houses, "connect-four").await;
        let there = elsewhere(&one, &houses[1]);
        let view = until(&there, &table, 0, |v| v["seats"][0]["waiting"] == true).await;
        assert_eq!(view["number"], one.view(&table, 0).await["number"]);
        // The same seat at both servers, on the same number, with different actions.
        let (left, right) = tokio::join!(one.act(&table, 0, &view, 0), there.act(&table, 0, &view, 6));
        let answers = [&left, &right];
        assert_eq!(answers.iter().filter(|(s, _)| *s == StatusCode::OK).count(), 1, "{answers:?}");
        let loser = answers.iter().find(|(s, _)| *s != StatusCode::OK).unwrap();
        assert_eq!((loser.0, &loser.1["error"]), (StatusCode::CONFLICT, &json!("stale")), "{loser:?}");
        // The loser is shown the present state, with the other's piece on the board.
        assert_eq!(loser.1["view"]["scene"]["boards"][0]["pieces"].as_array().unwrap().len(), 1);
        stale += 1;
    }
    assert_eq!(stale, 10);
    // Two who choose in secret at the same moment do not disturb each other, and two who take the same seat
    // at the same moment do not both get it.
    for _ in 0..5 {
        let (one, two, table) = two_at(&houses, "ten-towns").await;
        let act = format!("/api/tables/{table}/act");
        let views = [one.view(&table, 0).await, two.view(&table, 1).await];
        let card = |seat: u8, card: &str| json!({ "seat": seat, "number": views[usize::from(seat)]["number"], "actions": [card] });
        let ((left, a), (right, b)) =
            tokio::join!(one.post(&act, card(0, "card 3")), two.post(&act, card(1, "card 1")));
        assert_eq!((left, right), (StatusCode::OK, StatusCode::OK), "{a} {b}");
        until(&one, &table, 0, |v| v["seats"][0]["waiting"] == true && v["held"] == false).await;

        let table = one.open("connect-four", &["open", "bot:random"]).await;
        let join = format!("/api/tables/{table}/join");
        let (left, right) = tokio::join!(one.post(&join, json!({})), two.post(&join, json!({})));
        let taken = [left.0, right.0].iter().filter(|s| **s == StatusCode::OK).count();
        assert_eq!(taken, 1, "{left:?} {right:?}");
    }
    let [first, second] = houses;
    first.close().await;
    second.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_was_away_is_found_again() {
    let mut database = Database::start();
    let houses = [House::open(&database).await, House::open(&database).await];
    let (one, two, table) = two_at(&houses, "connect-four").await;
    let view = one.view(&table, 0).await;
    assert_eq!(one.act(&table, 0, &view, 0).await.0, StatusCode::OK);
    let view = until(&two, &table, 1, |v| v["seats"][1]["waiting"] == true).await;
    database.stop();
    let (status, answer) = two.act(&table, 1, &view, 0).await;
    assert_eq!((status, answer["error"].as_str()), (StatusCode::SERVICE_UNAVAILABLE, Some("store")));
    database.child = Database::run(database.folder.path());
    drop(database.store().await);
    // The same click is good now, and the other server hears of it: both listen again.
    let mut done = StatusCode::IM_A_TEAPOT;
    for _ in 0..100 {
        done = two.act(&table, 1, &view, 0).await.0;
        if done == StatusCode::OK {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(done, StatusCode::OK);
    let view = until(&one, &table, 0, |v| v["seats"][0]["waiting"] == true).await;
    assert_eq!(view["scene"]["boards"][0]["pieces"].as_array().unwrap().len(), 2);
    let [first, second] = houses;
    first.close().await;
    second.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_server_plays_the_bots_and_another_goes_on() {
    let database = Database::start();
    let houses = [House::open(&database).await, House::open(&database).await];
    let one = Caller::new(&houses[0].router, "Ada").await;
    let there = elsewhere(&one, &houses[1]);
    let table = one.open("ten-towns", &["bot:random", "bot:random"]).await;
    // Both servers have the table in memory; the game goes on and every die is as the seed says.
    there.view(&table, 0).await;
    until(&there, &table, 0, |v| v["stage"] == "over").await;
    assert_eq!(one.get(&format!("/api/tables/{table}/verify")).await["holds"], true);
    let moved = [0, 1].map(|i: usize| houses[i].app.tables().metrics().actions.get());
    assert!(moved[0] > 20 && moved[1] == 0, "only the server that began has moved: {moved:?}");
    // A person against a bot: the first server stops, the second takes the bot over.
    let table = one.open("connect-four", &["me", "bot:random"]).await;
    one.ready(&table, 0).await;
    let view = one.view(&table, 0).await;
    one.act(&table, 0, &view, 0).await;
    until(&there, &table, 0, |v| v["seats"][0]["waiting"] == true).await;
    let [first, second] = houses;
    first.close().await;
    let view = there.view(&table, 0).await;
    assert_eq!(there.act(&table, 0, &view, 0).await.0, StatusCode::OK);
    until(&there, &table, 0, |v| v["seats"][0]["waiting"] == true).await;
    assert!(second.app.tables().metrics().actions.get() >= 2);
    second.close().await;
}

/// The processes of a database: the first one, and those that it has started.
fn processes(database: &Database) -> Vec<String> {
    let parent = database.child.id().to_string();
    let found = Command::new("ps").args(["-o", "pid=", "--ppid", &parent]).output().unwrap();
    let found = String::from_utf8_lossy(&found.stdout).into_owned();
    found.split_whitespace().map(String::from).chain([parent]).collect()
}

/// A database that hangs keeps nobody waiting for ever: who asks is told, and it is found again.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_hangs_is_not_waited_for() {
    let database = Database::start();
    let houses = [House::open(&database).await, House::open(&database).await];
    let (one, two, table) = two_at(&houses, "connect-four").await;
    let view = one.view(&table, 0).await;
    let stopped = processes(&database);
    let signal = |name: &str| {
        for id in &stopped {
            let _ = Command::new("kill").args([name, id]).status();
        }
    };
    signal("-STOP");
    let patience = Duration::from_secs(60);
    let health = tokio::time::timeout(patience, one.text("/health")).await;
    let acted = tokio::time::timeout(patience, one.act(&table, 0, &view, 0)).await;
    signal("-CONT");
    assert_eq!(health.expect("health answers").0, StatusCode::SERVICE_UNAVAILABLE);
    let (status, answer) = acted.expect("who acts is told");
    assert_eq!(
        (status, answer["error"].as_str()),
        (StatusCode::SERVICE_UNAVAILABLE, Some("store")),
        "{answer}"
    );
    // What was under way may have been done after all; the table is one and the same for both.
    let mut view = Value::Null;
    for _ in 0..200 {
        let (status, text) = one.text(&format!("/api/tables/{table}?seat=0")).await;
        if status == StatusCode::OK {
            view = serde_json::from_str(&text).unwrap();
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let pieces = |view: &Value| view["scene"]["boards"][0]["pieces"].as_array().map_or(0, Vec::len);
    assert!(pieces(&view) <= 1, "{view}");
    if pieces(&view) == 0 {
        assert_eq!(one.act(&table, 0, &view, 0).await.0, StatusCode::OK);
    }
    until(&two, &table, 1, |v| pieces(v) == 1).await;
    let [first, second] = houses;
    first.close().await;
    second.close().await;
}

/// Accounts, sessions, links and all that goes with a person are kept by this store as by the other.
#[tokio::test(flavor = "multi_thread")]
async fn people_are_kept_in_a_shared_store() {
    use server::store::{KeepsPeople, PersonRow, SessionRow};
    use server::{PersonId, Store, StoreError};
    let id = |word: &str| word.parse::<PersonId>().unwrap();
    let database = Database::start();
    let store = database.store().await;
    let session = |hash: &str, used: i64| SessionRow {
        hash: hash.into(),
        id: format!("{hash}x"),
        person: "p".parse().unwrap(),
        created: used,
        used,
        agent: "Test/1".into(),
    };
    let person =
        |word: &str, name: &str| PersonRow { id: id(word), name: name.into(), password: Some("h".into()) };
    store.add_person(person("p", "Ada"), session("a", 10)).await.unwrap();
    store.make_account(person("p", "Alice")).await.unwrap();
    assert_eq!(store.account("ALICE".into()).await.unwrap(), Some(person("p", "Alice")));
    for alike in ["alice", "AIice"] {
        assert!(store.name_taken(alike.into()).await.unwrap(), "{alike}");
        store
            .add_person(person(alike, alike), SessionRow { person: id(alike), ..session(alike, 9) })
            .await
            .unwrap();
        let again = store.make_account(person(alike, alike)).await;
        assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");
    }
    store.add_session(session("b", 20)).await.unwrap();
    store.add_session(session("c", 30)).await.unwrap();
    store.use_session("a".into(), 40).await.unwrap();
    let order: Vec<_> = store.sessions(id("p")).await.unwrap().into_iter().map(|s| s.hash).collect();
    assert_eq!(order, ["a", "c", "b"]);
    store.end_sessions(id("p"), Some("cx".into()), None).await.unwrap();
    store.end_sessions(id("other"), Some("bx".into()), None).await.unwrap();
    assert!(store.session("c".into()).await.unwrap().is_none());
    assert_eq!(store.session("b".into()).await.unwrap(), Some((person("p", "Alice"), session("b", 20))));
    store.end_sessions(id("p"), None, Some("a".into())).await.unwrap();
    assert!(store.session("b".into()).await.unwrap().is_none());
    store.add_session(session("d", 5)).await.unwrap();
    store.sweep_sessions(6, 6, 100).await.unwrap();
    assert!(
        store.session("d".into()).await.unwrap().is_none()
            && store.session("a".into()).await.unwrap().is_some()
    );
    store.add_reset(id("p"), "t".into(), 50).await.unwrap();
    assert_eq!(store.use_reset("t".into(), 51, "new".into()).await.unwrap(), None, "too late");
    assert_eq!(store.use_reset("t".into(), 50, "new".into()).await.unwrap(), Some(id("p")));
    assert_eq!(store.use_reset("t".into(), 50, "newer".into()).await.unwrap(), None, "once");
    assert!(store.session("a".into()).await.unwrap().is_none(), "all sessions have ended");
    let account = store.account("alice".into()).await.unwrap().unwrap();
    assert_eq!(account.password.as_deref(), Some("new"));
    store.try_to_write().await.unwrap();
    store.set_ways(id("p"), "{}".into()).await.unwrap();
    store.erase_person(id("p"), "gone".into()).await.unwrap();
    assert_eq!(store.account("alice".into()).await.unwrap(), None);
    assert!(!store.name_taken("Alice".into()).await.unwrap());

    // And by way of a house: words, notes and seats go with their person.
    let house = House::open(&database).await;
    let (one, two) = (Caller::new(&house.router, "Ada").await, Caller::new(&house.router, "Bo").await);
    let table = one.open("connect-four", &["me", "open"]).await;
    two.done(&format!("/api/tables/{table}/join"), json!({})).await;
    one.done(&format!("/api/tables/{table}/say"), json!({ "text": "Deus vult" })).await;
    one.ready(&table, 0).await;
    two.ready(&table, 1).await;
    let link = one.done(&format!("/api/tables/{table}/invite/0"), json!({})).await;
    let eve = Caller::new(&house.router, "Eve").await;
    let join = format!("/api/tables/{table}/join");
    assert_eq!(eve.done(&join, json!({ "link": link["link"] })).await["seat"], 0);
    assert_eq!(two.post(&join, json!({ "link": link["link"] })).await.0, StatusCode::FORBIDDEN);
    assert_eq!(one.get("/api/me/export").await["said"][0]["text"], "Deus vult");
    assert_eq!(one.send("DELETE", "/api/me", json!({})).await.0, StatusCode::OK);
    assert_eq!(eve.send("DELETE", "/api/me", json!({})).await.0, StatusCode::OK);
    let view = two.view(&table, 1).await;
    assert_eq!(
        (&view["seats"][0]["kind"], &view["chat"][0]["name"]),
        (&json!("bot"), &json!("somebody who left"))
    );
    house.close().await;
}

/// A database that an older version has left is brought up to date, by two servers at once, and its games go on.
#[tokio::test(flavor = "multi_thread")]
async fn an_old_shared_database_goes_on() {
    use server::Store;
    let database = Database::start();
    // Whoever has opened it once knows that it answers; its tables are then those of the older version.
    database.store().await;
    let (client, connection) =
        tokio_postgres::connect(&database.address(), tokio_postgres::NoTls).await.unwrap();
    let connected = tokio::spawn(connection);
    client.batch_execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public").await.unwrap();
    client.batch_execute(&crate::common::old::file("postgres.sql")).await.unwrap();
    drop(client);
    connected.await.unwrap().unwrap();
    let open = async || {
        let (one, other) = tokio::join!(database.store(), database.store());
        other.close().await.unwrap();
        Arc::new(one) as Arc<dyn Store>
    };
    crate::common::old::goes_on(&crate::common::old::left("postgres.json"), open).await;
}
