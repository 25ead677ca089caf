//! Who waits for what where no command is enabled: what guards tell, in the words of those who move.

use base::GroupIx;
use model::waiting::{Waiting, Words, by_guards};
use model::{Model, Value};

use crate::coded::CodedProgram;

/// What the last place of a process is called in Promela. A process there waits for those that it has started,
/// and then is gone; to a person it has come to its end.
const END: &str = "-end-";

/// What waits in a state.
pub(crate) fn waiting(model: &dyn Model, coded: &CodedProgram, state: &[Value]) -> Waiting {
    let words = |group: GroupIx| match coded.movers(group.ix() as u32) {
        [] => Words::Name,
        [only] if only.words == END => Words::Hidden,
        movers => Words::Each(movers.iter().map(|mover| mover.words.as_str()).collect()),
    };
    by_guards(model, state, &words)
}
