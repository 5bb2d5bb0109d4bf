//! Arrays of md: `/proc/mdstat`, `mdadm --detail`, `mdadm --examine`.
//!
//! The notes have facts of the same texts for people; here are the members, their order and where
//! their data begins.

use super::names::{DeviceNames, MAX_SECTORS, base};
use rustc_hash::FxHashMap;
use seekscope_trace::sorting::SortShort;

/// Limits for arrays and members of all texts.
const MAX_ARRAYS: usize = 4096;
const MAX_MEMBERS: usize = 65_536;
/// Limit for the members of an array.
const MAX_SLOTS: usize = 1024;

/// A level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaidType {
    Linear,
    Raid0,
    Raid1,
    Raid10,
    /// Disks with parity, and the number of the layout if the type has it.
    Parity(u64, Option<u32>),
}

impl RaidType {
    /// The level as `/proc/mdstat` names it.
    pub fn level(self) -> &'static str {
        match self {
            RaidType::Linear => "linear",
            RaidType::Raid0 => "raid0",
            RaidType::Raid1 => "raid1",
            RaidType::Raid10 => "raid10",
            RaidType::Parity(1, Some(5)) => "raid4",
            RaidType::Parity(1, _) => "raid5",
            RaidType::Parity(..) => "raid6",
        }
    }
}

/// The types of device mapper's target `raid`.
pub const RAID_TYPES: [(&str, RaidType); 22] = [
    ("raid0", RaidType::Raid0),
    ("raid1", RaidType::Raid1),
    ("raid10", RaidType::Raid10),
    ("raid4", RaidType::Parity(1, Some(5))),
    ("raid5", RaidType::Parity(1, Some(2))),
    ("raid5_la", RaidType::Parity(1, Some(0))),
    ("raid5_ra", RaidType::Parity(1, Some(1))),
    ("raid5_ls", RaidType::Parity(1, Some(2))),
    ("raid5_rs", RaidType::Parity(1, Some(3))),
    ("raid5_0", RaidType::Parity(1, Some(4))),
    ("raid5_n", RaidType::Parity(1, Some(5))),
    ("raid6", RaidType::Parity(2, Some(8))),
    ("raid6_0", RaidType::Parity(2, Some(4))),
    ("raid6_zr", RaidType::Parity(2, Some(8))),
    ("raid6_nr", RaidType::Parity(2, Some(9))),
    ("raid6_nc", RaidType::Parity(2, Some(10))),
    ("raid6_n_6", RaidType::Parity(2, Some(5))),
    ("raid6_la_6", RaidType::Parity(2, Some(16))),
    ("raid6_ra_6", RaidType::Parity(2, Some(17))),
    ("raid6_ls_6", RaidType::Parity(2, Some(18))),
    ("raid6_rs_6", RaidType::Parity(2, Some(19))),
    ("raid6_0_6", RaidType::Parity(2, Some(20))),
];

/// The layouts of parity by the names that mdadm prints, with their numbers in the kernel.
const LAYOUTS: [(&str, u32); 14] = [
    ("left-asymmetric", 0),
    ("right-asymmetric", 1),
    ("left-symmetric", 2),
    ("right-symmetric", 3),
    ("parity-first", 4),
    ("parity-last", 5),
    ("ddf-zero-restart", 8),
    ("ddf-N-restart", 9),
    ("ddf-N-continue", 10),
    ("left-asymmetric-6", 16),
    ("right-asymmetric-6", 17),
    ("left-symmetric-6", 18),
    ("right-symmetric-6", 19),
    ("parity-first-6", 20),
];

/// What texts say of an array.
#[derive(Clone, Debug, Default)]
pub struct MdArray {
    pub kind: Option<RaidType>,
    /// Sectors of a chunk.
    pub chunk: Option<u64>,
    /// The number of the layout.
    pub layout: Option<u64>,
    pub disks: Option<usize>,
    /// The member in each slot.
    pub slots: Vec<Option<String>>,
    /// Sectors that each member gives to the array.
    pub used: Option<u64>,
    /// Whether the data of members begins with their first sector: superblocks at the end.
    pub begins_at_zero: bool,
    /// Whether data moves, or texts disagree.
    pub is_unstable: bool,
    pub uuid: Option<String>,
}

/// What `mdadm --examine` says of a member.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Member {
    pub offset: Option<u64>,
    pub sectors: Option<u64>,
    slot: Option<usize>,
    uuid: Option<String>,
    array: MdArray,
}

