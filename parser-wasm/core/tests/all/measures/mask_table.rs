//! Masks made of real recordings of every kind: each figure of `summary --json` equals that of the
//! complete recording, or it is absent with its reason, or it is one of those below that a mask
//! defines in another way.
//!
//! `MASK_RECORDINGS=folder` checks all blktrace recordings below that folder as well.

use crate::common::{
    File, big_endian, has_events, masked, read_with_zones, recording, zone_notes, zone_notes_of,
    zoned_file,
};
use seekscope_core::measure::{Geometry, Window};
use seekscope_core::notes::ZoneNote;
use seekscope_core::report::summary::summarise;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const MASKS: [&str; 7] = ["C", "D", "Q", "DC", "QC", "QDC", "W"];

/// Ext4 buffered and synchronous, with FUA and without, partitions under bfq and mq-deadline,
/// discards, writes of zeroes, splits, device mapper, RAID 5 and its members, RAID 0 on four CPUs,
/// two devices, errors, SCSI commands, requeues.
const RECORDINGS: [&str; 16] = [
    "ext4-buffered-6.1",
    "ext4-buffered-6.12",
    "sync-fua",
    "sync-no-fua",
    "partitions-bfq-1w",
    "partitions-deadline-1w",
    "discard",
    "write-zeroes",
    "dm-remap",
    "raid5-aligned",
    "raid5-misaligned",
    "two-devices",
    "io-errors",
    "passthrough",
    "cgroup-ids",
    "requeue",
];

/// Zone appends, actions on zones and a refused write; sequential writes. With their notes of
/// zones.
const ZONED: [&str; 3] = ["append", "mgmt", "fio"];

const GEOMETRY: &str = "unit=256KiB,disks=4,level=raid5";

/// Members that describe the recording, and are no figures of it.
const ABOUT: [&str; 7] = [
    "recorded", "row", "role", "masked", "absent.", "hint", "spoiled",
];

fn summary(files: &[File], zones: &[ZoneNote]) -> Value {
    let geometry: Option<Geometry> = GEOMETRY.parse().ok();
    serde_json::to_value(summarise(
        &read_with_zones(files, zones.to_vec()),
        Window::WHOLE,
        geometry,
    ))
    .expect("a document")
}

/// Figures by path: `depth.mean`. Lists are one figure.
fn flat(value: &Value, path: &str, out: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            flat(
                value,
                &if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}.{key}")
                },
                out,
            );
        }),
        other => {
            out.insert(path.to_owned(), other.clone());
        }
    }
}

fn figures(device: &Value) -> BTreeMap<String, Value> {
    let mut out = BTreeMap::new();
    flat(device, "", &mut out);
    out.retain(|path, _| {
        !ABOUT
            .iter()
            .any(|about| path == about || path.starts_with(about))
    });
    out
}

/// How a figure of a masked recording compares with that of the complete one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kept {
    Equal,
    Absent,
    /// It differs by a rule of [`OTHERWISE`].
    Otherwise(&'static str),
    Wrong,
}

/// Tallies by mask, role and figure, and what is wrong.
#[derive(Default)]
struct Findings {
    outcomes: BTreeMap<(&'static str, String, String), BTreeMap<Kept, u32>>,
    wrong: Vec<String>,
    used: BTreeSet<&'static str>,
}

fn of_time(path: &str) -> bool {
    path.starts_with("throughput.")
        || ["per_second_64k", "busy_share"]
            .iter()
            .any(|end| path.ends_with(end))
}

fn equal(path: &str, (a, b): (&Value, &Value), spans: (f64, f64)) -> bool {
    if a == b {
        return true;
    }
    // These are per run time, which a mask shortens.
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) if of_time(path) => {
            (a * spans.0 - b * spans.1).abs() <= 1e-9 * (a * spans.0).abs().max(1.0)
        }
        _ => false,
    }
}

impl Findings {
    fn check(
        &mut self,
        name: &str,
        files: &[File],
        zones: &[ZoneNote],
        turned: fn(&[u8]) -> Vec<u8>,
    ) {
        let turned = |files: &[File]| {
            files
                .iter()
                .map(|(name, bytes)| (name.clone(), turned(bytes)))
                .collect::<Vec<File>>()
        };
        let complete = summary(&turned(files), zones);
        for mask in MASKS {
            let left = masked(files, mask);
            // A recording of reads has no writes.
            if !left.iter().any(|(_, bytes)| has_events(bytes)) {
                continue;
            }
            let document = summary(&turned(&left), zones);
            let devices = document["devices"].as_array().expect("devices");
            for whole in complete["devices"].as_array().expect("devices") {
                // A recording that has a mask already shows nothing of it.
                let found = devices
                    .iter()
                    .find(|d| d["dev"] == whole["dev"] && whole["masked"].is_null());
                if let Some(device) = found {
                    self.device(mask, name, whole, device);
                }
            }
        }
    }

