//! Published block traces, one line per I/O. By headings, or by the shape of several lines; here
//! and in `published.rs`:
//!
//! | trace | columns | units |
//! |---|---|---|
//! | MSR Cambridge | `Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime` | 100 ns since 1601, bytes, 100 ns |
//! | Alibaba | `device_id,opcode,offset,length,timestamp` | bytes, µs since 1970 |
//! | CloudPhysics | `ts`, `lbn`, `len`, `cmd`, perhaps `rt`, in any order; only by headings | µs, blocks of 512 bytes, bytes, SCSI operation code, µs |

use super::completed::{CompletedIo, CompletedIos};
use super::published;
use crate::text::LineOutcome;
use crate::text::scan::Scan;
use crate::text::tasks::Tasks;
use crate::{EventNumber, FormatProblem, Record};
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::{Action, DeviceNumber, Event, EventDetail, Flags};

/// Lines of one shape that make a text without headings such a trace.
pub const LINES: usize = 3;
const MSR: &[u8] = b"Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime";
const ALIBABA: &[u8] = b"device_id,opcode,offset,length,timestamp";
/// Of 1601 in Unix time, and the years that a time is taken to be in (2000 to 2100), in 100 ns.
const EPOCH: u64 = 116_444_736_000_000_000;
const FILETIMES: std::ops::Range<u64> = 125_911_584_000_000_000..157_469_184_000_000_000;
/// The same years in Unix time, µs.
const MICROSECONDS: std::ops::Range<u64> = 946_684_800_000_000..4_102_444_800_000_000;

/// The content of a column of CloudPhysics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VscsiColumn {
    Time,
    Block,
    Length,
    Command,
    Latency,
    Other,
}

/// Which trace it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CsvLayout {
    Msr,
    Alibaba,
    Spc,
    Systor,
    Tencent,
    Fiu,
    /// Its columns.
    Vscsi(VscsiColumns),
}

/// The columns of CloudPhysics, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VscsiColumns(Vec<VscsiColumn>);

/// A line.
#[derive(Clone, Copy, Debug, Default)]
pub struct CsvRow<'a> {
    /// ns.
    pub time: u64,
    pub latency: Option<u64>,
    pub sector: u64,
    pub bytes: u32,
    /// `None`: an operation without data.
    pub flags: Option<Flags>,
    /// Name and number of the device, unless it has a device number.
    pub device: (&'a [u8], &'a [u8]),
    pub number: Option<DeviceNumber>,
    /// Thread id and name.
    pub task: Option<(u32, &'a [u8])>,
}

impl CsvLayout {
    /// By headings.
    pub fn of_headings(line: &[u8]) -> Option<CsvLayout> {
        let line = line.trim_ascii();
        if line.eq_ignore_ascii_case(MSR) {
            return Some(CsvLayout::Msr);
        }
        if line.eq_ignore_ascii_case(ALIBABA) {
            return Some(CsvLayout::Alibaba);
        }
        if line.eq_ignore_ascii_case(published::SYSTOR) {
            return Some(CsvLayout::Systor);
        }
        if line.eq_ignore_ascii_case(published::TENCENT) {
            return Some(CsvLayout::Tencent);
        }
        let columns: Vec<VscsiColumn> = line
            .split(|&b| b == b',')
            .map(|word| vscsi_column(word.trim_ascii()))
            .collect();
        use VscsiColumn::*;
        let complete = [Time, Block, Length, Command]
            .iter()
            .all(|c| columns.iter().filter(|d| *d == c).count() == 1);
        complete.then_some(CsvLayout::Vscsi(VscsiColumns(columns)))
    }

    /// By a line of the trace.
    pub fn of_row(line: &[u8]) -> Option<CsvLayout> {
        use CsvLayout::{Alibaba, Fiu, Msr, Spc, Systor, Tencent};
        let is_of = |layout: &CsvLayout| match layout {
            Tencent => published::is_tencent(line),
            layout => layout.row(line).is_some(),
        };
        [Msr, Alibaba, Spc, Systor, Tencent, Fiu]
            .into_iter()
            .find(is_of)
    }

