//! `pinscher show`: what a model looks like to the engines.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use base::{GroupIx, SlotIx};
use engine::{Limits, StopReason};
use layers::Aspect;
use model::{Access, Domain, LabelKind, Model, Signature, SlotRole, Type};
use pinscher::Loaded;
use planner::{Hooks, Method, Plan, Questions, Searched, Setup, engines, search};
use report::picture::{matrix, matrix_text, net, nodes as nodes_svg};
use report::{explain, words};

use crate::input::open;
use crate::options::{Engine, Show, Strategy};
use crate::output::{print, write};
use crate::progress::Teller;
use crate::{Failure, interrupt};

/// Shows what was asked for: slots, guards and labels if nothing was.
pub(crate) fn run(options: &Show, out: &mut dyn Write, errors: &mut dyn Write) -> Result<u8, Failure> {
    let mut code = 0;
    let loaded = open(&options.input, false, errors)?;
    let plain = &loaded.model;
    // What an engine would make of it on its own is not asked for here.
    let explicit = engines::explicit(1).profile();
    let layer = options.arrange.wanted().for_engine(explicit, Aspect::ALL).layer(Arc::clone(plain))?;
    let model: &dyn Model = layer.as_ref().map_or(&**plain, |layer| layer);
    if let Some(path) = &options.svg {
        let picture = match &loaded.net {
            Some(_) if !options.matrix && options.arrange.is_given() => {
                return Err(Failure::usage(
                    "the picture of a net has no order of slots and groups",
                    "add --matrix for a picture of the dependency matrix",
                ));
            }
            Some(net) if !options.matrix => net_picture(&net.net, &loaded)?,
            _ => matrix::picture(model),
        };
        write(path, &picture)?;
    }
    if let Some(path) = &options.nodes {
        let (picture, incomplete) = nodes(options, plain)?;
        write(path, &picture)?;
        if let Some(why) = incomplete {
            let picture = path.display().to_string();
            let _ =
                writeln!(errors, "{why}; {} has the nodes of what was seen by then", words::shown(&picture));
            code = 3;
        }
    }
    if options.groups {
        print(out, &groups(model))?;
    }
    if options.matrix {
        print(out, &matrix_text::text(model))?;
    }
    if !options.groups && !options.matrix && options.svg.is_none() && options.nodes.is_none() {
        print(out, &overview(&loaded, model))?;
    }
    Ok(code)
}

/// A net as a picture, with the marking that it starts with.
fn net_picture(drawn: &petri::Net, loaded: &Loaded) -> Result<String, Failure> {
    let (places, transitions) = (drawn.places.len(), drawn.transitions.len());
    if places + transitions > net::MOST_NODES {
        return Err(Failure::usage(
            format!("{places} places and {transitions} transitions are too many for a picture"),
            format!("nets of at most {} can be drawn; --matrix --svg OUT draws the matrix", net::MOST_NODES),
        ));
    }
    let marking: Vec<u64> = drawn.places.iter().map(|place| place.initial).collect();
    Ok(net::picture(drawn, &marking, &loaded.name))
}

/// A picture of the nodes that the states take at each slot, and why these are not all states, if so.
fn nodes(options: &Show, plain: &Arc<dyn Model>) -> Result<(String, Option<String>), Failure> {
    let way = &options.way;
    if way.engine == Engine::Explicit || way.strategy == Some(Strategy::Dfs) || way.store.is_some() {
        let help = "leave --engine explicit, --strategy dfs and --store out";
        return Err(Failure::usage("only the symbolic engine has nodes", help));
    }
    let method = Method { engine: planner::EngineKind::Symbolic, ..way.method() };
    let limits = Limits { time: options.time.map(Duration::from_secs_f64), ..Setup::default().limits };
    let limits = Limits { memory: options.memory.or(limits.memory), ..limits };
    let (choice, arrangement) = (method.choose(None, None)?, options.arrange.wanted());
    let setup = Setup { choice, find_all: true, arrangement, limits, ..Setup::default() };
    let plan = Plan::new(Questions::default().ask(Arc::clone(plain))?, &setup)?;
    let teller = Teller::unless(false);
    let hooks = Hooks { cancel: interrupt::token(), on_progress: teller.hook(), ..Hooks::default() };
    let searched = search(&plan, &setup, &hooks, None);
    teller.done();
    let Searched { report, engine, .. } = searched?;
    let stopped = report.stopped.filter(|reason| *reason != StopReason::EvaluationError);
    let why =
        stopped.map(|reason| format!("unknown: {}: {}", reason.name(), explain(&reason, &setup.limits)));
    let nodes = report.statistics.diagrams.map_or(Vec::new(), |diagrams| diagrams.nodes_per_slot);
    let top = plan.top(engine)?;
    Ok((nodes_svg::picture(top.signature(), &nodes, &report.statistics.states, why.is_none()), why))
}

