//! Applies a filter: which requests an answer includes.

use super::answer::BadQuery;
use super::kinds::{FilterKind, FilterKinds};
use super::query::{Filter, GeometryQuery, index_of};
use super::view::{View, placed, total_latency};
use crate::event::{Flags, Op};
use crate::measure::Geometry;
use crate::measure::alignment::{self, Class};
use crate::store::events::EventKind;
use crate::store::{Events, Requests};

/// Operations, in the order of [`Op`].
pub const OPS: [&str; 4] = ["read", "write", "discard", "flush"];
/// Flags, in the order of the bits of [`flag_bits`].
pub const FLAGS: [&str; 6] = ["sync", "fua", "meta", "ahead", "preflush", "passthrough"];
/// Alignment classes, in the order of [`Class`].
pub const ALIGNMENT: [&str; 4] = ["full", "unit", "inside", "straddles"];

/// Which of [`FLAGS`] a request has, one bit each. Preflush applies only to requests with data.
#[inline]
pub fn flag_bits(flags: Flags, bytes: u32) -> u8 {
    let bit = |flag: Flags, at: u8| u8::from(flags.has(flag)) << at;
    bit(Flags::SYNC, 0)
        | bit(Flags::FUA, 1)
        | bit(Flags::META, 2)
        | bit(Flags::AHEAD, 3)
        | if bytes > 0 { bit(Flags::FLUSH, 4) } else { 0 }
        | bit(Flags::PC, 5)
}

/// A validated filter, ready to be applied to many rows.
pub struct Selection<'a> {
    requests: &'a Requests,
    device: Option<u32>,
    hides: bool,
    hide_ops: u8,
    hide_flags: u8,
    hide_alignment: u8,
    hide_processes: Vec<bool>,
    hide_cpus: Vec<bool>,
    /// The geometry of the filter.
    pub geometry: Option<Geometry>,
    lba: Option<(f64, f64)>,
    sectors: Option<(f64, f64)>,
    latency: Option<(f64, f64)>,
    /// Whether only the columns of a row decide: its LBA, length, latency or alignment.
    by_row: bool,
    /// The kinds of a complete trace, and which of them the filter includes.
    kinds: Option<(&'a FilterKinds, Vec<bool>)>,
}

