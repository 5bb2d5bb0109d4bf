//! Which settings can explain which findings. A setting is a likely cause only where the finding's
//! own figure differs, which is why the finding exists, and only in the direction in which the
//! setting works.
//!
//! [`CAUSES`] is the table: a row says how the value of the worse side must differ, and the
//! findings that this can explain. A setting without a row explains nothing. Nothing here proves a
//! cause; the sentence says "Likely cause".

use super::settings::{SettingChange, number};
use seekscope_notes::setting::{COMMAND_LINE, MOUNT_OPTIONS, OF_SCHEDULERS, PARTITIONS};

/// How the value of the worse side differs from that of the better side.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Worse {
    /// It differs in any way.
    Other,
    /// It is a smaller number.
    Less,
    /// It is a larger number.
    More,
    /// It is a smaller number, where 0 stands for no limit.
    Tighter,
    /// It is this value.
    Is(&'static str),
    /// It has a smaller value in one of its pairs `name=value`, where `max` stands for no limit.
    Limits,
}

const WAITING: &[&str] = &["starved-while-waiting", "scheduler-slower", "depth-fell"];
/// Findings about limits before Q, which leave the device idle.
const BEFORE: &[&str] = &["throttled", "idle-grew"];
const WRITES: &[&str] = &["writes-throttled"];
const FULL: &[&str] = &["tags-exhausted"];
const ORDER: &[&str] = &["reordering-fell", "seeks-grew", "interleaving-grew"];
const SIZES: &[&str] = &["requests-smaller", "merging-stopped"];
const LIMITS: &[&str] = &["requests-split", "requests-smaller", "merging-stopped"];
const SYNC: &[&str] = &["flushes-appeared", "fua-appeared"];
const STRIPES: &[&str] = &["alignment-lost", "rmw-cost"];
const PLACE: &[&str] = &[
    "alignment-lost",
    "rmw-cost",
    "off-physical-block",
    "placement-moved",
];

/// The setting, how it must differ, and the findings that it can explain.
const CAUSES: [(&str, Worse, &[&[&str]]); 42] = [
    (
        "scheduler",
        Worse::Other,
        &[WAITING, FULL, ORDER, &["merging-stopped"]],
    ),
    ("slice_idle", Worse::More, &[WAITING]),
    ("slice_idle", Worse::Less, &[ORDER]),
    ("slice_idle_us", Worse::More, &[WAITING]),
    ("slice_idle_us", Worse::Less, &[ORDER]),
    ("group_idle", Worse::More, &[WAITING]),
    ("group_idle", Worse::Less, &[ORDER]),
    ("async_depth", Worse::Less, &[WAITING]),
    ("front_merges", Worse::Less, &[SIZES]),
    ("nr_requests", Worse::Less, &[WAITING, FULL]),
    ("queue_depth", Worse::Less, &[WAITING, FULL]),
    ("nr_hw_queues", Worse::Less, &[WAITING, FULL]),
    ("wbt_lat_usec", Worse::Tighter, &[WAITING, WRITES]),
    ("wbt min_lat_nsec", Worse::Tighter, &[WAITING, WRITES]),
    (
        "read_ahead_kb",
        Worse::Less,
        &[&["readahead-shrank", "requests-smaller"]],
    ),
    ("max_sectors_kb", Worse::Less, &[LIMITS]),
    ("max_hw_sectors_kb", Worse::Less, &[LIMITS]),
    ("max_segments", Worse::Less, &[LIMITS]),
    ("max_segment_size", Worse::Less, &[LIMITS]),
    ("nomerges", Worse::More, &[SIZES]),
    ("chunk_sectors", Worse::Other, &[LIMITS, STRIPES]),
    ("write_cache", Worse::Is("write back"), &[SYNC]),
    (
        "write_cache",
        Worse::Is("write through"),
        &[&["write-through", "device-slower"]],
    ),
    ("rq_affinity", Worse::Less, &[&["completions-migrated"]]),
    ("fua", Worse::Is("1"), &[&["fua-appeared"]]),
    ("fua", Worse::Is("0"), &[&["flushes-appeared"]]),
    (
        "filesystem",
        Worse::Other,
        &[
            SYNC,
            STRIPES,
            &["requests-smaller", "seeks-grew", "placement-moved"],
        ],
    ),
    ("level", Worse::Other, &[STRIPES]),
    ("raid_disks", Worse::Other, &[STRIPES]),
    ("chunk_bytes", Worse::Other, &[STRIPES]),
    ("layout", Worse::Other, &[STRIPES]),
    (
        "data_offset_sectors",
        Worse::Other,
        &[STRIPES, &["off-physical-block"]],
    ),
    ("start_sector", Worse::Other, &[PLACE]),
    (PARTITIONS, Worse::Other, &[PLACE]),
    ("dm table", Worse::Other, &[PLACE, &["device-slower"]]),
    ("stripe_cache_size", Worse::Less, &[&["rmw-cost"]]),
    ("rmw_level", Worse::Other, &[&["rmw-cost"]]),
    ("degraded", Worse::More, &[&["rmw-cost"]]),
    ("discard_max_bytes", Worse::Other, &[&["not-the-same-work"]]),
    ("io.max", Worse::Limits, &[WAITING, BEFORE]),
    ("io.latency", Worse::Other, &[WAITING, FULL]),
    ("io.low", Worse::Other, &[WAITING, BEFORE]),
];

