//! Settings that differ between two sides. Which finding each can explain is in `causes.rs`.

use super::runs::run::{ComparedRun, ComparisonSide};
use seekscope_notes::Setting;
use seekscope_notes::setting::{COMMAND_LINE, MOUNT_OPTIONS, PARTITIONS, is_of_machine};
use seekscope_trace::sorting::{SortShort, map_of, set_of};
use seekscope_trace::store::Role;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of changes that are listed.
const MAX_CHANGES: usize = 200;
/// Settings that are listed first, in this order; the others follow by name.
const FIRST: [&str; 12] = [
    "scheduler",
    "slice_idle",
    "low_latency",
    "read_ahead_kb",
    "max_sectors_kb",
    "nr_requests",
    "queue_depth",
    "wbt_lat_usec",
    "write_cache",
    "fua",
    "start_sector",
    PARTITIONS,
];

/// A setting with two values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SettingChange {
    /// Name as in sysfs.
    pub name: String,
    /// The devices that it changed on; empty for the compared device and for the machine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<String>,
    /// Values of the baseline and of the other side; `None`: not set.
    pub values: (Option<String>, Option<String>),
    /// Whether it can have an effect on the compared device.
    #[serde(skip)]
    pub concerns: bool,
}

/// What a setting belongs to, in a form that two runs have in common: names of disks may differ
/// between them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    Compared,
    Machine,
    /// A partition of the compared device, by the end of its name.
    Partition(String),
    Other(String),
}

/// The settings of a side by scope and key, without those in which its runs differ.
type SideSettings<'a> = BTreeMap<(Scope, &'a str), &'a str>;

fn side_settings<'a>(runs: &'a [ComparedRun], side: &ComparisonSide) -> SideSettings<'a> {
    let mut found: BTreeMap<(Scope, &str), Option<&str>> = BTreeMap::new();
    for run in side.runs.iter().filter_map(|&index| runs.get(index)) {
        let mut of_run: BTreeMap<(Scope, &str), &str> = BTreeMap::new();
        let name = compared_name(run);
        // A text that names the device comes before one that does not.
        let (named, unnamed): (Vec<&Setting>, Vec<&Setting>) = run
            .settings
            .iter()
            .partition(|setting| setting.device.is_some());
        for setting in named.into_iter().chain(unnamed) {
            of_run
                .entry((scope(run, name, setting), setting.key.as_str()))
                .or_insert(setting.value.as_str());
        }
        for (place, value) in of_run {
            found
                .entry(place)
                .and_modify(|common| *common = common.filter(|common| *common == value))
                .or_insert(Some(value));
        }
    }
    map_of(
        found
            .into_iter()
            .filter_map(|(place, value)| Some((place, value?))),
    )
}

/// The name that the settings of a run have for its compared device. A trace that was not named
/// after its device has the number only: then the only disk of which there are settings, unless the
/// texts have its number.
fn compared_name(run: &ComparedRun) -> Option<&str> {
    let main = run.main()?;
    let numbered = run
        .settings
        .iter()
        .find(|s| s.dev.as_deref() == Some(main.dev.as_str()))
        .and_then(|s| s.device.as_deref());
    if numbered.is_some() || main.name != main.dev {
        return numbered.or(Some(&main.name));
    }
    let devices = run.settings.iter().filter(|s| s.dev.is_none());
    let names: BTreeSet<&str> = set_of(devices.filter_map(|s| s.device.as_deref()));
    // In the order of names, partitions follow their disk.
    let first = *names.first()?;
    names
        .iter()
        .all(|name| name.starts_with(first))
        .then_some(first)
}

fn scope(run: &ComparedRun, name: Option<&str>, setting: &Setting) -> Scope {
    let key = setting.key.as_str();
    let Some(device) = &setting.device else {
        return if key == COMMAND_LINE || key.contains("io.") || is_of_machine(key) {
            Scope::Machine
        } else {
            Scope::Compared
        };
    };
    let (Some(main), Some(name)) = (run.main(), name) else {
        return Scope::Other(device.clone());
    };
    if device == name || *device == main.dev || setting.dev.as_deref() == Some(main.dev.as_str()) {
        return Scope::Compared;
    }
    match device
        .strip_prefix(name)
        .map(|rest| rest.trim_start_matches('p'))
    {
        Some(number) if !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()) => {
            Scope::Partition(number.to_owned())
        }
        _ => Scope::Other(device.clone()),
    }
}

/// A setting of the compared device of a run.
pub fn of_compared<'a>(run: &'a ComparedRun, key: &str) -> Option<&'a str> {
    let name = compared_name(run);
    let found = run
        .settings
        .iter()
        .filter(|setting| setting.key == key && scope(run, name, setting) == Scope::Compared);
    found.map(|setting| setting.value.as_str()).next()
}

