//! The recording of one CPU: pages, perhaps compressed several at a time.

use super::compression::{PieceCompression, unpack};
use super::file::Region;
use super::page::{self, RingPage};
use crate::cursor::Cursor;
use crate::tep::PageLayout;
use crate::unpack_budget::UnpackBudget;
use seekscope_trace::limits::ReportedCount;
use std::borrow::Cow;

/// The layout that all streams of a file share.
#[derive(Clone, Copy, Debug)]
pub struct SampleLayout<'a> {
    /// Whether numbers have their most significant byte first.
    pub big: bool,
    /// The compression of pieces.
    pub method: PieceCompression,
    /// The layout of the pages.
    pub layout: PageLayout,
    /// What all streams together may still unpack to.
    pub budget: &'a UnpackBudget,
}

/// The problems of the samples.
#[derive(Clone, Debug, Default)]
pub struct StreamReport {
    /// Events missing between pages. Where the kernel did not count them, one.
    pub missed: ReportedCount,
    /// First byte of what could not be read, and how many bytes in all.
    pub skipped: Option<(u64, u64)>,
    /// The offset at which the file ends too early, and how many bytes are missing.
    pub cut: Option<(u64, u64)>,
}

impl StreamReport {
    /// Notes bytes that could not be read.
    pub fn skip(&mut self, byte: u64, bytes: u64) {
        let skipped = self.skipped.get_or_insert((byte, 0));
        *skipped = (skipped.0.min(byte), skipped.1.saturating_add(bytes));
    }

    /// Adds the problems of another stream.
    pub fn add(&mut self, other: &StreamReport) {
        self.missed.merge(&other.missed);
        if let Some((byte, bytes)) = other.skipped {
            self.skip(byte, bytes);
        }
        if let Some((byte, bytes)) = other.cut {
            let cut = self.cut.get_or_insert((byte, 0));
            cut.1 = cut.1.saturating_add(bytes);
        }
    }
}

/// Gives out the samples of one CPU in the order in which they were recorded.
#[derive(Debug)]
pub struct CpuSamples<'a> {
    pub cpu: u32,
    /// The problems so far.
    pub noticed: StreamReport,
    setup: SampleLayout<'a>,
    page_size: usize,
    /// The bytes of the region that were not read.
    rest: Cursor<'a>,
    pieces: Pieces,
    /// Unpacked pages, the file's byte at which they begin, and the byte of the next page in them.
    piece: Cow<'a, [u8]>,
    piece_at: u64,
    next_page: usize,
    page: RingPage,
    page_start: usize,
    next_sample: usize,
}

#[derive(Clone, Copy, Debug)]
enum Pieces {
    /// The region is one piece.
    BufferedFormat,
    Packed(u32),
    Ended,
}

impl<'a> CpuSamples<'a> {
    /// A stream at the start of a region of the file.
    pub fn new(data: &'a [u8], region: Region, setup: SampleLayout<'a>) -> CpuSamples<'a> {
        let length = data.len() as u64;
        let start = region.offset.min(length);
        // Writers do not agree on whether the size counts the number of pieces.
        let count = if region.packed { 4 } else { 0 };
        let end = region
            .offset
            .saturating_add(region.size)
            .saturating_add(count);
        let mut noticed = StreamReport::default();
        if end > length + count {
            noticed.cut = Some((length, end - length));
        }
        let mut rest = Cursor::new(&data[..end.min(length) as usize], start as usize, setup.big);
        let pieces = match region.packed {
            true if region.size > 0 => rest.u32().map_or(Pieces::Ended, Pieces::Packed),
            true => Pieces::Ended,
            false => Pieces::BufferedFormat,
        };
        CpuSamples {
            cpu: region.cpu,
            noticed,
            setup,
            page_size: region.page.max(1),
            rest,
            pieces,
            piece: Cow::Borrowed(&[]),
            piece_at: start,
            next_page: 0,
            page: RingPage::default(),
            page_start: 0,
            next_sample: 0,
        }
    }

    /// Time of the next sample, in units of the trace clock; absent at the end.
    pub fn time(&mut self) -> Option<u64> {
        loop {
            if let Some(sample) = self.page.samples.get(self.next_sample) {
                return Some(sample.0);
            }
            if self.next_page < self.piece.len() {
                self.turn();
            } else {
                self.unpack()?;
            }
        }
    }

    /// The next sample; absent at the end.
    pub fn sample(&mut self) -> Option<(u64, &[u8])> {
        self.time()?;
        let (time, range) = self.page.samples.get(self.next_sample)?.clone();
        self.next_sample += 1;
        let bytes = self
            .piece
            .get(self.page_start + range.start..self.page_start + range.end)?;
        Some((time, bytes))
    }

    /// Reads the next page of the piece.
    fn turn(&mut self) {
        let start = self.next_page;
        let end = (start + self.page_size).min(self.piece.len());
        let bytes = &self.piece[start..end];
        self.page = page::read(bytes, self.setup.layout, self.setup.big);
        (self.page_start, self.next_page, self.next_sample) = (start, end, 0);
        if let Some(missed) = self.page.missed {
            let byte = self.piece_at + start as u64;
            self.noticed.missed.add_at(missed.max(1), None, Some(byte));
        }
        // A truncated page is the end of a truncated file.
        if let Some(bad) = self.page.bad.filter(|_| bytes.len() == self.page_size) {
            self.noticed.skip(
                self.piece_at + (start + bad) as u64,
                (bytes.len() - bad) as u64,
            );
        }
    }

    /// Takes the next piece of the region.
    fn unpack(&mut self) -> Option<()> {
        let piece_at = self.rest.offset;
        self.next_page = 0;
        match self.pieces {
            Pieces::Ended | Pieces::Packed(0) => return None,
            Pieces::BufferedFormat => {
                self.pieces = Pieces::Ended;
                self.piece = Cow::Borrowed(self.rest.rest());
            }
            Pieces::Packed(n) => {
                self.pieces = Pieces::Packed(n - 1);
                match unpack(&mut self.rest, self.setup.method, self.setup.budget) {
                    Some(pages) => self.piece = Cow::Owned(pages),
                    None => {
                        let left = self.rest.rest().len();
                        self.pieces = Pieces::Ended;
                        if self.noticed.cut.is_none() {
                            self.noticed.skip(piece_at as u64, left as u64);
                        }
                        return None;
                    }
                }
            }
        }
        self.piece_at = piece_at as u64;
        Some(())
    }
}
