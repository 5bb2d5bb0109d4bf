//! Values of the tracepoints of limiters: writeback throttling (wbt), kyber, iocost, and waits for
//! a tag, as text or as samples. They write one disk in three ways: `254:0`, `254,0` and `[vda]`.
//!
//! ```text
//! wbt_timer: 254:0: status=3, step=-1, inflight=9
//! wbt_step: 254:0: scale up: step=-1, window=100000us, background=8, normal=16, max=31
//! wbt_lat: 254:0: latency 2379us
//! wbt_stat: 254:0: rmean=6258486, rmin=2379901, rmax=8551005, rsamples=6, wmean=6985658, wmin=6088420, wmax=7977581, wsamples=7
//! kyber_latency: 254,0 WRITE I/O p90 8/4 samples=15
//! kyber_adjust: 254,0 READ 128
//! kyber_throttled: 254,0 READ
//! iocost_ioc_vrate_adj: [vda] vrate=137438->137438 busy=0 missed_ppm=0:0 rq_wait_pct=0 lagging=1 shortages=1
//! iocost_inuse_shortage: [vda:/wr] now=41448517 inuse=3276800->3276800 hw_inuse=65536->65536
//! block_rq_tag_wait: 254,0 hctx=0 starved on scheduler tags (depth=256)
//! ```

mod fields;
mod line;
#[cfg(test)]
mod tests;

pub use fields::{FIELDS, ValueField, ValuePoint};

use fields::ROWS;
use seekscope_trace::event::DeviceNumber;

/// Values that are kept of a file.
const MAX_VALUES: usize = 1 << 18;

/// The quantity that a value is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PointCounter {
    WbtStep,
    WbtInflight,
    /// The number of writes that wbt lets through.
    WbtNormal,
    WbtBackground,
    /// A latency of reads above the target, ns.
    WbtLatency,
    WbtReadMean,
    WbtWriteMean,
    /// By percentile of a domain: share of the target.
    KyberReadLatency,
    KyberWriteLatency,
    KyberOtherLatency,
    KyberReadDepth,
    KyberWriteDepth,
    KyberOtherDepth,
    KyberThrottled,
    /// Share of the rate in the model.
    IocostRate,
    IocostWait,
    IocostBusy,
    /// The number of groups that wait for their share.
    IocostShortages,
    IocostShortage,
    HardwareTagWait,
    SchedulerTagWait,
}

/// The device of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PointDevice {
    Number(DeviceNumber),
    Name(String),
}

/// A value at a moment of the trace clock, ns.
#[derive(Clone, Debug, PartialEq)]
pub struct PointValue {
    pub time: u64,
    pub counter: PointCounter,
    pub device: PointDevice,
    pub value: f64,
}

/// The values of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointValues {
    /// The values in the order of the file.
    pub rows: Vec<PointValue>,
    /// Number of values beyond the limit.
    pub left_out: u64,
    /// Binary: tracepoints that were recorded, also without an event.
    pub described: Vec<ValuePoint>,
}

/// Reports are compared as a whole.
impl Eq for PointValues {}

impl PointValues {
    fn add(&mut self, time: u64, counter: PointCounter, device: &PointDevice, value: Option<f64>) {
        let Some(value) = value.filter(|n| n.is_finite()) else {
            return;
        };
        if self.rows.len() < MAX_VALUES {
            self.rows.push(PointValue {
                time,
                counter,
                device: device.clone(),
                value,
            });
        } else {
            self.left_out += 1;
        }
    }

    /// Adds the values of a later part.
    pub fn extend(&mut self, more: PointValues) {
        self.left_out += more.left_out;
        self.described.extend(more.described);
        self.rows.extend(more.rows);
    }

    /// Takes a tracepoint; without a device it has no values.
    pub fn take(&mut self, time: u64, point: ValuePoint, fields: &impl ValueFields) {
        let Some(device) = fields.device() else {
            return;
        };
        for row in ROWS.iter().filter(|row| row.point == point) {
            let counter = match row.counters {
                [counter] => Some(*counter),
                of_domains => fields
                    .word(ValueField::Domain)
                    .and_then(|word| of_domains.get(domain(word)).copied()),
            };
            let Some(counter) = counter else { continue };
            let number = |field| fields.number(field);
            self.add(time, counter, &device, (row.value)(&number));
        }
    }
}

/// A tracepoint's fields, wherever they are written.
pub trait ValueFields {
    /// The disk that the event names.
    fn device(&self) -> Option<PointDevice>;
    /// The field as a number.
    fn number(&self, field: ValueField) -> Option<f64>;
    /// The field as a word.
    fn word(&self, field: ValueField) -> Option<&str>;
}

/// kyber's domain: place of its counter among those of a row.
fn domain(word: &str) -> usize {
    match word {
        "READ" => 0,
        "WRITE" => 1,
        _ => 2,
    }
}

impl PointDevice {
    /// A device by its number: `254:0:`, `254,0`.
    pub fn numbered(word: &str) -> Option<PointDevice> {
        let (major, minor) = word.trim_end_matches(':').split_once([':', ','])?;
        let (major, minor) = (major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?);
        (major < 1 << 12 && minor < 1 << 20)
            .then_some(PointDevice::Number(DeviceNumber(major << 20 | minor)))
    }

    /// A device by its name: `vda`.
    pub fn named(word: &str) -> Option<PointDevice> {
        (!word.is_empty()).then(|| PointDevice::Name(word.chars().take(NAME).collect()))
    }
}

/// Limit for the characters of a device's name.
const NAME: usize = 32;