impl PartialEq for MdArray {
    fn eq(&self, other: &MdArray) -> bool {
        (self.kind, self.chunk, self.layout, self.disks)
            == (other.kind, other.chunk, other.layout, other.disks)
    }
}

/// Sets a value once; another one is a contradiction.
fn agree<T: PartialEq>(value: &mut Option<T>, new: Option<T>, is_unstable: &mut bool) {
    match (&value, &new) {
        (_, None) => {}
        (None, _) => *value = new,
        (Some(old), Some(new)) => *is_unstable |= old != new,
    }
}

impl MdArray {
    fn add_slot(&mut self, slot: usize, member: &str) {
        if slot >= MAX_SLOTS {
            return;
        }
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, None);
        }
        let mut is_unstable = self.is_unstable;
        agree(
            &mut self.slots[slot],
            Some(base(member).to_owned()),
            &mut is_unstable,
        );
        self.is_unstable = is_unstable;
    }

    /// Takes what another text says of the same array.
    fn join(&mut self, other: &MdArray) {
        let mut is_unstable = self.is_unstable || other.is_unstable;
        agree(&mut self.kind, other.kind, &mut is_unstable);
        agree(&mut self.chunk, other.chunk, &mut is_unstable);
        agree(&mut self.layout, other.layout, &mut is_unstable);
        agree(&mut self.disks, other.disks, &mut is_unstable);
        // Rounded in one text, exact in another.
        self.used = self.used.or(other.used);
        if self.uuid.is_none() {
            self.uuid.clone_from(&other.uuid);
        }
        self.begins_at_zero |= other.begins_at_zero;
        self.is_unstable = is_unstable;
        for (slot, member) in other.slots.iter().enumerate() {
            if let Some(member) = member {
                self.add_slot(slot, member);
            }
        }
    }
}

/// The kind of the text that the lines are of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Block {
    #[default]
    None,
    /// `mdadm --detail` and `--examine` begin alike: the first lines decide.
    Mdadm,
    Mdstat,
}

/// Reads the texts, one line at a time.
#[derive(Clone, Debug, Default)]
pub struct MdArrays {
    pub arrays: FxHashMap<String, MdArray>,
    pub members: FxHashMap<String, Member>,
    block: Block,
    device: String,
    member: Member,
    /// Members of mdstat with their numbers, which are slots only if they are complete.
    numbered: Vec<(usize, String)>,
    /// Whether the block is one of a member.
    is_member: bool,
    /// Whether the block is one of a device of md. An array can be a member, too.
    is_array: bool,
}

fn kind_of(level: &str) -> Option<RaidType> {
    Some(match level.trim() {
        "linear" => RaidType::Linear,
        "raid0" => RaidType::Raid0,
        "raid1" => RaidType::Raid1,
        "raid10" => RaidType::Raid10,
        // All layouts of RAID 4 have the parity on the last disk.
        "raid4" => RaidType::Parity(1, Some(5)),
        "raid5" => RaidType::Parity(1, None),
        "raid6" => RaidType::Parity(2, None),
        _ => return None,
    })
}

/// `64K` or `512k` in sectors.
fn size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits.parse().ok()?;
    let scale = match text.get(digits.len()..).unwrap_or_default() {
        "K" | "k" => 2,
        "M" | "m" => 2048,
        "G" | "g" => 2 << 20,
        "" if number.is_multiple_of(512) => return Some(number / 512),
        _ => return None,
    };
    number.checked_mul(scale).filter(|n| *n <= MAX_SECTORS)
}

/// The number of a layout of RAID 10.
fn layout_of_copies(kind: &str, copies: u64) -> Option<u64> {
    let copies = Some(copies).filter(|n| (1..=255).contains(n))?;
    Some(match kind {
        "near" => copies | 1 << 8,
        "far" => copies << 8 | 1,
        "offset" => copies << 8 | 1 | 1 << 16,
        _ => return None,
    })
}

/// The number of a layout: `left-symmetric`, `near=2`, `near=1, far=2`.
fn layout_of(text: &str) -> Option<u64> {
    if let Some((_, number)) = LAYOUTS.iter().find(|entry| entry.0 == text) {
        return Some(u64::from(*number));
    }
    let mut parts = text
        .split(',')
        .filter_map(|part| part.trim().split_once('='));
    let number = |part: (&str, &str)| layout_of_copies(part.0, part.1.parse().ok()?);
    match (parts.next(), parts.next()) {
        (Some(part), None) => number(part),
        (Some(("near", near)), Some((kind, far))) => {
            let near: u64 = near.parse().ok().filter(|n| (1..=255).contains(n))?;
            Some(number((kind, far))? & !0xff | near)
        }
        _ => None,
    }
}

