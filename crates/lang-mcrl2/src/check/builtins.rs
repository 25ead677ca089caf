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

/// What each name means, for which sorts.
static FUNCTIONS: &[(&str, &[Signature])] = &[
    ("==", &[takes(Op::Equal, &[S, S], B)]),
    ("!=", &[takes(Op::NotEqual, &[S, S], B)]),
    ("<", &[takes(Op::Less, &[S, S], B)]),
    ("<=", &[takes(Op::LessEqual, &[S, S], B)]),
    (">", &[takes(Op::Greater, &[S, S], B)]),
    (">=", &[takes(Op::GreaterEqual, &[S, S], B)]),
    ("if", &[takes(Op::If, &[B, S, S], S)]),
    ("=>", &[takes(Op::Implies, &[B, B], B)]),
    ("!", &[takes(Op::Not, &[B], B), takes(Op::Complement, &[SetOfS], SetOfS)]),
    (
        "+",
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
        ],
    ),
    (
        "*",
        &[
            takes(Op::Times, &[P, P], P),
            takes(Op::Times, &[N, N], N),
            takes(Op::Times, &[I, I], I),
            takes(Op::Times, &[R, R], R),
            takes(Op::Intersection, &[FSetOfS, FSetOfS], FSetOfS),
            takes(Op::Intersection, &[SetOfS, SetOfS], SetOfS),
            takes(Op::Intersection, &[FBagOfS, FBagOfS], FBagOfS),
            takes(Op::Intersection, &[BagOfS, BagOfS], BagOfS),
        ],
    ),
    ("/", &[takes(Op::Divide, &[R, R], R)]),
    ("div", &[takes(Op::Div, &[N, P], N), takes(Op::Div, &[I, P], I)]),
    ("mod", &[takes(Op::Mod, &[N, P], N), takes(Op::Mod, &[I, P], N)]),
    (
        "exp",
        &[
            takes(Op::Power, &[P, N], P),
            takes(Op::Power, &[N, N], N),
            takes(Op::Power, &[I, N], I),
            takes(Op::Power, &[R, I], R),
        ],
    ),
    (
        "succ",
        &[
            takes(Op::Succ, &[P], P),
            takes(Op::Succ, &[N], P),
            takes(Op::Succ, &[I], I),
            takes(Op::Succ, &[R], R),
        ],
    ),
    (
        "pred",
        &[
            takes(Op::Pred, &[P], N),
            takes(Op::Pred, &[N], I),
            takes(Op::Pred, &[I], I),
            takes(Op::Pred, &[R], R),
        ],
    ),
    ("abs", &[takes(Op::Abs, &[I], N), takes(Op::Abs, &[R], R)]),
    (
        "max",
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
        ],
    ),
    (
        "min",
        &[
            takes(Op::Min, &[P, P], P),
            takes(Op::Min, &[N, N], N),
            takes(Op::Min, &[I, I], I),
            takes(Op::Min, &[R, R], R),
        ],
    ),
    ("floor", &[takes(Op::Floor, &[R], I)]),
    ("ceil", &[takes(Op::Ceil, &[R], I)]),
    ("round", &[takes(Op::Round, &[R], I)]),
    ("sqrt", &[takes(Op::Sqrt, &[N], N)]),
    ("|>", &[takes(Op::Cons, &[S, ListOfS], ListOfS)]),
    ("<|", &[takes(Op::Snoc, &[ListOfS, S], ListOfS)]),
    ("++", &[takes(Op::Concat, &[ListOfS, ListOfS], ListOfS)]),
    (".", &[takes(Op::ElementAt, &[ListOfS, N], S)]),
    ("head", &[takes(Op::Head, &[ListOfS], S)]),
    ("tail", &[takes(Op::Tail, &[ListOfS], ListOfS)]),
    ("rhead", &[takes(Op::LastElement, &[ListOfS], S)]),
    ("rtail", &[takes(Op::AllButLast, &[ListOfS], ListOfS)]),
    ("#", &[takes(Op::Size, &[ListOfS], N), takes(Op::Size, &[FSetOfS], N), takes(Op::Size, &[FBagOfS], N)]),
    (
        "in",
        &[
            takes(Op::In, &[S, ListOfS], B),
            takes(Op::In, &[S, FSetOfS], B),
            takes(Op::In, &[S, SetOfS], B),
            takes(Op::In, &[S, FBagOfS], B),
            takes(Op::In, &[S, BagOfS], B),
        ],
    ),
    ("count", &[takes(Op::Count, &[S, FBagOfS], N), takes(Op::Count, &[S, BagOfS], N)]),
    ("Set2Bag", &[takes(Op::ToBag, &[SetOfS], BagOfS)]),
    ("Bag2Set", &[takes(Op::ToSet, &[BagOfS], SetOfS)]),
    (
        "-",
        &[
            takes(Op::Minus, &[I, I], I),
            takes(Op::Minus, &[R, R], R),
            takes(Op::Negate, &[I], I),
            takes(Op::Negate, &[R], R),
            takes(Op::Difference, &[FSetOfS, FSetOfS], FSetOfS),
            takes(Op::Difference, &[SetOfS, SetOfS], SetOfS),
            takes(Op::Difference, &[FBagOfS, FBagOfS], FBagOfS),
            takes(Op::Difference, &[BagOfS, BagOfS], BagOfS),
        ],
    ),
    ("Pos2Nat", &[takes(Op::Number, &[P], N)]),
    ("Pos2Int", &[takes(Op::Number, &[P], I)]),
    ("Pos2Real", &[takes(Op::Number, &[P], R)]),
    ("Nat2Pos", &[takes(Op::Number, &[N], P)]),
    ("Nat2Int", &[takes(Op::Number, &[N], I)]),
    ("Nat2Real", &[takes(Op::Number, &[N], R)]),
    ("Int2Pos", &[takes(Op::Number, &[I], P)]),
    ("Int2Nat", &[takes(Op::Number, &[I], N)]),
    ("Int2Real", &[takes(Op::Number, &[I], R)]),
    ("Real2Pos", &[takes(Op::Number, &[R], P)]),
    ("Real2Nat", &[takes(Op::Number, &[R], N)]),
    ("Real2Int", &[takes(Op::Number, &[R], I)]),
];

/// What a name means for which sorts; nothing if it is no built-in function.
pub(crate) fn named(name: &str) -> &'static [Signature] {
    FUNCTIONS.iter().find(|(known, _)| *known == name).map_or(&[], |(_, signatures)| signatures)
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

    /// Whether S is in it.
    pub fn has_s(self) -> bool {
        !matches!(self, Is(_))
    }
}
