//! Adds to the store what is not an event: names of tasks and devices, formats, files, and how much
//! is missing.

use super::TraceBuilder;
use super::assembly::Assembly;
use super::files::OpenFiles;
use seekscope_error::Problem;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::driver_counts::DriverCounts;
use seekscope_trace::limits::{ReportedCount, clamped};
use seekscope_trace::names::device_name;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{SourceFile, Store, TraceQuality};

impl TraceBuilder {
    /// Names, formats, files and counts of what has been read.
    pub(super) fn describe(&mut self) {
        let missing = self.missing().0;
        let TraceBuilder {
            files,
            notices,
            notes,
            pipeline,
        } = self;
        let Assembly { store, plugs, .. } = &mut pipeline.assembly;
        notices.name_processes(&mut store.processes);
        store.wall = notices.wall(store.origin);
        files.describe(store);
        notices.name_devices(&mut store.devices);
        if plugs.left_out() > 0 {
            store.capabilities = store.capabilities.without(Capabilities::PLUGS);
        }
        let quality = &mut store.quality;
        quality.tracer_dropped = notes.dropped.as_ref().map(|d| d.events);
        quality.lost_events = missing.max(quality.tracer_dropped.unwrap_or(0));
        files.count_damage(quality);
    }

    /// Events that are missing by gaps in sequences and by the counts of the files; a problem if
    /// only the sum cannot be: what cannot be by itself is one of its file.
    pub(super) fn missing(&self) -> (u64, Option<Problem>) {
        let mut sum = ReportedCount::default();
        sum.add(clamped(self.pipeline.lost().0));
        let mut first_beyond = None;
        for file in self.files.iter() {
            sum.add(file.decoder.report().lost.sum());
            if first_beyond.is_none() && sum.outliers().is_some() {
                first_beyond = Some(&file.part.name);
            }
        }
        let is_of_sum = self
            .files
            .reports()
            .all(|report| report.lost.outliers().is_none());
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

impl OpenFiles {
    /// Lists the files and their formats, what these can have, and the devices that files are named
    /// after.
    fn describe(&self, store: &mut Store) {
        let mut formats: Vec<&'static str> = Vec::new();
        store.capabilities = Capabilities::ALL;
        store.files.clear();
        for f in self.iter() {
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
            if let (Some(number), Some(name)) = (f.devices.only(), device_name(&f.part.name))
                && let Some(device) = store.devices.iter_mut().find(|d| d.number == number)
            {
                device.name = name.to_owned();
            }
        }
        store.files.sort_short_by(|a, b| a.name.cmp(&b.name));
        formats.sort_short();
        formats.dedup();
        store.format = formats.join("+").replace("+blktrace-", "+");
    }

    /// Counts what drivers reported, and what could not be read.
    fn count_damage(&self, quality: &mut TraceQuality) {
        quality.drivers = DriverCounts::default();
        self.reports()
            .for_each(|report| quality.drivers.add(&report.drivers));
        quality.truncated_bytes = self
            .reports()
            .filter_map(|report| report.truncated)
            .map(|truncated| truncated.1)
            .sum();
        quality.unknown_records = self
            .reports()
            .filter_map(|report| report.unknown)
            .map(|unknown| unknown.2)
            .sum();
    }
}
