//! The logical blocks of disks whose requests are the commands of a driver: these count in blocks,
//! the store in bytes.

use super::TraceBuilder;
use super::assembly::Assembly;
use seekscope_error::Problem;
use seekscope_formats::driver::BLOCK;
use seekscope_formats::{EventNumber, NumberOutliers, RecordPlace};
use seekscope_notes::BlockNote;
use seekscope_trace::event::Event;
use seekscope_trace::limits::MAX_SECTOR;
use seekscope_trace::order::OrderedItem;
use seekscope_trace::replay::stored_items;
use seekscope_trace::store::{BlockSource, LogicalBlock};

/// Limit for the disks that are listed.
const MAX_DISKS: usize = 64;

impl TraceBuilder {
    /// Reads commands again when blocks are larger than was assumed while reading.
    pub(super) fn size_commands(&mut self) {
        if !self.files.have_commands() {
            return;
        }
        self.describe();
        let found = self.find_blocks();
        let larger = |block: &LogicalBlock| u64::from(block.bytes) != BLOCK;
        if self.store().quality.drivers.requests && found.iter().any(larger) {
            self.pipeline.assembly.scale_commands(&found);
        }
    }

    /// Commands that were left out because their place or length in larger blocks cannot be.
    pub(super) fn scaled_problem(&self) -> Option<Problem> {
        let outliers = self.pipeline.assembly.scaled_outliers?;
        let mut files = self
            .files
            .iter()
            .filter(|f| f.decoder.report().drivers.requests);
        // The events of several files are one list by now.
        let file = match (files.next(), files.next()) {
            (Some(only), None) => only.part.name.clone(),
            _ => self.store().name.clone(),
        };
        Some(Problem::NumberOutliers { file, outliers })
    }

    /// The size of a logical block of each disk: from the block events of the recording, or from
    /// the notes.
    pub(super) fn find_blocks(&self) -> Vec<LogicalBlock> {
        let drivers = self.store().quality.drivers;
        let reports = || self.files.reports();
        let paired = |name: &str| {
            let mut sizes = reports()
                .flat_map(|r| &r.block_sizes)
                .filter(|(device, _)| device == name)
                .map(|size| size.1);
            let first = sizes.next()?;
            sizes.all(|size| size == first).then_some(first)
        };
        if !drivers.requests {
            let mut found: Vec<LogicalBlock> = Vec::new();
            for (device, _) in reports().flat_map(|r| &r.block_sizes) {
                if let Some(bytes) = paired(device).filter(|_| {
                    found.len() < MAX_DISKS && found.iter().all(|f| f.device != *device)
                }) {
                    found.push(LogicalBlock {
                        device: device.clone(),
                        bytes,
                        from: BlockSource::Events,
                    });
                }
            }
            return found;
        }
        // With files of other formats it is not certain which recording a device belongs to.
        let certain = reports()
            .filter(|r| r.records > 0)
            .all(|r| r.drivers.requests);
        let disks: Vec<&str> = self
            .store()
            .devices
            .iter()
            .filter(|d| d.number.is_made_up())
            .map(|d| d.name.as_str())
            .take(MAX_DISKS)
            .collect();
        let block_of = |device: &&str| {
            let noted = || {
                BlockNote::size(&self.notes.blocks, device, disks.len() == 1)
                    .map(|bytes| (bytes, BlockSource::Settings))
            };
            let certain_size = paired(device)
                .map(|bytes| (bytes, BlockSource::Events))
                .or_else(noted)
                .filter(|_| certain);
            let (bytes, from) = certain_size.unwrap_or((BLOCK as u32, BlockSource::Assumed));
            LogicalBlock {
                device: (*device).to_owned(),
                bytes,
                from,
            }
        };
        disks.iter().map(block_of).collect()
    }
}

impl Assembly {
    /// Stores everything again, the commands with the blocks that their disks have.
    fn scale_commands(&mut self, blocks: &[LogicalBlock]) {
        let times: Vec<_> = self
            .store
            .devices
            .iter()
            .filter_map(|d| {
                let block = blocks.iter().find(|block| block.device == d.name)?;
                Some((d.number, u64::from(block.bytes) / BLOCK))
            })
            .collect();
        let mut items = stored_items(&self.store);
        let mut outliers = None;
        items.retain_mut(|item| {
            let OrderedItem::Event(event) = item else {
                return true;
            };
            let Some(&(_, times)) = times.iter().find(|(number, _)| *number == event.device) else {
                return true;
            };
            match scaled(event, times) {
                Ok(place) => (event.sector, event.bytes) = place,
                Err((number, value)) => {
                    let place = RecordPlace::default();
                    NumberOutliers::note(&mut outliers, number, value, place);
                    return false;
                }
            }
            true
        });
        self.scaled_outliers = outliers;
        self.rebuild(&items);
    }
}

/// First sector and bytes of a command whose blocks are so many times larger, or the number that
/// cannot be.
fn scaled(event: &Event, times: u64) -> Result<(u64, u32), (EventNumber, u64)> {
    let sector = event.sector.saturating_mul(times);
    if sector > MAX_SECTOR {
        return Err((EventNumber::Sector, sector));
    }
    let bytes = u64::from(event.bytes) * times;
    let bytes = u32::try_from(bytes).map_err(|_| (EventNumber::Length, bytes))?;
    Ok((sector, bytes))
}
