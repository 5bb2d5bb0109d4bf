//! Where on a device its requests are: the sectors below which 0, 10, .. 100 % of what they touch
//! is.
//!
//! The deciles are those of all requests by sector. Only the parts of the disk in which they are
//! have to be sorted: one pass finds the range, one the sectors touched in each of 1024 parts, one
//! collects the requests of the parts with a decile. The result is that of sorting all requests
//! (the test compares them); memory is that of the requests in at most 11 parts.

use seekscope_measure::Window;
use seekscope_trace::store::Store;

/// Parts of the touched range of a device.
const PARTS: usize = 1024;

/// The first sector of a request, and its number of sectors.
type Place = (u64, u64);

/// The touched range of a device, and what was touched in each part of it.
#[derive(Clone, Debug, Default)]
struct TouchedParts {
    first: u64,
    last: u64,
    any: bool,
    shift: u32,
    sectors: Vec<u128>,
    /// The requests of each part that has a decile.
    collected: Vec<Vec<Place>>,
    /// For each part its index in `collected`, if it has a decile.
    slots: Vec<Option<usize>>,
}

/// Deciles of what each device's requests touch; empty without any.
pub fn places(store: &Store, window: Window) -> Vec<Vec<u64>> {
    let requests = &store.requests;
    let range = window.rows(requests);
    let mut devices = vec![TouchedParts::default(); store.devices.len()];
    let mut pass = |work: fn(&mut TouchedParts, Place)| {
        requests.each(range.clone(), |row| {
            let (sector, kind) = (row.sector(), row.kind());
            if kind.sectors() > 0
                && sector != u64::MAX
                && let Some(device) = devices.get_mut(kind.device as usize)
            {
                work(device, (sector, kind.sectors()));
            }
        });
        devices.iter_mut().for_each(TouchedParts::next_pass);
    };
    pass(TouchedParts::widen);
    pass(TouchedParts::count);
    pass(TouchedParts::collect);
    devices.into_iter().map(TouchedParts::deciles).collect()
}

impl TouchedParts {
    fn widen(&mut self, (sector, _): Place) {
        (self.first, self.last) = if self.any {
            (self.first.min(sector), self.last.max(sector))
        } else {
            (sector, sector)
        };
        self.any = true;
    }

    #[inline]
    fn part(&self, sector: u64) -> usize {
        ((sector - self.first) >> self.shift) as usize
    }

    fn count(&mut self, (sector, sectors): Place) {
        let part = self.part(sector);
        self.sectors[part] += u128::from(sectors);
    }

    fn collect(&mut self, place: Place) {
        if let Some(slot) = self.slots[self.part(place.0)] {
            self.collected[slot].push(place);
        }
    }

    /// Prepares what the next pass needs.
    fn next_pass(&mut self) {
        if !self.any {
            return;
        }
        if self.sectors.is_empty() {
            let span = self.last - self.first;
            self.shift = (u64::BITS - span.leading_zeros()).saturating_sub(PARTS.ilog2());
            self.sectors = vec![0; self.part(self.last) + 1];
        } else if self.slots.is_empty() {
            let all: u128 = self.sectors.iter().sum();
            let (mut below, mut decile) = (0, 0);
            for &sectors in &self.sectors {
                below += sectors;
                let before = decile;
                while decile <= 10 && sectors > 0 && below * 10 >= all * decile {
                    decile += 1;
                }
                self.slots
                    .push((decile > before).then_some(self.collected.len()));
                if decile > before {
                    self.collected.push(Vec::new());
                }
            }
        }
    }

    fn deciles(self) -> Vec<u64> {
        let all: u128 = self.sectors.iter().sum();
        let mut deciles = Vec::new();
        let mut collected = self.collected.into_iter();
        let mut below: u128 = 0;
        for (sectors, slot) in self.sectors.iter().zip(self.slots) {
            let Some(mut places) = slot.and_then(|_| collected.next()) else {
                below += sectors;
                continue;
            };
            places.sort_unstable();
            for (sector, sectors) in places {
                below += u128::from(sectors);
                while deciles.len() <= 10 && below * 10 >= all * deciles.len() as u128 {
                    deciles.push(sector);
                }
            }
        }
        deciles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The deciles by sorting all requests.
    fn sorted(mut touched: Vec<Place>) -> Vec<u64> {
        touched.sort_unstable();
        let all: u128 = touched.iter().map(|t| u128::from(t.1)).sum();
        let (mut deciles, mut below) = (Vec::new(), 0);
        for (sector, sectors) in touched {
            below += u128::from(sectors);
            while deciles.len() <= 10 && below * 10 >= all * deciles.len() as u128 {
                deciles.push(sector);
            }
        }
        deciles
    }

    fn in_parts(touched: &[Place]) -> Vec<u64> {
        let mut parts = TouchedParts::default();
        for work in [
            TouchedParts::widen,
            TouchedParts::count,
            TouchedParts::collect,
        ] {
            touched.iter().for_each(|&place| work(&mut parts, place));
            parts.next_pass();
        }
        parts.deciles()
    }

    #[test]
    fn parts_say_what_sorting_all_says() {
        let mut x = 9u64;
        let mut random = |below: u64| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x % below
        };
        for (n, range) in [
            (0, 1),
            (1, 1),
            (3, 1 << 40),
            (50, 5),
            (5000, 1023),
            (5000, 1024),
            (5000, 1 << 30),
            (4000, u64::MAX),
        ] {
            let touched: Vec<Place> = (0..n).map(|_| (random(range), 1 + random(64))).collect();
            assert_eq!(in_parts(&touched), sorted(touched), "{n} below {range}");
        }
        // Nearly all in one place.
        let touched: Vec<Place> = (0..3000)
            .map(|i| (if i % 100 == 0 { i << 30 } else { 7 }, 8))
            .collect();
        assert_eq!(in_parts(&touched), sorted(touched));
    }
}
