//! Arrays of md: `mdadm --detail`, `mdadm --examine`, `/proc/mdstat`.

use super::fact::{device, size};
use super::{Array, Fact, Note};

/// The lines of one array or of one member.
#[derive(Default)]
struct MdBlock<'a> {
    device: &'a str,
    level: Option<&'a str>,
    disks: Option<u64>,
    chunk: Option<u64>,
    copies: u64,
    layout: Option<&'a str>,
}

/// The layouts, in the order of their numbers in sysfs.
const LAYOUTS: [&str; 6] = [
    "left-asymmetric",
    "right-asymmetric",
    "left-symmetric",
    "right-symmetric",
    "parity-first",
    "parity-last",
];

impl MdBlock<'_> {
    fn end(self, note: &mut Note) {
        let Some(level) = self.level else { return };
        let array = Some(self.device);
        note.add(Fact::text("level", "Level", level).about(array));
        if let Some(layout) = self.layout {
            let number = LAYOUTS
                .iter()
                .position(|name| *name == layout)
                .map(|n| n.to_string());
            note.add_setting(array, "layout", number.as_deref().unwrap_or(layout));
        }
        if let Some(disks) = self.disks {
            note.add(Fact::number("raid_disks", "Disks", disks as f64, "").about(array));
        }
        if let Some(chunk) = self.chunk {
            note.add(Fact::number("chunk_bytes", "Chunk", chunk as f64, "bytes").about(array));
            // A member's description does not name its array.
            let array = array.filter(|name| name.starts_with("md"));
            note.add_array(Array::of_md(array, level, self.disks, chunk, self.copies));
        }
    }
}

/// Reads the output of `mdadm --detail` and `--examine`.
pub fn read(text: &str, note: &mut Note) {
    let mut block = MdBlock::default();
    for line in text.lines() {
        if let Some(path) = line
            .strip_suffix(':')
            .filter(|path| path.starts_with("/dev/"))
        {
            std::mem::take(&mut block).end(note);
            block.device = device(path);
        }
        let Some((key, value)) = line.split_once(" : ") else {
            continue;
        };
        let value = value.trim();
        match key.trim() {
            "Raid Level" => block.level = Some(value),
            "Raid Devices" => block.disks = value.parse().ok(),
            "Chunk Size" => block.chunk = size(value),
            "Layout" => {
                block.copies = value
                    .strip_prefix("near=")
                    .and_then(|n| n.parse().ok())
                    .unwrap_or(0);
                block.layout = Some(value);
            }
            "Data Offset" if block.level.is_some() => {
                if let Some(sectors) = value
                    .strip_suffix(" sectors")
                    .and_then(|n| n.parse::<u64>().ok())
                {
                    note.add(
                        Fact::number(
                            "data_offset_sectors",
                            "Data offset",
                            sectors as f64,
                            "sector",
                        )
                        .about(Some(block.device)),
                    );
                }
            }
            _ => {}
        }
    }
    block.end(note);
}

/// Reads `/proc/mdstat`.
pub fn read_mdstat(text: &str, note: &mut Note) {
    let mut block = MdBlock::default();
    for line in text.lines() {
        if let Some((name, rest)) = line
            .split_once(" : ")
            .filter(|(name, _)| name.starts_with("md") && !name.contains(' '))
        {
            std::mem::take(&mut block).end(note);
            let level = rest
                .split_whitespace()
                .find(|word| word.starts_with("raid"));
            let members = rest
                .split_whitespace()
                .filter(|word| word.contains('[') && !word.ends_with("(S)"))
                .count();
            block = MdBlock {
                device: name,
                level,
                disks: Some(members as u64),
                ..MdBlock::default()
            };
        } else if block.level.is_some() && line.contains(" blocks ") {
            let words: Vec<&str> = line
                .split_whitespace()
                .map(|word| word.trim_end_matches(','))
                .collect();
            for pair in words.windows(2) {
                match pair {
                    [value, "chunk" | "chunks"] => block.chunk = size(value),
                    ["algorithm", number] => block.layout = Some(number),
                    [copies, "near-copies"] => block.copies = copies.parse().unwrap_or(0),
                    _ => {}
                }
            }
            // `[5/4]` means five members, of which four are present.
            let all = words
                .iter()
                .find_map(|word| word.strip_prefix('[')?.split_once('/')?.0.parse().ok());
            block.disks = all.or(block.disks);
        }
    }
    block.end(note);
}
