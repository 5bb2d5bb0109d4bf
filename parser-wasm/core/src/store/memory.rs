//! How much memory a trace takes, before it is read.

/// Bytes of an event, about: its row, and its part of the tables of its block and stream.
pub const EVENT_BYTES: usize = 13;
/// Bytes of a request.
pub const REQUEST_BYTES: usize = 32;
/// More of each request while all are put in order.
const SORTING_BYTES: usize = 6;
/// What a trace may take of a WebAssembly memory, which has 4 GiB. The rest is for queries, and for
/// what is read next to the trace.
pub const CAPACITY: u64 = 7 << 29;

/// Bytes of so many rows.
pub fn bytes_of(events: u64, requests: u64) -> u64 {
    let request = (REQUEST_BYTES + SORTING_BYTES) as u64;
    events
        .saturating_mul(EVENT_BYTES as u64)
        .saturating_add(requests.saturating_mul(request))
}
