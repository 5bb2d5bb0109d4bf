//! Lines of the kernel's `blk` tracer: those of blkparse without sequence, after the prefix of
//! ftrace by default, or with device, CPU, time and pid before them with the option `blk_classic`.
//!
//! `7,0    Q  RM 15942 + 2 [dd]`. The option `verbose` has long names of actions, `blk_cgroup` the cgroup before them.

use super::prefix::Prefix;
use crate::Record;
use crate::text::LineOutcome;
use crate::text::blkparse;
use crate::text::blkparse::{Blkparse, LineHeader};
use crate::text::scan::Scan;
use seekscope_trace::event::{Action, DeviceNumber, Flags};

/// Reads its lines.
#[derive(Clone, Debug, Default)]
pub struct BlkTracer {
    tails: Blkparse,
}

impl BlkTracer {
    /// Whether the text after ftrace's prefix is an event of this tracer.
    pub fn looks_like(rest: &[u8]) -> bool {
        behind_prefix(&mut Scan(rest)).is_some()
    }

    /// Whether this is a line of the option `blk_classic`.
    pub fn is_classic(line: &[u8]) -> bool {
        classic(&mut Scan(line)).is_some()
    }

    /// Takes a line with ftrace's prefix.
    pub fn line(&mut self, prefix: &Prefix<'_>, sink: &mut impl FnMut(Record<'_>)) -> LineOutcome {
        let mut scan = Scan(prefix.rest);
        let Some((device, what)) = behind_prefix(&mut scan) else {
            return LineOutcome::Unknown;
        };
        let &Prefix { cpu, time, pid, .. } = prefix;
        self.tail(
            LineOrigin {
                device,
                cpu,
                time,
                pid,
            },
            what,
            scan,
            sink,
        )
    }

    /// Takes a line of the option `blk_classic`.
    pub fn classic(&mut self, line: &[u8], sink: &mut impl FnMut(Record<'_>)) -> LineOutcome {
        let mut scan = Scan(line);
        match classic(&mut scan) {
            Some((place, what)) => self.tail(place, what, scan, sink),
            None => LineOutcome::Unknown,
        }
    }

    fn tail(
        &mut self,
        place: LineOrigin,
        what: LineAction,
        scan: Scan<'_>,
        sink: &mut impl FnMut(Record<'_>),
    ) -> LineOutcome {
        let LineOrigin {
            device,
            cpu,
            time,
            pid,
        } = place;
        let LineAction {
            cgroup,
            action,
            flags,
        } = what;
        let head = LineHeader {
            device,
            cpu,
            sequence: 0,
            time,
            pid,
            cgroup,
            action,
            flags,
        };
        self.tails
            .event(&head, scan, sink)
            .map_or(LineOutcome::Unknown, |()| LineOutcome::Taken)
    }
}

/// Where and when, and the running task.
struct LineOrigin {
    device: DeviceNumber,
    cpu: u32,
    time: u64,
    pid: u32,
}

/// What happened.
struct LineAction {
    cgroup: Option<u64>,
    /// `None`: a message.
    action: Option<Action>,
    flags: Flags,
}

fn behind_prefix(scan: &mut Scan<'_>) -> Option<(DeviceNumber, LineAction)> {
    let device = scan.blanks().device()?;
    scan.gap()?;
    Some((device, what(scan)?))
}

fn classic(scan: &mut Scan<'_>) -> Option<(LineOrigin, LineAction)> {
    let device = scan.blanks().device()?;
    scan.gap()?;
    let cpu = scan.small()?;
    scan.gap()?;
    let time = scan.seconds()?;
    scan.gap()?;
    let pid = scan.small()?;
    scan.gap()?;
    Some((
        LineOrigin {
            device,
            cpu,
            time,
            pid,
        },
        what(scan)?,
    ))
}

/// The cgroup perhaps, the action and the operation.
fn what(scan: &mut Scan<'_>) -> Option<LineAction> {
    let first = scan.token();
    scan.gap()?;
    if let Some(action) = action(first) {
        return Some(LineAction {
            cgroup: None,
            action,
            flags: blkparse::rwbs(scan.token())?,
        });
    }
    // An id in two parts, or a path.
    let cgroup = blkparse::cgroup(first);
    let is_path = first.starts_with(b"/") || first == b"<...>";
    let action = action(scan.token()).filter(|_| cgroup.is_some() || is_path)?;
    scan.gap()?;
    Some(LineAction {
        cgroup,
        action,
        flags: blkparse::rwbs(scan.token())?,
    })
}

/// The action of these letters, or of this long name; inside `None` for a message.
fn action(word: &[u8]) -> Option<Option<Action>> {
    Some(Some(match word {
        b"m" | b"message" => return Some(None),
        b"queue" => Action::Queue,
        b"backmerge" => Action::BackMerge,
        b"frontmerge" => Action::FrontMerge,
        b"getrq" => Action::GetRequest,
        b"sleeprq" => Action::SleepRequest,
        b"requeue" => Action::Requeue,
        b"issue" => Action::Issue,
        b"complete" => Action::Complete,
        b"plug" => Action::Plug,
        b"unplug_io" => Action::Unplug,
        b"unplug_timer" => Action::UnplugTimer,
        b"insert" => Action::Insert,
        b"split" => Action::Split,
        b"bounce" => Action::Bounce,
        b"remap" => Action::Remap,
        letters => blkparse::action(letters)?,
    }))
}

#[cfg(test)]
mod tests {
    use crate::text::tests::decoded;

    #[test]
    fn behind_the_prefix_of_ftrace() {
        let (records, report) = decoded(
            "# tracer: blk\n#\n\
             \x20             dd-8941    [001] d..1.  2750.226053:   7,0    Q  RM 15942 + 2 [dd]\n\
             \x20             dd-8941    [001] .....  2750.226060:   7,0    G  RM 15942 + 2 [dd]\n\
             \x20   kworker/1:1-44      [001] d..1.  2750.226070:   7,0    D   R 15942 + 2 \
             [kworker/1:1]\n\
             \x20         <idle>-0       [000] d.h2.  2750.226090:   7,0    C   R 15942 + 2 \
             [65531]\n\
             \x20             dd-8941    [001] d..1.  2750.226100:   7,0    U   N [dd] 2\n\
             \x20             dd-8941    [001] d..1.  2750.226101:   7,0    A  WS 64 + 8 <- \
             (253,1) 0\n\
             \x20             dd-8941    [001] d..1.  2750.226102:   7,0    X  WS 32770 / 33802 \
             [dd]\n\
             \x20             dd-8941    [001] d..1.  2750.226103:   7,0    D   R 36 (12 00 ..) \
             [dd]\n\
             \x20             dd-8941    [001] d..1.  2750.226104:   7,0    m   N cfq schedule \
             dispatch\n",
        );
        assert_eq!(
            records,
            [
                "8941 is dd",
                "2750226053000 1 8941 7,0 Q RM 15942+2",
                "2750226060000 1 8941 7,0 G RM 15942+2",
                "44 is kworker/1:1",
                "2750226070000 1 44 7,0 D R 15942+2",
                "2750226090000 0 0 7,0 C R 15942+2 error -5",
                "2750226100000 1 8941 7,0 U N 0+0 Unplug(2)",
                "2750226101000 1 8941 7,0 A WS 64+8 Remap { from: DeviceNumber(265289729), to: \
                    DeviceNumber(7340032), sector: 0 }",
                "2750226102000 1 8941 7,0 X WS 32770+1032 Split(33802)",
                "2750226103000 1 8941 7,0 D R 0+0 command [18, 0]",
                "2750226104000 1 8941 7,0 m cfq schedule dispatch",
            ]
        );
        assert_eq!(
            (report.formats.as_slice(), report.odd_lines),
            (&["blk-tracer-text"][..], None)
        );
    }

    #[test]
    fn with_blk_classic() {
        let (records, report) = decoded(
            "# DEV   CPU TIMESTAMP     PID ACT FLG\n#  |     |     |           |   |   |\n\
             \x20 7,0    1  2750.226053218  8941  Q  RM 15942 + 2 [dd]\n\
             \x20 7,0    1  2750.226060218  8941  UT   N [dd] 1\n\
             259,1048574   0  2750.226090000     0  C   R 15942 + 2 [0]\n",
        );
        assert_eq!(
            records,
            [
                "8941 is dd",
                "2750226053218 1 8941 7,0 Q RM 15942+2",
                "2750226060218 1 8941 7,0 UT N 0+0 Unplug(1)",
                "2750226090000 0 0 259,1048574 C R 15942+2",
            ]
        );
        assert_eq!(
            (report.formats.as_slice(), report.odd_lines),
            (&["blk-tracer-text"][..], None)
        );
    }

    #[test]
    fn long_names_and_cgroups() {
        let names = [
            ("queue", "Q"),
            ("backmerge", "M"),
            ("frontmerge", "F"),
            ("getrq", "G"),
            ("sleeprq", "S"),
            ("issue", "D"),
            ("insert", "I"),
            ("bounce", "B"),
        ];
        for (name, letter) in names {
            let (records, _) = decoded(&format!(
                "  dd-1 [000] d..1. 2.000001:   7,0 {name} WS 8 + 8 [dd]\n"
            ));
            assert_eq!(
                records[1..],
                [format!("2000001000 0 1 7,0 {letter} WS 8+8")],
                "{name}"
            );
        }
        for (line, wanted) in [
            ("requeue WS 8 + 8 [0]", "R WS 8+8"),
            ("complete WS 8 + 8 [0]", "C WS 8+8"),
            ("plug   N [dd]", "P N 0+0"),
            ("unplug_io   N [dd] 3", "U N 0+0 Unplug(3)"),
            ("unplug_timer   N [dd] 3", "UT N 0+0 Unplug(3)"),
            ("split WS 8 / 16 [dd]", "X WS 8+8 Split(16)"),
            ("message   N hello", "m hello"),
            ("1a,2  Q WS 8 + 8 [dd]", "Q WS 8+8"),
            ("/user.slice/a.scope  Q WS 8 + 8 [dd]", "Q WS 8+8"),
            ("<...>  queue WS 8 + 8 [dd]", "Q WS 8+8"),
        ] {
            let (records, report) =
                decoded(&format!("  dd-1 [000] d..1. 2.000001:   7,0 {line}\n"));
            let last = records
                .last()
                .expect("a record")
                .strip_prefix("2000001000 0 1 7,0 ")
                .expect("its place");
            assert_eq!((last, report.odd_lines), (wanted, None), "{line}");
        }
    }

    #[test]
    fn damaged_lines_are_reported() {
        let (records, report) = decoded(
            "  dd-1 [000] d..1. 2.000001:   7,0    Q  WS 8 + 8 [dd]\n\
             \x20 dd-1 [000] d..1. 2.000002:   7,0    Q  WS 8 + [dd]\n\
             \x20 dd-1 [000] d..1. 2.000003: Unknown action 63\n",
        );
        assert_eq!(records.len(), 2);
        assert_eq!(report.odd_lines.map(|l| (l.count, l.line)), Some((2, 2)));
    }
}
