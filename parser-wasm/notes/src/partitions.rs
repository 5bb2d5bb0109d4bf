//! Starts of partitions: `sgdisk -p`, `fdisk -l`, `sfdisk -d`, `parted print`.
//!
//! Only exact sectors are read: parted's megabytes and old fdisk's cylinders are rounded.

use super::fact::device;
use super::{Fact, Note};

const SECTOR: u64 = 512;

/// The formats in which a table's lines are printed.
#[derive(Clone, Copy, PartialEq)]
enum Table {
    None,
    /// `   1            2048         1002047   488.3 MiB   8300`, `parted unit s`
    Numbered,
    /// `/dev/sda1  *  2048 1002047 1000000 ...`
    Fdisk,
}

pub fn read(text: &str, note: &mut Note) {
    let mut disk = "";
    let mut sector = SECTOR;
    let mut table = Table::None;
    let mut in_sectors = true;
    for line in text.lines().map(str::trim) {
        if let Some((name, _)) = line
            .strip_prefix("Disk ")
            .and_then(|rest| rest.split_once(": "))
            .filter(|(name, _)| is_disk(name))
        {
            (disk, sector, table, in_sectors) = (device(name), SECTOR, Table::None, true);
        } else if line.starts_with("Sector size (logical") || line.starts_with("sector-size:") {
            let size = line.split_once(": ").and_then(|(_, size)| leading(size));
            sector = size.filter(|s| *s > 0 && s % SECTOR == 0).unwrap_or(sector);
        } else if line.starts_with("Units") {
            in_sectors = line.contains("sectors of");
        } else if line.starts_with("Number") && line.contains("Start") {
            table = Table::Numbered;
        } else if line.starts_with("Device ") && line.contains("Start") {
            table = Table::Fdisk;
        } else if let Some((name, start, size)) = sfdisk(line) {
            add(note, device(name), start, size, sector / SECTOR);
        } else if table != Table::None && in_sectors {
            let words: Vec<&str> = line
                .split_whitespace()
                .filter(|word| *word != "*")
                .take(3)
                .collect();
            let [first, start, end] = words[..] else {
                continue;
            };
            let unit = |word: &str| word.strip_suffix('s').unwrap_or(word).parse::<u64>().ok();
            let (Some(start), Some(end)) = (unit(start), unit(end)) else {
                continue;
            };
            let name = match (table, first.parse::<u32>()) {
                (Table::Numbered, Ok(number)) => partition(disk, number),
                (Table::Fdisk, Err(_)) => device(first).to_owned(),
                _ => continue,
            };
            let size = end.checked_sub(start).map(|n| n.saturating_add(1));
            add(note, &name, start, size, sector / SECTOR);
        }
    }
}

/// `/dev/sda1 : start=          63, size=      200000, type=83, bootable`.
fn sfdisk(line: &str) -> Option<(&str, u64, Option<u64>)> {
    let (name, rest) = line.split_once(" : start=")?;
    let (start, rest) = rest.split_once(',')?;
    let size = rest
        .trim()
        .strip_prefix("size=")
        .and_then(|size| leading(size.trim()));
    Some((name, start.trim().parse().ok()?, size))
}

/// `start` and `size` in the table's sectors, of `scale` times 512 bytes.
fn add(note: &mut Note, name: &str, start: u64, size: Option<u64>, scale: u64) {
    let sectors = |n: u64| n.saturating_mul(scale) as f64;
    note.add(
        Fact::number("start_sector", "First sector", sectors(start), "sector").about(Some(name)),
    );
    if let Some(size) = size {
        note.add(Fact::number("sectors", "Size", sectors(size), "sectors").about(Some(name)));
    }
}

/// Whether a name is that of a disk: other lines begin with `Disk`, too.
fn is_disk(name: &str) -> bool {
    !["identifier", "model", "Flags"]
        .iter()
        .any(|other| name.starts_with(other))
}

fn leading(text: &str) -> Option<u64> {
    text.split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

/// The name of a partition: `sda1`, `nvme0n1p1`.
fn partition(disk: &str, number: u32) -> String {
    let between = if disk.ends_with(|c: char| c.is_ascii_digit()) {
        "p"
    } else {
        ""
    };
    format!("{disk}{between}{number}")
}
