//! Applies a filter: which requests an answer includes.
//!
//! Most of a filter depends only on the kind of a row, so [`Selection::new`] decides it once per
//! kind and [`Selection::takes`] looks it up. LBA, latency, alignment and object are left to the
//! row (`by_row`). Both ways must agree: a row is included exactly if `takes_kind` and `takes_row`
//! are true, whether or not there is a table of kinds.

use super::answer::BadQuery;
use super::query::{Filter, GeometryQuery};
use super::view::{View, placed, total_latency};
use seekscope_measure::Geometry;
use seekscope_measure::arrays::alignment;
use seekscope_measure::arrays::alignment::Class;
use seekscope_trace::event::{Flags, Op};
use seekscope_trace::store::rows::CHUNK;
use seekscope_trace::store::{
    EventKind, EventRow, NO_FRAME, RequestChunk, RequestKind, RequestRow, Requests, Store,
};
use std::ops::Range;
use std::slice::Iter;
use std::sync::Arc;

/// Which of the flags a request has, one bit each in the order of [`Flag`]. Preflush applies only
/// to requests with data.
#[inline]
pub fn flag_bits(flags: Flags, bytes: u32) -> u8 {
    let bit = |flag: Flags, number: u8| u8::from(flags.has(flag)) << number;
    bit(Flags::SYNC, 0)
        | bit(Flags::FUA, 1)
        | bit(Flags::META, 2)
        | bit(Flags::AHEAD, 3)
        | if bytes > 0 { bit(Flags::FLUSH, 4) } else { 0 }
        | bit(Flags::PC, 5)
}

/// A validated filter, ready to be applied to many rows.
pub struct Selection {
    device: Option<u32>,
    hides: bool,
    hide_ops: u8,
    hide_flags: u8,
    hide_alignment: u8,
    hide_processes: Vec<bool>,
    hide_cpus: Vec<bool>,
    hide_objects: Vec<bool>,
    /// Index of the object of each row, if objects are hidden.
    object_of_row: Arc<[u8]>,
    hide_writers: Vec<bool>,
    /// The same for writers.
    writer_of_row: Arc<[u8]>,
    pub geometry: Option<Geometry>,
    lba: Option<(f64, f64)>,
    sectors: Option<(f64, f64)>,
    latency: Option<(f64, f64)>,
    /// Whether each row was submitted through the functions of the filter; absent without any.
    through: Option<Vec<bool>>,
    /// Whether more than the kind of a row decides: its LBA, latency, alignment, object, writers or
    /// call stack.
    by_row: bool,
    /// For each kind of request whether the filter can include it. Empty where there are too many
    /// kinds.
    taken: Vec<bool>,
}

/// A mask with the bits of these numbers, each below 8.
pub fn mask(numbers: impl Iterator<Item = u8>) -> u8 {
    numbers.fold(0, |mask, number| mask | 1 << number)
}

/// A table with `true` for each index in `hidden` that is below `limit`.
pub fn table(hidden: &[u32], limit: usize) -> Vec<bool> {
    let mut table = Vec::new();
    for &i in hidden {
        let i = i as usize;
        if i < limit {
            if table.len() <= i {
                table.resize(i + 1, false);
            }
            table[i] = true;
        }
    }
    table
}

/// Kinds are decided in advance if there are at most this many, or at most one per
/// [`REQUESTS_PER_KIND`] requests. `top` asks for short ranges again and again: with 65,536 kinds
/// it spent most of its time here.
const MAX_KINDS: usize = 1 << 12;
const REQUESTS_PER_KIND: usize = 16;

/// More CPUs than any kernel supports (CONFIG_NR_CPUS is at most 8192); bounds the table.
const CPUS: usize = 1 << 16;

