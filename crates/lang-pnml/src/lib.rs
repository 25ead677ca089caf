//! PNML, the Petri net markup language (ISO/IEC 15909-2), and the formula files of the Model Checking
//! Contest.
//!
//! A text goes through `xml` (events), `fragment` (small trees of elements) and `reading` into a raw net
//! (`raw`): what the elements state, with ids not looked up yet. A place/transition net becomes a
//! [`petri::Net`] as it is (`plain`), with read and inhibitor arcs as tools write them and the units of
//! nested-unit nets (`units`). A symmetric net is unfolded (`colour`): a place for each colour, a transition
//! for each way to bind its variables. [`read`] answers the net, [`model`](fn@model) and [`load`] the model
//! of it.
//!
//! A formula file goes through the same `xml` and `fragment` into [`Query`]s (`query`): predicates and sums
//! over the places of the net, or a [`logic::Formula`] over such predicates.
//!
//! ```
//! use std::sync::Arc;
//!
//! let text = "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'>
//!     <place id='p'><initialMarking><text>2</text></initialMarking></place><transition id='t'/>
//!     <arc id='a' source='p' target='t'/></net></pnml>";
//! let net = lang_pnml::read(&Arc::new(base::Source::new("net.pnml", text))).unwrap();
//! assert_eq!(net.net.places[0].initial, 2);
//!
//! let formulas = "<property-set><property><id>never three</id><formula>
//!     <place-bound><place>p</place></place-bound></formula></property></property-set>";
//! let queries = lang_pnml::queries(&base::Source::new("UpperBounds.xml", formulas), &net).unwrap();
//! assert!(matches!(queries[0].question, lang_pnml::Question::Bound(_)));
//! ```

mod colour;
mod fragment;
mod names;
mod plain;
mod query;
mod raw;
mod reading;
mod units;
mod xml;

use std::collections::HashMap;
use std::sync::Arc;

use base::{Diagnostic, Problems, Source, Span};
use language::Loaded;
use petri::{Net, NetModel, PlaceIx, TransitionIx, coverability};

pub use query::{Query, Question, queries};

/// So much work is done to see that a net is unbounded, as numbers of tokens that are looked at: the same on
/// every machine, as what is warned of and which limits hold depend on it. Of 60 random nets of up to 200
/// places, 57 were seen to be unbounded, none with more than 800. Nets where nothing is found take 0.6 s for
/// it (1,000 and 30,000 places, on a machine of two cores that does much else).
const TO_SEE: u64 = 100_000_000;

/// So many transitions of a sequence are named.
const SHOWN: usize = 8;

/// A net that was read.
#[derive(Clone, Debug)]
pub struct PnmlNet {
    /// The net; a coloured one was unfolded.
    pub net: Net,
    /// For the id of a place in the file its places in the net: one, or one a colour.
    pub places: HashMap<String, Vec<PlaceIx>>,
    /// For the id of a transition in the file its transitions in the net: one, or one a way to bind its
    /// variables.
    pub transitions: HashMap<String, Vec<TransitionIx>>,
    /// For every place of the net which place of the file it comes from, by its number there.
    pub origins: Vec<u32>,
    /// The net of the file was coloured.
    pub coloured: bool,
    /// What is probably not meant.
    pub warnings: Vec<Diagnostic>,
}

/// The model in a text, or all that is wrong with the text.
pub fn load(source: Arc<Source>) -> Result<Loaded, Vec<Diagnostic>> {
    model(&read(&source)?)
}

/// The model of a net that was read, or why the net is too large for one.
pub fn model(read: &PnmlNet) -> Result<Loaded, Vec<Diagnostic>> {
    let model = NetModel::new(read.net.clone())?;
    let endless = unbounded(&model);
    Ok(Loaded { endless, ..Loaded::new(model, read.warnings.clone()) })
}

/// Why a net has infinitely many markings, where that is quick to see.
fn unbounded(model: &NetModel) -> Option<String> {
    if model.is_bounded() {
        return None;
    }
    let (net, mut done) = (model.net(), 0);
    let pump = coverability::unbounded(net, &mut |work| {
        done += work;
        done > TO_SEE
    })?;
    let sequence = |run: &[TransitionIx]| {
        let names: Vec<&str> =
            run.iter().take(SHOWN).map(|step| net.transitions[step.ix()].name.as_str()).collect();
        let rest = run.len().saturating_sub(SHOWN);
        names.join(", ") + &(if rest > 0 { format!(" and {rest} more") } else { String::new() })
    };
    let before =
        if pump.first.is_empty() { String::new() } else { format!("after {} ", sequence(&pump.first)) };
    let place = &net.places[pump.place.ix()].name;
    let again = sequence(&pump.again);
    Some(format!(
        "the net is unbounded: {before}one can fire {again} again and again, and {place} gets more tokens each time"
    ))
}

/// The net in a text, or all that is wrong with the text.
pub fn read(source: &Arc<Source>) -> Result<PnmlNet, Vec<Diagnostic>> {
    let mut problems = Problems::default();
    let read = read_net(source, &mut problems);
    match read.filter(|_| !problems.any_error()) {
        Some(mut net) => {
            net.warnings = problems.into_all();
            Ok(net)
        }
        None => Err(problems.into_errors()),
    }
}

fn read_net(source: &Arc<Source>, problems: &mut Problems) -> Option<PnmlNet> {
    check_size(source, problems);
    if problems.any_error() {
        return None;
    }
    let raw = reading::read(source, problems)?;
    if problems.any_error() {
        return None;
    }
    let (net, places, transitions, origins) = match raw.is_coloured {
        true => {
            let unfolded = colour::unfold(&raw, source, colour::Limits::DEFAULT, problems)?;
            (unfolded.net, unfolded.places, unfolded.transitions, unfolded.origins)
        }
        false => {
            let net = plain::assemble(&raw, source, problems);
            let (places, transitions) = plain::by_id(
                &raw,
                |place| vec![PlaceIx::new(place)],
                |transition| vec![TransitionIx::new(transition)],
            );
            let origins = (0..net.places.len() as u32).collect();
            (net, places, transitions, origins)
        }
    };
    Some(PnmlNet { net, places, transitions, origins, coloured: raw.is_coloured, warnings: Vec::new() })
}

/// Places in a text are 32 bits wide.
fn check_size(source: &Source, problems: &mut Problems) {
    if u32::try_from(source.text().len()).is_err() {
        problems.push(Diagnostic::error("the file is larger than 4 GiB", Span::new(0, 0)));
    }
}
