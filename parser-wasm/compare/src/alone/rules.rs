//! The table of rules about a single run, and what they say in words.

use super::{RunCase, RunDraft, device, facts, waiting};

/// Returns a draft if the rule holds.
type RunRule = fn(&RunCase) -> Option<RunDraft>;

/// All rules. Findings with a share of the time of the run are ranked by it; the others follow in
/// this order.
pub(super) const RULES: [RunRule; 13] = [
    waiting::stalled,
    waiting::for_unplug_timer,
    waiting::held_back,
    waiting::idle,
    waiting::for_tags,
    waiting::before_issue,
    device::flushes,
    device::shallow,
    device::at_times,
    facts::slow_tail,
    facts::off_block,
    facts::stripes,
    facts::small,
];

/// The rule of a finding in words, with the thresholds that decide it, by its code.
pub(crate) fn in_words(code: &str) -> String {
    match code {
        "waiting-for-unplug-timer" => waiting::for_unplug_timer_rule(),
        "stalled-at-times" => waiting::stalled_rule(),
        "held-back" => waiting::held_back_rule(),
        "mostly-idle" => waiting::idle_rule(),
        "waiting-for-tags" => waiting::for_tags_rule(),
        "waiting-before-issue" => waiting::before_issue_rule(),
        "flushes-in-flight" => device::flushes_rule(),
        "queue-shallow" => device::shallow_rule(),
        "device-slower-at-times" => device::at_times_rule(),
        "slow-tail" => facts::slow_tail_rule(),
        "writes-off-block" => facts::off_block_rule(),
        "partial-stripes" => facts::stripes_rule(),
        "small-requests" => facts::small_rule(),
        "events-missing" => facts::incomplete_rule(),
        "requests-failed" => facts::failed_rule(),
        "nothing-held-back" => facts::nothing_rule(),
        _ => String::new(),
    }
}
