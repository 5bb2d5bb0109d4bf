//! Events of other layers in traces: file systems, write-back, io_uring and system calls. Their
//! readers take lines of ftrace text, so the samples of binary formats become such lines, of the
//! fields that a reader asks for: what an event means has one home.

pub use crate::tep::OtherEvent;
use crate::{perf_data, perfetto, trace_dat};
use memchr::memmem;

/// Whether a file that begins like this is in a binary format that may have such events.
pub fn may_have_other_events(head: &[u8]) -> bool {
    trace_dat::is_one(head) || perf_data::is_one(head) || perfetto::is_one(head)
}

/// Whether the ends of a binary file describe events of other layers, and whether any of the block
/// layer. Compressed descriptions outside of the first bytes stay unknown, and those of Perfetto,
/// whose events have no descriptions.
pub fn described_events(head: &[u8], tail: &[u8]) -> DescribedEvents {
    if perfetto::is_one(head) {
        return DescribedEvents::default();
    }
    let has = |names: &[&[u8]]| {
        [head, tail]
            .iter()
            .any(|end| names.iter().any(|name| memmem::find(end, name).is_some()))
    };
    let mut described = DescribedEvents {
        other: has(&[
            b"name: ext4_",
            b"name: jbd2_",
            b"name: xfs_",
            b"name: iomap_",
            b"name: f2fs_",
            b"name: btrfs_",
            b"name: writeback_",
            b"name: io_uring_",
            b"name: sys_enter",
        ]),
        block: has(&[b"name: block_"]),
    };
    if trace_dat::is_one(head) {
        let (other, block) = trace_dat::described_events(head);
        described.other |= other;
        described.block |= block;
    }
    described
}

/// Which events a binary file describes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DescribedEvents {
    pub other: bool,
    pub block: bool,
}

/// Gives the events of other layers of a complete file, in the order of their times.
pub fn read_other_events(data: &[u8], each: &mut dyn FnMut(OtherEvent<'_>)) {
    if trace_dat::is_one(data) {
        trace_dat::read_other_events(data, each);
    } else if perf_data::is_one(data) {
        perf_data::read_other_events(data, each);
    } else if perfetto::is_one(data) {
        perfetto::read_other_events(data, each);
    }
}
