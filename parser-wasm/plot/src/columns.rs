//! Complete rows of requests as columns, for exports: the only answer that is not sized in pixels.
//!
//! Requests and refused bios are one sequence in the order of their start; `from` and `next` are
//! places in it. A refused bio stands at `bio.place`, so the row of a request is its place minus
//! the number of refused bios before it. `next` must point at the first row that was *not*
//! answered, or an export that continues there repeats or loses rows.

use super::answer::{BadQuery, Document, answer_object};
use super::query::{Filter, Flag, TimeRange};
use super::select::{Selection, flag_bits};
use super::view::View;
use seekscope_measure::arrays::alignment::Class;
use seekscope_measure::failed::RefusedBio;
use seekscope_measure::latency;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::{Flags, Op};
use seekscope_trace::store::{NO_CALL, NO_OFFSET, Object, Objects, rows};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Maximum rows per answer: about 13 MB, so that the worker stays responsive between answers.
const MAX_ROWS: usize = 65_536;

/// Stands in `row` for a refused bio, which has no row in the request table.
const NO_ROW: u32 = u32::MAX;

/// Parameters of `columns`.
#[derive(Clone, Debug, Deserialize)]
pub struct ColumnsQuery {
    /// Absent: requests of all devices.
    pub filter: Option<Filter>,
    /// Requests that start in it; absent: all.
    pub range: Option<TimeRange>,
    /// First place to examine: 0, then `next` of the previous answer.
    pub from: f64,
    /// Rows per answer, at most [`MAX_ROWS`].
    pub limit: f64,
}

/// The names that the numbers in the columns `op`, `rwbs`, `flags` and `alignment` refer to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnNames {
    pub op: [Op; 4],
    pub rwbs: Vec<String>,
    pub flags: [Flag; 6],
    pub alignment: [Class; 4],
    /// System calls and io_uring operations: `write()`, `io_uring READ`.
    pub call: Vec<String>,
}

answer_object! {
    /// Complete rows as columns, in time order. ns and bytes; NaN: unknown or not applicable. Names
    /// are indices into `names`.
    #[doc(alias = "RequestColumns")]
    pub struct RowColumns {
        /// Place of the next row, for `from` of the next query; -1 after the last row.
        next: f64,
        n: usize,
        names: Document<ColumnNames>,
        row: Vec<u32>,
        /// Index of the device.
        device: Vec<u32>,
        op: Vec<u8>,
        rwbs: Vec<u32>,
        /// One bit for each of `names.flags`, the first one lowest.
        flags: Vec<u8>,
        sector: Vec<f64>,
        bytes: Vec<u32>,
        /// Index of the process.
        process: Vec<f64>,
        /// CPU of the first bio's Q, or of D without one.
        submit_cpu as "submitCpu": Vec<f64>,
        complete_cpu as "completeCpu": Vec<f64>,
        bios: Vec<f64>,
        /// errno; 0: the request succeeded.
        error: Vec<f64>,
        queued: Vec<f64>,
        allocated: Vec<f64>,
        inserted: Vec<f64>,
        issued: Vec<f64>,
        completed: Vec<f64>,
        q2c: Vec<f64>,
        d2c: Vec<f64>,
        q2d: Vec<f64>,
        q2g: Vec<f64>,
        g2i: Vec<f64>,
        i2d: Vec<f64>,
        g2d: Vec<f64>,
        /// 1 + index of the class in `names.alignment`; 0: none.
        alignment: Vec<u8>,
        /// Of each row the index of its first part in the following columns, and one more at the
        /// end; empty without a map of the disk. Each part is of one object, in the order of the
        /// sectors.
        first_part as "firstPart": Vec<u32>,
        part_sectors as "partSectors": Vec<u32>,
        /// Index in `objects` of [`ObjectNames`]; that is too large where it is unknown.
        part_object as "partObject": Vec<u32>,
        /// Byte in the file.
        part_offset as "partOffset": Vec<f64>,
        /// Index in `writers` of [`ObjectNames`]; too large where it is unknown.
        part_writers as "partWriters": Vec<u32>,
        /// Of each row the index of its first entry in `parent`, and one more at the end; empty
        /// without stacked devices.
        first_parent as "firstParent": Vec<u32>,
        /// Places of the rows of the top device that the row comes from.
        parent: Vec<u32>,
        /// The same for `submitter`: of each row the first entry, and one more at the end.
        first_submitter as "firstSubmitter": Vec<u32>,
        /// Indices of the processes that submitted the row, or the rows that it comes from.
        submitter: Vec<u32>,
        /// Index of the call in which the row was queued, in `names.call`; too large where it is
        /// unknown. Empty without events of calls.
        call: Vec<u32>,
    }
}

