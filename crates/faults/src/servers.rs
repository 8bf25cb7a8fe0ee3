//! The programs that suffer: servers of the real program, a PostgreSQL of our own, and a small disk.
//!
//! Everything lives in one folder and ends with the check.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// Sends a signal, by its name, to processes.
fn signal(name: &str, ids: &[u32]) {
    let ids: Vec<_> = ids.iter().map(ToString::to_string).collect();
    // One that has just ended has nothing to hear.
    let _ = Command::new("kill").arg(format!("-{name}")).args(&ids).stderr(Stdio::null()).status();
}

/// A process and all that it has started.
fn family(parent: u32) -> Vec<u32> {
    let mut all = vec![parent];
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|n| n.parse::<u32>().ok()) else { continue };
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // Behind the name in brackets: the state, then the parent.
        let parent_of = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1));
        if parent_of == Some(parent.to_string().as_str()) {
            all.push(id);
        }
    }
    all
}

/// A port that nobody uses now.
fn free_port() -> Result<u16> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// A server of the real program.
#[derive(Debug)]
pub struct Server {
    /// Its number.
    pub number: usize,
    /// Where it listens, in all its lives.
    pub port: u16,
    program: PathBuf,
    database: String,
    folder: PathBuf,
    child: Option<Child>,
    wanted: bool,
}

impl Server {
    /// A server over this database, not started yet.
    pub fn new(number: usize, program: &Path, database: String, folder: &Path) -> Result<Self> {
        let port = free_port()?;
        let (program, folder) = (program.to_path_buf(), folder.to_path_buf());
        Ok(Self { number, port, program, database, folder, child: None, wanted: false })
    }

    /// Where it writes its log.
    pub fn log(&self) -> PathBuf {
        self.folder.join(format!("server-{}.log", self.number))
    }

    fn said(&self) -> PathBuf {
        self.folder.join(format!("server-{}.out", self.number))
    }

    /// Starts it.
    pub fn start(&mut self) -> Result<()> {
        let log = File::options().create(true).append(true).open(self.log())?;
        // A write beyond a limit of size is an error to be told, not the end.
        let child = Command::new("env")
            .arg("--ignore-signal=XFSZ")
            .arg(&self.program)
            .args(["serve", "--listen", &format!("127.0.0.1:{}", self.port), "--db", &self.database])
            .args(["--rate", "1000000", "--bot-pause", "20", "--keep", "20", "--log", "info"])
            .stdin(Stdio::null())
            .stdout(File::create(self.said())?)
            .stderr(log)
            .spawn()
            .with_context(|| format!("cannot start {}", self.program.display()))?;
        self.child = Some(child);
        self.wanted = true;
        Ok(())
    }

    fn id(&self) -> Vec<u32> {
        self.child.iter().map(Child::id).collect()
    }

