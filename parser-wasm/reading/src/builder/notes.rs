//! What the notes beside a trace tell of it, as far as it matters while its files are read.

use super::TraceBuilder;
use seekscope_notes::{BlockNote, TracerDrops, ZoneNote};
use seekscope_trace::replay::stored_items;
use seekscope_trace::store::{Device, Zones};

#[derive(Clone, Debug, Default)]
pub(super) struct TraceNotes {
    /// Drops that the tracer's log reports.
    pub dropped: Option<TracerDrops>,
    /// Kernel release.
    pub kernel: Option<String>,
    zones: Vec<ZoneNote>,
    /// Sizes of logical blocks.
    pub blocks: Vec<BlockNote>,
}

impl TraceNotes {
    /// Whether there are zoned disks.
    pub fn have_zones(&self) -> bool {
        !self.zones.is_empty()
    }

    /// Finds the zones of each disk by its name. A trace with one device may have only its number:
    /// then they are those of the only zoned disk.
    pub fn place_zones(&self, devices: &mut [Device]) {
        let alone = devices.len() == 1 && self.zones.len() == 1;
        for ZoneNote {
            device: name,
            sectors,
            conventional,
        } in self.zones.iter().filter(|zones| zones.sectors > 0)
        {
            let named = devices.iter().position(|d| Some(&d.name) == name.as_ref());
            let unnamed =
                alone && (name.is_none() || devices[0].name == devices[0].number.to_string());
            if let Some(i) = named.or(unnamed.then_some(0)) {
                devices[i].zones = Some(Zones {
                    sectors: *sectors,
                    conventional: conventional.clone(),
                });
            }
        }
    }
}

impl TraceBuilder {
    /// Adds the dropped events that the tracer's log reports.
    #[must_use]
    pub fn with_dropped(mut self, dropped: Option<TracerDrops>) -> TraceBuilder {
        self.notes.dropped = dropped;
        self
    }

    /// Adds the kernel release from the notes.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Option<String>) -> TraceBuilder {
        self.notes.kernel = kernel;
        self
    }

    /// Adds what the notes describe of zoned disks.
    #[must_use]
    pub fn with_zones(mut self, zones: Vec<ZoneNote>) -> TraceBuilder {
        self.notes.zones = zones;
        self
    }

    /// Adds what the notes describe of logical blocks.
    #[must_use]
    pub fn with_blocks(mut self, blocks: Vec<BlockNote>) -> TraceBuilder {
        self.notes.blocks = blocks;
        self
    }

    /// Reads the events of zoned disks again when their zones are known: a completion is elsewhere
    /// than the append that it ends.
    pub(super) fn pair_appends(&mut self) {
        if !self.notes.have_zones() {
            return;
        }
        self.describe();
        let assembly = &mut self.pipeline.assembly;
        self.notes.place_zones(&mut assembly.store.devices);
        if assembly.lifecycle.lacks_zones(&assembly.store) {
            let items = stored_items(&assembly.store);
            assembly.rebuild(&items);
        }
    }
}
