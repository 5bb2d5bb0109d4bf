//! The dialects of readable traces: which one a line is of, and one interface to all of them.

use super::blkparse::pattern::Pattern;
use super::blkparse::{self, Blkparse};
use super::ftrace::Ftrace;
use super::lines::repair;
use super::tables::biosnoop::Biosnoop;
use super::tables::csv::{Csv, CsvLayout};
use super::tables::fio_log;
use super::tables::fio_log::FioLog;
use super::tables::iolog;
use super::tables::iolog::Iolog;
use super::{LineOutcome, scan};
use crate::{FormatProblem, Record};
use seekscope_trace::capabilities::Capabilities;

/// The dialects of readable traces.
#[derive(Clone, Debug)]
pub enum Dialect {
    Blkparse(Box<Blkparse>),
    Ftrace(Box<Ftrace>),
    Pattern(Box<Pattern>),
    Biosnoop(Box<Biosnoop>),
    FioLog(Box<FioLog>),
    Iolog(Box<Iolog>),
    Csv(Box<Csv>),
}

impl Dialect {
    /// The dialect of which this line is an event.
    pub fn detect(line: &[u8], pattern: Option<&Pattern>) -> Option<Dialect> {
        if let Some(pattern) = pattern.filter(|p| p.looks_like(line)) {
            Some(Dialect::Pattern(Box::new(pattern.clone())))
        } else if Blkparse::looks_like(line) {
            Some(Dialect::Blkparse(Box::default()))
        } else if Ftrace::looks_like(line) {
            Some(Dialect::Ftrace(Box::default()))
        } else if Biosnoop::looks_like(line) {
            Some(Dialect::Biosnoop(Box::default()))
        } else if FioLog::looks_like(line) {
            Some(Dialect::FioLog(Box::default()))
        } else if let Some(log) = Iolog::of_heading(line) {
            Some(Dialect::Iolog(Box::new(log)))
        } else {
            CsvLayout::of_headings(line).map(|layout| Dialect::Csv(Box::new(Csv::new(layout))))
        }
    }

    /// The dialect of a line as a mailer, a filter or a terminal changed it.
    pub fn detect_changed(line: &[u8], pattern: Option<&Pattern>) -> Option<Dialect> {
        let shown = repair::shown(line);
        let line = shown.as_deref().map_or(line, scan::unquoted);
        let found = |line| Dialect::detect(line, pattern);
        shown
            .as_deref()
            .and_then(|_| found(line))
            .or_else(|| repair::without_prefix(line).and_then(found))
            .or_else(|| {
                let event = |place: &usize| Blkparse::looks_like(&line[*place..]);
                let place = repair::event_places(line).find(event)?;
                found(&line[place..])
            })
    }

    /// Whether the line may be the begin of one that goes on in the next line.
    pub fn is_begun(&self, line: &[u8]) -> bool {
        match self {
            Dialect::Blkparse(_) | Dialect::Pattern(_) => Blkparse::is_begun(line),
            Dialect::Ftrace(_) => Ftrace::is_begun(line),
            Dialect::Biosnoop(dialect) => dialect.is_begun(line),
            Dialect::FioLog(_) | Dialect::Iolog(_) | Dialect::Csv(_) => false,
        }
    }

    /// Added to the times of its events.
    pub fn time_shift(&self) -> u64 {
        match self {
            Dialect::Blkparse(_) | Dialect::Pattern(_) => blkparse::TIME_SHIFT,
            _ => 0,
        }
    }

    /// Name as in [`Store::format`](seekscope_trace::store::Store::format).
    pub fn name(&self) -> &'static str {
        match self {
            Dialect::Blkparse(_) | Dialect::Pattern(_) => "blkparse-text",
            Dialect::Ftrace(dialect) => dialect.name(),
            Dialect::Biosnoop(_) => "biosnoop-text",
            Dialect::FioLog(_) => "fio-log",
            Dialect::Iolog(_) => "fio-iolog",
            Dialect::Csv(dialect) => dialect.name(),
        }
    }

    pub fn capabilities(&self) -> Capabilities {
        match self {
            Dialect::Blkparse(dialect) => dialect.capabilities(),
            Dialect::Pattern(dialect) => dialect.capabilities(),
            Dialect::Ftrace(dialect) => dialect.capabilities(),
            Dialect::Biosnoop(dialect) => dialect.capabilities(),
            Dialect::FioLog(_) => fio_log::CAPABILITIES,
            Dialect::Iolog(_) => iolog::CAPABILITIES,
            Dialect::Csv(dialect) => dialect.capabilities(),
        }
    }

    #[inline]
    pub fn line(&mut self, line: &[u8], sink: &mut impl FnMut(Record<'_>)) -> LineOutcome {
        match self {
            Dialect::Blkparse(dialect) => dialect.line(line, sink),
            Dialect::Ftrace(dialect) => dialect.line(line, sink),
            Dialect::Pattern(dialect) => dialect.line(line, sink),
            Dialect::Biosnoop(dialect) => dialect.line(line, sink),
            Dialect::FioLog(dialect) => dialect.line(line),
            Dialect::Iolog(dialect) => dialect.line(line, sink),
            Dialect::Csv(dialect) => dialect.line(line, sink),
        }
    }

    /// Why nothing can be read of the text though it is known.
    pub fn problem(&self) -> Option<FormatProblem> {
        match self {
            Dialect::Blkparse(_) | Dialect::Pattern(_) => None,
            Dialect::Ftrace(dialect) => dialect.problem(),
            Dialect::Biosnoop(dialect) => dialect.problem(),
            Dialect::FioLog(dialect) => dialect.problem(),
            Dialect::Iolog(dialect) => dialect.problem(),
            Dialect::Csv(dialect) => dialect.problem(),
        }
    }

    /// Takes the end of the file: emits buffered records.
    pub fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        match self {
            Dialect::Blkparse(dialect) => dialect.finish(sink),
            Dialect::Pattern(dialect) => dialect.finish(sink),
            Dialect::Ftrace(dialect) => dialect.finish(sink),
            Dialect::Biosnoop(dialect) => dialect.finish(sink),
            Dialect::FioLog(dialect) => dialect.finish(sink),
            Dialect::Iolog(dialect) => dialect.finish(sink),
            Dialect::Csv(dialect) => dialect.finish(sink),
        }
    }
}

/// A table that is known by the shape of its rows.
#[derive(Clone, Debug, PartialEq)]
pub enum TableShape {
    Csv(CsvLayout),
    /// The headings that it lacks.
    Biosnoop(&'static [u8]),
}

impl TableShape {
    pub fn detect(line: &[u8]) -> Option<TableShape> {
        let csv = CsvLayout::of_row(line).map(TableShape::Csv);
        csv.or_else(|| Biosnoop::headings_of_row(line).map(TableShape::Biosnoop))
    }

    pub fn dialect(self) -> Dialect {
        match self {
            TableShape::Csv(layout) => Dialect::Csv(Box::new(Csv::new(layout))),
            TableShape::Biosnoop(headings) => {
                let mut dialect = Biosnoop::default();
                dialect.line(headings, &mut |_| {});
                Dialect::Biosnoop(Box::new(dialect))
            }
        }
    }
}

/// Whether a line may be the begin of the first event, or of the headings, of a text.
pub fn is_begun(line: &[u8]) -> bool {
    Blkparse::is_begun(line) || Ftrace::is_begun(line) || Biosnoop::begins_headings(line)
}
