//! Why the slowest requests of a device were slow, as in `summary --json` and on the page.

use super::absent::DeviceRecording;
use seekscope_measure::figures::Figures;
use seekscope_measure::tail::{SlowRequest, SlowThreshold, TAIL, Tail, TailCause, own_stage};
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::{Action, Op};
use seekscope_trace::store::{Device, Stage, Store};
use serde::Serialize;
use std::collections::BTreeMap;

/// Limit for the requests that are listed.
pub const LISTED: usize = 20;

/// The requests above a percentile, and what their time went to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[doc(alias = "SummaryTail")]
pub struct TailSummary {
    /// `q2c`, or `d2c` where no Q was recorded.
    pub stage: Stage,
    /// Slower than this share of the requests.
    pub percentile: f64,
    /// The time above which a request is slow: that percentile of the stage.
    pub threshold_ns: u64,
    /// Number of requests above the threshold.
    pub requests: u64,
    /// Sum of the times of these requests.
    pub total_ns: u64,
    /// Mean number of others in flight at their D.
    pub in_flight: f64,
    /// Requests in flight, not exceeded for 95 % of the time: from 0.7 of that on the device counts
    /// as full.
    pub full: u32,
    /// The causes, the largest first.
    pub causes: Vec<TailShare>,
    /// Processes that were served while requests of others were held.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub served: Vec<ServedProcess>,
    /// The slowest requests, the slowest first.
    pub slowest: Vec<SlowRequestSummary>,
    /// Causes that the recording cannot show, with the reason; their time is in others.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub absent: BTreeMap<&'static str, String>,
}

/// A cause, and its share of the time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TailShare {
    pub cause: TailCause,
    /// The cause in words: `held while another process was served`.
    pub label: &'static str,
    pub ns: u64,
    /// Share of the total time, 0 to 1.
    pub share: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ServedProcess {
    pub pid: u32,
    pub name: String,
    /// Share of the time in which others were held, 0 to 1.
    pub share: f64,
}

/// A slow request; times in ns since the first event of the trace.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[doc(alias = "SlowRequest")]
pub struct SlowRequestSummary {
    /// Row of the request table.
    pub row: u32,
    /// Time of its Q, or of its D if the stage begins there.
    pub at: u64,
    /// Its Q2C, or its D2C.
    pub ns: u64,
    pub op: Op,
    /// Absent for a flush.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sector: Option<u64>,
    pub sectors: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process: Option<String>,
    /// Number of other requests in flight at its D.
    pub in_flight: u32,
    /// The parts of its time in order; they add up to `ns`.
    pub parts: Vec<TailPart>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TailPart {
    pub cause: TailCause,
    pub ns: u64,
}

/// A cause in words; reads on after "83% of the time" and alone.
pub fn label(cause: TailCause) -> &'static str {
    match cause {
        TailCause::Allocation => "waiting for a tag or throttled (Q2G)",
        TailCause::Plugged => "plugged",
        TailCause::UnplugTimer => "waiting for the unplug timer",
        TailCause::OtherProcess => "held while another process was served",
        TailCause::Held => "held although the device had room",
        TailCause::Queued => "queued behind others in flight",
        TailCause::Writes => "behind writes",
        TailCause::Flush => "behind a flush",
        TailCause::Ahead => "in the device behind earlier requests",
        TailCause::Overtaken => "in the device while later requests were served",
        TailCause::AfterIdle => "alone in the device after it was idle",
        TailCause::Device => "alone in the device",
        TailCause::Unknown => "unknown, events were lost",
    }
}

/// The 99th percentile of a device's requests in a window.
pub fn threshold(store: &Store, device: usize, figures: &Figures) -> Option<SlowThreshold> {
    let stage = own_stage(store, device)?;
    let full = figures.usage.as_ref()?.depth.as_ref()?.p95;
    let latency = figures
        .latency
        .iter()
        .find(|(measured, _)| *measured == stage)?;
    Some(SlowThreshold {
        stage,
        share: TAIL,
        ns: latency.1.p99,
        full,
    })
}

impl TailSummary {
    pub fn new(store: &Store, device: &Device, tail: &Tail) -> TailSummary {
        let share = |(cause, ns, share): (TailCause, u128, f64)| TailShare {
            cause,
            label: label(cause),
            ns: u64::try_from(ns).unwrap_or(u64::MAX),
            share,
        };
        let served = |&(process, share): &(u32, f64)| {
            let process = store.processes.get(process as usize)?;
            Some(ServedProcess {
                pid: process.pid,
                name: process.label(),
                share,
            })
        };
        TailSummary {
            stage: tail.stage,
            percentile: f64::from(tail.share) / 10_000.0,
            threshold_ns: tail.threshold,
            requests: tail.n,
            total_ns: u64::try_from(tail.total()).unwrap_or(u64::MAX),
            in_flight: tail.in_flight,
            full: tail.full,
            causes: tail.causes().into_iter().map(share).collect(),
            served: tail.served.iter().filter_map(served).collect(),
            slowest: tail
                .slowest
                .iter()
                .map(|slow| slow_request(store, tail.stage, slow))
                .collect(),
            absent: absent(device, store.capabilities),
        }
    }
}

