//! Places that changed hands, as ranges that later ones cover.

use std::collections::BTreeMap;

/// A range of which the last change is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub start: u64,
    pub end: u64,
    /// The index of the change's row.
    pub place: u32,
    /// Whether something was written there since.
    pub used: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// By their starts.
    pieces: BTreeMap<u64, Piece>,
}

impl Overlay {
    /// Covers a range with a change.
    pub fn paint(&mut self, start: u64, end: u64, place: u32) {
        if start >= end {
            return;
        }
        self.clear(start, end);
        let used = false;
        self.pieces.insert(
            start,
            Piece {
                start,
                end,
                place,
                used,
            },
        );
    }

    /// Forgets a range. Returns whether there was anything.
    pub fn clear(&mut self, start: u64, end: u64) -> bool {
        let mut any = false;
        while let Some(piece) = self.last_before(end).filter(|piece| piece.end > start) {
            any = true;
            self.pieces.remove(&piece.start);
            if piece.start < start {
                self.pieces.insert(
                    piece.start,
                    Piece {
                        end: start,
                        ..piece
                    },
                );
            }
            if piece.end > end {
                let start = end;
                self.pieces.insert(start, Piece { start, ..piece });
            }
        }
        any
    }

    /// The piece at `sector`, or the next one behind it.
    pub fn find(&self, sector: u64) -> Option<Piece> {
        self.last_before(sector.saturating_add(1))
            .filter(|piece| piece.end > sector)
            .or_else(|| self.pieces.range(sector..).next().map(|(_, piece)| *piece))
    }

    fn last_before(&self, end: u64) -> Option<Piece> {
        self.pieces
            .range(..end)
            .next_back()
            .map(|(_, piece)| *piece)
    }

    /// Marks what was written.
    pub fn mark_used(&mut self, start: u64, end: u64) {
        let mut position = start;
        while position < end
            && let Some(piece) = self.find(position)
        {
            let (from, to) = (piece.start.max(position), piece.end.min(end));
            if from >= end {
                break;
            }
            if !piece.used {
                if from > piece.start || to < piece.end {
                    self.clear(from, to);
                }
                let used = Piece {
                    start: from,
                    end: to,
                    used: true,
                    ..piece
                };
                self.pieces.insert(from, used);
            }
            position = to;
        }
    }

    /// All pieces, ascending.
    pub fn into_pieces(self) -> Vec<Piece> {
        self.pieces.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(overlay: &Overlay) -> Vec<(u64, u64, u32, bool)> {
        let pieces = overlay.clone().into_pieces();
        let parts = |piece: &Piece| (piece.start, piece.end, piece.place, piece.used);
        pieces.iter().map(parts).collect()
    }

    #[test]
    fn later_changes_cover_earlier_ones() {
        let mut overlay = Overlay::default();
        overlay.paint(0, 100, 1);
        overlay.paint(10, 20, 2);
        overlay.paint(15, 120, 3);
        let expected = [(0, 10, 1, false), (10, 15, 2, false), (15, 120, 3, false)];
        assert_eq!(shape(&overlay), expected);
        assert_eq!(overlay.find(12).unwrap().place, 2);
        assert_eq!(overlay.find(120), None);
        assert!(overlay.clear(0, 1000) && overlay.find(0).is_none());
    }

    #[test]
    fn what_was_written_is_marked() {
        let mut overlay = Overlay::default();
        overlay.paint(0, 10, 1);
        overlay.paint(20, 30, 2);
        overlay.mark_used(5, 25);
        let expected = [
            (0, 5, 1, false),
            (5, 10, 1, true),
            (20, 25, 2, true),
            (25, 30, 2, false),
        ];
        assert_eq!(shape(&overlay), expected);
        overlay.mark_used(0, 100);
        assert!(shape(&overlay).iter().all(|piece| piece.3));
    }
}
