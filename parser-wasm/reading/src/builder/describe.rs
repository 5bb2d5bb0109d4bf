//! Adds to the store what is not an event: names of tasks and devices, formats, files, and how much
//! is missing.

use super::{TaskNames, TraceBuilder};
use seekscope_error::Problem;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::driver_counts::DriverCounts;
use seekscope_trace::limits::{ReportedCount, clamped};
use seekscope_trace::names::device_name;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::SourceFile;

impl TraceBuilder {
    /// Names, formats, files and counts of what has been read.
    pub(super) fn describe(&mut self) {
        let missing = self.missing().0;
        let store = &mut self.store;
        for process in &mut store.processes {
            if let Some(TaskNames { first, last }) = self.names.get(&process.pid) {
                let text = |name: &[u8]| Some(String::from_utf8_lossy(name).into_owned());
                process.name = text(&last.1).filter(|name| !name.is_empty());
                process.first_name = text(&first.1).filter(|_| first.1 != last.1);
            }
        }
        // Times of a dump start at 0 while its notify records keep the trace clock.
        store.wall = self.anchor.map(|(time, wall)| {
            let since = if store.origin == 0 {
                0
            } else {
                i128::from(store.origin) - i128::from(time)
            };
            u64::try_from(i128::from(wall) + since).unwrap_or(wall)
        });
        let mut formats: Vec<&'static str> = Vec::new();
        store.capabilities = Capabilities::ALL;
        store.files.clear();
        for f in &self.files {
            let report = f.decoder.report();
            formats.extend(&report.formats);
            if report.records > 0 {
                store.capabilities = store.capabilities & f.decoder.capabilities();
            }
            store.files.push(SourceFile {
                name: f.part.name.clone(),
                bytes: f.decoder.taken(),
                records: report.records,
            });
            if let (Some(Some(number)), Some(name)) =
                (f.device.or(f.noted), device_name(&f.part.name))
                && let Some(device) = store.devices.iter_mut().find(|d| d.number == number)
            {
                device.name = name.to_owned();
            }
        }
        for device in &mut store.devices {
            if let Some(name) = self.device_names.get(&device.number) {
                device.name.clone_from(name);
            }
        }
        if self.plugs.left_out() > 0 {
            store.capabilities = store.capabilities.without(Capabilities::PLUGS);
        }
        store.files.sort_short_by(|a, b| a.name.cmp(&b.name));
        formats.sort_short();
        formats.dedup();
        store.format = formats.join("+").replace("+blktrace-", "+");
        let quality = &mut store.quality;
        quality.drivers = DriverCounts::default();
        self.files
            .iter()
            .for_each(|f| quality.drivers.add(&f.decoder.report().drivers));
        quality.tracer_dropped = self.logged.as_ref().map(|d| d.events);
        quality.lost_events = missing.max(quality.tracer_dropped.unwrap_or(0));
        quality.truncated_bytes = self
            .files
            .iter()
            .filter_map(|f| f.decoder.report().truncated)
            .map(|t| t.1)
            .sum();
        quality.unknown_records = self
            .files
            .iter()
            .filter_map(|f| f.decoder.report().unknown)
            .map(|u| u.2)
            .sum();
    }

    /// Events that are missing by gaps in sequences and by the counts of the files; a problem if
    /// only the sum cannot be: what cannot be by itself is one of its file.
    pub(super) fn missing(&self) -> (u64, Option<Problem>) {
        let mut sum = ReportedCount::default();
        sum.add(clamped(self.lost().0));
        let mut first_beyond = None;
        for file in &self.files {
            sum.add(file.decoder.report().lost.sum());
            if first_beyond.is_none() && sum.outliers().is_some() {
                first_beyond = Some(&file.part.name);
            }
        }
        let is_of_sum = self
            .files
            .iter()
            .all(|file| file.decoder.report().lost.outliers().is_none());
        let problem =
            first_beyond
                .filter(|_| is_of_sum)
                .zip(sum.outliers())
                .map(|(file, outliers)| Problem::CountOutliers {
                    file: file.clone(),
                    outliers: outliers.clone(),
                });
        (sum.sum(), problem)
    }
}
