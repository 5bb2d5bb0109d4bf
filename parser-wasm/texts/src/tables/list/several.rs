//! Lines with several figures behind a label, or with several labels.

use super::super::cell::{self, CellFigure, figure_at};
use super::super::pieces::{Piece, split};
use super::super::rates::operations::rates_of_operations;
use super::super::words::{self, Described, Kind, describe};
use super::label_and_value;
use super::observed::{TEST, observation};
use crate::line::Line;
use crate::observation::{NamedValue, Observation, Unit};
use crate::quantity::{Scale, number, scale_of};
use seekscope_notes::labels::is_kernel_form;
use seekscope_trace::sorting::set_of;
use std::collections::BTreeSet;

/// Limit for the figures of one line.
const MAX_FIGURES: usize = 8;

/// The parts between commas, semicolons and `@`; commas within a number are part of it:
/// `1,812 IOPS @ 98us`.
fn at_commas(value: &str) -> impl Iterator<Item = &str> {
    let bytes = value.as_bytes();
    let is_digit = |index: usize| bytes.get(index).is_some_and(u8::is_ascii_digit);
    let ends = value.char_indices().filter(move |&(index, c)| {
        matches!(c, ';' | '@')
            || c == ',' && !(index > 0 && is_digit(index - 1) && is_digit(index + 1))
    });
    let ends = ends.map(|(index, _)| index).chain([value.len()]);
    ends.scan(0, |begin, end| {
        Some(&value[std::mem::replace(begin, end + 1)..end])
    })
}

/// The parts of `lat avg 4.91ms p99 12.1ms`, each a name and its figure; a text that does not begin
/// with a name is one part.
fn at_figures(part: &str) -> Vec<&str> {
    let pieces = split(part, 1);
    let mut found = Vec::new();
    let (mut begin, mut index) = (0, 0);
    while let Some(&piece) = pieces.get(index) {
        let figure = figure_at(part, piece, pieces.get(index + 1).copied());
        let has_unit = |figure: &CellFigure| figure.quantity.scale.is_some();
        let is_pair = figure
            .filter(|(figure, _)| has_unit(figure))
            .map(|(_, pair)| pair);
        index += 1 + usize::from(is_pair == Some(true));
        if is_pair.is_some() && index < pieces.len() {
            let end = pieces[index].start;
            found.push(&part[begin..end]);
            begin = end;
        }
    }
    found.push(&part[begin..]);
    let is_named = |part: &&str| part.trim_start().starts_with(char::is_alphabetic);
    match found.iter().all(is_named) {
        true => found,
        false => vec![part],
    }
}

/// Figures in a row, each with its name or its unit: `IOPS=12.3k, BW=48.1MiB/s`,
/// `12.3k IOPS, 48.1 MiB/s`.
pub fn several(
    line: &Line,
    label: &str,
    value: &str,
    title: Option<Described>,
) -> Option<Vec<Observation>> {
    let words = || value.split_whitespace();
    if let Some(found) = of_shared_unit(line, label, value) {
        return Some(found);
    }
    let parts: Vec<&str> = match value.contains('=') && words().all(|word| word.contains('=')) {
        true => words()
            .map(|word| word.trim_end_matches([',', ';']))
            .collect(),
        false => at_commas(value)
            .flat_map(at_figures)
            .map(str::trim)
            .collect(),
    };
    // `Throughput 712.3 MB/s`
    let is_pair = |part| {
        let pair = beside_name(part).filter(|(name, _)| describe(name).is_metric());
        pair.and_then(|(_, value)| cell::figure(value))
            .is_some_and(|figure| figure.is_rate())
    };
    let is_alone = parts.len() == 1 && !value.contains(['=', ':']);
    if parts.len() > MAX_FIGURES || is_alone && !is_pair(parts[0]) {
        return None;
    }
    // `stddev 4.1` behind a mean is no figure of its own.
    let is_spread = |part: &&&str| {
        let first = part.split([' ', '=', ':']).next().unwrap_or("");
        describe(first).kind == Some(Kind::Spread)
    };
    // `avg 310 us` beside `p99 1200 us` or below `Latency:` is a latency, too.
    let is_named = |name: &str| describe(name).kind == Some(Kind::Latency);
    let is_latency = title.is_some_and(|title| title.kind == Some(Kind::Latency))
        || parts
            .iter()
            .any(|part| part.split([' ', '=', ':']).any(is_named));
    let is_rate = |part: &str| cell::figure(part).is_some_and(|figure| figure.is_rate());
    let single = |part: &str| {
        let (name, value) = match part.split_once(['=', ':']) {
            Some((name, value)) => (name.trim(), value.trim()),
            None => beside_name(part).unwrap_or(("", part)),
        };
        // `120k bw` is the end of one figure and the name of another one.
        let is_cut = name
            .split_whitespace()
            .any(|word| cell::figure(word).is_some());
        // `rbps=1048576 wbps=1048576` of a cgroup are limits.
        let figure = cell::figure(value)?;
        if let Some(scale) = figure.quantity.scale.filter(|_| words::is_statistic(name)) {
            let is_time = scale.unit == Unit::Nanoseconds;
            // `412 IOPS, 2.4 ms average`
            let is_of_rate = || is_rate(parts[0]) && time_behind_rate(figure) == Some("latency");
            let latency = match is_time && (is_latency || is_of_rate()) {
                true => "latency",
                false => "",
            };
            let mut found = observation(line, figure, latency, None, None)?;
            let name = format!("{name} {latency}");
            found.metric = words::metric(name.trim(), None, scale, None);
            found.dimensions.push(NamedValue::new(TEST, label));
            return Some(found);
        }
        let is_limit = part.contains('=') && ["rbps", "wbps", "riops", "wiops"].contains(&name);
        if !name.is_empty() && (!describe(name).is_metric() || is_cut || is_limit) {
            return None;
        }
        let name = match (name, time_behind_rate(figure)) {
            ("", Some(name)) if is_rate(parts[0]) => name,
            (name, _) => name,
        };
        let mut found = observation(line, figure, name, None, None)?;
        found.dimensions.push(NamedValue::new(TEST, label));
        Some(found)
    };
    let mut found: Vec<Observation> = Vec::new();
    for part in parts.iter().filter(|part| !is_spread(part)) {
        match statistics_with_slashes(line, label, part) {
            Some(mut statistics) => found.append(&mut statistics),
            None => found.push(single(part)?),
        }
    }
    // Two rates without names are two things, and no repeats of one.
    let keys: BTreeSet<&str> = set_of(found.iter().map(|figure| figure.metric.key.as_str()));
    (!found.is_empty() && keys.len() == found.len()).then_some(found)
}

