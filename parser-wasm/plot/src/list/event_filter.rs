//! Filter of the event list: which events and messages it shows.
//!
//! The text filter is defined by the line as blkparse prints it, but printing a line per event
//! would make a search in a large trace slow. Most filters can be decided for all events of
//! a kind at once ([`KindVerdict`]): the properties are part of the kind, and a search word with a
//! letter can occur only in the name, the action or the flags ([`SearchTerm`]). Only what remains
//! open ([`KindVerdict::Line`]) is printed and searched. Both ways must agree, so a change of
//! `report::blkparse_line` may need a change here.

use super::entries::ListEntry;
use crate::answer::BadQuery;
use crate::query::{Flag, TimeRange};
use crate::select::{flag_bits, mask, table};
use seekscope_measure::failed::is_failed;
use seekscope_report::blkparse_line as line;
use seekscope_trace::errno::named_error;
use seekscope_trace::event::{Action, Op};
use seekscope_trace::protocol::FloatSector;
use seekscope_trace::store::Store;
use seekscope_trace::store::events::EventKind;
use serde::Deserialize;
use std::ops::Range;

/// The letter by which a filter of actions selects messages.
const MESSAGE: &str = "m";

/// Which lines an event list shows. What is absent does not restrict.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EventFilter {
    /// Letters as blkparse prints them; `m` for messages.
    pub actions: Option<Vec<String>>,
    /// Operations that are shown. Plugs and messages have none, so they match only if this is
    /// absent.
    pub ops: Option<Vec<Op>>,
    pub devices: Option<Vec<u32>>,
    /// Indices of the store's processes: the task that was running.
    pub processes: Option<Vec<u32>>,
    /// CPUs that recorded the event.
    pub cpus: Option<Vec<u32>>,
    /// Shows completions that failed with one of these errors, by number or name (`5`, `EIO`), or
    /// with `any`.
    pub errors: Option<Vec<String>>,
    /// Sectors [from, to): shows events that overlap it.
    pub lba: Option<(FloatSector, FloatSector)>,
    pub range: Option<TimeRange>,
    /// Words that must all occur in the line as blkparse prints it, ignoring case.
    pub text: Vec<String>,
    /// Hidden operations; plugs and messages stay.
    pub hide_ops: Vec<Op>,
    /// Events with one of these are hidden.
    pub hide_flags: Vec<Flag>,
    pub hide_processes: Vec<u32>,
    pub hide_cpus: Vec<u32>,
}

/// A validated filter, ready to be applied.
pub struct EventSelection<'a> {
    store: &'a Store,
    actions: u32,
    ops: u8,
    hide_flags: u8,
    devices: Option<Vec<bool>>,
    processes: Option<Vec<bool>>,
    hide_processes: Vec<bool>,
    cpus: Option<Vec<bool>>,
    hide_cpus: Vec<bool>,
    errors: Option<ErrorFilter>,
    lba: Option<(f64, f64)>,
    range: Option<TimeRange>,
    /// Events in the range.
    rows: Range<usize>,
    words: Vec<SearchTerm>,
    all: bool,
    /// For each kind of event, by its number; empty where there are too many kinds.
    verdicts: Vec<KindVerdict>,
    /// Whether the kind and the row of an event decide alone: no line is to be read and no sector
    /// to be compared.
    by_kind: bool,
}

/// Whether events of a kind match, as far as that does not depend on their time and sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KindVerdict {
    No,
    Yes,
    /// Only the printed line decides.
    Line,
}

/// Kinds are decided in advance if there are at most this many.
const MAX_KINDS: usize = 1 << 16;

/// More CPUs than any kernel supports (CONFIG_NR_CPUS is at most 8192); bounds the table.
const CPUS: usize = 1 << 16;
const ALL_ACTIONS: u32 = u32::MAX;
const ALL_OPS: u8 = 0b1111;
/// Bit of plugs and messages among the operations.
const NO_OP: u8 = 1 << 7;

fn holds(table: &[bool], index: u32) -> bool {
    table.get(index as usize).copied().unwrap_or(false)
}

