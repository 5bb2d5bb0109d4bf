//! System calls by their numbers. They differ between architectures, except those that came with
//! Linux 5.1 and later, from 424 on.

/// An architecture whose numbers are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    X86_64,
    Arm64,
}

/// A call that waits for storage or changes files, and others that are frequent: they begin and end
/// between those.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SystemCall {
    pub name: &'static str,
    /// Whether its first argument is a file descriptor.
    pub has_fd: bool,
}

/// No call of that architecture.
const NONE: u16 = u16::MAX;
/// The first number that means the same on every architecture.
const COMMON: u16 = 424;

/// Name, its numbers on x86-64 and arm64, and whether the first argument is a file descriptor.
const CALLS: [(&str, [u16; 2], bool); 103] = [
    ("read", [0, 63], true),
    ("write", [1, 64], true),
    ("open", [2, NONE], false),
    ("close", [3, 57], true),
    ("stat", [4, NONE], false),
    ("fstat", [5, 80], true),
    ("lstat", [6, NONE], false),
    ("poll", [7, NONE], false),
    ("lseek", [8, 62], true),
    ("mmap", [9, 222], false),
    ("mprotect", [10, 226], false),
    ("munmap", [11, 215], false),
    ("brk", [12, 214], false),
    ("rt_sigaction", [13, 134], false),
    ("rt_sigprocmask", [14, 135], false),
    ("rt_sigreturn", [15, 139], false),
    ("ioctl", [16, 29], true),
    ("pread64", [17, 67], true),
    ("pwrite64", [18, 68], true),
    ("readv", [19, 65], true),
    ("writev", [20, 66], true),
    ("access", [21, NONE], false),
    ("select", [23, NONE], false),
    ("sched_yield", [24, 124], false),
    ("mremap", [25, 216], false),
    ("msync", [26, 227], false),
    ("mincore", [27, 232], false),
    ("madvise", [28, 233], false),
    ("nanosleep", [35, 101], false),
    ("getpid", [39, 172], false),
    ("sendfile", [40, 71], true),
    ("execve", [59, 221], false),
    ("exit", [60, 93], false),
    ("wait4", [61, 260], false),
    ("fcntl", [72, 25], true),
    ("flock", [73, 32], true),
    ("fsync", [74, 82], true),
    ("fdatasync", [75, 83], true),
    ("truncate", [76, 45], false),
    ("ftruncate", [77, 46], true),
    ("getdents", [78, NONE], true),
    ("rename", [82, NONE], false),
    ("mkdir", [83, NONE], false),
    ("rmdir", [84, NONE], false),
    ("creat", [85, NONE], false),
    ("link", [86, NONE], false),
    ("unlink", [87, NONE], false),
    ("symlink", [88, NONE], false),
    ("readlink", [89, NONE], false),
    ("chmod", [90, NONE], false),
    ("fchmod", [91, 52], true),
    ("chown", [92, NONE], false),
    ("fchown", [93, 55], true),
    ("gettimeofday", [96, 169], false),
    ("getppid", [110, 173], false),
    ("statfs", [137, 43], false),
    ("fstatfs", [138, 44], true),
    ("sync", [162, 81], false),
    ("mount", [165, 40], false),
    ("umount2", [166, 39], false),
    ("swapon", [167, 224], false),
    ("swapoff", [168, 225], false),
    ("gettid", [186, 178], false),
    ("readahead", [187, 213], true),
    ("fsetxattr", [190, 7], true),
    ("futex", [202, 98], false),
    ("io_getevents", [208, 4], false),
    ("io_submit", [209, 2], false),
    ("getdents64", [217, 61], true),
    ("fadvise64", [221, 223], true),
    ("clock_gettime", [228, 113], false),
    ("clock_nanosleep", [230, 115], false),
    ("exit_group", [231, 94], false),
    ("epoll_wait", [232, NONE], false),
    ("openat", [257, 56], false),
    ("mkdirat", [258, 34], false),
    ("newfstatat", [262, 79], false),
    ("unlinkat", [263, 35], false),
    ("renameat", [264, 38], false),
    ("linkat", [265, 37], false),
    ("symlinkat", [266, 36], false),
    ("readlinkat", [267, 78], false),
    ("faccessat", [269, 48], false),
    ("pselect6", [270, 72], false),
    ("ppoll", [271, 73], false),
    ("splice", [275, 76], true),
    ("sync_file_range", [277, 84], true),
    ("utimensat", [280, 88], false),
    ("epoll_pwait", [281, 22], false),
    ("fallocate", [285, 47], true),
    ("preadv", [295, 69], true),
    ("pwritev", [296, 70], true),
    ("syncfs", [306, 267], true),
    ("renameat2", [316, 276], false),
    ("getrandom", [318, 278], false),
    ("copy_file_range", [326, 285], true),
    ("preadv2", [327, 286], true),
    ("pwritev2", [328, 287], true),
    ("statx", [332, 291], false),
    ("io_pgetevents", [333, 292], false),
    ("io_uring_enter", [426, 426], true),
    ("openat2", [437, 437], false),
    ("epoll_pwait2", [441, 441], false),
];

impl Machine {
    /// By the name that `uname -m` prints.
    pub fn named(name: &[u8]) -> Option<Machine> {
        match name {
            b"x86_64" => Some(Machine::X86_64),
            b"aarch64" => Some(Machine::Arm64),
            _ => None,
        }
    }

    /// By the text that `uname -a` prints.
    pub fn in_uname(text: &[u8]) -> Option<Machine> {
        let mut words = text.split(|byte| matches!(byte, b' ' | 0));
        words.find_map(Machine::named)
    }
}

/// The call with a number; without a machine only where it is the same on all of them.
pub fn system_call(machine: Option<Machine>, number: u64) -> Option<SystemCall> {
    let number = u16::try_from(number)
        .ok()
        .filter(|number| *number != NONE)?;
    let column = match machine {
        Some(Machine::Arm64) => 1,
        Some(Machine::X86_64) => 0,
        None if number >= COMMON => 0,
        None => return None,
    };
    let found = CALLS
        .iter()
        .find(|(_, numbers, _)| numbers[column] == number);
    found.map(|&(name, _, has_fd)| SystemCall { name, has_fd })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_differ_between_machines() {
        let name = |machine, number| system_call(machine, number).map(|call| call.name);
        assert_eq!(name(Some(Machine::X86_64), 18), Some("pwrite64"));
        assert_eq!(name(Some(Machine::Arm64), 68), Some("pwrite64"));
        assert_eq!(name(None, 18), None);
        for machine in [None, Some(Machine::X86_64), Some(Machine::Arm64)] {
            assert_eq!(name(machine, 426), Some("io_uring_enter"));
            assert_eq!(name(machine, u64::from(NONE)), None);
            assert_eq!(name(machine, u64::MAX), None);
        }
    }

    #[test]
    fn each_number_is_of_one_call() {
        for column in [0, 1] {
            let numbers = CALLS.iter().map(|call| call.1[column]);
            let mut numbers: Vec<u16> = numbers.filter(|number| *number != NONE).collect();
            let count = numbers.len();
            numbers.sort_unstable();
            numbers.dedup();
            assert_eq!(numbers.len(), count);
        }
    }

    #[test]
    fn machines_are_named_by_uname() {
        let text = b"Linux vm 6.12.95 #1 SMP (2026-07-05) x86_64 GNU/Linux\0";
        assert_eq!(Machine::in_uname(text), Some(Machine::X86_64));
        assert_eq!(Machine::in_uname(b"Linux a 6.1 riscv64 GNU/Linux"), None);
    }
}