/// Statistics of one figure whose unit is behind the last one: `min=1201 avg= 1250 max=1301 MB/s`,
/// `min 1201, avg 1250, max 1301 MB/s`.
fn of_shared_unit(line: &Line, label: &str, value: &str) -> Option<Vec<Observation>> {
    let (pairs, unit) = value.trim().rsplit_once(' ')?;
    let scale = scale_of(unit)?;
    if !pairs.contains('=') {
        let found = pairs.split(", ").map(|pair| {
            let (name, shown) = pair.trim().split_once(' ')?;
            let is_named = words::is_statistic(name) || words::is_percentile(name);
            let value = number(shown).filter(|_| is_named)?;
            Some(statistic(line, label, (name, scale), (shown, value)))
        });
        return found
            .collect::<Option<Vec<_>>>()
            .filter(|found| found.len() > 1);
    }
    let mut parts = pairs.split('=');
    let mut name = parts.next()?.trim();
    let mut found = Vec::new();
    for part in parts {
        let part = part.trim();
        let (shown, next) = part.split_once(' ').unwrap_or((part, ""));
        let value = number(shown).filter(|_| words::is_statistic(name))?;
        found.push(statistic(line, label, (name, scale), (shown, value)));
        name = next.trim().trim_end_matches([',', ';']);
    }
    (found.len() > 1 && name.is_empty()).then_some(found)
}

/// Statistics of one time with slashes between them: `p50/p95/p99 = 80/120/210 us`.
fn statistics_with_slashes(line: &Line, label: &str, part: &str) -> Option<Vec<Observation>> {
    let (names, rest) = part.split_once([' ', '=', ':'])?;
    let names: Vec<&str> = names.split('/').collect();
    let values = &rest[rest.find(|c: char| c.is_ascii_digit())?..];
    let unit = values.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '/')?;
    let (values, unit) = values.split_at(unit);
    let is_time = |scale: &Scale| scale.unit == Unit::Nanoseconds;
    let scale = scale_of(unit.trim()).filter(is_time)?;
    let values: Vec<&str> = values.split('/').collect();
    let is_one = |name: &&str| words::is_statistic(name) || words::is_percentile(name);
    let are_statistics = names.iter().all(is_one);
    if names.len() < 2 || names.len() != values.len() || !are_statistics {
        return None;
    }
    let found = names.iter().zip(values).map(|(name, shown)| {
        let value = number(shown)?;
        Some(statistic(
            line,
            label,
            (&format!("{name} latency"), scale),
            (shown, value),
        ))
    });
    found.collect()
}

/// A statistic of the test that a label names.
fn statistic(
    line: &Line,
    label: &str,
    (name, scale): (&str, Scale),
    (shown, value): (&str, f64),
) -> Observation {
    Observation {
        metric: words::metric(name, None, scale, None),
        value: value * scale.factor,
        place: line.place_of(shown),
        dimensions: vec![NamedValue::new(TEST, label)],
        repeat: None,
    }
}

