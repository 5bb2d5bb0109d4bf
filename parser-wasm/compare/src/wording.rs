//! All sentences of a comparison. `{name}` is a parameter or a side, `[...]` is left out unless its
//! parameters are known.
//!
//! `good` is the faster side, or the baseline where neither is faster; `bad` is the other one.
//!
//! Measured values are parameters, because each output formats numbers in its own way
//! (`sentence.rs`). A name that the rule does not supply prints nothing, so a misspelt one is found
//! only by a test of the sentence. Codes are part of documents and links, and must not change;
//! sentences may.

use super::assumed_change::AssumedChange;
use super::values::ShareOf;
use seekscope_trace::protocol::{labels, words_of_match};
use seekscope_trace::store::lanes::LaneLimiter;

words_of_match!(FindingCode, finding);
words_of_match!(RunFindingCode, alone);

labels! {
    /// What a finding is about in a few words, for lists: the first word of a row.
    FINDING_TITLES {
        "starved-while-waiting" => "Idle while requests waited",
        "idle-grew" => "Idle with no requests",
        "throttled" => "Held back by a limit of a control group",
        "stalled" => "The device stalled",
        "unplug-timer" => "Waited for the unplug timer",
        "writes-throttled" => "Writes held back before their allocation",
        "tags-exhausted" => "Waited for tags",
        "depth-fell" => "Fewer requests in flight",
        "scheduler-slower" => "Waits before the device",
        "device-slower" => "Slower in the device",
        "alignment-lost" => "Stripes written partially",
        "off-physical-block" => "Writes off the physical block",
        "rmw-cost" => "Extra I/O for parity",
        "reordering-fell" => "Requests sorted less",
        "completions-migrated" => "Completed on another CPU",
        "seeks-grew" => "More seeks",
        "interleaving-grew" => "Processes alternate more",
        "readahead-shrank" => "Smaller readahead",
        "merging-stopped" => "Bios merged less",
        "requests-split" => "Requests split at a limit",
        "zone-resets" => "More actions on zones",
        "off-write-pointer" => "Writes off the write pointer",
        "requests-smaller" => "Smaller requests",
        "flushes-appeared" => "More flushes",
        "fua-appeared" => "More forced writes",
        "write-through" => "Writes to the medium instead of the cache",
        "sync-changed" => "Sync requests changed",
        "drift-within-run" => "Changed within the run",
        "placement-moved" => "Data moved on the disk",
        "no-real-difference" => "No real difference",
        "behaves-differently" => "Behaves differently",
        "tail-cause" => "Slowest 1%",
        "setting-changed" => "Settings changed",
        "other-process" => "Another process",
        "failures-appeared" => "Requests failed",
        "trace-incomplete" => "The recording is incomplete",
        "not-the-same-work" => "Not the same work",
        "layer-slower" => "Slower between the layers",
        "journal-grew" => "More journal",
        "metadata-grew" => "More metadata",
        "file-fragmented" => "A file in more pieces",
        "placed-elsewhere" => "Placed elsewhere",
        "written-by-others" => "Written by another task",
        "same-file-serialised" => "Serialised at one file",
        "stalled-at-times" => "The device stalled",
        "held-back" => "Idle while requests waited",
        "mostly-idle" => "Idle with no requests",
        "waiting-for-tags" => "Waited for tags",
        "waiting-for-unplug-timer" => "Waited for the unplug timer",
        "waiting-before-issue" => "Waits before the device",
        "flushes-in-flight" => "Flushes",
        "queue-shallow" => "A shallow queue",
        "device-slower-at-times" => "Slower in the device at times",
        "slow-tail" => "Slowest 1%",
        "writes-off-block" => "Writes off the physical block",
        "partial-stripes" => "Stripes written partially",
        "small-requests" => "Small requests",
        "requests-failed" => "Requests failed",
        "events-missing" => "The recording is incomplete",
        "nothing-held-back" => "Nothing held it back",
    }
}

