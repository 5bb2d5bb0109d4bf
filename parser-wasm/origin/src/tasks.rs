//! Tasks by pid and name, and sets of them, each once.

use rustc_hash::FxHashMap;
use seekscope_trace::store::{NO_WRITERS, TaskName};

/// Tasks of a recording; more are left out.
const MAX_TASKS: usize = 1 << 20;
/// Sets of tasks; more are left out.
const MAX_SETS: usize = 1 << 20;
/// Tasks of a set.
const MAX_SET: usize = 64;

/// The index of a task that is not known.
pub const NO_TASK: u32 = u32::MAX;

#[derive(Debug, Default)]
pub struct TaskTable {
    pub tasks: Vec<TaskName>,
    /// Indices of the tasks with a pid, in the order of their names.
    by_pid: FxHashMap<u32, Vec<u32>>,
    pub sets: Vec<Vec<u32>>,
    set_numbers: FxHashMap<Vec<u32>, u32>,
    /// The set of one task, by task.
    singles: Vec<u32>,
    pub left_out: u64,
}

impl TaskTable {
    /// The index of a task.
    pub fn task(&mut self, pid: u32, name: &str) -> u32 {
        let list = self.by_pid.entry(pid).or_default();
        let found = list
            .iter()
            .find(|&&task| self.tasks[task as usize].name == name);
        if let Some(&task) = found {
            return task;
        }
        if self.tasks.len() >= MAX_TASKS {
            self.left_out += 1;
            return NO_TASK;
        }
        let task = self.tasks.len() as u32;
        list.push(task);
        self.tasks.push(TaskName {
            pid,
            name: name.to_owned(),
        });
        task
    }

    /// The last name that a pid was seen with.
    pub fn last_of(&self, pid: u32) -> Option<u32> {
        self.by_pid.get(&pid)?.last().copied()
    }

    /// Whether a task is a thread of the kernel that writes for others.
    pub fn is_kernel(&self, task: u32) -> bool {
        let task = self.tasks.get(task as usize);
        task.is_some_and(|task| TaskTable::is_kernel_name(&task.name))
    }

    /// Whether a name is of a thread of the kernel that writes for others.
    pub fn is_kernel_name(name: &str) -> bool {
        const KERNEL: [&str; 11] = [
            "kworker/",
            "jbd2/",
            "kswapd",
            "ksoftirqd/",
            "f2fs_",
            "btrfs-",
            "xfs",
            "migration/",
            "<idle>",
            "kcompactd",
            "swapper",
        ];
        KERNEL.iter().any(|start| name.starts_with(start))
    }

    /// The index of the set of one task.
    pub fn single(&mut self, task: u32) -> u32 {
        if task == NO_TASK {
            return NO_WRITERS;
        }
        if let Some(&set) = self.singles.get(task as usize)
            && set != NO_WRITERS
        {
            return set;
        }
        let set = self.set(&mut vec![task]);
        let index = task as usize;
        if index >= self.singles.len() {
            self.singles.resize(index + 1, NO_WRITERS);
        }
        self.singles[index] = set;
        set
    }

    /// The index of a set, which is sorted here.
    pub fn set(&mut self, tasks: &mut Vec<u32>) -> u32 {
        tasks.retain(|&task| task != NO_TASK);
        tasks.sort_unstable();
        tasks.dedup();
        if tasks.is_empty() {
            return NO_WRITERS;
        }
        if let Some(&set) = self.set_numbers.get(tasks.as_slice()) {
            return set;
        }
        if self.sets.len() >= MAX_SETS || tasks.len() > MAX_SET {
            self.left_out += 1;
            return NO_WRITERS;
        }
        let set = self.sets.len() as u32;
        self.sets.push(tasks.clone());
        self.set_numbers.insert(tasks.clone(), set);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_there_once() {
        let mut tasks = TaskTable::default();
        let (a, b) = (tasks.task(1, "a"), tasks.task(2, "b"));
        assert_eq!(tasks.task(1, "a"), a);
        let set = tasks.set(&mut vec![b, a, b]);
        assert_eq!(tasks.set(&mut vec![a, b]), set);
        assert_eq!(tasks.sets[set as usize], [a, b]);
        assert_eq!(tasks.set(&mut vec![NO_TASK]), NO_WRITERS);
        assert_eq!(tasks.single(b), tasks.set(&mut vec![b]));
        assert_eq!(tasks.single(b), tasks.single(b));
    }

    #[test]
    fn a_pid_may_have_names() {
        let mut tasks = TaskTable::default();
        tasks.task(1, "init");
        let second = tasks.task(1, "kworker/0:1");
        assert_eq!(tasks.last_of(1), Some(second));
        assert!(tasks.is_kernel(second) && !tasks.is_kernel(0));
    }
}