/// What a time behind a rate is of: of its requests, in seconds of all of them.
fn time_behind_rate(figure: CellFigure) -> Option<&'static str> {
    const SECOND: f64 = 1e9;
    match figure.quantity.scale? {
        scale if scale.unit != Unit::Nanoseconds => None,
        scale if scale.factor < SECOND => Some("latency"),
        _ => Some("time"),
    }
}

/// The rates of tests behind their side, far apart:
/// `5.4:   Sequential Output: 412 MB/s   Rewrite: 201 MB/s`.
pub fn tests_of_side(line: &Line, side: &str, value: &str) -> Option<Vec<Observation>> {
    let pieces = split(value, 2);
    if pieces.len() < 2 || !words::name_sides(std::iter::once(side)) {
        return None;
    }
    let tests = pieces.iter().filter_map(|piece| {
        let (test, rate) = piece.text.split_once(": ")?;
        let mut found = observation(line, cell::figure(rate)?, "", Some(side), None)?;
        found.dimensions.push(NamedValue::new(TEST, test.trim()));
        Some(found)
    });
    let found: Vec<Observation> = tests.collect();
    (found.len() > 1).then_some(found)
}

/// The rates of sides behind their test, far apart: `4k   5.10: 88 MB/s   6.1: 81 MB/s`.
pub fn sides_of_test(line: &Line, text: &str) -> Option<Vec<Observation>> {
    let pieces = split(text, 2);
    let (test, sides) = pieces.split_first()?;
    // `bs=4k`, and not `iops=12k lat=3ms`.
    let is_label = !test.text.contains([':', ' ']) || !test.text.contains([':', '=']);
    let pairs = sides.iter().map(|side| side.text.split_once(": "));
    let pairs: Vec<(&str, &str)> = pairs.collect::<Option<_>>()?;
    if pairs.len() < 2 || !is_label || !words::name_sides(pairs.iter().map(|(side, _)| *side)) {
        return None;
    }
    let found = pairs.iter().map(|(side, rate)| {
        let mut found = observation(line, cell::figure(rate)?, "", Some(*side), None)?;
        found.dimensions.push(NamedValue::new(TEST, test.text));
        Some(found)
    });
    found.collect()
}

/// The figures of a line of names and values without a label, a rate among them:
/// `bw=101MiB/s iops=25.9k`.
pub fn pairs(line: &Line, text: &str) -> Option<Vec<Observation>> {
    let pairs = text.split_whitespace();
    let is_pair = |word: &str| {
        let name = word.split_once('=').map(|(name, _)| name);
        // `rate=100MB/s rate_iops=1000` are options of fio.
        name.is_some_and(|name| describe(name).is_metric() && !name.starts_with("rate"))
    };
    let is_named = |part: &str| {
        let name = part.split_once('=').map(|(name, _)| name.trim());
        name.is_some_and(|name| is_pair(part.trim()) || words::is_statistic(name))
    };
    // `IOPS=1214k, lat avg=210us, p99=412us`
    let are_parts = || {
        let mut parts = at_commas(text);
        let begins = parts.next().is_some_and(|first| is_pair(first.trim()));
        begins && text.contains(", ") && parts.all(is_named)
    };
    let are_words = pairs.clone().all(is_pair) && pairs.clone().nth(1).is_some();
    let are_latencies = are_statistics_of_latency(text);
    if !are_words && !are_latencies && !are_parts() {
        return None;
    }
    let mut found = several(line, "", text, None)?;
    for figure in &mut found {
        figure.dimensions.retain(|dimension| dimension.name != TEST);
    }
    let is_rate = |figure: &Observation| figure.metric.unit.is_rate();
    (are_latencies || found.iter().any(is_rate)).then_some(found)
}

/// Whether a text is several statistics of one time, a percentile among them, and nothing else:
/// `avg 1.21 ms, p99 2.40 ms, max 18 ms`.
fn are_statistics_of_latency(text: &str) -> bool {
    // All cuts between words are tried: quadratic in the length of a part.
    const MAX_BYTES: usize = 160;
    if text.len() > MAX_BYTES {
        return false;
    }
    let name_of = |part: &str| {
        let (name, value) = beside_name(part.trim())?;
        let scale = cell::figure(value)?.quantity.scale?;
        // `read p95 2 ms` may be a limit.
        let (front, last) = name.rsplit_once(' ').unwrap_or(("", name));
        let is_latency = front.is_empty() || ["lat", "clat", "latency"].contains(&front);
        (scale.unit == Unit::Nanoseconds && is_latency).then(|| last.to_owned())
    };
    let names: Option<Vec<String>> = at_commas(text).map(name_of).collect();
    names.is_some_and(|names| {
        let is_known = |name: &String| words::is_statistic(name) || words::is_percentile(name);
        let mut percentiles = names.iter().filter(|name| words::is_percentile(name));
        names.len() > 1 && names.iter().all(is_known) && percentiles.next().is_some()
    })
}

