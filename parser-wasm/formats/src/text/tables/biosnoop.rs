//! Tables of one line an I/O with headings that name the columns: biosnoop and disksnoop of bcc,
//! biosnoop.bt of bpftrace, iosnoop of perf-tools. Columns differ by version, so the headings
//! decide.

use super::completed::{CompletedIo, CompletedIos};
use crate::text::scan::{Scan, decimal};
use crate::text::tasks::{MAX_TASK, Tasks};
use crate::text::{LineOutcome, clock};
use crate::{EventNumber, FormatProblem, Record, RequiredData, rwbs};
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::Flags;

/// Words of a task's name in front of a remark: names have at most 15 bytes.
const MAX_NAME_WORDS: usize = 8;

/// The content of a column. Times have the ns of their unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BiosnoopColumn {
    End(u64),
    /// The time of day, perhaps with a date, or seconds without a unit.
    Clock,
    Start(u64),
    Task,
    Pid,
    Device,
    Operation,
    Sector,
    Bytes,
    Queued(u64),
    Latency(u64),
    Other,
}

/// Days since the first line, and the last time, where times of day are printed without a date.
#[derive(Clone, Copy, Debug, Default)]
struct DaysPassed(u64, u64);

/// Reads such tables.
#[derive(Clone, Debug, Default)]
pub struct Biosnoop {
    columns: Vec<BiosnoopColumn>,
    completions: CompletedIos,
    tasks: Tasks,
    /// Operations have flags; older versions print only R and W.
    letters: bool,
    days: DaysPassed,
}

impl Biosnoop {
    /// Whether this is the headings of such a table.
    pub fn looks_like(line: &[u8]) -> bool {
        headings(line).is_some()
    }

    /// Whether this is the first of the headings: a time and others, without a latency.
    pub fn begins_headings(line: &[u8]) -> bool {
        let words = line.split(u8::is_ascii_whitespace);
        let columns: Vec<BiosnoopColumn> = words
            .filter(|word| !word.is_empty())
            .map(column)
            .filter(|column| *column != BiosnoopColumn::Other)
            .collect();
        let is_latency = |c: &BiosnoopColumn| matches!(c, BiosnoopColumn::Latency(_));
        columns.len() >= 3 && lacks_time(&columns).is_none() && !columns.iter().any(is_latency)
    }

