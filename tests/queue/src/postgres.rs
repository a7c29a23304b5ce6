//! A PostgreSQL server of the test's own: in a temporary folder, on a Unix socket, gone with the process.
//!
//! Without PostgreSQL (Debian: package `postgresql`) its part of the tests is left out, with a remark;
//! `COFFERDAM_TOOLS=required` makes that a failure.

use std::error::Error;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tempfile::TempDir;

/// Whoever PostgreSQL runs as when the tests run as root, which it refuses.
const OTHER_USERS: [&str; 2] = ["postgres", "nobody"];

/// A server. Dropping it ends it and removes its data.
#[derive(Debug)]
pub struct Postgres {
    folder: TempDir,
    programs: PathBuf,
    user: Option<&'static str>,
    running: Option<(Child, ChildStdin)>,
}

impl Postgres {
    /// A server with nothing in it; `None` where PostgreSQL is not installed.
    ///
    /// # Errors
    /// When it is installed and does not start, or when it is not and has to be.
    pub async fn start() -> Result<Option<Self>, Box<dyn Error>> {
        let Some(programs) = programs() else {
            if std::env::var_os("COFFERDAM_TOOLS").is_some_and(|value| value == "required") {
                return Err("no /usr/lib/postgresql/*/bin, and COFFERDAM_TOOLS=required".into());
            }
            // Past the test's capture: it is to be seen that something was left out.
            let _ = writeln!(std::io::stderr(), "left out: PostgreSQL is not installed (Debian: package `postgresql`)");
            return Ok(None);
        };
        let folder = tempfile::Builder::new().prefix("cofferdam-pg").tempdir()?;
        let user = is_root()?.then(other_user).transpose()?;
        let mut server = Self { folder, programs, user, running: None };
        if let Some(user) = user {
            done(Command::new("chown").arg(user).arg(server.folder.path()))?;
        }
        let data = server.data();
        done(server.command("initdb").args(["-A", "trust", "-U", "shop", "-E", "UTF8", "--no-sync", "-D"]).arg(data))?;
        server.go_on().await?;
        Ok(Some(server))
    }

    /// Where it is, as an address for sqlx.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        format!("postgres://shop@localhost/{database}?host={}", self.folder.path().display())
    }

    /// A new database on it.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn database(&self) -> Result<String, Box<dyn Error>> {
        let name = format!("d{}", fastrand::u64(..));
        let mut connection = self.options().connect().await?;
        sqlx::query(&format!("CREATE DATABASE {name}")).execute(&mut connection).await?;
        connection.close().await?;
        Ok(self.url(&name))
    }

    /// Ends it at once, as a crash would. What was committed stays.
    ///
    /// # Errors
    /// When it does not end.
    pub fn crash(&mut self) -> Result<(), Box<dyn Error>> {
        if let Some((mut shell, lifeline)) = self.running.take() {
            drop(lifeline);
            shell.wait()?;
        }
        Ok(())
    }

    /// Starts it (again).
    ///
    /// # Errors
    /// When it does not start.
    pub async fn go_on(&mut self) -> Result<(), Box<dyn Error>> {
        // A shell that waits for the end of its input, which is the end of this process at the latest: no server is left
        // behind, whatever happens to the test.
        let script = "\"$0\" -D \"$1\" -k \"$2\" -c listen_addresses= -c max_connections=60 >\"$2/log\" 2>&1 & \
                      echo $!; read -r line; kill -QUIT $! 2>/dev/null; wait";
        let mut shell = self.command_of("sh");
        shell.args(["-c", script]).arg(self.programs.join("postgres")).arg(self.data()).arg(self.folder.path());
        let mut shell = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let lifeline = shell.stdin.take().ok_or("no input")?;
        let mut pid = String::new();
        BufReader::new(shell.stdout.take().ok_or("no output")?).read_line(&mut pid)?;
        self.running = Some((shell, lifeline));
        for _ in 0..600 {
            if let Ok(connection) = self.options().connect().await {
                connection.close().await?;
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Err(format!("it does not start: {}", fs::read_to_string(self.folder.path().join("log"))?).into())
    }

    fn options(&self) -> PgConnectOptions {
        PgConnectOptions::new().socket(self.folder.path()).username("shop").database("postgres")
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn command(&self, program: &str) -> Command {
        self.command_of(&self.programs.join(program).to_string_lossy())
    }

    /// A command as the server's user, in its folder.
    fn command_of(&self, program: &str) -> Command {
        let mut command = match self.user {
            Some(user) => {
                let mut command = Command::new("runuser");
                command.args(["-u", user, "--", program]);
                command
            }
            None => Command::new(program),
        };
        command.current_dir(self.folder.path());
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // It is a test's: nothing can be done about it.
        let _ = self.crash();
    }
}

fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
    let mut found: Vec<_> = versions.flatten().map(|version| version.path().join("bin")).collect();
    found.retain(|programs| programs.join("initdb").is_file());
    found.sort();
    found.pop()
}

fn is_root() -> Result<bool, Box<dyn Error>> {
    let out = Command::new("id").arg("-u").output()?;
    Ok(String::from_utf8_lossy(&out.stdout).trim() == "0")
}

fn other_user() -> Result<&'static str, Box<dyn Error>> {
    let known = |user: &&str| Command::new("id").arg(user).output().is_ok_and(|out| out.status.success());
    Ok(OTHER_USERS.into_iter().find(known).ok_or("no user but root to run PostgreSQL as")?)
}

fn done(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let out = command.output()?;
    if out.status.success() {
        return Ok(());
    }
    let program = Path::new(command.get_program()).display().to_string();
    Err(format!("{program}: {}", String::from_utf8_lossy(&out.stderr)).into())
}
