//! Lines such as `/sys/block/sda/queue/scheduler: [mq-deadline] none` or `kernel.osrelease =
//! 6.1.0`, as `grep . FILES`, `grep -aH . -r`, `head FILES` and `sysctl` print them, and the known
//! keys in any text.

use super::fact::device;
use super::setting::{OTHER_NAME, SettingPath, is_known, is_of_array};
use super::uname::is_release;
use super::{Array, Fact, FactValue, Note, machine};

/// Key, name and unit of the fact.
const KEYS: [(&str, &str, &str); 17] = [
    ("rotational", "Rotational", ""),
    ("nr_requests", "Queue size", ""),
    ("read_ahead_kb", "Readahead", "KiB"),
    ("max_sectors_kb", "Max request size", "KiB"),
    ("max_segments", "Max segments", ""),
    ("minimum_io_size", "Minimum I/O size", "bytes"),
    ("optimal_io_size", "Optimal I/O size", "bytes"),
    ("logical_block_size", "Logical block size", "bytes"),
    ("physical_block_size", "Physical block size", "bytes"),
    ("write_cache", "Write cache", ""),
    ("fua", "FUA", ""),
    ("nr_hw_queues", "Hardware queues", ""),
    ("stripe_cache_size", "Stripe cache", ""),
    ("slice_idle", "slice_idle", ""),
    ("low_latency", "low_latency", ""),
    ("command", "Command", ""),
    ("hostname", "Host", ""),
];

/// Stripe settings of a device, collected line by line.
#[derive(Debug, Default)]
pub struct StripeSettings {
    device: Option<String>,
    level: Option<String>,
    disks: Option<u64>,
    chunk: u64,
    least: u64,
    best: u64,
}

impl StripeSettings {
    /// Collects what the lines or members that follow say about the stripes of a device.
    pub fn new(device: Option<&str>) -> StripeSettings {
        StripeSettings {
            device: device.map(str::to_owned),
            ..StripeSettings::default()
        }
    }

    /// Adds the array to the note, if there is one.
    pub fn end(self, note: &mut Note) {
        let name = self.device.as_deref();
        let md = self
            .level
            .as_deref()
            .and_then(|level| Array::of_md(name, level, self.disks, self.chunk, 0));
        note.add_array(md.or_else(|| Array::of_limits(name, self.least, self.best)));
    }

    fn take(&mut self, key: &str, value: &str) -> bool {
        let number = value.parse::<u64>().unwrap_or(0);
        match key {
            "level" => self.level = value.starts_with("raid").then(|| value.to_owned()),
            "raid_disks" => self.disks = (number > 0).then_some(number),
            "chunk_size" | "chunk_bytes" => self.chunk = number,
            "minimum_io_size" => self.least = number,
            "optimal_io_size" => self.best = number,
            _ => return false,
        }
        true
    }
}

/// Adds what an object of a description says: a fact, or a setting that is only compared.
pub fn described(
    note: &mut Note,
    stripes: &mut StripeSettings,
    device: Option<&str>,
    key: &str,
    value: &str,
) {
    if !setting(note, stripes, device, key, value)
        && (is_known(key) || device.is_some() && is_of_array(key))
    {
        note.add_setting(device, key, value);
    }
}

/// Adds a fact to the note if its key is known; false otherwise.
fn setting(
    note: &mut Note,
    stripes: &mut StripeSettings,
    device: Option<&str>,
    key: &str,
    value: &str,
) -> bool {
    let value = value.trim();
    if value.is_empty() {
        return true;
    }
    let striped = stripes.take(key, value);
    match key {
        "scheduler" => note.add_scheduler(device, active(value)),
        "kernel" | "osrelease" | "kernel_release" if is_release(value) => {
            note.add_kernel(value, device)
        }
        "level" if striped && value.starts_with("raid") => {
            note.add(Fact::text("level", "Level", value).about(device))
        }
        "chunk_size" | "chunk_bytes" if striped => {
            if value != "0" {
                note.add(number(Fact::text("chunk_bytes", "Chunk", value), "bytes").about(device));
            }
        }
        "raid_disks" if striped => {
            note.add(number(Fact::text("raid_disks", "Disks", value), "").about(device))
        }
        _ => {
            let Some((key, name, unit)) = KEYS.iter().find(|(name, ..)| *name == key) else {
                return false;
            };
            note.add(number(Fact::text(*key, *name, value), unit).about(device));
        }
    }
    true
}

