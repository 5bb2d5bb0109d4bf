//! Stage times as btt counts them: one sample per bio, over the complete trace. Bios are not kept;
//! how their means vary over time is, for their 95 % intervals.

use crate::protocol::serialize_as_word;
use serde::{Deserialize, Serialize};

/// A stage of a bio's or request's life; the letters are those of the actions at its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "SummaryStage")]
pub enum Stage {
    /// Time from queued to completed.
    Q2C,
    /// Time from issued to completed.
    D2C,
    /// Time from queued to issued.
    Q2D,
    /// Time from queued to request allocated.
    Q2G,
    /// Time from request allocated to inserted.
    G2I,
    /// Time from inserted to issued.
    I2D,
    /// Time from request allocated to issued.
    G2D,
    /// Time from queued to merged.
    Q2M,
    /// Time from merged to issued.
    M2D,
}

serialize_as_word!(Stage, name);

impl Stage {
    /// All stages, in the order in which they are printed.
    pub const ALL: [Stage; 9] = [
        Stage::Q2C,
        Stage::D2C,
        Stage::Q2D,
        Stage::Q2G,
        Stage::G2I,
        Stage::I2D,
        Stage::G2D,
        Stage::Q2M,
        Stage::M2D,
    ];

    /// Lower-case name, as in the JSON documents.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Q2C => "q2c",
            Stage::D2C => "d2c",
            Stage::Q2D => "q2d",
            Stage::Q2G => "q2g",
            Stage::G2I => "g2i",
            Stage::I2D => "i2d",
            Stage::G2D => "g2d",
            Stage::Q2M => "q2m",
            Stage::M2D => "m2d",
        }
    }
}

/// Count, minimum, sum and maximum of times in ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageTally {
    pub n: u64,
    pub min: u64,
    /// Exact, so it does not depend on the order of the samples.
    pub sum: u128,
    pub max: u64,
}

impl StageTally {
    #[inline(always)]
    pub fn add(&mut self, ns: u64) {
        self.min = if self.n == 0 { ns } else { self.min.min(ns) };
        self.max = self.max.max(ns);
        self.sum += u128::from(ns);
        self.n += 1;
    }

    /// Adds the samples of another tally.
    pub fn add_all(&mut self, more: &StageTally) {
        if more.n > 0 {
            self.min = if self.n == 0 {
                more.min
            } else {
                self.min.min(more.min)
            };
            self.max = self.max.max(more.max);
            self.sum += more.sum;
            self.n += more.n;
        }
    }

    /// The arithmetic mean; absent without samples.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum as f64 / self.n as f64)
    }
}

/// Limit for the slots: when time needs more, every two are joined.
const MAX_SLOTS: usize = 128;
/// Bits of the time within a slot, at first: 1 ms.
const FIRST_SHIFT: u32 = 20;

/// Sum and number of the samples that end in a slot of time, by stage.
type StageSlot = [(u64, u64); 9];

/// One tally per stage, and how it came about over time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BioStages {
    tallies: [StageTally; 9],
    /// Slots of equal length, a power of two of ns, from time 0 on.
    slots: Vec<StageSlot>,
    /// How often slots were joined.
    joined: u32,
}

impl BioStages {
    /// Adds and returns the time from `from` to `to`; as in btt, 0 and negative times count as 1
    /// ns.
    #[inline]
    pub fn add(&mut self, stage: Stage, from: u64, to: u64) -> u64 {
        let ns = to.saturating_sub(from).max(1);
        self.tallies[stage as usize].add(ns);
        let slot = self.slot(to);
        if let Some(slot) = self.slots.get_mut(slot) {
            let (sum, n) = &mut slot[stage as usize];
            *sum = sum.saturating_add(ns);
            *n += 1;
        }
        ns
    }

