//! The numbers that all readers of answers hold: JavaScript, JSON and tables have 53 bits. Larger
//! ones would come back rounded, or as no integers at all. They are refused or clamped where they
//! are read.

/// The largest number that all readers of answers hold exactly: 2^53 - 1.
pub const MAX_EXACT: u64 = (1 << 53) - 1;
/// The last sector at which an event may begin: its end, at most 4 GiB later, is exact, too.
pub const MAX_SECTOR: u64 = MAX_EXACT - (u32::MAX >> 9) as u64;
/// The latest time of a trace clock, ns: 146 years. A clock that counts from 1970 reaches it in
/// 2116; what is later is usually a negative time.
pub const MAX_TIME: u64 = 1 << 62;

/// A count of things that somebody else counted, as "at least so many".
pub fn clamped(count: u64) -> u64 {
    count.min(MAX_EXACT)
}

/// Sectors of a stripe at most: 512 TiB. Keeps sums of sectors far from the limits of 64 bits.
const MAX_STRIPE_SECTORS: u64 = 1 << 40;
/// Data disks of a stripe at most, as in the page's form.
pub const MAX_STRIPE_DISKS: u64 = 1024;

/// Whether a stripe can have so many data disks with so many sectors each.
pub fn is_stripe(unit_sectors: u64, disks: u64) -> bool {
    disks <= MAX_STRIPE_DISKS
        && unit_sectors
            .checked_mul(disks)
            .is_some_and(|sectors| sectors <= MAX_STRIPE_SECTORS)
}
