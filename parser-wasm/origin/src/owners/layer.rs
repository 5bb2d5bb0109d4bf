//! Sorted ranges without overlaps: who owned what when a map was taken.

use super::buckets::Buckets;
use crate::side::Extent;
use seekscope_trace::store::NO_OFFSET;

/// Extents in ascending order, without overlaps. Their names are indices of objects.
#[derive(Clone, Debug, Default)]
pub struct MapLayer {
    extents: Vec<Extent>,
    buckets: Buckets,
}

/// Places above are none of a disk; below, no sum overflows.
const MAX_SECTOR: u64 = 1 << 60;

impl MapLayer {
    /// Makes a layer of lists in descending priority: where they overlap, the first one holds.
    pub fn new(lists: impl IntoIterator<Item = Vec<Extent>>) -> MapLayer {
        let mut extents: Vec<Extent> = Vec::new();
        for mut list in lists {
            list.retain(|extent| extent.start < MAX_SECTOR);
            list.sort_by_key(|extent| extent.start);
            list = disjoint(list);
            extents = if extents.is_empty() {
                list
            } else {
                fill(&extents, &list)
            };
        }
        extents.shrink_to_fit();
        let buckets = Buckets::new(extents.len(), |i| extents[i].end());
        MapLayer { extents, buckets }
    }

    /// The extent at `sector`; else the first one behind it.
    pub fn find(&self, sector: u64) -> Option<&Extent> {
        let near = self.buckets.near(sector);
        let behind = self.extents[near.clone()].partition_point(|extent| extent.end() <= sector);
        self.extents.get(near.start + behind)
    }

    pub fn extents(&self) -> &[Extent] {
        &self.extents
    }
}

/// An extent without what lies before `sector`.
fn from_sector(extent: Extent, sector: u64) -> Extent {
    let cut = sector.saturating_sub(extent.start);
    let offset = match extent.offset {
        NO_OFFSET => NO_OFFSET,
        offset => offset.saturating_add(cut.saturating_mul(512)),
    };
    Extent {
        start: extent.start.saturating_add(cut),
        sectors: u64::from(extent.sectors).saturating_sub(cut) as u32,
        offset,
        ..extent
    }
}

/// Cuts what overlaps an earlier extent of a sorted list.
fn disjoint(mut list: Vec<Extent>) -> Vec<Extent> {
    let mut end = 0;
    list.retain_mut(|extent| {
        *extent = from_sector(*extent, end);
        end = end.max(extent.end());
        extent.sectors > 0
    });
    list
}

/// `strong`, and between its extents what `weak` has there. Both are sorted and disjoint.
fn fill(strong: &[Extent], weak: &[Extent]) -> Vec<Extent> {
    let mut out = Vec::with_capacity(strong.len() + weak.len());
    let mut strong = strong.iter().copied().peekable();
    for &extent in weak {
        let mut rest = extent;
        while rest.sectors > 0 {
            while let Some(before) = strong.next_if(|strong| strong.end() <= rest.start) {
                out.push(before);
            }
            let Some(next) = strong.peek().filter(|next| next.start < rest.end()) else {
                out.push(rest);
                break;
            };
            if rest.start < next.start {
                let sectors = (next.start - rest.start) as u32;
                out.push(Extent { sectors, ..rest });
            }
            rest = from_sector(rest, next.end());
        }
    }
    out.extend(strong);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(start: u64, sectors: u32, name: u32) -> Extent {
        let offset = start * 512;
        Extent {
            start,
            sectors,
            offset,
            name,
        }
    }

    fn shape(layer: &MapLayer) -> Vec<(u64, u32, u32)> {
        let parts = |extent: &Extent| {
            assert_eq!(extent.offset, extent.start * 512);
            (extent.start, extent.sectors, extent.name)
        };
        layer.extents().iter().map(parts).collect()
    }

    #[test]
    fn the_stronger_list_holds() {
        let strong = vec![extent(30, 10, 1), extent(10, 10, 1)];
        let weak = vec![
            extent(0, 12, 2),
            extent(15, 30, 3),
            extent(40, 20, 4),
            extent(70, 1, 5),
        ];
        let layer = MapLayer::new([strong, weak]);
        let expected = [
            (0, 10, 2),
            (10, 10, 1),
            (20, 10, 3),
            (30, 10, 1),
            (40, 5, 3),
            (45, 15, 4),
            (70, 1, 5),
        ];
        assert_eq!(shape(&layer), expected);
    }

    #[test]
    fn a_sector_is_found() {
        let layer = MapLayer::new([(0..1000).map(|i| extent(i * 10, 5, i as u32)).collect()]);
        for sector in 0..9995 {
            let found = layer.find(sector).unwrap();
            assert_eq!(
                u64::from(found.name),
                (sector + 5) / 10,
                "the extent at {sector} or behind it"
            );
        }
        assert_eq!(layer.find(9995), None);
        assert_eq!(MapLayer::default().find(0), None);
    }

    #[test]
    fn places_beyond_all_disks_are_none() {
        let layer = MapLayer::new([
            vec![extent(0, 1, 1)],
            vec![
                Extent {
                    start: u64::MAX - 1,
                    sectors: u32::MAX,
                    offset: NO_OFFSET,
                    name: 2,
                };
                2
            ],
        ]);
        assert_eq!(shape(&layer).len(), 1);
        assert_eq!(layer.find(u64::MAX), None);
    }
}
