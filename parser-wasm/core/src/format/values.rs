//! Values of the tracepoints of those that hold requests back: writeback throttling (wbt), kyber, iocost, and waits for a tag. They
//! write one disk in three ways: `254:0`, `254,0` and `[vda]`.
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

use crate::event::DeviceNumber;

/// iocost's rate of virtual time at which a device gets what its model says: `VTIME_PER_USEC`.
const VRATE: f64 = 137_438.0;
/// Values that are kept of a file.
const MOST: usize = 1 << 18;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PointCounter {
    WbtStep,
    WbtInflight,
    /// Writes that wbt lets through.
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
    /// In the order of the file.
    pub rows: Vec<PointValue>,
    /// Beyond the limit.
    pub left_out: u64,
}

/// Reports are compared whole.
impl Eq for PointValues {}

impl PointValues {
    fn add(&mut self, time: u64, counter: PointCounter, device: &PointDevice, value: Option<f64>) {
        let Some(value) = value.filter(|n| n.is_finite()) else { return };
        if self.rows.len() < MOST {
            self.rows.push(PointValue { time, counter, device: device.clone(), value });
        } else {
            self.left_out += 1;
        }
    }

    /// Adds those that follow.
    pub fn extend(&mut self, more: PointValues) {
        self.left_out += more.left_out;
        self.rows.extend(more.rows);
    }

    /// Takes a tracepoint as text; whether it is one of these.
    pub fn take(&mut self, time: u64, name: &[u8], body: &[u8]) -> bool {
        if !is_one(name) {
            return false;
        }
        let (Ok(name), Ok(body)) = (std::str::from_utf8(name), std::str::from_utf8(body)) else { return false };
        self.read(time, name, body).is_some()
    }

    fn read(&mut self, time: u64, name: &str, body: &str) -> Option<()> {
        let (device, rest) = body.split_once(' ')?;
        let device = place(device)?;
        let number = |key: &str| field(rest, key);
        let words = || rest.split_whitespace();
        let mut add = |counter, value| self.add(time, counter, &device, value);
        match name {
            "wbt_timer" => {
                add(PointCounter::WbtStep, number("step="));
                add(PointCounter::WbtInflight, number("inflight="));
            }
            "wbt_step" => {
                add(PointCounter::WbtNormal, number("normal="));
                add(PointCounter::WbtBackground, number("background="));
            }
            "wbt_lat" => add(PointCounter::WbtLatency, number("latency ").map(|us| us * 1000.0)),
            "wbt_stat" => {
                add(PointCounter::WbtReadMean, number("rmean=").filter(|n| *n > 0.0));
                add(PointCounter::WbtWriteMean, number("wmean=").filter(|n| *n > 0.0));
            }
            "kyber_latency" => {
                let (above, below) = words().find_map(|word| word.split_once('/').filter(|w| w.0.parse::<f64>().is_ok()))?;
                let counter = match words().next()? {
                    "READ" => PointCounter::KyberReadLatency,
                    "WRITE" => PointCounter::KyberWriteLatency,
                    _ => PointCounter::KyberOtherLatency,
                };
                add(counter, above.parse::<f64>().ok().zip(below.parse::<f64>().ok()).map(|(a, b)| a / b));
            }
            "kyber_adjust" => {
                let counter = match words().next()? {
                    "READ" => PointCounter::KyberReadDepth,
                    "WRITE" => PointCounter::KyberWriteDepth,
                    _ => PointCounter::KyberOtherDepth,
                };
                add(counter, words().nth(1)?.parse().ok());
            }
            "kyber_throttled" => add(PointCounter::KyberThrottled, Some(1.0)),
            "iocost_ioc_vrate_adj" => {
                let changed = rest.split_whitespace().find_map(|word| word.strip_prefix("vrate="))?.split_once("->")?;
                add(PointCounter::IocostRate, changed.1.parse::<f64>().ok().map(|n| n / VRATE));
                add(PointCounter::IocostWait, number("rq_wait_pct=").map(|n| n / 100.0));
                add(PointCounter::IocostBusy, number("busy="));
            }
            "iocost_inuse_shortage" => add(PointCounter::IocostShortage, Some(1.0)),
            "block_rq_tag_wait" => {
                let hardware = rest.contains("hardware tags");
                let counter = if hardware { PointCounter::HardwareTagWait } else { PointCounter::SchedulerTagWait };
                add(counter, number("depth="));
            }
            _ => return None,
        }
        Some(())
    }
}

/// Whether a name may be that of such a tracepoint.
fn is_one(name: &[u8]) -> bool {
    [&b"wbt_"[..], b"kyber_", b"iocost_", b"block_rq_tag_wait"].iter().any(|start| name.starts_with(start))
}

