//! The part of a recording that was read.

use crate::protocol::Ns;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Events from `from` up to, not including, `to` were read, in ns since the first event of the
/// recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "WindowEnds", into = "WindowEnds")]
pub struct TimeWindow {
    pub from: u64,
    /// End of the window in ns; `u64::MAX` is the end of the trace.
    pub to: u64,
}

impl TimeWindow {
    /// Whether a time is in the window.
    #[inline]
    pub fn holds(self, time: u64) -> bool {
        time >= self.from && time < self.to
    }

    /// Whether an interval of the trace clock, of a trace that begins at `origin`, is partly in it.
    pub fn meets(self, from: u64, to: u64, origin: u64) -> bool {
        to >= origin.saturating_add(self.from) && from < origin.saturating_add(self.to)
    }
}

/// A part of a recording, ns since its first event; an end that is absent is open.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[doc(alias = "TimeWindow")]
struct WindowEnds {
    #[serde(skip_serializing_if = "Option::is_none")]
    from_ns: Option<Ns>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_ns: Option<Ns>,
}

impl From<TimeWindow> for WindowEnds {
    fn from(window: TimeWindow) -> WindowEnds {
        WindowEnds {
            from_ns: Some(window.from),
            to_ns: Some(window.to).filter(|to| *to != u64::MAX),
        }
    }
}

impl From<WindowEnds> for TimeWindow {
    fn from(ends: WindowEnds) -> TimeWindow {
        TimeWindow {
            from: ends.from_ns.unwrap_or_default(),
            to: ends.to_ns.unwrap_or(u64::MAX),
        }
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
