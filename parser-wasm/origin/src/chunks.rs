//! Logical addresses of btrfs, in sectors, and where they are on one of its devices.

use crate::ranges::ChunkPiece;

/// Where a part of a logical range is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Sector of the partition.
    pub start: u64,
    pub sectors: u64,
    /// Sectors of the range before this part.
    pub before: u64,
}

/// A stretch of the partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub start: u64,
    pub sectors: u64,
    /// Whether it holds data of files; else trees.
    pub data: bool,
}

/// The pieces of chunks on a device.
#[derive(Clone, Debug, Default)]
pub struct Chunks {
    /// By logical address. Copies of a piece have the same bounds, others do not overlap.
    pieces: Vec<ChunkPiece>,
    /// By address on the device.
    stretches: Vec<Stretch>,
}

impl Chunks {
    /// The pieces that are on `device`; without it, those of the only device that there is.
    pub fn new(pieces: impl IntoIterator<Item = ChunkPiece>, device: Option<u64>) -> Chunks {
        let mut pieces: Vec<ChunkPiece> = pieces.into_iter().collect();
        let first = pieces.first().map(|piece| piece.device);
        let single = pieces.iter().all(|piece| Some(piece.device) == first);
        let device = device.or(first.filter(|_| single));
        pieces.retain(|piece| Some(piece.device) == device && end(piece).is_some());
        pieces.sort_unstable_by_key(|piece| (piece.logical, piece.sectors, piece.physical));
        pieces.dedup();
        // Pieces that overlap in part are damage; the first one stays.
        let mut bounds = (0, 0);
        pieces.retain(|piece| {
            let behind = piece.logical >= bounds.1;
            let copy = (piece.logical, piece.logical + piece.sectors) == bounds;
            if behind {
                bounds = (piece.logical, piece.logical + piece.sectors);
            }
            behind || copy
        });
        let stretch = |piece: &ChunkPiece| Stretch {
            start: piece.physical,
            sectors: piece.sectors,
            data: piece.data,
        };
        let mut stretches: Vec<Stretch> = pieces.iter().map(stretch).collect();
        stretches.sort_unstable_by_key(|stretch| stretch.start);
        Chunks { pieces, stretches }
    }

    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Gives the places of a logical range, all copies of each part.
    pub fn places(&self, start: u64, sectors: u64, mut add: impl FnMut(Place)) {
        let stop = start.saturating_add(sectors);
        let first = self
            .pieces
            .partition_point(|piece| piece.logical + piece.sectors <= start);
        for piece in self.pieces.iter().skip(first) {
            if piece.logical >= stop {
                break;
            }
            let from = start.max(piece.logical);
            let to = stop.min(piece.logical + piece.sectors);
            if from < to {
                add(Place {
                    start: piece.physical + (from - piece.logical),
                    sectors: to - from,
                    before: from - start,
                });
            }
        }
    }

    /// The stretches of the partition that chunks occupy, in order.
    pub fn stretches(&self) -> &[Stretch] {
        &self.stretches
    }

    /// The stretch that has a sector of the partition.
    pub fn stretch(&self, sector: u64) -> Option<Stretch> {
        let behind = self
            .stretches
            .partition_point(|stretch| stretch.start <= sector);
        let stretch = self.stretches.get(behind.checked_sub(1)?)?;
        (sector - stretch.start < stretch.sectors).then_some(*stretch)
    }
}

/// The ends of a piece, if they are numbers.
fn end(piece: &ChunkPiece) -> Option<(u64, u64)> {
    let ends = piece.logical.checked_add(piece.sectors);
    ends.zip(piece.physical.checked_add(piece.sectors))
        .filter(|_| piece.sectors > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(logical: u64, physical: u64, sectors: u64, device: u64) -> ChunkPiece {
        ChunkPiece {
            logical,
            physical,
            sectors,
            device,
            data: logical < 1000,
        }
    }

    fn places(chunks: &Chunks, start: u64, sectors: u64) -> Vec<(u64, u64, u64)> {
        let mut list = Vec::new();
        chunks.places(start, sectors, |place| {
            list.push((place.start, place.sectors, place.before));
        });
        list
    }

    #[test]
    fn a_range_is_in_all_copies_and_over_several_chunks() {
        let pieces = [
            piece(100, 5000, 100, 1),
            piece(200, 9000, 100, 1),
            piece(1000, 2000, 100, 1),
            piece(1000, 3000, 100, 1),
        ];
        let chunks = Chunks::new(pieces, None);
        assert_eq!(places(&chunks, 150, 100), [(5050, 50, 0), (9000, 50, 50)]);
        assert_eq!(places(&chunks, 1010, 10), [(2010, 10, 0), (3010, 10, 0)]);
        assert_eq!(places(&chunks, 50, 60), [(5000, 10, 50)]);
        assert_eq!(places(&chunks, 300, 500), []);
        assert_eq!(
            chunks.stretch(2099).map(|stretch| stretch.data),
            Some(false)
        );
        assert_eq!(chunks.stretch(9000).map(|stretch| stretch.data), Some(true));
        assert_eq!((chunks.stretch(1999), chunks.stretch(2100)), (None, None));
    }

    #[test]
    fn only_one_device_is_placed() {
        let pieces = [piece(100, 0, 100, 1), piece(200, 0, 100, 2)];
        assert!(Chunks::new(pieces, None).is_empty());
        let chunks = Chunks::new(pieces, Some(2));
        assert_eq!(places(&chunks, 100, 200), [(0, 100, 100)]);
    }

    #[test]
    fn damaged_pieces_do_no_harm() {
        let pieces = [
            piece(u64::MAX, 0, 100, 1),
            piece(0, u64::MAX, 100, 1),
            piece(100, 0, 100, 1),
            piece(150, 0, 500, 1),
            piece(0, 0, 0, 1),
        ];
        let chunks = Chunks::new(pieces, None);
        assert_eq!(places(&chunks, 0, u64::MAX), [(0, 100, 100)]);
        assert_eq!(places(&chunks, u64::MAX, u64::MAX), []);
        assert!(Chunks::new([], None).is_empty());
    }
}