fn op_mask(ops: &[Op]) -> u8 {
    mask(ops.iter().map(|op| *op as u8))
}

/// Which failed completions are shown; `Listed` has errnos.
enum ErrorFilter {
    Any,
    Listed(Vec<u16>),
}

impl ErrorFilter {
    fn new(errors: &[String]) -> Result<ErrorFilter, BadQuery> {
        if errors.iter().any(|word| word.eq_ignore_ascii_case("any")) {
            return Ok(ErrorFilter::Any);
        }
        let number = |word: &String| {
            let named = named_error(word).map(|error| error.errno);
            named
                .or_else(|| word.parse().ok())
                .ok_or_else(|| BadQuery(format!("unknown error `{word}`")))
        };
        let listed: Result<Vec<u16>, BadQuery> = errors.iter().map(number).collect();
        listed.map(ErrorFilter::Listed)
    }

    fn takes(&self, kind: &EventKind) -> bool {
        is_failed(kind)
            && match self {
                ErrorFilter::Any => true,
                ErrorFilter::Listed(errors) => errors.contains(&kind.error.unsigned_abs()),
            }
    }
}

/// A mask of the actions with these letters; bit 0 is for messages.
fn action_mask(actions: &[String]) -> Result<u32, BadQuery> {
    actions.iter().try_fold(0, |mask, letters| {
        let bit = if letters == MESSAGE {
            Some(0)
        } else {
            Action::ALL
                .into_iter()
                .find(|a| a.letters() == letters)
                .map(Action::code)
        };
        bit.map(|bit| mask | 1 << bit)
            .ok_or_else(|| BadQuery(format!("unknown action `{letters}`")))
    })
}

