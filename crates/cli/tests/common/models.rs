//! Small models, as texts.

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
