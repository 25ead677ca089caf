//! Drawings of diagrams, for Graphviz.

use std::collections::HashMap;
use std::fmt::Write;

use crate::counting::sizes::levels;
use crate::store::node::{Id, Info, Kind, Node, UNIT};
use crate::store::{Ldd, Store};

impl Store {
    /// The diagram in the language of Graphviz (`dot -Tsvg`): a row a level, lists from left to right, solid
    /// arrows to what is below.
    ///
    /// ```
    /// let store = ldd::Store::with_memory(1 << 24)?;
    /// let drawing = store.dot(&store.vectors([&[1, 5][..], &[2, 5]])?);
    /// assert!(drawing.starts_with("digraph") && drawing.contains("n0 -> n1 [style=dashed]"));
    /// # Ok::<(), ldd::Stop>(())
    /// ```
    pub fn dot(&self, set: &Ldd) -> String {
        self.assert_owns(set);
        let unique = &self.inner.unique;
        let levels = levels(&self.inner, set.id);
        // Numbers of their own: the same set gives the same drawing in every store.
        let names: HashMap<Id, usize> =
            levels.iter().flatten().enumerate().map(|(number, &id)| (id, number)).collect();
        let name = |id: Id| names.get(&id).map_or_else(|| "end".to_owned(), |number| format!("n{number}"));
        let mut drawing = "digraph {\n    node [shape=box, height=0.3, width=0.3];\n".to_owned();
        let mut add =
            |line: String| writeln!(drawing, "    {line}").expect("BUG: a string takes all that is written");
        if !set.is_empty() {
            add("end [label=\"\", shape=doublecircle, height=0.1, width=0.1];".to_owned());
        }
        for level in &levels {
            let members: Vec<String> = level.iter().map(|&id| format!("{};", name(id))).collect();
            add(format!("{{ rank=same; {} }}", members.join(" ")));
            for &id in level {
                let node = unique.get(id);
                add(format!("{} [label=\"{}\"];", name(id), label(node)));
                add(format!("{}:s -> {}:n;", name(id), name(node.down)));
                if node.right > UNIT {
                    add(format!("{} -> {} [style=dashed];", name(id), name(node.right)));
                }
            }
        }
        drawing + "}\n"
    }
}

/// A set's value; in a relation also what is done with it.
fn label(node: Node) -> String {
    let value = node.value;
    if node.info == Info::SET {
        return value.to_string();
    }
    match node.info.kind() {
        Kind::Read | Kind::Test => format!("= {value}"),
        Kind::Write => format!(":= {value}"),
        Kind::Copy => "stays".to_owned(),
        Kind::Least => format!("≥ {value}"),
        Kind::Most => format!("≤ {value}"),
        Kind::Add => format!("+ {value}"),
    }
}
