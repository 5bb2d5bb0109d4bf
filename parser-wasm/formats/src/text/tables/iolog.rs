//! fio's log of the I/Os that it issues (`write_iolog`), which it also replays.
//!
//! | version | line | time |
//! |---|---|---|
//! | 2 | `file action` or `file action offset length` | none; `wait` has µs |
//! | 3 | the same behind a number | µs since the start |
//!
//! Offset and length are bytes. Only when an I/O is issued is known.

use crate::named::NamedDevices;
use crate::text::LineOutcome;
use crate::text::scan::Scan;
use crate::{FormatProblem, Record, RequiredData};
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::{Action, DeviceNumber, Event, EventDetail, Flags};

/// The capabilities of an I/O.
pub const CAPABILITIES: Capabilities =
    Capabilities(Capabilities::QUEUES.0 | Capabilities::PLACES.0);
const MICROSECOND: u64 = 1000;

/// Reads such logs.
#[derive(Clone, Debug, Default)]
pub struct Iolog {
    timed: bool,
    names: NamedDevices,
    events: u64,
    /// I/Os without a time.
    untimed: u64,
}

impl Iolog {
    /// The log of this heading: `fio version 3 iolog`.
    pub fn of_heading(line: &[u8]) -> Option<Iolog> {
        let version = line.trim_ascii().strip_prefix(b"fio version ")?;
        let timed = match version.strip_suffix(b" iolog")? {
            b"2" => false,
            b"3" => true,
            _ => return None,
        };
        Some(Iolog {
            timed,
            ..Iolog::default()
        })
    }

    /// Why nothing can be read of the log though it is known.
    pub fn problem(&self) -> Option<FormatProblem> {
        if self.untimed > 0 {
            return Some(FormatProblem::Lacks(RequiredData::Times));
        }
        (self.events == 0).then_some(FormatProblem::NoRows)
    }

    /// Takes a line.
    pub fn line(&mut self, line: &[u8], sink: &mut impl FnMut(Record<'_>)) -> LineOutcome {
        if line.trim_ascii().is_empty() || Iolog::of_heading(line).is_some() {
            return LineOutcome::Ignored;
        }
        self.entry(line, sink).unwrap_or(LineOutcome::Unknown)
    }

    fn entry(&mut self, line: &[u8], sink: &mut impl FnMut(Record<'_>)) -> Option<LineOutcome> {
        let mut scan = Scan(line);
        let mut time = 0;
        if self.timed {
            time = scan.blanks().number()?.checked_mul(MICROSECOND)?;
            scan.gap()?;
        }
        let file = scan.blanks().token();
        scan.gap()?;
        let flags = match scan.token() {
            b"read" => Flags::READ,
            b"write" => Flags::WRITE,
            b"trim" => Flags::WRITE | Flags::DISCARD,
            b"sync" | b"datasync" | b"sync_file_range" => Flags::WRITE | Flags::FLUSH,
            b"add" | b"open" | b"close" | b"wait" => return Some(LineOutcome::Ignored),
            _ => return None,
        };
        let (mut offset, mut bytes) = (0, 0);
        if scan.gap().is_some() {
            offset = scan.number()?;
            scan.gap()?;
            bytes = scan.number()?;
        }
        scan.done()?;
        if !self.timed {
            self.untimed += 1;
            return Some(LineOutcome::Other);
        }
        let has_data = !flags.has(Flags::FLUSH);
        self.events += 1;
        sink(Record::Event(Event {
            time,
            sector: if has_data { offset / 512 } else { 0 },
            bytes: if has_data { bytes.try_into().ok()? } else { 0 },
            action: Action::Queue,
            flags,
            pid: 0,
            device: self.device(file),
            cpu: 0,
            sequence: 0,
            error: 0,
            detail: EventDetail::None,
        }));
        Some(LineOutcome::Taken)
    }

    fn device(&mut self, file: &[u8]) -> DeviceNumber {
        let name = file.rsplit(|b| *b == b'/').next().unwrap_or(file);
        self.names.number(name)
    }

    /// Takes the end of the text.
    pub fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        self.names.finish(sink);
    }
}

#[cfg(test)]
mod tests {
    use crate::text::tests::decoded;
    use crate::{FormatProblem, RequiredData};

    #[test]
    fn entries_with_times() {
        let text = "fio version 3 iolog\n2 Nvme1n1 add\n872 Nvme1n1 open\n878 Nvme1n1 write 0 16384\n\
                    891 Nvme1n1 trim 65536 4096\n1001 /dev/sdb read 16384 4096\n1002 /dev/sdb datasync 0 0\n\
                    10001677 Nvme1n1 close\n";
        let (records, report) = decoded(text);
        let events: Vec<String> = records
            .iter()
            .filter(|record| !record.contains(" is "))
            .map(|record| {
                let words: Vec<&str> = record.split(' ').collect();
                [words[0], words[4], words[5], words[6]].join(" ")
            })
            .collect();
        assert_eq!(
            events,
            [
                "878000 Q W 0+32",
                "891000 Q D 128+8",
                "1001000 Q R 32+8",
                "1002000 Q FW 0+0"
            ]
        );
        assert!(records.iter().any(|record| record.ends_with(" is sdb")));
        assert_eq!((report.odd_lines, report.problem), (None, None));
    }

    #[test]
    fn entries_without_times() {
        let text = "fio version 2 iolog\n/dev/sdb add\n/dev/sdb write 0 4096\n/dev/sdb wait 2000\n";
        let (records, report) = decoded(text);
        assert_eq!(
            (records.len(), report.problem),
            (0, Some(FormatProblem::Lacks(RequiredData::Times)))
        );
        let (_, report) = decoded("fio version 3 iolog\n1 a add\n2 a explode 1 2\n");
        assert_eq!(report.odd_lines.map(|lines| lines.line), Some(3));
        assert_eq!(report.problem, Some(FormatProblem::NoRows));
    }
}