/// Settings of control groups that share out the device: weights and models.
const SHARES: [&str; 5] = [
    "io.weight",
    "io.bfq.weight",
    "io.cost.qos",
    "io.cost.model",
    "io.prio.class",
];

/// Options of a mounted file system: the option (or its begin, if it ends with `=`), whether the
/// worse side (true) or the better one must have it, and the findings that this can explain.
const OPTIONS: [(&str, bool, &[&[&str]]); 10] = [
    ("barrier", true, &[SYNC]),
    ("nobarrier", false, &[SYNC]),
    ("barrier=0", false, &[SYNC]),
    (
        "sync",
        true,
        &[SYNC, &["sync-changed", "requests-smaller", "depth-fell"]],
    ),
    ("dirsync", true, &[SYNC, &["sync-changed"]]),
    ("commit=", true, &[SYNC]),
    ("data=", true, &[SYNC]),
    ("discard", true, &[&["not-the-same-work"]]),
    ("discard", false, &[&["not-the-same-work"]]),
    ("stripe=", false, &[STRIPES]),
];

/// What else the comparison shows, on which some causes depend.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown {
    /// Whether discarded bytes differ.
    pub discards: bool,
    /// Whether most bytes are written.
    pub writes: bool,
}

/// Whether a change can explain a finding; `swapped`: the baseline is the worse side.
pub fn explains(code: &str, change: &SettingChange, swapped: bool, shown: Shown) -> bool {
    if !change.concerns || (code == "not-the-same-work" && !shown.discards) {
        return false;
    }
    // Readahead concerns reads, and writeback throttling writes.
    if change.name.starts_with("wbt") && !shown.writes
        || change.name == "read_ahead_kb" && shown.writes
    {
        return false;
    }
    let (old, new) = (change.values.0.as_deref(), change.values.1.as_deref());
    let (good, bad) = if swapped { (new, old) } else { (old, new) };
    let any = |codes: &[&[&str]]| codes.iter().any(|codes| codes.contains(&code));
    // Settings of a control group are named after it.
    let name = change.name.rsplit('/').next().unwrap_or(&change.name);
    match name {
        MOUNT_OPTIONS => {
            let has = |options: Option<&str>, option: &str| {
                options.is_some_and(|all| {
                    all.split(',').any(|word| {
                        if option.ends_with('=') {
                            word.starts_with(option)
                        } else {
                            word == option
                        }
                    })
                })
            };
            OPTIONS.iter().any(|(option, on_worse, codes)| {
                has(if *on_worse { bad } else { good }, option) && any(codes)
            })
        }
        COMMAND_LINE => {
            let names = ["elevator=", "use_blk_mq="];
            let named = |words: Option<&str>| {
                words.is_some_and(|words| names.iter().any(|name| words.contains(name)))
            };
            (named(good) || named(bad)) && any(&[WAITING, ORDER])
        }
        _ if name.starts_with("vm.dirty") => shown.writes && any(&[SIZES, ORDER, &["depth-fell"]]),
        _ if name.starts_with("blkio.throttle.") => any(&[WAITING, BEFORE]),
        _ if SHARES.contains(&name) || name.starts_with("blkio.") => any(&[WAITING]),
        _ => {
            let rows = CAUSES.iter().filter(|(setting, ..)| *setting == name);
            let mut rows = rows.peekable();
            if rows.peek().is_none() {
                return OF_SCHEDULERS.contains(&name) && any(&[WAITING, ORDER]);
            }
            let (Some(good), Some(bad)) = (good, bad) else {
                return false;
            };
            rows.any(|(_, worse, codes)| worse.holds(good, bad) && any(codes))
        }
    }
}

