//! Complete rows of requests as columns, for exports: the only answer that is not sized in pixels.

use super::answer::{Answer, AnswerValue, BadQuery};
use super::query::{Filter, TimeRange};
use super::select::{ALIGNMENT, FLAGS, OPS, Selection, flag_bits};
use super::view::View;
use crate::event::Flags;
use crate::format::Capabilities;
use crate::measure::latency;
use crate::store::rows;
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;

/// Maximum rows per answer: about 13 MB, so that the worker stays responsive between answers.
const MOST_ROWS: usize = 65_536;

/// Parameters of `columns`.
#[derive(Clone, Debug, Deserialize)]
pub struct ColumnsQuery {
    /// Absent: requests of all devices.
    pub filter: Option<Filter>,
    /// Requests that start in it; absent: all.
    pub range: Option<TimeRange>,
    /// First row to examine: 0, then `next` of the previous answer.
    pub from: f64,
    pub limit: f64,
}

/// Columns being filled. Times are in ns; `NaN` is unknown.
#[derive(Default)]
struct RequestColumns {
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
    /// In the order of [`latency::STAGES`].
    stages: [Vec<f64>; latency::STAGES.len()],
    alignment: Vec<u8>,
    words: RwbsTable,
}

/// Each distinct RWBS string once, with its index.
#[derive(Default)]
struct RwbsTable {
    list: Vec<String>,
    by_flags: HashMap<(u16, bool), u32>,
}

impl RwbsTable {
    fn of(&mut self, flags: Flags, bytes: u32) -> u32 {
        let RwbsTable { list, by_flags } = self;
        *by_flags.entry((flags.0, bytes > 0)).or_insert_with(|| {
            list.push(flags.rwbs(bytes));
            list.len() as u32 - 1
        })
    }
}

impl RequestColumns {
    fn push(&mut self, view: View, selection: Option<&Selection>, row: usize) {
        let r = &view.store.requests;
        let carried = |what: Capabilities| view.store.capabilities.has(what);
        let known = |known: bool, value: f64| if known { value } else { f64::NAN };
        let time = |t: Option<u64>| t.map_or(f64::NAN, |ns| ns as f64);
        let (flags, bytes, sector, process) =
            (r.flags(row), r.bytes(row), r.sector(row), r.process(row));
        let (done, cpus) = (r.completed(row).is_some(), carried(Capabilities::CPUS));
        let named =
            carried(Capabilities::PROCESSES) && (process as usize) < view.store.processes.len();
        self.row.push(row as u32);
        self.device.push(r.device(row));
        self.op.push(r.op(row) as u8);
        self.rwbs.push(self.words.of(flags, bytes));
        self.flags.push(flag_bits(flags, bytes));
        self.sector.push(known(
            sector != u64::MAX && carried(Capabilities::PLACES),
            sector as f64,
        ));
        self.bytes.push(bytes);
        self.process.push(known(named, f64::from(process)));
        self.submit_cpu
            .push(known(cpus, f64::from(r.submit_cpu(row))));
        self.complete_cpu
            .push(known(cpus && done, f64::from(r.complete_cpu(row))));
        self.bios
            .push(known(r.bios(row) > 0, f64::from(r.bios(row))));
        self.error.push(known(
            done && carried(Capabilities::ERRORS),
            f64::from(r.error(row).unsigned_abs()),
        ));
        self.queued.push(time(r.queued(row)));
        self.allocated.push(time(r.allocated(row)));
        self.inserted.push(time(r.inserted(row)));
        self.issued.push(time(r.issued(row)));
        self.completed.push(time(r.completed(row)));
        for (column, ns) in self.stages.iter_mut().zip(latency::stages(r.at(row))) {
            column.push(time(ns));
        }
        self.alignment.push(
            selection
                .and_then(|s| s.alignment(r.at(row)))
                .map_or(0, |class| class as u8 + 1),
        );
    }
}

/// Answers `columns`: rows in time order from row `from` on, and the row to continue with; `next`
/// is -1 after the last row.
pub fn columns(view: View, query: &ColumnsQuery) -> Result<Answer, BadQuery> {
    let selection = query
        .filter
        .as_ref()
        .map(|filter| Selection::new(view, filter))
        .transpose()?;
    let within = view.starting(query.range.unwrap_or(TimeRange::ALL));
    let limit = if query.limit >= 1.0 {
        (query.limit as usize).min(MOST_ROWS)
    } else {
        0
    };
    let from = within
        .start
        .max(query.from.max(0.0) as usize)
        .min(within.end.max(within.start));
    let mut found = RequestColumns::default();
    let mut next = within.end;
    rows::until(from..within.end, |row| {
        if selection
            .as_ref()
            .is_none_or(|s| s.takes(view.store.requests.at(row)))
        {
            if found.row.len() >= limit {
                next = row;
                return true;
            }
            found.push(view, selection.as_ref(), row);
        }
        false
    });
    let next = if next < within.end { next as f64 } else { -1.0 };
    let names =
        json!({ "op": OPS, "rwbs": found.words.list, "flags": FLAGS, "alignment": ALIGNMENT });
    let stages = latency::STAGES
        .iter()
        .zip(found.stages)
        .map(|(stage, column)| (stage.name(), AnswerValue::F64(column)));
    let columns = vec![
        ("next", next.into()),
        ("n", found.row.len().into()),
        ("names", AnswerValue::Json(names)),
        ("row", found.row.into()),
        ("device", found.device.into()),
        ("op", found.op.into()),
        ("rwbs", found.rwbs.into()),
        ("flags", found.flags.into()),
        ("sector", found.sector.into()),
        ("bytes", found.bytes.into()),
        ("process", found.process.into()),
        ("submitCpu", found.submit_cpu.into()),
        ("completeCpu", found.complete_cpu.into()),
        ("bios", found.bios.into()),
        ("error", found.error.into()),
        ("queued", found.queued.into()),
        ("allocated", found.allocated.into()),
        ("inserted", found.inserted.into()),
        ("issued", found.issued.into()),
        ("completed", found.completed.into()),
        ("alignment", found.alignment.into()),
    ];
    Ok(Answer::Object(columns.into_iter().chain(stages).collect()))
}
