//! What nodes are called in messages: by the name that the file gives, or by the id where names are missing
//! or not unique.

use std::collections::HashMap;

/// For nodes with their ids and names, what to call each; no two are called the same.
pub(crate) fn shown<'a>(nodes: impl Iterator<Item = (&'a str, Option<&'a str>)> + Clone) -> Vec<String> {
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for (id, name) in nodes.clone() {
        *uses.entry(id).or_default() += 1;
        if let Some(name) = name.filter(|name| *name != id) {
            *uses.entry(name).or_default() += 1;
        }
    }
    let good = |name: &&str| !name.is_empty() && uses.get(name) == Some(&1);
    nodes.map(|(id, name)| name.filter(good).unwrap_or(id).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_name_is_shown_where_it_is_the_only_one() {
        let nodes = [
            ("p1", Some("idle")),
            ("p2", Some("busy")),
            ("p3", Some("busy")),
            ("p4", None),
            ("p5", Some("")),
        ];
        assert_eq!(super::shown(nodes.into_iter()), ["idle", "p2", "p3", "p4", "p5"]);
        // Crosswise: the name of one is the id of the other.
        assert_eq!(super::shown([("a", Some("b")), ("b", Some("c"))].into_iter()), ["a", "c"]);
    }
}