/// The condition of a bound.
pub fn assumed(change: AssumedChange) -> &'static str {
    match change {
        AssumedChange::NoStarvedTime => "If the device were never idle while requests wait, ",
        AssumedChange::FreeFlushes => "If flushes took no time, ",
        AssumedChange::Merged => "If adjacent requests were merged, ",
        AssumedChange::DeeperQueue => "With {depth} requests in flight on average, ",
    }
}

/// What follows the condition of a bound that excludes a gain.
pub const NO_GAIN: &str = "{bad} would complete no more per second.";

/// What follows the condition of any other bound.
pub const GAIN: &str = "{bad} would complete [{min} to ][{only_max}at most ]{max} times as much \
    per second.";

/// The sentence of a finding about two sides, by its code.
#[expect(
    clippy::too_many_lines,
    reason = "a table: the sentence of each finding"
)]
pub fn finding(code: &str) -> &'static str {
    match code {
        "starved-while-waiting" => {
            "{bad}: the device was idle for {share} of the run while requests waited ({good}: \
                {share_good})."
        }
        "idle-grew" => {
            "{bad}: the device was idle, with no request waiting, for {share} of the run ({good}: \
                {share_good}): requests arrived more slowly."
        }
        "throttled" => {
            "{bad}: a limit of a control group (blk-throttle: io.max) held bios back before Q for \
                {share} of the run ({good}: {share_good})[; limit: {limits}]."
        }
        "stalled" => {
            "{bad} {did} for {longest} with {requests} outstanding[, the longest of {count} \
                stalls ({all} in all)]; {good} {good_did}[ for {longest_good} at most]."
        }
        "unplug-timer" => {
            "{bad}: requests waited for the unplug timer for {share} of the run ({good}: \
                {share_good}), {mean} on average: nobody released their plug (plugs: {count})."
        }
        "writes-throttled" => {
            "{bad}: writes waited {q2g} from Q to G on average[, reads {reads}], with {depth} \
                requests in flight ({good}: {depth_good}): a limit of writes, such as writeback \
                throttling (wbt), held them back."
        }
        "tags-exhausted" => {
            "{bad}: the queue was full with {depth} requests in flight, and bios waited for a free \
                one for {waiting} of the run ({good}: {waiting_good}); Q2G {q2g} on average \
                ({good}: {q2g_good})."
        }
        "depth-fell" => {
            "{bad}: {depth} requests in flight on average ({good}: {depth_good}), although the \
                device answered no slower."
        }
        "scheduler-slower" => {
            "{bad}: requests waited {q2d} from Q to D on average ({good}: {q2d_good}), {part} of \
                their total time."
        }
        "device-slower" => {
            "{bad}: D2C took {d2c} on average ({good}: {d2c_good}); while busy, the device \
                completed only {rate} as much per second."
        }
        "alignment-lost" => {
            "{bad}: [{partial} of {stripes} stripes written partially ({good}: {partial_good} of \
                {stripes_good}); ]\
             {straddles} of the bytes straddle a unit boundary ({good}: \
             {straddles_good})[{no_slower}, although {bad} was no slower]."
        }
        "off-physical-block" => {
            "{bad}: {off} of the writes are not aligned to the device's physical blocks of {block} \
                ({good}: {off_good}): it reads such a block \
             before it writes a part of it[{assumed}. The notes have no physical_block_size; 4 KiB \
             is assumed]."
        }
        "rmw-cost" => {
            "{bad}: partial stripes cost {extra} of extra reads and writes on the members, {cost} \
                of the bytes written \
             ({good}: {extra_good}).[ {members} of {of} members counted {read} of extra reads and \
             {write} of extra writes[ ({good}: \
             {counted_good} in total)].]"
        }
        "reordering-fell" => {
            "{bad}: requests were sorted less: the device had to seek {distance} on average, \
                {queued} in the order of the queue \
             ({good}: {distance_good} and {queued_good})."
        }
        "completions-migrated" => {
            "{bad}: {migrated} of the requests completed on another CPU than they were queued on \
                ({good}: {migrated_good})."
        }
        "seeks-grew" => "{bad}: {seeks} of the requests needed a seek ({good}: {seeks_good}).",
        "interleaving-grew" => {
            "{bad}: {switches} of the requests switched process ({good}: {switches_good})."
        }
        "readahead-shrank" => {
            "{bad}: [readahead requests were smaller, {size} on average as {at} ({good}: \
                {size_good})][less was read ahead at a time, {window} on average ({good}: \
                {window_good}), with {depth} requests in flight ({good}: {depth_good})]."
        }
        "merging-stopped" => {
            "{bad}: fewer bios were merged, {bios} per request ({good}: {bios_good})."
        }
        "requests-split" => {
            "{bad}: requests were split: none is larger than {cap}, the size of requests with \
                {share} of the bytes ({good}: up to {cap_good})."
        }
        "zone-resets" => {
            "{bad}: zones were reset, opened, closed or finished {actions} times per 100 writes \
                ({good}: {actions_good})."
        }
        "off-write-pointer" => {
            "{bad}: {share} of the writes to zones were off the write pointer ({good}: \
                {share_good}); a host-managed disk refuses them."
        }
        "requests-smaller" => {
            "{bad}: requests were smaller, {size} on average as {at} ({good}: {size_good})."
        }
        "flushes-appeared" => {
            "{bad}: {flushes} flushes per 100 writes ({good}: {flushes_good})[, one for {per} \
                writes][; {sync} of the requests were sync \
             ({good}: {sync_good})].[{each} About each write is made durable by itself: O_SYNC, \
             O_DSYNC, or fsync after it.][ Flushes were in flight for {busy} of the run.]"
        }
        "fua-appeared" => {
            "{bad}: {fua} of 100 writes were forced to the medium by FUA ({good}: {fua_good})[, \
                one of {per} writes][; {sync} of the requests \
             were sync ({good}: {sync_good})].[{each} About each write is made durable by itself: \
             O_SYNC, O_DSYNC, or fsync after it.]"
        }
        "write-through" => {
            "{bad}: the device[{unsure} probably] writes through its cache: D2C took {d2c} on \
                average ({good}: {d2c_good})[, and the kernel sends no \
             flushes ({good}: {flushes} per 100 writes)]."
        }
        "sync-changed" => "{bad}: {sync} of the requests were sync ({good}: {sync_good}).",
        "drift-within-run" => {
            "{bad}: throughput was {second} in the second half of the run and {first} in the first \
                ({by}[; D2C {d2c} and {d2c_first}][; {depth} \
             and {depth_first} requests in flight]). In {good} it changed by {by_good}."
        }
        "placement-moved" => {
            "The accessed data moved: half of it is below {middle} in {bad}, below {middle_good} \
                in {good}."
        }
        "layer-slower" => {
            "{bad}: requests spent {layer} in this layer on average ({good}: {layer_good}), and \
                {below} with the devices below ({good}: {below_good})."
        }
        "journal-grew" => {
            "{bad}: {written} of journal were written for {files} of files, {time} of the time in \
                the device ({good}: [{written_good} for {files_good}][{none}no journal])."
        }
        "metadata-grew" => {
            "{bad}: {written} of the file system's own structures were written for {files} of \
                files, {time} of the time in the device ({good}: [{written_good} for \
                {files_good}][{none}none])."
        }
        "file-fragmented" => {
            "{bad}: {file} lies in[ {extents} extents ({good}: {extents_good}):] pieces that are \
                apart; {disk} of its requests begin where the one before ended on the disk \
                ({good}: {disk_good})."
        }
        "placed-elsewhere" => {
            "{bad}: {object}, which has {requests} of the requests, begins at {place} of the disk \
                ({good}: {place_good})."
        }
        "written-by-others" => {
            "{bad}: {names} wrote {written}, {share} of what was written to files; no task of \
                that name wrote to files in {good}."
        }
        "same-file-serialised" => {
            "{bad}: {processes} processes use {file}, but only {depth} requests are in flight on \
                average ({good}: {depth_good}), and none waits before the device, which is no \
                slower: something above the block layer serialises them, such as the lock of the \
                inode."
        }
        "no-real-difference" => {
            "No significant difference: {value} in {good}, {value_bad} in {bad}[{unsure}, which is \
                not to say that they are equal].[ Other changes: {changes}.]"
        }
        "behaves-differently" => {
            "The block layer behaves differently in {good} and {bad}: {changes}[; and {more} \
                more]. No rule names the cause."
        }
        "tail-cause" => {
            "{bad}: the slowest 1% of the requests took more than {p99} ({good}: {p99_good}). \
                {share} of their time: {cause} \
             ({good}: {share_good})."
        }
        "setting-changed" => {
            "Settings changed from {base} to {other}: {changes}[; and {more} more]."
        }
        "other-process" => {
            "{bad}: {name} did {requests} of the requests ({device} of the time in the device), \
                and is not in {good}; requests of {common} took {q2c} on average next to it \
                ({good}: {q2c_good})."
        }
        "failures-appeared" => {
            "{bad}: {failed} of {all} requests failed[ in {runs}] ({good}: {failed_good} of \
                {all_good}): {errors}; {operations}[; {bytes} in all].[ Issued again: {again}, of \
                which {succeeded} succeeded and {failed_again} failed again.]"
        }
        "trace-incomplete" => {
            "Events are missing. {runs}. Depth, waiting and latency figures are unreliable."
        }
        "not-the-same-work" => "The work differs: {why}.",
        _ => "",
    }
}

