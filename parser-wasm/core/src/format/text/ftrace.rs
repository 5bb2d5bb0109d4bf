//! Lines of ftrace (`trace`, `trace_pipe`), `trace-cmd report` and `perf script`: a prefix of who, where and when, and the
//! body of a block trace point; or, when the tracer is `blk`, a line of that tracer.

use super::block_events;
use super::losses::Losses;
use super::prefix::{self, Prefix, Style};
use super::scan::Scan;
use super::tasks::Tasks;
use super::{LineOutcome, blk_tracer::BlkTracer};
use crate::event::{Action, DeviceNumber, Event};
use crate::format::block_event::{SeenActions, TracePoint, hex, point};
use crate::format::{Capabilities, LostSpan, Record};

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
    /// Told by headings, and by the first event at the latest.
    source: Option<TextSource>,
    /// The first event was read.
    begun: bool,
    tasks: Tasks,
    blk: BlkTracer,
    seen: SeenActions,
    losses: Losses,
    counter: bool,
}

impl Ftrace {
    /// Whether this is a heading or an event of such a text.
    pub fn looks_like(line: &[u8]) -> bool {
        heading(line).is_some()
            || BlkTracer::is_classic(line)
            || prefix::prefix(line).is_some_and(|p| prefix::event(p.rest).is_some() || BlkTracer::looks_like(p.rest))
    }

