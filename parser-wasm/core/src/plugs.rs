//! Plugs and unplugs of formats that name no device with them.
//!
//! A trace of one device leaves no doubt whose they are. In a trace of several they are left out, those too that came
//! before the second device was seen.

use crate::event::{DeviceNumber, Event};
use crate::store::Device;

/// Most of them that are held back until a device is known.
const EARLY: usize = 4096;

/// Whose they are.
#[derive(Clone, Debug, Default)]
pub struct Plugs {
    early: Vec<Event>,
    placed: u64,
    left_out: u64,
}

impl Plugs {
    /// The event with its device; absent when that is not known, or not known yet.
    #[inline]
    pub fn place(&mut self, e: &Event, devices: &[Device]) -> Option<Event> {
        if e.device != DeviceNumber::NONE {
            return Some(*e);
        }
        match devices {
            [] if self.early.len() < EARLY => self.early.push(*e),
            [only] => {
                self.placed += 1;
                return Some(Event { device: only.number, ..*e });
            }
            _ => self.left_out += 1,
        }
        None
    }

    /// Those that are held back.
    pub fn drain(&mut self) -> impl Iterator<Item = Event> {
        std::mem::take(&mut self.early).into_iter()
    }

    /// Those that came before an event of `device`, the first that is known.
    pub fn take_early(&mut self, device: DeviceNumber) -> impl Iterator<Item = Event> {
        let early = std::mem::take(&mut self.early);
        self.placed += early.len() as u64;
        early.into_iter().map(move |e| Event { device, ..e })
    }

    /// Whether some were given to a device that now is one of several. They count as left out from here on.
    pub fn recant(&mut self, devices: &[Device]) -> bool {
        let wrong = devices.len() > 1 && self.placed > 0;
        if wrong {
            self.left_out += std::mem::take(&mut self.placed);
        }
        wrong
    }

    /// How many are left out.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}