/// The sentence of a finding about one run, by its code.
pub fn alone(code: &str) -> &'static str {
    match code {
        "held-back" => {
            "The device was idle for {share} of the run while requests[ of {processes} processes] \
                waited. Requests completed at \
             {iops}[; while nobody was held back, at {free}][; while requests were in flight, at \
             {busy}]."
        }
        "stalled-at-times" => {
            "The device {did} for {longest} with {requests} outstanding[; it stalled {count} times, \
                {all} in all]."
        }
        "mostly-idle" => {
            "The device was idle, with no request waiting, for {share} of the run. Requests \
                completed at {iops}[; while requests \
             were in flight, at {busy}]. The application requested no more, or a limit before Q \
             held it back."
        }
        "waiting-for-tags" => {
            "Requests waited {q2g} for a tag or a limit on average (Q2G), {part} of their time. A \
                bio waited while \
             requests were in flight for {share} of the run, {depth} on average."
        }
        "waiting-for-unplug-timer" => {
            "Requests waited for the unplug timer for {share} of the run, {mean} on average: nobody \
                released their plug (plugs: {count})."
        }
        "waiting-before-issue" => {
            "Requests waited {q2d} from Q to D on average, {part} of their time; the device \
                answered in {d2c}."
        }
        "flushes-in-flight" => {
            "Flushes were in flight for {busy} of the run: {flushes} flushes for {writes} written."
        }
        "queue-shallow" => {
            "In the best {best} of the run requests completed at {rate_best} while the device was \
                busy, with {depth_best} in flight; otherwise at {rate}, with {depth}."
        }
        "device-slower-at-times" => {
            "From {from} to {to} the device answered in {d2c} on average, with {depth} in flight; \
                otherwise in {d2c_rest}, with {depth_rest}."
        }
        "slow-tail" => {
            "The slowest 1% of the requests took more than {p99} ({stage}), the median {median}. \
                {share} of their time: {cause}."
        }
        "writes-off-block" => {
            "{off} of the writes are not aligned to 4 KiB[; the device's physical blocks have \
                {block}]: a device with such blocks reads and \
             rewrites them."
        }
        "partial-stripes" => {
            "[{partial} of {stripes} stripes written partially; ]{straddles} of the bytes straddle \
                a unit boundary[; parity costs {extra} \
             of extra reads and writes]."
        }
        "small-requests" => {
            "Requests are small, {size} on average as issued, although {sequential} of them are \
                sequential."
        }
        "requests-failed" => {
            "{failed} of {all} requests failed: {errors}; {operations}[; {bytes} in all].[ Whose \
                they were: {who}.][ Issued again: {again}, of which {succeeded} succeeded and \
                {failed_again} failed again.]"
        }
        "events-missing" => {
            "Events are missing[: {lost} lost]. What held requests back is not explained from what \
                is left."
        }
        "nothing-held-back" => {
            "[What held requests back cannot be seen: {missing}.][Nothing was held back: starved \
                for {starved}, idle for {idle} of the run[, with {depth} in flight on average]. \
                Requests waited {q2d} for their issue[, and the device answered in {d2c}].]\
                [Too few requests were recorded to show what held them back: {completed} \
                completed.]"
        }
        _ => "",
    }
}

