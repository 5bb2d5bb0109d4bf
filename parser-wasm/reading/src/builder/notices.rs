//! What records that are no events tell of a trace: the names of tasks and devices, the wall clock,
//! and which devices were recorded.

use rustc_hash::FxHashMap;
use seekscope_trace::event::DeviceNumber;
use seekscope_trace::store::{Device, Process};
use serde::{Deserialize, Serialize};

/// Devices without events that are listed, at most.
const MAX_IDLE_DEVICES: usize = 256;

/// A name of a task, and since when it has it.
type TimedName = (u64, Vec<u8>);

/// First and last name of a task, with their times.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct TaskNames {
    first: TimedName,
    last: TimedName,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Notices {
    tasks: FxHashMap<u32, TaskNames>,
    /// Names of devices, if the format has them.
    devices: FxHashMap<DeviceNumber, String>,
    /// Trace clock and wall clock of the earliest TIMESTAMP.
    anchor: Option<(u64, u64)>,
    /// Devices whose tracer wrote a TIMESTAMP: those that were recorded, even if nothing used them.
    recorded: Vec<DeviceNumber>,
}

impl TaskNames {
    fn note(&mut self, name: TimedName) {
        if name.0 < self.first.0 {
            self.first.clone_from(&name);
        }
        if name > self.last {
            self.last = name;
        }
    }
}

impl Notices {
    pub fn note_task(&mut self, pid: u32, time: u64, name: &[u8]) {
        let name = || (time, name.to_vec());
        self.tasks
            .entry(pid)
            .or_insert_with(|| TaskNames {
                first: name(),
                last: name(),
            })
            .note(name());
    }

    pub fn note_device(&mut self, device: DeviceNumber, name: &[u8]) {
        self.devices
            .insert(device, String::from_utf8_lossy(name).into_owned());
    }

    /// Notes what the wall clock was at a time of the trace clock, when `device` was recorded.
    pub fn note_timestamp(&mut self, time: u64, wall: u64, device: DeviceNumber) {
        // Formats other than blktrace's have one clock for all devices.
        self.note_recorded(device);
        self.note_anchor(Some((time, wall)));
    }

    fn note_recorded(&mut self, number: DeviceNumber) {
        if number != DeviceNumber::NONE && !self.is_full() && !self.recorded.contains(&number) {
            self.recorded.push(number);
        }
    }

    fn note_anchor(&mut self, anchor: Option<(u64, u64)>) {
        self.anchor = self.anchor.into_iter().chain(anchor).min();
    }

    /// Adds those of a later section.
    pub fn join(&mut self, later: Notices) {
        let Notices {
            tasks,
            devices,
            anchor,
            recorded,
        } = later;
        for (pid, TaskNames { first, last }) in tasks {
            let task = self.tasks.entry(pid).or_insert_with(|| TaskNames {
                first: first.clone(),
                last: last.clone(),
            });
            task.note(first);
            task.note(last);
        }
        self.devices.extend(devices);
        self.note_anchor(anchor);
        for device in recorded {
            self.note_recorded(device);
        }
    }

    /// The devices that were recorded.
    pub fn recorded(&self) -> &[DeviceNumber] {
        &self.recorded
    }

    /// Whether more devices may have been recorded than are listed.
    pub fn is_full(&self) -> bool {
        self.recorded.len() >= MAX_IDLE_DEVICES
    }

    pub fn name_processes(&self, processes: &mut [Process]) {
        for process in processes {
            if let Some(TaskNames { first, last }) = self.tasks.get(&process.pid) {
                let text = |name: &[u8]| Some(String::from_utf8_lossy(name).into_owned());
                process.name = text(&last.1).filter(|name| !name.is_empty());
                process.first_name = text(&first.1).filter(|_| first.1 != last.1);
            }
        }
    }

    pub fn name_devices(&self, devices: &mut [Device]) {
        for device in devices {
            if let Some(name) = self.devices.get(&device.number) {
                device.name.clone_from(name);
            }
        }
    }

    /// The wall clock at time 0 of a trace that begins at `origin` of the trace clock.
    pub fn wall(&self, origin: u64) -> Option<u64> {
        self.anchor.map(|(time, wall)| {
            // Times of a dump start at 0 while its notify records keep the trace clock.
            let since = if origin == 0 {
                0
            } else {
                i128::from(origin) - i128::from(time)
            };
            u64::try_from(i128::from(wall) + since).unwrap_or(wall)
        })
    }
}
