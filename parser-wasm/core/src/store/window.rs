//! The part of a recording that was read.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// Events from `from` up to, not including, `to` were read, in ns since the first event of the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeWindow {
    pub from: u64,
    /// `u64::MAX`: to the end.
    pub to: u64,
}

impl TimeWindow {
    /// Whether a time is in it.
    #[inline]
    pub fn holds(self, time: u64) -> bool {
        time >= self.from && time < self.to
    }

    /// Whether an interval of the trace clock, of a trace that begins at `origin`, is partly in it.
    pub fn meets(self, from: u64, to: u64, origin: u64) -> bool {
        to >= origin.saturating_add(self.from) && from < origin.saturating_add(self.to)
    }
}

/// `{from_ns, to_ns}`; an open end is absent.
impl Serialize for TimeWindow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("from_ns", &self.from)?;
        if self.to != u64::MAX {
            map.serialize_entry("to_ns", &self.to)?;
        }
        map.end()
    }
}
