//! Predicates over the slots of any model, as in `P_0.CS + P_1.CS <= 1`.
//!
//! A text becomes words (`token.rs`). They are read once, by precedence climbing (`parse.rs`, with `path.rs`
//! for names with members, `channels.rs` for what can be asked of channels, and `compare.rs` for what can be
//! compared), against the names of a signature (`names.rs`), into a short postfix code (`code.rs`) that is
//! evaluated without allocation. Where the code is comparisons of sums, `build.rs` says so to engines that
//! can take them apart.

mod build;
mod channels;
mod code;
mod compare;
mod names;
mod parse;
mod path;
mod syntax;
mod token;

use base::{Diagnostic, SlotIx, Source};
use model::{EvalError, Signature, StateFunction, Value};

use code::Code;

pub use syntax::SYNTAX;

/// A predicate over the states of one model.
///
/// ```
/// use base::{Source, TypeIx};
/// use model::{Signature, Slot, SlotRole, StateFunction, Type};
///
/// let (ty, role) = (TypeIx::new(0), SlotRole::Variable);
/// let slot = |name: &str| Slot { name: name.into(), ty, span: None, role: role.clone() };
/// let signature = Signature {
///     name: "two counters".into(),
///     types: vec![Type::range("byte", 0, 255)],
///     slots: vec![slot("x"), slot("y")],
///     groups: vec![],
///     guards: vec![],
///     labels: vec![],
///     action: Type::names("action", vec![]),
///     alarms: vec![],
///     source: None,
/// };
/// let text = Source::new("--invariant", "x + y <= 3 -> x != y");
/// let predicate = logic::Predicate::parse(&text, &signature).unwrap();
/// assert_eq!(predicate.value(&[1, 2]), Ok(1));
/// assert_eq!(predicate.value(&[1, 1]), Ok(0));
/// ```
#[derive(Clone, Debug)]
pub struct Predicate {
    code: Code,
    reads: Vec<SlotIx>,
    build: Option<model::Predicate>,
}

impl Predicate {
    /// The predicate that the text states about models of this signature, or everything that is wrong with
    /// it.
    pub fn parse(source: &Source, signature: &Signature) -> Result<Self, Vec<Diagnostic>> {
        let code = parse::parse(source, signature)?;
        let (reads, build) = (code.reads(), build::build(&code, signature));
        Ok(Self { code, reads, build })
    }

    /// The same code, giving the number itself rather than its truth.
    ///
    /// ```
    /// # use base::Source;
    /// # use model::{Signature, Type};
    /// # let action = Type::names("action", vec![]);
    /// # let signature = Signature { name: String::new(), types: vec![], slots: vec![], groups: vec![],
    /// #     guards: vec![], labels: vec![], action, alarms: vec![], source: None };
    /// let sum = logic::Predicate::parse(&Source::new("", "6 * 7"), &signature).unwrap();
    /// assert_eq!(sum.number(&[]), Ok(42));
    /// ```
    pub fn number(&self, state: &[Value]) -> Result<i64, EvalError> {
        self.code.run(state)
    }
}

impl StateFunction for Predicate {
    fn reads(&self) -> &[SlotIx] {
        &self.reads
    }

    fn value(&self, state: &[Value]) -> Result<Value, EvalError> {
        self.code.run(state).map(|number| Value::from(number != 0))
    }

    fn predicate(&self) -> Option<&model::Predicate> {
        self.build.as_ref()
    }
}
