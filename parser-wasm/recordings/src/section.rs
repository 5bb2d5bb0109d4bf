//! When an event belongs to the next recording.
//!
//! | evidence | why |
//! |---|---|
//! | closing figures before it | blkparse prints them at the end |
//! | headings of a table before it | the tool prints them when it starts |
//! | a number of its CPU again, at an earlier time | numbers are counted per CPU |
//! | an earlier time on its CPU, in a format without numbers | the lines of a CPU are in order |
//! | an earlier time, after a line of text | each recording has its title |
//! | a title that names a side, or a command that records | a later recording of one boot |
//!
//! blkparse prints a few events of live sessions late. Their numbers have not been seen, so they
//! stay in their recording.

use crate::name;
use crate::{Found, MAX_COMPARED, MAX_RECORDINGS, Recording};
use rustc_hash::{FxHashMap, FxHasher};
pub use seekscope_formats::text::LineKind;
use seekscope_formats::text::TextLines;
use seekscope_formats::text::lines::LinePosition;
use seekscope_trace::event::{DeviceNumber, Event};
use std::hash::{Hash, Hasher};

/// Lines may be out of order by so much, ns.
pub const JITTER: u64 = 1_000_000;
/// Lines of text before a recording that may name it.
const MAX_TEXT: usize = 16;
/// Ranges of sequence numbers per CPU; of more, no number counts as seen.
const MAX_RANGES: usize = 256;

/// What one CPU recorded of one device.
#[derive(Clone, Debug, Default)]
struct Stream {
    latest: u64,
    /// Sequence numbers, as ranges from first to last.
    seen: Vec<(u32, u32)>,
}

impl Stream {
    fn note(&mut self, event: &Event) {
        self.latest = self.latest.max(event.time);
        let number = event.sequence;
        let has_room = self.seen.len() < MAX_RANGES;
        match self.seen.last_mut() {
            _ if number == 0 => {}
            Some((_, last)) if number == last.wrapping_add(1) => *last = number,
            _ if has_room => self.seen.push((number, number)),
            _ => {}
        }
    }

    /// Whether the event cannot be of the same recording.
    fn excludes(&self, event: &Event) -> bool {
        let is_seen = |(first, last): &(u32, u32)| (*first..=*last).contains(&event.sequence);
        event.time + JITTER < self.latest && (event.sequence == 0 || self.seen.iter().any(is_seen))
    }

    /// Whether the event comes after all of it.
    fn goes_on(&self, event: &Event) -> bool {
        let last = self.seen.last().map_or(0, |range| range.1);
        event.time >= self.latest && (event.sequence == 0 || event.sequence > last)
    }
}

/// What stands between two events.
#[derive(Clone, Debug, Default)]
struct Gap {
    /// Byte at which it begins.
    begin: u64,
    text: Vec<String>,
    is_closed: bool,
    is_table: bool,
    is_tracer: bool,
}

/// The events of one recording.
#[derive(Clone, Debug, Default)]
struct Section {
    begin: u64,
    name: Option<String>,
    streams: FxHashMap<(u32, DeviceNumber), Stream>,
    latest: u64,
    events: Vec<u64>,
    count: u64,
}

impl Section {
    fn new(gap: &Gap) -> Section {
        Section {
            begin: gap.begin,
            name: name::find_name(&gap.text),
            ..Section::default()
        }
    }

    fn note(&mut self, event: Option<&Event>, line: &[u8]) {
        self.count += 1;
        let Some(event) = event else {
            // Of tables, which have no events before their end.
            return self.note_hash(line.trim_ascii());
        };
        self.latest = self.latest.max(event.time);
        let key = (event.cpu, event.device);
        self.streams.entry(key).or_default().note(event);
        self.note_hash((
            event.time,
            event.cpu,
            event.device.0,
            event.sequence,
            event.sector,
        ));
    }

    fn note_hash(&mut self, what: impl Hash) {
        if self.events.len() < MAX_COMPARED {
            let mut hasher = FxHasher::default();
            what.hash(&mut hasher);
            self.events.push(hasher.finish());
        }
    }

    /// Takes over a section that turned out to be a part of this one.
    fn join(&mut self, other: Section) {
        self.count += other.count;
        self.latest = self.latest.max(other.latest);
        let room = MAX_COMPARED - self.events.len();
        self.events.extend(other.events.iter().take(room));
        for (key, stream) in other.streams {
            let joined = self.streams.entry(key).or_default();
            joined.latest = joined.latest.max(stream.latest);
            joined.seen.extend(stream.seen);
            joined.seen.truncate(MAX_RANGES);
        }
    }
}

