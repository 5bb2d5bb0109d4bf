//! The zones of the disks, from the notes, and what they are needed for while reading.

use super::TraceBuilder;
use seekscope_notes::ZoneNote;
use seekscope_trace::replay::stored_items;
use seekscope_trace::store::Zones;

impl TraceBuilder {
    /// Adds what the notes describe of zoned disks.
    #[must_use]
    pub fn with_zones(self, zones: Vec<ZoneNote>) -> TraceBuilder {
        TraceBuilder { zones, ..self }
    }

    /// Reads the events of zoned disks again when their zones are known: a completion is elsewhere
    /// than the append that it ends.
    pub(super) fn pair_appends(&mut self) {
        if self.zones.is_empty() {
            return;
        }
        self.describe();
        self.note_zones();
        if self.lifecycle.lacks_zones(&self.store) {
            let items = stored_items(&self.store);
            self.rebuild(&items);
        }
    }

    /// Finds the zones of each disk by its name. A trace with one device may have only its number:
    /// then they are those of the only zoned disk.
    pub(super) fn note_zones(&mut self) {
        let alone = self.store.devices.len() == 1 && self.zones.len() == 1;
        for ZoneNote {
            device: name,
            sectors,
            conventional,
        } in self.zones.iter().filter(|zones| zones.sectors > 0)
        {
            let named = self
                .store
                .devices
                .iter()
                .position(|d| Some(&d.name) == name.as_ref());
            let unnamed = alone
                && (name.is_none()
                    || self.store.devices[0].name == self.store.devices[0].number.to_string());
            if let Some(i) = named.or(unnamed.then_some(0)) {
                self.store.devices[i].zones = Some(Zones {
                    sectors: *sectors,
                    conventional: conventional.clone(),
                });
            }
        }
    }
}
