//! Plugs and unplugs of formats that record them without a device.
//!
//! In a trace of one device they belong to it. In a trace of several devices they are skipped,
//! including those before the second device was seen.

use crate::event::{DeviceNumber, Event};
use crate::store::Device;

/// Plugs buffered until the first device is known.
const EARLY: usize = 4096;

/// Assigns plugs to the only device.
#[derive(Clone, Debug, Default)]
pub struct Plugs {
    early: Vec<Event>,
    placed: u64,
    left_out: u64,
}

impl Plugs {
    /// An event without a device, with it; `None` if the device is unknown or not known yet.
    pub fn place(&mut self, e: &Event, devices: &[Device]) -> Option<Event> {
        match devices {
            [] if self.early.len() < EARLY => self.early.push(*e),
            [only] => {
                self.placed += 1;
                return Some(Event {
                    device: only.number,
                    ..*e
                });
            }
            _ => self.left_out += 1,
        }
        None
    }

    /// Whether plugs wait for the first device.
    #[inline]
    pub fn any_early(&self) -> bool {
        !self.early.is_empty()
    }

    /// The buffered plugs.
    pub fn drain(&mut self) -> impl Iterator<Item = Event> {
        std::mem::take(&mut self.early).into_iter()
    }

    /// The buffered plugs as events of `device`, the first known one.
    pub fn take_early(&mut self, device: DeviceNumber) -> impl Iterator<Item = Event> {
        let early = std::mem::take(&mut self.early);
        self.placed += early.len() as u64;
        early.into_iter().map(move |e| Event { device, ..e })
    }

    /// Whether plugs were assigned to a device that is now one of several. They count as skipped
    /// from here on.
    pub fn recant(&mut self, devices: &[Device]) -> bool {
        let wrong = devices.len() > 1 && self.placed > 0;
        if wrong {
            self.left_out += std::mem::take(&mut self.placed);
        }
        wrong
    }

    /// Skipped plugs.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}
