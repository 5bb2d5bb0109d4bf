//! Names of tasks, emitted when they change: lines repeat them.

use crate::Record;
use rustc_hash::FxHashMap;
use seekscope_trace::event::DeviceNumber;

/// Tasks that are remembered; with more, a name may be emitted again.
const TASKS: usize = 1 << 16;

/// The thread id of a line that prints none: several tasks may have it, so it has no name.
pub const UNKNOWN_PID: u32 = u32::MAX;

/// What the kernel prints for a name that it does not know.
pub const NO_NAME: &[u8] = b"(null)";

/// The longest name that the kernel gives a task, in bytes.
pub const MAX_TASK: usize = 15;

/// As many bytes as the kernel keeps of a name.
const LONGEST: usize = 16;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct KnownName {
    bytes: [u8; LONGEST],
    /// From the event itself, and not only by the line's prefix.
    sure: bool,
}

/// The names that were emitted.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    emitted: FxHashMap<u32, KnownName>,
    last: Option<(u32, KnownName)>,
}

impl Tasks {
    /// Takes a task's name. A name from the event is `sure`; a prefix may have an older or newer
    /// one.
    #[inline]
    pub fn names(
        &mut self,
        pid: u32,
        time: u64,
        name: &[u8],
        sure: bool,
        sink: &mut impl FnMut(Record<'_>),
    ) {
        if pid == UNKNOWN_PID {
            return;
        }
        let mut bytes = [0; LONGEST];
        let n = name.len().min(LONGEST);
        bytes[..n].copy_from_slice(&name[..n]);
        let new = KnownName { bytes, sure };
        if self.last == Some((pid, new)) || n == 0 {
            return;
        }
        self.last = Some((pid, new));
        // The idle tasks of all CPUs are pid 0.
        let keep = |old: &KnownName| old.bytes == bytes || !sure || (old.sure && pid == 0);
        if self.emitted.get(&pid).is_some_and(keep) {
            return;
        }
        if self.emitted.len() >= TASKS {
            self.emitted.clear();
        }
        self.emitted.insert(pid, new);
        sink(Record::Process {
            time,
            pid,
            name,
            device: DeviceNumber::NONE,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_out_when_they_change() {
        let (mut tasks, mut emitted) = (Tasks::default(), Vec::new());
        let mut name = |pid, name: &str, sure| {
            tasks.names(pid, 0, name.as_bytes(), sure, &mut |record| {
                if let Record::Process { pid, name, .. } = record {
                    emitted.push((pid, String::from_utf8_lossy(name).into_owned()));
                }
            });
        };
        name(0, "<idle>", false);
        name(0, "swapper/0", true);
        name(0, "swapper/1", true);
        name(56, "kworker/0:1H-kb", false);
        name(56, "kworker/0:1H", true);
        name(56, "kworker/0:1H-kb", false);
        name(56, "kworker/0:1H", true);
        name(7, "sh", true);
        name(7, "dd", true);
        name(7, "", false);
        let emitted: Vec<(u32, &str)> = emitted
            .iter()
            .map(|(pid, name)| (*pid, name.as_str()))
            .collect();
        assert_eq!(
            emitted,
            [
                (0, "<idle>"),
                (0, "swapper/0"),
                (56, "kworker/0:1H-kb"),
                (56, "kworker/0:1H"),
                (7, "sh"),
                (7, "dd")
            ]
        );
    }
}