/// What held requests back, by its own tracepoints; follows the sentence of a finding.
pub const HELD: &str = " While requests waited, {reasons}[; and {more} more].";

/// What a limiter did, by the name of its lane.
pub fn held(limiter: LaneLimiter, lane: &str) -> &'static str {
    use LaneLimiter::{Iocost, Kyber, Tags, Wbt};
    match (limiter, lane) {
        (Wbt, "background") => {
            "wbt limited background writes to {value} in flight ({good}: [{value_good}][{none}no \
                limit])"
        }
        (Wbt, "normal") => {
            "wbt limited other writes to {value} in flight ({good}: [{value_good}][{none}no limit])"
        }
        (Kyber, "throttled") => "requests held back by kyber: {value} ({good}: {value_good})",
        (Kyber, "read depth") => {
            "kyber limited reads to {value} in flight ({good}: [{value_good}][{none}no limit])"
        }
        (Kyber, "write depth") => {
            "kyber limited writes to {value} in flight ({good}: [{value_good}][{none}no limit])"
        }
        (Iocost, "vrate") => {
            "iocost issued at {value} of the rate of its model ({good}: [{value_good}][{none}no \
                limit])"
        }
        (Iocost, "shortages") => {
            "groups that waited for their share by iocost: {value} on average ({good}: \
                {value_good})"
        }
        (Tags, "scheduler tags") => "waits for a scheduler tag: {value} ({good}: {value_good})",
        (Tags, "hardware tags") => "waits for a hardware tag: {value} ({good}: {value_good})",
        _ => "",
    }
}

