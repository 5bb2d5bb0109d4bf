//! The telling functions of a call stack: `openat() > ext4_lookup > ext4_bread_batch`.
//!
//! What every stack has between its entry and the device (system call tables, threads, the block
//! layer, the scheduler) says nothing about a path, and differs between versions of the kernel.

/// Beginnings of functions that no path is told apart by.
const PLUMBING: [&str; 47] = [
    "__blk",
    "__bio_",
    "__do_",
    "__elv",
    "__filemap_fdatawrite",
    "__queue_work",
    "__schedule",
    "__se_sys",
    "__submit_b",
    "__vfs_",
    "__wait",
    "__writeback",
    "bfq_",
    "bio_",
    "blk_",
    "bit_wait",
    "call_write_iter",
    "call_read_iter",
    "dd_",
    "do_filp_open",
    "do_fsync",
    "do_iter_",
    "do_sys",
    "do_writepages",
    "elv_",
    "ext4_read_bh",
    "file_write_and_wait",
    "filemap_fdatawrite",
    "filemap_write_and_wait",
    "filemap_get_pages",
    "io_schedule",
    "iomap_submit_ioend",
    "ksys_",
    "kyber_",
    "new_sync_",
    "open_last_lookups",
    "out_of_line_wait",
    "path_",
    "schedule",
    "submit_b",
    "submit_one_",
    "vfs_",
    "wait_",
    "wb_do_",
    "wb_writeback",
    "writeback_",
    "xfs_submit_ioend",
];

/// Beginnings of the names of the functions of system calls.
const SYSTEM_CALLS: [&str; 11] = [
    "__x64_sys_",
    "__ia32_sys_",
    "__arm64_sys_",
    "__s390x_sys_",
    "__riscv_sys_",
    "__se_sys_",
    "__do_sys_",
    "ksys_",
    "SyS_",
    "do_sys_",
    "sys_",
];

/// Entries into the kernel, outside of the function of the system call or of the thread.
const ENTRIES: [&str; 20] = [
    "entry_",
    "do_syscall_",
    "x64_sys_call",
    "ret_from_fork",
    "el0",
    "do_el0",
    "invoke_syscall",
    "syscall_",
    "system_call",
    "kthread",
    "worker_thread",
    "process_one_work",
    "process_scheduled_works",
    "rescuer_thread",
    "ret_from_kernel_thread",
    "__do_softirq",
    "handle_",
    "irq_exit",
    "secondary_startup",
    "start_secondary",
];

const PAGE_FAULTS: [&str; 4] = [
    "page_fault",
    "do_user_addr_fault",
    "do_mem_abort",
    "handle_mm_fault",
];

/// What entered the kernel, and how far the frames are spent on it.
fn entry(names: &[&str]) -> Option<(String, usize)> {
    for (i, name) in names.iter().enumerate() {
        if let Some(call) = system_call(name) {
            return Some((format!("{call}()"), i + 1));
        }
        let is_fault = |name: &&str| PAGE_FAULTS.iter().any(|fault| name.contains(fault));
        if is_fault(name) {
            // A fault goes through several functions before it reaches what it needs.
            let inner = names.iter().rposition(is_fault).unwrap_or(i);
            return Some(("page fault".to_owned(), inner + 1));
        }
        if *name == "process_one_work" {
            let work = names.get(i + 1)?;
            return Some((format!("kworker {work}"), i + 2));
        }
        if *name == "kthread" {
            match names.get(i + 1) {
                Some(&("worker_thread" | "rescuer_thread")) => {}
                Some(thread) => return Some((format!("thread {thread}"), i + 2)),
                None => return None,
            }
        }
        if name.ends_with("common_interrupt") || name.contains("softirq") {
            return Some(("interrupt".to_owned(), i + 1));
        }
    }
    None
}

fn system_call(name: &str) -> Option<&str> {
    let call = SYSTEM_CALLS
        .iter()
        .find_map(|begin| name.strip_prefix(begin))?;
    // `do_sys_openat2` is what `openat` calls, too, and stands alone only where that was inlined.
    (!call.is_empty() && call != "call").then_some(call)
}

/// The system call, thread or fault by which a path entered the kernel, where it is known:
/// `openat()`, `kworker wb_workfn`, `page fault`. Names go from outside inwards.
pub fn call_of(names: &[&str]) -> Option<String> {
    entry(names).map(|(call, _)| call)
}

/// The call and the first and the last of the functions that tell the path apart.
pub fn path_of(names: &[&str]) -> String {
    let (call, spent) = match entry(names) {
        Some((call, spent)) => (Some(call), spent),
        None => (None, 0),
    };
    let is_telling = |name: &&&str| {
        let begins = |list: &[&str]| list.iter().any(|begin| name.starts_with(begin));
        !begins(&PLUMBING) && !begins(&ENTRIES) && system_call(name).is_none()
    };
    let telling: Vec<&str> = names[spent..].iter().filter(is_telling).copied().collect();
    let ends: &[&str] = match telling.as_slice() {
        [] => &[],
        [only] => &[only],
        [first, .., last] => &[first, last],
    };
    let path: Vec<&str> = call
        .as_deref()
        .into_iter()
        .chain(ends.iter().copied())
        .collect();
    match path.as_slice() {
        [] => names.last().copied().unwrap_or_default().to_owned(),
        _ => path.join(" > "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_by_their_call_and_their_ends() {
        for (names, path) in [
            (
                "entry_SYSCALL_64_after_hwframe do_syscall_64 __x64_sys_openat do_sys_openat2 do_filp_open \
                 path_openat ext4_lookup __ext4_find_entry ext4_bread_batch ext4_read_bh_lock \
                 submit_bio_noacct_nocheck __submit_bio __blk_flush_plug blk_mq_flush_plug_list dd_insert_requests",
                "openat() > ext4_lookup > ext4_bread_batch",
            ),
            (
                "ret_from_fork_asm ret_from_fork kthread worker_thread process_one_work wb_workfn \
                 wb_writeback __writeback_single_inode do_writepages ext4_writepages ext4_do_writepages \
                 ext4_io_submit submit_bio_noacct",
                "kworker wb_workfn > ext4_writepages > ext4_io_submit",
            ),
            (
                "ret_from_fork kthread kjournald2 jbd2_journal_commit_transaction submit_bh_wbc",
                "thread kjournald2 > jbd2_journal_commit_transaction",
            ),
            (
                "asm_exc_page_fault exc_page_fault do_user_addr_fault handle_mm_fault __do_fault filemap_fault",
                "page fault > filemap_fault",
            ),
            (
                "el0t_64_sync el0_svc invoke_syscall __arm64_sys_fsync vfs_fsync_range xfs_file_fsync",
                "fsync() > xfs_file_fsync",
            ),
            ("0xffffffff81000000", "0xffffffff81000000"),
            ("", ""),
        ] {
            let names: Vec<&str> = names.split_whitespace().collect();
            assert_eq!(path_of(&names), path);
        }
        assert_eq!(call_of(&["kthread"]), None);
        assert_eq!(call_of(&["process_one_work"]), None);
        assert_eq!(call_of(&["a", "__x64_sys_read"]).as_deref(), Some("read()"));
    }
}
