//! DeviceNames and numbers of devices, where partitions begin, and which device lies on which.

use rustc_hash::FxHashMap;
use seekscope_trace::event::DeviceNumber;
use std::collections::BTreeMap;

/// The major number of md.
const MD_MAJOR: u32 = 9;
/// Limit for each table.
const MAX_ENTRIES: usize = 65_536;
/// Limit for the devices below or above one.
const MAX_NEIGHBOURS: usize = 4096;
/// Limit for the sectors of a device: numbers that are larger are no sizes.
pub const MAX_SECTORS: u64 = 1 << 54;

/// What texts say of devices.
#[derive(Clone, Debug, Default)]
pub struct DeviceNames {
    /// The number of a name; `None` where texts disagree.
    numbers: FxHashMap<String, Option<DeviceNumber>>,
    /// The other name of a name: `dm-0` of `lin`.
    aliases: FxHashMap<String, String>,
    /// Disk, first sector and sectors of a partition.
    partitions: FxHashMap<String, Option<Partition>>,
    sizes: FxHashMap<String, u64>,
    /// The devices below each upper one, and the upper ones of each.
    below: BTreeMap<String, Vec<String>>,
    above: FxHashMap<String, Vec<String>>,
    pairs: usize,
    /// The major number of device mapper; `None` inside where texts disagree.
    dm_major: Option<Option<u32>>,
    /// Whether the lines are those of a table of lsblk.
    in_lsblk: bool,
    /// The name in a block of `dmsetup info`.
    info: String,
}

/// A partition on a disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    pub disk: String,
    pub start: u64,
}

/// `254:16`, `254,16` or `254, 16` as a number.
pub fn number(text: &str) -> Option<DeviceNumber> {
    let (major, minor) = text.split_once([':', ','])?;
    let (major, minor): (u32, u32) = (major.trim().parse().ok()?, minor.trim().parse().ok()?);
    (major < 1 << 12 && minor < 1 << 20).then_some(DeviceNumber(major << 20 | minor))
}

/// The name of a device without the folder it stands in.
pub fn base(word: &str) -> &str {
    let word = word.trim_end_matches(':');
    word.rsplit('/').next().unwrap_or(word)
}

/// The disk of a partition by their names: `nvme0n1` of `nvme0n1p2`, `vda` of `vda1`.
pub fn disk_of(partition: &str) -> Option<&str> {
    let disk = partition.trim_end_matches(|c: char| c.is_ascii_digit());
    if disk.len() == partition.len() || disk.is_empty() {
        return None;
    }
    match disk.strip_suffix('p') {
        Some(short) if short.ends_with(|c: char| c.is_ascii_digit()) => Some(short),
        _ => Some(disk),
    }
}

impl DeviceNames {
    /// Says that a name has a number.
    pub fn add(&mut self, name: &str, number: DeviceNumber) {
        if base(name).starts_with("dm-") {
            let major = self.dm_major.get_or_insert(Some(number.major()));
            if *major != Some(number.major()) {
                *major = None;
            }
        }
        if self.numbers.len() < MAX_ENTRIES {
            let entry = self.numbers.entry(base(name).to_owned());
            let stored = entry.or_insert(Some(number));
            if *stored != Some(number) {
                *stored = None;
            }
        }
    }

    fn add_alias(&mut self, name: &str, device: &str) {
        if self.aliases.len() < MAX_ENTRIES {
            self.aliases
                .insert(base(name).to_owned(), base(device).to_owned());
        }
    }

    fn add_size(&mut self, name: &str, sectors: u64) {
        if self.sizes.len() < MAX_ENTRIES && sectors <= MAX_SECTORS {
            self.sizes.insert(base(name).to_owned(), sectors);
        }
    }

    fn add_partition(&mut self, name: &str, start: u64) {
        let name = base(name);
        let Some(disk) = disk_of(name).filter(|_| start > 0 && start <= MAX_SECTORS) else {
            return;
        };
        if self.partitions.len() < MAX_ENTRIES {
            let partition = Some(Partition {
                disk: disk.to_owned(),
                start,
            });
            let stored = self
                .partitions
                .entry(name.to_owned())
                .or_insert_with(|| partition.clone());
            if *stored != partition {
                *stored = None;
            }
        }
    }

