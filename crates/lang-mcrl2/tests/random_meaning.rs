//! Random expressions, from the text to the value, against a plain evaluator that knows numbers, lists, sets,
//! bags and structures from the standard library alone.

mod common;

use base::SplitMix64;
use common::compare::{DECLARED, compare};
use common::maker::{Maker, Sort};

#[test]
fn random_values() {
    let seed =
        std::env::var("PINSCHER_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(20_082_026_u64);
    let mut maker = Maker { random: SplitMix64::new(seed), by_condition: true };
    let sorts = [
        (Sort::Truth, "Bool"),
        (Sort::Pos, "Pos"),
        (Sort::Nat, "Nat"),
        (Sort::Int, "Int"),
        (Sort::Real, "Real"),
        (Sort::List, "List(Nat)"),
        (Sort::FiniteSet, "FSet(Nat)"),
        (Sort::Set, "Set(Nat)"),
        (Sort::Bag, "FBag(Nat)"),
        (Sort::Struct, "E"),
    ];
    for _ in 0..60 {
        let pairs: Vec<(String, String, String)> = (0..40)
            .map(|_| {
                let (sort, name) = sorts[maker.below(sorts.len())];
                let (text, value) = maker.expr(sort, 4);
                if sort == Sort::Set {
                    // One set may be given in several ways.
                    let same = format!("forall n: Nat. n < 12 => (n in {text}) == (n in {})", value.text());
                    return ("Bool".to_owned(), same, "true".to_owned());
                }
                (name.to_owned(), text, value.text())
            })
            .collect();
        let wrong: Vec<String> = compare(DECLARED, &pairs).into_iter().filter_map(Result::err).collect();
        assert!(wrong.is_empty(), "PINSCHER_SEED={seed}\n{}", wrong.join("\n"));
    }
}
