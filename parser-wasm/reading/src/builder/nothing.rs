//! The reason why files have no trace in them.

use super::TraceBuilder;
use seekscope_error::{LinePlace, Lookalike, Problem};
use seekscope_formats::Report;

impl TraceBuilder {
    /// The reason why the trace has no event.
    pub(super) fn nothing(&self) -> Problem {
        let first = self
            .files
            .get(0)
            .map_or_else(String::new, |f| f.part.name.clone());
        let records: u64 = self.files.reports().map(|report| report.records).sum();
        if let Some(problem) = &self.files.bad_pattern {
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
                records: 0,
                size: f.decoder.taken(),
            }
        } else if let Some(window) = self
            .store()
            .window
            .filter(|_| self.pipeline.assembly.started)
        {
            Problem::EmptyWindow {
                name: self.store().name.clone(),
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
                name: self.store().name.clone(),
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
        let position = LinePlace {
            file,
            line: first.line,
            byte: first.byte,
        };
        Some(Problem::NotUnderstood {
            position,
            example: first.example.clone(),
            size,
        })
    }
}