/// `254:0:`, `254,0`, `[vda]`, `[vda:/group]`.
fn place(word: &str) -> Option<PointDevice> {
    if let Some(name) = word.strip_prefix('[') {
        let name = name.split([':', ']']).next().filter(|name| !name.is_empty())?;
        return Some(PointDevice::Name(name.chars().take(32).collect()));
    }
    let (major, minor) = word.trim_end_matches(':').split_once([':', ','])?;
    let (major, minor) = (major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?);
    (major < 1 << 12 && minor < 1 << 20).then_some(PointDevice::Number(DeviceNumber(major << 20 | minor)))
}

/// The number after a key.
fn field(text: &str, key: &str) -> Option<f64> {
    let starts = |&(at, _): &(usize, &str)| at == 0 || text[..at].ends_with([' ', '(']);
    let (at, _) = text.match_indices(key).find(starts)?;
    let rest = &text[at + key.len()..];
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-' && c != '.').unwrap_or(rest.len());
    rest[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::PointCounter::*;
    use super::*;

    /// Lines as in the table above: of Linux 6.1 and 6.12, except for block_rq_tag_wait (7.2), which is made from its documentation.
    #[test]
    fn values_of_lines() {
        let vda = PointDevice::Number(DeviceNumber(254 << 20));
        for (name, body, wanted) in [
            ("wbt_timer", "254:0: status=3, step=-1, inflight=9", vec![(WbtStep, -1.0), (WbtInflight, 9.0)]),
            (
                "wbt_step",
                "254:0: scale up: step=-1, window=100000us, background=8, normal=16, max=31",
                vec![(WbtNormal, 16.0), (WbtBackground, 8.0)],
            ),
            ("wbt_lat", "254:0: latency 2379us", vec![(WbtLatency, 2_379_000.0)]),
            (
                "wbt_stat",
                "254:0: rmean=6258486, rmin=2379901, rmax=8551005, rsamples=6, wmean=0, wmin=0, wmax=0, wsamples=0",
                vec![(WbtReadMean, 6_258_486.0)],
            ),
            ("kyber_latency", "254,0 WRITE I/O p90 8/4 samples=15", vec![(KyberWriteLatency, 2.0)]),
            ("kyber_latency", "254,0 READ total p99 1/4 samples=394", vec![(KyberReadLatency, 0.25)]),
            ("kyber_adjust", "254,0 WRITE 64", vec![(KyberWriteDepth, 64.0)]),
            ("kyber_throttled", "254,0 READ", vec![(KyberThrottled, 1.0)]),
            ("block_rq_tag_wait", "254,0 hctx=0 starved on hardware tags (depth=64)", vec![(HardwareTagWait, 64.0)]),
            ("block_rq_tag_wait", "254,0 hctx=1 starved on scheduler tags (depth=256)", vec![(SchedulerTagWait, 256.0)]),
        ] {
            let mut values = PointValues::default();
            assert!(values.take(5, name.as_bytes(), body.as_bytes()), "{body}");
            let found: Vec<_> = values.rows.iter().map(|row| (row.counter, row.value)).collect();
            assert_eq!(found, wanted, "{body}");
            assert!(values.rows.iter().all(|row| row.device == vda && row.time == 5));
        }
        let mut values = PointValues::default();
        let body = b"[vda] vrate=137438->68719 busy=1 missed_ppm=0:1000000 rq_wait_pct=25 lagging=1 shortages=1";
        assert!(values.take(5, b"iocost_ioc_vrate_adj", body));
        assert!(values.take(5, b"iocost_inuse_shortage", b"[vda:/wr] now=41448517 inuse=3276800->3276800 hw_inuse=65536->65536"));
        let found: Vec<_> = values.rows.iter().map(|row| (row.counter, row.value)).collect();
        assert_eq!(found, [(IocostRate, 0.5), (IocostWait, 0.25), (IocostBusy, 1.0), (IocostShortage, 1.0)]);
        assert!(values.rows.iter().all(|row| row.device == PointDevice::Name("vda".to_owned())));
    }

    #[test]
    fn other_and_damaged_lines() {
        let mut values = PointValues::default();
        for (name, body) in [
            ("sched_switch", "254:0: status=3, step=-1, inflight=9"),
            ("iocost_iocg_idle", "[vda:/wr] now=1:2 vrate=137438"),
            ("wbt_timer", "254:0:"),
            ("wbt_timer", "254: status=3"),
            ("wbt_timer", "99999,0 status=3, step=1, inflight=1"),
            ("kyber_latency", "254,0 WRITE I/O"),
            ("kyber_latency", ""),
            ("iocost_ioc_vrate_adj", "[] vrate=1->2"),
        ] {
            assert!(!values.take(0, name.as_bytes(), body.as_bytes()), "{name}: {body}");
        }
        // Fields that are missing have no value, nor does a division by 0.
        assert!(
            values.take(0, b"wbt_timer", b"254:0: status=3") && values.take(0, b"kyber_latency", b"254,0 READ total p99 1/0 x")
        );
        assert!(values.rows.is_empty());
    }
}