fn slow_request(store: &Store, stage: Stage, slow: &SlowRequest) -> SlowRequestSummary {
    let request = store.requests.row(slow.row as usize);
    let queued = request.queued().filter(|_| stage == Stage::Q2C);
    let process = store.processes.get(request.process() as usize);
    let process =
        process.filter(|_| store.capabilities.has(Capabilities::PROCESSES) && request.bios() > 0);
    let op = request.op();
    let parts = TailCause::ALL
        .into_iter()
        .zip(slow.parts)
        .filter(|(_, ns)| *ns > 0);
    SlowRequestSummary {
        row: slow.row,
        at: queued.unwrap_or_else(|| request.start()),
        ns: slow.ns,
        op,
        sector: Some(request.sector()).filter(|sector| op != Op::Flush && *sector != u64::MAX),
        sectors: request.sectors(),
        pid: process.map(|process| process.pid),
        process: process.map(seekscope_trace::store::Process::label),
        in_flight: slow.in_flight,
        parts: parts.map(|(cause, ns)| TailPart { cause, ns }).collect(),
    }
}

/// Causes before D that need more than Q and D. A device without a scheduler or plugs has no I and
/// no P: no reason to report.
fn absent(device: &Device, capabilities: Capabilities) -> BTreeMap<&'static str, String> {
    let recording = DeviceRecording::new(device, capabilities);
    let has = |action| device.recorded.has(action);
    let mut absent = BTreeMap::new();
    let Some(reason) = recording.reason("waiting") else {
        if let Some(reason) = recording.reason("latency_ns.q2g") {
            absent.insert(TailCause::Allocation.code(), reason);
            if !has(Action::Plug) {
                absent.insert(
                    TailCause::Plugged.code(),
                    "recorded without plugs (P)".to_owned(),
                );
            }
        }
        if !capabilities.has(Capabilities::PROCESSES) {
            absent.insert(
                TailCause::OtherProcess.code(),
                "the format has no processes".to_owned(),
            );
        }
        if !has(Action::Plug) && !capabilities.has(Capabilities::PLUGS) {
            absent.insert(
                TailCause::Plugged.code(),
                "the format has no plugs (P)".to_owned(),
            );
        }
        return absent;
    };
    let before_d = [
        TailCause::Allocation,
        TailCause::Plugged,
        TailCause::UnplugTimer,
        TailCause::OtherProcess,
        TailCause::Held,
        TailCause::Queued,
    ];
    absent.extend(before_d.map(|cause| (cause.code(), reason.clone())));
    absent
}

#[cfg(test)]
mod tests {
    use crate::summary::summarise;
    use seekscope_measure::Window;
    use seekscope_trace::fixture::store;

    fn tail(text: &str) -> serde_json::Value {
        serde_json::to_value(summarise(&store(text), Window::WHOLE, None)).unwrap()["devices"][0]["tail"].clone()
    }

    #[test]
    fn parts_add_up_and_causes_that_were_not_recorded_have_a_reason() {
        let complete = tail("0 Q 0+8 R pid=7\n5 G 0+8 R pid=7\n10 D 0+8 R pid=7\n30 C 0+8 R");
        assert_eq!(
            (
                &complete["stage"],
                &complete["requests"],
                &complete["absent"]
            ),
            (&"q2c".into(), &1.into(), &().into())
        );
        let parts = serde_json::json!([
            { "cause": "allocation", "ns": 5 }, { "cause": "held", "ns": 5 }, { "cause": "device", "ns": 20 }
        ]);
        assert_eq!(
            (
                &complete["slowest"][0]["parts"],
                &complete["slowest"][0]["ns"]
            ),
            (&parts, &30.into())
        );
        assert_eq!(complete["slowest"][0]["pid"], 7);
        assert_eq!(
            (
                &complete["causes"][0]["cause"],
                &complete["causes"][0]["ns"]
            ),
            (&"device".into(), &20.into())
        );
        let without_g = tail("0 Q 0+8 R\n10 D 0+8 R\n30 C 0+8 R");
        assert_eq!(
            without_g["absent"],
            serde_json::json!({
                "allocation": "recorded without allocations \
                    (G)", "plugged": "recorded without plugs (P)"
            })
        );
        let without_q = tail("10 D 0+8 R\n30 C 0+8 R");
        assert_eq!(
            (&without_q["stage"], &without_q["absent"]["held"]),
            (&"d2c".into(), &"recorded without queued bios (Q)".into())
        );
        assert_eq!(
            tail("0 Q 0+8 R\n30 C 0+8 R"),
            serde_json::Value::Null,
            "no requests"
        );
    }
}
