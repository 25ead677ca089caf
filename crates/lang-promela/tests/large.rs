//! Models with a large array: a frame buffer, and the stages that draw in it.

use std::fmt::Write;
use std::sync::Arc;

use base::{GroupIx, SlotIx, Source};
use language::LoadOptions;
use model::{Model, Successors, Value};

const CELLS: usize = 100_000;

fn load(text: String) -> Arc<dyn Model> {
    let source = Arc::new(Source::new("large.pml", text));
    let loaded = lang_promela::load(Arc::clone(&source), &LoadOptions::default());
    loaded.unwrap_or_else(|problems| panic!("{}", base::render_all(&problems, &source, 3))).model
}

/// The only successor of the initial state.
fn only_successor(model: &dyn Model) -> Vec<Value> {
    let mut buffer = Successors::new(model.initial().len());
    model.stepper().all(model.initial(), &mut buffer).unwrap();
    assert_eq!(buffer.len(), 1);
    buffer.state(0).to_vec()
}

/// Thousands of statements, of which each may write any cell: the matrices have a row for each.
#[test]
fn many_statements_over_a_large_array_are_a_model() {
    let mut text = format!("byte frame[{CELLS}]; byte x;\nactive proctype Draw() {{\n");
    for number in 0..3000 {
        writeln!(text, "frame[x] = frame[{}] + 1; x++;", number * 30).unwrap();
    }
    let model = load(text + "}\n");
    let (first, matrices) = (GroupIx::new(0), model.dependencies());
    assert_eq!(matrices.copied_slots(first).len(), CELLS);
    assert_eq!(matrices.read.count(first.ix()), 3, "the first cell, `x`, the place");
    assert!(!matrices.reads(first, SlotIx::new(1)));
    assert_eq!(only_successor(&*model)[0], 1);
}

/// One step that clears the whole buffer, and one of thousands of statements.
#[test]
fn a_d_step_over_a_large_array_is_one_step() {
    let text = format!(
        "byte frame[{CELLS}]; int at;
         active proctype Clear() {{
             d_step {{ do :: at < {CELLS} -> frame[at] = 7; at++ :: else -> break od; at = 0 }}
         }}"
    );
    let after = only_successor(&*load(text));
    assert!(after[..CELLS].iter().all(|&cell| cell == 7));
    let mut text = format!("byte frame[{CELLS}];\nactive proctype Clear() {{ d_step {{\n");
    (0..3000).for_each(|number| writeln!(text, "frame[{}] = 7;", number * 30).unwrap());
    let model = load(text + "skip } }\n");
    assert_eq!(only_successor(&*model)[..CELLS].iter().filter(|&&cell| cell == 7).count(), 3000);
    assert_eq!(model.dependencies().may_write.count(0), 3001, "the cells and the place");
}
