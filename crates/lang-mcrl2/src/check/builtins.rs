//! The functions that every specification has, by the names they are written with, and the sorts they take.

use terms::Op;

use super::types::{Ty, Type, Types};

/// A built-in function for some sorts.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    pub op: Op,
    pub arguments: &'static [Shape],
    pub result: Shape,
}

/// A sort in which one sort, S, may be any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Is(Ty),
    S,
    ListOfS,
    FSetOfS,
    SetOfS,
    FBagOfS,
    BagOfS,
}

use Shape::{BagOfS, FBagOfS, FSetOfS, Is, ListOfS, S, SetOfS};

const B: Shape = Is(Ty::BOOL);
const P: Shape = Is(Ty::POS);
const N: Shape = Is(Ty::NAT);
const I: Shape = Is(Ty::INT);
const R: Shape = Is(Ty::REAL);

const fn takes(op: Op, arguments: &'static [Shape], result: Shape) -> Signature {
    Signature { op, arguments, result }
}

/// All names, for suggestions.
pub(crate) const NAMES: &[&str] = &[
    "if", "exp", "succ", "pred", "abs", "max", "min", "floor", "ceil", "round", "sqrt", "head", "tail",
    "rhead", "rtail", "count", "Set2Bag", "Bag2Set", "Pos2Nat", "Pos2Int", "Pos2Real", "Nat2Pos", "Nat2Int",
    "Nat2Real", "Int2Pos", "Int2Nat", "Int2Real", "Real2Pos", "Real2Nat", "Real2Int",
];