pub fn read(text: &str, note: &mut Note) {
    let mut stripes = StripeSettings::default();
    let mut heading = None;
    for line in text.lines().map(str::trim) {
        if let Some(path) = line
            .strip_prefix("==> ")
            .and_then(|rest| rest.strip_suffix(" <=="))
        {
            heading = Some(path);
        } else if let Some(path) = heading.take().filter(|_| !line.is_empty()) {
            take(path, line, &mut stripes, note);
        } else if let Some((path, value)) = split(line) {
            take(path, value, &mut stripes, note);
        } else {
            machine::of_cgroup(line, None, note);
        }
    }
    stripes.end(note);
}

/// Path and value of a line; addresses of PCI have colons too.
fn split(line: &str) -> Option<(&str, &str)> {
    let from = line
        .find("/block/")
        .map_or(0, |index| index + "/block/".len());
    let separator = from + line[from..].find([':', '='])?;
    let path = line[..separator].trim();
    // A sentence with a colon is not a setting, nor is the number of a device a path.
    let is_path = !path.contains(' ') && path.contains(|c: char| c.is_alphabetic());
    is_path.then(|| (path, line[separator + 1..].trim()))
}

fn take(path: &str, value: &str, stripes: &mut StripeSettings, note: &mut Note) {
    let found = SettingPath::parse(path);
    let device = found
        .as_ref()
        .map_or_else(|| device_of(path), |found| found.device);
    if device != stripes.device.as_deref() {
        std::mem::replace(stripes, StripeSettings::new(device)).end(note);
    }
    let last = path.rsplit(['/', '.']).next().unwrap_or(path);
    if last == OTHER_NAME {
        note.add(Fact::text("setting", "Setting", &format!("{last} {value}")).about(device));
        note.add_setting(device, "logical_block_size", value);
        return;
    }
    match found {
        Some(SettingPath { key, .. })
            if key.contains("io.")
                && value.starts_with(|c: char| c.is_ascii_digit())
                && value.contains(' ') =>
        {
            machine::of_cgroup(value, Some(&key), note);
        }
        Some(SettingPath { key, .. }) => {
            if !setting(
                note,
                stripes,
                device,
                if key == "chunk_bytes" { last } else { &key },
                value,
            ) {
                note.add(Fact::text("setting", "Setting", &format!("{key} {value}")).about(device));
                note.add_setting(device, &key, value);
            }
        }
        None => {
            setting(note, stripes, device, last, value);
        }
    }
}

/// The scheduler in use: `none` of `mq-deadline kyber [none]`.
fn active(value: &str) -> &str {
    let marked = value
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'));
    marked.map_or(value, |(name, _)| name)
}

/// The device in a path: `sda` in `/sys/block/sda/queue/scheduler` and in `sda/queue/scheduler`.
fn device_of(path: &str) -> Option<&str> {
    let path = path
        .strip_prefix("/sys/block/")
        .or_else(|| path.strip_prefix("/sys/class/block/"))
        .unwrap_or(path);
    let (name, rest) = device(path).split_once('/')?;
    (!name.is_empty() && (rest.starts_with("queue/") || rest.starts_with("md/"))).then_some(name)
}

/// A number with its unit, if the text is one.
fn number(fact: Fact, unit: &'static str) -> Fact {
    match &fact.value {
        FactValue::Text(text) => match text.parse::<f64>().ok().filter(|n| n.is_finite()) {
            Some(n) => Fact {
                of: fact.of,
                ..Fact::number(fact.key, fact.name, n, unit)
            },
            None => fact,
        },
        FactValue::Number(_) => fact,
    }
}