impl Selection {
    /// Validates a filter against the trace.
    pub fn new(view: View, filter: &Filter) -> Result<Selection, BadQuery> {
        let store = view.store;
        if filter.device as usize >= store.devices.len() {
            return Err(BadQuery(format!("device {} does not exist", filter.device)));
        }
        let geometry = filter
            .geometry
            .as_ref()
            .map(GeometryQuery::geometry)
            .transpose()?;
        let hide_alignment = mask(filter.hide_alignment.iter().map(|class| *class as u8));
        if hide_alignment != 0 && geometry.is_none() {
            return Err(BadQuery::new(
                "hiding alignment classes requires a geometry",
            ));
        }
        let hide_objects = table(&filter.hide_objects, store.object_groups.list.len());
        let hide_writers = table(&filter.hide_writers, store.writer_groups.names.len());
        let mut selection = Selection {
            device: (store.devices.len() > 1).then_some(filter.device),
            hides: false,
            hide_ops: mask(filter.hide_ops.iter().map(|op| *op as u8)),
            hide_flags: mask(filter.hide_flags.iter().map(|flag| *flag as u8)),
            hide_alignment,
            hide_processes: table(&filter.hide_processes, store.processes.len()),
            hide_cpus: table(&filter.hide_cpus, CPUS),
            object_of_row: match hide_objects.is_empty() {
                true => Arc::default(),
                false => store.object_groups.rows(),
            },
            writer_of_row: match hide_writers.is_empty() {
                true => Arc::default(),
                false => store.writer_groups.rows(),
            },
            geometry,
            lba: filter.lba,
            sectors: filter.sectors,
            latency: filter.latency,
            through: (!filter.functions.is_empty()).then(|| submitted_through(store, filter)),
            by_row: hide_alignment != 0
                || !hide_objects.is_empty()
                || !hide_writers.is_empty()
                || filter.lba.is_some()
                || filter.latency.is_some()
                || !filter.functions.is_empty(),
            hide_objects,
            hide_writers,
            taken: Vec::new(),
        };
        selection.hides = selection.hide_ops | selection.hide_flags | selection.hide_alignment != 0
            || !selection.hide_processes.is_empty()
            || !selection.hide_cpus.is_empty()
            || !selection.hide_objects.is_empty()
            || !selection.hide_writers.is_empty();
        let requests = &store.requests;
        if requests.kinds() <= MAX_KINDS.max(requests.len() / REQUESTS_PER_KIND) {
            selection.taken = requests
                .each_kind()
                .map(|kind| selection.takes_kind(kind))
                .collect();
        }
        Ok(selection)
    }

    /// Whether the filter can include rows of a kind: everything but LBA, latency and alignment
    /// matches.
    pub fn takes_kind(&self, kind: &RequestKind) -> bool {
        let &RequestKind {
            flags,
            bytes,
            process,
            submit_cpu: cpu,
            ..
        } = kind;
        let traits = RequestTraits {
            op: kind.op(),
            flags: flag_bits(flags, bytes),
            process,
            cpu,
        };
        self.has_kind_in_scope(kind) && !(self.hides && self.is_hidden(traits))
    }

    /// Whether device and length of a kind match.
    #[inline]
    pub fn has_kind_in_scope(&self, kind: &RequestKind) -> bool {
        self.device.is_none_or(|d| d == kind.device)
            && self
                .sectors
                .is_none_or(|(min, max)| (min..=max).contains(&(kind.sectors() as f64)))
    }

    /// Whether the kind of a row decides alone whether it is in scope.
    pub fn fits_kinds(&self) -> bool {
        self.lba.is_none() && self.latency.is_none() && self.through.is_none()
    }

    /// Whether kinds are few enough to be decided in advance.
    pub fn has_kinds(&self) -> bool {
        !self.taken.is_empty()
    }

    /// For each kind whether the filter includes its rows; absent where more than its kind decides
    /// about a row, and where there are too many kinds.
    pub fn kinds_alone(&self) -> Option<&[bool]> {
        (!self.by_row && self.has_kinds()).then_some(&self.taken)
    }