    /// The headings of a row of bcc's biosnoop, which a filter has dropped: a time and a latency
    /// with fractions, and between them a task, its pid, a disk, an operation, a sector and bytes.
    pub fn headings_of_row(line: &[u8]) -> Option<&'static [u8]> {
        let words: Vec<&[u8]> = line
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .collect();
        let is_fraction = |word: &&[u8]| decimal(word, 1).is_some() && word.contains(&b'.');
        let times = words
            .iter()
            .rev()
            .take_while(|word| is_fraction(word))
            .count();
        let [before @ .., disk, operation, sector, bytes] = &words[..words.len() - times] else {
            return None;
        };
        let [time, task @ .., pid] = before else {
            return None;
        };
        let is_row = is_fraction(time)
            && !task.is_empty()
            && task.join(&b' ').len() <= MAX_TASK
            && number(pid).is_some()
            && disk.first().is_some_and(u8::is_ascii_alphabetic)
            && rwbs::flags(operation, 1).is_some()
            && number(sector).is_some()
            && number(bytes).is_some_and(|bytes| bytes % 512 == 0);
        match times {
            1 if is_row => Some(b"TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)"),
            2 if is_row => Some(b"TIME(s) COMM PID DISK T SECTOR BYTES QUE(ms) LAT(ms)"),
            _ => None,
        }
    }

    /// The capabilities of the columns.
    pub fn capabilities(&self) -> Capabilities {
        let has = |wanted: fn(&BiosnoopColumn) -> bool| self.columns.iter().any(wanted);
        let mut capabilities = Capabilities::ISSUES | Capabilities::COMPLETIONS;
        for (present, what) in [
            (
                has(|c| matches!(c, BiosnoopColumn::Queued(_))),
                Capabilities::INSERTS,
            ),
            (
                has(|c| matches!(c, BiosnoopColumn::Pid)),
                Capabilities::PROCESSES,
            ),
            (
                has(|c| matches!(c, BiosnoopColumn::Sector)),
                Capabilities::PLACES,
            ),
            (self.letters, Capabilities::HINTS | Capabilities::FLUSHES),
        ] {
            capabilities = if present {
                capabilities | what
            } else {
                capabilities
            };
        }
        capabilities
    }

    /// Why nothing can be read of the table though it is known.
    pub fn problem(&self) -> Option<FormatProblem> {
        let none = || self.completions.is_empty().then_some(FormatProblem::NoRows);
        lacks(&self.columns).map(FormatProblem::Lacks).or_else(none)
    }

    /// Whether a line has the first columns of a row.
    pub fn is_begun(&self, line: &[u8]) -> bool {
        let words = line.split(u8::is_ascii_whitespace);
        let mut words = words.filter(|word| !word.is_empty());
        let timed = words.next().is_some_and(|word| {
            clock::time_of_day(word).is_some() || decimal(word, 1_000_000_000).is_some()
        });
        // A name may have a blank.
        timed && words.count() <= self.columns.len()
    }

    /// Takes a line.
    pub fn line(&mut self, line: &[u8], sink: &mut impl FnMut(Record<'_>)) -> LineOutcome {
        if let Some(columns) = headings(line) {
            // Printed again, or by the next run in the same file.
            self.columns = columns;
            return LineOutcome::Ignored;
        }
        if lacks(&self.columns).is_some() {
            return LineOutcome::Other;
        }
        let banner = || {
            [b"Tracing".as_slice(), b"Attaching", b"Ending"]
                .iter()
                .any(|word| line.starts_with(word))
        };
        let row = self.row(line, sink).or_else(|| {
            let ends = remark_places(line, self.columns.len());
            ends.into_iter()
                .find_map(|end| self.row(&line[..end], sink))
        });
        match row {
            Some(outcome) => outcome,
            None if line.trim_ascii().is_empty() || banner() => LineOutcome::Ignored,
            None => LineOutcome::Unknown,
        }
    }

    /// Takes the end of the text and emits its events.
    pub fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        self.completions.finish(sink);
    }

    fn row(&mut self, line: &[u8], sink: &mut impl FnMut(Record<'_>)) -> Option<LineOutcome> {
        let words: Vec<&[u8]> = line
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .collect();
        // A date and its time are two words.
        let clock = self
            .columns
            .iter()
            .position(|c| *c == BiosnoopColumn::Clock);
        let dated = clock
            .and_then(|index| words.get(index))
            .is_some_and(|word| clock::is_date(word));
        // A task's name may have blanks in it, or be empty.
        let task = self.columns.iter().position(|c| *c == BiosnoopColumn::Task);
        let surplus = (words.len() as isize) - (self.columns.len() as isize) - isize::from(dated);
        if surplus < -1 || (surplus != 0 && task.is_none()) {
            return None;
        }
        let mut row = CompletedIo {
            flags: Flags::READ,
            ..CompletedIo::default()
        };
        let (mut start, mut end, mut latency, mut name) = (None, None, None, Vec::new());
        let mut index = 0;
        for column in &self.columns {
            if *column == BiosnoopColumn::Task {
                let n = (1 + surplus) as usize;
                name = words.get(index..index + n)?.join(&b' ');
                if n > 1 && name.len() > MAX_TASK {
                    return None;
                }
                index += n;
                continue;
            }
            let word = *words.get(index)?;
            index += 1;
            match *column {
                BiosnoopColumn::End(unit) => end = Some(decimal(word, unit)?),
                BiosnoopColumn::Clock if dated => {
                    end = Some(
                        clock::date(word)?.checked_add(clock::time_of_day(words.get(index)?)?)?,
                    );
                    index += 1;
                }
                BiosnoopColumn::Clock => end = Some(self.days.time(word)?),
                BiosnoopColumn::Start(unit) => start = Some(decimal(word, unit)?),
                BiosnoopColumn::Latency(unit) => latency = Some(decimal(word, unit)?),
                // -1 where the insertion was not seen.
                BiosnoopColumn::Queued(unit) => {
                    row.queued = if word.starts_with(b"-") {
                        None
                    } else {
                        Some(decimal(word, unit)?)
                    }
                }
                BiosnoopColumn::Pid => row.pid = number(word)?.try_into().ok()?,
                BiosnoopColumn::Sector => row.sector = number(word)?,
                BiosnoopColumn::Bytes => row.bytes = number(word)?.try_into().ok()?,
                BiosnoopColumn::Operation => {
                    row.flags = rwbs::flags(word, 1)?;
                    self.letters |= word.len() > 1;
                }
                BiosnoopColumn::Device => {
                    let mut scan = Scan(word);
                    let numbered = scan.device().filter(|_| scan.done().is_some());
                    row.device = numbered.unwrap_or_else(|| self.completions.device(word));
                }
                BiosnoopColumn::Task | BiosnoopColumn::Other => {}
            }
        }
        if row.device == Default::default() {
            row.device = self.completions.device(b"disk");
        }
        row.latency = latency?;
        row.time = end.or_else(|| start?.checked_add(row.latency))?;
        if let Some(time) = row.impossible_time() {
            return Some(LineOutcome::Outlier(EventNumber::Time, time));
        }
        self.tasks.names(row.pid, row.time, &name, true, sink);
        self.completions.push(row);
        Some(LineOutcome::Taken)
    }
}