    /// Kills it.
    pub fn kill(&mut self) {
        self.wanted = false;
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Stops it where it is.
    pub fn pause(&self) {
        signal("STOP", &self.id());
    }

    /// Lets it go on.
    pub fn go_on(&self) {
        signal("CONT", &self.id());
    }

    /// Asks it to end; whether it did within some seconds.
    pub fn end(&mut self) -> bool {
        self.wanted = false;
        signal("TERM", &self.id());
        let Some(mut child) = self.child.take() else { return true };
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(15) {
            if matches!(child.try_wait(), Ok(Some(_))) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = child.kill();
        let _ = child.wait();
        false
    }

    /// Starts it again if it has ended though it should not have; how, if it had begun to serve. One that
    /// finds no database when it starts ends, and is started again.
    pub fn tend(&mut self) -> Result<Option<String>> {
        let ended = match &mut self.child {
            Some(child) if self.wanted => child.try_wait()?,
            _ => None,
        };
        let Some(status) = ended else { return Ok(None) };
        let served = std::fs::read_to_string(self.said()).unwrap_or_default().contains("http://");
        self.start()?;
        Ok(served.then(|| status.to_string()))
    }

    /// Does not let any file that it writes grow, for as long as `limited`: a full disk for those who cannot
    /// have a disk of their own.
    pub fn limit_files(&self, limited: bool) {
        for id in self.id() {
            let limit = if limited { "--fsize=4096:unlimited" } else { "--fsize=unlimited:unlimited" };
            let _ = Command::new("prlimit").args(["--pid", &id.to_string(), limit]).status();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A PostgreSQL of our own.
#[derive(Debug)]
pub struct Database {
    child: Option<Child>,
    programs: PathBuf,
    folder: PathBuf,
}

/// Where the programs of PostgreSQL are.
fn programs() -> Result<PathBuf> {
    let mut found: Vec<_> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("bin"))
        .filter(|bin| bin.join("initdb").exists() && bin.join("postgres").exists())
        .collect();
    found.sort();
    found.pop().context("PostgreSQL is not installed: install the package postgresql")
}

/// PostgreSQL does not run as root: root becomes the user of the package.
fn as_user(program: &Path) -> Result<Command> {
    let id = Command::new("id").arg("-u").output()?;
    if String::from_utf8_lossy(&id.stdout).trim() != "0" {
        return Ok(Command::new(program));
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
    Ok(command)
}

impl Database {
    /// Makes a database in a folder and starts it.
    pub fn make(folder: &Path) -> Result<Self> {
        let folder = folder.join("postgres");
        std::fs::create_dir_all(&folder)?;
        // The package's user makes its own folder in this one.
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777))?;
        let programs = programs()?;
        let made = as_user(&programs.join("initdb"))?
            .args(["--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "-D"])
            .arg(folder.join("data"))
            .current_dir(&folder)
            .output()
            .context("cannot run initdb")?;
        if !made.status.success() {
            bail!("initdb failed: {}", String::from_utf8_lossy(&made.stderr));
        }
        let mut database = Self { child: None, programs, folder };
        database.start()?;
        Ok(database)
    }

    /// Its address.
    pub fn address(&self) -> String {
        let socket = self.folder.to_string_lossy().replace('/', "%2F");
        format!("postgres://postgres@{socket}/postgres")
    }

    /// Starts it.
    pub fn start(&mut self) -> Result<()> {
        let log = File::options().create(true).append(true).open(self.folder.join("log"))?;
        let child = as_user(&self.programs.join("postgres"))?
            .arg("-D")
            .arg(self.folder.join("data"))
            .arg("-k")
            .arg(&self.folder)
            .args(["-c", "listen_addresses="])
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .context("cannot start PostgreSQL")?;
        self.child = Some(child);
        Ok(())
    }

    fn family(&self) -> Vec<u32> {
        self.child.iter().flat_map(|child| family(child.id())).collect()
    }

    /// Kills it with all its processes.
    pub fn kill(&mut self) {
        signal("KILL", &self.family());
        if let Some(mut child) = self.child.take() {
            let _ = child.wait();
        }
        // Processes that were being started may have outlived their parent for a moment.
        std::thread::sleep(Duration::from_millis(200));
    }

    /// Stops all its processes where they are.
    pub fn pause(&self) {
        signal("STOP", &self.family());
    }

    /// Lets them go on.
    pub fn go_on(&self) {
        signal("CONT", &self.family());
    }

    /// Starts it again if it has ended.
    pub fn tend(&mut self) -> Result<()> {
        if let Some(child) = &mut self.child
            && child.try_wait()?.is_some()
        {
            self.start()?;
        }
        Ok(())
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.go_on();
        if let Some(mut child) = self.child.take() {
            signal("INT", &[child.id()]);
            let _ = child.wait();
        }
    }
}

/// A small disk for the SQLite database: a file system in memory, where we may mount one.
#[derive(Debug)]
pub struct Disk {
    folder: PathBuf,
    /// Whether it is a file system of its own; else a full disk is a limit on the size of files.
    pub mounted: bool,
}

impl Disk {
    /// A disk of so many megabytes.
    pub fn make(folder: &Path, megabytes: u32, mount: bool) -> Result<Self> {
        let folder = folder.join("disk");
        std::fs::create_dir_all(&folder)?;
        let mounted = mount
            && Command::new("mount")
                .args(["-t", "tmpfs", "-o", &format!("size={megabytes}m"), "tmpfs"])
                .arg(&folder)
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|s| s.success());
        Ok(Self { folder, mounted })
    }

    /// The file of the database.
    pub fn database(&self) -> PathBuf {
        self.folder.join("tables.db")
    }

    /// Fills it up.
    pub fn fill(&self) -> Result<()> {
        let mut ballast = File::options().create(true).append(true).open(self.folder.join("ballast"))?;
        // Large pieces first, then what is left.
        for size in [1 << 20, 4096] {
            let piece = vec![0; size];
            while ballast.write_all(&piece).is_ok() {}
        }
        Ok(())
    }

    /// Frees what was filled up.
    pub fn free(&self) -> Result<()> {
        let ballast = self.folder.join("ballast");
        if ballast.exists() { std::fs::remove_file(ballast).context("cannot free the disk") } else { Ok(()) }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.mounted {
            let _ = Command::new("umount").arg(&self.folder).status();
        }
    }
}
