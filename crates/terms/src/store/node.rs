//! What a node of the store looks like: a header word that says what it is, its length where that does not
//! fit into the header, and its parts.
//!
//! | bits of the header | meaning |
//! |---|---|
//! | 0–4 | [`Shape`] |
//! | 5 | [`OPEN`] |
//! | 6 | [`INEXACT`] |
//! | 7 | [`VARS`] |
//! | 8–13 | number of parts; 63: it is in the next word |
//! | 14–31 | which function, which instance of a built-in one, … |

/// The node has parts that did not reduce.
pub(crate) const OPEN: u32 = 1 << 5;
/// Another term may have the same value: it is open or has functions in it.
pub(crate) const INEXACT: u32 = 1 << 6;
/// It has variables that a search has not given a value.
pub(crate) const VARS: u32 = 1 << 7;
/// All marks: a node has those of its parts.
pub(crate) const MARKS: u32 = OPEN | INEXACT | VARS;

/// The largest number that fits beside the shape: functions, instances, sites.
pub(crate) const MOST_OF_A_KIND: u32 = (1 << 18) - 1;
const LENGTH: u32 = 63;

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(crate) enum Shape {
    /// A function of the specification and its arguments: a constructor, or another that did not reduce.
    Call,
    /// `x |> l`: two parts; the number beside is the length of the list, as far as it fits.
    Cons,
    /// A finite set: its elements in order.
    Set,
    /// A finite bag: element, number, element, number, … in order.
    Bag,
    /// An integer that needs more than 31 bits: sign (0 or 1), digits of 32 bits from the lowest.
    Big,
    /// A rational number that is no integer: numerator, denominator.
    Ratio,
    /// A set that is not finite: a function to truth values, and the finite set of those for which it is
    /// wrong.
    SetBy,
    /// A bag that is not finite: a function to numbers, and a finite bag of those for which it is wrong.
    BagBy,
    /// `lambda`: the values of the variables from outside; the number beside is the site.
    Closure,
    /// A function of the specification as a value.
    Function,
    /// A function made of functions, or one of the constant ones: see [`Combinator`].
    Combinator,
    /// f[x -> y] for a few: the function, x, y, x, y, … in order.
    Updated,
    /// A built-in function that did not reduce; the number beside is the instance.
    Op,
    /// A function value that is no lambda, and its arguments.
    Apply,
    /// A quantifier that could not be decided: the values of the variables from outside; the number beside is
    /// the site.
    Quantifier,
    /// A variable without a value.
    Var,
}

const SHAPES: [Shape; 16] = [
    Shape::Call,
    Shape::Cons,
    Shape::Set,
    Shape::Bag,
    Shape::Big,
    Shape::Ratio,
    Shape::SetBy,
    Shape::BagBy,
    Shape::Closure,
    Shape::Function,
    Shape::Combinator,
    Shape::Updated,
    Shape::Op,
    Shape::Apply,
    Shape::Quantifier,
    Shape::Var,
];

/// Functions that sets and bags are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(crate) enum Combinator {
    /// x ↦ true.
    True,
    /// x ↦ !f(x).
    Not,
    /// x ↦ f(x) && g(x).
    And,
    /// x ↦ f(x) || g(x).
    Or,
    /// x ↦ 1.
    One,
    /// x ↦ f(x) + g(x).
    Add,
    /// x ↦ min(f(x), g(x)).
    Min,
    /// x ↦ max(0, f(x) - g(x)).
    Monus,
    /// x ↦ f(x) > 0.
    Positive,
    /// x ↦ if(f(x), 1, 0).
    Indicator,
    /// x, … ↦ the part, whatever the arguments.
    Always,
    /// x, y, … ↦ one of the parts, by where the arguments stand among the values of their sorts, x being the
    /// lowest digit. The first part is the number of the function's sort.
    Table,
}

const COMBINATORS: [Combinator; 12] = [
    Combinator::True,
    Combinator::Not,
    Combinator::And,
    Combinator::Or,
    Combinator::One,
    Combinator::Add,
    Combinator::Min,
    Combinator::Monus,
    Combinator::Positive,
    Combinator::Indicator,
    Combinator::Always,
    Combinator::Table,
];

impl Combinator {
    /// By its number.
    pub(crate) fn from_number(number: u32) -> Self {
        COMBINATORS[number as usize]
    }
}

/// The first word of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Header(pub(crate) u32);

impl Header {
    /// A head. `number` is at most [`MOST_OF_A_KIND`].
    #[inline]
    pub(crate) fn new(shape: Shape, number: u32, parts: usize, marks: u32) -> Self {
        debug_assert!(number <= MOST_OF_A_KIND && marks & !MARKS == 0);
        let length = if parts < LENGTH as usize { parts as u32 } else { LENGTH };
        Self(shape as u32 | marks | length << 8 | number << 14)
    }

    /// What the node is.
    #[inline]
    pub(crate) fn shape(self) -> Shape {
        SHAPES[(self.0 & 15) as usize]
    }

    /// Which function, instance or site.
    #[inline]
    pub(crate) fn number(self) -> u32 {
        self.0 >> 14
    }

    /// Open, inexact, with variables.
    #[inline]
    pub(crate) fn marks(self) -> u32 {
        self.0 & MARKS
    }

    /// Whether it has parts that did not reduce.
    #[inline]
    pub(crate) fn is_open(self) -> bool {
        self.0 & OPEN != 0
    }

    /// The number of parts, if it is in this word.
    #[inline]
    pub(crate) fn short_length(self) -> Option<usize> {
        let length = self.0 >> 8 & LENGTH;
        (length != LENGTH).then_some(length as usize)
    }

    /// The same function, instance or site with as many parts; marks may differ.
    #[inline]
    pub(crate) fn is_alike(self, other: Self) -> bool {
        (self.0 ^ other.0) & !MARKS == 0
    }
}