fn mask(words: &[&str], given: &[String]) -> Result<u8, BadQuery> {
    given.iter().try_fold(0, |mask, word| Ok(mask | 1 << index_of(words, word)?))
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

/// More CPUs than any kernel supports (CONFIG_NR_CPUS is at most 8192); bounds the table.
const CPUS: usize = 1 << 16;

impl<'a> Selection<'a> {
    /// Validates a filter against the trace.
    pub fn new(view: View<'a>, filter: &Filter) -> Result<Selection<'a>, BadQuery> {
        let store = view.store;
        if filter.device as usize >= store.devices.len() {
            return Err(BadQuery(format!("device {} does not exist", filter.device)));
        }
        let geometry = filter.geometry.as_ref().map(GeometryQuery::geometry).transpose()?;
        let hide_alignment = mask(&ALIGNMENT, &filter.hide_alignment)?;
        if hide_alignment != 0 && geometry.is_none() {
            return Err(BadQuery::new("hiding alignment classes requires a geometry"));
        }
        let mut selection = Selection {
            requests: &store.requests,
            device: (store.devices.len() > 1).then_some(filter.device),
            hides: false,
            hide_ops: mask(&OPS, &filter.hide_ops)?,
            hide_flags: mask(&FLAGS, &filter.hide_flags)?,
            hide_alignment,
            hide_processes: table(&filter.hide_processes, store.processes.len()),
            hide_cpus: table(&filter.hide_cpus, CPUS),
            geometry,
            lba: filter.lba,
            sectors: filter.sectors,
            latency: filter.latency,
            by_row: hide_alignment != 0 || filter.lba.is_some() || filter.sectors.is_some() || filter.latency.is_some(),
            kinds: None,
        };
        selection.hides = selection.hide_ops | selection.hide_flags | selection.hide_alignment != 0
            || !selection.hide_processes.is_empty()
            || !selection.hide_cpus.is_empty();
        selection.kinds = view.kinds().map(|kinds| (kinds, kinds.list().iter().map(|kind| selection.takes_kind(kind)).collect()));
        Ok(selection)
    }

    /// Whether the filter can include rows of a kind: device and hide lists, without alignment.
    fn takes_kind(&self, kind: &FilterKind) -> bool {
        let &FilterKind { device, op, flags, process, cpu, .. } = kind;
        self.device.is_none_or(|d| d == device) && !self.hides_what(RequestTraits { op, flags, process, cpu, class: None })
    }

    /// The kinds of the trace, and which of them the filter includes: where that decides, no row needs to be examined.
    pub fn kinds(&self) -> Option<(&'a FilterKinds, &[bool])> {
        self.kinds.as_ref().filter(|_| !self.by_row).map(|(kinds, taken)| (*kinds, &taken[..]))
    }

    /// The kinds of the trace whose rows are in scope: all of the device, if nothing else restricts the scope.
    pub fn kinds_in_scope(&self) -> Option<&'a FilterKinds> {
        let by_row = self.lba.is_some() || self.sectors.is_some() || self.latency.is_some();
        self.kinds.as_ref().filter(|_| !by_row).map(|(kinds, _)| *kinds)
    }

    /// Whether the filter includes all requests of its device.
    pub fn takes_device(&self) -> bool {
        !self.hides && !self.by_row
    }

    /// The hidden operations, one bit each, if the filter has only these and a device.
    pub fn only_ops(&self) -> Option<u8> {
        (self.hide_flags == 0 && !self.by_row && self.fits_events()).then_some(self.hide_ops)
    }

    /// Whether kinds of a device are in scope.
    pub fn has_device(&self, device: u32) -> bool {
        self.device.is_none_or(|d| d == device)
    }

    /// Whether the filter includes a row.
    #[inline]
    pub fn takes(&self, row: usize) -> bool {
        match &self.kinds {
            Some((kinds, taken)) => taken[kinds.number(row)] && (!self.by_row || self.takes_row(row)),
            None => self.in_scope(row) && !(self.hides && self.hidden(row)),
        }
    }

    #[inline(never)]
    fn takes_row(&self, row: usize) -> bool {
        let shown = |class: Class| self.hide_alignment & 1 << class as u8 == 0;
        self.in_scope(row) && (self.hide_alignment == 0 || self.alignment(row).is_none_or(shown))
    }

    /// Whether device, LBA, length and latency of a row match; ignores the hide lists.
    #[inline]
    pub fn in_scope(&self, row: usize) -> bool {
        self.device.is_none_or(|d| self.requests.device(row) == d)
            && self.lba.is_none_or(|lba| {
                placed(self.requests, row) && overlaps(self.requests.sector(row), self.requests.sectors(row), lba)
            })
            && self.sectors.is_none_or(|(least, most)| {
                let n = self.requests.sectors(row) as f64;
                n >= least && n <= most
            })
            && self.latency.is_none_or(|(least, most)| {
                total_latency(self.requests, row).is_some_and(|ns| ns as f64 >= least && ns as f64 <= most)
            })
    }

    /// Whether a single event is enough to apply the filter.
    pub fn fits_events(&self) -> bool {
        self.hide_processes.is_empty() && self.hide_cpus.is_empty() && self.latency.is_none()
    }

    /// Whether the filter includes an event. At a Q, process and CPU are those of the bio; the latency is unknown.
    #[inline]
    pub fn takes_event(&self, events: &Events, i: usize, kind: &EventKind) -> bool {
        let &EventKind { device, bytes, flags, process, cpu, .. } = kind;
        let sectors = u64::from(bytes >> 9);
        let class = || if self.hide_alignment == 0 { None } else { alignment::class(&self.geometry?, events.sector(i), sectors) };
        self.device.is_none_or(|d| device == d)
            && self.lba.is_none_or(|lba| events.sector(i) != u64::MAX && overlaps(events.sector(i), sectors, lba))
            && self.sectors.is_none_or(|(least, most)| (least..=most).contains(&(sectors as f64)))
            && !(self.hides
                && self.hides_what(RequestTraits {
                    op: flags.op(bytes),
                    flags: flag_bits(flags, bytes),
                    process,
                    cpu,
                    class: class(),
                }))
    }

    fn hidden(&self, row: usize) -> bool {
        let r = self.requests;
        self.hides_what(RequestTraits {
            op: r.op(row),
            flags: flag_bits(r.flags(row), r.bytes(row)),
            process: r.process(row),
            cpu: r.submit_cpu(row),
            class: if self.hide_alignment == 0 { None } else { self.alignment(row) },
        })
    }

    #[inline]
    fn hides_what(&self, what: RequestTraits) -> bool {
        self.hide_ops & 1 << what.op as u8 != 0
            || self.hide_flags & what.flags != 0
            || self.hide_processes.get(what.process as usize).copied().unwrap_or(false)
            || self.hide_cpus.get(what.cpu as usize).copied().unwrap_or(false)
            || what.class.is_some_and(|class| self.hide_alignment & 1 << class as u8 != 0)
    }

    /// Alignment class; absent without a geometry, and for requests without a sector or data.
    #[inline]
    pub fn alignment(&self, row: usize) -> Option<Class> {
        alignment::class(self.geometry.as_ref()?, self.requests.sector(row), self.requests.sectors(row))
    }
}

/// The properties by which a request or bio can be hidden.
struct RequestTraits {
    op: Op,
    flags: u8,
    process: u32,
    cpu: u32,
    class: Option<Class>,
}

fn overlaps(first: u64, sectors: u64, (from, to): (f64, f64)) -> bool {
    (first as f64) < to && first as f64 + sectors.max(1) as f64 > from
}