/// A limit of blk-throttle.
pub const THROTTLE_LIMIT: &str = "{what} {limit}";

/// Whose requests a finding concerns.
pub fn who(whole: ShareOf) -> &'static str {
    match whole {
        ShareOf::Requests => "Requests by process: {who}.",
        ShareOf::Waiting => "Whose requests waited from Q to D: {who}.",
        ShareOf::Starved => "Whose requests waited while the device was idle: {who}.",
        ShareOf::Device => "Whose requests were in the device: {who}.",
        ShareOf::Bytes => "Bytes by partition: {who}.",
        ShareOf::Throttled => "Whose bios were held back: {who}.",
        ShareOf::Flushes => "Who flushed or forced writes: {who}.",
        ShareOf::Failed => "Whose requests failed: {who}.",
        ShareOf::Objects => "Time in the device by file and structure: {who}.",
        ShareOf::Writers => "Bytes by the task whose data it is: {who}.",
    }
}
/// One of the names, with its share.
pub const SHARE: &str = "{name} {share}";
/// When the effect of a finding was strongest; times since the first event of the run.
pub const WHEN: &str = "{share} of the effect is within {of_run} of the run, most from {from} to \
    {to}[ ({many} intervals in all)].";
/// For an effect that is not concentrated in intervals.
pub const THROUGHOUT: &str = "The effect is spread over the run.";

/// Changed settings that can explain a finding; follows its sentence.
pub const CAUSE: &str = " Likely cause: {changes}[; and {more} more].";
/// One of the changed settings.
pub const CAUSED: &str = "{setting} {value} ({good}: {value_good})";
/// A metric that changed although throughput did not.
pub const CHANGE: &str = "{label} {before} and {after} ({by})";

/// What is missing from a run.
pub const MISSING: &str = "{run}: {missing}";
/// Events that were counted as lost.
pub const LOST: &str = "{lost} events lost";
/// The number of intervals with unmatched events.
pub const HOLES: &str = "events missing in {intervals} intervals";
/// A file of a run is truncated.
pub const TRUNCATED: &str = "a file is truncated";

/// The outcomes of a comparison, with throughput or run time of both sides. Significant ones first.
pub const SLOWER: &str =
    "{other} is slower than {base}: {value} against {value_base}[ {at}] ({by}).";
