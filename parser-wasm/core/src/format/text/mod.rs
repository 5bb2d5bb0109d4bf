//! Readable traces: lines to events, one file a dialect.

pub mod blkparse;
pub mod lines;
mod scan;
mod tracked;

use super::{Carries, Lines, Record, Report};
use blkparse::Blkparse;
use lines::{At, Splitter};

/// Bytes of a usual line, for how much room to make.
pub const USUAL_LINE: u64 = 64;

/// What a dialect makes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// An event, message or note of the trace.
    Taken,
    /// Nothing of the trace, and known as such: headings, closing figures.
    Ignored,
    /// Closing figures of the native tool.
    Summary,
    /// Not understood.
    Unknown,
}

/// The dialects of readable traces.
#[derive(Clone, Debug)]
enum Dialect {
    Blkparse(Box<Blkparse>),
}

impl Dialect {
    /// The dialect of which this line is an event.
    fn of(line: &[u8]) -> Option<Dialect> {
        Blkparse::looks_like(line).then(|| Dialect::Blkparse(Box::default()))
    }

    /// Name as in [`Store::format`](crate::store::Store::format).
    fn name(&self) -> &'static str {
        match self {
            Dialect::Blkparse(_) => "blkparse-text",
        }
    }

    fn carries(&self) -> Carries {
        match self {
            Dialect::Blkparse(_) => blkparse::CARRIES,
        }
    }

    #[inline]
    fn line(&mut self, line: &[u8], sink: &mut impl FnMut(Record<'_>)) -> Line {
        match self {
            Dialect::Blkparse(dialect) => dialect.line(line, sink),
        }
    }

    /// Takes the end of the file: what was held back is given out.
    fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        match self {
            Dialect::Blkparse(dialect) => dialect.finish(sink),
        }
    }
}

/// A push decoder for one readable file. Its dialect is that of the first line that some dialect understands.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    splitter: Splitter,
    state: State,
}

#[derive(Clone, Debug, Default)]
struct State {
    dialect: Option<Dialect>,
    report: Report,
}

impl Decoder {
    /// Takes the next bytes and gives out the records of every line that has ended.
    pub fn feed(&mut self, chunk: &[u8], sink: &mut impl FnMut(Record<'_>)) {
        let Decoder { splitter, state } = self;
        splitter.feed(chunk, |line, at| state.line(line, at, sink));
    }

    /// Takes the end of the file.
    pub fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        let Decoder { splitter, state } = self;
        splitter.finish(|line, at| state.line(line, at, sink));
        if let Some(dialect) = &mut state.dialect {
            let records = &mut state.report.records;
            dialect.finish(&mut |record| {
                *records += 1;
                sink(record);
            });
        }
    }

    /// Bytes taken so far.
    pub fn taken(&self) -> u64 {
        self.splitter.taken()
    }

    /// What was noticed so far; final after `finish`.
    pub fn report(&self) -> &Report {
        &self.state.report
    }

    /// What the dialect can tell.
    pub fn carries(&self) -> Carries {
        self.state.dialect.as_ref().map_or(Carries::ALL, Dialect::carries)
    }
}

impl State {
    #[inline]
    fn line(&mut self, line: &[u8], at: At, sink: &mut impl FnMut(Record<'_>)) {
        let line = scan::unquoted(line);
        let State { dialect, report } = self;
        let Some(dialect) = dialect else { return self.first(line, at, sink) };
        let records = &mut report.records;
        let found = dialect.line(line, &mut |record| {
            *records += 1;
            sink(record);
        });
        match found {
            Line::Taken | Line::Ignored => {}
            Line::Summary => report.summary = true,
            Line::Unknown if !at.ended => {
                Lines::note(&mut report.cut_line, at.line, at.byte, line);
                report.truncated = Some((at.byte, line.len() as u64, 0));
            }
            Line::Unknown => Lines::note(&mut report.odd_lines, at.line, at.byte, line),
        }
    }

    /// Looks for the first line of a trace.
    #[cold]
    fn first(&mut self, line: &[u8], at: At, sink: &mut impl FnMut(Record<'_>)) {
        if let Some(dialect) = Dialect::of(line) {
            self.report.is_of(dialect.name());
            self.report.not_understood = None;
            self.dialect = Some(dialect);
            self.line(line, at, sink);
        } else if !line.trim_ascii().is_empty() {
            self.report.summary |= blkparse::is_summary(line);
            Lines::note(&mut self.report.not_understood, at.line, at.byte, line);
        }
    }
}

/// What the start of a text tells of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Lines of a trace.
    pub events: u64,
    /// Lines from the first of these on that are nothing of a trace.
    pub others: u64,
    /// Closing figures of a native tool were seen.
    pub summary: bool,
    /// When nothing of a trace was seen: the first line that is not empty.
    pub not_understood: Option<Lines>,
}

/// Looks at the start of a text; `whole`: this is all of it. Otherwise its last line is usually cut, and does not count.
pub fn look(head: &[u8], whole: bool) -> Look {
    let mut decoder = Decoder::default();
    decoder.feed(head, &mut |_| {});
    if whole {
        decoder.finish(&mut |_| {});
    }
    let found = decoder.state.dialect.is_some();
    let report = decoder.state.report;
    Look {
        events: report.records.max(u64::from(found)),
        others: report.odd_lines.map_or(0, |odd| odd.count),
        summary: report.summary,
        not_understood: report.not_understood,
    }
}
