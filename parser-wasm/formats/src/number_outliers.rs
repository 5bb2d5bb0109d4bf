//! Events with a number that is too large to be true, and for the readers of answers: they are left
//! out and counted where they are read.

use super::Record;
use seekscope_trace::event::{Event, EventDetail, Flags};
use seekscope_trace::limits::{MAX_EXACT, MAX_SECTOR, MAX_TIME};

/// The numbers of an event that are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventNumber {
    /// The time, in ns.
    Time,
    Sector,
    /// The number of requests that an unplug released.
    Released,
    /// Length of a request or bio, in bytes.
    Length,
}

/// The events of a file that were left out for a number that is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberOutliers {
    /// The number of the first event that is too large.
    pub number: EventNumber,
    pub value: u64,
    /// The first event: its line from 1 if the format has lines, and its byte.
    pub line: Option<u64>,
    pub byte: Option<u64>,
    pub count: u64,
}

/// The begin of a record in its file, as far as its format has lines or bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordPlace {
    /// Number of the line, from 1.
    pub line: Option<u64>,
    pub byte: Option<u64>,
}

impl NumberOutliers {
    /// Whether a record has no number that is too large; else it is counted.
    #[inline]
    pub fn lack(
        outliers: &mut Option<NumberOutliers>,
        record: &Record<'_>,
        place: RecordPlace,
    ) -> bool {
        let found = outlier(record);
        if let Some((number, value)) = found {
            NumberOutliers::note(outliers, number, value, place);
        }
        found.is_none()
    }

    /// Adds those of another part of the file.
    pub fn merge(outliers: &mut Option<NumberOutliers>, other: Option<NumberOutliers>) {
        match (outliers.as_mut(), other) {
            (Some(outliers), Some(other)) => outliers.count += other.count,
            (None, other) => *outliers = other,
            (Some(_), None) => {}
        }
    }

    /// Counts an outlier.
    #[cold]
    pub fn note(
        outliers: &mut Option<NumberOutliers>,
        number: EventNumber,
        value: u64,
        RecordPlace { line, byte }: RecordPlace,
    ) {
        let first = NumberOutliers {
            number,
            value,
            line,
            byte,
            count: 0,
        };
        outliers.get_or_insert(first).count += 1;
    }
}

/// The number of a record that is too large, if one is.
#[inline]
fn outlier(record: &Record<'_>) -> Option<(EventNumber, u64)> {
    let (time, event) = match record {
        Record::Event(e) | Record::Command(e, _) => (e.time, Some(e)),
        Record::Process { time, .. }
        | Record::Timestamp { time, .. }
        | Record::Message { time, .. } => (*time, None),
        Record::Device { .. } => return None,
    };
    if time > MAX_TIME {
        return Some((EventNumber::Time, time));
    }
    event.and_then(place_outlier)
}

fn place_outlier(e: &Event) -> Option<(EventNumber, u64)> {
    // Flushes and passthrough commands have all ones where they have no place.
    let may_lack_place = e.bytes == 0 || e.flags.has(Flags::PC);
    let too_large = |sector: u64| sector > MAX_SECTOR && !(sector == u64::MAX && may_lack_place);
    if too_large(e.sector) {
        return Some((EventNumber::Sector, e.sector));
    }
    match e.detail {
        EventDetail::Remap { sector, .. } | EventDetail::Split(sector) if too_large(sector) => {
            Some((EventNumber::Sector, sector))
        }
        EventDetail::Unplug(released) if released > MAX_EXACT => {
            Some((EventNumber::Released, released))
        }
        _ => None,
    }
}
