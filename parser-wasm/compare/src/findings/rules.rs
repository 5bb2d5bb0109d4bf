//! The table of rules: which are applied in which order, what they say in words, and which findings
//! are effects of others.

use super::{
    Case, Draft, cache, device, differs, drift, failed, flush, incomplete, nothing, objects,
    requests, settings, tail, waiting,
};

/// Returns a draft if the rule holds.
type Rule = fn(&Case) -> Option<Draft>;

/// Rules about time, in the order of findings of equal weight.
pub const OF_TIME: [Rule; 13] = [
    waiting::stalled::stalled,
    waiting::timer::waited,
    waiting::writes::throttled,
    waiting::starved::starved,
    waiting::throttled::throttled,
    waiting::idle::grew,
    waiting::tags::exhausted,
    waiting::layer::slower,
    objects::serialised::serialised,
    waiting::depth::fell,
    waiting::scheduler::slower,
    cache::through,
    device::slower,
];
/// Rules about other changes, in the order of findings of equal weight.
pub const OF_CHANGE: [Rule; 23] = [
    objects::structures::journal,
    objects::fragmented::fragmented,
    objects::elsewhere::placed,
    objects::structures::metadata,
    objects::writers::others,
    requests::alignment::lost,
    requests::alignment::rmw,
    requests::block::off,
    requests::order::fell,
    requests::seeks::grew,
    requests::seeks::interleaving,
    requests::readahead::shrank,
    requests::split::split,
    requests::sizes::merging_stopped,
    requests::sizes::smaller,
    flush::flushes,
    flush::fua,
    requests::sync::changed,
    requests::placement::moved,
    requests::order::migrated,
    requests::zones::resets,
    requests::zones::off_pointer,
    tail::cause,
];

/// Causes, and the findings that are their effects. The order matters: a finding that was removed
/// as an effect does not remove others.
pub const EFFECTS: [(&[&str], &[&str]); 15] = [
    (
        &["unplug-timer"],
        &["starved-while-waiting", "scheduler-slower", "depth-fell"],
    ),
    // Tags hold back reads, too.
    (
        &["writes-throttled"],
        &[
            "starved-while-waiting",
            "scheduler-slower",
            "tags-exhausted",
        ],
    ),
    (
        &["readahead-shrank"],
        &["requests-smaller", "depth-fell", "idle-grew"],
    ),
    (
        &["flushes-appeared", "fua-appeared"],
        &["device-slower", "scheduler-slower", "depth-fell"],
    ),
    // One request at a time leaves the device idle.
    (&["same-file-serialised"], &["depth-fell", "idle-grew"]),
    // The pieces of a file are apart.
    (&["file-fragmented"], &["seeks-grew"]),
    // What moved is known by name.
    (&["placed-elsewhere"], &["placement-moved"]),
    // The medium is slower than the cache.
    (&["write-through"], &["device-slower"]),
    // Requests at the limit of their size merge no more bios.
    (&["requests-split"], &["merging-stopped"]),
    // What is not sorted needs seeks, and what waits for slower requests waits longer.
    (
        &["reordering-fell"],
        &["seeks-grew", "device-slower", "scheduler-slower"],
    ),
    // Bios that are held back before Q leave the device idle.
    (&["throttled"], &["idle-grew"]),
    // A device without requests has a shallow queue.
    (&["idle-grew", "throttled"], &["depth-fell"]),
    // A start off the stripe is off its blocks, too.
    (&["alignment-lost"], &["off-physical-block"]),
    (
        &[
            "requests-smaller",
            "merging-stopped",
            "readahead-shrank",
            "requests-split",
        ],
        &["device-slower"],
    ),
    (
        &["seeks-grew", "rmw-cost", "off-physical-block"],
        &["device-slower"],
    ),
];

/// The rule of a finding in words, with the thresholds that decide it, by its code.
pub(crate) fn in_words(code: &str) -> String {
    match code {
        "stalled" => waiting::stalled::rule(),
        "unplug-timer" => waiting::timer::rule(),
        "writes-throttled" => waiting::writes::rule(),
        "starved-while-waiting" => waiting::starved::rule(),
        "throttled" => waiting::throttled::rule(),
        "idle-grew" => waiting::idle::rule(),
        "tags-exhausted" => waiting::tags::rule(),
        "depth-fell" => waiting::depth::rule(),
        "scheduler-slower" => waiting::scheduler::rule(),
        "other-process" => waiting::other_process::rule(),
        "write-through" => cache::rule(),
        "device-slower" => device::rule(),
        "behaves-differently" => differs::rule(),
        "drift-within-run" => drift::rule(),
        "failures-appeared" => failed::rule(),
        "trace-incomplete" => incomplete::incomplete_rule(),
        "not-the-same-work" => incomplete::other_work_rule(),
        "no-real-difference" => nothing::rule(),
        "setting-changed" => settings::rule(),
        "tail-cause" => tail::rule(),
        "alignment-lost" => requests::alignment::lost_rule(),
        "rmw-cost" => requests::alignment::rmw_rule(),
        "off-physical-block" => requests::block::rule(),
        "reordering-fell" => requests::order::fell_rule(),
        "completions-migrated" => requests::order::migrated_rule(),
        "placement-moved" => requests::placement::rule(),
        "readahead-shrank" => requests::readahead::rule(),
        "seeks-grew" => requests::seeks::grew_rule(),
        "interleaving-grew" => requests::seeks::interleaving_rule(),
        "requests-smaller" => requests::sizes::smaller_rule(),
        "merging-stopped" => requests::sizes::merging_stopped_rule(),
        "requests-split" => requests::split::rule(),
        "sync-changed" => requests::sync::rule(),
        "zone-resets" => requests::zones::resets_rule(),
        "off-write-pointer" => requests::zones::off_pointer_rule(),
        "layer-slower" => waiting::layer::rule(),
        "journal-grew" => objects::structures::journal_rule(),
        "metadata-grew" => objects::structures::metadata_rule(),
        "file-fragmented" => objects::fragmented::rule(),
        "placed-elsewhere" => objects::elsewhere::rule(),
        "written-by-others" => objects::writers::rule(),
        "same-file-serialised" => objects::serialised::rule(),
        "flushes-appeared" | "fua-appeared" => flush::rule(),
        _ => String::new(),
    }
}
