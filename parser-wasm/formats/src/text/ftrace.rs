//! Lines of ftrace (`trace`, `trace_pipe`), `trace-cmd report` and `perf script`: a prefix of who,
//! where and when, and the body of a block trace point or of a driver's; or, when the tracer is
//! `blk`, a line of that tracer.

mod blk_tracer;
mod block_events;
mod prefix;

use super::LineOutcome;
use super::lines::repair;
use super::losses::Losses;
use super::scan::Scan;
use super::tasks::{MAX_TASK, NO_NAME, Tasks, UNKNOWN_PID};
use crate::block_event::{PointLayout, SeenActions, TracePoint, hex, point};
use crate::driver::{self, CommandMoment, DriverLine, DriverPoint, OtherRequests};
use crate::values::PointValues;
use crate::{FormatProblem, LostSpan, Record};
use blk_tracer::BlkTracer;
use prefix::{Prefix, Style};
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::driver_counts::DriverCounts;
use seekscope_trace::event::{Action, DeviceNumber, Event};

/// Bytes of a passthrough command that are kept.
const COMMAND: usize = 32;

/// The tool that printed the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TextSource {
    #[default]
    Ftrace,
    TraceCmd,
    Perf,
    Blk,
}

/// Reads their lines.
#[derive(Clone, Debug, Default)]
pub struct Ftrace {
    /// From headings, and by the first event at the latest.
    source: Option<TextSource>,
    /// The first event was read.
    begun: bool,
    tasks: Tasks,
    blk: BlkTracer,
    seen: SeenActions,
    losses: Losses,
    others: OtherRequests,
    values: PointValues,
    counter: bool,
    has_cpus: bool,
    has_pids: bool,
}

impl Ftrace {
    /// Whether this is a heading or an event of such a text.
    pub fn looks_like(line: &[u8]) -> bool {
        heading(line).is_some()
            || BlkTracer::is_classic(line)
            || prefix::prefix(line)
                .is_some_and(|p| prefix::event(p.rest).is_some() || BlkTracer::looks_like(p.rest))
    }

    /// Whether a line has the first columns of an event: task and pid, or a CPU.
    pub fn is_begun(line: &[u8]) -> bool {
        prefix::prefix(line).is_some_and(|p| p.rest.is_empty() || prefix::event(p.rest).is_some())
            || prefix::is_begun(line)
    }