    fn device(&mut self, mask: &'static str, name: &str, whole: &Value, device: &Value) {
        let (before, after) = (figures(whole), figures(device));
        let absent = device["absent"].as_object().cloned().unwrap_or_default();
        let reason = |path: &str| {
            absent.keys().any(|prefix| {
                path == prefix
                    || path
                        .strip_prefix(prefix.as_str())
                        .is_some_and(|r| r.starts_with('.'))
            })
        };
        let role = whole["role"].as_str().unwrap_or_default().to_owned();
        let spans = (
            whole["span_ns"].as_f64().unwrap_or(0.0),
            device["span_ns"].as_f64().unwrap_or(0.0),
        );
        let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for path in paths {
            let context = Context {
                mask,
                path,
                whole,
                device,
            };
            let rule = || OTHERWISE.iter().find(|rule| rule.applies(&context));
            let outcome = match (before.get(path), after.get(path)) {
                // md and dm list no issued sizes.
                (_, Some(b)) if reason(path) => {
                    if b.as_array().is_some_and(Vec::is_empty) {
                        Kept::Absent
                    } else {
                        Kept::Wrong
                    }
                }
                (Some(a), Some(b)) if equal(path, (a, b), spans) => Kept::Equal,
                (Some(_), None) if reason(path) => Kept::Absent,
                _ => rule().map_or(Kept::Wrong, |rule| Kept::Otherwise(rule.why)),
            };
            if let Kept::Otherwise(why) = outcome {
                self.used.insert(why);
            }
            if outcome == Kept::Wrong {
                let value =
                    |figure: Option<&Value>| figure.map_or("-".to_owned(), |v| format!("{v:.80}"));
                self.wrong.push(format!(
                    "{mask} {name} {} {role} {path}: {} but {}",
                    whole["dev"],
                    value(before.get(path)),
                    value(after.get(path))
                ));
            }
            *self
                .outcomes
                .entry((mask, role.clone(), path.clone()))
                .or_default()
                .entry(outcome)
                .or_default() += 1;
        }
    }
}

struct Context<'a> {
    mask: &'static str,
    path: &'a str,
    whole: &'a Value,
    device: &'a Value,
}

impl Context<'_> {
    fn had(&self, letter: char) -> bool {
        self.whole["recorded"]
            .as_str()
            .is_some_and(|all| all.contains(letter))
    }

    fn row(&self, rows: &[&str]) -> bool {
        self.device["row"]
            .as_str()
            .is_some_and(|row| rows.contains(&row))
    }

    /// Reads, discards and flushes without data have no write flag, or are counted apart.
    fn others_than_writes(&self) -> bool {
        let events =
            |device: &Value| ["Q", "D", "C"].map(|letter| device["events"][letter].clone());
        events(self.whole) != events(self.device)
    }
}

/// A figure that a mask defines otherwise.
struct Otherwise {
    masks: &'static [&'static str],
    /// Prefixes of paths.
    figures: &'static [&'static str],
    when: fn(&Context) -> bool,
    why: &'static str,
}

impl Otherwise {
    fn applies(&self, context: &Context) -> bool {
        let named = || self.figures.iter().any(|f| context.path.starts_with(f));
        self.masks.contains(&context.mask) && named() && (self.when)(context)
    }
}

