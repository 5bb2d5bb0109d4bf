//! What blkparse prints with a format of one's own (`-f`): the format is given, and read backwards.
//!
//! Blanks are not counted: widths pad with them. A name or a command may contain blanks; it is as
//! long as the rest of the format still matches after it.

use super::{Blkparse, action, rwbs, unwrapped};
use crate::Record;
use crate::text::LineOutcome;
use crate::text::scan::Scan;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::{Action, DeviceNumber, Event, EventDetail, Flags};

/// Letters of fields, as in blkparse's manual; `g` (cgroup) is of 1.3.0, `z` (wall clock) in no
/// manual.
const LETTERS: &[u8] = b"acCdDemMnNpPsStTuUzg";
/// Bytes of a command that are tried in a line: 64 bytes in hexadecimal, and a blank each.
const MAX_COMMAND: usize = 256;
/// Bytes of a name that are tried: `/proc` gives workers of the kernel up to 64.
const MAX_NAME: usize = 64;
/// More texts would take too long to separate.
const MAX_TEXTS: usize = 2;
/// Fields and words of a format. Each is a level of recursion, and a format may stand in a file.
const MAX_PIECES: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
enum PatternPiece {
    /// Stands there literally, without blanks.
    Word(Vec<u8>),
    Field(u8),
    /// `%T%t`: nothing separates the seconds from the nanoseconds.
    JoinedTime,
}

/// A format of `blkparse -f`.
#[derive(Clone, Debug)]
pub struct Pattern {
    pieces: Vec<PatternPiece>,
    /// Reads messages, which keep the default format, and the closing figures.
    plain: Blkparse,
}

/// Values of a line's fields.
#[derive(Clone, Debug, Default)]
struct LineValues<'a> {
    action: &'a [u8],
    letters: &'a [u8],
    name: Option<&'a [u8]>,
    command: &'a [u8],
    device: DeviceNumber,
    cpu: u32,
    sequence: u32,
    timed: bool,
    seconds: u64,
    ns: u64,
    /// Time of day, where that is all that is printed.
    wall: Option<u64>,
    pid: u32,
    sector: u64,
    sectors: u64,
    bytes: Option<u64>,
    error: u32,
    number: Option<u64>,
}

impl Pattern {
    /// Compiles a format; `\n` may be written or meant.
    ///
    /// # Errors
    /// Which fields are missing, or what cannot be read back.
    pub fn new(format: &str) -> Result<Pattern, String> {
        let pieces = pieces(format.as_bytes())?;
        let has = |letter: u8| pieces.contains(&PatternPiece::Field(letter));
        let needed = [
            (has(b'a'), "%a (action)"),
            (has(b'd'), "%d (operation)"),
            (
                has(b'z') || (has(b'T') && has(b't')) || pieces.contains(&PatternPiece::JoinedTime),
                "%T.%t (seconds and nanoseconds)",
            ),
            (has(b'S'), "%S (sector)"),
            (has(b'n') || has(b'N'), "%n (sectors) or %N (bytes)"),
        ];
        let missing: Vec<&str> = needed.iter().filter(|n| !n.0).map(|n| n.1).collect();
        if !missing.is_empty() {
            return Err(format!("missing {}", missing.join(", ")));
        }
        if pieces.len() > MAX_PIECES {
            return Err(format!("more than {MAX_PIECES} fields and words"));
        }
        let pattern = Pattern {
            pieces,
            plain: Blkparse::default(),
        };
        if pattern.texts() > MAX_TEXTS {
            return Err("more than two names or commands (%C, %P) are ambiguous".to_owned());
        }
        Ok(pattern)
    }

    /// Names and commands, whose length only the rest of the line shows.
    fn texts(&self) -> usize {
        let is_text = |piece: &&PatternPiece| matches!(piece, PatternPiece::Field(b'C' | b'P'));
        self.pieces.iter().filter(is_text).count()
    }

    /// The format in a command line, which stands above its output in mails:
    /// `# blkparse -i sda -f "%T.%t %a %d %S %n\n"`. `None` where it prints too little, or two
    /// texts: a file must not choose what takes longest to read.
    pub fn in_command(line: &[u8]) -> Option<Pattern> {
        let line = std::str::from_utf8(line).ok()?;
        let (_, options) = line.split_once("blkparse")?;
        let names = [" -f", "--format-spec="];
        let (_, behind) = names.iter().find_map(|name| options.split_once(name))?;
        let behind = behind.trim_start();
        let quote = behind
            .chars()
            .next()
            .filter(|quote| "\"'".contains(*quote))?;
        let (format, _) = behind[1..].split_once(quote)?;
        Pattern::new(format)
            .ok()
            .filter(|pattern| pattern.texts() < MAX_TEXTS)
    }

