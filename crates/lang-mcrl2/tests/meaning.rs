//! What expressions come to, from the text to the value: a table by hand.

mod common;

use common::compare::{DECLARED, compare};

/// Sort, expression, the same as a value.
const VALUES: &str = "
    Int     | -7 div 2                                          | -4
    Nat     | -7 mod 2                                          | 1
    Int     | -8 div 2                                          | -4
    Nat     | -8 mod 3                                          | 1
    Int     | (-1) div 5                                        | -1
    Nat     | 7 mod 4 * 2                                       | 7
    Real    | 7 / 2 * 2                                         | 7 / 4
    Real    | 1 / 2 + 1 / 3                                     | 5 / 6
    Real    | -1 / -2                                           | 1 / 2
    Int     | floor(-1 / 2)                                     | -1
    Int     | ceil(-1 / 2)                                      | 0
    Int     | round(-1 / 2)                                     | 0
    Int     | round(1 / 2)                                      | 1
    Int     | round(-3 / 2)                                     | -1
    Int     | round(5 / 2)                                      | 3
    Nat     | exp(0, 0)                                         | 1
    Nat     | exp(2, 10)                                        | 1024
    Int     | exp(-2, 3)                                        | -8
    Real    | exp(2 / 3, -2)                                    | 9 / 4
    Real    | exp(-2 / 3, -3)                                   | -27 / 8
    Nat     | abs(-5)                                           | 5
    Int     | pred(0)                                           | -1
    Int     | 3 - 5                                             | -2
    Int     | 2 - 3 - 4                                         | -5
    Int     | -2 - -3                                           | 1
    Int     | 2 + 3 * 4                                         | 14
    Nat     | 17 div 5 div 2                                    | 1
    Nat     | max(3, -7)                                        | 3
    Int     | min(3, -7)                                        | -7
    Nat     | Int2Nat(3 - 1)                                    | 2
    Pos     | Nat2Pos(3)                                        | 3
    Int     | Real2Int(4 / 2)                                   | 2
    Bool    | Real2Nat(6 / 2) == 3                              | true
    Nat     | sqrt(17)                                          | 4
    Bool    | 1 == 2 / 2                                        | true
    Bool    | 1 / 3 < 1 / 2                                     | true
    Bool    | -1 / 3 > -1 / 2                                   | true
    Bool    | true => false => false                            | true
    Bool    | (false => true) => false                          | false
    Bool    | true || false && false                            | true
    Bool    | true => false || true                             | true
    Bool    | false && true => true                             | true
    Bool    | !false && false                                   | false
    Bool    | true == false == false                            | true
    Bool    | 1 == 2 == false                                   | true
    Bool    | 1 < 2 == true                                     | true
    Bool    | false < true                                      | true
    Bool    | true < true                                       | false
    Bool    | true <= true                                      | true
    Bool    | true > false                                      | true
    List(Nat) | 1 |> 2 |> [] ++ [3] <| 4                        | [1, 2, 3, 4]
    List(Nat) | [1, 2] ++ [3] ++ [4]                            | [1, 2, 3, 4]
    List(Nat) | [1] <| 2 <| 3                                   | [1, 2, 3]
    Nat     | [5, 6, 7] . 1 + 1                                 | 7
    Nat     | [[1, 2], [3]] . 0 . 1                             | 2
    Nat     | # [1, 2] + 1                                      | 3
    Nat     | # {1, 2, 1}                                       | 2
    Nat     | # {1: 2, 2: 3}                                    | 5
    Nat     | head([4, 5]) + rhead([4, 5, 6])                   | 10
    List(Nat) | rtail([1, 2, 3]) ++ tail([1, 2, 3])             | [1, 2, 2, 3]
    Bool    | [1, 2] < [1, 3]                                   | true
    Bool    | [1, 2] < [1]                                      | false
    Bool    | [1] < [1, 0]                                      | true
    Bool    | [2] < [1, 5]                                      | false
    Bool    | [1, 2] <= [1, 2]                                  | true
    Bool    | 2 in [1, 2]                                       | true
    Bool    | 1 + 1 in [1, 2]                                   | true
    Bool    | {1, 2} <= {1, 2, 3}                               | true
    Bool    | {1, 2} < {1, 2}                                   | false
    Bool    | {1, 4} < {1, 2, 3}                                | false
    Bool    | {5} >= {1}                                        | false
    Bool    | {1, 2} > {2}                                      | true
    FSet(Nat) | {1, 2} + {3} - {1}                              | {2, 3}
    FSet(Nat) | {1, 2, 3} * {2, 3, 4} + {7}                     | {2, 3, 7}
    FSet(Nat) | {1, 2} - {2, 5}                                 | {1}
    Bool    | {n: Nat | n < 4} - {1} == {0, 2, 3}               | true
    Set(Nat)  | !(!{1, 2})                                      | {1, 2}
    Set(Nat)  | !{1} * {1, 2, 3}                                | {2, 3}
    Bool    | !{true} == {false}                                | true
    Bool    | forall n: Nat. n < 9 => (n in {o: Nat | o >= 3}) == (n in !{0, 1, 2}) | true
    Bool    | 3 in !{1, 2}                                      | true
    Bool    | !{1, 2} == !{2, 1}                                | true
    Bool    | {1} <= {n: Nat | n < 3}                           | true
    Bool    | {v: Bool | v} == {true}                           | true
    FBag(Nat) | {1: 2, 2: 1} + {1: 1}                           | {1: 3, 2: 1}
    FBag(Nat) | {1: 2, 2: 1} - {1: 1, 2: 5}                     | {1: 1}
    FBag(Nat) | {1: 2, 2: 1} * {1: 5, 3: 1}                     | {1: 2}
    FBag(Nat) | {1: 2, 1: 1, 2: 0}                              | {1: 3}
    Bool    | {1: 1} <= {1: 2, 2: 1}                            | true
    Bool    | {1: 3} <= {1: 2, 2: 1}                            | false
    Bool    | {1: 2} < {1: 2}                                   | false
    Nat     | count(1, {1: 2, 2: 1})                            | 2
    Bool    | 3 in {1: 2, 2: 1}                                 | false
    Set(Nat) | Bag2Set({1: 2, 2: 1})                            | {1, 2}
    Bag(Nat) | Set2Bag({1, 2})                                  | {1: 1, 2: 1}
    Nat     | count(2, {n: Nat | n * n})                        | 4
    Bool    | a < b(0, false)                                   | true
    Bool    | b(0, true) < b(1, false)                          | true
    Bool    | b(1, true) < b(1, false)                          | false
    Bool    | b(7, true) < c([])                                | true
    Bool    | c([1]) < c([1, 1])                                | true
    Bool    | d3 > d2 && d1 <= d1                               | true
    Bool    | is_b(b(1, true)) && !is_b(a)                      | true
    Nat     | x(b(3, true))                                     | 3
    Nat     | if(y(b(3, false)), 1, 2)                          | 2
    Bool    | f == g                                            | true
    Bool    | f == h                                            | false
    Bool    | f != h                                            | true
    Bool    | (lambda v: Bool. !v) == (lambda w: Bool. w => false) | true
    Bool    | f[true -> 3] == f                                 | true
    Bool    | f[false -> 3] == h                                | true
    Bool    | k[2 -> 5][3 -> 7] == k[3 -> 7][2 -> 5]            | true
    Bool    | k[2 -> 4] == k                                    | true
    Nat     | k[2 -> 5](2) + k[2 -> 5](3)                       | 14
    Nat     | k[2 -> 5][2 -> 6](2)                              | 6
    Nat     | (lambda n, o: Nat. n + 2 * o)(1, 2)               | 5
    Nat     | (lambda n: Nat. lambda o: Nat. n + 2 * o)(1)(2)   | 5
    Bool    | forall n: Nat. n < 5 => n * n < 20                | true
    Bool    | forall n: Nat. n < 6 => n * n < 20                | false
    Bool    | exists n: Nat. n < 6 && n * n == 16               | true
    Bool    | exists v: Bool. forall w: Bool. v == w            | false
    Bool    | forall v: Bool. exists w: Bool. v == w            | true
    Bool    | forall p: D. m(m(m(p))) == p                      | true
    Bool    | exists n: Nat. n == 3 && true                     | true
    Nat     | n + o whr n = 1, o = 2 end                        | 3
    Nat     | n + (n whr n = 5 end) whr n = 1 end               | 6
    Nat     | (lambda n: Nat. n whr o = 2 end)(3)               | 3
    Nat     | if(true, 1, head([]))                             | 1
    Bool    | false && head([]) == 0                            | false
    Bool    | true || head([]) == 0                             | true
    Bool    | u == u                                            | true
    Int     | if(1 < 2, -1, 1)                                  | -1
";

#[test]
fn values_by_hand() {
    let entry = |line: &str| {
        // Expressions may have `|` in them, but not with two blanks before it.
        let (sort, rest) = line.split_once(" | ")?;
        let (one, other) = rest.rsplit_once(" | ")?;
        Some((sort.trim().to_owned(), one.trim().to_owned(), other.trim().to_owned()))
    };
    let pairs: Vec<_> = VALUES.lines().filter_map(|line| entry(line.trim())).collect();
    assert!(pairs.len() > 120, "{}", pairs.len());
    let wrong: Vec<String> = compare(DECLARED, &pairs).into_iter().filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
