//! Filter of the event list: which events and messages it shows.

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

/// Letter of messages among the actions.
const MESSAGE: &str = "m";

/// Which lines an event list shows. What is absent does not restrict.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EventFilter {
    /// Letters as blkparse prints them; `m` for messages.
    pub actions: Option<Vec<String>>,
    /// Operations. Plugs and messages have none, so they match only if this is absent.
    pub ops: Option<Vec<Op>>,
    pub devices: Option<Vec<u32>>,
    /// Indices of the store's processes: the task that was running.
    pub processes: Option<Vec<u32>>,
    /// CPUs that recorded the event.
    pub cpus: Option<Vec<u32>>,
    /// Errors by number or name (`5`, `EIO`), `any` for all: completions that failed.
    pub errors: Option<Vec<String>>,
    /// [from, to): events that overlap it.
    pub lba: Option<(FloatSector, FloatSector)>,
    pub range: Option<TimeRange>,
    /// Each must occur in the line as blkparse prints it, ignoring case.
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
    /// By number of the kind of an event; empty where there are too many kinds.
    verdicts: Vec<KindVerdict>,
    /// Whether kinds decide alone.
    by_kind: bool,
}

/// Whether events of a kind match, as far as that does not depend on their time and sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KindVerdict {
    No,
    Yes,
    /// The line must be read.
    Line,
}

/// Kinds that are examined before the events are.
const MAX_KINDS: usize = 1 << 16;

/// More CPUs than any kernel supports (CONFIG_NR_CPUS is at most 8192); bounds the table.
const CPUS: usize = 1 << 16;
const ALL_ACTIONS: u32 = u32::MAX;
const ALL_OPS: u8 = 0b1111;
/// Bit of plugs and messages among the operations.
const NO_OP: u8 = 1 << 7;

fn holds(table: &[bool], at: u32) -> bool {
    table.get(at as usize).copied().unwrap_or(false)
}

fn mask_of_ops(ops: &[Op]) -> u8 {
    mask(ops.iter().map(|op| *op as u8))
}

/// Which errors are shown.
enum ErrorFilter {
    Any,
    Listed(Vec<u16>),
}

