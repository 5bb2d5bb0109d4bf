//! The tracepoints with values, their fields in samples and in text, and what becomes of them.
//! Names of fields are those of the kernel's trace headers `wbt.h`, `kyber.h`, `iocost.h` and
//! `block.h`.

use super::PointCounter;

/// iocost's rate of virtual time at which a device gets what its model says: `VTIME_PER_USEC`.
const VRATE: f64 = 137_438.0;

/// A tracepoint that has values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValuePoint {
    WbtTimer,
    WbtStep,
    WbtLatency,
    WbtStat,
    KyberLatency,
    KyberAdjust,
    KyberThrottled,
    IocostRate,
    IocostShortage,
    TagWait,
}

impl ValuePoint {
    /// The tracepoint of this name.
    pub fn named(name: &[u8]) -> Option<ValuePoint> {
        Some(match name {
            b"wbt_timer" => ValuePoint::WbtTimer,
            b"wbt_step" => ValuePoint::WbtStep,
            b"wbt_lat" => ValuePoint::WbtLatency,
            b"wbt_stat" => ValuePoint::WbtStat,
            b"kyber_latency" => ValuePoint::KyberLatency,
            b"kyber_adjust" => ValuePoint::KyberAdjust,
            b"kyber_throttled" => ValuePoint::KyberThrottled,
            b"iocost_ioc_vrate_adj" => ValuePoint::IocostRate,
            b"iocost_inuse_shortage" => ValuePoint::IocostShortage,
            b"block_rq_tag_wait" => ValuePoint::TagWait,
            _ => return None,
        })
    }
}

/// A field of these tracepoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueField {
    Step,
    Inflight,
    Normal,
    Background,
    Latency,
    ReadMean,
    WriteMean,
    Domain,
    /// The latency as a share of its target, before it is divided.
    Numerator,
    Denominator,
    Depth,
    Rate,
    Waited,
    Busy,
    Shortages,
    Tags,
    OfScheduler,
}

/// The place of a field in the text after the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldPlace {
    /// The number after this key.
    After(&'static str),
    /// The new number in `key=old->new`.
    Changed(&'static str),
    /// A word, the first after the device is 0.
    Word(usize),
    /// The numbers in the first `8/4`.
    Over,
    Under,
    /// 1 if this text occurs, else 0.
    Contains(&'static str),
}

/// Field, its name in samples, its place in text.
pub const FIELDS: [(ValueField, &str, FieldPlace); 17] = {
    use FieldPlace::*;
    [
        (ValueField::Step, "step", After("step=")),
        (ValueField::Inflight, "inflight", After("inflight=")),
        (ValueField::Normal, "normal", After("normal=")),
        (ValueField::Background, "bg", After("background=")),
        (ValueField::Latency, "lat", After("latency ")),
        (ValueField::ReadMean, "rmean", After("rmean=")),
        (ValueField::WriteMean, "wmean", After("wmean=")),
        (ValueField::Domain, "domain", Word(0)),
        (ValueField::Numerator, "numerator", Over),
        (ValueField::Denominator, "denominator", Under),
        (ValueField::Depth, "depth", Word(1)),
        (ValueField::Rate, "new_vrate", Changed("vrate=")),
        (ValueField::Waited, "rq_wait_pct", After("rq_wait_pct=")),
        (ValueField::Busy, "busy_level", After("busy=")),
        (ValueField::Shortages, "nr_shortages", After("shortages=")),
        (ValueField::Tags, "nr_tags", After("depth=")),
        (
            ValueField::OfScheduler,
            "is_sched_tag",
            Contains("scheduler tags"),
        ),
    ]
};

/// The fields of an event that are numbers.
type FieldNumbers<'a> = dyn Fn(ValueField) -> Option<f64> + 'a;

/// How a value is computed from the fields of a tracepoint.
pub struct ValueRow {
    pub point: ValuePoint,
    /// The meaning of the value; for kyber by domain: reads, writes, others.
    pub counters: &'static [PointCounter],
    /// The value in the unit of the lane.
    pub value: fn(&FieldNumbers<'_>) -> Option<f64>,
}

const fn row(
    point: ValuePoint,
    counters: &'static [PointCounter],
    value: fn(&FieldNumbers<'_>) -> Option<f64>,
) -> ValueRow {
    ValueRow {
        point,
        counters,
        value,
    }
}

/// The values of all tracepoints.
pub const ROWS: [ValueRow; 17] = {
    use PointCounter::*;
    [
        row(ValuePoint::WbtTimer, &[WbtStep], |field| {
            field(ValueField::Step)
        }),
        row(ValuePoint::WbtTimer, &[WbtInflight], |field| {
            field(ValueField::Inflight)
        }),
        row(ValuePoint::WbtStep, &[WbtNormal], |field| {
            field(ValueField::Normal)
        }),
        row(ValuePoint::WbtStep, &[WbtBackground], |field| {
            field(ValueField::Background)
        }),
        // The kernel prints microseconds.
        row(ValuePoint::WbtLatency, &[WbtLatency], |field| {
            Some(field(ValueField::Latency)? * 1000.0)
        }),
        // The value is 0 where nothing was measured.
        row(ValuePoint::WbtStat, &[WbtReadMean], |field| {
            field(ValueField::ReadMean).filter(|ns| *ns > 0.0)
        }),
        row(ValuePoint::WbtStat, &[WbtWriteMean], |field| {
            field(ValueField::WriteMean).filter(|ns| *ns > 0.0)
        }),
        row(
            ValuePoint::KyberLatency,
            &[KyberReadLatency, KyberWriteLatency, KyberOtherLatency],
            |field| Some(field(ValueField::Numerator)? / field(ValueField::Denominator)?),
        ),
        row(
            ValuePoint::KyberAdjust,
            &[KyberReadDepth, KyberWriteDepth, KyberOtherDepth],
            |field| field(ValueField::Depth),
        ),
        row(ValuePoint::KyberThrottled, &[KyberThrottled], |_| Some(1.0)),
        row(ValuePoint::IocostRate, &[IocostRate], |field| {
            Some(field(ValueField::Rate)? / VRATE)
        }),
        row(ValuePoint::IocostRate, &[IocostWait], |field| {
            Some(field(ValueField::Waited)? / 100.0)
        }),
        row(ValuePoint::IocostRate, &[IocostBusy], |field| {
            field(ValueField::Busy)
        }),
        row(ValuePoint::IocostRate, &[IocostShortages], |field| {
            field(ValueField::Shortages)
        }),
        row(ValuePoint::IocostShortage, &[IocostShortage], |_| Some(1.0)),
        row(ValuePoint::TagWait, &[HardwareTagWait], |field| {
            field(ValueField::Tags).filter(|_| field(ValueField::OfScheduler) != Some(1.0))
        }),
        row(ValuePoint::TagWait, &[SchedulerTagWait], |field| {
            field(ValueField::Tags).filter(|_| field(ValueField::OfScheduler) == Some(1.0))
        }),
    ]
};
