//! What blkparse prints by default: a line an event, then perhaps closing figures.
//!
//! `  8,0    1       12     0.001500000  512  Q  WS 1000 + 8 [dd]`: device, CPU, sequence, time, pid, action, operation,
//! and a tail that depends on the action. Columns are read by blanks, not by width: long values
//! push the rest to the right.

pub mod pattern;
pub mod remark;
pub mod totals;
mod tracked;

use super::LineOutcome;
use super::lines::repair;
use super::scan::Scan;
use crate::Record;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::{Action, DeviceNumber, Event, EventDetail, Flags};
use tracked::Tracked;

/// Sector of what is printed without one.
const NO_PLACE: u64 = u64::MAX;

/// Added to all times, ns: times before the first event that blkparse read are negative. One day.
pub const TIME_SHIFT: u64 = 86_400 * 1_000_000_000;

/// What the times of a live session are printed as that are before the first event that blkparse
/// read: 2^64 ns more than they are, with the seconds cut to 32 bits. -1 ns is 1 below this.
const WRAPPED: u64 = ((1u128 << 64) - ((1u128 << 34) * 1_000_000_000)) as u64;

/// Reads blkparse's lines.
#[derive(Clone, Debug, Default)]
pub struct Blkparse {
    pub(super) tracked: Tracked,
    /// Messages were seen.
    messages: bool,
    /// A command in binary.
    command: Vec<u8>,
}

/// The fields before the tail.
pub(super) struct LineHeader {
    pub device: DeviceNumber,
    pub cpu: u32,
    pub sequence: u32,
    pub time: u64,
    pub pid: u32,
    pub cgroup: Option<u64>,
    /// `None`: a message.
    pub action: Option<Action>,
    pub flags: Flags,
}

impl Blkparse {
    /// Everything, although blkparse 1.2.0 does not print messages with a cgroup.
    pub fn capabilities(&self) -> Capabilities {
        if self.messages {
            Capabilities::ALL
        } else {
            Capabilities::ALL.without(Capabilities::MESSAGES)
        }
    }

    /// Whether this is an event's line.
    pub fn looks_like(line: &[u8]) -> bool {
        head(&mut Scan(line)).is_some()
    }

    /// Whether a line has the first columns of an event: device, CPU and perhaps more.
    pub fn is_begun(line: &[u8]) -> bool {
        let first = |start: usize| {
            let mut scan = Scan(&line[start..]);
            scan.blanks().device().and_then(|_| scan.gap())?;
            scan.small()?;
            scan.done().or_else(|| {
                scan.gap()?;
                scan.byte(b'-');
                scan.small().map(|_| ())
            })
        };
        std::iter::once(0)
            .chain(repair::event_places(line))
            .any(|place| first(place).is_some())
    }

    /// Takes a line.
    #[inline]
    pub fn line(&mut self, line: &[u8], sink: &mut impl FnMut(Record<'_>)) -> LineOutcome {
        let mut scan = Scan(line);
        match head(&mut scan) {
            Some(head) => self
                .event(&head, scan, sink)
                .map_or(LineOutcome::Unknown, |()| LineOutcome::Taken),
            None => other(line),
        }
    }

    /// Takes the end of the text.
    pub fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        self.tracked.finish(sink);
    }

