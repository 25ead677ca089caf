//! Finds modules of a crate that use each other in a circle.
//!
//! A module is a file with the folder of its name. Modules beside each other are the nodes of a graph, at
//! each folder by itself. There is an edge from `a` to `b` where a file within `a` names an item of `b`: in a
//! `use` or in a path. What is named by way of a re-export (`crate::Thing`) counts as what it stands for.
//! What a module uses of the module that it is in, or that is in it, is no edge. For example, with
//!
//! ```text
//! lib.rs   mod map; mod road; pub use road::Road;
//! map.rs   use crate::Road;
//! road.rs  fn drawn() -> crate::map::Map
//! ```
//!
//! `map` uses `road` by way of the crate and `road` uses `map`: a circle.
//!
//! It reads words and does not resolve names as the compiler does: what comes by `*` or out of a macro is not
//! seen.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Formatter};

use crate::sources::{ModulePath, Sources, Word};

/// Modules beside each other that use each other in a circle.
pub(crate) struct Circle {
    /// The module that they are in.
    inside: ModulePath,
    /// Their names.
    modules: Vec<String>,
    /// What each of them uses of another: who, whose, and an example.
    uses: Vec<[String; 3]>,
}

impl Display for Circle {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let inside = if self.inside.is_empty() { "the crate".to_owned() } else { self.inside.join("::") };
        writeln!(f, "in {inside} a circle of {}", self.modules.join(", "))?;
        self.uses.iter().try_for_each(|[from, to, example]| writeln!(f, "    {from} → {to}: {example}"))
    }
}

/// All circles of a crate.
pub(crate) fn circles(sources: &Sources) -> Vec<Circle> {
    let names = Names::of(sources);
    // At each folder: who uses whom, with an example.
    let mut graphs: BTreeMap<ModulePath, BTreeMap<[String; 2], String>> = BTreeMap::new();
    for (module, words) in sources {
        for path in paths(words) {
            let Some(absolute) = names.absolute(module, &path.names) else { continue };
            let owner = names.owner(absolute);
            let common = module.iter().zip(&owner).take_while(|(one, other)| one == other).count();
            let (Some(from), Some(to)) = (module.get(common), owner.get(common)) else { continue };
            let example = format!("{} names {}", module.join("::"), path.names.join("::"));
            let graph = graphs.entry(module[..common].to_vec()).or_default();
            graph.entry([from.clone(), to.clone()]).or_insert(example);
        }
    }
    graphs.iter().flat_map(|(inside, graph)| circles_of(inside, graph)).collect()
}

/// The circles of a graph: its strongly connected components of more than one node.
fn circles_of(inside: &ModulePath, graph: &BTreeMap<[String; 2], String>) -> Vec<Circle> {
    let nodes: BTreeSet<&String> = graph.keys().flatten().collect();
    let reached = |from: &String| {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(node) = waiting.pop() {
            let next = graph.keys().filter(|[from, _]| *from == node).map(|[_, to]| to.clone());
            waiting.extend(next.filter(|to| seen.insert(to.clone())));
        }
        seen
    };
    let reached: BTreeMap<&String, BTreeSet<String>> =
        nodes.iter().map(|node| (*node, reached(node))).collect();
    let mut circles = Vec::new();
    let mut done: BTreeSet<&String> = BTreeSet::new();
    for &node in &nodes {
        if done.contains(node) || !reached[node].contains(node) {
            continue;
        }
        let is_together = |other: &&String| reached[node].contains(*other) && reached[*other].contains(node);
        let together: BTreeSet<&String> = nodes.iter().copied().filter(is_together).collect();
        let inner = graph.iter().filter(|([from, to], _)| together.contains(from) && together.contains(to));
        circles.push(Circle {
            inside: inside.clone(),
            modules: together.iter().map(|name| (*name).clone()).collect(),
            uses: inner.map(|([from, to], example)| [from.clone(), to.clone(), example.clone()]).collect(),
        });
        done.extend(together);
    }
    circles
}

/// What names stand for.
struct Names<'a> {
    sources: &'a Sources,
    /// In each module what `use` brings into it, by the name that it has there.
    imported: BTreeMap<&'a ModulePath, BTreeMap<String, Vec<String>>>,
}

impl<'a> Names<'a> {
    fn of(sources: &'a Sources) -> Self {
        let mut names = Self { sources, imported: BTreeMap::new() };
        for (module, words) in sources {
            let used = paths(words).into_iter().filter_map(|path| {
                let name = path.imported_as?;
                Some((name, names.absolute(module, &path.names)?))
            });
            let used = used.collect();
            names.imported.insert(module, used);
        }
        names
    }

    /// A path as seen from the crate; nothing where it leads out of it, or is not known to be a path of
    /// modules.
    fn absolute(&self, module: &ModulePath, path: &[String]) -> Option<Vec<String>> {
        let supers = path.iter().take_while(|name| *name == "super").count();
        match path[0].as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([&module[..], &path[1..]].concat()),
            "super" => Some([&module[..module.len().checked_sub(supers)?], &path[supers..]].concat()),
            first => {
                let child = [&module[..], &[first.to_owned()]].concat();
                self.sources.contains_key(&child).then(|| [&module[..], path].concat())
            }
        }
    }

    /// The module that an item is of, re-exports followed.
    fn owner(&self, mut path: Vec<String>) -> ModulePath {
        // More re-exports than this of one item are a circle of re-exports.
        for _ in 0..8 {
            let length = (0..=path.len()).rev().find(|&at| self.sources.contains_key(&path[..at]));
            let (module, rest) = path.split_at(length.unwrap_or(0));
            let target = rest.first().and_then(|name| self.imported.get(&module.to_vec())?.get(name));
            match target.filter(|target| !path.starts_with(target)) {
                Some(target) => path = [&target[..], &rest[1..]].concat(),
                None => return module.to_vec(),
            }
        }
        path
    }
}