impl Worse {
    fn holds(self, good: &str, bad: &str) -> bool {
        let numbers = number(good).zip(number(bad));
        match self {
            Worse::Other => true,
            Worse::Less => numbers.is_some_and(|(good, bad)| bad < good),
            Worse::More => numbers.is_some_and(|(good, bad)| bad > good),
            Worse::Tighter => {
                numbers.is_some_and(|(good, bad)| bad > 0.0 && (good <= 0.0 || bad < good))
            }
            Worse::Is(value) => bad == value,
            Worse::Limits => {
                let limits = |text: &'_ str| {
                    let pairs = text
                        .split_whitespace()
                        .filter_map(|word| word.split_once('='));
                    pairs
                        .map(|(name, limit)| {
                            (name.to_owned(), number(limit).unwrap_or(f64::INFINITY))
                        })
                        .collect::<Vec<_>>()
                };
                let good_limits = limits(good);
                let good_limit = |name: &str| {
                    good_limits
                        .iter()
                        .find(|(other, _)| other == name)
                        .map_or(f64::INFINITY, |(_, limit)| *limit)
                };
                limits(bad)
                    .iter()
                    .any(|(name, limit)| *limit < good_limit(name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(name: &str, old: &str, new: &str) -> SettingChange {
        let value = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        SettingChange {
            name: name.to_owned(),
            devices: Vec::new(),
            values: (value(old), value(new)),
            concerns: true,
        }
    }

    fn explained(code: &str, name: &str, old: &str, new: &str) -> bool {
        explains(
            code,
            &change(name, old, new),
            false,
            Shown {
                discards: true,
                writes: name != "read_ahead_kb",
            },
        )
    }

    #[test]
    fn only_in_the_direction_in_which_a_setting_works() {
        assert!(explained(
            "readahead-shrank",
            "read_ahead_kb",
            "4096",
            "128"
        ));
        assert!(!explained(
            "readahead-shrank",
            "read_ahead_kb",
            "128",
            "4096"
        ));
        assert!(explained("depth-fell", "nr_requests", "256", "4"));
        assert!(!explained("depth-fell", "nr_requests", "4", "256"));
        assert!(explained("starved-while-waiting", "slice_idle", "0", "8"));
        assert!(!explained("starved-while-waiting", "slice_idle", "8", "0"));
        assert!(explained("interleaving-grew", "slice_idle", "8", "0"));
        assert!(explained("scheduler-slower", "wbt_lat_usec", "0", "2000"));
        assert!(!explained("scheduler-slower", "wbt_lat_usec", "2000", "0"));
        assert!(explained(
            "flushes-appeared",
            "write_cache",
            "write through",
            "write back"
        ));
        assert!(explained(
            "flushes-appeared",
            MOUNT_OPTIONS,
            "nobarrier",
            ""
        ));
        assert!(!explained(
            "flushes-appeared",
            MOUNT_OPTIONS,
            "",
            "nobarrier"
        ));
        assert!(explained(
            "depth-fell",
            "a/io.max",
            "rbps=max wbps=max",
            "rbps=max wbps=1048576"
        ));
        assert!(!explained(
            "depth-fell",
            "a/io.max",
            "rbps=max wbps=1048576",
            "rbps=max wbps=max"
        ));
        // The baseline is worse.
        assert!(explains(
            "depth-fell",
            &change("nr_requests", "4", "256"),
            true,
            Shown::default()
        ));
    }

    #[test]
    fn only_what_it_can_explain() {
        assert!(explained("rmw-cost", "chunk_bytes", "262144", "524288"));
        assert!(!explained("rmw-cost", "read_ahead_kb", "4096", "128"));
        let (writes, reads) = (
            Shown {
                writes: true,
                ..Shown::default()
            },
            Shown::default(),
        );
        assert!(!explains(
            "requests-smaller",
            &change("read_ahead_kb", "4096", "128"),
            false,
            writes
        ));
        assert!(!explains(
            "depth-fell",
            &change("wbt_lat_usec", "0", "2000"),
            false,
            reads
        ));
        assert!(!explained("requests-smaller", "add_random", "1", "0"));
        assert!(!explained("device-slower", "scheduler", "none", "bfq"));
        let other_disk = SettingChange {
            concerns: false,
            ..change("scheduler", "none", "bfq")
        };
        assert!(!explains(
            "depth-fell",
            &other_disk,
            false,
            Shown::default()
        ));
        assert!(!explains(
            "not-the-same-work",
            &change("discard_max_bytes", "0", "1"),
            false,
            Shown::default()
        ));
    }

    #[test]
    fn every_finding_of_the_table_exists() {
        let codes = CAUSES
            .iter()
            .flat_map(|(_, _, codes)| codes.iter())
            .chain(OPTIONS.iter().flat_map(|(_, _, codes)| codes.iter()));
        for code in codes.flat_map(|codes| codes.iter()) {
            assert!(!super::super::wording::finding(code).is_empty(), "{code}");
        }
    }
}