    /// Adds all samples of another: the same as if each had been added here.
    pub fn add_all(&mut self, more: &BioStages) {
        self.tallies
            .iter_mut()
            .zip(&more.tallies)
            .for_each(|(tally, more)| tally.add_all(more));
        while self.joined < more.joined {
            self.join();
        }
        for (index, slot) in more.slots.iter().enumerate() {
            // The slot of the other tally may be shorter.
            let place = self.slot((index as u64) << (FIRST_SHIFT + more.joined));
            for (total, more) in self.slots[place].iter_mut().zip(slot) {
                *total = (total.0.saturating_add(more.0), total.1 + more.1);
            }
        }
    }

    /// The tally of a stage.
    pub fn get(&self, stage: Stage) -> &StageTally {
        &self.tallies[stage as usize]
    }

    /// Sum and number of the samples of a stage, in equal parts of the time from the first part
    /// with a sample to the last.
    pub fn over_time(&self, stage: Stage) -> Vec<(f64, f64)> {
        let sum_and_count =
            |slot: &StageSlot| (slot[stage as usize].0 as f64, slot[stage as usize].1 as f64);
        let all: Vec<(f64, f64)> = self.slots.iter().map(sum_and_count).collect();
        let first = all
            .iter()
            .position(|slot| slot.1 > 0.0)
            .unwrap_or(all.len());
        let last = all
            .iter()
            .rposition(|slot| slot.1 > 0.0)
            .map_or(first, |index| index + 1);
        all[first..last].to_vec()
    }

    /// Place of a time, after joining slots until it is among them.
    #[inline(always)]
    fn slot(&mut self, time: u64) -> usize {
        // 128 slots of 57 bits each cover 2^64 ns.
        let index = time >> ((FIRST_SHIFT + self.joined) & 63);
        if index < self.slots.len() as u64 {
            index as usize
        } else {
            self.make_slot(index)
        }
    }

    #[cold]
    fn make_slot(&mut self, mut index: u64) -> usize {
        while index >= MAX_SLOTS as u64 {
            self.join();
            index >>= 1;
        }
        self.slots.resize(
            (index as usize + 1).max(self.slots.len()),
            StageSlot::default(),
        );
        index as usize
    }

    #[cold]
    fn join(&mut self) {
        self.joined += 1;
        let both = |pair: &[StageSlot]| {
            let mut sum = pair[0];
            for (total, other) in sum.iter_mut().zip(pair.get(1).copied().unwrap_or_default()) {
                *total = (total.0.saturating_add(other.0), total.1 + other.1);
            }
            sum
        };
        self.slots = self.slots.chunks(2).map(both).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_joined_as_time_goes_on() {
        let mut stages = BioStages::default();
        // From 1 s to 1 h, 100 samples of as many ns as their number.
        for i in 0..100 {
            stages.add(
                Stage::D2C,
                1_000_000_000 + i * 36_000_000_000 - i,
                1_000_000_000 + i * 36_000_000_000,
            );
        }
        let parts = stages.over_time(Stage::D2C);
        assert!((50..=MAX_SLOTS).contains(&parts.len()), "{}", parts.len());
        let (sum, n) = parts
            .iter()
            .fold((0.0, 0.0), |all, part| (all.0 + part.0, all.1 + part.1));
        assert_eq!((sum, n), (stages.get(Stage::D2C).sum as f64, 100.0));
        assert!(parts[0].0 < parts[parts.len() - 1].0);
        assert!(stages.over_time(Stage::Q2C).is_empty());
    }

    #[test]
    fn the_largest_times_have_a_slot() {
        let mut stages = BioStages::default();
        stages.add(Stage::Q2C, 0, 5);
        stages.add(Stage::Q2C, 0, u64::MAX);
        assert_eq!(
            stages
                .over_time(Stage::Q2C)
                .iter()
                .map(|part| part.1)
                .sum::<f64>(),
            2.0
        );
        assert!(stages.over_time(Stage::Q2C).len() <= MAX_SLOTS);
    }
}