/// Columns being filled. Times are in ns; `NaN` is unknown.
#[derive(Default)]
struct RequestColumns {
    /// Row of the request; [`NO_ROW`] for a refused bio.
    row: Vec<u32>,
    device: Vec<u32>,
    op: Vec<u8>,
    rwbs: Vec<u32>,
    flags: Vec<u8>,
    sector: Vec<f64>,
    bytes: Vec<u32>,
    process: Vec<f64>,
    submit_cpu: Vec<f64>,
    complete_cpu: Vec<f64>,
    bios: Vec<f64>,
    error: Vec<f64>,
    queued: Vec<f64>,
    allocated: Vec<f64>,
    inserted: Vec<f64>,
    issued: Vec<f64>,
    completed: Vec<f64>,
    /// One column per stage, in the order of [`latency::STAGES`].
    stages: [Vec<f64>; latency::STAGES.len()],
    alignment: Vec<u8>,
    parts: PartColumns,
    above: AboveColumns,
    call: Vec<u32>,
    words: RwbsTable,
}

/// The parts of the rows by the objects that they belong to.
#[derive(Default)]
struct PartColumns {
    first: Vec<u32>,
    sectors: Vec<u32>,
    object: Vec<u32>,
    offset: Vec<f64>,
    writers: Vec<u32>,
}

impl PartColumns {
    fn push(&mut self, objects: Option<&Objects>, row: Option<usize>) {
        let Some(objects) = objects else {
            return;
        };
        self.first.push(self.sectors.len() as u32);
        for part in row.map_or(&[][..], |row| objects.parts(row)) {
            self.sectors.push(part.sectors);
            self.object.push(part.object);
            self.offset.push(match part.offset {
                NO_OFFSET => f64::NAN,
                offset => offset as f64,
            });
            self.writers.push(part.writers);
        }
    }

    fn finish(&mut self, objects: Option<&Objects>) {
        if objects.is_some() {
            self.first.push(self.sectors.len() as u32);
        }
    }
}

/// Where rows come from, in stacks of devices.
#[derive(Default)]
struct AboveColumns {
    first_parent: Vec<u32>,
    parent: Vec<u32>,
    first_submitter: Vec<u32>,
    submitter: Vec<u32>,
    /// Room for the rows and tasks of one row.
    tops: Vec<u32>,
    tasks: Vec<u32>,
}

impl AboveColumns {
    fn push(&mut self, view: View, row: Option<usize>) {
        let Some(parents) = view.store.parents.as_deref() else {
            return;
        };
        self.first_parent.push(self.parent.len() as u32);
        self.first_submitter.push(self.submitter.len() as u32);
        let Some(row) = row else {
            return;
        };
        if parents.is_top(view.store, row) {
            self.submitter.push(view.store.requests.row(row).process());
            return;
        }
        parents.tasks(view.store, row, &mut self.tops, &mut self.tasks);
        let places = self.tops.iter().map(|&top| place(view, top));
        self.parent.extend(places);
        self.submitter.extend(&self.tasks);
    }

    fn finish(&mut self, view: View) {
        if view.store.parents.is_some() {
            self.first_parent.push(self.parent.len() as u32);
            self.first_submitter.push(self.submitter.len() as u32);
        }
    }
}