impl ErrorFilter {
    fn new(given: &[String]) -> Result<ErrorFilter, BadQuery> {
        if given.iter().any(|word| word.eq_ignore_ascii_case("any")) {
            return Ok(ErrorFilter::Any);
        }
        let number = |word: &String| {
            let named = named_error(word).map(|error| error.errno);
            named
                .or_else(|| word.parse().ok())
                .ok_or_else(|| BadQuery(format!("unknown error `{word}`")))
        };
        let listed: Result<Vec<u16>, BadQuery> = given.iter().map(number).collect();
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

fn actions(given: &[String]) -> Result<u32, BadQuery> {
    given.iter().try_fold(0, |mask, letters| {
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
    /// Validates a filter.
    pub fn new(store: &'a Store, filter: &EventFilter) -> Result<EventSelection<'a>, BadQuery> {
        let listed =
            |given: &Option<Vec<u32>>, limit| given.as_ref().map(|list| table(list, limit));
        let shown = filter.ops.as_deref().map_or(ALL_OPS | NO_OP, mask_of_ops);
        let mut selection = EventSelection {
            store,
            actions: filter.actions.as_deref().map_or(Ok(ALL_ACTIONS), actions)?,
            ops: shown & !mask_of_ops(&filter.hide_ops),
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
                .map_or(0..store.events.len(), |range| rows_of(store, range)),
            words: filter
                .text
                .iter()
                .map(|word| SearchTerm::new(store, word))
                .collect(),
            all: *filter == EventFilter::default(),
            verdicts: Vec::new(),
            by_kind: false,
        };
        let kinds = store.events.kinds();
        if kinds <= MAX_KINDS {
            selection.verdicts = (0..kinds as u32)
                .map(|kind| selection.verdict(store.events.kind_of(kind)))
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

    /// Entries that take about 20 ms to examine: most if their kinds decide, fewest if lines must
    /// be printed.
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

    /// Whether an event matches.
    pub fn takes_event(&self, i: usize, text: &mut String) -> bool {
        let e = &self.store.events;
        let verdict = match self.verdicts.get(e.kind_number(i) as usize) {
            Some(verdict) => *verdict,
            None => self.verdict(e.kind(i)),
        };
        verdict != KindVerdict::No
            && self
                .lba
                .is_none_or(|lba| touches(e.sector(i), e.sectors(i), lba))
            && self.rows.contains(&i)
            && (verdict == KindVerdict::Yes || self.reads_event(i, text))
    }

    /// Which of some events match, one bit each, the first one lowest: as many as are in one piece
    /// of memory, and how many that are.
    #[inline]
    pub fn take_events(&self, events: Range<usize>, text: &mut String) -> (u64, usize) {
        let (first, numbers) = (events.start, self.store.events.kind_numbers(events));
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

    /// What all events of a kind have in common: everything but their line, their time and their
    /// sector.
    fn verdict(&self, kind: &EventKind) -> KindVerdict {
        let &EventKind {
            action,
            flags,
            bytes,
            process,
            device,
            cpu,
            ..
        } = kind;
        let op = if plugs(action) {
            NO_OP
        } else {
            1 << flags.op(bytes) as u8
        };
        let taken = self.actions >> action.code() & 1 == 1
            && !(self.lba.is_some() && plugs(action))
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
        self.words
            .iter()
            .fold(KindVerdict::Yes, |all, word| match word.quick(kind) {
                Some(true) => all,
                Some(false) => KindVerdict::No,
                None if all == KindVerdict::Yes => KindVerdict::Line,
                None => all,
            })
    }

    #[inline(never)]
    fn reads_event(&self, i: usize, text: &mut String) -> bool {
        text.clear();
        line::event(text, self.store, i, None);
        text.make_ascii_lowercase();
        // The others are decided by the kind.
        self.words
            .iter()
            .all(|word| word.names.is_some() || text.contains(&word.text))
    }

    fn takes_message(&self, m: usize, text: &mut String) -> bool {
        let Some(row) = self.store.messages.rows.get(m) else {
            return false;
        };
        let of = |table: &[bool]| {
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
            || self.processes.as_ref().is_some_and(|t| !of(t))
            || of(&self.hide_processes)
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

/// Events in a range: their times ascend.
fn rows_of(store: &Store, range: TimeRange) -> Range<usize> {
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

fn plugs(action: Action) -> bool {
    matches!(action, Action::Plug | Action::Unplug | Action::UnplugTimer)
}

fn touches(first: u64, sectors: u64, (from, to): (f64, f64)) -> bool {
    let end = first.saturating_add(sectors.max(1));
    first != u64::MAX && (first as f64) < to && end as f64 > from
}

/// Text to find in a line.
struct SearchTerm {
    text: String,
    /// For text with a letter and without brackets and spaces: in the line of an event it can occur
    /// only in the name, the action or the flags. By process: whether the name contains it.
    names: Option<Vec<bool>>,
    /// Actions whose letters contain it, one bit each.
    actions: u32,
    /// Whether flags can contain it.
    in_flags: bool,
}

/// Length of the longest action and flags.
const LONGEST: usize = 7;

impl SearchTerm {
    fn new(store: &Store, word: &str) -> SearchTerm {
        let text = word.to_ascii_lowercase();
        let one = text.contains(|c: char| c.is_ascii_alphabetic())
            && !text.contains(['[', ']', '(', ')', ' ']);
        let named = |process| {
            let mut name = line::name(store, process).to_owned();
            name.make_ascii_lowercase();
            name.contains(&text)
        };
        let names = one.then(|| (0..store.processes.len() as u32).map(named).collect());
        let short = text.len() <= LONGEST;
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

    /// The result without printing the line; absent if the line must be printed.
    fn quick(&self, kind: &EventKind) -> Option<bool> {
        let names = self.names.as_ref()?;
        let &EventKind {
            action,
            flags,
            bytes,
            process,
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
