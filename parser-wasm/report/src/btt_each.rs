//! The additional tables of `btt -A`: stage times per process and per device, and a histogram of
//! Q2D.

use super::btt::{self, ProcessSample};
use super::btt_layout::{label, section, stage_row};
use super::btt_text;
use seekscope_trace::lifecycle::each_sample;
use seekscope_trace::store::{Stage, StageTally, Store};
use std::collections::BTreeMap;

/// Titles of the tables: first those of device mapper, then the others.
const TABLES: [&str; 12] = [
    "Q2Qdm", "Q2Adm", "Q2Cdm", "Q2Q", "Q2A", "Q2G", "S2G", "G2I", "Q2M", "I2D", "D2C", "Q2C",
];
const UPPER: usize = 3;
const Q2Q: usize = 3;
const Q2A: usize = 4;
const S2G: usize = 6;
const Q2C: usize = 11;

/// Table of a stage, if it has one.
fn table_of(stage: Stage) -> Option<usize> {
    Some(match stage {
        Stage::Q2G => 5,
        Stage::G2I => 7,
        Stage::Q2M => 8,
        Stage::I2D => 9,
        Stage::D2C => 10,
        Stage::Q2C => Q2C,
        _ => return None,
    })
}

/// The figures of one process or device.
#[derive(Clone, Copy, Debug, Default)]
struct BttRow {
    tables: [StageTally; TABLES.len()],
    last_queue: Option<u64>,
}

impl BttRow {
    /// `upper` if the device counts as device mapper.
    fn note(&mut self, what: ProcessSample, upper: bool) {
        let lower = if upper { UPPER } else { 0 };
        match what {
            ProcessSample::Queued(time) => {
                if let Some(last) = self.last_queue.replace(time) {
                    self.tables[Q2Q - lower].add(time.saturating_sub(last).max(1));
                }
            }
            ProcessSample::Remapped(ns) => self.tables[Q2A - lower].add(ns),
            ProcessSample::Slept(ns) => self.tables[S2G].add(ns),
        }
    }
}

/// Upper bounds of the buckets of Q2D, ns; longer times are in the last bucket.
const BUCKETS: [u64; 9] = [
    5_000_000,
    10_000_000,
    25_000_000,
    50_000_000,
    75_000_000,
    100_000_000,
    250_000_000,
    500_000_000,
    1_000_000_000,
];
type Q2dHistogram = [u64; BUCKETS.len() + 1];

/// The output of `btt -A`: the main tables, with tables per process and per device before and a
/// histogram of Q2D after them.
pub fn all(store: &Store) -> String {
    let (before, after) = sections(store);
    before + &btt_text::text(store) + &after
}

/// The sections before and after the main tables.
fn sections(store: &Store) -> (String, String) {
    let names: Vec<String> = (0..store.processes.len()).map(|i| exe(store, i)).collect();
    let mut processes: BTreeMap<&str, BttRow> = BTreeMap::new();
    let mut devices = vec![BttRow::default(); store.devices.len()];
    let mut histograms: Vec<Q2dHistogram> = vec![Q2dHistogram::default(); store.devices.len()];
    let upper: Vec<bool> = (0..store.devices.len())
        .map(|d| btt::is_upper(store, d))
        .collect();
    btt::figures_noting(store, |device, process, what| {
        devices[device].note(what, upper[device]);
        if let Some(name) = names.get(process as usize) {
            processes.entry(name).or_default().note(what, upper[device]);
        }
    });
    each_sample(store, |device, stage, process, ns| {
        let device = device as usize;
        if stage == Stage::Q2D {
            histograms[device][BUCKETS.partition_point(|&bound| bound <= ns)] += 1;
        }
        let Some(table) = table_of(stage) else { return };
        let table = if upper[device] && table == Q2C {
            UPPER - 1
        } else {
            table
        };
        devices[device].tables[table].add(ns);
        if let Some(name) = names.get(process as usize) {
            processes.entry(name).or_default().tables[table].add(ns);
        }
    });
    let labels: Vec<String> = store.devices.iter().map(|d| label(d.number)).collect();
    let by_process: Vec<(&str, &BttRow)> =
        processes.iter().map(|(name, row)| (*name, row)).collect();
    let by_device: Vec<(&str, &BttRow)> = labels.iter().map(String::as_str).zip(&devices).collect();
    let before =
        section("Per Process", &tables(&by_process)) + &section("Per Device", &tables(&by_device));
    let histograms: Vec<(&str, &Q2dHistogram)> =
        labels.iter().map(String::as_str).zip(&histograms).collect();
    let mut behind = section("Q2D Histogram", &histogram(&histograms));
    if histograms
        .iter()
        .all(|(_, counts)| counts.iter().all(|&n| n == 0))
    {
        // btt ends an empty histogram without the blank line.
        behind.pop();
    }
    (before, behind)
}

/// btt's name of a process: the first recorded one, up to a slash; processes with the same name are
/// one row.
fn exe(store: &Store, process: usize) -> String {
    let Some(p) = store.processes.get(process) else {
        return String::new();
    };
    if p.pid == 0 {
        return "kernel".to_owned();
    }
    match p.first_name.as_deref().or(p.name.as_deref()) {
        Some(name) => name.split('/').next().unwrap_or_default().to_owned(),
        None => format!("pid{:09}", p.pid),
    }
}

fn tables(rows: &[(&str, &BttRow)]) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, title) in TABLES.iter().enumerate() {
        if index > 0 {
            lines.push(String::new());
        }
        if index == UPPER {
            lines.push(String::new());
        }
        lines.push(format!(
            "{title:>15}           MIN           AVG           MAX           N"
        ));
        lines.push(
            "--------------- ------------- ------------- ------------- -----------".to_owned(),
        );
        lines.extend(rows.iter().filter_map(|(name, row)| {
            let name: String = name.chars().take(14).collect();
            stage_row(&name, &row.tables[index])
        }));
    }
    lines
}

fn histogram(devices: &[(&str, &Q2dHistogram)]) -> Vec<String> {
    let line = |start: &str| format!("{start} | {}", "===== ".repeat(BUCKETS.len() + 1));
    let row = |name: &str, counts: &Q2dHistogram| {
        let all = counts.iter().sum::<u64>().max(1) as f64;
        let shares: String = counts
            .iter()
            .map(|&n| format!("{:5.1} ", 100.0 * n as f64 / all))
            .collect();
        format!("{name:>10} | {shares}")
    };
    let listed: Vec<_> = devices
        .iter()
        .filter(|(_, counts)| counts.iter().any(|&n| n > 0))
        .collect();
    let mut pooled = Q2dHistogram::default();
    listed.iter().for_each(|(_, counts)| {
        pooled
            .iter_mut()
            .zip(counts.iter())
            .for_each(|(sum, n)| *sum += n)
    });
    let mut lines = vec![
        "       DEV | <.005 <.010 <.025 <.050 <.075 <.100 <.250 <.500 < 1.0 >=1.0".to_owned(),
        line(" ---------"),
    ];
    lines.extend(listed.iter().map(|(name, counts)| row(name, counts)));
    if !listed.is_empty() {
        lines.push(line("=========="));
        lines.push(row("AVG", &pooled));
    }
    lines
}
