//! Chunks: where logical addresses are on the devices.

use super::word_behind;
use crate::ranges::{ChunkPiece, Facts, MapFact, SECTOR};

/// Pieces of a chunk that is striped: more are left out. A chunk has up to 10 GiB, a piece 64 KiB.
pub const MAX_PIECES: u64 = 1 << 18;
/// Stripes of a chunk.
const MAX_STRIPES: usize = 1 << 10;

/// A chunk whose lines are read.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    logical: u64,
    length: u64,
    stripe: u64,
    /// Stripes that are copies of each other, of RAID10.
    copies: u64,
    profile: Profile,
    data: bool,
    /// Device and offset of each stripe.
    stripes: Vec<(u64, u64)>,
}

/// How the stripes of a chunk are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Profile {
    /// Each stripe has everything.
    #[default]
    Copies,
    Striped,
    /// With parity: not placed.
    Parity,
}

impl Chunk {
    pub fn new(logical: u64) -> Chunk {
        Chunk {
            logical,
            ..Chunk::default()
        }
    }

    pub fn line(&mut self, text: &str) {
        let number = |key| word_behind(text, key)?.parse::<u64>().ok();
        if let Some(length) = number("length ") {
            self.length = length;
            self.stripe = number("stripe_len ").unwrap_or_default();
            let flags = word_behind(text, "type ").unwrap_or_default();
            // A group of both kinds (mixed) says with each extent what it is.
            self.data = flags.contains("DATA") && !flags.contains("METADATA");
            self.profile = match flags {
                _ if flags.contains("RAID5") || flags.contains("RAID6") => Profile::Parity,
                _ if flags.contains("RAID0") || flags.contains("RAID10") => Profile::Striped,
                _ => Profile::Copies,
            };
            if !flags.contains("RAID10") {
                self.copies = 1;
            }
        } else if let Some(copies) = number("sub_stripes ") {
            self.copies = if self.copies == 1 { 1 } else { copies };
        } else if text.starts_with("stripe ")
            && self.stripes.len() < MAX_STRIPES
            && let Some(stripe) = number("devid ").zip(number("offset "))
        {
            self.stripes.push(stripe);
        }
    }

    /// Gives the pieces, and how many there was no room for.
    pub fn pieces(&self, facts: &mut dyn Facts) -> u64 {
        let mut add = |logical: u64, (device, offset): (u64, u64), length: u64, data: bool| {
            facts.add(MapFact::Chunk(ChunkPiece {
                logical: logical / SECTOR,
                physical: offset / SECTOR,
                sectors: length / SECTOR,
                device,
                data,
            }));
        };
        let copies = self.copies.max(1);
        let columns = self.stripes.len() as u64 / copies;
        match self.profile {
            Profile::Copies => {
                self.stripes
                    .iter()
                    .for_each(|&stripe| add(self.logical, stripe, self.length, self.data));
                0
            }
            Profile::Parity => 1,
            Profile::Striped if columns == 0 || self.stripe == 0 => 1,
            Profile::Striped => {
                let count = self.length / self.stripe;
                for piece in 0..count.min(MAX_PIECES) {
                    let (row, column) = (piece / columns, piece % columns);
                    let first = (column * copies) as usize;
                    for &(device, offset) in self.stripes.iter().skip(first).take(copies as usize) {
                        let logical = self.logical.saturating_add(piece * self.stripe);
                        let physical = offset.saturating_add(row * self.stripe);
                        add(logical, (device, physical), self.stripe, self.data);
                    }
                }
                count.saturating_sub(MAX_PIECES)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::BtrfsTree;
    use super::*;
    use crate::ranges::FactList;

    fn read(text: &str) -> Vec<MapFact<'static>> {
        FactList::read(BtrfsTree::default(), text)
    }

    fn pieces(text: &str) -> Vec<(u64, u64, u64, u64)> {
        let columns = |fact| match fact {
            MapFact::Chunk(p) => Some((p.logical, p.physical, p.sectors, p.device)),
            _ => None,
        };
        read(text).into_iter().filter_map(columns).collect()
    }

    fn chunk(kind: &str, sub_stripes: u64, stripes: &[(u64, u64)]) -> String {
        let mut text = format!(
            "\titem 1 key (FIRST_CHUNK_TREE CHUNK_ITEM 1048576) itemoff 1 itemsize 80\n\
             \t\tlength 262144 owner 2 stripe_len 65536 type {kind}\n\
             \t\tio_align 65536 io_width 65536 sector_size 4096\n\
             \t\tnum_stripes 2 sub_stripes {sub_stripes}\n"
        );
        for (device, offset) in stripes {
            text += &format!("\t\t\tstripe 0 devid {device} offset {offset}\n");
            text += "\t\t\tdev_uuid 5d383105-2ba6-4e40-b97d-999f21cea8e0\n";
        }
        text
    }

    #[test]
    fn chunks_with_copies() {
        let text = chunk("METADATA|DUP", 1, &[(1, 0), (1, 1 << 20)]);
        assert_eq!(pieces(&text), [(2048, 0, 512, 1), (2048, 2048, 512, 1)]);
        let data = read(&chunk("DATA|single", 1, &[(1, 0)]));
        assert!(matches!(
            data[0],
            MapFact::Chunk(ChunkPiece { data: true, .. })
        ));
    }

    #[test]
    fn chunks_in_stripes() {
        let text = chunk("DATA|RAID0", 1, &[(1, 0), (2, 1 << 20)]);
        let expected = [
            (2048, 0, 128, 1),
            (2176, 2048, 128, 2),
            (2304, 128, 128, 1),
            (2432, 2176, 128, 2),
        ];
        assert_eq!(pieces(&text), expected);
        let text = chunk("DATA|RAID10", 2, &[(1, 0), (2, 0), (3, 0), (4, 0)]);
        let devices: Vec<u64> = pieces(&text).iter().map(|piece| piece.3).collect();
        assert_eq!(devices, [1, 2, 3, 4, 1, 2, 3, 4]);
        let found = read(&chunk("DATA|RAID5", 1, &[(1, 0), (2, 0), (3, 0)]));
        assert_eq!(found, [MapFact::LeftOut(1)]);
    }
}