impl<'a> EventSelection<'a> {
    /// Validates a filter and decides it for all kinds of events.
    pub fn new(store: &'a Store, filter: &EventFilter) -> Result<EventSelection<'a>, BadQuery> {
        let listed =
            |indices: &Option<Vec<u32>>, limit| indices.as_ref().map(|list| table(list, limit));
        let shown = filter.ops.as_deref().map_or(ALL_OPS | NO_OP, op_mask);
        let mut selection = EventSelection {
            store,
            actions: filter
                .actions
                .as_deref()
                .map_or(Ok(ALL_ACTIONS), action_mask)?,
            ops: shown & !op_mask(&filter.hide_ops),
            hide_flags: mask(filter.hide_flags.iter().map(|flag| *flag as u8)),
            devices: listed(&filter.devices, store.devices.len()),
            processes: listed(&filter.processes, store.processes.len()),
            hide_processes: table(&filter.hide_processes, store.processes.len()),
            cpus: listed(&filter.cpus, CPUS),
            errors: filter.errors.as_deref().map(ErrorFilter::new).transpose()?,
            hide_cpus: table(&filter.hide_cpus, CPUS),
            lba: filter.lba,
            range: filter.range,
            rows: filter
                .range
                .map_or(0..store.events.len(), |range| event_rows(store, range)),
            words: filter
                .text
                .iter()
                .map(|word| SearchTerm::new(store, word))
                .collect(),
            all: *filter == EventFilter::default(),
            verdicts: Vec::new(),
            by_kind: false,
        };
        let kinds = store.events.task_kinds();
        if kinds <= MAX_KINDS {
            selection.verdicts = store
                .events
                .each_task_kind()
                .map(|(kind, process)| selection.verdict(kind, process))
                .collect();
        }
        let decides = !selection.verdicts.contains(&KindVerdict::Line) && kinds <= MAX_KINDS;
        selection.by_kind = decides && filter.lba.is_none();
        Ok(selection)
    }

    /// Whether the filter matches every entry.
    pub fn all(&self) -> bool {
        self.all
    }

    /// Number of entries to examine per query, for about 20 ms: millions if their kinds decide,
    /// thousands if lines must be printed.
    pub fn piece(&self) -> usize {
        match self.words.iter().map(|word| word.names.is_some()).min() {
            None | Some(true) => 1 << 22,
            Some(false) => 1 << 15,
        }
    }

    /// Whether an entry matches. `text` is scratch space.
    pub fn takes(&self, entry: ListEntry, text: &mut String) -> bool {
        match entry {
            ListEntry::Event(i) => self.takes_event(i, text),
            ListEntry::Message(m) => self.takes_message(m, text),
        }
    }

    pub fn takes_event(&self, i: usize, text: &mut String) -> bool {
        let e = &self.store.events;
        let number = e.task_number(i);
        let (kind, process) = e.kind_of_task(number);
        let verdict = match self.verdicts.get(number as usize) {
            Some(verdict) => *verdict,
            None => self.verdict(kind, process),
        };
        verdict != KindVerdict::No
            && self
                .lba
                .is_none_or(|lba| touches(e.sector(i), u64::from(kind.bytes >> 9), lba))
            && self.rows.contains(&i)
            && (verdict == KindVerdict::Yes || self.reads_event(i, text))
    }

    /// Which of at most 64 events match, one bit each, the first one lowest, and how many were
    /// examined: it stops where the piece of memory with the numbers of their kinds ends.
    #[inline]
    pub fn take_events(&self, events: Range<usize>, text: &mut String) -> (u64, usize) {
        let (first, numbers) = (events.start, self.store.events.task_numbers(events));
        let (n, mut bits) = (numbers.len(), 0);
        if self.verdicts.is_empty() {
            (0..n).for_each(|j| bits |= u64::from(self.takes_event(first + j, text)) << j);
            return (bits, n);
        }
        for (j, number) in numbers.enumerate() {
            bits |= u64::from(self.verdicts[number as usize] != KindVerdict::No) << j;
        }
        if self.rows.start > first || self.rows.end < first + n {
            (0..n)
                .filter(|j| !self.rows.contains(&(first + j)))
                .for_each(|j| bits &= !(1 << j));
        }
        let mut open = if self.by_kind { 0 } else { bits };
        while open != 0 {
            let j = open.trailing_zeros();
            bits &= !(u64::from(!self.takes_event(first + j as usize, text)) << j);
            open &= open - 1;
        }
        (bits, n)
    }

    /// Decides about all events of a kind and process, as far as their line, time and sector do not
    /// matter.
    fn verdict(&self, kind: &EventKind, process: u32) -> KindVerdict {
        let &EventKind {
            action,
            flags,
            bytes,
            device,
            cpu,
            ..
        } = kind;
        let op = if is_plug(action) {
            NO_OP
        } else {
            1 << flags.op(bytes) as u8
        };
        let taken = self.actions >> action.code() & 1 == 1
            && !(self.lba.is_some() && is_plug(action))
            && self.ops & op != 0
            && (self.hide_flags == 0 || self.hide_flags & flag_bits(flags, bytes) == 0)
            && self.devices.as_ref().is_none_or(|t| holds(t, device))
            && self.processes.as_ref().is_none_or(|t| holds(t, process))
            && !holds(&self.hide_processes, process)
            && self.takes_cpu(cpu)
            && self.errors.as_ref().is_none_or(|errors| errors.takes(kind));
        if !taken {
            return KindVerdict::No;
        }
        self.words.iter().fold(KindVerdict::Yes, |all, word| {
            match word.find_in_kind(kind, process) {
                Some(true) => all,
                Some(false) => KindVerdict::No,
                None if all == KindVerdict::Yes => KindVerdict::Line,
                None => all,
            }
        })
    }

    #[inline(never)]
    fn reads_event(&self, i: usize, text: &mut String) -> bool {
        text.clear();
        line::event(text, self.store, i, None);
        text.make_ascii_lowercase();
        // Words that the kind can decide were decided by `verdict`.
        self.words
            .iter()
            .all(|word| word.names.is_some() || text.contains(&word.text))
    }

    fn takes_message(&self, m: usize, text: &mut String) -> bool {
        let Some(row) = self.store.messages.rows.get(m) else {
            return false;
        };
        // A message has a pid, which may stand for several processes of the store.
        let is_in = |table: &[bool]| {
            let rows = self.store.processes.iter().enumerate();
            rows.filter(|(_, p)| p.pid == row.pid)
                .any(|(i, _)| holds(table, i as u32))
        };
        if self.actions & 1 == 0
            || self.lba.is_some()
            || self.errors.is_some()
            || self.ops & NO_OP == 0
            || !self.within(row.time)
            || self.devices.as_ref().is_some_and(|t| !holds(t, row.device))
            || self.processes.as_ref().is_some_and(|t| !is_in(t))
            || is_in(&self.hide_processes)
            || !self.takes_cpu(row.cpu)
        {
            return false;
        }
        text.clear();
        if !self.words.is_empty() {
            line::message(text, self.store, m, None);
            text.make_ascii_lowercase();
        }
        self.words.iter().all(|word| text.contains(&word.text))
    }

    fn takes_cpu(&self, cpu: u32) -> bool {
        self.cpus.as_ref().is_none_or(|t| holds(t, cpu)) && !holds(&self.hide_cpus, cpu)
    }

    fn within(&self, time: u64) -> bool {
        self.range
            .is_none_or(|r| time as f64 >= r.t0 && (time as f64) < r.t1)
    }
}

/// The events of a range, by binary search: their times ascend. As in [`EventSelection::within`],
/// the end of a range is always exclusive, also at the end of the trace.
fn event_rows(store: &Store, range: TimeRange) -> Range<usize> {
    let before = |limit: f64| {
        let (mut low, mut high) = (0, store.events.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if (store.events.time(middle) as f64) < limit {
                low = middle + 1
            } else {
                high = middle
            }
        }
        low
    };
    before(range.t0)..before(range.t1)
}

fn is_plug(action: Action) -> bool {
    matches!(action, Action::Plug | Action::Unplug | Action::UnplugTimer)
}

fn touches(first: u64, sectors: u64, (from, to): (f64, f64)) -> bool {
    let end = first.saturating_add(sectors.max(1));
    first != u64::MAX && (first as f64) < to && end as f64 > from
}

/// Text to find in a line.
struct SearchTerm {
    text: String,
    /// For each process whether its name contains the text. Present for text with a letter and
    /// without brackets and spaces: in the line of an event such text can occur only in the name,
    /// the action or the flags.
    names: Option<Vec<bool>>,
    /// Actions whose letters contain the text, one bit each.
    actions: u32,
    /// Whether printed flags can contain the text.
    in_flags: bool,
}

/// Length of the longest action and flags; longer text can occur in neither.
const MAX_LETTERS: usize = 7;

impl SearchTerm {
    fn new(store: &Store, word: &str) -> SearchTerm {
        let text = word.to_ascii_lowercase();
        let is_name_like = text.contains(|c: char| c.is_ascii_alphabetic())
            && !text.contains(['[', ']', '(', ')', ' ']);
        let named = |process| {
            let mut name = line::name(store, process).to_owned();
            name.make_ascii_lowercase();
            name.contains(&text)
        };
        let names = is_name_like.then(|| (0..store.processes.len() as u32).map(named).collect());
        let short = text.len() <= MAX_LETTERS;
        let actions = Action::ALL
            .into_iter()
            .filter(|a| short && a.letters().to_ascii_lowercase().contains(&text));
        let actions = actions.fold(0, |bits, action| bits | 1 << action.code());
        let in_flags = short && text.bytes().all(|b| b"fwdrnasm".contains(&b));
        SearchTerm {
            text,
            names,
            actions,
            in_flags,
        }
    }

    /// Whether the lines of events of a kind and process contain the text; absent if only a printed
    /// line shows it. Lines of completions, requeues and remaps have no name.
    fn find_in_kind(&self, kind: &EventKind, process: u32) -> Option<bool> {
        let names = self.names.as_ref()?;
        let &EventKind {
            action,
            flags,
            bytes,
            ..
        } = kind;
        let name_printed = !matches!(action, Action::Complete | Action::Requeue | Action::Remap);
        let printed = || flags.rwbs(bytes).to_ascii_lowercase().contains(&self.text);
        Some(
            name_printed && holds(names, process)
                || self.actions >> action.code() & 1 == 1
                || self.in_flags && printed(),
        )
    }
}