    /// Visits the included ones among some rows, many at once. Kinds are decided first, so that the
    /// rest of a row is not even read where the filter leaves out its kind.
    #[inline]
    pub fn chunks<'a>(
        &self,
        requests: &'a Requests,
        rows: Range<usize>,
        mut visit: impl FnMut(TakenRows<'a, '_>),
    ) {
        requests.chunks(rows, |chunk| self.each_chunk(chunk, &mut visit));
    }

    /// Visits the included ones among the rows of a chunk.
    #[inline(always)]
    pub fn each_chunk<'a>(&self, chunk: RequestChunk<'a>, visit: impl FnOnce(TakenRows<'a, '_>)) {
        let (mut of_kinds, mut of_rows) = ([0; CHUNK], [0; CHUNK]);
        let (mut indices, is_any_beyond) = chunk.of_kinds(&self.taken, &mut of_kinds);
        if self.by_row || is_any_beyond {
            indices = self.by_row(chunk, indices, &mut of_rows);
        }
        visit(TakenRows {
            chunk,
            indices: indices.iter(),
            is_near: !is_any_beyond,
        });
    }

    /// The indices of the rows that the filter includes, of those whose kinds do not say.
    #[inline(never)]
    fn by_row<'i>(
        &self,
        chunk: RequestChunk,
        indices: &[u8],
        taken: &'i mut [u8; CHUNK],
    ) -> &'i [u8] {
        let mut found = 0;
        for &index in indices {
            taken[found % CHUNK] = index;
            found += usize::from(self.takes(chunk.row(index)));
        }
        &taken[..found]
    }

    /// Visits the included ones among some rows, in order.
    #[inline]
    pub fn each<'a>(
        &self,
        requests: &'a Requests,
        rows: Range<usize>,
        mut visit: impl FnMut(RequestRow<'a>),
    ) {
        self.chunks(requests, rows, |taken| taken.for_each(&mut visit));
    }

    /// Whether the filter includes all requests of its device.
    pub fn takes_device(&self) -> bool {
        !self.hides && !self.by_row && self.sectors.is_none()
    }

    /// The hidden operations, one bit each, if the filter restricts nothing but these and the
    /// device. Such a filter can be applied to events and to sums by operation.
    pub fn only_ops(&self) -> Option<u8> {
        (self.hide_flags == 0 && !self.by_row && self.sectors.is_none() && self.fits_events())
            .then_some(self.hide_ops)
    }

    /// Whether the filter includes a row.
    #[inline(always)]
    pub fn takes(&self, row: RequestRow) -> bool {
        let taken = self
            .taken
            .get(row.kind_number() as usize)
            .copied()
            .unwrap_or_else(|| self.takes_kind(row.kind()));
        taken && self.takes_row(row)
    }

    /// Whether the filter includes a row, if it can include its kind.
    #[inline(always)]
    pub fn takes_row(&self, row: RequestRow) -> bool {
        !self.by_row || self.matches(row) && self.shows_alignment(row) && self.shows_owner(row)
    }

    fn shows_owner(&self, row: RequestRow) -> bool {
        let is_hidden = |groups: &[u8], hidden: &[bool]| {
            let group = groups.get(row.row).copied();
            group.is_some_and(|group| hidden.get(usize::from(group)) == Some(&true))
        };
        !is_hidden(&self.object_of_row, &self.hide_objects)
            && !is_hidden(&self.writer_of_row, &self.hide_writers)
    }

    fn shows_alignment(&self, row: RequestRow) -> bool {
        let shown = |class: Class| self.hide_alignment & 1 << class as u8 == 0;
        self.hide_alignment == 0 || self.alignment(row).is_none_or(shown)
    }

    /// Whether device, LBA, length and latency of a row match; ignores the hide lists.
    pub fn in_scope(&self, row: RequestRow) -> bool {
        self.has_kind_in_scope(row.kind()) && self.matches(row)
    }

    /// Whether LBA, latency and call stack of a row match.
    #[inline]
    fn matches(&self, row: RequestRow) -> bool {
        self.lba
            .is_none_or(|lba| placed(row) && overlaps(row.sector(), row.sectors(), lba))
            && self.latency.is_none_or(|(min, max)| {
                total_latency(row).is_some_and(|ns| ns as f64 >= min && ns as f64 <= max)
            })
            && (self.through.as_ref()).is_none_or(|rows| rows.get(row.row) == Some(&true))
    }

    /// Whether a single event is enough to apply the filter.
    pub fn fits_events(&self) -> bool {
        self.hide_processes.is_empty()
            && self.hide_cpus.is_empty()
            && self.hide_objects.is_empty()
            && self.hide_writers.is_empty()
            && self.latency.is_none()
            && self.through.is_none()
    }

    /// Whether the filter includes an event of a kind that it includes. At a Q, process and CPU are
    /// those of the bio; the latency is unknown.
    #[inline]
    pub fn takes_event(&self, event: EventRow) -> bool {
        if self.fits_event_kinds() {
            return true;
        }
        let (sector, sectors) = (event.sector(), u64::from(event.kind().bytes >> 9));
        let shown = |class: Class| self.hide_alignment & 1 << class as u8 == 0;
        let class = || alignment::class(&self.geometry?, sector, sectors);
        self.lba
            .is_none_or(|lba| sector != u64::MAX && overlaps(sector, sectors, lba))
            && (self.hide_alignment == 0 || class().is_none_or(shown))
    }

    /// Whether the filter includes events of a kind and process, as far as their sectors do not
    /// matter.
    pub fn takes_event_kind(&self, kind: &EventKind, process: u32) -> bool {
        let &EventKind {
            device,
            bytes,
            flags,
            cpu,
            ..
        } = kind;
        let traits = || RequestTraits {
            op: flags.op(bytes),
            flags: flag_bits(flags, bytes),
            process,
            cpu,
        };
        self.device.is_none_or(|d| device == d)
            && self
                .sectors
                .is_none_or(|(min, max)| (min..=max).contains(&(f64::from(bytes >> 9))))
            && !(self.hides && self.is_hidden(traits()))
    }

    /// Whether the sectors of events do not matter.
    pub fn fits_event_kinds(&self) -> bool {
        self.lba.is_none() && self.hide_alignment == 0
    }

    #[inline]
    fn is_hidden(&self, traits: RequestTraits) -> bool {
        self.hide_ops & 1 << traits.op as u8 != 0
            || self.hide_flags & traits.flags != 0
            || self
                .hide_processes
                .get(traits.process as usize)
                .copied()
                .unwrap_or(false)
            || self
                .hide_cpus
                .get(traits.cpu as usize)
                .copied()
                .unwrap_or(false)
    }

    /// The alignment class of a request; absent without a geometry, and for requests without a
    /// sector or data.
    #[inline]
    pub fn alignment(&self, row: RequestRow) -> Option<Class> {
        alignment::class(self.geometry.as_ref()?, row.sector(), row.sectors())
    }
}

