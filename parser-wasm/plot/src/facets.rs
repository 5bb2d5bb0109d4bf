//! Number of requests per value that can be hidden.
//!
//! Rows are counted by their kind (same operation, flags, process, CPU and size), and only the
//! kinds are then taken apart by value: a trace has few kinds and millions of rows. What depends on
//! the sector, which is not part of a kind, is counted per row.

use super::answer::BadQuery;
use super::query::{Filter, TimeRange};
use super::select::{Selection, flag_bits};
use super::view::View;
use seekscope_measure::arrays::alignment::misaligned_4k;
use seekscope_trace::store::RequestKind;
use serde::{Deserialize, Serialize};

/// Parameters of `facets`.
#[derive(Clone, Debug, Deserialize)]
pub struct FacetsQuery {
    /// Its hide lists are ignored.
    pub filter: Filter,
    /// Requests that start in it; absent: all.
    pub range: Option<TimeRange>,
}

/// How many requests fall to each value, ignoring all hide lists.
#[derive(Clone, Debug, Serialize)]
pub struct Facets {
    pub ops: OpCounts,
    pub flags: FlagCounts,
    pub cpus: Vec<CpuCount>,
    pub processes: Vec<ProcessCount>,
    /// Absent without a map of a disk.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ObjectCount>,
    /// Absent without a map of a disk.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writers: Vec<WriterCount>,
    /// Present only with a geometry in the filter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alignment: Option<AlignmentFacets>,
    /// Requests with an end that is no multiple of 4 KiB from the device's start.
    pub misaligned4k: u64,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct OpCounts {
    pub read: u64,
    pub write: u64,
    pub discard: u64,
    pub flush: u64,
}

/// Requests that carry a flag; one with several flags counts for each.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FlagCounts {
    pub sync: u64,
    pub fua: u64,
    pub meta: u64,
    pub ahead: u64,
    pub preflush: u64,
    pub passthrough: u64,
}

/// Requests that were submitted on a CPU.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CpuCount {
    pub cpu: usize,
    pub n: u64,
}

/// Requests by the alignment of both ends.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct AlignmentFacets {
    pub full: u64,
    pub unit: u64,
    pub inside: u64,
    pub straddles: u64,
}

/// Requests of the process with this index.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ProcessCount {
    pub index: usize,
    pub n: u64,
}

/// Requests of the object with this index.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ObjectCount {
    pub index: usize,
    pub n: u64,
}

/// Requests of the writers with this index.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct WriterCount {
    pub index: usize,
    pub n: u64,
}

#[derive(Default)]
struct FacetCounts {
    ops: [u64; 4],
    flags: [u64; 6],
    alignment: [u64; 4],
    misaligned4k: u64,
    cpus: Vec<u64>,
    processes: Vec<u64>,
    objects: Vec<u64>,
    writers: Vec<u64>,
}

/// Answers `facets`.
pub fn facets(view: View, query: &FacetsQuery) -> Result<Facets, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let r = &view.store.requests;
    let mut counts = FacetCounts::default();
    let range = view.starting(query.range.unwrap_or(TimeRange::ALL));
    // For each kind: the requests that begin at a block of 4 KiB, and the others.
    let mut starts = vec![[0u64; 2]; r.kinds()];
    let groups = &view.store.object_groups;
    counts.objects = vec![0; groups.list.len()];
    let writers = &view.store.writer_groups;
    counts.writers = vec![0; writers.names.len()];
    let (by_row, aligned) = (!selection.fits_kinds(), selection.geometry.is_some());
    r.pieces(range, |piece| {
        for row in piece.filter(|row| !by_row || selection.in_scope(*row)) {
            starts[row.kind_number() as usize][usize::from(misaligned_4k(row.sector(), 8))] += 1;
            if !groups.list.is_empty()
                && selection.has_kind_in_scope(row.kind())
                && row.sectors() > 0
            {
                counts.objects[groups.group_of_row(row.row)] += 1;
                add(
                    &mut counts.writers,
                    writers.group_of_row(row.row) as u32,
                    writers.names.len(),
                    1,
                );
            }
            if aligned
                && let Some(class) = selection.alignment(row)
                && selection.has_kind_in_scope(row.kind())
            {
                counts.alignment[class as usize] += 1;
            }
        }
    });
    for (kind, [on, off]) in r.each_kind().zip(starts) {
        if on + off > 0 && selection.has_kind_in_scope(kind) {
            counts.add(kind, on + off, off, view.store.processes.len());
        }
    }
    Ok(counts.facets(selection.geometry.is_some()))
}

/// CPUs that are counted; a damaged trace must not make the list longer.
const CPUS: usize = 1 << 16;

fn add(counts: &mut Vec<u64>, index: u32, limit: usize, n: u64) {
    let index = index as usize;
    if index < limit {
        if counts.len() <= index {
            counts.resize(index + 1, 0);
        }
        counts[index] += n;
    }
}

impl FacetCounts {
    /// Adds `n` requests of a kind; `off` of them begin within a block of 4 KiB.
    fn add(&mut self, kind: &RequestKind, n: u64, off: u64, processes: usize) {
        self.ops[kind.op() as usize] += n;
        let bits = flag_bits(kind.flags, kind.bytes);
        for (bit, count) in self.flags.iter_mut().enumerate() {
            *count += n * u64::from(bits >> bit & 1);
        }
        self.misaligned4k += match kind.sectors() {
            0 => 0,
            sectors if sectors.is_multiple_of(8) => off,
            _ => n,
        };
        add(&mut self.cpus, kind.submit_cpu, CPUS, n);
        add(&mut self.processes, kind.process, processes, n);
    }

    fn facets(&self, with_alignment: bool) -> Facets {
        fn counted<T>(counts: &[u64], entry: impl Fn(usize, u64) -> T) -> Vec<T> {
            let counts = counts.iter().enumerate().filter(|(_, n)| **n > 0);
            counts.map(|(index, n)| entry(index, *n)).collect()
        }
        let [read, write, discard, flush] = self.ops;
        let [sync, fua, meta, ahead, preflush, passthrough] = self.flags;
        let [full, unit, inside, straddles] = self.alignment;
        Facets {
            ops: OpCounts {
                read,
                write,
                discard,
                flush,
            },
            flags: FlagCounts {
                sync,
                fua,
                meta,
                ahead,
                preflush,
                passthrough,
            },
            cpus: counted(&self.cpus, |cpu, n| CpuCount { cpu, n }),
            processes: counted(&self.processes, |index, n| ProcessCount { index, n }),
            objects: counted(&self.objects, |index, n| ObjectCount { index, n }),
            writers: counted(&self.writers, |index, n| WriterCount { index, n }),
            alignment: with_alignment.then_some(AlignmentFacets {
                full,
                unit,
                inside,
                straddles,
            }),
            misaligned4k: self.misaligned4k,
        }
    }
}
