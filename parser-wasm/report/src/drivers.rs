//! What the commands of drivers add to a trace.

use seekscope_trace::driver_counts::DriverCounts;
use seekscope_trace::store::{BlockSource, LogicalBlock, TraceQuality};
use serde::Serialize;

/// Commands of the nvme, scsi (with ufs) and mmc drivers, where their trace points were recorded.
#[derive(Clone, Debug, Serialize)]
#[doc(alias = "DriverCommands")]
pub struct SummaryDrivers {
    /// Whether they are the requests. Otherwise the block events are, and the commands are counted
    /// next to them.
    requests: bool,
    nvme: u64,
    scsi: u64,
    /// Number of commands of mmc; absent without any.
    #[serde(skip_serializing_if = "is_zero")]
    mmc: u64,
    /// Commands with a start and an end.
    completed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_ns: Option<u64>,
    failed: u64,
    /// Commands that the kernel issued again.
    refused: u64,
    timed_out: u64,
    /// Commands that ended, and whose start was not recorded.
    unmatched: u64,
    /// Commands that the tool which printed the text did not decode.
    undecoded: u64,
    /// The unit in which the commands count, per disk; absent if nothing shows or needs it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_blocks: Vec<SummaryBlock>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The size of a disk's logical blocks.
#[derive(Clone, Debug, Serialize)]
#[doc(alias = "LogicalBlock")]
struct SummaryBlock {
    device: String,
    bytes: u32,
    /// Where the size is known from.
    from: BlockSource,
}

impl SummaryBlock {
    fn new(block: &LogicalBlock) -> SummaryBlock {
        SummaryBlock {
            device: block.device.clone(),
            bytes: block.bytes,
            from: block.from,
        }
    }
}

impl SummaryDrivers {
    /// `None` for a trace without commands of drivers.
    pub fn from_quality(quality: &TraceQuality) -> Option<SummaryDrivers> {
        let counts = &quality.drivers;
        let DriverCounts {
            nvme,
            scsi,
            mmc,
            completed,
            total_ns,
            failed,
            refused,
            timed_out,
            unmatched,
            undecoded,
            requests,
            ..
        } = *counts;
        let timed = completed > 0;
        let mean_ns = timed.then(|| total_ns as f64 / completed as f64);
        let longest_ns = timed.then_some(counts.longest_ns);
        (!counts.is_empty()).then_some(SummaryDrivers {
            requests,
            nvme,
            scsi,
            mmc,
            completed,
            mean_ns,
            longest_ns,
            failed,
            refused,
            timed_out,
            unmatched,
            undecoded,
            logical_blocks: quality
                .logical_blocks
                .iter()
                .map(SummaryBlock::new)
                .collect(),
        })
    }
}
