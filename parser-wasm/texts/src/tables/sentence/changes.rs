//! What changed: `throughput dropped from 1450 MB/s to 910`, `This improves IOPS from 80k to 101k`.

use super::super::cell::{CellFigure, figure_at};
use super::super::list::observed::observation;
use super::super::pieces::{Piece, split};
use super::super::rates::with_unit_of;
use super::super::words::{self, Kind, describe};
use super::sides::side_behind;
use super::{MIN_WRAPPED, operation, unit};
use crate::line::Line;
use crate::observation::{NamedValue, Observation, Unit};
use seekscope_notes::labels;

/// Words that belong to the name of a metric, `random write throughput`.
const MAX_NAME_WORDS: usize = 3;
/// What a metric does between two figures, and what somebody does to it.
const VERBS: [&str; 46] = [
    "dropped",
    "drops",
    "drop",
    "fell",
    "falls",
    "fall",
    "decreased",
    "decreases",
    "decrease",
    "went",
    "goes",
    "go",
    "increased",
    "increases",
    "increase",
    "rose",
    "rises",
    "rise",
    "improved",
    "improves",
    "improve",
    "regressed",
    "regresses",
    "degraded",
    "degrades",
    "jumped",
    "jumps",
    "grew",
    "climbed",
    "changed",
    "changes",
    "reduced",
    "reduces",
    "reduce",
    "lowered",
    "lowers",
    "raised",
    "raises",
    "boosted",
    "boosts",
    "cut",
    "cuts",
    "brought",
    "brings",
    "took",
    "takes",
];
/// Words between a verb and its figures.
const ADVERBS: [&str; 12] = [
    "up",
    "down",
    "back",
    "by",
    "about",
    "again",
    "further",
    "slightly",
    "significantly",
    "sharply",
    "even",
    "only",
];

/// The changes of a sentence; `None` if it has others that are not understood.
pub fn figures(line: &Line, text: &str) -> Option<Vec<Observation>> {
    let mut found: Vec<Observation> = Vec::new();
    let mut subject = None;
    for clause in text.split(", ").flat_map(|clause| clause.split("; ")) {
        let mut rest = Some(clause);
        while let Some(clause) = rest {
            let (first, next) = without_next(clause);
            // `from 3 to 2 GB/s for reads and from 2 to 1 GB/s for writes`
            let parts = match first.strip_prefix("from ") {
                Some(figures) => subject.map(|front| (front, figures)),
                None => in_front_of_figure(first),
            };
            match parts.and_then(|(front, figures)| change(line, front, figures)) {
                Some(figures) => found.extend(figures),
                None if is_from_rate(first) => return None,
                None => {}
            }
            subject = parts.map(|(front, _)| front);
            rest = next;
        }
    }
    let place = |figure: &Observation| (figure.metric.key.clone(), figure.dimensions.clone());
    let is_repeated = |(index, figure): (usize, &Observation)| {
        let mut before = found[..index].iter();
        before.any(|other| place(other) == place(figure))
    };
    let has_repeats = found.iter().enumerate().any(is_repeated);
    (!found.is_empty() && !has_repeats).then_some(found)
}

/// Whether a clause says from which rate something changed: `and from 541 MB/s with 28 of them`.
fn is_from_rate(clause: &str) -> bool {
    let begin = clause.strip_prefix("from ").map(|figures| ("", figures));
    let Some((_, figures)) = begin.or_else(|| in_front_of_figure(clause)) else {
        return false;
    };
    let pieces = split(figures, 1);
    let first = pieces.first();
    let figure = first.and_then(|first| figure_at(figures, *first, pieces.get(1).copied()));
    figure.is_some_and(|(figure, _)| figure.is_rate())
}

/// A clause without the next one: `reads fell from 5 to 4 MB/s and writes fell from 3 to 2 MB/s`.
fn without_next(clause: &str) -> (&str, Option<&str>) {
    const AND: &str = " and ";
    let behind = clause.find(" to ").unwrap_or(clause.len());
    let next = clause[behind..].find(AND);
    // `to 101k and back to 79k` is one clause.
    let is_back = |at: &usize| clause[behind + at..].starts_with(" and back ");
    match next.filter(|at| !is_back(at)) {
        Some(at) => {
            let (first, next) = clause.split_at(behind + at);
            (first, Some(&next[AND.len()..]))
        }
        None => (clause, None),
    }
}

