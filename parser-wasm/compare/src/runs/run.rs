//! The runs of a comparison and their groups.

use super::digest::{DeviceDigest, Digest};
use crate::statistics::estimate::Estimate;
use seekscope_measure::arrays::members::{MemberCheck, truth};
use seekscope_notes::{BenchFigure, Setting};
use seekscope_statistics::sample::deviation;
use seekscope_trace::store::Role;
use serde::{Deserialize, Serialize};

/// A run of a query.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ComparedRun {
    /// Named by its files, its notes, or the user.
    pub label: String,
    /// Release of the kernel, from the notes.
    #[serde(default)]
    pub kernel: Option<String>,
    /// Runs of the same group are repeats.
    #[serde(default)]
    pub group: Option<String>,
    /// The device to compare, by number or name. Absent: the array, else the disk with the most
    /// requested bytes.
    #[serde(default)]
    pub device: Option<String>,
    /// Digest of the trace; without devices for results of a benchmark without a trace.
    pub trace: Digest,
    /// Figures that a benchmark measured.
    #[serde(default)]
    pub bench: Vec<BenchFigure>,
    /// Settings of the kernel and the devices, from the notes.
    #[serde(default)]
    pub settings: Vec<Setting>,
}

impl ComparedRun {
    /// The device that is compared.
    pub fn main(&self) -> Option<&DeviceDigest> {
        let devices = &self.trace.devices;
        if let Some(name) = &self.device {
            return devices.iter().find(|d| d.is(name));
        }
        let stacked = devices
            .iter()
            .filter(|d| d.role == Role::Stacked && d.requested() > 0)
            .max_by_key(|d| d.requested());
        stacked.or_else(|| devices.iter().max_by_key(|d| (d.is_disk(), d.requested())))
    }

    /// What the members of the main device counted, with what was estimated for them; absent
    /// without members or a geometry.
    pub fn truth(&self) -> Option<MemberCheck> {
        truth(self.main()?.array.as_ref()?, &self.trace.members)
    }
}

/// A group of runs, or one run.
#[derive(Clone, Debug)]
pub struct ComparisonSide<'a> {
    /// The group's name or the run's label.
    pub label: String,
    /// Index of the side in the document.
    pub index: usize,
    /// Indices of its runs in the query.
    pub runs: Vec<usize>,
    devices: Vec<&'a DeviceDigest>,
}

/// The runs in sides, in the order of their first runs. Runs without a device to compare are left
/// out.
pub fn sides(runs: &[ComparedRun]) -> Vec<ComparisonSide<'_>> {
    let mut sides: Vec<ComparisonSide> = Vec::new();
    for (i, run) in runs.iter().enumerate() {
        let Some(device) = run.main() else { continue };
        let of_group = run.group.as_ref().and_then(|group| {
            sides.iter().position(|side| {
                side.runs
                    .iter()
                    .any(|&run| runs[run].group.as_ref() == Some(group))
            })
        });
        match of_group {
            Some(index) => {
                sides[index].runs.push(i);
                sides[index].devices.push(device);
            }
            None => {
                let label = run.group.clone().unwrap_or_else(|| run.label.clone());
                sides.push(ComparisonSide {
                    label,
                    index: sides.len(),
                    runs: vec![i],
                    devices: vec![device],
                });
            }
        }
    }
    // Sides of the same label are distinguished by the letter of their first run.
    for i in 1..sides.len() {
        if sides[..i].iter().any(|other| other.label == sides[i].label) {
            sides[i].label = format!("{} ({})", sides[i].label, letter(sides[i].runs[0]));
        }
    }
    sides
}

/// The letter of a run: `A` for the first, `B` for the second; `A1` follows `Z`.
pub fn letter(run: usize) -> String {
    let name = char::from(b'A' + (run % 26) as u8);
    if run < 26 {
        name.to_string()
    } else {
        format!("{name}{}", run / 26)
    }
}

/// Mean and standard deviation of a group's values, in the unit of the figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Number of runs that have the figure.
    pub n: usize,
    pub mean: f64,
    /// Standard deviation of a sample (n - 1).
    pub sd: f64,
}

impl Spread {
    /// The spread of some values; absent for fewer than two.
    pub fn new(values: &[f64]) -> Option<Spread> {
        let sd = deviation(values)?;
        Some(Spread {
            n: values.len(),
            mean: values.iter().sum::<f64>() / values.len() as f64,
            sd,
        })
    }
}

impl<'a> ComparisonSide<'a> {
    /// Makes a side of the runs at `places`; those without a device to compare are left out. Absent
    /// when none is left.
    pub fn from_runs(
        label: String,
        places: &[usize],
        runs: &'a [ComparedRun],
    ) -> Option<ComparisonSide<'a>> {
        let comparable = places
            .iter()
            .filter_map(|&run| Some((run, runs.get(run)?.main()?)));
        let (runs, devices): (Vec<usize>, Vec<&DeviceDigest>) = comparable.unzip();
        (!runs.is_empty()).then_some(ComparisonSide {
            label,
            index: 0,
            runs,
            devices,
        })
    }

    /// Whether lost events make a figure of one of its runs unreliable.
    pub fn unreliable(&self, key: &str) -> bool {
        self.devices.iter().any(|device| device.unreliable(key))
    }

    /// The main devices of its runs.
    pub fn devices(&self) -> &[&'a DeviceDigest] {
        &self.devices
    }

    /// The main device of the first run, for properties that have no mean, as names and places.
    pub fn device(&self) -> &'a DeviceDigest {
        self.devices[0]
    }

    /// The values of a figure in the runs that have it.
    pub fn values(&self, key: &str) -> Vec<f64> {
        self.devices
            .iter()
            .filter_map(|d| d.figures.get(key).copied())
            .collect()
    }

    /// The mean of a figure over the runs that have it; absent where none has.
    pub fn value(&self, key: &str) -> Option<f64> {
        let values = self.values(key);
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    /// Mean and deviation of a figure between the runs; absent for fewer than two.
    pub fn spread(&self, key: &str) -> Option<Spread> {
        Spread::new(&self.values(key))
    }

    /// All pairs of a run of this side and a run of another, as indices within the sides.
    pub fn pairs(&self, other: &ComparisonSide) -> impl Iterator<Item = (usize, usize)> {
        let n = other.runs.len();
        (0..self.runs.len() * n).map(move |i| (i / n, i % n))
    }

    /// A figure of one of its runs, by its index within the side, with the error that the run shows
    /// within itself.
    pub fn estimate(&self, index: usize, key: &str) -> Option<Estimate> {
        let device = self.devices.get(index)?;
        let value = device.figures.get(key)?;
        if let Some(estimate) = device.bins.estimate(key, *value) {
            return Some(estimate);
        }
        // Digests of small snapshots come without errors.
        let bins = if device.bins.errors.is_empty() {
            device.bins.sums.get(key)
        } else {
            None
        };
        Some(Estimate::from_bins(
            *value,
            bins.map_or(&[][..], Vec::as_slice),
        ))
    }

    /// Mean over its runs of a value of their devices.
    pub fn mean(&self, value: impl Fn(&DeviceDigest) -> f64) -> f64 {
        self.devices.iter().map(|d| value(d)).sum::<f64>() / self.devices.len() as f64
    }
}
