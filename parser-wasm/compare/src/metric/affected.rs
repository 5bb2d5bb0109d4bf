//! Which figures lost events or the clock make unreliable.

use crate::runs::digest::EventLoss;

/// Begins of the keys of figures that do not depend on time.
const WITHOUT_CLOCK: [&str; 11] = [
    "failed.",
    "sync",
    "size.",
    "merges.",
    "bytes.",
    "events.",
    "alignment.full",
    "alignment.unit",
    "alignment.inside",
    "alignment.straddles",
    "alignment.off4k",
];

/// Whether lost events or the clock make the figure of a key unreliable. With lost events, run time
/// and the share of sync requests hold for what was seen of a run as well; stages per bio are of
/// the complete trace, whatever the window.
pub fn affected(key: &str, loss: EventLoss) -> bool {
    match key {
        _ if loss == EventLoss::Clock => {
            !WITHOUT_CLOCK.iter().any(|prefix| key.starts_with(prefix))
        }
        "span" | "sync" => false,
        _ => loss == EventLoss::Within || key.starts_with("bio."),
    }
}
