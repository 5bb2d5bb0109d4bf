//! Tables of device mapper: `dmsetup table`.

use super::md::{RAID_TYPES, RaidType};
use super::names::MAX_SECTORS;
use rustc_hash::FxHashMap;

/// Limit for the segments of all tables.
const MAX_SEGMENTS: usize = 65_536;
/// Targets that give all sectors to one device, which their first words name with an offset.
const LIKE_LINEAR: [&str; 5] = ["linear", "delay", "flakey", "dust", "unstriped"];

/// A device as a table names it, and the sector at which its part begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub device: String,
    pub start: u64,
}

/// What a segment does with its sectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableTarget {
    Linear(Part),
    Striped {
        chunk: u64,
        parts: Vec<Part>,
    },
    /// Copies on all parts.
    Mirror(Vec<Part>),
    Raid(RaidTarget),
    ThinPool {
        metadata: String,
        data: String,
        block: u64,
    },
    Thin {
        pool: String,
        id: u64,
    },
    /// Devices that are below it in a way that is not known.
    Other(Vec<String>),
}

/// The target `raid`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaidTarget {
    pub kind: RaidType,
    pub chunk: u64,
    /// Devices with data; `None` is missing.
    pub data: Vec<Option<String>>,
    pub metadata: Vec<String>,
    pub offset: u64,
    /// The number of the layout of RAID 10.
    pub layout: u64,
}

/// A part of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub start: u64,
    pub sectors: u64,
    /// The target as the table names it; of `raid` its type.
    pub kind: String,
    pub target: TableTarget,
}

/// The tables of all devices.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// By the name of the device; a table that differs between texts is `None`.
    tables: FxHashMap<String, Option<Vec<Segment>>>,
    /// The tables of the text that is read now.
    open: FxHashMap<String, Vec<Segment>>,
    segments: usize,
}

impl Tables {
    pub fn each(&self) -> impl Iterator<Item = (&str, &[Segment])> {
        self.tables
            .iter()
            .filter_map(|(name, table)| Some((name.as_str(), table.as_deref()?)))
    }

    /// Takes a line: `lv: 0 262144 linear 254:1 0`. A text of a single table has no name; `file`
    /// is its path.
    pub fn line(&mut self, line: &str, file: &str) {
        let words: Vec<&str> = line.split_whitespace().take(1024).collect();
        let (name, rest) = match words.as_slice() {
            [name, rest @ ..] if name.ends_with(':') && name.len() > 1 => {
                (name.trim_end_matches(':'), rest)
            }
            [first, ..] if first.parse::<u64>().is_ok() && file.contains("dm") => {
                (name_of_file(file), words.as_slice())
            }
            _ => return,
        };
        let [start, sectors, target, rest @ ..] = rest else {
            return;
        };
        let kind = match (*target, rest) {
            ("raid", [kind, ..]) => kind,
            (name, _) => name,
        };
        let (Ok(start), Ok(sectors)) = (start.parse(), sectors.parse()) else {
            return;
        };
        if start > MAX_SECTORS || sectors > MAX_SECTORS || self.segments >= MAX_SEGMENTS {
            return;
        }
        if let Some(target) = read(target, rest) {
            let kind = kind.to_owned();
            self.segments += 1;
            self.open.entry(name.to_owned()).or_default().push(Segment {
                start,
                sectors,
                kind,
                target,
            });
        }
    }

    /// Ends a text: its tables have to be those of the texts before.
    pub fn close(&mut self) {
        for (name, table) in self.open.drain() {
            let table = Some(table);
            let entry = self.tables.entry(name).or_insert_with(|| table.clone());
            if *entry != table {
                *entry = None;
            }
        }
    }
}

/// Whether a line is one of a table.
pub fn is_table(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_name = words.next().is_some_and(|word| word.ends_with(':'));
    let mut numeric = || words.next().is_some_and(|word| word.parse::<u64>().is_ok());
    is_name && numeric() && numeric() && {
        let rest: Vec<&str> = words.take(1024).collect();
        matches!(rest.as_slice(), [target, rest @ ..] if read(target, rest).is_some())
    }
}

/// `lin` of `dm/lin.table` or `dm-lin.txt`.
fn name_of_file(file: &str) -> &str {
    let name = super::names::base(file);
    name.split('.').next().unwrap_or(name)
}

fn is_device(word: &str) -> bool {
    word.starts_with("/dev/") || super::names::number(word).is_some()
}

fn part(device: &str, start: &str) -> Option<Part> {
    let start = start.parse().ok().filter(|n| *n <= MAX_SECTORS)?;
    is_device(device).then(|| Part {
        device: device.to_owned(),
        start,
    })
}

