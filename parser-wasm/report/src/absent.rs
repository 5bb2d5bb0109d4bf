//! Why a figure or a chart of a device is absent: the actions that it needs, and whether they were
//! recorded.

use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::Action;
use seekscope_trace::sorting::map_of;
use seekscope_trace::store::{Device, RecordedActions, Role, RowMeaning};
use serde::Serialize;
use std::collections::BTreeMap;

/// The actions that a recording has of a device, and those that its format can have.
#[derive(Clone, Copy, Debug)]
pub struct DeviceRecording {
    pub recorded: RecordedActions,
    pub role: Role,
    /// The capabilities of the trace's format.
    pub capabilities: Capabilities,
    /// Whether the zones of the disk are known.
    pub zoned: bool,
}

/// Lists of actions: at least one of each list is needed.
type Needs = &'static [&'static [Action]];

const Q: &[Action] = &[Action::Queue];
const G: &[Action] = &[Action::GetRequest];
const I: &[Action] = &[Action::Insert];
const D: &[Action] = &[Action::Issue];
const C: &[Action] = &[Action::Complete];
const Q_OR_D: &[Action] = &[Action::Queue, Action::Issue];

/// The figures of `summary --json`.
const FIGURES: [&str; 43] = [
    "bytes",
    "failed",
    "failed.by_process",
    "failed.never_issued",
    "failed.retries",
    "throughput",
    "depth",
    "waiting",
    "starved",
    "states",
    "latency_ns.q2c",
    "latency_ns.d2c",
    "latency_ns.q2d",
    "latency_ns.q2g",
    "latency_ns.g2i",
    "latency_ns.i2d",
    "latency_ns.g2d",
    "tail",
    "latency_bio_ns.q2c",
    "latency_bio_ns.d2c",
    "latency_bio_ns.q2d",
    "latency_bio_ns.q2g",
    "latency_bio_ns.g2i",
    "latency_bio_ns.i2d",
    "latency_bio_ns.g2d",
    "latency_bio_ns.q2m",
    "latency_bio_ns.m2d",
    "sizes.queued",
    "sizes.issued",
    "sizes.completed",
    "seek.issued",
    "seek.queued",
    "interleaving",
    "merges",
    "merges.q_per_d",
    "flush.preflush",
    "flush.flush",
    "flush.fua",
    "flush.busy_share",
    "sync_share",
    "alignment.stripes",
    "alignment.rmw",
    "processes",
];

/// The figures that only zoned disks have.
const ZONE_FIGURES: [&str; 3] = ["zones", "zones.refused", "zones.off_pointer_failed"];

/// A chart of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ChartName {
    Alignment,
    Depth,
    Flushes,
    Latency,
    Life,
    Processes,
    SeekMap,
    Sizes,
    Stages,
    Stripes,
    Throughput,
    /// Actions of zones, in the seek map; only of zoned disks.
    Zones,
}

/// The charts of every disk, not only of zoned ones.
const CHARTS: [ChartName; 11] = [
    ChartName::Alignment,
    ChartName::Depth,
    ChartName::Flushes,
    ChartName::Latency,
    ChartName::Life,
    ChartName::Processes,
    ChartName::SeekMap,
    ChartName::Sizes,
    ChartName::Stages,
    ChartName::Stripes,
    ChartName::Throughput,
];

/// What a figure of `summary --json` or a metric of `compare --json` needs, by its name.
fn needs(name: &str) -> Needs {
    let name = ["latency_ns.", "latency_bio_ns.", "bio."]
        .iter()
        .find_map(|p| name.strip_prefix(p))
        .unwrap_or(name);
    let (first, second) = name.split_once('.').unwrap_or((name, ""));
    match first {
        "bytes" | "throughput" | "bps" | "read_bps" | "write_bps" | "iops" => &[C],
        "failed" => match second {
            "by_process" => &[Q, C],
            "never_issued" => &[Q, D, C],
            "retries" => &[Q_OR_D, C],
            _ => &[C],
        },
        "queued_bps" | "processes" | "q2m" => &[Q],
        "issued_bps" => &[D],
        "depth" | "d2c" | "tail" => &[D, C],
        "waiting" | "q2d" | "m2d" | "interleaving" | "reordered" => &[Q, D],
        "migrated" => &[Q_OR_D, C],
        "starved" | "states" => &[Q, D, C],
        "q2c" | "outstanding" => &[Q, C],
        "q2g" => &[Q, G],
        "g2i" => &[G, I],
        "i2d" => &[I, D],
        "g2d" => &[G, D],
        "sizes" | "size" | "seek" => match second.split('.').next() {
            Some("queued") => &[Q],
            Some("issued") => &[D],
            _ => &[C],
        },
        "merges" if second == "q_per_d" => &[Q, D],
        "merges" => &[Q],
        "flush" => match second {
            "preflush" => &[Q],
            "busy" | "busy_share" => &[Q_OR_D, C],
            _ => &[D],
        },
        "zones" if second.is_empty() => &[D],
        "zones" => &[D, C],
        "events" => match second {
            "D" => &[D],
            "C" => &[C],
            "Q" | "G" | "I" | "M" | "F" | "P" | "U" | "UT" => &[Q],
            _ => &[],
        },
        _ => &[],
    }
}

