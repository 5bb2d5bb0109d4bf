//! Lines such as `/sys/block/sda/queue/scheduler: [mq-deadline] none` or `kernel.osrelease = 6.1.0`, as `grep . FILES` and `sysctl`
//! print them, and the known keys in any text.

use super::fact::device;
use super::uname::is_release;
use super::{Array, Fact, FactValue, Note};

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
    /// For the device of the lines or members that follow.
    pub fn of(device: Option<&str>) -> StripeSettings {
        StripeSettings { device: device.map(str::to_owned), ..StripeSettings::default() }
    }

    /// Adds the array to the note.
    pub fn end(self, note: &mut Note) {
        let name = self.device.as_deref();
        let md = self.level.as_deref().and_then(|level| Array::of_md(name, level, self.disks, self.chunk, 0));
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

/// Adds a setting to the note if its key is known.
pub fn setting(note: &mut Note, stripes: &mut StripeSettings, of: Option<&str>, key: &str, value: &str) {
    let value = value.trim();
    if value.is_empty() {
        return;
    }
    let striped = stripes.take(key, value);
    match key {
        "scheduler" => return note.add_scheduler(of, active(value)),
        "kernel" | "osrelease" | "kernel_release" if is_release(value) => return note.add_kernel(value, of),
        "level" if striped && value.starts_with("raid") => return note.add(Fact::text("level", "Level", value).of(of)),
        "chunk_size" | "chunk_bytes" if striped && value != "0" => {
            return note.add(number(Fact::text("chunk_bytes", "Chunk", value), "bytes").of(of));
        }
        "raid_disks" if striped => return note.add(number(Fact::text("raid_disks", "Disks", value), "").of(of)),
        _ => {}
    }
    if let Some((key, name, unit)) = KEYS.iter().find(|(known, ..)| *known == key) {
        note.add(number(Fact::text(key, name, value), unit).of(of));
    }
}

pub fn read(text: &str, note: &mut Note) {
    let mut stripes = StripeSettings::default();
    for line in text.lines().map(str::trim) {
        let Some((path, value)) = line.split_once([':', '=']) else { continue };
        let path = path.trim();
        // A sentence with a colon is not a setting.
        if path.contains(' ') || path.is_empty() {
            continue;
        }
        let of = device_of(path);
        if of != stripes.device.as_deref() {
            std::mem::replace(&mut stripes, StripeSettings::of(of)).end(note);
        }
        let key = path.rsplit(['/', '.']).next().unwrap_or(path);
        setting(note, &mut stripes, of, key, value);
    }
    stripes.end(note);
}

/// The scheduler in use: `none` of `mq-deadline kyber [none]`.
fn active(value: &str) -> &str {
    let marked = value.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    marked.map_or(value, |(name, _)| name)
}

/// `sda` of `/sys/block/sda/queue/scheduler` and of `sda/queue/scheduler`.
fn device_of(path: &str) -> Option<&str> {
    let path = path.strip_prefix("/sys/block/").or_else(|| path.strip_prefix("/sys/class/block/")).unwrap_or(path);
    let (name, rest) = device(path).split_once('/')?;
    (!name.is_empty() && (rest.starts_with("queue/") || rest.starts_with("md/"))).then_some(name)
}

/// A number with its unit, if the text is one.
fn number(fact: Fact, unit: &'static str) -> Fact {
    match &fact.value {
        FactValue::Text(text) => match text.parse::<f64>().ok().filter(|n| n.is_finite()) {
            Some(n) => Fact { of: fact.of, ..Fact::number(fact.key, fact.name, n, unit) },
            None => fact,
        },
        FactValue::Number(_) => fact,
    }
}