/// The figures of `the random write throughput dropped from 1450 MB/s to 910`, which are in front
/// of the first figure and behind the `from` there.
fn change(line: &Line, front: &str, figures: &str) -> Option<[Observation; 2]> {
    let (figures, operation_behind) = without_operation(figures);
    let words = split(front, 1);
    let verb = words.iter().rposition(|word| VERBS.contains(&word.text))?;
    let behind = &words[verb + 1..];
    let (subject, [before, after]) = match behind.first() {
        // `dropped to 910 MB/s from 1450 MB/s`
        Some(word) if word.text == "to" => {
            let after = whole_figure(front, behind.get(1..)?)?;
            let pieces = split(figures, 1);
            let before = figure_at(figures, *pieces.first()?, pieces.get(1).copied())?.0;
            let after = with_unit_of(after.shown, before)?;
            let before = with_unit_of(before.shown, after)?;
            let both = [("before", before), ("after", after)];
            (&words[..verb], both)
        }
        _ => {
            let is_adverb = |word: &Piece| ADVERBS.contains(&word.text) || word.text.ends_with('%');
            let subject = match behind.iter().all(is_adverb) {
                true => &words[..verb],
                false => behind,
            };
            (subject, from_to(line, figures)?)
        }
    };
    let is_same = unit(&before.1) == unit(&after.1);
    let metric = metric_of(front, subject);
    let fits = |kind| match unit(&before.1) {
        Some(Unit::BytesPerSecond) => kind == Kind::Throughput,
        Some(Unit::PerSecond) => matches!(kind, Kind::Iops | Kind::Throughput),
        Some(Unit::Nanoseconds) => kind == Kind::Latency,
        unit => unit.is_none(),
    };
    let metric = metric.filter(|(kind, _)| fits(*kind));
    let (name, operation) = match (metric, operation(front, subject)) {
        (_, (Some(_), _)) if operation_behind.is_some() => return None,
        (Some((_, name)), (None, _)) if operation_behind.is_some() => (name, operation_behind),
        (None, _) if operation_behind.is_some() && before.1.is_rate() => ("", operation_behind),
        (Some((_, name)), (operation, has_others)) => {
            let apart = operation.filter(|operation| !name.contains(operation));
            if apart.is_some() && has_others {
                return None;
            }
            (name, apart)
        }
        (None, (Some(operation), false)) if before.1.is_rate() => ("", Some(operation)),
        (None, (None, _)) if before.1.is_rate() && is_performance(subject) => ("", None),
        _ => return None,
    };
    if !is_same {
        return None;
    }
    let observed = |(side, figure): (&str, CellFigure)| {
        let mut found = observation(line, figure, name, Some(side), None)?;
        let operation = operation.map(|operation| NamedValue::new("op", operation));
        found.dimensions.extend(operation);
        Some(found)
    };
    Some([observed(before)?, observed(after)?])
}

/// Whether a subject is what all figures are of: of other things, nobody knows what was measured.
fn is_performance(subject: &[Piece]) -> bool {
    const NAMES: [&str; 6] = [
        "performance",
        "Performance",
        "it",
        "It",
        "numbers",
        "results",
    ];
    subject
        .last()
        .is_some_and(|word| NAMES.contains(&word.text))
}

/// What is in front of the first `from` with a figure, and what is behind it.
fn in_front_of_figure(clause: &str) -> Option<(&str, &str)> {
    const FROM: &str = " from ";
    let mut found = clause.match_indices(FROM);
    let (at, _) = found.find(|(at, _)| {
        let behind = clause[at + FROM.len()..].trim_start_matches("about ");
        let pieces = split(behind, 1);
        let first = pieces.first();
        first.is_some_and(|first| figure_at(behind, *first, pieces.get(1).copied()).is_some())
    })?;
    Some((
        &clause[..at],
        clause[at + FROM.len()..].trim_start_matches("about "),
    ))
}

/// Figures without the operation that they are of: `5 GB/s to 4 GB/s for sequential reads`.
fn without_operation(figures: &str) -> (&str, Option<&str>) {
    const MARKS: [&str; 3] = [" for ", " on ", " in "];
    let found = MARKS.iter().find_map(|mark| {
        let (front, operation) = figures.rsplit_once(mark)?;
        let operation = operation.trim_end_matches(['.', ',']);
        words::is_plain_operation(operation).then_some((front, operation))
    });
    match found {
        Some((front, operation)) => (front, Some(operation)),
        None => (figures, None),
    }
}