    #[inline]
    pub(super) fn event(
        &mut self,
        head: &LineHeader,
        mut scan: Scan<'_>,
        sink: &mut impl FnMut(Record<'_>),
    ) -> Option<()> {
        let &LineHeader {
            device,
            cpu,
            sequence,
            time,
            pid,
            cgroup,
            action,
            flags,
        } = head;
        let Some(action) = action else {
            self.messages = true;
            self.tracked.sees(device, cpu, 0, sink);
            let text = scan.0.strip_prefix(b" ").unwrap_or(scan.0);
            sink(Record::Message {
                time,
                cpu,
                device,
                pid,
                cgroup,
                text,
            });
            return Some(());
        };
        scan.blanks();
        let error = 0;
        let mut e = Event {
            time,
            sector: 0,
            bytes: 0,
            action,
            flags,
            pid,
            device,
            cpu,
            sequence,
            error,
            detail: EventDetail::None,
        };
        let mut name = None;
        self.command.clear();
        match action {
            Action::Complete | Action::Requeue => self.outcome(&mut e, &mut scan)?,
            Action::Remap => remap(&mut e, &mut scan)?,
            Action::Plug | Action::Unplug | Action::UnplugTimer => {
                let (found, rest) = bracketed(scan.0)?;
                name = Some(found);
                scan = Scan(rest);
                if let Some(count) = scan.blanks().number() {
                    e.detail = EventDetail::Unplug(count);
                }
                scan.done()?;
            }
            Action::Split => {
                e.sector = scan.number()?;
                if scan.blanks().byte(b'/').is_some() {
                    e.detail = EventDetail::Split(scan.blanks().number()?);
                }
                name = Some(last_bracketed(scan.blanks().0)?);
            }
            _ => {
                self.extent(&mut e, &mut scan)?;
                name = Some(last_bracketed(scan.blanks().0)?);
            }
        }
        if let Some(name) = name {
            self.tracked.names(pid, time, name, sink);
        }
        if e.action == Action::Remap {
            self.tracked.remap(e, sink);
            return Some(());
        }
        self.tracked.sees(device, cpu, sequence, sink);
        self.tracked.follow(&mut e);
        match self.command.is_empty() {
            true => sink(Record::Event(e)),
            false => sink(Record::Command(e, &self.command)),
        }
        Some(())
    }

    /// `sector + n`, possibly followed by `(elapsed)`, or nothing; of a passthrough request `bytes
    /// (command)`.
    #[inline]
    fn extent(&mut self, e: &mut Event, scan: &mut Scan<'_>) -> Option<()> {
        let Some(first) = scan.number() else {
            elapsed(scan)?;
            e.sector = NO_PLACE;
            return Some(());
        };
        if sectors(e, first, scan)? {
            return elapsed(scan);
        }
        e.flags |= Flags::PC;
        e.bytes = u32::try_from(first).ok()?;
        self.command(scan)
    }

    /// `sector + n [error]`, `sector [error]`; of a passthrough request `(command) [error]`.
    #[inline]
    fn outcome(&mut self, e: &mut Event, scan: &mut Scan<'_>) -> Option<()> {
        match scan.number() {
            Some(sector) => {
                e.sector = sector;
                sectors(e, sector, scan)?;
                elapsed(scan)?;
            }
            None => {
                e.flags |= Flags::PC;
                self.command(scan)?;
            }
        }
        scan.blanks().byte(b'[')?;
        let negative = scan.byte(b'-').is_some();
        let error = scan.small().filter(|&n| n <= u32::from(u16::MAX))? as i16;
        e.error = if negative {
            error.wrapping_neg()
        } else {
            error
        };
        scan.byte(b']')?;
        scan.done()
    }

    /// `(12 00 ..)`: hexadecimal bytes, `..` for zeros.
    fn command(&mut self, scan: &mut Scan<'_>) -> Option<()> {
        if scan.blanks().byte(b'(').is_none() {
            return Some(());
        }
        loop {
            match scan.blanks().0 {
                [b')', rest @ ..] | [b'.', b'.', b')', rest @ ..] => {
                    *scan = Scan(rest);
                    return Some(());
                }
                _ if self.command.len() < usize::from(u16::MAX) => {
                    self.command.push(u8::try_from(scan.hex()?).ok()?)
                }
                _ => return None,
            }
        }
    }
}

/// After a sector: ` + n`. False if there is none.
#[inline]
fn sectors(e: &mut Event, sector: u64, scan: &mut Scan<'_>) -> Option<bool> {
    if scan.blanks().byte(b'+').is_none() {
        return Some(false);
    }
    let n = scan.blanks().number()?;
    e.sector = sector;
    e.bytes = n
        .checked_mul(512)
        .and_then(|bytes| u32::try_from(bytes).ok())?;
    Some(true)
}

/// `( 1234)` of `-t`, when it is there.
#[inline]
fn elapsed(scan: &mut Scan<'_>) -> Option<()> {
    if scan.blanks().byte(b'(').is_some() {
        scan.blanks().number()?;
        scan.byte(b')')?;
    }
    Some(())
}

/// `1000 + 8 <- (8,1) 937`
#[inline]
fn remap(e: &mut Event, scan: &mut Scan<'_>) -> Option<()> {
    let sector = scan.number()?;
    e.sector = sector;
    sectors(e, sector, scan)?;
    if scan.blanks().word(b"<-").is_some() {
        scan.blanks().byte(b'(')?;
        let from = scan.blanks().device()?;
        scan.byte(b')')?;
        e.detail = EventDetail::Remap {
            from,
            to: e.device,
            sector: scan.blanks().number()?,
        };
    }
    scan.done()
}

/// `[name]` and the text after it. A name may contain brackets and blanks; after it is at most a
/// number.
fn bracketed(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let inner = text.strip_prefix(b"[")?;
    let end = inner.iter().rposition(|&b| b == b']')?;
    Some((&inner[..end], &inner[end + 1..]))
}

/// `[name]` at the end of a line.
#[inline]
fn last_bracketed(text: &[u8]) -> Option<&[u8]> {
    text.trim_ascii_end().strip_prefix(b"[")?.strip_suffix(b"]")
}

/// Everything up to the operation's letters; absent when the line is no event.
#[inline]
fn head(scan: &mut Scan<'_>) -> Option<LineHeader> {
    let device = scan.blanks().device()?;
    scan.gap()?;
    let cpu = scan.small()?;
    scan.gap()?;
    let negative = scan.byte(b'-').is_some();
    let sequence = scan.small()?;
    let sequence = if negative {
        sequence.wrapping_neg()
    } else {
        sequence
    };
    scan.gap()?;
    let time = unwrapped(scan.seconds()?);
    scan.gap()?;
    let pid = scan.small()?;
    scan.gap()?;
    let mut word = scan.token();
    // blkparse 1.3.0 prints the cgroup, in hexadecimal, before the action.
    let cgroup = cgroup(word);
    if cgroup.is_some() {
        scan.gap()?;
        word = scan.token();
    }
    let action = if word == b"m" {
        None
    } else {
        Some(action(word)?)
    };
    scan.gap()?;
    let flags = rwbs(scan.token())?;
    Some(LineHeader {
        device,
        cpu,
        sequence,
        time,
        pid,
        cgroup,
        action,
        flags,
    })
}

/// A printed time with [`TIME_SHIFT`] added. One that is too large for it is left as it is: it is
/// too large for a trace, too.
#[inline]
pub(super) fn unwrapped(printed: u64) -> u64 {
    let shifted = printed.checked_add(TIME_SHIFT).unwrap_or(printed);
    if printed < WRAPPED && shifted > WRAPPED {
        shifted - WRAPPED
    } else {
        shifted
    }
}

/// `inode,generation`
#[inline]
pub(super) fn cgroup(word: &[u8]) -> Option<u64> {
    if word.len() < 3 {
        return None;
    }
    let mut scan = Scan(word);
    let inode = scan.hex()?;
    scan.byte(b',')?;
    let generation = scan.hex()?;
    scan.done()?;
    Some(generation << 32 | inode & 0xffff_ffff)
}

/// The action of these letters.
#[inline]
pub(super) fn action(letters: &[u8]) -> Option<Action> {
    Some(match letters {
        b"Q" => Action::Queue,
        b"M" => Action::BackMerge,
        b"F" => Action::FrontMerge,
        b"G" => Action::GetRequest,
        b"S" => Action::SleepRequest,
        b"R" => Action::Requeue,
        b"D" => Action::Issue,
        b"C" => Action::Complete,
        b"P" => Action::Plug,
        b"U" => Action::Unplug,
        b"UT" => Action::UnplugTimer,
        b"I" => Action::Insert,
        b"X" => Action::Split,
        b"B" => Action::Bounce,
        b"A" => Action::Remap,
        b"ZP" => Action::ZonePlug,
        b"ZU" => Action::ZoneUnplug,
        _ => return None,
    })
}

/// The flags of these letters: `F` before the operation is a preflush, after it FUA.
#[inline]
pub(super) fn rwbs(letters: &[u8]) -> Option<Flags> {
    let (flush, letters) = match letters {
        [b'F', rest @ ..] if !rest.is_empty() => (Flags::FLUSH, rest),
        _ => (Flags::default(), letters),
    };
    let (&operation, hints) = letters.split_first()?;
    let mut flags = flush
        | match operation {
            b'R' | b'N' => Flags::READ,
            b'W' => Flags::WRITE,
            b'D' => Flags::WRITE | Flags::DISCARD,
            _ => return None,
        };
    for hint in hints {
        flags |= match hint {
            b'F' => Flags::FUA,
            b'A' => Flags::AHEAD,
            b'S' => Flags::SYNC,
            b'M' => Flags::META,
            // Barriers of old kernels share their bit with flushes.
            b'B' => Flags::FLUSH,
            _ => return None,
        };
    }
    Some(flags)
}

/// Words of a line that may be fields of `blkparse -f`, which has 20.
const MAX_CUSTOM_WORDS: usize = 32;

/// Lines of the closing figures, by how they begin.
const SUMMARY: [&[u8]; 8] = [
    b"Reads Queued:",
    b"Read Dispatches:",
    b"Reads Requeued:",
    b"Reads Completed:",
    b"Read Merges:",
    b"IO unplugs:",
    b"Throughput (R/W):",
    b"PC Reads Queued:",
];
const HEADINGS: [&[u8]; 11] = [
    b"CPU",
    b"Total (",
    b"Events (",
    b"Skips:",
    b"Input file ",
    b"Trace started at",
    b"Read depth:",
    b"Allocation wait:",
    b"Dispatch wait:",
    b"Completion wait:",
    b"PC Read",
];

/// Whether this is a line of blkparse's closing figures.
pub fn is_summary(line: &[u8]) -> bool {
    SUMMARY
        .iter()
        .any(|start| line.trim_ascii_start().starts_with(start))
}

/// Whether a line has the words of an event, in another order or with others between them: an
/// action next to an operation and numbers, or both anywhere and a time with all nine decimals.
pub fn is_custom(line: &[u8]) -> bool {
    let words = || {
        line.split(|b| !b.is_ascii_alphanumeric() && *b != b'.')
            .filter(|word| !word.is_empty())
    };
    let number = |word: &&[u8]| word[0].is_ascii_digit();
    let follows = words().zip(words().skip(1));
    let mut pairs = follows.filter(|(first, next)| action(first).is_some() && rwbs(next).is_some());
    let numbers = words().filter(number).count();
    let is_time = |word: &[u8]| {
        let mut scan = Scan(word);
        word.len() > 10 && word[word.len() - 10] == b'.' && scan.seconds().is_some()
    };
    let has_letters = || {
        let letters = || words().enumerate().take(MAX_CUSTOM_WORDS);
        letters().any(|(index, word)| {
            let other = |(place, word): (usize, &[u8])| place != index && rwbs(word).is_some();
            action(word).is_some() && letters().any(other)
        })
    };
    numbers >= 3
        && numbers * 3 >= words().count()
        && (pairs.next().is_some() || words().any(is_time) && has_letters())
}

/// Whether this is a line of blkparse's closing figures that is not printed before events.
pub fn is_closing(line: &[u8]) -> bool {
    let starts: [&[u8]; 4] = [b"Total (", b"Throughput (R/W):", b"Events (", b"Skips:"];
    is_summary(line) || starts.iter().any(|start| line.starts_with(start))
}

/// A line other than an event: closing figures, a heading with a process name (`dd (123)`), or an
/// unknown line.
#[cold]
fn other(line: &[u8]) -> LineOutcome {
    let text = line.trim_ascii();
    if is_summary(text) {
        LineOutcome::Summary
    } else if text.is_empty()
        || HEADINGS.iter().any(|start| text.starts_with(start))
        || is_process(text)
    {
        LineOutcome::Ignored
    } else {
        LineOutcome::Unknown
    }
}

/// `dd (123)`, `fio (123, 124)`
fn is_process(text: &[u8]) -> bool {
    let Some(open) = text.iter().rposition(|&b| b == b'(') else {
        return false;
    };
    let Some(pids) = text[open + 1..].strip_suffix(b")") else {
        return false;
    };
    open > 0
        && pids.first().is_some_and(u8::is_ascii_digit)
        && pids
            .iter()
            .all(|b| b.is_ascii_digit() || b", .".contains(b))
}
