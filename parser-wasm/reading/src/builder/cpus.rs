//! Files of CPUs that were not given. The kernel writes a TIMESTAMP for each device when tracing
//! starts, and a PROCESS record for each task before its first event, both into the file of the CPU
//! that does it: where one of them is missing, another file has it.

use super::TraceBuilder;
use seekscope_error::{MissingCpus, Problem};
use seekscope_trace::event::Action;
use seekscope_trace::sorting::set_of;
use seekscope_trace::store::rows;
use std::collections::BTreeSet;

/// Events from which on something is concluded.
const MIN_EVENTS: usize = 20;

impl TraceBuilder {
    /// The files of a part of the CPUs. Nothing is concluded about other files, nor from what is
    /// missing in damaged files, nor from names where events were lost.
    pub(super) fn missing_cpus(&self) -> Option<Problem> {
        let store = self.store();
        let (quality, events) = (&store.quality, &store.events);
        if !store.format.starts_with("blktrace") || events.len() < MIN_EVENTS {
            return None;
        }
        let files_of_cpus: Option<BTreeSet<u32>> = self.files.iter().map(|f| f.cpu).collect();
        let files_of_cpus = files_of_cpus.filter(|files_of_cpus| !files_of_cpus.is_empty())?;
        let used: BTreeSet<u32> = set_of(events.each_kind().map(|kind| kind.cpu));
        if !used.is_subset(&files_of_cpus) {
            // A stream of several CPUs, or a renamed file.
            return None;
        }
        let starts = store
            .devices
            .iter()
            .filter(|d| d.events > 0 && !self.notices.recorded().contains(&d.number));
        let damaged = self
            .files
            .reports()
            .any(|r| r.skipped.is_some() || r.unsupported.is_some());
        let starts = if damaged || self.notices.is_full() {
            0
        } else {
            starts.count()
        };
        let lossy = damaged || quality.lost_events > 0 || !quality.loss_intervals.is_empty();
        let unnamed = store
            .processes
            .iter()
            .filter(|p| !lossy && p.pid > 0 && p.name.is_none())
            .count();
        let last = files_of_cpus.last().copied().unwrap_or(0);
        let absent = (last as usize + 1).saturating_sub(files_of_cpus.len());
        if starts + unnamed + absent == 0 {
            return None;
        }
        // Beyond the numbers, one more at least where a record is in none of the files.
        let elsewhere = usize::from(starts + unnamed > 0).max(absent);
        let has = |action: Action| store.devices.iter().any(|d| d.recorded.has(action));
        // Requests whose other end is in another file; both ends have to be recorded for that.
        let parted = (has(Action::Issue) && has(Action::Complete)).then(|| {
            let mut issued = 0;
            rows::each(0..events.len(), |i| {
                issued += u64::from(events.action(i) == Action::Issue)
            });
            let requests = issued + quality.unmatched.c;
            (
                quality
                    .unmatched
                    .d
                    .saturating_add(quality.unmatched.c)
                    .min(requests),
                requests,
            )
        });
        Some(Problem::MissingCpus(MissingCpus {
            present: files_of_cpus.len(),
            least: files_of_cpus.len() + elsewhere,
            starts,
            unnamed,
            absent,
            parted,
        }))
    }
}
