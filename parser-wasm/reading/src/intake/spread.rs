//! Estimates how the events of a trace spread over its time, from pieces of its files.

use super::Probe;
use seekscope_formats::{Decoder, Record};
use seekscope_trace::event::Action;
use seekscope_trace::sorting::SortShort;

/// Slices of the time of a trace in which events are counted.
pub const SLICES: usize = 240;
/// Fewer pieces show nothing of a trace that is larger than they are.
const MIN_EXCERPTS: usize = 8;

/// A piece of a file and the records in it.
#[derive(Clone, Debug, Default)]
struct SampledPiece {
    /// First byte, and one past the last.
    from: u64,
    to: u64,
    /// Bytes of the complete records in it.
    read: u64,
    issues: u64,
    completions: u64,
    bios: u64,
    events: Vec<u64>,
    /// First and last time in it, messages included.
    times: Option<(u64, u64)>,
}

impl SampledPiece {
    fn decode(byte: u64, bytes: &[u8]) -> SampledPiece {
        let mut piece = SampledPiece {
            from: byte,
            to: byte.saturating_add(bytes.len() as u64),
            ..SampledPiece::default()
        };
        let mut decoder = Decoder::new();
        let mut sink = |record: Record<'_>| {
            let time = match record {
                Record::Event(e) | Record::Command(e, _) => {
                    piece.events.push(e.time);
                    piece.issues += u64::from(e.action == Action::Issue);
                    piece.completions += u64::from(e.action == Action::Complete);
                    piece.bios += u64::from(e.action == Action::Queue);
                    e.time
                }
                Record::Message { time, .. } => time,
                _ => return,
            };
            let (first, last) = piece.times.unwrap_or((time, time));
            piece.times = Some((first.min(time), last.max(time)));
        };
        // The decoders are compiled once for all that looks at samples.
        let mut sink: &mut dyn FnMut(Record<'_>) = &mut sink;
        decoder.feed(bytes, &mut sink);
        decoder.finish(&mut sink);
        let report = decoder.report();
        let invalid = report
            .skipped
            .map_or(0, |(_, n)| n)
            .saturating_add(report.truncated.map_or(0, |(_, present, _)| present));
        piece.read = (bytes.len() as u64).saturating_sub(invalid);
        piece
    }

    /// Events per byte of the piece.
    fn density(&self) -> f64 {
        self.events.len() as f64 / self.read.max(1) as f64
    }

    /// Number of rows that its events become.
    fn requests(&self) -> u64 {
        [self.issues, self.completions, self.bios]
            .into_iter()
            .find(|&rows| rows > 0)
            .unwrap_or(0)
    }
}

/// Events of a trace over its time; estimates where its files were not read.
#[derive(Clone, Debug, Default)]
pub(super) struct EventSpread {
    /// Time from the first to the last event, ns.
    pub length: u64,
    pub requests: f64,
    /// Events in equal slices of the length.
    pub slices: Vec<f64>,
    /// Whether enough of the files was seen.
    pub is_known: bool,
}

impl EventSpread {
    pub fn sample(files: &[Probe]) -> EventSpread {
        let sampled: Vec<Vec<SampledPiece>> = files.iter().map(pieces).collect();
        // Times inside of a file may be those of damaged records: only its ends are believed.
        let ends = sampled
            .iter()
            .flat_map(|pieces| pieces.first().into_iter().chain(pieces.last()))
            .filter_map(|piece| piece.times);
        let Some((first, last)) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else {
            return EventSpread::default();
        };
        let mut spread = EventSpread {
            length: last - first,
            slices: vec![0.0; SLICES],
            ..EventSpread::default()
        };
        let (mut excerpts, mut unread) = (0, 0);
        for (file, pieces) in files.iter().zip(&sampled) {
            unread += file
                .size
                .saturating_sub(pieces.iter().map(|piece| piece.to - piece.from).sum());
            let seen = |piece: &&SampledPiece| {
                piece
                    .times
                    .is_some_and(|(from, to)| from >= first && to <= last)
            };
            let pieces: Vec<&SampledPiece> = pieces.iter().filter(seen).collect();
            excerpts += pieces.len();
            spread.add(file.size, &pieces, first);
        }
        spread.is_known = unread == 0 || excerpts >= MIN_EXCERPTS;
        spread
    }

