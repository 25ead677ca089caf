//! What the black-box tests share: running the binary, and models in a folder of their own.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

/// How a run of the binary ended.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Run {
    /// The one JSON object on stdout.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}\n{}\n{}", self.out, self.err))
    }

    /// The same, after a check of the exit code.
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }
}

/// Runs the binary.
pub fn pinscher(arguments: &[&str]) -> Run {
    pinscher_with(arguments, "")
}

/// Runs the binary with this on its standard input.
pub fn pinscher_with(arguments: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pinscher"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input may be gone before it is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().expect("the process was ended by a signal"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A folder that is there as long as the value.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("pinscher-test-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// Writes a file; the answer is its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A process that is idle, asks, and works, with a counter; from `work` it can get stuck. Four states, one
/// deadlock.
pub const WORKER: &str = "\
begin state
P:place x:int
end state
begin edge
action:action
end edge
begin init
0 0
end init
begin trans
0/1 * \"ask\"
end trans
begin trans
1/2 0/1 \"start\"
end trans
begin trans
2/0 1/0 \"finish\"
end trans
begin trans
2/3 1/2 \"break\"
end trans
begin sort place
\"idle\"
\"asking\"
\"work\"
\"stuck\"
end sort
begin sort action
\"ask\"
\"start\"
\"finish\"
\"break\"
end sort
";

/// Counters c0, c1, … that each go from 0 to `top`, one step at a time: (top+1)^counters states, one
/// deadlock.
pub fn counters(counters: usize, top: usize) -> String {
    let names: Vec<String> = (0..counters).map(|at| format!("c{at}:int")).collect();
    let mut text = format!(
        "begin state\n{}\nend state\nbegin edge\nend edge\nbegin init\n{}\nend init\n",
        names.join(" "),
        "0 ".repeat(counters)
    );
    for counter in 0..counters {
        text += "begin trans\n";
        for value in 0..top {
            let cell = |at: usize| if at == counter { format!("{value}/{}", value + 1) } else { "*".into() };
            let cells: Vec<String> = (0..counters).map(cell).collect();
            text += &format!("{}\n", cells.join(" "));
        }
        text += "end trans\n";
    }
    text
}
