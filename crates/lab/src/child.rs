//! Processes that this program starts. What one says is read to its end; it is ended when it takes too long
//! or a person interrupts, and none is left behind.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use cli::interrupt;

/// How often it is looked whether a person interrupted.
const LOOK: Duration = Duration::from_millis(100);
/// How long a process that was ended may take to be gone. With [`LOOK`] it is less than the half second after
/// which a second Ctrl-C ends this program.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// How long a verifier that is asked to end may take for its statistics.
const STATISTICS: Duration = Duration::from_secs(5);

/// What a process is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// It writes its report on standard output and keeps its limits by itself. Its other messages are not
    /// read.
    Searcher,
    /// It starts others, as compilers do, so all of these are ended with it.
    Builder,
    /// It tells what it has when it is interrupted, so it is asked to end before it is ended.
    Verifier,
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    /// By itself.
    Itself(ExitStatus),
    /// It took too long.
    Late,
    /// A person interrupted this program.
    Interrupted,
}

/// What came of a process.
pub(crate) struct Output {
    /// What it said, as far as it was read.
    pub(crate) text: Vec<u8>,
    pub(crate) ended: Ended,
    pub(crate) wall: Duration,
}

/// A process that is ended with this value, whatever happens.
struct Running {
    child: Child,
    role: Role,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

impl Running {
    fn end(&mut self) {
        // One that has been waited for is gone, and its number may be another's.
        if let Ok(Some(_)) = self.child.try_wait() {
            return;
        }
        if self.role == Role::Builder {
            self.signal("KILL");
        }
        // It may have ended by itself in the meantime.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Sends a signal to the process, or to all of a builder's. The shell has a `kill` of its own where there
    /// is no such program.
    fn signal(&self, name: &str) {
        let group = if self.role == Role::Builder { "-" } else { "" };
        let line = format!("kill -s {name} -- {group}{}", self.child.id());
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Where there is no shell, the process itself is ended all the same.
        let _ = shell.status();
    }
}

/// Runs a command for at most this long. An error is one of starting it: the program may not be there.
pub(crate) fn run(mut command: Command, role: Role, patience: Duration) -> io::Result<Output> {
    let (mut hear, say) = io::pipe()?;
    command.stdin(Stdio::null());
    match role {
        Role::Searcher => command.stderr(Stdio::null()),
        Role::Builder | Role::Verifier => command.stderr(say.try_clone()?),
    };
    command.stdout(say);
    #[cfg(unix)]
    if role == Role::Builder {
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
    }
    let started = Instant::now();
    let mut running = Running { child: command.spawn()?, role };
    // It holds the pipe open, which would never come to its end.
    drop(command);
    let (at_end, end) = mpsc::channel();
    let listener = std::thread::spawn(move || {
        let mut text = Vec::new();
        // What was said before an error is no report, and is seen to be none.
        let _ = hear.read_to_end(&mut text);
        // Who started it may have stopped waiting.
        let _ = at_end.send(());
        text
    });
    let (is_whole, ended) = match wait(&end, patience) {
        Ok(()) => (true, Ended::Itself(running.child.wait()?)),
        Err(Ended::Late) if role == Role::Verifier => {
            running.signal("INT");
            let is_whole = wait(&end, STATISTICS).is_ok();
            running.end();
            (is_whole, Ended::Late)
        }
        Err(why) => {
            running.end();
            (end.recv_timeout(LAST_WORDS).is_ok(), why)
        }
    };
    // Where it is not at its end the process has left others behind that hold the pipe, and to wait for the
    // listener could take for ever. Its thread ends with them.
    let text = if is_whole {
        listener.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    } else {
        Vec::new()
    };
    Ok(Output { text, ended, wall: started.elapsed() })
}

/// Waits for the end of what is said, for this time at the most, or tells why no longer was waited.
fn wait(end: &Receiver<()>, patience: Duration) -> Result<(), Ended> {
    let started = Instant::now();
    loop {
        match end.recv_timeout(LOOK.min(patience.saturating_sub(started.elapsed()))) {
            Ok(()) => return Ok(()),
            Err(RecvTimeoutError::Disconnected) => panic!("BUG: who listens to a process never says nothing"),
            Err(RecvTimeoutError::Timeout) if started.elapsed() >= patience => return Err(Ended::Late),
            Err(RecvTimeoutError::Timeout) if interrupt::token().is_cancelled() => {
                return Err(Ended::Interrupted);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(line: &str, role: Role, patience: Duration) -> Output {
        let mut command = Command::new("sh");
        command.args(["-c", line]);
        run(command, role, patience).unwrap()
    }

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(300);

    #[test]
    fn output_is_read_and_messages_only_of_those_that_have_no_report() {
        let both = "echo one; echo two >&2; exit 3";
        for (role, wanted) in
            [(Role::Searcher, "one\n"), (Role::Builder, "one\ntwo\n"), (Role::Verifier, "one\ntwo\n")]
        {
            let output = shell(both, role, LONG);
            assert_eq!(String::from_utf8_lossy(&output.text), wanted, "{role:?}");
            assert!(matches!(output.ended, Ended::Itself(status) if status.code() == Some(3)), "{role:?}");
        }
        let missing = run(Command::new("there-is-no-such-program"), Role::Builder, LONG);
        assert_eq!(missing.err().map(|error| error.kind()), Some(io::ErrorKind::NotFound));
    }

    #[test]
    fn who_takes_too_long_is_ended_with_all_it_started() {
        // The pipe comes to its end, and what was said is read, only when the last one who holds it is gone.
        let output = shell("echo begun; sleep 1000 & sleep 1000; wait", Role::Builder, SHORT);
        assert_eq!((output.text.as_slice(), output.ended), (&b"begun\n"[..], Ended::Late));
        assert!(output.wall < Duration::from_secs(30));
        let output = shell("echo begun; exec sleep 1000", Role::Searcher, SHORT);
        assert_eq!((output.text.as_slice(), output.ended), (&b"begun\n"[..], Ended::Late));
    }

    #[test]
    fn a_verifier_that_is_late_tells_what_it_has() {
        let line = "trap 'echo so far; exit 0' INT; echo begun; while :; do sleep 0.05; done";
        // A shell cannot trap what was ignored when it began, as it is where tests run in the background.
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", "sh", "-c", line]);
        let output = run(command, Role::Verifier, SHORT).unwrap();
        assert_eq!(String::from_utf8_lossy(&output.text), "begun\nso far\n");
        assert_eq!(output.ended, Ended::Late);
    }
}
