//! Looks at texts before they are read: whether one is a trace, and what each of its lines is.

use super::blkparse;
use super::blkparse::pattern::Pattern;
use super::decoder::TextDecoder;
use super::dialect::Dialect;
use super::lines::LinePosition;
use super::lines::repair;
use super::scan;
use super::state::TextState;
use super::tables::biosnoop::Biosnoop;
use super::tables::fio_log::FioLog;
use super::tables::iolog::Iolog;
use crate::{FormatProblem, LineGroup, Record};
use seekscope_trace::event::Event;

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
    pub fn line(&mut self, line: &[u8], position: LinePosition) -> LineKind {
        let mut event = None;
        let before = self.state.taken + self.state.report.other_events;
        let mut sink = |record: Record<'_>| {
            if let Record::Event(e) | Record::Command(e, _) = record {
                event.get_or_insert(e);
            }
        };
        // Decoders are compiled once for all that looks at texts.
        let mut sink: &mut dyn FnMut(Record<'_>) = &mut sink;
        self.state.line(line, position, &mut sink);
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

/// Whether a text that begins so is a trace that may be one of several in it. `is_complete`: this
/// is all of it.
pub fn may_have_recordings(head: &[u8], is_complete: bool, pattern: Option<Pattern>) -> bool {
    let mut decoder = TextDecoder::with_pattern(pattern);
    let mut sink: &mut dyn FnMut(Record<'_>) = &mut |_| {};
    decoder.feed(head, &mut sink);
    if is_complete {
        decoder.finish(&mut sink);
    }
    let (taken, dialect) = (decoder.state.taken, decoder.state.dialect);
    taken > 0 && !matches!(dialect, None | Some(Dialect::FioLog(_) | Dialect::Csv(_)))
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

/// Looks at the start of a text; `is_complete`: this is all of it. Otherwise its last line is
/// usually truncated and does not count.
pub fn look(head: &[u8], is_complete: bool, pattern: Option<Pattern>) -> TextPreview {
    let mut decoder = TextDecoder::with_pattern(pattern);
    let mut sink: &mut dyn FnMut(Record<'_>) = &mut |_| {};
    decoder.feed(head, &mut sink);
    if is_complete {
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