impl MdArrays {
    /// Takes a line. The rows of `mdadm --detail` name numbers of members.
    pub fn line(&mut self, line: &str, names: &mut DeviceNames) {
        let path = line
            .strip_suffix(':')
            .filter(|path| path.starts_with("/dev/") && !path.contains(char::is_whitespace));
        if let Some(path) = path {
            self.end(names);
            self.block = Block::Mdadm;
            self.is_array = path.starts_with("/dev/md");
            base(path).clone_into(&mut self.device);
            return;
        }
        let mdstat = line
            .split_once(" : ")
            .filter(|(name, _)| name.starts_with("md") && !name.contains(' '));
        if let Some((name, rest)) = mdstat {
            self.end(names);
            self.block = Block::Mdstat;
            name.clone_into(&mut self.device);
            self.mdstat_members(rest);
            return;
        }
        match self.block {
            Block::None => {}
            Block::Mdstat => self.mdstat(line, names),
            Block::Mdadm => self.mdadm(line, names),
        }
    }

    /// Ends a text.
    pub fn close(&mut self, names: &mut DeviceNames) {
        self.end(names);
    }

    /// `active raid5 vdc[2] vdb[1] vda[0](F)`.
    fn mdstat_members(&mut self, rest: &str) {
        for word in rest.split_whitespace() {
            let member = word.split_once('[').and_then(|(name, rest)| {
                let (slot, marks) = rest.split_once(']')?;
                Some((name, slot.parse::<usize>().ok()?, marks))
            });
            match member {
                // Spares and failed disks have no data; a journal and a replacement neither.
                Some((name, slot, "" | "(W)")) if self.numbered.len() < MAX_SLOTS => {
                    self.numbered.push((slot, name.to_owned()));
                }
                Some(_) => {}
                None => {
                    if let Some(kind) = kind_of(word) {
                        self.member.array.kind = Some(kind);
                    }
                }
            }
        }
    }

    fn mdstat(&mut self, line: &str, names: &mut DeviceNames) {
        let array = &mut self.member.array;
        if line.contains(" blocks") {
            let words: Vec<&str> = line
                .split_whitespace()
                .map(|word| word.trim_end_matches(','))
                .take(64)
                .collect();
            for pair in words.windows(2) {
                match *pair {
                    [value, "chunk" | "chunks"] => array.chunk = size(value),
                    ["algorithm", number] => array.layout = number.parse().ok(),
                    [copies, kind] if kind.ends_with("-copies") => {
                        let number = copies.parse().ok().and_then(|copies| {
                            layout_of_copies(kind.trim_end_matches("-copies"), copies)
                        });
                        // Near and far copies at once are two pairs.
                        array.layout = match (array.layout, number) {
                            (Some(near), Some(far)) => Some(far & !0xff | near & 0xff),
                            (_, number) => number,
                        };
                    }
                    _ => {}
                }
            }
            array.begins_at_zero = !line.contains(" super ") || line.contains(" super 1.0 ");
            array.disks = words
                .iter()
                .find_map(|word| word.strip_prefix('[')?.split_once('/')?.0.parse().ok());
        } else if line.contains("reshape") {
            array.is_unstable = true;
        } else if line.starts_with("unused devices") {
            self.end(names);
        }
    }

    fn mdadm(&mut self, line: &str, names: &mut DeviceNames) {
        let member = &mut self.member;
        let Some((key, value)) = line.split_once(" : ") else {
            self.detail_row(line, names);
            return;
        };
        let value = value.trim();
        let first = value.split_whitespace().next().unwrap_or_default();
        let sectors = |text: &str| {
            let number = text.split_whitespace().next()?.parse().ok();
            number.filter(|n: &u64| *n <= MAX_SECTORS)
        };
        match key.trim() {
            "Raid Level" => member.array.kind = kind_of(value),
            "Raid Devices" => member.array.disks = value.parse().ok(),
            "Chunk Size" => member.array.chunk = size(value),
            "Layout" => member.array.layout = layout_of(value),
            "Version" => member.array.begins_at_zero = value.starts_with("0.") || value == "1.0",
            "UUID" => member.array.uuid = Some(first.to_owned()),
            "Array UUID" => {
                self.is_member = true;
                member.uuid = Some(first.to_owned());
            }
            "Data Offset" => member.offset = sectors(value),
            "Avail Dev Size" => {
                member.sectors = sectors(value).filter(|_| value.contains("sectors"));
            }
            "Used Dev Size" => {
                // An array has it in KiB, a member in sectors.
                let number = sectors(value);
                member.array.used = if self.is_member || value.contains("sectors") {
                    number
                } else {
                    number.and_then(|n| n.checked_mul(2))
                };
            }
            "Device Role" => {
                member.slot = value
                    .strip_prefix("Active device ")
                    .and_then(|slot| slot.parse().ok());
            }
            "Delta Devices" | "Reshape pos'n" | "New Chunksize" | "New Layout" | "New Level"
            | "Reshape Status" => member.array.is_unstable = true,
            _ => {}
        }
    }