/// A path in a text.
struct Path {
    names: Vec<String>,
    /// The name that a `use` gives it.
    imported_as: Option<String>,
}

/// All paths of more than one name, and all that are brought in by `use`.
fn paths(words: &[Word]) -> Vec<Path> {
    let mut paths = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if words[at].is("use") {
            at = used(words, at + 1, &[], &mut paths);
            continue;
        }
        let (names, next) = names(words, at);
        let is_part = at > 0 && (words[at - 1].is("::") || words[at - 1].is("."));
        if names.len() > 1 && !is_part {
            paths.push(Path { names, imported_as: None });
        }
        at = next.max(at + 1);
    }
    paths
}

/// The names that stand here with `::` between them, and where they end.
fn names(words: &[Word], mut at: usize) -> (Vec<String>, usize) {
    let mut names = Vec::new();
    while let Some(Word::Name(name)) = words.get(at) {
        names.push(name.clone());
        match words.get(at + 1..at + 3) {
            Some([Word::In, Word::Name(_)]) => at += 2,
            _ => return (names, at + 1),
        }
    }
    (names, at)
}

/// Reads a part of a `use` behind this path: `a::b`, `a::{b, c}`, `a as b`, `a::*`. The answer is where it
/// ends.
fn used(words: &[Word], at: usize, before: &[String], paths: &mut Vec<Path>) -> usize {
    // `use ::name` leads out of the crate.
    let at = if words.get(at) == Some(&Word::In) { at + 1 } else { at };
    let (names, mut at) = names(words, at);
    let mut path = [before, &names[..]].concat();
    let next = |at: usize| words.get(at);
    if next(at) == Some(&Word::In) {
        at += 1;
    }
    match next(at) {
        Some(Word::Sign('{')) => {
            at += 1;
            while at < words.len() && !words[at].is("}") {
                // What is not understood is passed by.
                at = used(words, at, &path, paths).max(at + 1);
                if next(at).is_some_and(|word| word.is(",")) {
                    at += 1;
                }
            }
            return at + 1;
        }
        Some(Word::Sign('*')) => {
            paths.push(Path { names: path, imported_as: None });
            return at + 1;
        }
        _ => {}
    }
    // `a::{self}` is `a`.
    if path.len() > 1 && path.last().is_some_and(|name| name == "self") {
        path.pop();
    }
    let mut name = path.last().cloned();
    if let Some([Word::Name(keyword), Word::Name(other)]) = words.get(at..at + 2)
        && keyword == "as"
    {
        name = Some(other.clone());
        at += 2;
    }
    if !path.is_empty() {
        paths.push(Path { names: path, imported_as: name });
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::sources;

    /// The circles of a crate of these files, each by its path and the modules in it.
    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let path = |name: &str| name.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        let sources = sources(files.iter().map(|(name, text)| (path(name), (*text).to_owned())).collect());
        let shown = |circle: Circle| format!("{}: {}", circle.inside.join("::"), circle.modules.join(" "));
        circles(&sources).into_iter().map(shown).collect()
    }

    #[test]
    fn a_circle_is_found_however_it_is_written() {
        let lib = ("lib.rs", "mod map; mod road; mod sea; pub use road::Road;");
        let road = ("road.rs", "fn f() -> crate::map::Map {}");
        for map in [
            "use crate::road::Road;",
            "use crate::{sea, road::{self}};",
            "use super::road as way;",
            "use crate::Road;",
            "fn f() { crate::road::g() }",
            "fn f() { super::Road::new() }",
            "pub use super::road::*;",
        ] {
            assert_eq!(found(&[lib, road, ("map.rs", map), ("sea.rs", "")]), [": map road"], "{map}");
        }
        let long = [("map.rs", "use crate::sea::Sea;"), ("sea.rs", "use crate::road;")];
        assert_eq!(found(&[&[lib, road][..], &long].concat()), [": map road sea"]);
    }

    #[test]
    fn circles_are_found_in_each_folder() {
        let files = [
            ("lib.rs", "mod map;"),
            ("map.rs", "mod hill; mod lake;"),
            ("map/hill.rs", "use super::lake::Lake;"),
            ("map/lake.rs", "mod shore;"),
            ("map/lake/shore.rs", "use crate::map::hill::Hill;"),
        ];
        assert_eq!(found(&files), ["map: hill lake"]);
    }

    #[test]
    fn what_is_no_circle_is_not_found() {
        let lib = ("lib.rs", "mod map; mod road; fn f() { map::g(); road::g() }");
        let road = ("road.rs", "use crate::map::Map;");
        for map in [
            "// use crate::road::Road;",
            "const A: &str = \"crate::road::Road\";",
            "#[cfg(test)] mod tests { use crate::road::Road; }",
            "use std::road::Road;",
            "use crate::f;",
            "fn f() { road.crate::g() }",
        ] {
            assert_eq!(found(&[lib, road, ("map.rs", map)]), [] as [&str; 0], "{map}");
        }
        // A module and the one that it is in are no circle.
        let files = [("lib.rs", "mod map;"), ("map.rs", "mod hill; use hill::Hill;")];
        let hill = ("map/hill.rs", "use super::Map; use crate::map::Map;");
        assert_eq!(found(&[&files[..], &[hill]].concat()), [] as [&str; 0]);
    }
}
