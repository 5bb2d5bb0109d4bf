//! Text traces: lines to events, one module per dialect.
//!
//! `lines.rs` splits chunks of any size into lines. The dialect is that of the first line that some
//! dialect understands; later lines that are not events are counted. A dialect is a struct with
//! `looks_like(line)`, `line(line, sink)` and `capabilities()`; to add one, add it to `Dialect`.

mod biosnoop;
mod blk_tracer;
pub mod blkparse;
mod block_events;
mod clock;
mod completed;
mod csv;
mod fio_log;
mod ftrace;
mod iolog;
pub mod lines;
mod losses;
pub mod pattern;
mod prefix;
mod published;
mod repair;
mod scan;
mod tasks;
mod totals;
mod tracked;
mod wrapped;

pub(super) use tasks::Tasks;
pub use totals::{ClosingCount, ClosingTotals};

use super::number_outliers::{EventNumber, NumberOutliers, RecordPlace};
use super::{Capabilities, FormatProblem, LineGroup, Record, Report};
use crate::event::Event;
use crate::limits::clamped;
use biosnoop::Biosnoop;
use blkparse::Blkparse;
use csv::{Csv, CsvLayout};
use fio_log::FioLog;
use ftrace::Ftrace;
use iolog::Iolog;
use lines::{LinePosition, Splitter};
use pattern::Pattern;
use wrapped::BegunLine;

/// Some editors write it at the start of a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The result of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineOutcome {
    /// An event or message of the trace.
    Taken,
    /// Known not to be an event: headings, summaries.
    Ignored,
    /// An event other than block I/O.
    Other,
    /// So many events were lost here.
    Lost(u64),
    /// A line of blkparse's closing summary.
    Summary,
    /// An event with a latency of so many ns, which cannot be.
    Outlier(u64),
    /// Not understood.
    Unknown,
}

/// The dialects of readable traces.
#[derive(Clone, Debug)]
enum Dialect {
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
    fn detect(line: &[u8], pattern: Option<&Pattern>) -> Option<Dialect> {
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
    fn detect_changed(line: &[u8], pattern: Option<&Pattern>) -> Option<Dialect> {
        let shown = repair::shown(line);
        let line = shown.as_deref().map_or(line, scan::unquoted);
        let found = |line| Dialect::detect(line, pattern);
        shown
            .as_deref()
            .and_then(|_| found(line))
            .or_else(|| repair::without_prefix(line).and_then(found))
            .or_else(|| {
                let event = |at: &usize| Blkparse::looks_like(&line[*at..]);
                let place = repair::event_places(line).find(event)?;
                found(&line[place..])
            })
    }

    /// Whether the line may be the begin of one that goes on in the next line.
    fn is_begun(&self, line: &[u8]) -> bool {
        match self {
            Dialect::Blkparse(_) | Dialect::Pattern(_) => Blkparse::is_begun(line),
            Dialect::Ftrace(_) => Ftrace::is_begun(line),
            Dialect::Biosnoop(dialect) => dialect.is_begun(line),
            Dialect::FioLog(_) | Dialect::Iolog(_) | Dialect::Csv(_) => false,
        }
    }

    /// Added to the times of its events.
    fn time_shift(&self) -> u64 {
        match self {
            Dialect::Blkparse(_) | Dialect::Pattern(_) => blkparse::TIME_SHIFT,
            _ => 0,
        }
    }

    /// Name as in [`Store::format`](crate::store::Store::format).
    fn name(&self) -> &'static str {
        match self {
            Dialect::Blkparse(_) | Dialect::Pattern(_) => "blkparse-text",
            Dialect::Ftrace(dialect) => dialect.name(),
            Dialect::Biosnoop(_) => "biosnoop-text",
            Dialect::FioLog(_) => "fio-log",
            Dialect::Iolog(_) => "fio-iolog",
            Dialect::Csv(dialect) => dialect.name(),
        }
    }