/// The rows of a chunk that a filter includes.
#[derive(Clone, Debug)]
pub struct TakenRows<'a, 'i> {
    pub chunk: RequestChunk<'a>,
    /// Their indices.
    pub indices: Iter<'i, u8>,
    /// Whether all rows of the chunk have their kinds and sectors in their places
    /// ([`RequestChunk::near_place`]), and their kinds were decided in advance.
    pub is_near: bool,
}

impl<'a> Iterator for TakenRows<'a, '_> {
    type Item = RequestRow<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<RequestRow<'a>> {
        self.indices.next().map(|&index| self.chunk.row(index))
    }
}

/// The properties by which a request or bio can be hidden.
struct RequestTraits {
    op: Op,
    flags: u8,
    process: u32,
    cpu: u32,
}

/// By row, whether its submission went through the functions of a filter.
fn submitted_through(store: &Store, filter: &Filter) -> Vec<bool> {
    let Some(stacks) = store.stacks.as_deref() else {
        return Vec::new();
    };
    let names = &filter.functions;
    // How many of the functions the path to a frame has, all in their places: a frame comes after
    // the one that called it.
    let mut depth: Vec<u32> = Vec::with_capacity(stacks.frames.len());
    for (number, frame) in stacks.frames.iter().enumerate() {
        let before = match frame.parent {
            NO_FRAME => Some(0),
            parent => depth.get(parent as usize).copied(),
        };
        depth.push(match before {
            Some(before) if before == names.len() as u32 => before,
            Some(before) if before != OFF_PATH => {
                let is_next = names[before as usize] == stacks.name(number as u32);
                if is_next { before + 1 } else { OFF_PATH }
            }
            _ => OFF_PATH,
        });
    }
    let is_complete = |frame: u32| depth.get(frame as usize) == Some(&(names.len() as u32));
    let rows = stacks.rows.iter();
    rows.map(|row| is_complete(row.submitted)).collect()
}

/// The depth of a frame that other functions lead to.
const OFF_PATH: u32 = u32::MAX;

fn overlaps(first: u64, sectors: u64, (from, to): (f64, f64)) -> bool {
    (first as f64) < to && first as f64 + sectors.max(1) as f64 > from
}
