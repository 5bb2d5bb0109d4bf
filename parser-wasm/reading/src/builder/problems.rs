//! The problems of a finished trace.

use super::TraceBuilder;
use super::files::OpenFile;
use seekscope_error::{LinePlace, Problem};
use seekscope_formats::blktrace::TimeOutliers;
use seekscope_formats::text::ClosingCount;
use seekscope_formats::{Decoder, LineGroup};
use seekscope_notes::TracerDrops;
use seekscope_trace::event::Flags;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{LossEvidence, LossInterval, Warning};

/// A trace is unbalanced from so many unmatched events per thousand on, and at least so many: fewer
/// occur at the ends of every recording.
const UNBALANCED: (u64, u64) = (20, 100);

/// The first kernel with version 8, which does not report events with FUA to version 7 tracers.
const KEEPS_FUA_BACK: (u32, u32) = (6, 19);

impl TraceBuilder {
    /// A list of independent checks in the order in which they are shown.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let mut files: Vec<(usize, &OpenFile)> = self.files.iter().enumerate().collect();
        files.sort_short_by(|a, b| a.1.part.name.cmp(&b.1.part.name));
        let mut problems = Vec::new();
        for (i, file) in files {
            problems.extend(self.record_problems(i, file));
            problems.extend(self.line_problems(file));
            problems.extend(self.clock_problems(i, file));
        }
        problems.extend(self.scaled_problem());
        problems.extend(self.pipeline.bounds.problems());
        problems.extend(self.gap_problem());
        problems.extend(self.missing().1);
        problems.extend(self.tracer_problems());
        problems.extend(self.silence().or_else(|| self.unbalanced()));
        problems.extend(self.part_problem());
        problems.extend(self.fua_missing());
        problems.extend(self.missing_cpus());
        problems.iter().map(Warning::from).collect()
    }

    /// Records of a file that are damaged, not understood or out of bounds.
    fn record_problems(&self, i: usize, open_file: &OpenFile) -> Vec<Problem> {
        let OpenFile { part, decoder, .. } = open_file;
        let report = decoder.report();
        let file = part.name.clone();
        let mut problems = Vec::new();
        if let Some((byte, found, needed)) = report.truncated
            && report.cut_line.is_none()
        {
            let (records, size) = (report.records, decoder.taken());
            problems.push(Problem::TruncatedTail {
                file: file.clone(),
                byte,
                found,
                needed,
                records,
                size,
            });
        }
        if let Some((byte, version)) = report.unsupported {
            problems.push(Problem::UnsupportedVersion {
                file: file.clone(),
                byte,
                version,
            });
        } else if let Some((byte, skipped)) = report.skipped {
            problems.push(Problem::BadRecord {
                file: file.clone(),
                byte,
                skipped,
            });
        }
        if let Some((byte, action, count)) = report.unknown {
            problems.push(Problem::UnknownAction {
                file: file.clone(),
                byte,
                action,
                count,
            });
        }
        if let Some(TimeOutliers {
            byte,
            time,
            neighbour,
            count,
        }) = report.outliers
        {
            problems.push(Problem::TimeOutliers {
                file: file.clone(),
                byte,
                count,
                off: (neighbour, time),
            });
        }
        let far = self.pipeline.bounds.far().filter(|(far, _)| *far == i);
        for outliers in report
            .numbers
            .into_iter()
            .chain(far.map(|(_, outliers)| outliers))
        {
            problems.push(Problem::NumberOutliers {
                file: file.clone(),
                outliers,
            });
        }
        problems
    }

    /// Lines of a file that are not understood, and what is lost by its own account.
    fn line_problems(&self, open_file: &OpenFile) -> Vec<Problem> {
        let OpenFile { part, decoder, .. } = open_file;
        let report = decoder.report();
        let file = part.name.clone();
        let mut problems = Vec::new();
        let place_of = |l: &LineGroup| LinePlace {
            file: file.clone(),
            line: l.line,
            byte: l.byte,
        };
        if let Some(lines) = &report.odd_lines {
            problems.push(Problem::OddLines {
                position: place_of(lines),
                count: lines.count,
                example: lines.example.clone(),
            });
        }
        problems.extend(self.totals_differ(open_file));
        if let Some(lines) = &report.lost_at {
            let (count, present) = (report.lost.sum(), self.store().events.len() as u64);
            problems.push(Problem::LostInText {
                position: place_of(lines),
                count,
                lines: lines.count,
                present,
            });
        }
        if report.lost.sum() > 0 && report.lost_at.is_none() {
            let present = self.store().events.len() as u64;
            problems.push(Problem::LostByKernel {
                file: file.clone(),
                count: report.lost.sum(),
                present,
            });
        }
        if let Some(outliers) = report.lost.outliers().cloned() {
            let file = file.clone();
            problems.push(Problem::CountOutliers { file, outliers });
        }
        if report.counted_time {
            problems.push(Problem::CountedTime { file: file.clone() });
        }
        if let Some(line) = &report.cut_line {
            problems.push(Problem::CutLine {
                position: place_of(line),
                example: line.example.clone(),
                size: decoder.taken(),
            });
        }
        problems
    }

    /// Layouts and clocks that contradict each other within a file.
    fn clock_problems(&self, i: usize, open_file: &OpenFile) -> Vec<Problem> {
        let OpenFile { part, decoder, .. } = open_file;
        let report = decoder.report();
        let file = part.name.clone();
        let mut problems = Vec::new();
        if report.wide_v7 {
            problems.push(Problem::MixedLayout { file: file.clone() });
        }
        for s in self.pipeline.order.steps(i) {
            let (cpu, count, largest) = (s.cpu, s.count, s.largest);
            problems.push(Problem::ClockSteps {
                file: file.clone(),
                cpu,
                count,
                largest,
            });
        }
        problems
    }

    /// Gaps in the sequence numbers.
    fn gap_problem(&self) -> Option<Problem> {
        let (count, gaps) = self.pipeline.lost();
        (gaps > 0).then(|| Problem::LostEvents {
            count,
            gaps,
            present: self.store().events.len() as u64,
            text: self
                .files
                .iter()
                .any(|f| matches!(f.decoder, Decoder::Text(_))),
        })
    }

    /// Drops that the log of the tracer reports.
    fn tracer_problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if let Some(TracerDrops {
            events: count,
            file,
            outliers,
        }) = self.notes.dropped.clone()
        {
            if count > 0 {
                problems.push(Problem::TracerDropped {
                    file: file.clone(),
                    count,
                    present: self.store().events.len() as u64,
                });
            }
            if let Some(outliers) = outliers {
                problems.push(Problem::CountOutliers { file, outliers });
            }
        }
        problems
    }

    /// More events without their other end than the ends of a recording explain.
    fn unbalanced(&self) -> Option<Problem> {
        let store = self.store();
        let (u, events) = (store.quality.unmatched, store.events.len() as u64);
        let unmatched = u.q + u.d + u.c;
        (store.window.is_none()
            && unmatched * 1000 > events * UNBALANCED.0
            && unmatched >= UNBALANCED.1)
            .then_some(Problem::Unbalanced {
                q: u.q,
                d: u.d,
                c: u.c,
                events,
            })
    }

    /// blkparse's closing figures and the events of the text, if it is the only file.
    fn totals_differ(&self, open_file: &OpenFile) -> Option<Problem> {
        let OpenFile { part, decoder, .. } = open_file;
        let totals = &decoder.report().totals;
        let (line, byte) = totals.place?;
        let counts = totals.counts();
        // blkparse 1.2.0 counts no events with a cgroup.
        let counts_none = counts.iter().all(|closing| closing.count == 0);
        if self.files.len() > 1 || self.store().window.is_some() || counts_none {
            return None;
        }
        let events = &self.store().events;
        let is_of = |closing: &ClosingCount, i: usize| {
            let flags = events.flags(i);
            events.action(i) == closing.action
                && flags.has(Flags::WRITE) == closing.is_write
                && !flags.has(Flags::PC)
                && totals.has_cpu(events.cpu(i))
        };
        counts.iter().find_map(|closing| {
            let present = (0..events.len()).filter(|&i| is_of(closing, i)).count() as u64;
            (present != closing.count).then(|| Problem::TotalsDiffer {
                position: LinePlace {
                    file: part.name.clone(),
                    line,
                    byte,
                },
                what: closing.words,
                total: closing.count,
                present,
            })
        })
    }

    /// A kernel that may not report events with FUA, and a trace without them.
    fn fua_missing(&self) -> Option<Problem> {
        let kernel = self
            .notes
            .kernel
            .as_ref()
            .filter(|release| version(release) >= Some(KEEPS_FUA_BACK))?;
        let events = &self.store().events;
        let seen = (0..events.len()).any(|i| events.flags(i).has(Flags::FUA));
        (self.store().format == "blktrace-v7" && !seen).then(|| Problem::FuaMissing {
            kernel: kernel.clone(),
        })
    }

    /// The loss intervals without a gap in the sequence numbers.
    fn silence(&self) -> Option<Problem> {
        let silent = |interval: &LossInterval| match interval.loss {
            LossEvidence::Silence { unmatched } => Some((*interval, unmatched)),
            LossEvidence::SequenceGap { .. } => None,
        };
        let found: Vec<(LossInterval, u64)> = self
            .store()
            .quality
            .loss_intervals
            .iter()
            .filter_map(silent)
            .collect();
        let (interval, _) = found.iter().max_by_key(|(h, _)| h.to - h.from)?;
        let device = self
            .store()
            .devices
            .get(interval.device as usize)?
            .name
            .clone();
        let (intervals, unmatched) = (found.len() as u64, found.iter().map(|f| f.1).sum());
        Some(Problem::DroppedEvents {
            intervals,
            device,
            cpu: interval.cpu,
            longest: (interval.from, interval.to - interval.from),
            unmatched,
        })
    }
}

/// `6.19` of a release such as `6.19.3-arch1-1` or `6.19-rc2`.
fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release
        .split(|c: char| !c.is_ascii_digit())
        .map(|digits| digits.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}
