//! When jobs ended, by which clones are told from a second invocation.

/// Seconds between the results of clones, which end together.
const MAX_APART: i64 = 2;

pub struct JobEnd {
    pub name: String,
    pub group: Option<u32>,
    pub pid: Option<u32>,
    pub date: String,
}

/// Whether two jobs ended at different times.
pub fn apart(a: &JobEnd, b: &JobEnd) -> bool {
    if a.date.is_empty() || b.date.is_empty() {
        return false;
    }
    let (seconds, others) = (seconds(&a.date), seconds(&b.date));
    match (seconds, others) {
        (Some((first, day)), Some((second, other))) => {
            day != other || (first - second).abs() > MAX_APART
        }
        _ => a.date != b.date,
    }
}

/// The seconds of the day in `Thu Nov 26 05:13:38 2026`, and the rest of it.
fn seconds(date: &str) -> Option<(i64, String)> {
    let is_clock = |word: &&str| word.matches(':').count() == 2;
    let clock = date.split_whitespace().find(is_clock)?;
    let parts: Option<Vec<i64>> = clock.split(':').map(|part| part.parse().ok()).collect();
    let &[hours, minutes, seconds] = parts?.as_slice() else {
        return None;
    };
    let rest: Vec<&str> = date
        .split_whitespace()
        .filter(|word| !is_clock(word))
        .collect();
    let total = hours
        .saturating_mul(3600)
        .saturating_add(minutes.saturating_mul(60));
    Some((total.saturating_add(seconds), rest.join(" ")))
}
