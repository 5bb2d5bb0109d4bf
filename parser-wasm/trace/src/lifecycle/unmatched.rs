//! Unmatched events: the evidence of losses without a gap in the sequence numbers.

use serde::{Deserialize, Serialize};

/// Unmatched events per device that are kept; more would not change the result.
const MAX_EVENTS: usize = 1 << 16;

/// The partner that an event lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MissingPartner {
    /// A C without D.
    Issue,
    /// D without C: its request stays in flight.
    Completion,
    /// Q without D and C: its bio stays waiting.
    End,
}

/// An event without its partner. See `MissingPartner`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnmatchedEvent {
    /// Time of the event in ns since the trace's start.
    pub time: u64,
    /// CPU of the event; of a D, that of its first bio's Q.
    pub cpu: u32,
    pub lacks: MissingPartner,
}

/// The unmatched events of one device, at most `MAX_EVENTS`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct UnmatchedEvents(Vec<UnmatchedEvent>);

impl UnmatchedEvents {
    pub fn note(&mut self, time: u64, cpu: u32, lacks: MissingPartner) {
        if self.0.len() < MAX_EVENTS {
            self.0.push(UnmatchedEvent { time, cpu, lacks });
        }
    }

    /// Puts those of an earlier time before its own.
    pub fn add_before(&mut self, mut before: UnmatchedEvents) {
        before.0.append(&mut self.0);
        before.0.truncate(MAX_EVENTS);
        self.0 = before.0;
    }

    /// All of them, in the order in which they were found.
    pub fn all(&self) -> &[UnmatchedEvent] {
        &self.0
    }
}