/// See [`SLOWER`].
pub const FASTER: &str =
    "{other} is faster than {base}: {value} against {value_base}[ {at}] ({by}).";
/// The difference is shown to be within the margin.
pub const EQUAL: &str = "{other} and {base} are equal to within {margin}: {value} against \
    {value_base}[ {at}] ({by}[, 90% interval {low} to {high}]).";

/// A difference that more runs would have to show.
pub const MAYBE_SLOWER: &str = "{other} may be slower than {base}: {value} against {value_base}[ \
    {at}] ({by}[, 90% interval {low} to {high}]).[ {runs} of each would tell.]";
/// See [`MAYBE_SLOWER`].
pub const MAYBE_FASTER: &str = "{other} may be faster than {base}: {value} against {value_base}[ \
    {at}] ({by}[, 90% interval {low} to {high}]).[ {runs} of each would tell.]";
/// Neither a difference nor equality is shown, and the values differ by more than the margin.
pub const UNKNOWN: &str = "Whether {other} and {base} differ is unsure: {value} against \
    {value_base}[ {at}] ({by}[, 90% interval {low} to {high}]).[ {runs} of each would tell.]";
/// Neither a difference nor equality is shown, and the values are within the margin.
pub const MAYBE_EQUAL: &str = "{other} and {base} may be equal: {value} against {value_base}[ \
    {at}] ({by}[, 90% interval {low} to {high}; within {margin} they would be]).[ {runs} of each \
    would tell.]";

/// Failed requests.
pub mod failed {
    /// The number of requests that failed with an error.
    pub const ERROR: &str = "{n} {error}[ ({meaning})]";
    /// The number of items that a list leaves out.
    pub const MORE: &str = " and {more} more";

    /// The number of operations that failed, by the name of a
    /// [`FailedOperation`](seekscope_measure::failed::FailedOperation).
    pub fn operation(name: &str, n: u64) -> &'static str {
        match (name, n) {
            ("read", 1) => "{n} read",
            ("read", _) => "{n} reads",
            ("write", 1) => "{n} write",
            ("write", _) => "{n} writes",
            ("discard", 1) => "{n} discard",
            ("discard", _) => "{n} discards",
            ("flush", 1) => "{n} flush",
            ("flush", _) => "{n} flushes",
            ("zone", 1) => "{n} zone action",
            ("zone", _) => "{n} zone actions",
            (_, 1) => "{n} passthrough command",
            _ => "{n} passthrough commands",
        }
    }
}

/// Why the work of two sides counts as the same, or not.
pub mod work {
    /// What was compared, where maps of the disk know the bytes of files.
    pub const OF_FILES: &str = "of files";
    /// What the run times of an outcome are for, where the bytes of files are the same.
    pub const SAME_FILES: &str = "for the same bytes of files";
    /// Neither side had data.
    pub const NOTHING: &str = "neither side read, wrote or discarded data";
    /// The share of an operation differs.
    pub const MIX: &str =
        "{operations} are {share} of the bytes[ {at}] in {base} and {share_other} in {other}";
    /// The numbers of processes differ.
    pub const PROCESSES: &str =
        "the number of processes is {processes} in {base} and {processes_other} in {other}";
    /// The bytes are the same.
    pub const SAME: &str = "{bytes}[ and {bytes_other}] {requested}, same mix of \
        operations[{tasks}, same number of processes]";
    /// One operation is nearly all of the work, the others run along with it.
    pub const MAIN: &str =
        "{bytes} and {bytes_other} of {operations} {requested}; what ran along with them differs";
    /// The run times are the same.
    pub const SAME_TIME: &str =
        "same run time, {time}, and same mix of operations; {bytes} and {bytes_other} {requested}";
    /// Readahead decides how much is read.
    pub const READAHEAD: &str = "same mix of operations[{tasks}, same number of processes]; \
        {bytes} and {bytes_other} read, mostly by readahead";
    /// Different parts of the recordings were read.
    pub const PARTS: &str = "{part} of {base} and {part_other} of {other} were read";
    /// Both bytes and run times differ.
    pub const BYTES: &str =
        "{bytes}[ {at}] in {base} and {bytes_other} in {other}, in different run times";
}