    /// Adds a file: events of its pieces, and of the bytes between them as many as their neighbours
    /// have.
    fn add(&mut self, size: u64, pieces: &[&SampledPiece], origin: u64) {
        let (mut events, mut requests, mut read) = (0, 0, 0);
        for piece in pieces {
            (events, requests, read) = (
                events + piece.events.len(),
                requests + piece.requests(),
                read + piece.read,
            );
        }
        self.requests += requests as f64 / read.max(1) as f64 * size as f64;
        let expected = events as f64 / read.max(1) as f64 * size as f64;
        let mut in_file = vec![0.0; self.slices.len()];
        for piece in pieces {
            for &time in &piece.events {
                in_file[self.slice(time - origin)] += 1.0;
            }
        }
        let gap = |in_file: &mut [f64], bytes: u64, (a, b): (u64, u64), density: f64| {
            self.put(
                in_file,
                bytes as f64 * density,
                a.min(b) - origin,
                a.max(b) - origin,
            );
        };
        for pair in pieces.windows(2) {
            let (Some(before), Some(after)) = (pair[0].times, pair[1].times) else {
                continue;
            };
            let density = (pair[0].density() + pair[1].density()) / 2.0;
            gap(
                &mut in_file,
                pair[1].from.saturating_sub(pair[0].to),
                (before.1, after.0),
                density,
            );
        }
        if let (Some(start), Some(end)) = (pieces.first(), pieces.last()) {
            let [a, b] = [start, end].map(|piece| piece.times.unwrap_or((origin, origin)));
            gap(&mut in_file, start.from, (a.0, a.0), start.density());
            gap(
                &mut in_file,
                size.saturating_sub(end.to),
                (b.1, b.1),
                end.density(),
            );
        }
        // The sampled pieces may be denser than the rest: the sum has to be what the file's size
        // suggests.
        let scale = expected / in_file.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        for (all, in_file) in self.slices.iter_mut().zip(in_file) {
            *all += in_file * scale;
        }
    }

    fn slice(&self, time: u64) -> usize {
        let slice = u128::from(time) * self.slices.len() as u128 / (u128::from(self.length) + 1);
        (slice as usize).min(self.slices.len() - 1)
    }

    /// Spreads events evenly over the slices between two times.
    fn put(&self, slices: &mut [f64], events: f64, from: u64, to: u64) {
        let (first, last) = (self.slice(from), self.slice(to));
        let width = self.width();
        for (i, slice) in slices.iter_mut().enumerate().take(last + 1).skip(first) {
            let (begin, end) = (
                (i as f64 * width).max(from as f64),
                ((i + 1) as f64 * width).min(to as f64),
            );
            *slice += if to == from || first == last {
                events
            } else {
                events * (end - begin).max(0.0) / (to - from) as f64
            };
        }
    }

    /// Length of a slice, ns.
    fn width(&self) -> f64 {
        (self.length as f64 + 1.0) / self.slices.len().max(1) as f64
    }

    pub fn events(&self) -> f64 {
        self.slices.iter().sum()
    }

    /// Events from one time up to another.
    pub fn between(&self, from: u64, to: u64) -> f64 {
        let width = self.width();
        let inside = |(i, events): (usize, &f64)| {
            let begin = (i as f64 * width).max(from as f64);
            let end = ((i + 1) as f64 * width).min(to as f64);
            events * ((end - begin) / width).clamp(0.0, 1.0)
        };
        self.slices.iter().enumerate().map(inside).sum()
    }

    /// The latest time up to which there are no more than so many events, from a time on.
    pub fn until(&self, from: u64, most: f64) -> u64 {
        let width = self.width();
        let mut left = most;
        for (i, &events) in self.slices.iter().enumerate() {
            let (begin, end) = ((i as f64 * width).max(from as f64), (i + 1) as f64 * width);
            let here = events * ((end - begin) / width).max(0.0);
            if here > left {
                return (begin + (end - begin) * left / here) as u64;
            }
            left -= here;
        }
        self.length
    }
}

/// The pieces of a file in their order, without bytes that two of them have.
fn pieces(probe: &Probe) -> Vec<SampledPiece> {
    let tail = probe.size.saturating_sub(probe.tail.len() as u64);
    let inside = probe
        .excerpts
        .iter()
        .map(|(byte, bytes)| (*byte, bytes.as_slice()));
    let mut places: Vec<(u64, &[u8])> = inside.collect();
    places.sort_short_by_key(|place| place.0);
    places.insert(0, (0, probe.head.as_slice()));
    places.push((tail, probe.tail.as_slice()));
    let mut found = Vec::new();
    let mut end = 0u64;
    for (i, &(byte, bytes)) in places.iter().enumerate() {
        let overlap = end.saturating_sub(byte).min(bytes.len() as u64);
        let rest = &bytes[overlap as usize..];
        // An excerpt that meets another piece adds nothing; the tail begins behind what was read
        // before.
        let last = i + 1 == places.len();
        if rest.is_empty() || overlap > 0 && !last || byte > probe.size {
            continue;
        }
        end = byte.saturating_add(bytes.len() as u64);
        found.push(SampledPiece::decode(byte + overlap, rest));
    }
    found
}