impl DaysPassed {
    /// A time without a unit: of day, which begins anew at midnight, or seconds.
    fn time(&mut self, word: &[u8]) -> Option<u64> {
        let Some(time) = clock::time_of_day(word) else {
            return clock::stamp(word).or_else(|| decimal(word, 1_000_000_000));
        };
        let DaysPassed(days, last) = *self;
        let days = if time + clock::DAY / 2 < last {
            days + 1
        } else {
            days
        };
        *self = DaysPassed(days, time);
        time.checked_add(days.checked_mul(clock::DAY)?)
    }
}

/// The columns of these headings; `None` if they are not headings of a table with times and
/// latencies.
fn headings(line: &[u8]) -> Option<Vec<BiosnoopColumn>> {
    if !line.trim_ascii_start().first()?.is_ascii_uppercase() {
        return None;
    }
    let words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let columns: Vec<BiosnoopColumn> = words.map(column).collect();
    let latency = columns
        .iter()
        .any(|c| matches!(c, BiosnoopColumn::Latency(_)));
    let named = columns
        .iter()
        .filter(|c| **c != BiosnoopColumn::Other)
        .count();
    (latency && named >= 3).then_some(columns)
}

/// `TIME(s)`, `PID`; of iosnoop `ENDs`, `LATms`.
fn column(word: &[u8]) -> BiosnoopColumn {
    let end = word
        .iter()
        .position(|b| !b.is_ascii_uppercase())
        .unwrap_or(word.len());
    let (name, unit) = word.split_at(end);
    let unit = match unit
        .strip_prefix(b"(")
        .and_then(|u| u.strip_suffix(b")"))
        .unwrap_or(unit)
    {
        b"s" => Some(1_000_000_000),
        b"ms" => Some(1_000_000),
        b"us" => Some(1000),
        b"ns" => Some(1),
        _ => None,
    };
    match (name, unit) {
        (b"TIME" | b"END", Some(unit)) => BiosnoopColumn::End(unit),
        (b"TIME" | b"TIMESTAMP" | b"DATETIME", None) if end == word.len() => BiosnoopColumn::Clock,
        (b"START", Some(unit)) => BiosnoopColumn::Start(unit),
        (b"LAT", Some(unit)) => BiosnoopColumn::Latency(unit),
        (b"QUE", Some(unit)) => BiosnoopColumn::Queued(unit),
        (b"COMM", None) => BiosnoopColumn::Task,
        (b"PID", None) => BiosnoopColumn::Pid,
        (b"DISK" | b"DEV", None) => BiosnoopColumn::Device,
        (b"T" | b"TYPE", None) => BiosnoopColumn::Operation,
        (b"SECTOR" | b"BLOCK", None) => BiosnoopColumn::Sector,
        (b"BYTES", None) => BiosnoopColumn::Bytes,
        _ => BiosnoopColumn::Other,
    }
}

/// Where a remark may begin behind the words of a row, `4096 85.20 <-- slow`: a task's name may be
/// several words.
fn remark_places(line: &[u8], columns: usize) -> Vec<usize> {
    let begins = |place: &usize| {
        let is_blank = |index: usize| line[index].is_ascii_whitespace();
        !is_blank(*place) && (*place == 0 || is_blank(place - 1))
    };
    (0..line.len())
        .filter(begins)
        .skip(columns)
        .take(MAX_NAME_WORDS)
        .filter(|place| !line[*place].is_ascii_digit())
        .collect()
}

/// What a table has not, without which its I/Os cannot be shown.
fn lacks(columns: &[BiosnoopColumn]) -> Option<RequiredData> {
    let sector = columns.contains(&BiosnoopColumn::Sector);
    lacks_time(columns).or((!sector).then_some(RequiredData::SectorColumn))
}

fn lacks_time(columns: &[BiosnoopColumn]) -> Option<RequiredData> {
    use BiosnoopColumn::{Clock, End, Start};
    let timed = columns
        .iter()
        .any(|c| matches!(c, End(_) | Start(_) | Clock));
    (!timed).then_some(RequiredData::TimeColumn)
}

fn number(word: &[u8]) -> Option<u64> {
    let mut scan = Scan(word);
    let number = scan.number()?;
    scan.done().map(|()| number)
}