    fn row<'a>(&self, line: &'a [u8]) -> Option<CsvRow<'a>> {
        let mut words = line.split(|&b| b == b',').map(<[u8]>::trim_ascii);
        let mut word = || words.next();
        let row = match self {
            CsvLayout::Spc => return published::spc(line),
            CsvLayout::Systor => return published::systor(line),
            CsvLayout::Tencent => return published::tencent(line),
            CsvLayout::Fiu => return published::fiu(line),
            CsvLayout::Msr => {
                let time = number(word()?).filter(|time| FILETIMES.contains(time))?;
                let device = (
                    word().filter(|name| is_name(name))?,
                    word().filter(|w| number(w).is_some())?,
                );
                let flags = Some(direction(word()?, b"Read", b"Write")?);
                let (offset, bytes, took) = (number(word()?)?, number(word()?)?, number(word()?)?);
                let (issued, latency) = ((time - EPOCH) * 100, took.checked_mul(100)?);
                let time = issued.checked_add(latency)?;
                CsvRow {
                    time,
                    latency: Some(latency),
                    sector: offset / 512,
                    bytes: bytes.try_into().ok()?,
                    flags,
                    device,
                    ..CsvRow::default()
                }
            }
            CsvLayout::Alibaba => {
                let device = (word().filter(|w| number(w).is_some())?, &b""[..]);
                let flags = Some(direction(word()?, b"R", b"W")?);
                let (offset, bytes) = (number(word()?)?, number(word()?)?.try_into().ok()?);
                let time = number(word()?).filter(|time| MICROSECONDS.contains(time))? * 1000;
                CsvRow {
                    time,
                    latency: None,
                    sector: offset / 512,
                    bytes,
                    flags,
                    device,
                    ..CsvRow::default()
                }
            }
            CsvLayout::Vscsi(columns) => {
                let mut row = CsvRow {
                    device: (b"vscsi", b""),
                    ..CsvRow::default()
                };
                for column in &columns.0 {
                    let word = word()?;
                    match column {
                        VscsiColumn::Time => row.time = number(word)?.checked_mul(1000)?,
                        VscsiColumn::Block => row.sector = number(word)?,
                        VscsiColumn::Length => row.bytes = number(word)?.try_into().ok()?,
                        VscsiColumn::Latency => {
                            row.latency = Some(number(word)?.checked_mul(1000)?)
                        }
                        VscsiColumn::Command => row.flags = operation(code(word)?),
                        VscsiColumn::Other => {}
                    }
                }
                row.time = row.time.checked_add(row.latency.unwrap_or(0))?;
                row
            }
        };
        words.next().is_none().then_some(row)
    }
}

/// Reads the lines.
#[derive(Clone, Debug)]
pub struct Csv {
    layout: CsvLayout,
    /// I/Os with a latency, and the names of devices.
    completions: CompletedIos,
    /// First time since 1970, ns, and the device of it.
    first: Option<(u64, DeviceNumber)>,
    rows: u64,
    latencies: bool,
    tasks: Tasks,
}

impl Csv {
    /// For lines of a layout.
    pub fn new(layout: CsvLayout) -> Csv {
        let latencies = match &layout {
            CsvLayout::Msr | CsvLayout::Systor => true,
            CsvLayout::Alibaba | CsvLayout::Spc | CsvLayout::Tencent | CsvLayout::Fiu => false,
            CsvLayout::Vscsi(columns) => columns.0.contains(&VscsiColumn::Latency),
        };
        Csv {
            layout,
            completions: CompletedIos::default(),
            first: None,
            rows: 0,
            latencies,
            tasks: Tasks::default(),
        }
    }