/// The figures of a row that scripts print without headings: `ext4   read   512.5 MB/s   101 ms`.
/// Each has its unit, and no two the same; the label in front is that of the row, the others name
/// what was measured.
pub fn row_without_headings(line: &Line, text: &str) -> Option<Vec<Observation>> {
    const MAX_LABELS: usize = 3;
    let pieces = split(text, 2);
    let is_figure =
        |text: &str| cell::figure(text).is_some_and(|figure| figure.quantity.scale.is_some());
    let count = pieces
        .iter()
        .take_while(|piece| !is_figure(piece.text))
        .count();
    let (labels, figures) = pieces.split_at(count);
    let is_label = |piece: &Piece| {
        let is_name = cell::figure(piece.text).is_none() || is_kernel_form(piece.text);
        is_name && !piece.text.contains([':', '=', '|', ','])
    };
    // What a maker says of disks has this form, too.
    let is_told = |piece: &Piece| {
        words::name_sides(std::iter::once(piece.text)) || words::is_operation(piece.text)
    };
    let is_row = (2..=MAX_LABELS).contains(&count)
        && labels.iter().all(is_label)
        && labels.iter().any(is_told);
    if !is_row || figures.is_empty() || figures.len() > MAX_FIGURES {
        return None;
    }
    let mut found: Vec<Observation> = Vec::new();
    for (index, piece) in figures.iter().enumerate() {
        let figure = cell::figure(piece.text)?;
        let unit = figure.quantity.scale?.unit;
        let name = match unit {
            Unit::BytesPerSecond | Unit::PerSecond => "",
            Unit::Nanoseconds if index > 0 => time_behind_rate(figure)?,
            _ => return None,
        };
        if found.iter().any(|other| other.metric.unit == unit) {
            return None;
        }
        let mut observed = observation(line, figure, name, None, None)?;
        observed
            .dimensions
            .push(NamedValue::new(TEST, labels[0].text));
        for (number, label) in labels.iter().enumerate().skip(1) {
            let name = match words::is_operation(label.text) {
                true => "op".to_owned(),
                false => format!("{TEST} {}", number + 1),
            };
            observed.dimensions.push(NamedValue::new(&name, label.text));
        }
        found.push(observed);
    }
    Some(found)
}

/// A figure with its unit and the name in front of it or behind it: `83.9us average latency`,
/// `p99 1.2 ms`; `IOPS 8.2k` needs none.
fn beside_name(part: &str) -> Option<(&str, &str)> {
    let cuts = || part.match_indices(' ').map(|(cut, _)| part.split_at(cut));
    let is_figure = |text: &str| cell::figure(text).is_some_and(|f| f.quantity.scale.is_some());
    let is_count = |name: &str, value: &str| {
        describe(name.trim()).kind == Some(Kind::Iops) && cell::figure(value).is_some()
    };
    let mut pairs = cuts().flat_map(|(front, back)| [(back, front), (front, back)]);
    let (name, value) = pairs.rfind(|(name, value)| {
        (is_figure(value) || is_count(name, value)) && cell::figure(name).is_none()
    })?;
    Some((name.trim(), value.trim()))
}

/// The figures of sides that are labels of sentences in one line:
/// `Old kernel: 512 MB/s, 310 us. New kernel: 400 MB/s, 402 us.`
pub fn sides_in_sentences(line: &Line, text: &str) -> Option<Vec<Observation>> {
    let parts = text.split(". ").map(|part| part.trim_end_matches('.'));
    let labelled: Vec<(&str, &str)> = parts.map(label_and_value).collect::<Option<_>>()?;
    let names = || labelled.iter().map(|(label, _)| *label);
    let distinct: BTreeSet<&str> = set_of(names());
    if labelled.len() < 2 || distinct.len() < labelled.len() || !words::name_sides(names()) {
        return None;
    }
    let found = labelled.iter().map(|(label, value)| {
        let mut found = match cell::figure(value) {
            Some(figure) => observation(line, figure, "", Some(label), None).map(|one| vec![one]),
            None => several(line, label, value, None).or_else(|| {
                let mut found = rates_of_operations(line, value)?;
                for figure in &mut found {
                    figure.dimensions.push(NamedValue::new(TEST, label));
                }
                Some(found)
            }),
        }?;
        for dimension in found.iter_mut().flat_map(|figure| &mut figure.dimensions) {
            if dimension.name == TEST {
                "run".clone_into(&mut dimension.name);
            }
        }
        Some(found)
    });
    Some(found.collect::<Option<Vec<_>>>()?.concat())
}