    fn capabilities(&self) -> Capabilities {
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
    fn line(&mut self, line: &[u8], sink: &mut impl FnMut(Record<'_>)) -> LineOutcome {
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
    fn problem(&self) -> Option<FormatProblem> {
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
    fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
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

/// A push decoder for one readable file. Its dialect is that of the first line that some dialect
/// understands.
#[derive(Clone, Debug, Default)]
pub struct TextDecoder {
    splitter: Splitter,
    state: TextState,
}

/// A table that is known by the shape of its rows.
#[derive(Clone, Debug, PartialEq)]
enum TableShape {
    Csv(CsvLayout),
    /// The headings that it lacks.
    Biosnoop(&'static [u8]),
}

impl TableShape {
    fn of_row(line: &[u8]) -> Option<TableShape> {
        let csv = CsvLayout::of_row(line).map(TableShape::Csv);
        csv.or_else(|| Biosnoop::headings_of_row(line).map(TableShape::Biosnoop))
    }

    fn dialect(self) -> Dialect {
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

/// Lines with their places.
type KeptLines = Vec<(Vec<u8>, LinePosition)>;

#[derive(Clone, Debug, Default)]
struct TextState {
    /// The format string of `blkparse -f`, if the reader gave one.
    pattern: Option<Pattern>,
    dialect: Option<Dialect>,
    /// Lines of the shape of a table without headings, fewer than make it one.
    shaped: Option<(TableShape, KeptLines)>,
    /// A line that may go on in the next one.
    begun: Option<BegunLine>,
    /// Something else precedes the first event, and probably the others.
    is_changed: bool,
    /// Lines of which something was taken.
    taken: u64,
    report: Report,
}

impl TextDecoder {
    /// A decoder that also reads lines of this format.
    pub fn with_pattern(pattern: Option<Pattern>) -> TextDecoder {
        TextDecoder {
            state: TextState {
                pattern,
                ..TextState::default()
            },
            ..TextDecoder::default()
        }
    }

    /// Takes the next bytes and emits the records of every line that has ended.
    pub fn feed(&mut self, chunk: &[u8], sink: &mut impl FnMut(Record<'_>)) {
        let TextDecoder { splitter, state } = self;
        splitter.feed(chunk, |line, at| state.line(line, at, sink));
    }

    /// Takes the end of the file.
    pub fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        let TextDecoder { splitter, state } = self;
        splitter.finish(|line, at| state.line(line, at, sink));
        state.end_begun();
        if let Some(dialect) = &mut state.dialect {
            state.report.problem = dialect.problem();
            if state.report.problem.is_some() {
                state.report.is_of(dialect.name());
            }
            if let Dialect::Ftrace(ftrace) = dialect {
                state.report.counted_time = ftrace.counts_time();
                state.report.lost_spans.extend(ftrace.take_lost());
            }
            let before = state.report.records;
            let Report {
                records, numbers, ..
            } = &mut state.report;
            dialect.finish(&mut |record| {
                if NumberOutliers::lack(numbers, &record, RecordPlace::default()) {
                    *records += 1;
                    sink(record);
                }
            });
            if state.report.records > before {
                state.report.is_of(dialect.name());
            }
            if let Dialect::Ftrace(ftrace) = dialect {
                state.report.drivers = ftrace.drivers();
                state.report.block_sizes = ftrace.block_sizes();
                // The end may be reported again.
                state.report.values.extend(ftrace.take_values());
            }
        }
    }

    /// Bytes taken so far.
    pub fn taken(&self) -> u64 {
        self.splitter.taken()
    }

    /// Problems and counts so far; final after `finish`.
    pub fn report(&self) -> &Report {
        &self.state.report
    }

    /// The capabilities of the dialect.
    pub fn capabilities(&self) -> Capabilities {
        self.state
            .dialect
            .as_ref()
            .map_or(Capabilities::ALL, Dialect::capabilities)
    }
}

impl TextState {
    #[inline]
    fn line(&mut self, line: &[u8], at: LinePosition, sink: &mut impl FnMut(Record<'_>)) {
        let mark = if at.byte == 0 { BYTE_ORDER_MARK } else { b"" };
        let line = scan::unquoted(line.strip_prefix(mark).unwrap_or(line));
        if self.begun.is_some() {
            return self.go_on(line, at, sink);
        }
        if self.is_changed {
            return self.changed(line, at, sink);
        }
        match self.take(line, at, sink) {
            LineOutcome::Taken => self.taken += 1,
            LineOutcome::Unknown => self.unknown(line, at, sink),
            outcome => self.note(outcome, line, at),
        }
    }

    /// A line of a text in which something precedes each line: it would be read as the first
    /// column of a table.
    #[cold]
    fn changed(&mut self, line: &[u8], at: LinePosition, sink: &mut impl FnMut(Record<'_>)) {
        let outcome = match self.take_changed(line, at, sink) {
            LineOutcome::Unknown => self.take(line, at, sink),
            outcome => outcome,
        };
        match outcome {
            LineOutcome::Unknown => self.begin(line, at),
            outcome => self.note(outcome, line, at),
        }
    }

    /// Gives a line to the dialect.
    #[inline]
    fn take(
        &mut self,
        line: &[u8],
        at: LinePosition,
        sink: &mut impl FnMut(Record<'_>),
    ) -> LineOutcome {
        let TextState {
            dialect, report, ..
        } = self;
        let Some(dialect) = dialect else {
            return LineOutcome::Unknown;
        };
        let place = RecordPlace {
            line: Some(at.line),
            byte: Some(at.byte),
        };
        let Report {
            records, numbers, ..
        } = &mut *report;
        let outcome = dialect.line(line, &mut |record| {
            if NumberOutliers::lack(numbers, &record, place) {
                *records += 1;
                sink(record);
            }
        });
        if outcome == LineOutcome::Taken {
            report.is_of(dialect.name());
        }
        outcome
    }

    /// Notes what became of a line.
    fn note(&mut self, outcome: LineOutcome, line: &[u8], at: LinePosition) {
        let report = &mut self.report;
        match outcome {
            LineOutcome::Outlier(latency) => {
                let place = RecordPlace {
                    line: Some(at.line),
                    byte: Some(at.byte),
                };
                NumberOutliers::note(&mut report.numbers, EventNumber::Time, latency, place);
            }
            LineOutcome::Taken => self.taken += 1,
            LineOutcome::Ignored => self.close(line, at),
            LineOutcome::Other => report.other_events += 1,
            LineOutcome::Lost(count) => {
                report.lost = report.lost.saturating_add(clamped(count));
                LineGroup::note(&mut report.lost_at, at.line, at.byte, line);
            }
            LineOutcome::Summary => {
                report.summary = true;
                self.close(line, at);
            }
            LineOutcome::Unknown if !at.ended => {
                LineGroup::note(&mut report.cut_line, at.line, at.byte, line);
                report.truncated = Some((at.byte, line.len() as u64, 0));
            }
            LineOutcome::Unknown => LineGroup::note(&mut report.odd_lines, at.line, at.byte, line),
        }
    }

    /// Takes a line that may be one of blkparse's closing figures.
    fn close(&mut self, line: &[u8], at: LinePosition) {
        if matches!(
            self.dialect,
            Some(Dialect::Blkparse(_) | Dialect::Pattern(_))
        ) {
            let shown = repair::shown(line);
            let text = shown.as_deref().map_or(line, scan::unquoted);
            self.report.totals.line(text, (at.line, at.byte));
        }
    }

    /// A line that the dialect does not take, or any before there is one.
    #[cold]
    fn unknown(&mut self, line: &[u8], at: LinePosition, sink: &mut impl FnMut(Record<'_>)) {
        if self.dialect.is_none() {
            return self.first(line, at, sink);
        }
        match self.take_changed(line, at, sink) {
            LineOutcome::Unknown => self.begin(line, at),
            outcome => self.note(outcome, line, at),
        }
    }

    /// Gives a line to the dialect as it was before a mailer, a filter or a terminal changed it.
    fn take_changed(
        &mut self,
        line: &[u8],
        at: LinePosition,
        sink: &mut impl FnMut(Record<'_>),
    ) -> LineOutcome {
        let shown = repair::shown(line);
        let line = shown.as_deref().map_or(line, scan::unquoted);
        let mut outcome = LineOutcome::Unknown;
        if let Some(rest) = repair::without_prefix(line) {
            outcome = self.take(rest, at, sink);
        }
        if shown.is_some() && outcome == LineOutcome::Unknown {
            outcome = self.take(line, at, sink);
        }
        let places_events = matches!(
            self.dialect,
            Some(Dialect::Blkparse(_) | Dialect::Pattern(_))
        );
        if places_events && outcome == LineOutcome::Unknown {
            let event = |at: &usize| Blkparse::looks_like(&line[*at..]);
            if let Some(place) = repair::event_places(line).find(event) {
                outcome = self.take(&line[place..], at, sink);
            }
        }
        outcome
    }

    /// Keeps a line that may go on in the next one; notes any other.
    fn begin(&mut self, line: &[u8], at: LinePosition) {
        let begun = BegunLine::new(line, at);
        let may_go_on = |dialect: &Dialect| dialect.is_begun(begun.text());
        if at.ended && self.dialect.as_ref().is_some_and(may_go_on) {
            self.begun = Some(begun);
        } else {
            self.note(LineOutcome::Unknown, line, at);
        }
    }

    /// The line after one that may go on: its end, or a line of its own.
    #[cold]
    fn go_on(&mut self, line: &[u8], at: LinePosition, sink: &mut impl FnMut(Record<'_>)) {
        let Some(begun) = self.begun.take() else {
            return;
        };
        if self.dialect.is_none() {
            return self.go_on_first(&begun, line, at, sink);
        }
        let alone = match self.take(line, at, sink) {
            LineOutcome::Unknown => self.take_changed(line, at, sink),
            outcome => outcome,
        };
        if alone != LineOutcome::Unknown {
            self.note_begun(&begun);
            return self.note(alone, line, at);
        }
        for joined in begun.joined(line) {
            let outcome = match self.take(joined.text(), begun.at, sink) {
                LineOutcome::Unknown => self.take_changed(joined.text(), begun.at, sink),
                outcome => outcome,
            };
            if outcome != LineOutcome::Unknown {
                return self.note(outcome, joined.text(), begun.at);
            }
        }
        let next_begins = self.dialect.as_ref().is_some_and(|d| d.is_begun(line));
        match begun.joined(line).next() {
            Some(joined) if at.ended && !next_begins => self.begun = Some(joined),
            _ => {
                self.note_begun(&begun);
                self.begin(line, at);
            }
        }
    }

    /// Notes the lines of an event that did not become complete.
    fn note_begun(&mut self, begun: &BegunLine) {
        self.note(LineOutcome::Unknown, begun.text(), begun.at);
        if let Some(odd) = &mut self.report.odd_lines {
            odd.count += u64::from(begun.pieces() - 1);
        }
    }

    /// The text ended after a line that might have gone on.
    fn end_begun(&mut self) {
        match self.begun.take() {
            Some(begun) if self.dialect.is_none() => self.note_first(begun.text(), begun.at),
            Some(begun) => self.note_begun(&begun),
            None => {}
        }
    }

    /// Looks for the first line of a trace.
    #[cold]
    fn first(&mut self, line: &[u8], at: LinePosition, sink: &mut impl FnMut(Record<'_>)) {
        let pattern = self.pattern.as_ref();
        if let Some(dialect) = Dialect::detect(line, pattern) {
            self.begin_with(dialect);
            self.line(line, at, sink);
        } else if let Some(dialect) = Dialect::detect_changed(line, pattern) {
            self.begin_with(dialect);
            self.is_changed = true;
            self.changed(line, at, sink);
        } else if self.shaped(line, at) {
            let Some((shape, lines)) = self.shaped.take() else {
                return;
            };
            self.begin_with(shape.dialect());
            lines
                .iter()
                .for_each(|(line, at)| self.line(line, *at, sink));
        } else if at.ended && is_begun(line) {
            self.begun = Some(BegunLine::new(line, at));
        } else {
            self.note_first(line, at);
        }
    }

    /// The text is of this dialect.
    fn begin_with(&mut self, dialect: Dialect) {
        self.report.not_understood = None;
        self.report.time_shift = dialect.time_shift();
        self.report.tracer = matches!(dialect, Dialect::Ftrace(_)).then(|| dialect.name());
        self.dialect = Some(dialect);
        self.shaped = None;
    }

    /// Notes a line before the first event.
    fn note_first(&mut self, line: &[u8], at: LinePosition) {
        if !line.trim_ascii().is_empty() {
            self.report.summary |= blkparse::is_summary(line);
            if blkparse::is_custom(line) {
                LineGroup::note(&mut self.report.custom_lines, at.line, at.byte, line);
            }
            LineGroup::note(&mut self.report.not_understood, at.line, at.byte, line);
        }
    }

    /// The line after one that may be the begin of the first event.
    fn go_on_first(
        &mut self,
        begun: &BegunLine,
        line: &[u8],
        at: LinePosition,
        sink: &mut impl FnMut(Record<'_>),
    ) {
        let pattern = self.pattern.as_ref();
        let found = begun.joined(line).find(|joined| {
            let text = joined.text();
            Dialect::detect(text, pattern).is_some()
                || Dialect::detect_changed(text, pattern).is_some()
        });
        match found {
            Some(joined) => self.first(joined.text(), begun.at, sink),
            None => {
                self.note_first(begun.text(), begun.at);
                self.first(line, at, sink);
            }
        }
    }

    /// Keeps lines of the shape of a table; whether there are enough of them, one after another.
    fn shaped(&mut self, line: &[u8], at: LinePosition) -> bool {
        let Some(shape) = TableShape::of_row(line) else {
            self.shaped = None;
            return false;
        };
        let (known, lines) = self
            .shaped
            .get_or_insert_with(|| (shape.clone(), Vec::new()));
        if *known != shape {
            (*known, *lines) = (shape, Vec::new());
        }
        lines.push((line.to_vec(), at));
        lines.len() >= csv::LINES
    }
}

/// What a line is for those who look for recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// An event, where the format has it in its line.
    Event(Option<Event>),
    /// Closing figures of blkparse.
    Closing,
    /// Headings of a table, printed when the tool starts.
    Headings,
    /// The heading of ftrace.
    Tracer,
    Blank,
    /// Anything else.
    Text,
}

/// Reads lines and tells what each is.
#[derive(Clone, Debug, Default)]
pub struct TextLines {
    state: TextState,
}

impl TextLines {
    pub fn new(pattern: Option<Pattern>) -> TextLines {
        TextLines {
            state: TextDecoder::with_pattern(pattern).state,
        }
    }

    /// Takes the next line.
    pub fn line(&mut self, line: &[u8], at: LinePosition) -> LineKind {
        let mut event = None;
        let before = self.state.taken + self.state.report.other_events;
        let mut sink = |record: Record<'_>| {
            if let Record::Event(e) | Record::Command(e, _) = record {
                event.get_or_insert(e);
            }
        };
        // Decoders are compiled once for all that looks at texts.
        let mut sink: &mut dyn FnMut(Record<'_>) = &mut sink;
        self.state.line(line, at, &mut sink);
        let takes = self.state.taken + self.state.report.other_events > before;
        let shown = repair::shown(line);
        let text = scan::unquoted(shown.as_deref().unwrap_or(line)).trim_ascii();
        match &self.state.dialect {
            _ if text.is_empty() => LineKind::Blank,
            Some(Dialect::Biosnoop(_)) if Biosnoop::looks_like(text) => LineKind::Headings,
            Some(Dialect::Iolog(_)) if Iolog::of_heading(text).is_some() => LineKind::Headings,
            _ if takes => LineKind::Event(event),
            _ if blkparse::is_closing(text) => LineKind::Closing,
            Some(Dialect::Ftrace(_)) if text.starts_with(b"# tracer: ") => LineKind::Tracer,
            Some(Dialect::Ftrace(_)) if text.starts_with(b"#  ") => LineKind::Blank,
            _ if self.state.begun.is_some() => LineKind::Blank,
            _ => LineKind::Text,
        }
    }
}

/// Whether a text that begins so is a trace that may be one of several in it. `whole`: this is all
/// of it.
pub fn may_have_recordings(head: &[u8], whole: bool, pattern: Option<Pattern>) -> bool {
    let mut decoder = TextDecoder::with_pattern(pattern);
    let mut sink: &mut dyn FnMut(Record<'_>) = &mut |_| {};
    decoder.feed(head, &mut sink);
    if whole {
        decoder.finish(&mut sink);
    }
    let (taken, dialect) = (decoder.state.taken, decoder.state.dialect);
    taken > 0 && !matches!(dialect, None | Some(Dialect::FioLog(_) | Dialect::Csv(_)))
}

/// Whether a line may be the begin of the first event, or of the headings, of a text.
fn is_begun(line: &[u8]) -> bool {
    Blkparse::is_begun(line) || Ftrace::is_begun(line) || Biosnoop::begins_headings(line)
}

/// Whether a text begins with an entry of one of fio's logs.
pub fn is_fio_log(head: &[u8]) -> bool {
    head.split(|&b| b == b'\n')
        .next()
        .is_some_and(FioLog::looks_like)
}

/// Why a log of fio that begins so is no trace, by its first entry; `None` if it may be one.
pub fn fio_log_problem(head: &[u8]) -> Option<FormatProblem> {
    let mut log = FioLog::default();
    log.line(head.split(|&b| b == b'\n').next()?);
    log.problem()
}

/// A look at the start of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextPreview {
    /// Lines of a trace.
    pub events: u64,
    /// Lines from the first of these on that are nothing of a trace.
    pub others: u64,
    /// Closing figures of a native tool were seen.
    pub summary: bool,
    /// When nothing of a trace was seen: the first line that is not empty.
    pub not_understood: Option<LineGroup>,
}

/// Looks at the start of a text; `whole`: this is all of it. Otherwise its last line is usually
/// truncated and does not count.
pub fn look(head: &[u8], whole: bool, pattern: Option<Pattern>) -> TextPreview {
    let mut decoder = TextDecoder::with_pattern(pattern);
    let mut sink: &mut dyn FnMut(Record<'_>) = &mut |_| {};
    decoder.feed(head, &mut sink);
    if whole {
        decoder.finish(&mut sink);
    }
    let TextState {
        dialect,
        report,
        taken,
        ..
    } = decoder.state;
    TextPreview {
        events: taken.max(u64::from(dialect.is_some())),
        others: report.odd_lines.as_ref().map_or(0, |odd| odd.count),
        summary: report.summary && report.unread_text().is_none(),
        not_understood: report.unread_text().cloned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::EventDetail;

    /// The records of a text in words, and the report.
    pub(super) fn decoded(text: &str) -> (Vec<String>, Report) {
        let decode = |shift: u64| {
            let mut records = Vec::new();
            let mut decoder = TextDecoder::default();
            let mut sink = |record: Record<'_>| records.push(words(&record, shift));
            decoder.feed(text.as_bytes(), &mut sink);
            decoder.finish(&mut sink);
            (records, decoder.report().clone())
        };
        let shift = decode(0).1.time_shift;
        decode(shift)
    }

    fn words(record: &Record<'_>, shift: u64) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (e, command) = match *record {
            Record::Event(e) => (e, None),
            Record::Command(e, command) => (e, Some(command)),
            Record::Process { pid, name, .. } => return format!("{pid} is {}", text(name)),
            Record::Timestamp { time, wall, .. } => return format!("{time} is {wall}"),
            Record::Device { device, name } => return format!("{device} is {}", text(name)),
            Record::Message {
                time,
                cpu,
                device,
                pid,
                text: said,
                ..
            } => {
                let time = time - shift;
                return format!("{time} {cpu} {pid} {device} m {}", text(said));
            }
        };
        // Formats write events without a sector in several ways.
        let sector = if e.sectors() == 0 && e.detail == EventDetail::None {
            0
        } else {
            e.sector
        };
        let sector = if sector == u64::MAX { 0 } else { sector };
        let (letters, rwbs, n) = (e.action.letters(), e.flags.rwbs(e.bytes), e.sectors());
        let device = if e.device == crate::event::DeviceNumber::NONE {
            "none".to_owned()
        } else {
            e.device.to_string()
        };
        let mut words = format!(
            "{} {} {} {device} {letters} {rwbs} {sector}+{n}",
            e.time - shift,
            e.cpu,
            e.pid
        );
        if e.detail != EventDetail::None {
            words += &format!(" {:?}", e.detail);
        }
        if let Some(command) = command {
            words += &format!(" command {command:?}");
        }
        if e.error != 0 {
            words += &format!(" error {}", e.error);
        }
        words
    }
}
