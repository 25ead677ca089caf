//! Transition systems with known answers: their sizes, what is left of them modulo strong bisimilarity, and
//! which are bisimilar.

use std::collections::HashSet;
use std::path::Path;
use std::time::Instant;

use cli::{Failure, aut_file, interrupt};
use lts::{ActionIx, Lts, StateIx, Stopped, strong};

use crate::corpus::comparison::{Comparison, same, settle};
use crate::corpus::table::Row;
use crate::corpus::tally::Tally;
use crate::options::Corpus;

/// The names that the table has for strong bisimilarity: those of the algorithms that decide it.
const STRONG: &[&str] = &["bisim", "bisim_gv", "bisim_gjkw"];

/// Whether a file is a transition system.
pub(crate) fn is_system(model: &str) -> bool {
    model.ends_with(".aut")
}

/// Reads and reduces one system; the answer tells of each difference, and how it went.
pub(crate) fn text(options: &Corpus, model: &str, rows: &[&Row], tally: &mut Tally) -> String {
    let start = Instant::now();
    let before = (tally.matched, tally.different);
    let mut text = String::new();
    match System::read(&options.folder, model) {
        Err(failure) => {
            tally.unparsed += 1;
            return format!("DOES NOT PARSE {model}\n{failure}");
        }
        Ok(Err(Stopped)) => {
            tally.unfinished += 1;
            return format!("not finished {model}: {Stopped}\n");
        }
        Ok(Ok(system)) => {
            tally.run += 1;
            for row in rows {
                match system.compared(row, &options.folder) {
                    Ok(comparison) => text += &settle(row, comparison, tally),
                    Err(failure) => {
                        tally.different += 1;
                        text += &format!("DIFFERS {model}: {}\n{failure}", row.property);
                    }
                }
            }
            let (matched, different) = (tally.matched - before.0, tally.different - before.1);
            let word = if different == 0 { "ok" } else { "NOT" };
            if !options.quiet || different > 0 {
                let (states, of, seconds) =
                    (system.whole.states(), matched + different, start.elapsed().as_secs_f64());
                text += &format!(
                    "{word} {model}: {states} states, {matched} of {of} as expected, {seconds:.1} s\n"
                );
            }
        }
    }
    text
}

/// A system, and what is left of it modulo strong bisimilarity. The table counts states that cannot be
/// reached with the others, which a reduced system does not have.
struct System {
    whole: Lts,
    blocks: usize,
    /// How many transitions there are between blocks, and how many labels these have.
    edges: usize,
    labels: usize,
}

impl System {
    fn read(folder: &Path, model: &str) -> Result<Result<Self, Stopped>, Failure> {
        let whole = aut_file::read(&folder.join(model), None)?;
        let Ok(partition) = strong::partition(&whole, &mut interrupted) else { return Ok(Err(Stopped)) };
        let block = |state: StateIx| partition.block(state).ix();
        let edges: HashSet<(usize, ActionIx, usize)> = whole
            .all_edges()
            .map(|(source, edge)| (block(source), edge.action, block(edge.target)))
            .collect();
        let used: HashSet<&str> = edges.iter().map(|(_, action, _)| whole.label(*action)).collect();
        let (blocks, edges, labels) = (partition.len(), edges.len(), labels(used.into_iter()));
        Ok(Ok(Self { whole, blocks, edges, labels }))
    }

    fn compared(&self, row: &Row, folder: &Path) -> Result<Comparison, Failure> {
        let same = |found: String| same(row, found);
        let whole = &self.whole;
        Ok(match row.property.as_str() {
            "states" => same(whole.states().to_string()),
            "transitions" => same(whole.transitions().to_string()),
            "labels" => same(labels(whole.labels()).to_string()),
            "deadlock" => same(if whole.deadlocks() > 0 { "yes" } else { "no" }.to_owned()),
            "deadlock_states" => same(whole.deadlocks().to_string()),
            "states_bisimulation" => same(self.blocks.to_string()),
            "transitions_bisimulation" => same(self.edges.to_string()),
            "labels_bisimulation" => same(self.labels.to_string()),
            property => match property.strip_prefix("equivalence:").and_then(|rest| rest.split_once(':')) {
                Some((equivalence, other)) if STRONG.contains(&equivalence) => {
                    let other = aut_file::read(&folder.join(other), None)?;
                    match strong::bisimilar(whole, &other, &mut interrupted) {
                        Ok(bisimilar) => same(if bisimilar { "yes" } else { "no" }.to_owned()),
                        Err(Stopped) => Comparison::NotAsked,
                    }
                }
                _ => Comparison::NotAsked,
            },
        })
    }
}

/// How many labels there are by mCRL2's count: the hidden one is there even if no transition has it.
fn labels<'a>(labels: impl Iterator<Item = &'a str>) -> usize {
    1 + labels.filter(|label| *label != "tau").count()
}

fn interrupted() -> bool {
    interrupt::token().is_cancelled()
}
