//! The problems of a finished trace, or the reason why there is none.

use super::{OpenFile, TraceBuilder};
use seekscope_error::{LinePlace, Lookalike, Problem};
use seekscope_formats::blktrace::TimeOutliers;
use seekscope_formats::text::ClosingCount;
use seekscope_formats::{Decoder, LineGroup, Report};
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
    /// Adds the dropped events that the tracer's log reports.
    #[must_use]
    pub fn with_dropped(self, logged: Option<TracerDrops>) -> TraceBuilder {
        TraceBuilder { logged, ..self }
    }

    /// Adds the kernel release from the notes.
    #[must_use]
    pub fn with_kernel(self, kernel: Option<String>) -> TraceBuilder {
        TraceBuilder { kernel, ..self }
    }

    /// A list of independent checks in the order in which they are shown.
    #[expect(
        clippy::too_many_lines,
        reason = "one block per field of the reports, in the order in which problems are shown"
    )]
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let mut problems = Vec::new();
        let mut files: Vec<usize> = (0..self.files.len()).collect();
        files.sort_short_by(|&a, &b| self.files[a].part.name.cmp(&self.files[b].part.name));
        for i in files {
            let OpenFile { part, decoder, .. } = &self.files[i];
            let report = decoder.report();
            let file = part.name.clone();
            if let Some((byte, found, needed)) = report.truncated
                && report.cut_line.is_none()
            {
                let (records, size) = (report.records, decoder.taken());
                problems.push(Problem::TruncatedTail {
                    file: file.clone(),
                    byte,
                    found,
                    needed,
                    kept: records,
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
            let far = self.bounds.far().filter(|(far, _)| *far == i);
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
            let place_of = |l: &LineGroup| LinePlace {
                file: file.clone(),
                line: l.line,
                byte: l.byte,
            };
            if let Some(lines) = &report.odd_lines {
                problems.push(Problem::OddLines {
                    at: place_of(lines),
                    count: lines.count,
                    example: lines.example.clone(),
                });
            }
            problems.extend(self.totals_differ(i));
            if let Some(lines) = &report.lost_at {
                let (count, present) = (report.lost.sum(), self.store.events.len() as u64);
                problems.push(Problem::LostInText {
                    at: place_of(lines),
                    count,
                    lines: lines.count,
                    present,
                });
            }
            if report.lost.sum() > 0 && report.lost_at.is_none() {
                let present = self.store.events.len() as u64;
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
                    at: place_of(line),
                    example: line.example.clone(),
                    size: decoder.taken(),
                });
            }
            if report.wide_v7 {
                problems.push(Problem::MixedLayout { file: file.clone() });
            }
            for s in self.order.steps(i) {
                let (cpu, count, largest) = (s.cpu, s.count, s.largest);
                problems.push(Problem::ClockSteps {
                    file: file.clone(),
                    cpu,
                    count,
                    largest,
                });
            }
        }
        problems.extend(self.scaled_problem());
        problems.extend(self.bounds.problems());
        let (count, gaps) = self.lost();
        let events = self.store.events.len() as u64;
        if gaps > 0 {
            let text = self
                .files
                .iter()
                .any(|f| matches!(f.decoder, Decoder::Text(_)));
            problems.push(Problem::LostEvents {
                count,
                gaps,
                present: events,
                text,
            });
        }
        problems.extend(self.missing().1);
        if let Some(TracerDrops {
            events: count,
            file,
            outliers,
        }) = self.logged.clone()
        {
            if count > 0 {
                problems.push(Problem::TracerDropped {
                    file: file.clone(),
                    count,
                    present: events,
                });
            }
            if let Some(outliers) = outliers {
                problems.push(Problem::CountOutliers { file, outliers });
            }
        }
        let u = self.store.quality.unmatched;
        let unmatched = u.q + u.d + u.c;
        if let Some(dropped) = self.dropped() {
            problems.push(dropped);
        } else if self.store.window.is_none()
            && unmatched * 1000 > events * UNBALANCED.0
            && unmatched >= UNBALANCED.1
        {
            problems.push(Problem::Unbalanced {
                q: u.q,
                d: u.d,
                c: u.c,
                events,
            });
        }
        problems.extend(self.part_problem());
        problems.extend(self.fua_missing());
        problems.extend(self.missing_cpus());
        problems.iter().map(Warning::from).collect()
    }

    /// blkparse's closing figures and the events of the text, if it is the only file.
    fn totals_differ(&self, file: usize) -> Option<Problem> {
        let OpenFile { part, decoder, .. } = &self.files[file];
        let totals = &decoder.report().totals;
        let (line, byte) = totals.place?;
        let counts = totals.counts();
        // blkparse 1.2.0 counts no events with a cgroup.
        let counts_none = counts.iter().all(|closing| closing.count == 0);
        if self.files.len() > 1 || self.store.window.is_some() || counts_none {
            return None;
        }
        let events = &self.store.events;
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
                at: LinePlace {
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
            .kernel
            .as_ref()
            .filter(|release| version(release) >= Some(KEEPS_FUA_BACK))?;
        let events = &self.store.events;
        let seen = (0..events.len()).any(|i| events.flags(i).has(Flags::FUA));
        (self.store.format == "blktrace-v7" && !seen).then(|| Problem::FuaMissing {
            kernel: kernel.clone(),
        })
    }

    /// The loss intervals without a gap in the sequence numbers.
    fn dropped(&self) -> Option<Problem> {
        let silent = |interval: &LossInterval| match interval.loss {
            LossEvidence::Silence { unmatched } => Some((*interval, unmatched)),
            LossEvidence::SequenceGap { .. } => None,
        };
        let found: Vec<(LossInterval, u64)> = self
            .store
            .quality
            .loss_intervals
            .iter()
            .filter_map(silent)
            .collect();
        let (interval, _) = found.iter().max_by_key(|(h, _)| h.to - h.from)?;
        let device = self
            .store
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

    /// The reason why the trace has no event.
    pub(super) fn nothing(&self) -> Problem {
        let first = self
            .files
            .first()
            .map_or_else(String::new, |f| f.part.name.clone());
        let records: u64 = self.files.iter().map(|f| f.decoder.report().records).sum();
        if let Some(problem) = &self.bad_pattern {
            problem.clone()
        } else if let Some(problem) = self
            .part_problem()
            .filter(|p| matches!(p, Problem::MemoryFull { .. }))
        {
            problem
        } else if let Some((file, (byte, version))) = self
            .files
            .iter()
            .find_map(|f| Some((f, f.decoder.report().unsupported?)))
        {
            Problem::UnsupportedVersion {
                file: file.part.name.clone(),
                byte,
                version,
            }
        } else if let Some(problem) = self
            .files
            .iter()
            .find_map(|f| unreadable(&f.part.name, f.decoder.report(), f.decoder.taken()))
        {
            problem
        } else if let Some(problem) = self
            .files
            .iter()
            .find_map(|f| not_understood(&f.part.name, f.decoder.report(), f.decoder.taken()))
        {
            problem
        } else if let Some(f) = self.files.iter().find(|f| {
            f.decoder
                .report()
                .truncated
                .is_some_and(|cut| cut.0 == 0 && cut.1 >= 4)
        }) {
            let (byte, found, needed) = f.decoder.report().truncated.unwrap_or_default();
            Problem::TruncatedTail {
                file: f.part.name.clone(),
                byte,
                found,
                needed,
                kept: 0,
                size: f.decoder.taken(),
            }
        } else if let Some(window) = self.store.window.filter(|_| self.started) {
            Problem::EmptyWindow {
                name: self.store.name.clone(),
                window,
            }
        } else if let Some((file, outliers)) = self
            .files
            .iter()
            .find_map(|f| Some((f, f.decoder.report().numbers?)))
        {
            Problem::NumberOutliers {
                file: file.part.name.clone(),
                outliers,
            }
        } else if records > 0 {
            Problem::NoEvents {
                name: self.store.name.clone(),
                records,
            }
        } else if let Some(f) = self.files.iter().find(|f| f.decoder.taken() > 0) {
            Problem::NotATrace {
                file: f.part.name.clone(),
                looks_like: Lookalike::Unknown,
                size: f.decoder.taken(),
            }
        } else {
            Problem::Empty { file: first }
        }
    }
}

/// Why a file of a known format could not be read; `None` for other files.
fn unreadable(file: &str, report: &Report, size: u64) -> Option<Problem> {
    let format = report.formats.first()?;
    Some(Problem::Unreadable {
        file: file.to_owned(),
        format,
        problem: report.problem.clone()?,
        size,
    })
}

/// Why no event was found in a text; `None` for other files, or if there are records.
fn not_understood(file: &str, report: &Report, size: u64) -> Option<Problem> {
    let file = file.to_owned();
    let odd = report.odd_lines.as_ref().map_or(0, |lines| lines.count);
    if let Some(format) = report.tracer.filter(|_| odd <= report.other_events) {
        Some(Problem::NoBlockEvents {
            file,
            format,
            others: report.other_events,
            size,
        })
    } else if report.records > 0 {
        None
    } else if report.summary && report.unread_text().is_none() && odd == 0 {
        Some(Problem::SummaryOnly { file, size })
    } else {
        let first = report
            .unread_text()
            .or(report.odd_lines.as_ref())
            .or(report.cut_line.as_ref())?;
        let at = LinePlace {
            file,
            line: first.line,
            byte: first.byte,
        };
        Some(Problem::NotUnderstood {
            at,
            example: first.example.clone(),
            size,
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