/// The settings that both sides have and that differ, the important ones first.
pub fn changes(runs: &[ComparedRun], a: &ComparisonSide, b: &ComparisonSide) -> Vec<SettingChange> {
    let (before, after) = (side_settings(runs, a), side_settings(runs, b));
    let stacked = [a, b].iter().any(|side| side.device().role != Role::Disk);
    let named = b
        .runs
        .first()
        .and_then(|&index| compared_name(runs.get(index)?));
    let compared = named.unwrap_or(&b.device().name);
    let mut found: Vec<SettingChange> = Vec::new();
    for ((scope, key), old) in &before {
        let Some(new) = after.get(&(scope.clone(), key)) else {
            continue;
        };
        let Some(values) = difference(key, old, new) else {
            continue;
        };
        let device = match scope {
            Scope::Compared | Scope::Machine => None,
            Scope::Partition(number) if compared.ends_with(|c: char| c.is_ascii_digit()) => {
                Some(format!("{compared}p{number}"))
            }
            Scope::Partition(number) => Some(format!("{compared}{number}")),
            Scope::Other(name) => Some(name.clone()),
        };
        // A setting of another disk can have an effect only where the compared device consists of
        // others or is a partition.
        let is_apart = |name: &String| !stacked && !compared.starts_with(name.as_str());
        let concerns = !matches!(scope, Scope::Other(name) if is_apart(name));
        let same = found.iter_mut().find(|change| {
            change.name == *key
                && change.values == values
                && !change.devices.is_empty()
                && device.is_some()
        });
        match same {
            Some(change) => {
                change.devices.extend(device);
                change.concerns |= concerns;
            }
            None => {
                found.push(SettingChange {
                    name: (*key).to_owned(),
                    devices: device.into_iter().collect(),
                    values,
                    concerns,
                });
            }
        }
    }
    let place = |name: &str| {
        FIRST
            .iter()
            .position(|first| *first == name)
            .unwrap_or(FIRST.len())
    };
    found.sort_short_by(|x, y| {
        (!x.concerns, place(&x.name), &x.name, &x.devices).cmp(&(
            !y.concerns,
            place(&y.name),
            &y.name,
            &y.devices,
        ))
    });
    found.truncate(MAX_CHANGES);
    found
}

/// Both values, if they differ. Of mount options and command lines, which are sets, only the words
/// that one side lacks.
fn difference(key: &str, old: &str, new: &str) -> Option<(Option<String>, Option<String>)> {
    if old == new || number(old).is_some_and(|n| number(new) == Some(n)) {
        return None;
    }
    let separator = match key {
        MOUNT_OPTIONS => ',',
        COMMAND_LINE => ' ',
        // Where partitions begin is a setting of each partition; only their names count here.
        PARTITIONS if names(old) == names(new) => return None,
        _ => return Some((Some(old.to_owned()), Some(new.to_owned()))),
    };
    let words = |text: &'_ str| {
        let words = text.split(separator).filter(|word| !word.is_empty());
        set_of(words.map(str::to_owned))
    };
    let (old, new) = (words(old), words(new));
    let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| {
        let missing: Vec<&str> = a.difference(b).map(String::as_str).collect();
        (!missing.is_empty()).then(|| missing.join(&separator.to_string()))
    };
    let values = (only(&old, &new), only(&new, &old));
    (values.0.is_some() || values.1.is_some()).then_some(values)
}

/// Names of the partitions in a list.
fn names(list: &str) -> Vec<&str> {
    list.split(", ")
        .map(|part| part.split(' ').next().unwrap_or(part))
        .collect()
}

/// A number, if the value is one.
pub fn number(value: &str) -> Option<f64> {
    value.trim().parse().ok().filter(|n: &f64| n.is_finite())
}

impl SettingChange {
    /// Name with the devices: `scheduler`, `vda, vdb: read_ahead_kb`.
    pub fn label(&self) -> String {
        if self.devices.is_empty() {
            self.name.clone()
        } else {
            format!("{}: {}", self.devices.join(", "), self.name)
        }
    }

    /// Both values in words.
    pub fn shown(&self) -> (String, String) {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "not set".to_owned());
        (value(&self.values.0), value(&self.values.1))
    }

    /// The change in words: `scheduler mq-deadline -> bfq`,
    /// `vda, vdb: read_ahead_kb 128 -> 4096`.
    pub fn words(&self) -> String {
        let (before, after) = self.shown();
        format!("{} {before} -> {after}", self.label())
    }
}