fn overview(loaded: &Loaded, model: &dyn Model) -> String {
    let signature = model.signature();
    let mut text = format!(
        "{} ({}): {} slots, {} groups, {} guards, {} labels\n",
        words::shown(&loaded.name),
        loaded.language_name(),
        signature.slots.len(),
        signature.groups.len(),
        signature.guards.len(),
        signature.labels.len()
    );
    text += "\nslots\n";
    let width = widest(signature.slot_ixs().map(|slot| words::slot(signature, slot)));
    for slot in signature.slot_ixs() {
        let name = words::slot(signature, slot);
        let initial = words::value(signature, slot, model.initial());
        let _ = writeln!(text, "  {name:<width$}  {}, initially {initial}", describe(signature, slot));
    }
    if !signature.guards.is_empty() {
        text += "\nguards\n";
    }
    for guard in signature.guard_ixs() {
        let tests = model.dependencies().tests.ones(guard.ix()).map(SlotIx::new);
        let tests: Vec<Cow<'_, str>> = tests.map(|slot| words::slot(signature, slot)).collect();
        let name = words::shown(&signature.guards[guard.ix()].name);
        let looks_at = if tests.is_empty() { "nothing".into() } else { tests.join(", ") };
        let _ = writeln!(text, "  {guard}  {name}   looks at {looks_at}");
    }
    if !signature.labels.is_empty() {
        text += "\nlabels\n";
    }
    for label in &signature.labels {
        let kind = match label.kind {
            LabelKind::Assertion => "assertion",
            LabelKind::Invariant => "invariant",
            LabelKind::End => "fine to stop",
            LabelKind::Plain => "label",
        };
        let place = label.span.and_then(|span| words::place(signature, span)).unwrap_or_default();
        let _ = writeln!(text, "  {kind}  {}   {place}", words::shown(&label.name));
    }
    if !signature.alarms.is_empty() {
        text += "\nalarms\n";
    }
    for &alarm in &signature.alarms {
        let _ = writeln!(text, "  {}", words::action(signature, alarm));
    }
    for property in loaded.stated.iter() {
        let place = words::place(signature, property.span).unwrap_or_default();
        let (name, reason) = (words::shown(&property.name), pinscher::unsupported(property));
        let _ = writeln!(text, "\nproperty {name}   {place}\n  {reason}");
    }
    text
}

/// What a slot can hold.
fn describe(signature: &Signature, slot: SlotIx) -> String {
    let ty = signature.type_of(slot);
    match signature.slots[slot.ix()].role {
        SlotRole::Location => format!("place of a process: {}", words::shown(&values(ty))),
        SlotRole::Variable | SlotRole::ChannelLength(_) | SlotRole::ChannelField { .. } => {
            format!("{} {}", words::shown(&ty.name), words::shown(&values(ty)))
        }
    }
}

fn values(ty: &Type) -> String {
    const SHOWN: usize = 12;
    match &ty.domain {
        Domain::Range { lo, hi } => format!("{lo}..{hi}"),
        Domain::Names(names) if names.len() > SHOWN => {
            format!("{{{}, … {} in all}}", names[..SHOWN].join(", "), names.len())
        }
        Domain::Names(names) => format!("{{{}}}", names.join(", ")),
        Domain::Interned(_) | Domain::Shown(_) => "of values that appear in the search".into(),
    }
}

fn groups(model: &dyn Model) -> String {
    let signature = model.signature();
    let mut text = String::new();
    for group in signature.group_ixs() {
        let _ = writeln!(text, "group {group}  {}", words::group(signature, group));
        let mut line = |name: &str, names: &[Cow<'_, str>]| {
            if !names.is_empty() {
                let _ = writeln!(text, "  {name:<10} {}", names.join(", "));
            }
        };
        let places = words::places(signature, group);
        line("at", &places.into_iter().map(Cow::Owned).collect::<Vec<_>>());
        let guards = &signature.groups[group.ix()].guards;
        line(
            "guards",
            &guards.iter().map(|guard| words::shown(&signature.guards[guard.ix()].name)).collect::<Vec<_>>(),
        );
        line("reads", &slots_with(model, group, |access| matches!(access, Access::Read | Access::Both)));
        let dependencies = model.dependencies();
        let written = |sure: bool| {
            let slots = signature.slot_ixs().filter(|&slot| dependencies.may_write(group, slot));
            slots
                .filter(|&slot| dependencies.must_write(group, slot) == sure)
                .map(|slot| words::slot(signature, slot))
                .collect::<Vec<_>>()
        };
        line("writes", &written(true));
        line("may write", &written(false));
        if signature.groups[group.ix()].effect.is_some() {
            line("effect", &["separable".into()]);
        }
    }
    text
}

fn slots_with(model: &dyn Model, group: GroupIx, wanted: impl Fn(Access) -> bool) -> Vec<Cow<'_, str>> {
    let signature = model.signature();
    signature
        .slot_ixs()
        .filter(|&slot| wanted(model.dependencies().access(group, slot)))
        .map(|slot| words::slot(signature, slot))
        .collect()
}

/// How wide a column for these names is, within reason.
fn widest<'a>(names: impl Iterator<Item = Cow<'a, str>>) -> usize {
    names.map(|name| name.chars().count()).max().unwrap_or(0).min(40)
}