    /// Name as in [`Store::format`](crate::store::Store::format).
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
            _ => self.seen.capabilities(),
        }
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
            Some(prefix) => self.prefixed(&prefix, sink),
            None if BlkTracer::is_classic(line) => self.classic(line, sink),
            None => self.other(line),
        }
    }

    #[inline]
    fn prefixed(&mut self, prefix: &Prefix<'_>, sink: &mut impl FnMut(Record<'_>)) -> LineOutcome {
        let Some((name, body)) = prefix::event(prefix.rest) else {
            return match BlkTracer::looks_like(prefix.rest) {
                true => self.traced(prefix, sink),
                false if self.source == Some(TextSource::Blk) => LineOutcome::Unknown,
                false => self.lost(prefix.rest, Some(prefix.cpu)).unwrap_or(LineOutcome::Other),
            };
        };
        self.losses.event(prefix.cpu, prefix.time);
        let (action, shape) = match point(name) {
            TracePoint::Known(action, shape) => (action, shape),
            TracePoint::Unused | TracePoint::Foreign => return LineOutcome::Other,
        };
        let Some(body) = block_events::read(action, shape, body) else { return LineOutcome::Unknown };
        if !self.begun {
            self.begin(prefix);
        }
        // With the blk tracer and trace points in one text, every event would count twice.
        if self.source == Some(TextSource::Blk) {
            return LineOutcome::Other;
        }
        let &Prefix { time, pid, cpu, .. } = prefix;
        match (body.task, prefix.task) {
            (Some(task), _) => self.tasks.names(pid, time, task, true, sink),
            (None, Some(task)) => self.tasks.names(pid, time, task, false, sink),
            (None, None) => {}
        }
        self.counter |= prefix.counter;
        self.seen.note(action);
        let event = Event { time, pid, cpu, ..body.event };
        if event.device == DeviceNumber::NONE && action != Action::Plug && !matches!(action, Action::Unplug | Action::UnplugTimer)
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

    /// A line of the blk tracer after a prefix.
    fn traced(&mut self, prefix: &Prefix<'_>, sink: &mut impl FnMut(Record<'_>)) -> LineOutcome {
        if !std::mem::replace(&mut self.begun, true) {
            self.source = Some(TextSource::Blk);
        }
        if self.source != Some(TextSource::Blk) {
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
        if self.source != Some(TextSource::Blk) { LineOutcome::Other } else { self.blk.classic(line, sink) }
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
        let named = text.strip_prefix(b"CPU:").and_then(|rest| Scan(rest).small());
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

/// A heading, and the tool that prints it, if only one does.
fn heading(line: &[u8]) -> Option<Option<TextSource>> {
    let line = line.trim_ascii();
    if line.starts_with(b"# tracer: ") {
        Some(None)
    } else if line.starts_with(b"cpus=") {
        Some(Some(TextSource::TraceCmd))
    } else if line.starts_with(b"# entries-in-buffer/entries-written:") || line.starts_with(b"# DEV   CPU TIMESTAMP") {
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
        let kept = scan.blanks().number()?;
        scan.byte(b'/')?;
        return Some(scan.number()?.saturating_sub(kept));
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
mod tests {
    use super::super::tests::told;
    use super::*;

    const Q: &str = "  dd-1592    [000] .....   122.135558: block_bio_queue: 254,0 WS 0 + 8 [dd]\n";

    #[test]
    fn text_of_ftrace() {
        let (records, report) = told(&format!(
            "# tracer: nop\n#\n# entries-in-buffer/entries-written: 4/4   #P:2\n#\n\
             #           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n{Q}\
             \x20             dd-1592    [000] .....   122.135686: block_plug: [dd]\n\
             \x20             dd-1592    [000] .....   122.135730: block_unplug: [dd] 1\n\
             \x20   kworker/0:1H-56      [000] d.h2.   123.754639: block_rq_complete: 254,0 FF () 18446744073709551615 + 0 [0]\n"
        ));
        assert_eq!(
            records,
            [
                "1592 is dd",
                "122135558000 0 1592 254,0 Q WS 0+8",
                "122135686000 0 1592 none P N 0+0",
                "122135730000 0 1592 none U N 0+0 Unplug(1)",
                "56 is kworker/0:1H",
                "123754639000 0 56 254,0 C FN 0+0",
            ]
        );
        assert_eq!(report.formats, ["ftrace-text"]);
        assert_eq!((report.lost, report.other_events, report.odd_lines), (0, 0, None));
    }

    #[test]
    fn text_of_trace_cmd_and_perf() {
        let trace_cmd = "cpus=2\n             fio-326   [001]    23.056903: block_bio_queue:      254,0 R 31616 + 16 [fio]\n";
        let unheaded = "             fio-326   [001] d..1.   23.056903: block_bio_queue:      254,0 R 31616 + 16 [fio]\n";
        let perf = "             fio   326 [001]    23.056903:      block:block_bio_queue: 254,0 R 31616 + 16 [fio]\n";
        for (text, format) in [(trace_cmd, "trace-cmd-text"), (unheaded, "trace-cmd-text"), (perf, "perf-text")] {
            let (records, report) = told(text);
            assert_eq!(records, ["326 is fio", "23056903000 1 326 254,0 Q R 31616+16"], "{format}");
            assert_eq!((report.formats.as_slice(), report.odd_lines), (&[format][..], None));
        }
    }

    #[test]
    fn lost_events_are_counted() {
        for (line, lost) in [
            ("CPU:1 [LOST 17 EVENTS]", 17),
            ("CPU:1 [17 EVENTS DROPPED]", 17),
            ("CPU:1 [LOST EVENTS]", 1),
            ("CPU:1 [EVENTS DROPPED]", 1),
            ("# entries-in-buffer/entries-written: 140080/250280   #P:4", 110_200),
            ("  fio  1733 [000]   133.393779: PERF_RECORD_LOST lost 17", 17),
            ("PERF_RECORD_LOST_SAMPLES lost 17", 17),
            ("LOST 17 events!", 17),
        ] {
            let (records, report) = told(&format!("{Q}{line}\n{Q}"));
            assert_eq!((records.len(), report.lost, report.odd_lines), (3, lost, None), "{line}");
        }
    }

    #[test]
    fn lines_of_other_kinds_are_passed_by() {
        let others = [
            "  dd-1592  [000] .....   122.135559: block_touch_buffer: 254,0 sector=145 size=4096",
            "  dd-1592  [000] .....   122.135559: block_io_done: 254,0 WS 0 () 0 + 0 none,0,0 [dd]",
            "  dd-1592  [000] .....   122.135559: sched_switch: prev_comm=dd prev_pid=1592 ==> next_comm=x next_pid=2",
            "  dd-1592  [000] .....   122.135559: submit_bio_noacct <-submit_bio",
            "  dd-1592  [000] .....   122.135559: <stack trace>",
            "  dd-1592  [000] .....   122.135559: block_getrq: 0,0 N 0 + 0 [dd]",
        ];
        let silent = [
            " => submit_bio_noacct",
            "\tffffffff8154a1b0 submit_bio_noacct+0x1 ([kernel.kallsyms])",
            "            55c3a [unknown] (/usr/bin/fio)",
            "##### CPU 1 buffer started ####",
            "CPU 3 is empty",
            "",
        ];
        let (records, report) = told(&format!("{Q}{}\n{}\n{Q}", others.join("\n"), silent.join("\n")));
        assert_eq!((records.len(), report.other_events, report.odd_lines), (3, others.len() as u64, None));
        let (_, report) = told(&format!("{Q}Killed\n  dd-1592  [000] ..... 122.135559: block_bio_queue: 254,0 WS 0 +\n{Q}"));
        assert_eq!(report.odd_lines.map(|l| (l.count, l.line, l.example)), Some((2, 2, "Killed".to_owned())));
    }

    #[test]
    fn actions_that_never_occur_are_not_carried() {
        let mut ftrace = Ftrace::default();
        ftrace.line(Q.trim_end().as_bytes(), &mut |_| {});
        ftrace.line(b"  dd-1 [000] ..... 122.2: block_rq_complete: 254,0 WS () 0 + 8 [0]", &mut |_| {});
        let capabilities = ftrace.capabilities();
        assert!(
            capabilities.has(Capabilities::QUEUES | Capabilities::COMPLETIONS | Capabilities::CPUS | Capabilities::PROCESSES)
        );
        for missing in [
            Capabilities::MERGES,
            Capabilities::INSERTS,
            Capabilities::PLUGS,
            Capabilities::REMAPS,
            Capabilities::SEQUENCES,
            Capabilities::MESSAGES,
        ] {
            assert!(!capabilities.has(missing), "{missing:?}");
        }
    }

    #[test]
    fn one_kind_of_event_counts_where_both_were_recorded() {
        let blk = "  dd-1592    [000] d..1.   122.135558: 254,0    Q  WS 0 + 8 [dd]\n";
        let (records, report) = told(&format!("# tracer: blk\n{blk}{Q}{blk}"));
        assert_eq!((records.len(), report.other_events, report.formats.as_slice()), (3, 1, &["blk-tracer-text"][..]));
        let (records, report) = told(&format!("{Q}{blk}{Q}"));
        assert_eq!((records.len(), report.other_events, report.formats.as_slice()), (3, 1, &["ftrace-text"][..]));
    }

    #[test]
    fn counting_clocks_are_told() {
        let (records, report) = told("  dd-1 [000] ..... 118433: block_bio_queue: 254,0 WS 0 + 8 [dd]\n");
        assert_eq!(records[1], "118433 0 1 254,0 Q WS 0+8");
        assert!(report.counted_time);
        assert!(!told(Q).1.counted_time);
    }
}
