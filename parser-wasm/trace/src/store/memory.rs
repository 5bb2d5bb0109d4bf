//! Estimates the memory of a trace before it is read.

/// Bytes of an event, about: its row, and its part of the tables of its block and stream.
pub const EVENT_BYTES: usize = 13;
/// Bytes of the row of a request.
pub const REQUEST_BYTES: usize = 32;
/// More of each request while all are put in order.
const SORTING_BYTES: usize = 6;
/// Limit for a trace in a WebAssembly memory, which has 4 GiB. The rest is for queries, and for
/// what is read next to the trace.
pub const CAPACITY: u64 = 7 << 29;

/// Memory of so many rows, bytes.
pub fn bytes_of(events: u64, requests: u64) -> u64 {
    let request = (REQUEST_BYTES + SORTING_BYTES) as u64;
    events
        .saturating_mul(EVENT_BYTES as u64)
        .saturating_add(requests.saturating_mul(request))
}