const OTHERWISE: [Otherwise; 14] = [
    Otherwise {
        masks: &["D", "Q"],
        figures: &["alignment."],
        when: |c| c.whole["zones"]["appends"].as_u64() > Some(0),
        why: "only completions have the places of zone appends",
    },
    Otherwise {
        masks: &MASKS,
        figures: &["span_ns", "events.", "failed.first_ns", "failed.last_ns"],
        when: |_| true,
        why: "the run is as long as what was recorded, and only recorded events are counted",
    },
    Otherwise {
        masks: &["Q", "QC"],
        figures: &[
            "alignment.",
            "sync_share",
            "latency_ns.q2c.",
            "failed.retries.",
        ],
        when: |c| c.row(&["bio", "queue"]) && c.device["role"] == "disk",
        why: "rows are bios instead of requests",
    },
    Otherwise {
        masks: &["D", "Q"],
        figures: &["rate."],
        when: |c| c.row(&["issue", "queue"]),
        why: "rates of what was requested, in place of what was completed",
    },
    Otherwise {
        masks: &["DC", "QDC", "W"],
        figures: &["tail."],
        when: |_| true,
        why: "what a slow request waited for before D is known from Q, G, I and P",
    },
    Otherwise {
        masks: &["QC"],
        figures: &["outstanding."],
        when: |c| c.row(&["bio"]) && c.device["role"] == "disk",
        why: "bios between Q and C, in place of queue depth",
    },
    Otherwise {
        masks: &["C", "DC"],
        figures: &["seek.completed."],
        when: |c| c.row(&["completion"]),
        why: "seeks in the order of completions",
    },
    Otherwise {
        masks: &["C", "DC"],
        figures: &["alignment.stripes.", "alignment.rmw."],
        when: |c| c.row(&["completion"]),
        why: "writes of a stripe that complete together are one visit of it, and messages of md \
            are not used",
    },
    Otherwise {
        masks: &["Q"],
        figures: &["alignment.stripes.", "alignment.rmw."],
        when: |c| c.row(&["queue"]) && c.device["role"] == "stacked",
        why: "writes of a stripe that are queued together are one visit of it, and messages of md \
            are not used",
    },
    Otherwise {
        masks: &["C", "D", "Q", "DC", "QC", "QDC"],
        figures: &["mapped", "geometry_suggestion.", "alignment.members."],
        when: |_| true,
        why: "partitions and members follow from remaps (A)",
    },
    Otherwise {
        masks: &["C", "Q", "DC", "QC", "QDC"],
        figures: &[
            "waiting.",
            "starved.",
            "states.",
            "latency_ns.",
            "latency_bio_ns.",
            "alignment.",
            "sync_share",
        ],
        when: |c| c.had('X'),
        why: "a split bio is one bio without X",
    },
    Otherwise {
        masks: &["D", "DC", "QDC"],
        figures: &[
            "alignment.",
            "sync_share",
            "depth.",
            "waiting.",
            "starved.",
            "states.",
            "latency_ns.",
            "latency_bio_ns.",
            "merges.q_per_d",
        ],
        when: |c| c.had('R'),
        why: "without R, requests that were handed back are known from repeated issues only",
    },
    Otherwise {
        masks: &["QC", "QDC"],
        figures: &["alignment.stripes.", "alignment.rmw."],
        when: |c| c.whole["role"] != c.device["role"],
        why: "without remaps (A), device mapper is taken for md",
    },
    Otherwise {
        masks: &["W"],
        figures: &[""],
        when: |c| {
            c.path != "bytes.write"
                && c.path != "throughput.write_bps"
                && (c.others_than_writes() || c.path.starts_with("alignment.members."))
        },
        why: "figures of writes alone",
    },
];

fn as_recorded(file: &[u8]) -> Vec<u8> {
    file.to_vec()
}

/// Folders with per-CPU files below a folder, with what the texts beside them say of zones.
fn below(folder: &Path, found: &mut Vec<(String, Vec<File>, Vec<ZoneNote>)>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut files: Vec<File> = Vec::new();
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    for path in &paths {
        let name = path
            .file_name()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default();
        if path.is_dir() {
            below(path, found);
        } else if name
            .rsplit_once(".blktrace.")
            .is_some_and(|(_, cpu)| cpu.bytes().all(|b| b.is_ascii_digit()))
        {
            files.push((name, std::fs::read(path).expect("a recording can be read")));
        }
    }
    if !files.is_empty() {
        let texts = paths
            .iter()
            .filter(|path| path.extension().is_some_and(|end| end == "txt"));
        let zones = zone_notes_of(&texts.cloned().collect::<Vec<_>>());
        found.push((folder.to_string_lossy().into_owned(), files, zones));
    }
}

#[test]
fn every_figure_of_every_mask() {
    let mut findings = Findings::default();
    for name in RECORDINGS {
        findings.check(name, &recording(name), &[], as_recorded);
    }
    for name in ZONED {
        let files = ["trace.blktrace.0", "trace.blktrace.1"].map(|file| zoned_file(name, file));
        findings.check(
            name,
            &files,
            &zone_notes(name, &["queue.txt", "zones.txt"]),
            as_recorded,
        );
    }
    findings.check(
        "discard, big-endian",
        &recording("discard"),
        &[],
        big_endian,
    );
    let mut more = Vec::new();
    if let Some(folder) = std::env::var_os("MASK_RECORDINGS") {
        below(Path::new(&folder), &mut more);
    }
    for (name, files, zones) in &more {
        findings.check(name, files, zones, as_recorded);
    }
    for ((mask, role, path), outcomes) in &findings.outcomes {
        println!("{mask}\t{role}\t{path}\t{outcomes:?}");
    }
    assert!(
        findings.wrong.is_empty(),
        "{} figures:\n{}",
        findings.wrong.len(),
        findings.wrong.join("\n")
    );
    let unused: Vec<&str> = OTHERWISE
        .iter()
        .map(|rule| rule.why)
        .filter(|why| !findings.used.contains(why))
        .collect();
    assert_eq!(unused, Vec::<&str>::new(), "rules that nothing needs");
}