fn chart_needs(chart: ChartName) -> Needs {
    match chart {
        ChartName::Depth => &[D, C],
        ChartName::Latency => &[Q_OR_D, C],
        ChartName::Flushes => &[Q_OR_D],
        ChartName::Throughput => &[C],
        ChartName::Processes => &[Q],
        ChartName::Zones => &[D],
        _ => &[],
    }
}

/// The reason for a device without events next to masked ones.
const UNSEEN: &str = "no events of this device were recorded";

fn words(action: Action) -> &'static str {
    match action {
        Action::Queue => "queued bios (Q)",
        Action::GetRequest => "allocations (G)",
        Action::Insert => "inserts (I)",
        Action::Issue => "issues (D)",
        _ => "completions (C)",
    }
}

impl DeviceRecording {
    pub fn new(device: &Device, capabilities: Capabilities) -> DeviceRecording {
        DeviceRecording {
            recorded: device.recorded,
            role: device.role,
            capabilities,
            zoned: device.zones.is_some(),
        }
    }

    /// Whether actions are missing that such a device has.
    pub fn is_masked(self) -> bool {
        let row = self.recorded.row();
        if self.recorded.is_idle() {
            return self.recorded.is_unseen();
        }
        match self.role {
            Role::Disk => row != RowMeaning::Request || !self.recorded.has(Action::Queue),
            Role::Remapped | Role::Stacked => row != RowMeaning::Bio,
        }
    }

    /// Why a figure of this name is absent; `None` if it has all that it needs.
    pub fn reason(self, name: &str) -> Option<String> {
        if self.recorded.is_unseen() {
            return Some(UNSEEN.to_owned());
        }
        // Devices with a flush machinery of their own count at D, the others at Q.
        if self.role != Role::Disk && matches!(name, "flush.flush" | "flush.fua") {
            return self.missing(&[Q_OR_D]);
        }
        if self.role == Role::Disk && name.starts_with("flush.busy") {
            return self.missing(&[D, C]);
        }
        // These stages are those of requests, which a D shows.
        let rows_are_bios = matches!(self.recorded.row(), RowMeaning::Bio | RowMeaning::Queue);
        if rows_are_bios
            && ["latency_ns.q2g", "latency_ns.g2i", "q2g.", "g2i."]
                .iter()
                .any(|stage| name.starts_with(stage))
        {
            return self.missing(&[D]);
        }
        // Only bios have these, whatever the stage.
        let of_bios = name.starts_with("latency_bio_ns.") || name.starts_with("bio.");
        let without_bios = if of_bios { self.missing(&[Q]) } else { None };
        without_bios.or_else(|| self.missing(needs(name)))
    }

    fn chart_reason(self, chart: ChartName) -> Option<String> {
        if self.recorded.is_unseen() {
            return Some(UNSEEN.to_owned());
        }
        match chart {
            // These charts need two moments of a request.
            ChartName::Stages | ChartName::Life => {
                let moments = [Q, D, C]
                    .into_iter()
                    .filter(|m| self.recorded.has(m[0]))
                    .count();
                if moments > 1 {
                    None
                } else {
                    self.missing(&[Q, D, C])
                }
            }
            _ => self.missing(chart_needs(chart)),
        }
    }

    fn missing(self, needs: Needs) -> Option<String> {
        let lacks = |any: &&&[Action]| !any.iter().any(|&action| self.recorded.is_known(action));
        let missing: Vec<Action> = needs
            .iter()
            .filter(lacks)
            .flat_map(|any| any.iter().copied())
            .collect();
        if missing.is_empty() {
            return None;
        }
        let list = |actions: &[Action]| {
            actions
                .iter()
                .map(|&a| words(a))
                .collect::<Vec<_>>()
                .join(" and ")
        };
        let unknown: Vec<Action> = missing
            .iter()
            .copied()
            .filter(|&a| !self.capabilities.has(Capabilities::needed_for(a)))
            .collect();
        Some(if !unknown.is_empty() {
            format!("the format has no {}", list(&unknown))
        } else if missing == [Action::Issue] && self.role != Role::Disk {
            "this device issues no requests (D)".to_owned()
        } else {
            format!("recorded without {}", list(&missing))
        })
    }

