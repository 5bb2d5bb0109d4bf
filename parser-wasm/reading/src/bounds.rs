//! Limits for the devices, CPUs and tasks of a trace, and for its length. A damaged file can name
//! millions of them, and each costs memory and an entry in lists; its times may be centuries apart.

use rustc_hash::FxHashSet;
use seekscope_error::{BoundedKind, Problem};
use seekscope_formats::{EventNumber, NumberOutliers, Record};
use seekscope_trace::event::Event;
use seekscope_trace::limits::MAX_EXACT;

pub const DEVICES: usize = 1024;
/// As many CPUs as Linux can be built for.
pub const CPUS: usize = 8192;
/// Tasks that are kept apart.
pub const TASKS: usize = 1 << 14;
/// Task id of the others.
pub const OTHER_TASKS: u32 = u32::MAX;

/// Numbers that are found without a look-up.
const RECENT: usize = 32;

/// The times that a trace can have. Times since its first event are exact, so that it is at most 104
/// days long; a recording that is followed may be longer.
#[derive(Clone, Debug)]
struct TimeSpan {
    begin: u64,
    length: u64,
    is_known: bool,
    is_limited: bool,
    /// File and number of the first event that is outside, and how many are.
    outside: Option<(usize, NumberOutliers)>,
}

/// So much earlier than the first event that is read, others may be, ns: files need not be in the
/// order of their times.
const EARLIER: u64 = 1 << 51;

impl TimeSpan {
    #[inline(always)]
    fn has(&self, time: u64) -> bool {
        time.wrapping_sub(self.begin) <= self.length
    }

    /// Begins the span a little before an event.
    fn begin_at(&mut self, time: u64) {
        self.begin = time.saturating_sub(EARLIER);
        (self.length, self.is_known) = (MAX_EXACT, true);
    }

    /// Whether an event at this time is kept: if so, and none was before, it says where the span
    /// is.
    fn takes(&mut self, file: usize, time: u64) -> bool {
        if self.is_limited && !self.is_known {
            self.begin_at(time);
        }
        let fits = self.has(time);
        if !fits {
            let first = NumberOutliers {
                number: EventNumber::Time,
                value: time,
                line: None,
                byte: None,
                count: 0,
            };
            self.outside.get_or_insert((file, first)).1.count += 1;
        }
        fits
    }
}

/// The distinct numbers of one kind, up to a limit.
#[derive(Clone, Debug)]
struct SeenNumbers {
    most: usize,
    /// Numbers that were taken lately, by their lowest bits: those of several CPUs take turns.
    recent: [Option<u32>; RECENT],
    seen: FxHashSet<u32>,
    left_out: u64,
}

impl SeenNumbers {
    fn up_to(most: usize) -> SeenNumbers {
        SeenNumbers {
            most,
            recent: [None; RECENT],
            seen: FxHashSet::default(),
            left_out: 0,
        }
    }

    #[inline]
    fn takes(&mut self, number: u32) -> bool {
        self.recent[number as usize % RECENT] == Some(number) || self.looks_up(number)
    }

    fn looks_up(&mut self, number: u32) -> bool {
        let fits = self.seen.contains(&number)
            || (self.seen.len() < self.most && self.seen.insert(number));
        match fits {
            true => self.recent[number as usize % RECENT] = Some(number),
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
    span: TimeSpan,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            devices: SeenNumbers::up_to(DEVICES),
            cpus: SeenNumbers::up_to(CPUS),
            tasks: SeenNumbers::up_to(TASKS),
            span: TimeSpan {
                begin: 0,
                length: u64::MAX,
                is_known: false,
                is_limited: true,
                outside: None,
            },
        }
    }
}

impl Bounds {
    /// For a recording that is followed: it may be of any length.
    pub fn without_end(&mut self) {
        self.span.is_limited = false;
    }

    /// For a section of a trace whose first event is at `origin`.
    pub fn begin_at(&mut self, origin: u64) {
        self.span.begin_at(origin);
    }

    /// Whether the trace can have an event at this time.
    #[inline(always)]
    pub fn has_time(&self, time: u64) -> bool {
        self.span.has(time)
    }

    /// Whether a record of a file is kept, and makes it what is kept of it; what is skipped is
    /// counted.
    #[inline]
    pub fn keep(&mut self, file: usize, record: &mut Record<'_>) -> bool {
        let (device, cpu, pid, time) = match record {
            Record::Event(e) | Record::Command(e, _) => (e.device, e.cpu, &mut e.pid, e.time),
            Record::Message {
                device,
                cpu,
                pid,
                time,
                ..
            } => (*device, *cpu, pid, *time),
            Record::Process { .. } | Record::Timestamp { .. } | Record::Device { .. } => {
                return true;
            }
        };
        if !self.span.takes(file, time) {
            return false;
        }
        if !self.devices.takes(device.0) || !self.cpus.takes(cpu) {
            return false;
        }
        *pid = self.task(*pid);
        true
    }

    /// The task id by which a task is kept.
    #[inline]
    pub fn task(&mut self, pid: u32) -> u32 {
        if self.tasks.takes(pid) {
            pid
        } else {
            OTHER_TASKS
        }
    }

    /// Counts an event of a file that [`Bounds::has_time`] refuses.
    #[cold]
    pub fn leave_out(&mut self, file: usize, time: u64) {
        self.span.takes(file, time);
    }

    /// The file of the first event that is too far from the others, and how many are.
    pub fn far(&self) -> Option<(usize, NumberOutliers)> {
        self.span.outside
    }

    /// Whether nothing was left out.
    pub fn is_kept(&self) -> bool {
        self.problems().next().is_none() && self.span.outside.is_none()
    }

    /// Whether an event of this device and CPU was kept, and each more will be.
    pub fn has(&self, e: &Event) -> bool {
        self.devices.seen.contains(&e.device.0) && self.cpus.seen.contains(&e.cpu)
    }

    /// The numbers of devices, CPUs and tasks.
    pub fn into_seen(self) -> [Vec<u32>; 3] {
        [self.devices, self.cpus, self.tasks].map(|numbers| numbers.seen.into_iter().collect())
    }

    /// Whether all of these can be kept, too.
    pub fn has_room(&self, seen: &[Vec<u32>; 3]) -> bool {
        [&self.devices, &self.cpus, &self.tasks]
            .into_iter()
            .zip(seen)
            .all(|(numbers, more)| {
                numbers.seen.len()
                    + more
                        .iter()
                        .filter(|number| !numbers.seen.contains(number))
                        .count()
                    <= numbers.most
            })
    }

    /// Takes over those of another section.
    pub fn join(&mut self, seen: [Vec<u32>; 3]) {
        for (numbers, more) in [&mut self.devices, &mut self.cpus, &mut self.tasks]
            .into_iter()
            .zip(seen)
        {
            numbers.seen.extend(more);
        }
    }

    /// A problem for each limit that was exceeded.
    pub fn problems(&self) -> impl Iterator<Item = Problem> {
        [
            (BoundedKind::Devices, &self.devices),
            (BoundedKind::Cpus, &self.cpus),
            (BoundedKind::Tasks, &self.tasks),
        ]
        .into_iter()
        .filter(|(_, numbers)| numbers.left_out > 0)
        .map(|(kind, numbers)| Problem::TooMany {
            kind,
            most: numbers.most,
            left_out: numbers.left_out,
        })
    }
}
