//! The functions that every specification has. Their arguments have sorts that fit exactly: who writes
//! `n + 1.5` gets a cast.

use super::SortIx;

/// A built-in function. Which sorts it takes is part of what it means: a plain `<` of sets asks for a proper
/// subset.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Op {
    /// `==`, of two of any sort.
    Equal,
    /// `!=`, of two of any sort.
    NotEqual,
    /// `<`: the order of numbers; of lists and structured sorts the lexicographic one, constructors as
    /// declared; `false < true`; of sets and bags the proper inclusion.
    Less,
    /// `<=`, likewise; of sets and bags the inclusion.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
    /// `if(c, x, y)`: of the last two, only the one that is asked for is evaluated.
    If,
    /// `!` of a truth value.
    Not,
    /// `&&`.
    And,
    /// `||`.
    Or,
    /// `=>`.
    Implies,

    /// The same number as one of another sort (the node's own): up, as from `Pos` to `Int`, it always is one;
    /// down it does not reduce where the number is none of that sort (`Int2Nat(-1)`).
    Number,
    /// `+` of numbers.
    Plus,
    /// `-` of two numbers.
    Minus,
    /// `*` of numbers.
    Times,
    /// `/`: a `Real`. By zero it does not reduce.
    Divide,
    /// `div`: rounded down; the divisor is a `Pos`.
    Div,
    /// `mod`: 0 up to the divisor, a `Pos`.
    Mod,
    /// `exp(x, n)`: a power.
    Power,
    /// `-` of one number.
    Negate,
    /// `succ`.
    Succ,
    /// `pred`.
    Pred,
    /// `abs`.
    Abs,
    /// `max` of two.
    Max,
    /// `min` of two.
    Min,
    /// `floor` of a `Real`: an `Int`.
    Floor,
    /// `ceil` of a `Real`: an `Int`.
    Ceil,
    /// `round` of a `Real`: floor(x + 1/2).
    Round,
    /// `sqrt` of a `Nat`, rounded down.
    Sqrt,

    /// `[a, b, c]`, also `[]`.
    List,
    /// `a |> l`.
    Cons,
    /// `l <| a`.
    Snoc,
    /// `l ++ m`.
    Concat,
    /// `l . n`: element number n, counted from 0. Does not reduce where there is none.
    ElementAt,
    /// `#` of a list, a finite set or a finite bag (with multiplicity): a `Nat`.
    Size,
    /// `head`; of an empty list it does not reduce, nor do the next three.
    Head,
    /// `tail`.
    Tail,
    /// `rhead`: the last element.
    LastElement,
    /// `rtail`: all but the last element.
    AllButLast,
    /// `x in s`: of a list, set or bag.
    In,

    /// `{a, b, c}`, also `{}`: a finite set.
    SetOf,
    /// `{a: 1, b: 2}`, also `{:}`: a finite bag; the arguments are element, number, element, number, …
    BagOf,
    /// `s + t` of sets (the union) or bags (numbers added); both finite or both of any size.
    Union,
    /// `s - t`.
    Difference,
    /// `s * t`.
    Intersection,
    /// `!s`: the complement of a `Set`.
    Complement,
    /// `count(x, b)`: a `Nat`.
    Count,
    /// A finite set as a `Set`, a finite bag as a `Bag`.
    Widen,
    /// `Set2Bag` and `FSet2FBag`.
    ToBag,
    /// `Bag2Set` and `FBag2FSet`.
    ToSet,

    /// `f[x -> y]`: the function that is f but for x.
    Update,
}

impl Op {
    /// Whether the answer is a truth value whatever the arguments.
    pub fn is_truth(self) -> bool {
        use Op::{And, Equal, Greater, GreaterEqual, Implies, In, Less, LessEqual, Not, NotEqual, Or};
        matches!(
            self,
            Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | Not | And | Or | Implies | In
        )
    }

    /// The sort of the answer, where it is the same for all arguments.
    pub fn result(self) -> Option<SortIx> {
        match self {
            _ if self.is_truth() => Some(SortIx::BOOL),
            Self::Divide => Some(SortIx::REAL),
            Self::Floor | Self::Ceil | Self::Round => Some(SortIx::INT),
            Self::Size | Self::Count | Self::Sqrt | Self::Mod => Some(SortIx::NAT),
            _ => None,
        }
    }
}
