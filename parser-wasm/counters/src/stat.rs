//! Samples of `/proc/stat`: shares of CPU time, by the ticks between two samples; context switches,
//! interrupts, running and blocked tasks.
//!
//! ```text
//! cpu  user nice system idle iowait irq softirq steal guest guest_nice      all CPUs; cpu0, cpu1, ...: one
//! ctxt 4134
//! procs_blocked 0
//! ```

use super::columns::{self, CPU, VMSTAT};
use super::reports::Reports;
use super::time::SECOND;
use rustc_hash::FxHashMap;
use seekscope_trace::store::lanes::LaneSubject;

const TIMES: [&str; 10] = [
    "%user", "%nice", "%system", "%idle", "%iowait", "%irq", "%soft", "%steal", "%guest", "%gnice",
];
/// Columns that add up to the time of a CPU; those after them, of guests, are a part of user and
/// nice.
const TICKS: usize = 8;

/// The previous sample of each CPU, from which shares are computed.
#[derive(Default)]
pub struct CpuTimes {
    cpus: FxHashMap<Option<u32>, Vec<u64>>,
    counts: FxHashMap<&'static str, (i64, u64)>,
}

/// The CPU (all: `None`) and its ticks.
fn cpu(line: &str) -> Option<(Option<u32>, Vec<u64>)> {
    let mut words = line.split_whitespace();
    let name = words.next()?.strip_prefix("cpu")?;
    let cpu = if name.is_empty() {
        None
    } else {
        Some(name.parse().ok()?)
    };
    let ticks: Option<Vec<u64>> = words.map(|word| word.parse().ok()).collect();
    ticks
        .filter(|ticks| (4..=TIMES.len()).contains(&ticks.len()))
        .map(|ticks| (cpu, ticks))
}

pub fn is_line(line: &str) -> bool {
    cpu(line).is_some()
}

impl CpuTimes {
    pub fn line(&mut self, line: &str, reports: &mut Reports) {
        let Some(time) = reports.time() else { return };
        if let Some((cpu, now)) = cpu(line) {
            let subject = cpu.map_or(LaneSubject::Machine, LaneSubject::Cpu);
            let Some(before) = self.cpus.insert(cpu, now.clone()) else {
                return;
            };
            // iowait may fall by a few ticks.
            let spent: Vec<f64> = now
                .iter()
                .zip(&before)
                .map(|(now, before)| now.saturating_sub(*before) as f64)
                .collect();
            let all: f64 = spent.iter().take(TICKS).sum();
            for (name, ticks) in TIMES.iter().zip(&spent) {
                if let Some(column) = columns::find(CPU, name).filter(|_| all > 0.0) {
                    reports.add(&subject, column, ticks / all * 100.0);
                }
            }
            return;
        }
        let mut words = line.split_whitespace();
        let (Some(name), Some(value)) = (
            words.next(),
            words.next().and_then(|word| word.parse::<u64>().ok()),
        ) else {
            return;
        };
        let column = match name {
            "ctxt" => "cs",
            "intr" => "in",
            "procs_running" => "r",
            "procs_blocked" => "b",
            _ => return,
        };
        let Some(found) = columns::find(VMSTAT, column) else {
            return;
        };
        if matches!(column, "r" | "b") {
            reports.add(&LaneSubject::Machine, found, value as f64);
        } else if let Some((then, before)) = self.counts.insert(found.name, (time, value))
            && time > then
            && value >= before
        {
            reports.add(
                &LaneSubject::Machine,
                found,
                (value - before) as f64 * SECOND as f64 / (time - then) as f64,
            );
        }
    }
}
