//! Titles that name a side and a test at once: `Write on 5.4`, `5.4 read`, `ext4 before`.

use seekscope_notes::labels;
use seekscope_trace::sorting::distinct_count;

/// Words that are between the parts of a title.
const CONNECTORS: [&str; 14] = [
    "on", "with", "for", "in", "at", "the", "a", "and", "using", "kernel", "linux", "-", "|",
    "test",
];
/// Words that name one of two sides.
const PAIRED: [&str; 12] = [
    "before",
    "after",
    "old",
    "new",
    "patched",
    "unpatched",
    "vanilla",
    "stock",
    "baseline",
    "good",
    "bad",
    "mainline",
];

/// The side and the test of each title; `None` where they do not form a grid of both.
pub fn split(titles: &[String]) -> Option<(Vec<String>, Vec<String>)> {
    let kinds: [&dyn Fn(&str) -> bool; 4] = [
        &|word| PAIRED.contains(&word.to_lowercase().as_str()),
        &labels::is_kernel_form,
        &|word| labels::dimension_of(word) == Some("scheduler"),
        &|word| labels::dimension_of(word) == Some("filesystem"),
    ];
    kinds.iter().find_map(|is_side| {
        let parts: Vec<(String, String)> = titles
            .iter()
            .map(|title| parts(title, is_side))
            .collect::<Option<_>>()?;
        let pairs = distinct_count(parts.iter());
        let (sides, tests): (Vec<String>, Vec<String>) = parts.into_iter().unzip();
        let distinct = |values: &[String]| distinct_count(values.iter());
        let (side_count, test_count) = (distinct(&sides), distinct(&tests));
        let is_grid = side_count > 1 && test_count > 1 && pairs > side_count.max(test_count);
        is_grid.then_some((sides, tests))
    })
}

/// The word that names the side, and the others.
fn parts(title: &str, is_side: &dyn Fn(&str) -> bool) -> Option<(String, String)> {
    let words: Vec<&str> = title
        .split(|c: char| c.is_whitespace() || "(),:;/".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let mut sides = words.iter().filter(|word| is_side(word));
    let side = sides.next().filter(|_| sides.next().is_none())?;
    let is_other =
        |word: &&&str| *word != side && !CONNECTORS.contains(&word.to_lowercase().as_str());
    let others: Vec<&str> = words.iter().filter(is_other).copied().collect();
    (!others.is_empty()).then(|| ((*side).to_owned(), others.join(" ").to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(titles: &[&str]) -> Option<Vec<String>> {
        let titles: Vec<String> = titles.iter().map(|title| (*title).to_owned()).collect();
        Some(split(&titles)?.0)
    }

    #[test]
    fn titles_of_a_grid_are_split() {
        for (titles, expected) in [
            (
                ["Write on 5.4", "Write on 6.1", "Read on 5.4", "Read on 6.1"],
                ["5.4", "6.1", "5.4", "6.1"],
            ),
            (
                ["ext4 before", "ext4 (after)", "xfs before", "XFS: after"],
                ["before", "after", "before", "after"],
            ),
        ] {
            assert_eq!(
                sides(&titles).as_deref(),
                Some(&expected.map(str::to_owned)[..])
            );
        }
        assert_eq!(sides(&["Proxmox 7 ext4", "Proxmox 8 xfs"]), None);
        assert_eq!(sides(&["5.4", "6.1"]), None);
    }
}