    /// Name as in [`Store::format`](seekscope_trace::store::Store::format).
    pub fn name(&self) -> &'static str {
        match self.layout {
            CsvLayout::Msr => "msr-csv",
            CsvLayout::Alibaba => "alibaba-csv",
            CsvLayout::Spc => "spc",
            CsvLayout::Systor => "systor-csv",
            CsvLayout::Tencent => "tencent-csv",
            CsvLayout::Fiu => "fiu",
            CsvLayout::Vscsi(_) => "vscsi-csv",
        }
    }

    /// The capabilities of the columns.
    pub fn capabilities(&self) -> Capabilities {
        let actions = if self.latencies {
            Capabilities::ISSUES | Capabilities::COMPLETIONS
        } else {
            Capabilities::QUEUES
        };
        match self.layout {
            CsvLayout::Fiu => actions | Capabilities::PLACES | Capabilities::PROCESSES,
            _ => actions | Capabilities::PLACES,
        }
    }

    /// Why there is no I/O.
    pub fn problem(&self) -> Option<FormatProblem> {
        (self.rows == 0).then_some(FormatProblem::NoRows)
    }

    /// Takes a line.
    pub fn line(&mut self, line: &[u8], sink: &mut impl FnMut(Record<'_>)) -> LineOutcome {
        let Some(row) = self.layout.row(line) else {
            let is_expected = line.trim_ascii().is_empty()
                || CsvLayout::of_headings(line).is_some_and(|other| other == self.layout);
            return if is_expected {
                LineOutcome::Ignored
            } else {
                LineOutcome::Unknown
            };
        };
        self.rows += 1;
        let Some(flags) = row.flags else {
            return LineOutcome::Other;
        };
        let device = row.number.unwrap_or_else(|| self.device(row.device));
        let pid = row.task.map_or(0, |task| task.0);
        if let Some((pid, name)) = row.task {
            self.tasks.names(pid, row.time, name, true, sink);
        }
        let CsvRow {
            time,
            sector,
            bytes,
            ..
        } = row;
        match row.latency.filter(|_| self.latencies) {
            Some(latency) => {
                let row = CompletedIo {
                    time,
                    latency,
                    sector,
                    bytes,
                    flags,
                    device,
                    ..CompletedIo::default()
                };
                if let Some(time) = row.impossible_time() {
                    return LineOutcome::Outlier(EventNumber::Time, time);
                }
                self.completions.push(row);
            }
            None => sink(Record::Event(Event {
                time,
                sector,
                bytes,
                action: Action::Queue,
                flags,
                pid,
                device,
                cpu: 0,
                sequence: 0,
                error: 0,
                detail: EventDetail::None,
            })),
        }
        let start = time - row.latency.unwrap_or(0);
        // Times of CloudPhysics count from the start of the tracer.
        let dated = !matches!(
            self.layout,
            CsvLayout::Vscsi(_) | CsvLayout::Spc | CsvLayout::Fiu
        );
        if dated && self.first.is_none_or(|first| start < first.0) {
            self.first = Some((start, device));
        }
        LineOutcome::Taken
    }

    /// Takes the end of the text.
    pub fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        if let Some((time, device)) = self.first.take() {
            sink(Record::Timestamp {
                time,
                wall: time,
                device,
            });
        }
        self.completions.finish(sink);
    }

    fn device(&mut self, (name, number): (&[u8], &[u8])) -> DeviceNumber {
        if number.is_empty() {
            self.completions.device(name)
        } else {
            self.completions.device(&[name, b"_", number].concat())
        }
    }
}

fn vscsi_column(word: &[u8]) -> VscsiColumn {
    match word.to_ascii_lowercase().as_slice() {
        b"ts" => VscsiColumn::Time,
        b"lbn" => VscsiColumn::Block,
        b"len" => VscsiColumn::Length,
        b"cmd" => VscsiColumn::Command,
        b"rt" => VscsiColumn::Latency,
        _ => VscsiColumn::Other,
    }
}

pub fn number(word: &[u8]) -> Option<u64> {
    let mut scan = Scan(word);
    let number = scan.number()?;
    scan.done().map(|()| number)
}

/// An operation code in decimal, or in hex with `0x`.
fn code(word: &[u8]) -> Option<u8> {
    let value = match word.strip_prefix(b"0x") {
        Some(hex) => Scan(hex).hex()?,
        None => number(word)?,
    };
    value.try_into().ok()
}

fn is_name(word: &[u8]) -> bool {
    !word.is_empty()
        && word
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(b))
}

pub fn direction(word: &[u8], read: &[u8], write: &[u8]) -> Option<Flags> {
    if word == read {
        Some(Flags::READ)
    } else {
        (word == write).then_some(Flags::WRITE)
    }
}

