//! Marks of zones in large snapshots, with their counts: all if they are few, else without appends,
//! else some of the others.

use super::contents::{Numbers, StoredZones};
use super::size::SnapshotSize;
use seekscope_plot::{ZoneKind, ZoneMarks};
use serde_json::{Number, Value as Json, json};

/// Marks that a trace is asked for.
pub const MAX_MARKS: usize = 1 << 13;

/// Marks of a picture; `None` in sizes without any.
pub fn room(size: SnapshotSize) -> Option<usize> {
    match size {
        SnapshotSize::XS | SnapshotSize::S | SnapshotSize::M => None,
        SnapshotSize::L => Some(64),
        SnapshotSize::File => Some(2000),
    }
}

/// Adds the reason why marks are missing to devices that would have some.
pub fn leave_out(info: &mut Json) {
    let devices = info
        .get_mut("devices")
        .and_then(Json::as_array_mut)
        .into_iter()
        .flatten();
    for device in devices.filter(|device| device.get("zones").is_some()) {
        let Some(device) = device.as_object_mut() else {
            continue;
        };
        let absent = device.entry("absent").or_insert_with(|| json!({}));
        if let Some(absent) = absent.as_object_mut() {
            absent
                .entry("zones")
                .or_insert_with(|| json!("not in links of this size"));
        }
    }
}

fn whole(number: Option<&Option<Number>>) -> usize {
    number
        .and_then(Option::as_ref)
        .and_then(Number::as_u64)
        .unwrap_or(0) as usize
}

fn float(number: Option<&Option<Number>>) -> f64 {
    number
        .and_then(Option::as_ref)
        .and_then(Number::as_f64)
        .unwrap_or(f64::NAN)
}

impl StoredZones {
    /// Thins the marks to at most `room`; appends are left out first, as the trace does.
    #[must_use]
    pub fn within(self, room: usize) -> StoredZones {
        let mut rows: Vec<usize> = (0..self.at.len()).collect();
        if rows.len() > room {
            rows.retain(|i| whole(self.kind.get(*i)) != ZoneKind::Append as usize);
        }
        let each = rows.len().div_ceil(room.max(1)).max(1);
        let rows: Vec<usize> = rows.into_iter().step_by(each).collect();
        let pick = |list: &Numbers| {
            rows.iter()
                .map(|i| list.get(*i).cloned().flatten())
                .collect()
        };
        StoredZones {
            kind: pick(&self.kind),
            at: pick(&self.at),
            sector: pick(&self.sector),
            sectors: pick(&self.sectors),
            pointer: pick(&self.pointer),
            failed: pick(&self.failed),
            counts: self.counts,
        }
    }

    fn drawn(&self, marks: &[usize]) -> Vec<f64> {
        let mut counts = vec![0.0; ZoneKind::ALL.len()];
        for i in marks {
            if let Some(count) = counts.get_mut(whole(self.kind.get(*i))) {
                *count += 1.0;
            }
        }
        counts
    }

    /// Answers `zones`. Of a part of the picture's range the counts are only known if all marks are
    /// stored.
    pub fn answer(
        &self,
        (t0, t1): (f64, f64),
        picture: (f64, f64),
        most: usize,
    ) -> Option<ZoneMarks> {
        let all: Vec<usize> = (0..self.at.len())
            .filter(|i| whole(self.kind.get(*i)) < ZoneKind::ALL.len())
            .collect();
        let stored: Vec<f64> = (0..ZoneKind::ALL.len())
            .map(|kind| whole(self.counts.get(kind)) as f64)
            .collect();
        let time = |i: &usize| float(self.at.get(*i));
        let shown = |i: &usize| time(i) >= t0 && (time(i) < t1 || t1 >= picture.1 && time(i) <= t1);
        let mut marks: Vec<usize> = all.iter().copied().filter(shown).collect();
        let counts = match (
            t0 <= picture.0 && t1 >= picture.1,
            self.drawn(&all) == stored,
        ) {
            (true, _) => stored,
            (false, true) => self.drawn(&marks),
            (false, false) => return None,
        };
        // Appends are shown only if all marks have room, as of the trace itself.
        if marks.len() > most {
            marks.retain(|i| whole(self.kind.get(*i)) != ZoneKind::Append as usize);
            marks.truncate(most);
        }
        let exact = self.drawn(&marks) == counts;
        let floats = |list: &Numbers| {
            marks
                .iter()
                .map(|i| float(list.get(*i)))
                .collect::<Vec<f64>>()
        };
        let small = |list: &Numbers| {
            marks
                .iter()
                .map(|i| whole(list.get(*i)).min(255) as u8)
                .collect::<Vec<u8>>()
        };
        Some(ZoneMarks {
            n: marks.len(),
            kind: small(&self.kind),
            at: floats(&self.at),
            sector: floats(&self.sector),
            sectors: floats(&self.sectors),
            pointer: floats(&self.pointer),
            failed: small(&self.failed),
            counts,
            exact,
        })
    }
}