/// The figure that all words are.
fn whole_figure<'a>(text: &'a str, words: &[Piece]) -> Option<CellFigure<'a>> {
    let (figure, is_pair) = figure_at(text, *words.first()?, words.get(1).copied())?;
    (words.len() == 1 + usize::from(is_pair)).then_some(figure)
}

/// The figures of `1450 MB/s to 910` and of `512 MB/s on 5.10 to 480 MB/s on 6.1`, with the names
/// of their sides.
fn from_to<'a>(line: &Line, figures: &'a str) -> Option<[(&'a str, CellFigure<'a>); 2]> {
    let between = [" down to ", " to ", " \u{2192} ", " -> "];
    let (first, second) = between.iter().find_map(|mark| figures.split_once(mark))?;
    let second = second.trim_start_matches("about ");
    let (second, releases) = before_releases(second);
    let words = split(first, 1);
    let (before, is_pair) = figure_at(first, *words.first()?, words.get(1).copied())?;
    let words = &words[1 + usize::from(is_pair)..];
    let first_side = side_behind(first, words);
    if first_side.is_none() && !words.is_empty() {
        return None;
    }
    let words = split(second, 1);
    let (after, is_pair) = figure_at(second, *words.first()?, words.get(1).copied())?;
    let behind = &words[1 + usize::from(is_pair)..];
    // `from 80k to 90k to 101k`, `from 80k to 101k and back to 79k`
    if behind.iter().any(|word| word.text == "to") {
        return None;
    }
    let second_side = side_behind(second, behind);
    let is_end = second.trim() == after.shown && releases.is_none();
    let is_cut = after.quantity.scale.is_none() && is_end;
    // A full stop shows that nothing is in the next line.
    if is_cut && line.text().len() >= MIN_WRAPPED && !line.text().trim_end().ends_with('.') {
        return None;
    }
    // `went from 6.1 to 6.6` may be of kernels.
    let has_unit = before.quantity.scale.is_some() || after.quantity.scale.is_some();
    if !has_unit
        && [before.shown, after.shown]
            .iter()
            .all(|shown| labels::is_kernel_form(shown))
    {
        return None;
    }
    // `to 910` has the unit of the figure in front of it, and `from 1450` that of the one behind.
    let after = with_unit_of(after.shown, before)?;
    let before = with_unit_of(before.shown, after)?;
    let sides = match (first_side, second_side) {
        (Some(first), Some(second)) if first != second => (first, second),
        (Some(_), _) => return None,
        (None, _) => releases.unwrap_or(("before", "after")),
    };
    Some([(sides.0, before), (sides.1, after)])
}

/// A text without the clause that names the releases between which something changed, and these:
/// `250k when we went from 6.1 to 6.6`.
fn before_releases(text: &str) -> (&str, Option<(&str, &str)>) {
    const CLAUSES: [&str; 6] = [" when ", " after ", " since ", " while ", " by ", " with "];
    let releases = text.split_once(" from ").and_then(|(_, releases)| {
        let (first, second) = releases.trim_end_matches('.').split_once(" to ")?;
        let are_releases = labels::is_kernel_form(first) && labels::is_kernel_form(second);
        are_releases.then_some((first, second))
    });
    let begin = CLAUSES.iter().filter_map(|clause| text.find(clause)).min();
    match (begin, releases) {
        (Some(begin), Some(_)) => (&text[..begin], releases),
        _ => (text, None),
    }
}

/// The last metric of a subject and its kind, with the operations in front of it.
fn metric_of<'a>(front: &'a str, subject: &[Piece]) -> Option<(Kind, &'a str)> {
    let is_rate = |kind: &Kind| matches!(kind, Kind::Throughput | Kind::Iops | Kind::Latency);
    let kind_of = |word: &Piece| describe(word.text).kind.filter(is_rate);
    let last = subject.iter().rposition(|word| kind_of(word).is_some())?;
    let kind = kind_of(&subject[last])?;
    let operations = subject[..last].iter().rev().take(MAX_NAME_WORDS - 1);
    let first = operations
        .take_while(|word| {
            words::is_plain_operation(word.text)
                || words::is_statistic(word.text)
                || words::is_percentile(word.text)
        })
        .last();
    let begin = first.unwrap_or(&subject[last]).start;
    Some((kind, &front[begin..subject[last].end]))
}