    pub fn add_pair(&mut self, upper: &str, lower: &str) {
        let (upper, lower) = (base(upper), base(lower));
        let below = self.below.get(upper).map_or(&[][..], Vec::as_slice);
        let above = self.above.get(lower).map_or(&[][..], Vec::as_slice);
        let is_full = below.len().max(above.len()) >= MAX_NEIGHBOURS || self.pairs >= MAX_ENTRIES;
        if is_full || below.iter().any(|name| name == lower) {
            return;
        }
        self.pairs += 1;
        let entry = self.below.entry(upper.to_owned()).or_default();
        entry.push(lower.to_owned());
        let entry = self.above.entry(lower.to_owned()).or_default();
        entry.push(upper.to_owned());
    }

    /// The number of a word: `254:16`, `/dev/vda`, `lin`.
    pub fn resolve(&self, word: &str) -> Option<DeviceNumber> {
        if let Some(number) = number(word) {
            return Some(number);
        }
        let name = base(word);
        self.numbered(name)
            .or_else(|| self.numbered(self.aliases.get(name)?))
    }

    fn numbered(&self, name: &str) -> Option<DeviceNumber> {
        let number = self.numbers.get(name).copied().flatten();
        number.or_else(|| {
            let minor = |kind: &str| name.strip_prefix(kind)?.parse::<u32>().ok();
            // The numbers of md are fixed; all of device mapper share a major number.
            let major = match (minor("md"), minor("dm-")) {
                (Some(_), _) => MD_MAJOR,
                (_, Some(_)) => self.dm_major.flatten()?,
                _ => return None,
            };
            let minor = minor("md").or_else(|| minor("dm-"))?;
            (minor < 1 << 20).then_some(DeviceNumber(major << 20 | minor))
        })
    }

    /// Sectors of a device.
    pub fn size(&self, word: &str) -> Option<u64> {
        self.sizes.get(base(word)).copied()
    }

    /// Sectors of the device with a number.
    pub fn size_of(&self, number: DeviceNumber) -> Option<u64> {
        let mut names = self.numbers.iter().filter(|entry| *entry.1 == Some(number));
        names.find_map(|(name, _)| self.size(name))
    }

    pub fn partitions(&self) -> impl Iterator<Item = (&str, &Partition)> {
        self.partitions
            .iter()
            .filter_map(|(name, partition)| Some((name.as_str(), partition.as_ref()?)))
    }

    /// DeviceNames of the devices below one.
    pub fn below(&self, upper: &str) -> &[String] {
        self.below.get(upper).map_or(&[], Vec::as_slice)
    }

    /// DeviceNames of the devices above one.
    pub fn above(&self, lower: &str) -> &[String] {
        self.above.get(lower).map_or(&[], Vec::as_slice)
    }

    /// DeviceNames of the devices that lie on others, ascending.
    pub fn uppers(&self) -> impl Iterator<Item = &str> {
        self.below.keys().map(String::as_str)
    }

    /// Takes what a line says of names.
    pub fn line(&mut self, line: &str) {
        if line.contains("MAJ:MIN") {
            self.in_lsblk = true;
            return;
        }
        if line.trim().is_empty() {
            self.in_lsblk = false;
            return;
        }
        self.bracketed(line);
        self.info(line);
        self.setting(line);
        let mut room = [""; 12];
        let count = words(line, &mut room);
        self.table(line, &room[..count]);
        self.start(&room[..count]);
    }

    /// ` |-pool (253:0)` of `dmsetup tree`, `pool\t(253:0)` of `dmsetup ls`.
    fn bracketed(&mut self, line: &str) {
        if let Some((name, number)) = bracketed(line) {
            self.add(name, number);
        }
    }

