//! What a search of a model in Promela comes to, in terms that Spin and Pinscher share, and where two of them
//! differ.

use engine::{Answer, Question, Report, Verdict};

/// What a search comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Findings {
    /// How many states there are, if all were seen.
    pub(crate) states: Option<String>,
    /// How many steps, if all were counted.
    pub(crate) transitions: Option<String>,
    /// Whether an assertion is violated.
    pub(crate) assertion: Known,
    /// Whether the model stops where that is not fine.
    pub(crate) end_state: Known,
    /// Whether the model fails in some other way: an index outside an array, say.
    pub(crate) fails: Known,
    /// Why not all is known, in a word.
    pub(crate) why: Option<String>,
}

/// Whether something happens, if that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    Yes,
    No,
    Unknown,
}

impl Known {
    fn differs(self, other: Self) -> bool {
        self != other && self != Self::Unknown && other != Self::Unknown
    }

    fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unknown => "not known",
        }
    }

    /// Whether one of the assertions of a model is violated: in a state, or in the middle of a step.
    pub(crate) fn of_assertions(report: &Report) -> Self {
        Self::over(report, |question| matches!(question, Question::Always(_) | Question::Never(_)))
    }

    /// Whether the model stops where that is not fine.
    pub(crate) fn of_end_states(report: &Report) -> Self {
        Self::over(report, |question| *question == Question::NoDeadlock)
    }

    fn over(report: &Report, is_asked: impl Fn(&Question) -> bool) -> Self {
        let asked = |answer: &&Answer| is_asked(&answer.property.question);
        let verdicts = report.answers.iter().filter(asked).map(|answer| &answer.verdict);
        match Verdict::over(verdicts, None) {
            Verdict::Violated => Self::Yes,
            Verdict::Holds => Self::No,
            Verdict::Unknown(_) => Self::Unknown,
        }
    }
}

impl Findings {
    /// Whether all is known that can be compared. What follows where a model fails is not.
    pub(crate) fn is_known(&self) -> bool {
        let verdicts = [self.assertion, self.end_state, self.fails];
        self.fails == Known::Yes || (self.states.is_some() && !verdicts.contains(&Known::Unknown))
    }

    /// What differs from the findings of another, in words.
    pub(crate) fn differences(&self, other: &Self) -> Vec<&'static str> {
        let mut differences = Vec::new();
        let mut note = |differs: bool, what| differences.extend(differs.then_some(what));
        note(self.fails.differs(other.fails), "run-time errors");
        // Spin goes on where a model fails, and Pinscher does not: they see different states then.
        if self.fails == Known::Yes || other.fails == Known::Yes {
            return differences;
        }
        let differs = |own: &Option<String>, others: &Option<String>| match (own, others) {
            // Large counts of Spin are rounded.
            (Some(own), Some(others)) => !own.parse().is_ok_and(|own| same_count(own, others)),
            _ => false,
        };
        note(differs(&self.states, &other.states), "states");
        note(differs(&self.transitions, &other.transitions), "transitions");
        note(self.assertion.differs(other.assertion), "assertion violated");
        note(self.end_state.differs(other.end_state), "invalid end state");
        differences
    }
}

impl std::fmt::Display for Findings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown = |count: &Option<String>| count.clone().unwrap_or_else(|| "?".into());
        let (states, transitions) = (shown(&self.states), shown(&self.transitions));
        write!(
            f,
            "{states:>12} states {transitions:>12} transitions   assertion violated: {:<9}",
            self.assertion.word()
        )?;
        write!(f, "   invalid end state: {}", self.end_state.word())?;
        if self.fails == Known::Yes {
            write!(f, "   run-time error")?;
        }
        match &self.why {
            Some(why) => write!(f, "   ({why})"),
            None => Ok(()),
        }
    }
}

/// Whether Spin's count of states is that of another tool, as far as it can be seen: Spin rounds large
/// numbers.
pub(crate) fn same_count(spin: u64, other: &str) -> bool {
    const EXACT_BELOW: u64 = 100_000_000;
    match other.parse::<u64>() {
        Ok(other) if spin < EXACT_BELOW => spin == other,
        // Half a unit of the eighth digit is at most this part of the number.
        Ok(other) => spin.abs_diff(other) as f64 <= spin as f64 * 5.1e-8,
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings() -> Findings {
        Findings {
            states: Some("10".into()),
            transitions: Some("12".into()),
            assertion: Known::No,
            end_state: Known::Yes,
            fails: Known::No,
            why: None,
        }
    }

    #[test]
    fn large_counts_are_compared_as_rounded() {
        assert!(same_count(123_456_790, "123456789") && same_count(123_456_790, "123456785"));
        assert!(!same_count(123_456_790, "123456799") && !same_count(123_456_790, "123456780"));
        assert!(same_count(99_999_999, "99999999") && !same_count(99_999_999, "99999998"));
        assert!(!same_count(7, "340282366920938463463374607431768211456"));
    }

    #[test]
    fn each_difference_is_seen_and_what_is_not_known_is_none() {
        assert_eq!(findings().differences(&findings()), [] as [&str; 0]);
        assert!(findings().is_known());
        for (other, wanted) in [
            (Findings { states: Some("11".into()), ..findings() }, "states"),
            (Findings { transitions: Some("13".into()), ..findings() }, "transitions"),
            (Findings { assertion: Known::Yes, ..findings() }, "assertion violated"),
            (Findings { end_state: Known::No, ..findings() }, "invalid end state"),
            (Findings { fails: Known::Yes, ..findings() }, "run-time errors"),
        ] {
            assert_eq!(findings().differences(&other), [wanted]);
            assert_eq!(other.differences(&findings()), [wanted]);
        }
        for other in [
            Findings { states: None, ..findings() },
            Findings { assertion: Known::Unknown, ..findings() },
            Findings { end_state: Known::Unknown, ..findings() },
        ] {
            assert_eq!(findings().differences(&other), [] as [&str; 0]);
            assert!(!other.is_known());
        }
        // Transitions are not counted by every engine.
        assert!(Findings { transitions: None, ..findings() }.is_known());
        // Where both fail, what else they saw is no difference.
        let failing = Findings { fails: Known::Yes, states: None, ..findings() };
        assert_eq!(failing.differences(&Findings { fails: Known::Yes, ..findings() }), [] as [&str; 0]);
    }
}