/// What a name means for which sorts; nothing if it is no built-in function.
pub(crate) fn named(name: &str) -> &'static [Signature] {
    match name {
        "==" => const { &[takes(Op::Equal, &[S, S], B)] },
        "!=" => const { &[takes(Op::NotEqual, &[S, S], B)] },
        "<" => const { &[takes(Op::Less, &[S, S], B)] },
        "<=" => const { &[takes(Op::LessEqual, &[S, S], B)] },
        ">" => const { &[takes(Op::Greater, &[S, S], B)] },
        ">=" => const { &[takes(Op::GreaterEqual, &[S, S], B)] },
        "if" => const { &[takes(Op::If, &[B, S, S], S)] },
        "=>" => const { &[takes(Op::Implies, &[B, B], B)] },
        "!" => const { &[takes(Op::Not, &[B], B), takes(Op::Complement, &[SetOfS], SetOfS)] },
        "+" => {
            const {
                &[
                    takes(Op::Plus, &[P, P], P),
                    takes(Op::Plus, &[P, N], P),
                    takes(Op::Plus, &[N, P], P),
                    takes(Op::Plus, &[N, N], N),
                    takes(Op::Plus, &[I, I], I),
                    takes(Op::Plus, &[R, R], R),
                    takes(Op::Union, &[FSetOfS, FSetOfS], FSetOfS),
                    takes(Op::Union, &[SetOfS, SetOfS], SetOfS),
                    takes(Op::Union, &[FBagOfS, FBagOfS], FBagOfS),
                    takes(Op::Union, &[BagOfS, BagOfS], BagOfS),
                ]
            }
        }
        "*" => {
            const {
                &[
                    takes(Op::Times, &[P, P], P),
                    takes(Op::Times, &[N, N], N),
                    takes(Op::Times, &[I, I], I),
                    takes(Op::Times, &[R, R], R),
                    takes(Op::Intersection, &[FSetOfS, FSetOfS], FSetOfS),
                    takes(Op::Intersection, &[SetOfS, SetOfS], SetOfS),
                    takes(Op::Intersection, &[FBagOfS, FBagOfS], FBagOfS),
                    takes(Op::Intersection, &[BagOfS, BagOfS], BagOfS),
                ]
            }
        }
        "/" => const { &[takes(Op::Divide, &[R, R], R)] },
        "div" => const { &[takes(Op::Div, &[N, P], N), takes(Op::Div, &[I, P], I)] },
        "mod" => const { &[takes(Op::Mod, &[N, P], N), takes(Op::Mod, &[I, P], N)] },
        "exp" => {
            const {
                &[
                    takes(Op::Power, &[P, N], P),
                    takes(Op::Power, &[N, N], N),
                    takes(Op::Power, &[I, N], I),
                    takes(Op::Power, &[R, I], R),
                ]
            }
        }
        "succ" => {
            const {
                &[
                    takes(Op::Succ, &[P], P),
                    takes(Op::Succ, &[N], P),
                    takes(Op::Succ, &[I], I),
                    takes(Op::Succ, &[R], R),
                ]
            }
        }
        "pred" => {
            const {
                &[
                    takes(Op::Pred, &[P], N),
                    takes(Op::Pred, &[N], I),
                    takes(Op::Pred, &[I], I),
                    takes(Op::Pred, &[R], R),
                ]
            }
        }
        "abs" => const { &[takes(Op::Abs, &[I], N), takes(Op::Abs, &[R], R)] },
        "max" => {
            const {
                &[
                    takes(Op::Max, &[P, P], P),
                    takes(Op::Max, &[P, N], P),
                    takes(Op::Max, &[N, P], P),
                    takes(Op::Max, &[N, N], N),
                    takes(Op::Max, &[P, I], P),
                    takes(Op::Max, &[I, P], P),
                    takes(Op::Max, &[N, I], N),
                    takes(Op::Max, &[I, N], N),
                    takes(Op::Max, &[I, I], I),
                    takes(Op::Max, &[R, R], R),
                ]
            }
        }
        "min" => {
            const {
                &[
                    takes(Op::Min, &[P, P], P),
                    takes(Op::Min, &[N, N], N),
                    takes(Op::Min, &[I, I], I),
                    takes(Op::Min, &[R, R], R),
                ]
            }
        }
        "floor" => const { &[takes(Op::Floor, &[R], I)] },
        "ceil" => const { &[takes(Op::Ceil, &[R], I)] },
        "round" => const { &[takes(Op::Round, &[R], I)] },
        "sqrt" => const { &[takes(Op::Sqrt, &[N], N)] },
        "|>" => const { &[takes(Op::Cons, &[S, ListOfS], ListOfS)] },
        "<|" => const { &[takes(Op::Snoc, &[ListOfS, S], ListOfS)] },
        "++" => const { &[takes(Op::Concat, &[ListOfS, ListOfS], ListOfS)] },
        "." => const { &[takes(Op::ElementAt, &[ListOfS, N], S)] },
        "head" => const { &[takes(Op::Head, &[ListOfS], S)] },
        "tail" => const { &[takes(Op::Tail, &[ListOfS], ListOfS)] },
        "rhead" => const { &[takes(Op::LastElement, &[ListOfS], S)] },
        "rtail" => const { &[takes(Op::AllButLast, &[ListOfS], ListOfS)] },
        "#" => {
            const {
                &[
                    takes(Op::Size, &[ListOfS], N),
                    takes(Op::Size, &[FSetOfS], N),
                    takes(Op::Size, &[FBagOfS], N),
                ]
            }
        }
        "in" => {
            const {
                &[
                    takes(Op::In, &[S, ListOfS], B),
                    takes(Op::In, &[S, FSetOfS], B),
                    takes(Op::In, &[S, SetOfS], B),
                    takes(Op::In, &[S, FBagOfS], B),
                    takes(Op::In, &[S, BagOfS], B),
                ]
            }
        }
        "count" => const { &[takes(Op::Count, &[S, FBagOfS], N), takes(Op::Count, &[S, BagOfS], N)] },
        "Set2Bag" => const { &[takes(Op::ToBag, &[SetOfS], BagOfS)] },
        "Bag2Set" => const { &[takes(Op::ToSet, &[BagOfS], SetOfS)] },
        "-" => {
            const {
                &[
                    takes(Op::Minus, &[I, I], I),
                    takes(Op::Minus, &[R, R], R),
                    takes(Op::Negate, &[I], I),
                    takes(Op::Negate, &[R], R),
                    takes(Op::Difference, &[FSetOfS, FSetOfS], FSetOfS),
                    takes(Op::Difference, &[SetOfS, SetOfS], SetOfS),
                    takes(Op::Difference, &[FBagOfS, FBagOfS], FBagOfS),
                    takes(Op::Difference, &[BagOfS, BagOfS], BagOfS),
                ]
            }
        }
        "Pos2Nat" => const { &[takes(Op::Number, &[P], N)] },
        "Pos2Int" => const { &[takes(Op::Number, &[P], I)] },
        "Pos2Real" => const { &[takes(Op::Number, &[P], R)] },
        "Nat2Pos" => const { &[takes(Op::Number, &[N], P)] },
        "Nat2Int" => const { &[takes(Op::Number, &[N], I)] },
        "Nat2Real" => const { &[takes(Op::Number, &[N], R)] },
        "Int2Pos" => const { &[takes(Op::Number, &[I], P)] },
        "Int2Nat" => const { &[takes(Op::Number, &[I], N)] },
        "Int2Real" => const { &[takes(Op::Number, &[I], R)] },
        "Real2Pos" => const { &[takes(Op::Number, &[R], P)] },
        "Real2Nat" => const { &[takes(Op::Number, &[R], N)] },
        "Real2Int" => const { &[takes(Op::Number, &[R], I)] },
        _ => &[],
    }
}

impl Shape {
    /// The type, when S is this.
    pub fn with(self, s: Ty, types: &mut Types) -> Ty {
        match self {
            Is(ty) => ty,
            S => s,
            ListOfS => types.add(Type::List(s)),
            FSetOfS => types.add(Type::FSet(s)),
            SetOfS => types.add(Type::Set(s)),
            FBagOfS => types.add(Type::FBag(s)),
            BagOfS => types.add(Type::Bag(s)),
        }
    }

    /// What S is when a type has this shape, of what is known of S already.
    pub fn fit(self, ty: Ty, s: Ty, types: &mut Types) -> Option<Ty> {
        let element = match (self, types.get(ty)) {
            (Is(is), _) => return types.unify(is, ty).map(|_| s),
            (S, _) => ty,
            (_, Type::Open) => Ty::OPEN,
            (ListOfS, &Type::List(element))
            | (FSetOfS, &Type::FSet(element))
            | (SetOfS, &Type::Set(element))
            | (FBagOfS, &Type::FBag(element))
            | (BagOfS, &Type::Bag(element)) => element,
            _ => return None,
        };
        types.unify(s, element)
    }
}

impl Shape {
    /// Whether S is in it.
    pub fn has_s(self) -> bool {
        !matches!(self, Is(_))
    }
}