    /// The capabilities of lines of this format. No letter prints the source of a remap.
    pub fn capabilities(&self) -> Capabilities {
        let has = |letter: u8| self.pieces.contains(&PatternPiece::Field(letter));
        let lacks = [
            (has(b'c'), Capabilities::CPUS),
            (has(b's') && has(b'c'), Capabilities::SEQUENCES),
            (has(b'p'), Capabilities::PROCESSES),
            (has(b'e'), Capabilities::ERRORS),
            (false, Capabilities::REMAPS),
        ];
        lacks
            .iter()
            .filter(|l| !l.0)
            .fold(self.plain.capabilities(), |all, l| all.without(l.1))
    }

    /// Whether this is an event's line.
    pub fn looks_like(&self, line: &[u8]) -> bool {
        let mut values = LineValues::default();
        matched(&self.pieces, Scan(line), &mut values)
            .and_then(|()| event(&values))
            .is_some()
    }

    /// Takes a line.
    pub fn line(&mut self, line: &[u8], sink: &mut impl FnMut(Record<'_>)) -> LineOutcome {
        let mut values = LineValues::default();
        let found = matched(&self.pieces, Scan(line), &mut values).and_then(|()| event(&values));
        let Some(mut e) = found else {
            return self.plain.line(line, sink);
        };
        let command = command(values.command);
        if !command.is_empty() {
            e.flags |= Flags::PC;
        }
        let tracked = &mut self.plain.tracked;
        if let Some(name) = values.name {
            tracked.names(e.pid, e.time, name, sink);
        }
        tracked.sees(e.device, e.cpu, e.sequence, sink);
        tracked.follow(&mut e);
        match command.is_empty() {
            true => sink(Record::Event(e)),
            false => sink(Record::Command(e, &command)),
        }
        LineOutcome::Taken
    }

    /// Takes the end of the text.
    pub fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        self.plain.finish(sink);
    }
}

fn without_line_end(format: &[u8]) -> &[u8] {
    let format = format.trim_ascii_end();
    match format.strip_suffix(b"\\n").or(format.strip_suffix(b"\\r")) {
        Some(rest) => without_line_end(rest),
        None => format,
    }
}

fn pieces(format: &[u8]) -> Result<Vec<PatternPiece>, String> {
    let mut pieces = Vec::new();
    let mut word = Vec::new();
    let mut rest = without_line_end(format);
    let mut seconds_end = None;
    while let [first, after @ ..] = rest {
        let is_behind_seconds = seconds_end == Some(rest.len());
        let mut close = |pieces: &mut Vec<PatternPiece>| {
            if !word.is_empty() {
                pieces.push(PatternPiece::Word(std::mem::take(&mut word)));
            }
        };
        match (first, after) {
            (b'\n' | b'\r', _) | (b'\\', [b'n' | b'r', ..]) => {
                return Err("an event must be on one line".to_owned());
            }
            (b' ' | b'\t', _) => {
                close(&mut pieces);
                rest = after;
            }
            (b'\\', [b't', after @ ..]) => {
                close(&mut pieces);
                rest = after;
            }
            (b'%', [b'%', after @ ..]) => {
                word.push(b'%');
                rest = after;
            }
            (b'%', _) => {
                let spec = after.strip_prefix(b"-").unwrap_or(after);
                let digits = spec.iter().take_while(|b| b.is_ascii_digit()).count();
                let (&letter, after) = spec[digits..]
                    .split_first()
                    .ok_or("incomplete field at the end")?;
                if LETTERS.contains(&letter) {
                    close(&mut pieces);
                    let joined = letter == b't' && is_behind_seconds;
                    if joined {
                        pieces.pop();
                    }
                    pieces.push(match joined {
                        true => PatternPiece::JoinedTime,
                        false => PatternPiece::Field(letter),
                    });
                } else {
                    // Any other letter prints itself.
                    word.push(letter);
                }
                if letter == b'T' {
                    seconds_end = Some(after.len());
                }
                rest = after;
            }
            _ => {
                word.push(*first);
                rest = after;
            }
        }
    }
    if !word.is_empty() {
        pieces.push(PatternPiece::Word(word));
    }
    Ok(pieces)
}

