//! How much memory a trace takes, before it is read.

/// Bytes of an event in the columns, about.
pub const EVENT_BYTES: usize = 24;
/// Bytes of a request in the columns, about.
pub const REQUEST_BYTES: usize = 44;
/// What a trace may take of a WebAssembly memory, which has 4 GiB. The rest is for queries, and for what is read next to the trace: with
/// 67 million events, which take 2.8 GB by this count, and `btt` a process has 3.5 GB.
pub const CAPACITY: u64 = 3 << 30;

/// Bytes of so many rows; requests are copied once when all is read.
pub fn bytes_of(events: u64, requests: u64) -> u64 {
    events.saturating_mul(EVENT_BYTES as u64).saturating_add(requests.saturating_mul(2 * REQUEST_BYTES as u64))
}