    /// The blocks of `dmsetup info`, and links of `/dev/mapper`.
    fn info(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("Name:") {
            name.trim().clone_into(&mut self.info);
        } else if let Some(numbers) = line.strip_prefix("Major, minor:") {
            if let Some(number) = number(numbers.trim()).filter(|_| !self.info.is_empty()) {
                let name = std::mem::take(&mut self.info);
                self.add(&name, number);
            }
        } else if let Some((before, device)) = line.split_once(" -> ") {
            let name = before.split_whitespace().next_back().unwrap_or_default();
            if ["dm-", "md"]
                .iter()
                .any(|kind| base(device.trim()).starts_with(kind))
            {
                self.add_alias(name, device.trim());
            }
        }
    }

    /// Files of sysfs with their paths: `/sys/block/vda/vda1/start:2048`.
    fn setting(&mut self, line: &str) {
        if let Some((path, name)) = line.split_once("/dm/name:") {
            self.add_alias(name.trim(), path);
        } else if let Some((path, start)) = line.split_once("/start:") {
            if let Ok(start) = start.trim().parse() {
                self.add_partition(path, start);
            }
        } else if let Some((path, value)) = line.split_once("/dev:")
            && let Some(number) = number(value.trim())
        {
            self.add(path, number);
        }
    }

    /// Tables of all devices: `/proc/partitions`, `/proc/diskstats`, lsblk, and pairs.
    fn table(&mut self, line: &str, words: &[&str]) {
        let numeric = |word: &str| word.parse::<u64>().ok();
        match *words {
            [upper, "slave", lower] | [lower, "holder", upper] => self.add_pair(upper, lower),
            [major, minor, kib, name] if numeric(kib).is_some() && numeric(name).is_none() => {
                if let Some(number) = number(&format!("{major}:{minor}")) {
                    self.add(name, number);
                    self.add_size(name, numeric(kib).unwrap_or(0).saturating_mul(2));
                }
            }
            [major, minor, name, reads, _, _, _, ..]
                if numeric(name).is_none() && numeric(reads).is_some() =>
            {
                if let Some(number) = number(&format!("{major}:{minor}")) {
                    self.add(name, number);
                }
            }
            [name, major, minor, stat, ..]
                if stat.len() == 4
                    && stat.chars().all(|c| "-LIVsrRw".contains(c))
                    && numeric(minor).is_some() =>
            {
                if let Some(number) = number(&format!("{major}:{minor}")) {
                    self.add(name, number);
                }
            }
            [name, numbers, ref rest @ ..] if self.in_lsblk || line.contains(" size=") => {
                let name = name.trim_start_matches(is_branch);
                if let Some(number) = number(numbers) {
                    self.add(name, number);
                    for word in rest {
                        if let Some(start) = word.strip_prefix("start=").and_then(numeric) {
                            self.add_partition(name, start);
                        }
                        if let Some(size) = word.strip_prefix("size=").and_then(numeric) {
                            self.add_size(name, size);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Tables of partitions: `sfdisk -d`, `fdisk -l`.
    fn start(&mut self, words: &[&str]) {
        let [path, rest @ ..] = words else { return };
        if !path.starts_with("/dev/") {
            return;
        }
        let number = |word: &str| word.trim_end_matches(',').parse::<u64>().ok();
        let start = match rest {
            [":", "start=", start, ..] => number(start),
            ["*", start, end, sectors, ..] | [start, end, sectors, ..] => {
                let (start, end, sectors) = (number(start), number(end), number(sectors));
                start.filter(|s| end.and_then(|end| end.checked_sub(*s)?.checked_add(1)) == sectors)
            }
            _ => None,
        };
        if let Some(start) = start {
            self.add_partition(path, start);
        }
    }
}

/// Name and number of a line that ends with the number in brackets.
pub fn bracketed(line: &str) -> Option<(&str, DeviceNumber)> {
    let (name, rest) = line.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    let name = name.trim_start_matches(is_branch).trim_end();
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    Some((name, number(rest).filter(|_| is_name)?))
}

/// The signs of trees: `├─`, ` |-`, `` `-``.
fn is_branch(c: char) -> bool {
    c.is_whitespace() || "|`-├└─│".contains(c)
}

/// The first words of a line, and their number.
fn words<'a>(line: &'a str, room: &mut [&'a str]) -> usize {
    let mut count = 0;
    for (slot, word) in room.iter_mut().zip(line.split_whitespace()) {
        *slot = word;
        count += 1;
    }
    count
}
