//! The arithmetic of md's levels with chunks, as in the kernel's `raid5.c` and `raid10.c`.

use crate::place::{Step, StripePart, UpperPlace};

/// Limit for the members of an array.
pub const MAX_DISKS: u64 = 1024;

/// RAID 4, 5 or 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parity {
    /// Sectors of a chunk.
    pub chunk: u64,
    pub disks: u64,
    /// Disks of a stripe with parity: 1 or 2.
    pub parities: u64,
    /// The number of the layout in the kernel.
    pub layout: u32,
    pub is_degraded: bool,
}

impl Parity {
    /// The array, if the numbers make sense.
    pub fn new(chunk: u64, disks: u64, parities: u64, layout: u32) -> Option<Parity> {
        let is_layout = match parities {
            1 => layout <= 5,
            2 => matches!(layout, 0..=5 | 8..=10 | 16..=20),
            _ => false,
        };
        let is_array = is_layout && chunk > 0 && disks > parities && disks <= MAX_DISKS;
        is_array.then_some(Parity {
            chunk,
            disks,
            parities,
            layout,
            is_degraded: false,
        })
    }

    /// The disk of data chunk `index` of stripe `stripe`.
    fn disk(&self, stripe: u64, index: u64) -> u64 {
        let (n, data) = (self.disks, self.disks - self.parities);
        let skip = |parity: u64, width: u64| {
            if index >= parity {
                index + width
            } else {
                index
            }
        };
        if self.parities == 1 {
            let left = data - stripe % n;
            let right = stripe % n;
            return match self.layout {
                0 => skip(left, 1),
                1 => skip(right, 1),
                2 => (left + 1 + index) % n,
                3 => (right + 1 + index) % n,
                4 => index + 1,
                _ => index,
            };
        }
        // P and Q are neighbours; where Q has wrapped around, the data begins behind it.
        let asymmetric = |parity: u64| {
            if parity == n - 1 {
                index + 1
            } else {
                skip(parity, 2)
            }
        };
        // The layouts of RAID 5 on all disks but the last.
        let few = n - 1;
        let (left, right) = (n - 1 - stripe % n, stripe % n);
        let (left_of_few, right_of_few) = (data - stripe % few, stripe % few);
        match self.layout {
            0 => asymmetric(left),
            1 | 8 => asymmetric(right),
            2 => (left + 2 + index) % n,
            3 => (right + 2 + index) % n,
            4 => index + 2,
            9 => asymmetric(n - 1 - stripe.wrapping_add(1) % n),
            10 => (left + 1 + index) % n,
            16 => skip(left_of_few, 1),
            17 => skip(right_of_few, 1),
            18 => (left_of_few + 1 + index) % few,
            19 => (right_of_few + 1 + index) % few,
            20 => index + 1,
            _ => index,
        }
    }

    /// What the first sectors of a range of a member hold.
    pub fn step(&self, slot: u64, y: u64, n: u64) -> Step {
        let chunks = self.disks - self.parities;
        let (stripe, offset) = (y / self.chunk, y % self.chunk);
        let first = stripe
            .saturating_mul(chunks)
            .saturating_mul(self.chunk)
            .saturating_add(offset);
        let data = (0..chunks)
            .find(|&index| self.disk(stripe, index) == slot)
            .map(|index| first.saturating_add(index * self.chunk));
        Step {
            sectors: n.min(self.chunk - offset),
            place: UpperPlace::Stripe(StripePart {
                first,
                chunk: self.chunk,
                chunks,
                data,
                is_degraded: self.is_degraded,
            }),
        }
    }

    /// The sector of a member, before its data offset, that holds a sector of the array.
    pub fn member_sector(&self, sector: u64) -> u64 {
        let (chunk, offset) = (sector / self.chunk, sector % self.chunk);
        (chunk / (self.disks - self.parities)) * self.chunk + offset
    }
}

/// RAID 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raid10 {
    /// Sectors of a chunk.
    chunk: u64,
    disks: u64,
    near: u64,
    far: u64,
    /// Whether the far copies lie in the next row of chunks.
    is_offset: bool,
    /// Disks among which far copies move on.
    set: u64,
    /// Sectors between far copies on a disk.
    stride: u64,
}

impl Raid10 {
    /// The array with the kernel's number of a layout, if the numbers make sense. Far copies need
    /// the sectors that each member uses.
    pub fn new(chunk: u64, disks: u64, layout: u64, member: Option<u64>) -> Option<Raid10> {
        let (near, far) = (layout & 0xff, layout >> 8 & 0xff);
        let is_offset = layout >> 16 & 1 == 1;
        let copies = near * far;
        if chunk == 0 || disks == 0 || disks > MAX_DISKS || copies == 0 || copies > disks {
            return None;
        }
        let set = match layout >> 17 {
            0 => disks,
            1 => disks / far,
            2 => copies,
            _ => return None,
        };
        if set == 0 || near > set {
            return None;
        }
        let stride = if far == 1 {
            u64::MAX
        } else if is_offset {
            chunk
        } else {
            // The chunks of the array, and from them those that a disk needs for all copies.
            let chunks = (member? / chunk / far).checked_mul(disks)? / near;
            let used = chunks.checked_mul(copies)?.div_ceil(disks);
            (used / far).checked_mul(chunk).filter(|n| *n > 0)?
        };
        Some(Raid10 {
            chunk,
            disks,
            near,
            far,
            is_offset,
            set,
            stride,
        })
    }

    /// The first disk of the set of a disk, and the disks in it: the last set has the rest.
    fn set_of(&self, disk: u64) -> (u64, u64) {
        let rest = self.disks % self.set;
        let last = (self.disks / self.set).saturating_sub(1) * self.set;
        if rest != 0 && disk >= last {
            (last, self.set + rest)
        } else {
            (disk / self.set * self.set, self.set)
        }
    }

    /// What the first sectors of a range of a member hold.
    pub fn step(&self, slot: u64, y: u64, n: u64) -> Step {
        let (first, disks) = self.set_of(slot);
        let offset = y % self.chunk;
        let (chunk, copy) = if self.is_offset {
            (y / self.chunk / self.far, y / self.chunk % self.far)
        } else {
            let copy = y / self.stride;
            if copy >= self.far {
                return Step {
                    sectors: n,
                    place: UpperPlace::Outside,
                };
            }
            (y % self.stride / self.chunk, copy)
        };
        // The copies have moved on by `near` disks each, around the set.
        let moved = copy * self.near % disks;
        let disk = first + (slot - first + disks - moved) % disks;
        let place = chunk.saturating_mul(self.disks).saturating_add(disk) / self.near;
        Step {
            sectors: n.min(self.chunk - offset),
            place: UpperPlace::Data(place.saturating_mul(self.chunk).saturating_add(offset)),
        }
    }

    /// The sector of a member, before its data offset, that holds a sector of the array; only for
    /// near copies, and of those on the disk `slot`.
    pub fn member_sector(&self, sector: u64, slot: u64) -> Option<u64> {
        if self.far != 1 {
            return None;
        }
        let (chunk, offset) = (sector / self.chunk, sector % self.chunk);
        (0..self.near)
            .map(|copy| chunk.saturating_mul(self.near).saturating_add(copy))
            .find(|place| place % self.disks == slot)
            .map(|place| (place / self.disks) * self.chunk + offset)
    }
}

#[cfg(test)]
mod tests;
