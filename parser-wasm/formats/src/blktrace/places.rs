//! Finds records in an excerpt of a file.

use super::record::record;
use super::{Endian, V7_HEADER, V8_HEADER, magic, u16_at};
use crate::Record;

/// Records that have to follow each other before a place is believed to be the begin of one.
const CERTAIN: usize = 3;

/// Events and messages of an excerpt. Positions are bytes of the excerpt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemPlaces {
    /// Begin and time of each record.
    pub items: Vec<(usize, u64)>,
    /// The byte behind the last complete record.
    pub end: usize,
}

impl ItemPlaces {
    /// Finds the records of an excerpt that begins with one; if it is not `aligned`, from the first
    /// place on at which one seems to begin.
    pub fn find(excerpt: &[u8], aligned: bool) -> ItemPlaces {
        let certain = |offset: &usize| {
            let mut rest = &excerpt[*offset..];
            for _ in 0..CERTAIN {
                let Some((length, _)) = next(rest) else {
                    return false;
                };
                rest = &rest[length..];
            }
            true
        };
        let begin = if aligned {
            Some(0)
        } else {
            (0..excerpt.len()).find(certain)
        };
        let mut places = ItemPlaces {
            end: begin.unwrap_or(0),
            ..ItemPlaces::default()
        };
        while let Some((length, time)) = begin.and_then(|_| next(&excerpt[places.end..])) {
            places.items.extend(time.map(|time| (places.end, time)));
            places.end += length;
        }
        places
    }
}

/// Length of a complete record, and its time if it is an event or a message.
fn next(data: &[u8]) -> Option<(usize, Option<u64>)> {
    let (endian, version) = magic(data)?;
    let (header, length_at) = match version {
        7 => (V7_HEADER, 46),
        8 => (V8_HEADER, 50),
        _ => return None,
    };
    let head = data.get(..header)?;
    let length = header + usize::from(u16_at(head, length_at, endian));
    let payload = data.get(header..length)?;
    let record = match endian {
        Endian::Little => record::<false>(head, payload),
        Endian::Big => record::<true>(head, payload),
    };
    let time = match record {
        Ok(Record::Event(e) | Record::Command(e, _)) => Some(e.time),
        Ok(Record::Message { time, .. }) => Some(time),
        _ => None,
    };
    Some((length, time))
}