/// The place of a row of requests in the sequence with refused bios.
fn place(view: View, row: u32) -> u32 {
    let bios = view.refused_bios();
    let (mut from, mut to) = (0, bios.len());
    while from < to {
        let middle = usize::midpoint(from, to);
        if bios[middle].place - middle <= row as usize {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    row + from as u32
}

/// Parameters of `objectNames`.
#[derive(Clone, Debug, Deserialize)]
pub struct ObjectNamesQuery {}

/// What the numbers of objects and writers in the parts of rows stand for.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ObjectNames {
    pub objects: Vec<Object>,
    /// The tasks that wrote a part, or read it: `comm[pid]`, several separated by `|`.
    pub writers: Vec<String>,
}

/// Answers `objectNames`; both lists are empty without a map of the disk.
pub fn object_names(view: View, _: &ObjectNamesQuery) -> Result<ObjectNames, BadQuery> {
    let Some(objects) = view.store.objects.as_deref() else {
        return Ok(ObjectNames::default());
    };
    let task = |&task: &u32| {
        let task = objects.tasks.get(task as usize)?;
        Some(format!("{}[{}]", task.name, task.pid))
    };
    let names = |set: &Vec<u32>| set.iter().filter_map(task).collect::<Vec<_>>().join("|");
    Ok(ObjectNames {
        objects: objects.objects.clone(),
        writers: objects.task_sets.iter().map(names).collect(),
    })
}

/// Each distinct RWBS string once, with its index.
#[derive(Default)]
struct RwbsTable {
    list: Vec<String>,
    by_flags: HashMap<(u16, bool), u32>,
}

impl RwbsTable {
    fn index(&mut self, flags: Flags, bytes: u32) -> u32 {
        let RwbsTable { list, by_flags } = self;
        *by_flags.entry((flags.0, bytes > 0)).or_insert_with(|| {
            list.push(flags.rwbs(bytes));
            list.len() as u32 - 1
        })
    }
}

impl RequestColumns {
    fn push(&mut self, view: View, selection: Option<&Selection>, row: usize) {
        let request = view.store.requests.row(row);
        let records = |what: Capabilities| view.store.capabilities.has(what);
        let value_if = |is_known: bool, value: f64| if is_known { value } else { f64::NAN };
        let time = |t: Option<u64>| t.map_or(f64::NAN, |ns| ns as f64);
        let (flags, bytes, sector, process) = (
            request.flags(),
            request.bytes(),
            request.sector(),
            request.process(),
        );
        let (done, cpus) = (request.completed().is_some(), records(Capabilities::CPUS));
        let named =
            records(Capabilities::PROCESSES) && (process as usize) < view.store.processes.len();
        self.row.push(row as u32);
        self.device.push(request.device());
        self.op.push(request.op() as u8);
        self.rwbs.push(self.words.index(flags, bytes));
        self.flags.push(flag_bits(flags, bytes));
        self.sector.push(value_if(
            sector != u64::MAX && records(Capabilities::PLACES),
            sector as f64,
        ));
        self.bytes.push(bytes);
        self.process.push(value_if(named, f64::from(process)));
        self.submit_cpu
            .push(value_if(cpus, f64::from(request.submit_cpu())));
        self.complete_cpu
            .push(value_if(cpus && done, f64::from(request.complete_cpu())));
        self.bios
            .push(value_if(request.bios() > 0, f64::from(request.bios())));
        self.error.push(value_if(
            (done || request.error() != 0) && records(Capabilities::ERRORS),
            f64::from(request.error().unsigned_abs()),
        ));
        self.queued.push(time(request.queued()));
        self.allocated.push(time(request.allocated()));
        self.inserted.push(time(request.inserted()));
        self.issued.push(time(request.issued()));
        self.completed.push(time(request.completed()));
        for (column, ns) in self.stages.iter_mut().zip(latency::stages(request)) {
            column.push(time(ns));
        }
        self.alignment.push(
            selection
                .and_then(|s| s.alignment(request))
                .map_or(0, |class| class as u8 + 1),
        );
        self.parts.push(view.store.objects.as_deref(), Some(row));
        self.above.push(view, Some(row));
        self.push_call(view, Some(row));
    }

    /// A bio that a disk refused: it goes from its Q to its C without a D. Stages and alignment
    /// stay unknown, because the figures of both count requests only.
    fn push_refused(&mut self, view: View, bio: &RefusedBio) {
        let events = &view.store.events;
        let records = |what: Capabilities| view.store.capabilities.has(what);
        let value_if = |is_known: bool, value: f64| if is_known { value } else { f64::NAN };
        // Bytes and sector are those of the part that failed, as in the figure of failures.
        let (flags, bytes) = (events.flags(bio.queue), events.bytes(bio.end));
        let (process, cpus) = (events.process(bio.queue), records(Capabilities::CPUS));
        let named =
            records(Capabilities::PROCESSES) && (process as usize) < view.store.processes.len();
        self.row.push(NO_ROW);
        self.device.push(events.device(bio.queue));
        self.op.push(flags.op(bytes) as u8);
        self.rwbs.push(self.words.index(flags, bytes));
        self.flags.push(flag_bits(flags, bytes));
        self.sector.push(events.sector(bio.end) as f64);
        self.bytes.push(bytes);
        self.process.push(value_if(named, f64::from(process)));
        self.submit_cpu
            .push(value_if(cpus, f64::from(events.cpu(bio.queue))));
        self.complete_cpu
            .push(value_if(cpus, f64::from(events.cpu(bio.end))));
        self.bios.push(1.0);
        self.error
            .push(f64::from(events.error(bio.end).unsigned_abs()));
        self.queued.push(events.time(bio.queue) as f64);
        for absent in [&mut self.allocated, &mut self.inserted, &mut self.issued] {
            absent.push(f64::NAN);
        }
        self.completed.push(events.time(bio.end) as f64);
        self.stages
            .iter_mut()
            .for_each(|stage| stage.push(f64::NAN));
        self.alignment.push(0);
        self.parts.push(view.store.objects.as_deref(), None);
        self.above.push(view, None);
        self.push_call(view, None);
    }

    fn push_call(&mut self, view: View, row: Option<usize>) {
        if let Some(calls) = view.store.calls.as_deref() {
            let call = row.and_then(|row| calls.inherited(view.store, row));
            self.call.push(call.map_or(NO_CALL, |call| call.name));
        }
    }
}

/// Whether a filter includes a refused bio. It does as long as it hides nothing but operations: a
/// bio has no request row whose other properties could be compared.
fn takes_refused(view: View, query: &ColumnsQuery, only_ops: Option<u8>, bio: &RefusedBio) -> bool {
    let events = &view.store.events;
    let Some(filter) = &query.filter else {
        return true;
    };
    let op = events.flags(bio.queue).op(events.bytes(bio.end));
    filter.device == events.device(bio.queue)
        && only_ops.is_some_and(|hidden| hidden & 1 << op as u8 == 0)
}

/// Answers `columns`: rows in time order from place `from` on, and the place to continue with;
/// `next` is -1 after the last row.
pub fn columns(view: View, query: &ColumnsQuery) -> Result<RowColumns, BadQuery> {
    let selection = query
        .filter
        .as_ref()
        .map(|filter| Selection::new(view, filter))
        .transpose()?;
    let only_ops = selection.as_ref().and_then(Selection::only_ops);
    let range = query.range.unwrap_or(TimeRange::ALL);
    let (rows, bios) = (view.starting(range), view.refused_bios());
    let queued = view.window(range);
    let bios_before =
        |time: u64| bios.partition_point(|bio| view.store.events.time(bio.queue) < time);
    let end = rows.end + bios_before(queued.to);
    let start = (rows.start + bios_before(queued.from)).min(end);
    let limit = if query.limit >= 1.0 {
        (query.limit as usize).min(MAX_ROWS)
    } else {
        0
    };
    let from = start.max(query.from.max(0.0) as usize).min(end);
    let mut found = RequestColumns::default();
    let mut next = end;
    let mut bio = bios.partition_point(|bio| bio.place < from);
    rows::until(from..end, |place| {
        let row = place - bio;
        let refused = bios.get(bio).filter(|bio| bio.place == place);
        let is_taken = match refused {
            Some(refused) => takes_refused(view, query, only_ops, refused),
            None => selection
                .as_ref()
                .is_none_or(|s| s.takes(view.store.requests.row(row))),
        };
        if is_taken && found.row.len() >= limit {
            next = place;
            return true;
        }
        bio += usize::from(refused.is_some());
        match refused {
            _ if !is_taken => {}
            Some(refused) => found.push_refused(view, refused),
            None => found.push(view, selection.as_ref(), row),
        }
        false
    });
    found.parts.finish(view.store.objects.as_deref());
    found.above.finish(view);
    let next = if next < end { next as f64 } else { -1.0 };
    let [q2c, d2c, q2d, q2g, g2i, i2d, g2d] = found.stages;
    Ok(RowColumns {
        next,
        n: found.row.len(),
        names: Document(ColumnNames {
            op: Op::ALL,
            rwbs: found.words.list,
            flags: Flag::ALL,
            alignment: Class::ALL,
            call: view
                .store
                .calls
                .as_ref()
                .map_or_else(Vec::new, |calls| calls.names.clone()),
        }),
        row: found.row,
        device: found.device,
        op: found.op,
        rwbs: found.rwbs,
        flags: found.flags,
        sector: found.sector,
        bytes: found.bytes,
        process: found.process,
        submit_cpu: found.submit_cpu,
        complete_cpu: found.complete_cpu,
        bios: found.bios,
        error: found.error,
        queued: found.queued,
        allocated: found.allocated,
        inserted: found.inserted,
        issued: found.issued,
        completed: found.completed,
        q2c,
        d2c,
        q2d,
        q2g,
        g2i,
        i2d,
        g2d,
        alignment: found.alignment,
        first_part: found.parts.first,
        part_sectors: found.parts.sectors,
        part_object: found.parts.object,
        part_offset: found.parts.offset,
        part_writers: found.parts.writers,
        first_parent: found.above.first_parent,
        parent: found.above.parent,
        first_submitter: found.above.first_submitter,
        submitter: found.above.submitter,
        call: found.call,
    })
}
