//! What checking, counting and exploring have in common: an [`Outcome`] tells of a search.

use std::sync::Arc;
use std::time::Duration;

use engine::Profile;
use planner::{Searched, Settings};
use report::Outcome;

use crate::Loaded;

/// These settings with the order of slots that suits the language, where another one was not asked for.
pub(crate) fn for_language(settings: &Settings, loaded: &Loaded) -> Settings {
    let mut settings = settings.clone();
    let favourite = loaded.language.and_then(|language| language.favourite_order);
    settings.arrangement.favourite = settings.arrangement.favourite.or(favourite);
    settings
}

/// The outcome before it is told what was found, of an engine that is to search.
pub(crate) fn outcome(loaded: &Loaded, settings: &Settings, profile: Profile) -> Outcome {
    Outcome {
        model: Arc::clone(&loaded.model),
        file_name: loaded.name.clone(),
        language: loaded.language_name(),
        engine: profile.name,
        strategy: profile.strategy,
        threads: profile.threads,
        why: None,
        searches: Vec::new(),
        answers: Vec::new(),
        stopped: None,
        statistics: None,
        load_time: loaded.time,
        time: Duration::ZERO,
        limits: settings.limits.clone(),
        find_all: settings.find_all,
        failure: None,
        cache: None,
        hint: |_| None,
    }
}

/// The outcome of a search: its numbers and its answers.
pub(crate) fn searched(loaded: &Loaded, settings: &Settings, searched: Searched) -> Outcome {
    let Searched { report, profile, why, cache, .. } = searched;
    Outcome {
        why,
        cache: Some(cache),
        answers: report.answers,
        stopped: report.stopped,
        time: report.statistics.time,
        statistics: Some(report.statistics),
        ..outcome(loaded, settings, profile)
    }
}

/// The same of a search that was there to count. Who counts asks for no property: a failure of the model is
/// why the numbers are not all.
pub(crate) fn counted(mut outcome: Outcome) -> Outcome {
    let shown = std::mem::take(&mut outcome.answers).into_iter().find_map(|answer| answer.evidence);
    Outcome { failure: shown.map(engine::Evidence::into_run), ..outcome }
}
