//! Limits for the devices, CPUs and tasks of a trace. A damaged file can name millions of them, and
//! each costs memory and an entry in lists.

use crate::error::Problem;
use crate::event::Event;
use crate::format::Record;
use rustc_hash::FxHashSet;

pub const DEVICES: usize = 1024;
/// As many CPUs as Linux can be built for.
pub const CPUS: usize = 8192;
/// Tasks that are kept apart.
pub const TASKS: usize = 1 << 14;
/// Task id of the others.
pub const OTHER_TASKS: u32 = u32::MAX;

/// The distinct numbers of one kind, up to a limit.
#[derive(Clone, Debug)]
struct SeenNumbers {
    most: usize,
    last: Option<u32>,
    seen: FxHashSet<u32>,
    left_out: u64,
}

impl SeenNumbers {
    fn up_to(most: usize) -> SeenNumbers {
        SeenNumbers {
            most,
            last: None,
            seen: FxHashSet::default(),
            left_out: 0,
        }
    }

    #[inline]
    fn takes(&mut self, number: u32) -> bool {
        self.last == Some(number) || self.looks_up(number)
    }

    fn looks_up(&mut self, number: u32) -> bool {
        let fits = self.seen.contains(&number)
            || (self.seen.len() < self.most && self.seen.insert(number));
        match fits {
            true => self.last = Some(number),
            false => self.left_out += 1,
        }
        fits
    }
}

/// Skips records of devices and CPUs beyond the limits; tasks beyond the limit become one.
#[derive(Clone, Debug)]
pub struct Bounds {
    devices: SeenNumbers,
    cpus: SeenNumbers,
    tasks: SeenNumbers,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            devices: SeenNumbers::up_to(DEVICES),
            cpus: SeenNumbers::up_to(CPUS),
            tasks: SeenNumbers::up_to(TASKS),
        }
    }
}

impl Bounds {
    /// Whether a record is kept, and makes it what is kept of it; what is skipped is counted.
    #[inline]
    pub fn keep(&mut self, record: &mut Record<'_>) -> bool {
        let (device, cpu, pid) = match record {
            Record::Event(e) | Record::Command(e, _) => (e.device, e.cpu, &mut e.pid),
            Record::Message {
                device, cpu, pid, ..
            } => (*device, *cpu, pid),
            Record::Process { .. } | Record::Timestamp { .. } | Record::Device { .. } => {
                return true;
            }
        };
        if !self.devices.takes(device.0) || !self.cpus.takes(cpu) {
            return false;
        }
        if !self.tasks.takes(*pid) {
            *pid = OTHER_TASKS;
        }
        true
    }

    /// Whether an event of this device, CPU and task was kept, and each more will be.
    pub fn has(&self, e: &Event) -> bool {
        self.devices.seen.contains(&e.device.0)
            && self.cpus.seen.contains(&e.cpu)
            && self.tasks.seen.contains(&e.pid)
    }

    /// The numbers of devices, CPUs and tasks.
    pub fn into_seen(self) -> [Vec<u32>; 3] {
        [self.devices, self.cpus, self.tasks].map(|known| known.seen.into_iter().collect())
    }

    /// Whether all of these can be kept, too.
    pub fn has_room(&self, seen: &[Vec<u32>; 3]) -> bool {
        [&self.devices, &self.cpus, &self.tasks]
            .into_iter()
            .zip(seen)
            .all(|(known, more)| {
                known.seen.len()
                    + more
                        .iter()
                        .filter(|number| !known.seen.contains(number))
                        .count()
                    <= known.most
            })
    }

    /// Takes over those of another section.
    pub fn join(&mut self, seen: [Vec<u32>; 3]) {
        for (known, more) in [&mut self.devices, &mut self.cpus, &mut self.tasks]
            .into_iter()
            .zip(seen)
        {
            known.seen.extend(more);
        }
    }

    /// A problem for each limit that was exceeded.
    pub fn problems(&self) -> impl Iterator<Item = Problem> {
        [
            ("devices", &self.devices),
            ("CPUs", &self.cpus),
            ("tasks", &self.tasks),
        ]
        .into_iter()
        .filter(|(_, known)| known.left_out > 0)
        .map(|(what, known)| Problem::TooMany {
            what,
            most: known.most,
            left_out: known.left_out,
        })
    }
}