/// Reads the rest of a line by the rest of a format.
fn matched<'a>(
    pieces: &[PatternPiece],
    mut scan: Scan<'a>,
    values: &mut LineValues<'a>,
) -> Option<()> {
    let Some((piece, rest)) = pieces.split_first() else {
        return scan.done();
    };
    scan.blanks();
    let letter = match piece {
        PatternPiece::Word(word) => {
            scan.word(word)?;
            return matched(rest, scan, values);
        }
        PatternPiece::JoinedTime => {
            let digits = scan.0.iter().take_while(|b| b.is_ascii_digit()).count();
            let (seconds, after) = scan.0.split_at(digits.checked_sub(9)?);
            let mut ns = Scan(after);
            (values.seconds, values.ns) = (Scan(seconds).number()?, ns.number()?);
            (values.timed, values.wall) = (true, None);
            return matched(rest, ns, values);
        }
        PatternPiece::Field(letter) => *letter,
    };
    match letter {
        b'a' => values.action = letters(&mut scan)?,
        b'd' => values.letters = letters(&mut scan)?,
        b'c' => values.cpu = scan.small()?,
        b'D' => values.device = scan.device()?,
        b'M' => values.device = DeviceNumber(major(scan.small()?)? << 20 | values.device.minor()),
        b'm' => {
            values.device =
                DeviceNumber(values.device.major() << 20 | scan.small().filter(|&m| m < 1 << 20)?)
        }
        b'p' => values.pid = scan.small()?,
        b's' => {
            let negative = scan.byte(b'-').is_some();
            let sequence = scan.small()?;
            values.sequence = if negative {
                sequence.wrapping_neg()
            } else {
                sequence
            };
        }
        b'S' => values.sector = scan.number()?,
        b'n' => values.sectors = scan.number()?,
        b'N' => values.bytes = Some(scan.number()?),
        b'e' => values.error = scan.small()?,
        b'U' => values.number = Some(scan.number()?),
        b'T' => {
            values.seconds = scan.number()?;
            (values.timed, values.wall) = (true, None);
        }
        b't' => values.ns = scan.number()?,
        b'u' => {
            scan.number()?;
            if scan.byte(b'.').is_some() {
                scan.number()?;
            }
        }
        b'z' => {
            let time = clock(&mut scan)?;
            values.wall = Some(time).filter(|_| !values.timed);
        }
        b'g' => {
            scan.hex()?;
            scan.byte(b',')?;
            scan.hex()?;
        }
        _ => return text(letter, rest, scan, values),
    }
    matched(rest, scan, values)
}

/// A name or command: the longest after which the rest fits.
fn text<'a>(
    letter: u8,
    rest: &[PatternPiece],
    scan: Scan<'a>,
    values: &mut LineValues<'a>,
) -> Option<()> {
    let most = match letter {
        b'C' => MAX_NAME,
        _ => MAX_COMMAND,
    };
    let most = scan.0.len().min(most);
    let allowed = |b: &u8| letter == b'C' || b.is_ascii_hexdigit() || matches!(b, b' ' | b'.');
    let most = scan.0[..most].iter().take_while(|b| allowed(b)).count();
    (0..=most).rev().find_map(|end| {
        let (text, after) = scan.0.split_at(end);
        matched(rest, Scan(after), values)?;
        match letter {
            b'C' => values.name = Some(text.trim_ascii_end()),
            _ => values.command = text.trim_ascii_end(),
        }
        Some(())
    })
}

fn letters<'a>(scan: &mut Scan<'a>) -> Option<&'a [u8]> {
    let n = scan.0.iter().take_while(|b| b.is_ascii_uppercase()).count();
    let (letters, rest) = scan.0.split_at(n);
    scan.0 = rest;
    (n > 0).then_some(letters)
}

fn major(number: u32) -> Option<u32> {
    (number < 1 << 12).then_some(number)
}

/// `HH:MM:SS.micro`, as ns.
fn clock(scan: &mut Scan<'_>) -> Option<u64> {
    let hours = scan.number().filter(|&h| h < 24)?;
    scan.byte(b':')?;
    let minutes = scan.number().filter(|&m| m < 60)?;
    scan.byte(b':')?;
    Some((hours * 60 + minutes) * 60_000_000_000 + scan.seconds()?)
}

/// `12 00 ..`
fn command(text: &[u8]) -> Vec<u8> {
    let words = text.split(|&b| b == b' ');
    words
        .filter_map(|word| u8::try_from(Scan(word).hex()?).ok())
        .collect()
}

/// The event of these values.
fn event(values: &LineValues<'_>) -> Option<Event> {
    let action = action(values.action)?;
    let whole = values
        .seconds
        .checked_mul(1_000_000_000)?
        .checked_add(values.ns)?;
    let bytes = values.bytes.or(values.sectors.checked_mul(512))?;
    Some(Event {
        time: unwrapped(values.wall.unwrap_or(whole)),
        sector: values.sector,
        bytes: u32::try_from(bytes).ok()?,
        action,
        flags: rwbs(values.letters)?,
        pid: values.pid,
        device: values.device,
        cpu: values.cpu,
        sequence: values.sequence,
        error: u16::try_from(values.error).ok()? as i16,
        detail: match (action, values.number) {
            (Action::Unplug | Action::UnplugTimer, Some(count)) => EventDetail::Unplug(count),
            (Action::Split, Some(sector)) => EventDetail::Split(sector),
            _ => EventDetail::None,
        },
    })
}
