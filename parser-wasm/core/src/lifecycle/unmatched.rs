//! Events whose partner is missing: what is known of events that were lost without a gap in the sequences.

/// Strays of one device that are kept; more would say nothing new.
const MOST: usize = 1 << 16;

/// What an event lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingPartner {
    /// C without D.
    Issue,
    /// D without C: its request is in flight for ever.
    Completion,
    /// Q without D and C: its bio waits for ever.
    End,
}

/// An event without its partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnmatchedEvent {
    /// ns since the trace's start.
    pub time: u64,
    /// CPU of the event; of a D, that of its first bio's Q.
    pub cpu: u32,
    /// What is missing.
    pub lacks: MissingPartner,
}

/// The strays of one device, bounded in number.
#[derive(Clone, Debug, Default)]
pub struct UnmatchedEvents(Vec<UnmatchedEvent>);

impl UnmatchedEvents {
    /// Notes one.
    pub fn note(&mut self, time: u64, cpu: u32, lacks: MissingPartner) {
        if self.0.len() < MOST {
            self.0.push(UnmatchedEvent { time, cpu, lacks });
        }
    }

    /// In the order noted.
    pub fn all(&self) -> &[UnmatchedEvent] {
        &self.0
    }
}
