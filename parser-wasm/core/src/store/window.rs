//! The part of a recording that was read.

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;

/// Events from `from` up to, not including, `to` were read, in ns since the first event of the
/// recording.
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

impl<'de> Deserialize<'de> for TimeWindow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TimeWindow, D::Error> {
        #[derive(serde::Deserialize)]
        struct WindowEnds {
            #[serde(default)]
            from_ns: u64,
            to_ns: Option<u64>,
        }
        let ends = WindowEnds::deserialize(deserializer)?;
        Ok(TimeWindow {
            from: ends.from_ns,
            to: ends.to_ns.unwrap_or(u64::MAX),
        })
    }
}

/// `the first 12 s`, `the time from 10 s to 20 s`.
impl fmt::Display for TimeWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = if self.to.saturating_sub(self.from) < 10_000_000 {
            9
        } else {
            3
        };
        let seconds = |ns: u64| {
            format!("{:.digits$}", ns as f64 / 1e9)
                .trim_end_matches('0')
                .trim_end_matches('.')
                .to_owned()
        };
        match (self.from, self.to) {
            (0, to) => write!(f, "the first {} s", seconds(to)),
            (from, u64::MAX) => write!(f, "the time from {} s on", seconds(from)),
            (from, to) => write!(f, "the time from {} s to {} s", seconds(from), seconds(to)),
        }
    }
}