/// The sections of a text so far.
#[derive(Clone, Debug)]
pub struct Sections {
    lines: TextLines,
    done: Vec<(Section, u64)>,
    current: Option<Section>,
    /// Since an event that is earlier, of a CPU that was not seen before: it is of the next
    /// recording if a later event shows that there is one.
    doubtful: Option<Section>,
    gap: Gap,
}

impl Sections {
    pub fn new(lines: TextLines) -> Sections {
        Sections {
            lines,
            done: Vec::new(),
            current: None,
            doubtful: None,
            gap: Gap::default(),
        }
    }

    /// Whether there are more than a text can have.
    pub fn is_full(&self) -> bool {
        self.done.len() > MAX_RECORDINGS
    }

    /// Takes a line.
    pub fn line(&mut self, line: &[u8], position: LinePosition) {
        if self.is_full() {
            return;
        }
        match self.lines.line(line, position) {
            LineKind::Event(event) => self.event(event.as_ref(), line, position),
            LineKind::Closing => {
                self.settle();
                self.gap = Gap {
                    begin: position.byte + line.len() as u64,
                    is_closed: self.current.is_some(),
                    ..Gap::default()
                };
            }
            LineKind::Headings => self.gap.is_table = true,
            LineKind::Tracer => self.gap.is_tracer = true,
            LineKind::Blank => {}
            LineKind::Text => {
                if self.gap.text.len() == MAX_TEXT {
                    self.gap.text.remove(0);
                }
                let shown = String::from_utf8_lossy(line);
                self.gap.text.push(shown.chars().take(400).collect());
            }
        }
    }

    fn event(&mut self, event: Option<&Event>, line: &[u8], position: LinePosition) {
        let end = position.byte + line.len() as u64;
        let gap = std::mem::replace(
            &mut self.gap,
            Gap {
                begin: end,
                ..Gap::default()
            },
        );
        match &mut self.current {
            None => self.current = Some(Section::new(&gap)),
            Some(current) if is_next(current, &gap, event) => {
                let next = match self.doubtful.take() {
                    // A title decides where the next one begins; else where the time stepped back.
                    Some(doubtful) if gap.text.is_empty() && !gap.is_closed => doubtful,
                    Some(doubtful) => {
                        current.join(doubtful);
                        Section::new(&gap)
                    }
                    None => Section::new(&gap),
                };
                let end = next.begin;
                self.done
                    .extend(self.current.replace(next).map(|section| (section, end)));
            }
            Some(current) => {
                let event_is = |test: fn(&Stream, &Event) -> bool| {
                    event.is_some_and(|e| {
                        let stream = current.streams.get(&(e.cpu, e.device));
                        stream.is_some_and(|stream| test(stream, e))
                    })
                };
                let steps_back = event.is_some_and(|e| e.time + JITTER < current.latest);
                let is_known = event_is(|_, _| true);
                if self.doubtful.is_none() && steps_back && !is_known {
                    self.doubtful = Some(Section::new(&gap));
                } else if is_known && event_is(Stream::goes_on) {
                    self.settle();
                }
            }
        }
        let section = self.doubtful.as_mut().or(self.current.as_mut());
        if let Some(section) = section {
            section.note(event, line);
        }
    }

    /// Events that were doubtful belong to the current recording.
    fn settle(&mut self) {
        if let (Some(current), Some(doubtful)) = (&mut self.current, self.doubtful.take()) {
            current.join(doubtful);
        }
    }

    /// All of them, up to the end of the text.
    pub fn finish(mut self, size: u64) -> Vec<Found> {
        self.settle();
        if self.is_full() {
            return Vec::new();
        }
        self.done
            .extend(self.current.map(|section| (section, size)));
        let found = |(section, end): (Section, u64)| Found {
            events: (section.count == section.events.len() as u64).then_some(section.events),
            recording: Recording {
                name: section.name,
                bytes: section.begin..end,
            },
        };
        self.done.into_iter().map(found).collect()
    }
}

/// Whether an event belongs to another recording than the events so far.
fn is_next(current: &Section, gap: &Gap, event: Option<&Event>) -> bool {
    if gap.is_closed || gap.is_table {
        return true;
    }
    let Some(event) = event else {
        return false;
    };
    let stream = current.streams.get(&(event.cpu, event.device));
    let goes_on = stream.is_some_and(|stream| stream.goes_on(event));
    let steps_back = event.time + JITTER < current.latest;
    let has_text = gap.text.iter().any(|line| name::is_text(line));
    stream.is_some_and(|stream| stream.excludes(event))
        || gap.is_tracer && stream.is_some()
        || has_text && steps_back
        || name::names_side(&gap.text)
        || !goes_on && name::records(&gap.text)
}