/// The direction of READ and WRITE of 6, 10, 12 and 16 bytes; `None` for other commands of SCSI.
fn operation(code: u8) -> Option<Flags> {
    match code {
        0x08 | 0x28 | 0xa8 | 0x88 => Some(Flags::READ),
        0x0a | 0x2a | 0xaa | 0x8a => Some(Flags::WRITE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::FormatProblem;
    use crate::text::tests::decoded;

    const MSR: &str = "128166372003061629,hm,1,Read,383496192,32768,58000\n128166372016382155,hm,1,Write,2822144,4096,1000\n\
                       128166372026382245,hm,0,Write,8192,512,20\n";

    #[test]
    fn rows_of_msr() {
        let (records, report) = decoded(MSR);
        assert_eq!(records[0], "1172163600306162900 is 1172163600306162900");
        assert!(
            records[1].ends_with(" is hm_1") && records[2].ends_with(" is hm_0"),
            "{records:?}"
        );
        let events: Vec<String> = records[3..]
            .iter()
            .map(|r| {
                let w: Vec<&str> = r.split(' ').collect();
                [w[0], w[4], w[5], w[6]].join(" ")
            })
            .collect();
        assert_eq!(
            events,
            [
                "1172163600306162900 D R 749016+64",
                "1172163600311962900 C R 749016+64",
                "1172163601638215500 D W 5512+8",
                "1172163601638315500 C W 5512+8",
                "1172163602638224500 D W 16+1",
                "1172163602638226500 C W 16+1",
            ]
        );
        assert_eq!(
            (report.formats.as_slice(), report.odd_lines),
            (&["msr-csv"][..], None)
        );
        let headed = format!("Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\n{MSR}");
        assert_eq!(decoded(&headed).0, records);
    }

    #[test]
    fn rows_of_alibaba() {
        let text = "419,W,8792731648,16384,1577808144360767\n725,R,59110326272,360448,1577808144360813\n12,R,350868463616,8192,1577808144360852\n";
        for text in [
            text.to_owned(),
            format!("device_id,opcode,offset,length,timestamp\n{text}"),
        ] {
            let (records, report) = decoded(&text);
            let events: Vec<&String> = records.iter().filter(|r| r.contains(" Q ")).collect();
            assert!(
                events[0].starts_with("1577808144360767000 ")
                    && events[0].ends_with(" Q W 17173304+32"),
                "{events:?}"
            );
            assert!(events[2].ends_with(" Q R 685289968+16"), "{events:?}");
            assert_eq!(
                (events.len(), report.formats.as_slice(), report.odd_lines),
                (3, &["alibaba-csv"][..], None)
            );
            assert!(
                records.iter().any(|r| r.ends_with(" is 725")),
                "{records:?}"
            );
        }
    }

    #[test]
    fn rows_of_cloudphysics() {
        let (records, report) = decoded(
            "sn,len,nSG,cmd,ver,lbn,ts,rt\n1,4096,1,42,512,2048,1000,250\n2,8192,1,0x28,512,16,1100,50\n3,0,0,53,512,0,1200,9\n",
        );
        let events: Vec<String> = records
            .iter()
            .filter(|r| !r.contains(" is "))
            .map(|r| {
                let w: Vec<&str> = r.split(' ').collect();
                [w[0], w[4], w[5], w[6]].join(" ")
            })
            .collect();
        assert_eq!(
            events,
            [
                "1000000 D W 2048+8",
                "1100000 D R 16+16",
                "1150000 C R 16+16",
                "1250000 C W 2048+8"
            ]
        );
        assert_eq!(
            (report.formats.as_slice(), report.other_events),
            (&["vscsi-csv"][..], 1)
        );
        // Without response times only the start is known.
        let (records, _) = decoded("ts,lbn,len,cmd\n5,16,4096,40\n");
        assert!(
            records
                .iter()
                .any(|r| r.starts_with("5000 ") && r.ends_with(" Q R 16+8")),
            "{records:?}"
        );
    }

    #[test]
    fn other_tables_are_left_alone() {
        for text in [
            // Two rows are too few to be known by their shape.
            "419,W,8792731648,16384,1577808144360767\n725,R,59110326272,360448,1577808144360813\n",
            "419,W,8792731648,16384,1577808144360767\nkernel,writers,result\n725,R,59110326272,360448,1577808144360813\n12,R,1,2,1577808144360852\n",
            "1,R,2,3,4\n1,R,2,3,4\n1,R,2,3,4\n",
            "128166372003061629,hm,1,Trim,383496192,32768,58000\n128166372003061629,hm,1,Trim,383496192,32768,58000\n128166372003061629,hm,1,Trim,383496192,32768,58000\n",
            "ts,value\n1,2\n",
            "ts,lbn,len\n1,2,3\n",
        ] {
            let (records, report) = decoded(text);
            assert!(
                records.is_empty() && report.not_understood.is_some(),
                "{text}: {records:?}"
            );
        }
    }

    #[test]
    fn damaged_rows() {
        let (_, report) = decoded(&format!(
            "{MSR}128166372026382245,hm,0,Write,8192\n128166372026382245,hm,0,Write,8192,512,20,7\n{MSR}"
        ));
        assert_eq!(report.odd_lines.map(|l| (l.count, l.line)), Some((2, 4)));
        let (_, report) = decoded("Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\n");
        assert_eq!(report.problem, Some(FormatProblem::NoRows));
        let most = u64::MAX;
        let (_, report) = decoded(&format!(
            "{MSR}{most},hm,0,Write,{most},{most},{most}\n128166372026382245,hm,0,Write,{most},1,{most}\n"
        ));
        assert_eq!(report.odd_lines.map(|l| l.count), Some(2));
    }
}