    /// Names of the figures of `summary --json` that are absent, with the reason.
    pub fn absent_figures(self) -> BTreeMap<String, String> {
        // A device without a scheduler has no I, and md no stage behind Q: worth a reason only if
        // something else is missing as well.
        let inside = |name: &str| {
            ["g2i", "i2d", "q2g", "g2d"]
                .iter()
                .any(|stage| name.ends_with(stage))
        };
        let natural =
            |name: &str| !self.is_masked() && (inside(name) || name.starts_with("latency_bio_ns."));
        let of_zones: &[&str] = if self.zoned { &ZONE_FIGURES } else { &[] };
        let names = FIGURES.iter().chain(of_zones).filter(|name| !natural(name));
        let mut absent: BTreeMap<String, String> =
            map_of(names.filter_map(|name| Some(((*name).to_owned(), self.reason(name)?))));
        if self.recorded.is_unseen() {
            absent.insert("alignment".to_owned(), UNSEEN.into());
        }
        absent
    }

    /// Why there is no queue depth of a disk in a trace that is being read: more may come.
    pub fn no_depth_yet(self) -> Option<&'static str> {
        (self.role == Role::Disk && !self.recorded.has(Action::Issue))
            .then_some("no requests were issued (D) so far")
    }

    /// Names of the page's charts that are absent, with the reason.
    pub fn absent_charts(self) -> BTreeMap<ChartName, String> {
        let charts = CHARTS.into_iter();
        let charts = charts.chain(self.zoned.then_some(ChartName::Zones));
        map_of(charts.filter_map(|chart| Some((chart, self.chart_reason(chart)?))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;

    fn recording(text: &str) -> DeviceRecording {
        DeviceRecording::new(&store(text).devices[0], Capabilities::ALL)
    }

    #[test]
    fn a_complete_disk_lacks_nothing() {
        let disk = recording("0 Q 0+8\n1 G 0+8\n2 D 0+8\n3 C 0+8");
        assert!(
            DeviceRecording {
                zoned: true,
                ..disk
            }
            .absent_figures()
            .is_empty()
        );
        assert_eq!(
            (
                disk.absent_figures().len(),
                disk.absent_charts().len(),
                disk.is_masked()
            ),
            (0, 0, false)
        );
    }

    #[test]
    fn reasons_are_of_the_device() {
        let completions = recording("0 C 0+8");
        assert_eq!(
            completions.reason("depth.mean").as_deref(),
            Some("recorded without issues (D)")
        );
        assert_eq!(
            completions.reason("q2c.p50").as_deref(),
            Some("recorded without queued bios (Q)")
        );
        assert_eq!(
            (
                completions.reason("bytes.read"),
                completions.reason("alignment.stripes.full")
            ),
            (None, None)
        );
        assert!(completions.absent_charts().contains_key(&ChartName::Life));
        let zoned = DeviceRecording {
            zoned: true,
            ..completions
        };
        assert_eq!(
            zoned.absent_figures()["zones"],
            "recorded without issues (D)"
        );
        assert!(
            zoned.absent_charts().contains_key(&ChartName::Zones)
                && !completions.absent_charts().contains_key(&ChartName::Zones)
        );
        let issues = recording("0 D 0+8");
        assert_eq!(
            issues.reason("bps").as_deref(),
            Some("recorded without completions (C)")
        );
        assert_eq!(
            issues.reason("depth.max").as_deref(),
            Some("recorded without completions (C)")
        );
        // md queues and completes, and never issues.
        let md = recording("0 Q 0+8\n3 C 0+8");
        assert_eq!(
            (md.reason("depth.mean").as_deref(), md.is_masked()),
            (Some("this device issues no requests (D)"), false)
        );
        assert_eq!(
            (md.reason("flush.fua"), md.reason("alignment.stripes.full")),
            (None, None)
        );
        let table = DeviceRecording {
            capabilities: Capabilities::ISSUES | Capabilities::COMPLETIONS,
            ..recording("0 D 0+8\n1 C 0+8")
        };
        assert_eq!(
            table.reason("q2c.mean").as_deref(),
            Some("the format has no queued bios (Q)")
        );
    }

    #[test]
    fn every_name_is_in_the_table() {
        let nothing = recording("0 P -");
        for name in FIGURES
            .iter()
            .filter(|name| !name.starts_with("sync") && !name.starts_with("alignment"))
        {
            assert!(nothing.reason(name).is_some(), "{name}");
        }
    }
}