/// The target of a segment; `None` if the line is no segment, such as one of `dmsetup status`.
fn read(target: &str, words: &[&str]) -> Option<TableTarget> {
    match (target, words) {
        ("unstriped", _) => other(words),
        (name, [device, start, ..]) if LIKE_LINEAR.contains(&name) => {
            part(device, start).map(TableTarget::Linear)
        }
        ("crypt", [_, _, _, device, start, ..]) => part(device, start).map(TableTarget::Linear),
        ("striped", [count, chunk, rest @ ..]) => {
            let count: usize = count.parse().ok()?;
            let chunk = chunk
                .parse()
                .ok()
                .filter(|n| (1..=MAX_SECTORS).contains(n))?;
            let parts = parts(rest, count)?;
            Some(TableTarget::Striped { chunk, parts })
        }
        ("mirror", [_, arguments, rest @ ..]) => {
            let skipped: usize = arguments.parse().ok()?;
            let [count, rest @ ..] = rest.get(skipped..)? else {
                return None;
            };
            parts(rest, count.parse().ok()?).map(TableTarget::Mirror)
        }
        ("raid", _) => raid(words).map(TableTarget::Raid),
        ("thin-pool", [metadata, data, block, ..]) if is_device(metadata) && is_device(data) => {
            Some(TableTarget::ThinPool {
                metadata: (*metadata).to_owned(),
                data: (*data).to_owned(),
                block: block
                    .parse()
                    .ok()
                    .filter(|n| (1..=MAX_SECTORS).contains(n))?,
            })
        }
        ("thin", [pool, id, ..]) if is_device(pool) => Some(TableTarget::Thin {
            pool: (*pool).to_owned(),
            id: id.parse().ok()?,
        }),
        ("snapshot-origin", [device, ..]) | ("verity", [_, device, ..]) => part(device, "0")
            .map(TableTarget::Linear)
            .filter(|_| target != "verity"),
        (
            "cache" | "clone" | "era" | "integrity" | "log-writes" | "multipath" | "snapshot"
            | "snapshot-merge" | "vdo" | "writecache" | "zoned" | "ebs",
            _,
        ) => other(words),
        _ => None,
    }
}

fn other(words: &[&str]) -> Option<TableTarget> {
    let devices: Vec<String> = words
        .iter()
        .filter(|word| is_device(word))
        .map(|word| (*word).to_owned())
        .collect();
    (!devices.is_empty()).then_some(TableTarget::Other(devices))
}

fn parts(words: &[&str], count: usize) -> Option<Vec<Part>> {
    if count == 0 || words.len() < count.checked_mul(2)? {
        return None;
    }
    words
        .chunks_exact(2)
        .take(count)
        .map(|pair| part(pair[0], pair[1]))
        .collect()
}

/// `raid raid5_ls 3 128 region_size 1024 3 253:1 253:2 253:3 253:4 - -`.
fn raid(words: &[&str]) -> Option<RaidTarget> {
    let [kind, count, rest @ ..] = words else {
        return None;
    };
    let kind = RAID_TYPES.iter().find(|entry| entry.0 == *kind)?.1;
    let count: usize = count.parse().ok()?;
    let (parameters, rest) = rest.split_at_checked(count)?;
    let [devices, rest @ ..] = rest else {
        return None;
    };
    let devices: usize = devices.parse().ok()?;
    let pairs = rest.get(..devices.checked_mul(2)?)?;
    let value = |key: &str| {
        let place = parameters.iter().skip(1).position(|word| *word == key)?;
        parameters.get(place + 2).copied()
    };
    let number = |key: &str| value(key).and_then(|word| word.parse::<u64>().ok());
    let copies = number("raid10_copies").unwrap_or(2);
    let layout = match value("raid10_format").unwrap_or("near") {
        "near" => copies | 1 << 8,
        "far" => copies << 8 | 1,
        "offset" => copies << 8 | 1 | 1 << 16,
        _ => return None,
    };
    // A reshape moves data while it is recorded.
    if value("delta_disks").is_some_and(|n| n != "0") || number("data_offset").is_some() {
        return None;
    }
    let device = |word: &str| (word != "-").then(|| word.to_owned());
    Some(RaidTarget {
        kind,
        chunk: parameters.first()?.parse().ok()?,
        data: pairs.chunks_exact(2).map(|pair| device(pair[1])).collect(),
        metadata: pairs
            .chunks_exact(2)
            .filter_map(|pair| device(pair[0]))
            .collect(),
        offset: 0,
        layout,
    })
}