    /// Name as in [`Store::format`](seekscope_trace::store::Store::format).
    pub fn name(&self) -> &'static str {
        match self.source.unwrap_or_default() {
            TextSource::Ftrace => "ftrace-text",
            TextSource::TraceCmd => "trace-cmd-text",
            TextSource::Perf => "perf-text",
            TextSource::Blk => "blk-tracer-text",
        }
    }

    /// The capabilities of the events seen.
    pub fn capabilities(&self) -> Capabilities {
        match self.source {
            Some(TextSource::Blk) => Capabilities::ALL.without(Capabilities::SEQUENCES),
            _ => {
                let columns = [
                    (self.has_cpus, Capabilities::CPUS),
                    (self.has_pids, Capabilities::PROCESSES),
                ];
                let all = self.seen.capabilities().without(self.others.lacks());
                let absent = columns.iter().filter(|(is_seen, _)| self.begun && !is_seen);
                absent.fold(all, |all, (_, what)| all.without(*what))
            }
        }
    }

    /// The commands of drivers.
    pub fn drivers(&self) -> DriverCounts {
        self.others.counts()
    }

    /// Names of disks, and the bytes of their logical blocks.
    pub fn block_sizes(&self) -> Vec<(String, u32)> {
        self.others.block_sizes()
    }

    /// Values of the tracepoints of limiters.
    pub fn take_values(&mut self) -> PointValues {
        std::mem::take(&mut self.values)
    }

    /// Why nothing can be read, if nothing else is in the text.
    pub fn problem(&self) -> Option<FormatProblem> {
        (self.others.counts().undecoded > 0).then_some(FormatProblem::UndecodedCommands)
    }

    /// Takes the end of the text.
    pub fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        self.others.finish(&mut self.seen, sink);
    }

    /// Whether times are ticks of a trace clock without a known rate.
    pub fn counts_time(&self) -> bool {
        self.counter
    }

    /// When events were lost, as far as lines name a CPU.
    pub fn take_lost(&mut self) -> Vec<LostSpan> {
        std::mem::take(&mut self.losses.spans)
    }

    /// Takes a line.
    #[inline]
    pub fn line(&mut self, line: &[u8], sink: &mut impl FnMut(Record<'_>)) -> LineOutcome {
        match prefix::prefix(line) {
            Some(prefix) if prefix.rest.is_empty() => LineOutcome::Unknown,
            Some(prefix) if has_more(line, &prefix) => self.after_prefix(line, &prefix, sink),
            Some(prefix) => self.prefixed(&prefix, sink),
            None if BlkTracer::is_classic(line) => self.classic(line, sink),
            None => self.other(line),
        }
    }

    /// A line that may begin with something else than the task: that would be read as its name.
    #[cold]
    fn after_prefix(
        &mut self,
        line: &[u8],
        prefix: &Prefix<'_>,
        sink: &mut impl FnMut(Record<'_>),
    ) -> LineOutcome {
        let rest = repair::without_prefix(line);
        match rest.and_then(prefix::prefix) {
            Some(inner) => self.prefixed(&inner, sink),
            None => self.prefixed(prefix, sink),
        }
    }

    #[inline]
    fn prefixed(&mut self, prefix: &Prefix<'_>, sink: &mut impl FnMut(Record<'_>)) -> LineOutcome {
        let Some((name, body)) = prefix::event(prefix.rest) else {
            return match BlkTracer::looks_like(prefix.rest) {
                true => self.traced(prefix, sink),
                false if self.source == Some(TextSource::Blk) => LineOutcome::Unknown,
                false => self
                    .lost(prefix.rest, Some(prefix.cpu))
                    .unwrap_or(LineOutcome::Other),
            };
        };
        self.losses.event(prefix.cpu, prefix.time);
        self.has_cpus |= prefix.has_cpu;
        self.has_pids |= prefix.pid != UNKNOWN_PID;
        let (action, shape) = match point(name) {
            TracePoint::Known(action, shape) => (action, shape),
            TracePoint::Accounting(action) if self.others.accounts() || self.others.pairs() => {
                return self.accounted(action, body, prefix, sink);
            }
            TracePoint::Unused | TracePoint::Accounting(_) => return LineOutcome::Other,
            TracePoint::Foreign => {
                let Some(point) = DriverPoint::named(name) else {
                    self.values.take_line(prefix.time, name, body);
                    return LineOutcome::Other;
                };
                return self.command(point, body, prefix, sink);
            }
        };
        let Some(body) = block_events::read(action, shape, body) else {
            return LineOutcome::Unknown;
        };
        if !self.begun {
            self.begin(prefix);
        }
        // With the blk tracer and trace points in one text, every event would count twice.
        if self.source == Some(TextSource::Blk) {
            return LineOutcome::Other;
        }
        self.others.issued(&body.event);
        if !self.others.block_event(body.event.device) {
            return LineOutcome::Other;
        }
        let &Prefix { time, pid, cpu, .. } = prefix;
        match (body.task.filter(|task| *task != NO_NAME), prefix.task) {
            (Some(task), _) => self.tasks.names(pid, time, task, true, sink),
            (None, Some(task)) => self.tasks.names(pid, time, task, false, sink),
            (None, None) => {}
        }
        self.counter |= prefix.counter;
        self.seen.note(action);
        let event = Event {
            time,
            pid,
            cpu,
            ..body.event
        };
        if event.device == DeviceNumber::NONE
            && action != Action::Plug
            && !matches!(action, Action::Unplug | Action::UnplugTimer)
        {
            // Requests without a bio, in old kernels.
            return LineOutcome::Other;
        }
        match body.command {
            None => sink(Record::Event(event)),
            Some(command) => sink(Record::Command(event, hex(command, &mut [0; COMMAND]))),
        }
        LineOutcome::Taken
    }

    /// A line of block_io_start or block_io_done.
    #[inline(never)]
    fn accounted(
        &mut self,
        action: Action,
        body: &[u8],
        prefix: &Prefix<'_>,
        sink: &mut impl FnMut(Record<'_>),
    ) -> LineOutcome {
        let Some(body) = block_events::read(action, PointLayout::Request, body) else {
            return LineOutcome::Unknown;
        };
        self.others.issued(&body.event);
        if !self.others.accounts() {
            return LineOutcome::Other;
        }
        if !self.begun {
            self.begin(prefix);
        }
        let &Prefix { time, pid, cpu, .. } = prefix;
        if let Some(task) = body.task.filter(|_| action == Action::Issue) {
            self.tasks.names(pid, time, task, true, sink);
        }
        self.counter |= prefix.counter;
        self.others.accounted(
            Event {
                time,
                pid,
                cpu,
                ..body.event
            },
            &mut self.seen,
            sink,
        );
        LineOutcome::Other
    }

    /// A line of a driver.
    #[inline(never)]
    fn command(
        &mut self,
        point: DriverPoint,
        body: &[u8],
        prefix: &Prefix<'_>,
        sink: &mut impl FnMut(Record<'_>),
    ) -> LineOutcome {
        let line = driver::read(point, body);
        if !self.begun && line.is_some() {
            self.begin(prefix);
        }
        let event = match line {
            Some(DriverLine::Event(event)) => event,
            Some(DriverLine::Undecoded) => {
                self.others.undecoded();
                return LineOutcome::Other;
            }
            Some(DriverLine::Other) => return LineOutcome::Other,
            None => return LineOutcome::Unknown,
        };
        let &Prefix { time, pid, cpu, .. } = prefix;
        if let Some(task) = prefix.task {
            self.tasks.names(pid, time, task, false, sink);
        }
        self.counter |= prefix.counter;
        let outlier = self.others.command(
            point,
            &event,
            CommandMoment { time, pid, cpu },
            &mut self.seen,
            sink,
        );
        outlier.map_or(LineOutcome::Other, |(number, value)| {
            LineOutcome::Outlier(number, value)
        })
    }

    /// A line of the blk tracer after a prefix.
    fn traced(&mut self, prefix: &Prefix<'_>, sink: &mut impl FnMut(Record<'_>)) -> LineOutcome {
        if !std::mem::replace(&mut self.begun, true) {
            self.source = Some(TextSource::Blk);
        }
        if self.source != Some(TextSource::Blk) || !self.others.block_event(DeviceNumber::default())
        {
            return LineOutcome::Other;
        }
        self.counter |= prefix.counter;
        self.losses.event(prefix.cpu, prefix.time);
        self.blk.line(prefix, sink)
    }

    /// A line of the blk tracer with its option blk_classic.
    fn classic(&mut self, line: &[u8], sink: &mut impl FnMut(Record<'_>)) -> LineOutcome {
        if !std::mem::replace(&mut self.begun, true) {
            self.source = Some(TextSource::Blk);
        }
        let counts = self.source == Some(TextSource::Blk)
            && self.others.block_event(DeviceNumber::default());
        if counts {
            self.blk.classic(line, sink)
        } else {
            LineOutcome::Other
        }
    }

    /// Decides by the first event which tool printed the text, if no heading did.
    #[cold]
    fn begin(&mut self, prefix: &Prefix<'_>) {
        self.begun = true;
        // trace-cmd pads the names of events.
        let padded = prefix.rest.windows(3).any(|w| w == b":  ");
        self.source = Some(match (prefix.style, self.source) {
            (Style::Blank, _) => TextSource::Perf,
            (Style::Dash, Some(source)) if source != TextSource::Blk => source,
            (Style::Dash, _) if padded => TextSource::TraceCmd,
            (Style::Dash, _) => TextSource::Ftrace,
        });
    }

    /// A line that reports lost events, on the CPU that it names or on `cpu`.
    fn lost(&mut self, text: &[u8], cpu: Option<u32>) -> Option<LineOutcome> {
        let count = lost(text)?;
        if count == 0 {
            return Some(LineOutcome::Ignored);
        }
        let named = text
            .strip_prefix(b"CPU:")
            .and_then(|rest| Scan(rest).small());
        if let Some(cpu) = named.or(cpu) {
            self.losses.lost(cpu, count);
        }
        Some(LineOutcome::Lost(count))
    }

    /// A line without a prefix.
    #[cold]
    fn other(&mut self, line: &[u8]) -> LineOutcome {
        if let Some(source) = heading(line) {
            self.source = self.source.or(source);
        }
        match self.lost(line.trim_ascii(), None) {
            Some(lost) => lost,
            None if heading(line).is_some() || is_known(line) => LineOutcome::Ignored,
            None => LineOutcome::Unknown,
        }
    }
}

/// Whether something may precede the task in a line: its name is too long, or begins like a prefix
/// of another tool.
#[inline]
fn has_more(line: &[u8], prefix: &Prefix<'_>) -> bool {
    prefix.task.is_some_and(|task| task.len() > MAX_TASK)
        || matches!(
            line.first(),
            Some(b'0'..=b'9' | b'*' | b'+' | b'-' | b'|' | b'[')
        )
}

/// A heading, and the tool that prints it, if only one does.
fn heading(line: &[u8]) -> Option<Option<TextSource>> {
    let line = line.trim_ascii();
    if line.starts_with(b"# tracer: ") {
        Some(None)
    } else if line.starts_with(b"cpus=") {
        Some(Some(TextSource::TraceCmd))
    } else if line.starts_with(b"# entries-in-buffer/entries-written:")
        || line.starts_with(b"# DEV   CPU TIMESTAMP")
    {
        Some(Some(TextSource::Ftrace))
    } else {
        None
    }
}

/// Lines between events: comments, stacks, empty CPUs.
fn is_known(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    let indented = line.len() > text.len() && line.first().is_some_and(u8::is_ascii_whitespace);
    let address = text.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    text.is_empty()
        || text.starts_with(b"#")
        || text.starts_with(b"=> ")
        || text.starts_with(b"version = ")
        || (text.starts_with(b"CPU ") && text.ends_with(b" is empty"))
        || (indented && address >= 4 && text.get(address).is_none_or(|&b| b == b' '))
}

/// How many lost events a line reports; 1 if it has no number.
fn lost(text: &[u8]) -> Option<u64> {
    let mut scan = Scan(text);
    if scan.word(b"# entries-in-buffer/entries-written:").is_some() {
        let buffered = scan.blanks().number()?;
        scan.byte(b'/')?;
        return Some(scan.number()?.saturating_sub(buffered));
    }
    // trace: `CPU:1 [LOST 17 EVENTS]`, trace-cmd: `CPU:1 [17 EVENTS DROPPED]`.
    if scan.word(b"CPU:").is_some() {
        scan.number()?;
        scan.blanks().byte(b'[')?;
        scan.word(b"LOST ");
        let count = scan.number().unwrap_or(1);
        return scan.blanks().word(b"EVENTS").map(|()| count);
    }
    // perf script --show-lost-events: `PERF_RECORD_LOST lost 17`, perf trace: `LOST 17 events!`.
    let perf = scan.word(b"PERF_RECORD_LOST").is_some();
    if perf {
        scan.word(b"_SAMPLES");
        scan.blanks().word(b"lost ")?;
        return scan.number();
    }
    scan.word(b"LOST ")?;
    let count = scan.number()?;
    scan.blanks().word(b"events").map(|()| count)
}

#[cfg(test)]
mod tests;
