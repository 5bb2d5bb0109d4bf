//! Finds the samples of a version 7 file that ends before the table of their offsets, because
//! trace-cmd was killed. They follow the complete sections, CPU by CPU, each aligned to a page.

use super::file::{BUFFER, COMPRESSED, Region, Section};
use super::page;
use crate::cursor::Cursor;

/// The regions of the samples after the section list that ends at `offset`, one per CPU, numbered
/// from 0.
pub fn regions(data: &[u8], offset: usize, page_size: usize, big: bool) -> Vec<Region> {
    let mut cursor = Cursor::new(data, offset, big);
    let Some(section) = Section::read_header(&mut cursor).filter(|s| s.id == BUFFER) else {
        return Vec::new();
    };
    let page_size = page_size.max(1);
    let Some(start) = section.offset.checked_next_multiple_of(page_size) else {
        return Vec::new();
    };
    if section.flags & COMPRESSED != 0 {
        packed(data, start, page_size, big)
    } else {
        plain(data, start, page_size, big)
    }
}

fn packed(data: &[u8], mut start: usize, page_size: usize, big: bool) -> Vec<Region> {
    let mut regions = Vec::new();
    while start < data.len() {
        let mut cursor = Cursor::new(data, start, big);
        let pieces = cursor.u32().unwrap_or(0);
        let whole = (0..pieces).try_for_each(|_| {
            let (size, _) = (cursor.u32()?, cursor.u32()?);
            cursor.take(size as usize).map(|_| ())
        });
        let end = if whole.is_some() {
            cursor.offset
        } else {
            data.len()
        };
        if pieces > 0 {
            let (cpu, offset, size) = (regions.len() as u32, start as u64, (end - start) as u64);
            regions.push(Region {
                cpu,
                offset,
                size,
                page: page_size,
                packed: true,
            });
        }
        start = match end.checked_next_multiple_of(page_size) {
            Some(next) if pieces > 0 => next,
            _ => break,
        };
    }
    regions
}

/// Times of a CPU only increase, so a page that is older than the one before it is the first page
/// of the next CPU.
fn plain(data: &[u8], start: usize, page_size: usize, big: bool) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    let mut last = u64::MAX;
    for (i, bytes) in data
        .get(start..)
        .unwrap_or_default()
        .chunks(page_size)
        .enumerate()
    {
        let Some(time) = page::start(bytes, big) else {
            break;
        };
        let (offset, size) = ((start + i * page_size) as u64, bytes.len() as u64);
        match regions.last_mut() {
            Some(region) if time >= last => region.size += size,
            _ => regions.push(Region {
                cpu: regions.len() as u32,
                offset,
                size,
                page: page_size,
                packed: false,
            }),
        }
        last = time;
    }
    regions
}
