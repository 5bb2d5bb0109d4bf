//! A request in 32 bytes: 8 that filters and maps ask for, and 24 of times.

use super::stored_request::{RequestKind, StoredRequest};
use crate::store::packed::{PackedRow, read_words, write_words};

/// The span of an event that was not recorded.
pub const UNKNOWN_SPAN: u32 = u32::MAX;
const NONE: u32 = UNKNOWN_SPAN;
/// "No sector", all ones, as a row has it.
const NO_SECTOR: u64 = (1 << 40) - 1;
/// Number of the kind of a row that does not fit.
const FAR_KIND: u32 = (1 << 24) - 1;

/// CPU of the completion of a row that does not fit.
const FAR_CPU: u32 = (1 << 16) - 1;

/// The sector and the kind. 32-bit words: the sector's low half; its next 8 bits, and in 24 bits
/// the number of the kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedPlace([u32; 2]);

/// When it was. 32-bit words: the start's low half; its next 16 bits, and above them the CPU of the
/// completion; the spans.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedTimes([u32; 6]);

/// A complete row.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedRequest {
    pub place: PackedPlace,
    pub times: PackedTimes,
}

/// A time of a request as its distance from the start, in ns: before it, except the completion. The
/// value is its word in a row.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowSpan {
    Queued = 2,
    Allocated = 3,
    Inserted = 4,
    Completed = 5,
}

/// A span as a row has it, if it fits.
#[inline]
fn short(span: Option<u64>) -> Option<u32> {
    match span {
        None => Some(NONE),
        Some(ns) => u32::try_from(ns).ok().filter(|ns| *ns != NONE),
    }
}

impl PackedRow for PackedPlace {
    const BYTES: usize = 8;

    fn write(&self, bytes: &mut [u8]) {
        write_words(&self.0, bytes);
    }

    fn read(bytes: &[u8]) -> PackedPlace {
        PackedPlace(read_words(bytes))
    }
}

impl PackedRow for PackedTimes {
    const BYTES: usize = 24;

    fn write(&self, bytes: &mut [u8]) {
        write_words(&self.0, bytes);
    }

    fn read(bytes: &[u8]) -> PackedTimes {
        PackedTimes(read_words(bytes))
    }
}

impl PackedRequest {
    /// Marks a row that is stored elsewhere.
    pub const FAR: PackedRequest = PackedRequest {
        place: PackedPlace([NONE; 2]),
        times: PackedTimes([NONE; 6]),
    };

    /// `row` with the number of its kind, if it fits.
    #[inline]
    pub fn pack(row: &StoredRequest, kind: u32) -> Option<PackedRequest> {
        let &StoredRequest {
            start,
            sector,
            complete_cpu,
            ..
        } = row;
        let fits = start >> 48 == 0
            && complete_cpu < FAR_CPU
            && kind < FAR_KIND
            && (sector < NO_SECTOR || sector == u64::MAX);
        fits.then_some(())?;
        let times = [
            start as u32,
            (start >> 32) as u32 | complete_cpu << 16,
            short(row.span(RowSpan::Queued))?,
            short(row.span(RowSpan::Allocated))?,
            short(row.span(RowSpan::Inserted))?,
            short(row.span(RowSpan::Completed))?,
        ];
        let place = [sector as u32, (sector >> 32) as u32 & 0xff | kind << 8];
        Some(PackedRequest {
            place: PackedPlace(place),
            times: PackedTimes(times),
        })
    }

    /// Unpacks the row.
    pub fn stored(self, kind: &RequestKind) -> StoredRequest {
        let PackedRequest { place, times } = self;
        let start = times.start();
        let before = |span: RowSpan| times.span(span).map(|ns| start.saturating_sub(ns));
        let &RequestKind {
            flags,
            bytes,
            process,
            device,
            submit_cpu,
            bios,
            error,
            bio,
            requeued,
            momentary,
        } = kind;
        StoredRequest {
            start,
            queued: before(RowSpan::Queued),
            allocated: before(RowSpan::Allocated),
            inserted: before(RowSpan::Inserted),
            completed: times.span(RowSpan::Completed).map(|ns| start + ns),
            sector: place.sector(),
            bytes,
            flags,
            process,
            device,
            submit_cpu,
            complete_cpu: times.complete_cpu(),
            bios,
            error,
            bio,
            requeued,
            momentary,
        }
    }

    /// The same with the number of another kind, if that fits.
    #[inline]
    pub fn with_kind(mut self, kind: u32) -> Option<PackedRequest> {
        self.place.0[1] = self.place.0[1] & 0xff | kind << 8;
        (kind < FAR_KIND).then_some(self)
    }
}

impl PackedPlace {
    #[inline(always)]
    pub fn is_far(self) -> bool {
        self.kind() == FAR_KIND
    }

    #[inline(always)]
    pub fn kind(self) -> u32 {
        self.0[1] >> 8
    }

    #[inline(always)]
    pub fn sector(self) -> u64 {
        let sector = u64::from(self.0[0]) | u64::from(self.0[1] & 0xff) << 32;
        if sector == NO_SECTOR {
            u64::MAX
        } else {
            sector
        }
    }
}

impl PackedTimes {
    #[inline(always)]
    pub fn is_far(self) -> bool {
        self.complete_cpu() == FAR_CPU
    }

    #[inline(always)]
    pub fn start(self) -> u64 {
        u64::from(self.0[0]) | u64::from(self.0[1] & 0xffff) << 32
    }

    #[inline(always)]
    pub fn span(self, span: RowSpan) -> Option<u64> {
        let ns = self.0[span as usize];
        (ns != NONE).then_some(ns.into())
    }

    /// The spans of Q, G, I and C, [`UNKNOWN_SPAN`] where they were not recorded; absent where the
    /// row does not fit.
    #[inline(always)]
    pub fn short_spans(&self) -> Option<[u32; 4]> {
        let [_, _, queued, allocated, inserted, completed] = self.0;
        (!self.is_far()).then_some([queued, allocated, inserted, completed])
    }

    #[inline(always)]
    pub fn complete_cpu(self) -> u32 {
        self.0[1] >> 16
    }

    /// Sets the completion; `false` if it does not fit.
    #[inline]
    pub fn complete(&mut self, time: u64, cpu: u32) -> bool {
        let Some(span) = short(Some(time.saturating_sub(self.start())))
            .filter(|_| cpu < FAR_CPU && !self.is_far())
        else {
            return false;
        };
        self.0[RowSpan::Completed as usize] = span;
        self.0[1] = self.0[1] & 0xffff | cpu << 16;
        true
    }
}