    /// `0  254  0  0  active sync  /dev/vda` of `mdadm --detail`: Number, Major, Minor, RaidDevice.
    fn detail_row(&mut self, line: &str, names: &mut DeviceNames) {
        let words: Vec<&str> = line.split_whitespace().take(16).collect();
        let [number, major, minor, slot, state @ .., path] = words.as_slice() else {
            return;
        };
        // Members with old superblocks list the array in other columns.
        let is_row = self.is_array && !self.is_member && path.starts_with("/dev/");
        if number.parse::<u32>().is_err() || !is_row {
            return;
        }
        if let Some(number) = super::names::number(&format!("{major}:{minor}")) {
            names.add(path, number);
        }
        let is_active = state.first().is_some_and(|word| *word == "active");
        if let Some(slot) = slot.parse().ok().filter(|_| is_active) {
            self.member.array.add_slot(slot, path);
        }
    }

    /// Ends the lines of one array or member.
    fn end(&mut self, names: &mut DeviceNames) {
        let device = std::mem::take(&mut self.device);
        let mut member = std::mem::take(&mut self.member);
        let mut numbered = std::mem::take(&mut self.numbered);
        let is_member = std::mem::take(&mut self.is_member);
        let is_array = std::mem::take(&mut self.is_array);
        match std::mem::take(&mut self.block) {
            Block::None => {}
            Block::Mdadm if is_member => {
                if self.members.len() >= MAX_MEMBERS {
                    return;
                }
                match self.members.get_mut(&device) {
                    None => {
                        self.members.insert(device, member);
                    }
                    Some(before) if *before == member => {}
                    Some(before) => before.array.is_unstable = true,
                }
            }
            Block::Mdadm if is_array => self.add_array(&device, &member.array, names),
            Block::Mdadm => {}
            Block::Mdstat => {
                numbered.sort_short();
                let is_complete = member.array.disks == Some(numbered.len())
                    && numbered.iter().enumerate().all(|(i, entry)| i == entry.0);
                for (slot, name) in &numbered {
                    names.add_pair(&device, name);
                    if is_complete {
                        member.array.add_slot(*slot, name);
                    }
                }
                self.add_array(&device, &member.array, names);
            }
        }
    }

    fn add_array(&mut self, device: &str, array: &MdArray, names: &mut DeviceNames) {
        for member in array.slots.iter().flatten() {
            names.add_pair(device, member);
        }
        if array.kind.is_some() && self.arrays.len() < MAX_ARRAYS {
            self.arrays
                .entry(device.to_owned())
                .or_default()
                .join(array);
        }
    }

    /// Puts what members say of themselves into their arrays: by UUID, or by who lies on them.
    pub fn assemble(&mut self, names: &DeviceNames) {
        let by_uuid: FxHashMap<&str, &str> = self
            .arrays
            .iter()
            .filter_map(|(name, array)| Some((array.uuid.as_deref()?, name.as_str())))
            .collect();
        let mut found: Vec<(String, String)> = Vec::new();
        for (name, member) in &self.members {
            let said = member.uuid.as_deref().and_then(|uuid| by_uuid.get(uuid));
            let above = names.above(name).iter();
            let mut arrays = above.filter(|upper| upper.starts_with("md"));
            let upper = said.copied().or_else(|| {
                let only = arrays.next().filter(|_| arrays.next().is_none());
                only.map(String::as_str)
            });
            if let Some(upper) = upper {
                found.push((upper.to_owned(), name.clone()));
            }
        }
        found.sort_short();
        for (upper, name) in found {
            let Some(member) = self.members.get(&name) else {
                continue;
            };
            let array = self.arrays.entry(upper).or_default();
            array.join(&member.array);
            if let Some(slot) = member.slot {
                array.add_slot(slot, &name);
            }
        }
    }
}
