//! What `top` prints.

use seekscope_core::protocol::{FloatNs, Ns};
use serde::Serialize;

/// A line of `top --json`: a device in an interval.
#[derive(Serialize)]
pub struct PrintedInterval {
    /// Version of the document: 1.
    pub schema: u32,
    /// Begin of the interval, since the first event.
    pub from_ns: Ns,
    /// End of the interval.
    pub to_ns: Ns,
    /// Number of the device, `major,minor`.
    pub dev: String,
    /// Name of the device.
    pub name: String,
    /// Requests completed per second.
    pub iops: f64,
    /// Bytes read per second.
    pub read_bps: f64,
    /// Bytes written per second.
    pub write_bps: f64,
    /// Requests in flight; absent where D or C was not recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<IntervalDepth>,
    /// Share of the interval, 0 to 1, in which the device was idle while requests waited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starved_share: Option<f64>,
    /// Latency by stage.
    pub latency_ns: IntervalLatencies,
    /// Shares of the requests by their size; absent without requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizes: Option<IntervalSizes>,
    /// Requests that were issued in the interval, and not completed when it was printed.
    pub open: u64,
    /// The processes that used the device, the busiest first.
    pub processes: Vec<IntervalProcess>,
}

/// Requests in flight.
#[derive(Serialize)]
pub struct IntervalDepth {
    /// The mean, weighted by time.
    pub mean: f64,
    /// Maximum for any time longer than 0 ns.
    pub max: f64,
}

/// Latencies of the requests that completed in an interval.
#[derive(Serialize)]
pub struct IntervalLatencies {
    /// From issue to completion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub d2c: Option<IntervalLatency>,
    /// From the queued bio to completion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub q2c: Option<IntervalLatency>,
}

/// The latency of some requests.
#[derive(Serialize)]
pub struct IntervalLatency {
    /// Number of requests.
    pub n: u64,
    /// Median.
    pub p50: FloatNs,
    /// 99th percentile.
    pub p99: FloatNs,
}

/// Shares of requests by their size, 0 to 1.
#[derive(Serialize)]
pub struct IntervalSizes {
    /// Up to 4 KiB.
    pub to_4k: f64,
    /// Over 4 KiB and below 128 KiB.
    pub below_128k: f64,
    /// From 128 KiB on.
    pub from_128k: f64,
}

/// A process on the device; amounts are of requests issued in the interval.
#[derive(Serialize)]
pub struct IntervalProcess {
    pub pid: i64,
    pub name: String,
    /// Requests issued per second.
    pub iops: f64,
    /// Bytes read per second.
    pub read_bps: f64,
    /// Bytes written per second.
    pub write_bps: f64,
    /// Mean number of requests in flight.
    pub in_flight: f64,
    /// Latency from issue to completion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub d2c_ns: Option<IntervalLatency>,
    /// Shares of the requests by their size; absent without requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizes: Option<IntervalSizes>,
}
