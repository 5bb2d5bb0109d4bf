//! A comparison as the smallest links have it: its verdict, its most important figures, and as many
//! findings as fit. What follows from the rest (sentences from their parts, labels and units of
//! figures from their keys) is `null` there, and restored on opening: keys stay, because the coder
//! knows these sets of keys.
//!
//! [`shrink`] proves itself: it restores its own result and compares it with the original, and puts
//! back every text, verdict and sentence that would come out differently ([`keep_texts`]). Numbers
//! are shortened to as many digits as any output prints, so a restored comparison looks the same
//! but is not equal bit by bit. A link may come from anyone: [`restore`] bounds what a few bytes
//! can become.

use super::stored;
use crate::metric;
use seekscope_notes::Good;
use seekscope_trace::quantity::{Unit, factor};
use serde_json::{Value as Json, json};

/// How much of a comparison is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BriefComparison {
    /// Maximum number of findings: those that rank first, and the one that is shown.
    pub findings: usize,
    /// Whether findings keep whose requests they concern, when, and settings that can explain them.
    pub focus: bool,
}

/// Maximum number of figures of a comparison.
pub const FIGURES: usize = 10;

/// The figures that a reader looks at first, in this order.
const MAIN: [&str; 17] = [
    "span",
    "read_bps",
    "write_bps",
    "iops",
    "depth.mean",
    "starved.share",
    "q2c.mean",
    "q2c.p99",
    "q2d.mean",
    "d2c.mean",
    "d2c.p99",
    "alignment.full",
    "alignment.rmw.bytes",
    "flush.flush",
    "flush.fua",
    "seek.issued.sequential_share",
    "size.issued.mean",
];

/// Leaves out what [`restore`] restores, and what `keep` does not keep. For comparisons of two
/// sides only, because further comparisons (`more`) are dropped. `shown` is the rank of the finding
/// that the page shows.
pub fn shrink(document: &mut Json, keep: BriefComparison, shown: usize) {
    let complete = document.clone();
    let counts = (
        len(&document["figures"]),
        len(&document["findings"]) + len(&document["alone"][0]["findings"]),
    );
    let unreliable: Vec<Json> = items(&complete["figures"])
        .iter()
        .map(|figure| figure.get("unreliable").cloned().unwrap_or(Json::Null))
        .collect();
    stored::slim(document);
    let Some(fields) = document.as_object_mut() else {
        return;
    };
    for name in ["more", "context", "zero"] {
        fields.remove(name);
    }
    let chosen = chosen(items(&complete["figures"]));
    let pair = compared_runs(&complete);
    if let Some(figures) = document.get_mut("figures").and_then(Json::as_array_mut) {
        let selected = std::mem::take(figures)
            .into_iter()
            .enumerate()
            .filter(|(index, _)| chosen.contains(index));
        *figures = selected
            .map(|(index, figure)| brief_figure(figure, &unreliable[index], pair))
            .collect();
    }
    for findings in lists_of_findings(document) {
        let first = if shown > keep.findings {
            keep.findings.saturating_sub(1).max(1)
        } else {
            keep.findings
        };
        findings.retain(|finding| {
            finding["rank"]
                .as_u64()
                .is_none_or(|rank| rank as usize <= first || rank as usize == shown)
        });
        for finding in findings {
            brief_finding(finding, keep);
        }
    }
    for (name, unit) in [("threshold", Unit::Share), ("lost_ns", Unit::Time)] {
        if let Some(value) = document.get_mut(name) {
            *value = printed(value, unit);
        }
    }
    for pointer in ["/verdict_parts", "/work/parts"] {
        document.pointer_mut(pointer).map(shorten_parts);
    }
    if let Some(alone) = document
        .pointer_mut("/alone/0")
        .and_then(Json::as_object_mut)
        && !keep.focus
    {
        alone.remove("tail");
    }
    let left = [
        counts.0 - len(&document["figures"]),
        counts.1 - len(&document["findings"]) - len(&document["alone"][0]["findings"]),
    ];
    if left != [0, 0] {
        document["left_out"] = json!(left);
    }
    // Whatever would not be restored as it was is put back.
    blank_texts(document);
    let mut restored = document.clone();
    restore(&mut restored);
    stored::complete(&mut restored, |_| None);
    keep_texts(document, &complete, &restored);
}

/// Blanks the texts of findings and figures that [`restore`] can make.
fn blank_texts(document: &mut Json) {
    let metrics = metric::all();
    for pointer in ["/verdict", "/work/why"] {
        if let Some(text) = document.pointer_mut(pointer) {
            *text = Json::Null;
        }
    }
    for figure in document
        .get_mut("figures")
        .and_then(Json::as_array_mut)
        .into_iter()
        .flatten()
    {
        let Some(metric) = metrics.iter().find(|metric| figure["key"] == *metric.key) else {
            continue;
        };
        let derived = [
            ("label", json!(metric.label)),
            ("unit", json!(metric.unit.code())),
            ("good", json!(metric.good)),
        ];
        for (name, text) in derived {
            if figure.get(name).is_some_and(|value| *value == text) {
                figure[name] = Json::Null;
            }
        }
    }
    for findings in lists_of_findings(document) {
        for (index, finding) in findings.iter_mut().enumerate() {
            let ranked = finding["rank"] == index + 1;
            for name in ["sentence", "rank", "rule", "figures"] {
                if let Some(value) = finding.get_mut(name)
                    && (name != "rank" || ranked)
                {
                    *value = Json::Null;
                }
            }
        }
    }
}

/// Puts back texts, verdicts and units that would differ from those of the comparison.
fn keep_texts(document: &mut Json, complete: &Json, restored: &Json) {
    for pointer in ["/verdict", "/work/why"] {
        let text = complete.pointer(pointer);
        if text != restored.pointer(pointer)
            && let (Some(text), Some(place)) = (text, document.pointer_mut(pointer))
        {
            *place = text.clone();
        }
    }
    let figures = document.get_mut("figures").and_then(Json::as_array_mut);
    for (figure, now) in figures
        .into_iter()
        .flatten()
        .zip(items(&restored["figures"]))
    {
        let Some(was) = items(&complete["figures"])
            .iter()
            .find(|was| was["key"] == now["key"])
        else {
            continue;
        };
        if let Some(verdict) = was.get("verdict")
            && now.get("verdict") != Some(verdict)
        {
            figure["verdict"] = verdict.clone();
        }
    }
    for list in ["/findings", "/alone/0/findings"] {
        let [was, now] = [complete, restored].map(|json| json.pointer(list).map_or(&[][..], items));
        let stored = document.pointer_mut(list).and_then(Json::as_array_mut);
        for (finding, now) in stored.into_iter().flatten().zip(now) {
            let Some(was) = was.iter().find(|was| was["rank"] == now["rank"]) else {
                continue;
            };
            if was["sentence"] != now["sentence"] {
                finding["sentence"] = was["sentence"].clone();
            }
        }
    }
}

/// Maximum number of figures, findings and sides that are restored: a few bytes of a hostile link
/// must not become much more than the decoder allowed.
const MAX_RESTORED: usize = 64;
/// Maximum length of a restored text, bytes.
const MAX_TEXT: usize = 4096;

/// Restores what [`shrink`] left out because it follows from the rest.
pub fn restore(document: &mut Json) {
    for name in ["figures", "runs", "sides"] {
        if let Some(list) = document.get_mut(name).and_then(Json::as_array_mut) {
            list.truncate(MAX_RESTORED);
        }
    }
    let label = |side: &Json| side["label"].as_str().unwrap_or_default().to_owned();
    let labels: Vec<String> = items(&document["sides"]).iter().map(label).collect();
    let metrics = metric::all();
    for figure in document
        .get_mut("figures")
        .and_then(Json::as_array_mut)
        .into_iter()
        .flatten()
        .filter(|f| f.is_object())
    {
        let metric = metrics.iter().find(|metric| figure["key"] == *metric.key);
        for (name, value) in [
            ("label", metric.map(|metric| json!(metric.label))),
            ("unit", metric.map(|metric| json!(metric.unit.code()))),
            (
                "good",
                metric
                    .and_then(|metric| metric.good)
                    .map(|good: Good| json!(good)),
            ),
        ] {
            if figure.get(name).is_some_and(Json::is_null) {
                match value {
                    Some(value) => figure[name] = value,
                    None if name == "good" => {
                        drop(figure.as_object_mut().map(|figure| figure.remove(name)))
                    }
                    None => figure[name] = json!(""),
                }
            }
        }
    }
    let pair = compared_runs(document);
    for figure in document
        .get_mut("figures")
        .and_then(Json::as_array_mut)
        .into_iter()
        .flatten()
        .filter(|f| f.is_object())
    {
        if figure.get("ratio").is_some_and(Json::is_null)
            && let Some(ratio) = ratio(&figure["values"], pair)
        {
            figure["ratio"] = json!(ratio);
        }
    }
    for findings in lists_of_findings(document).into_iter().take(MAX_RESTORED) {
        findings.truncate(MAX_RESTORED);
        for (index, finding) in findings
            .iter_mut()
            .enumerate()
            .filter(|(_, finding)| finding.is_object())
        {
            let sentence = ascii(&finding["parts"], &labels);
            for (name, value) in [
                ("sentence", json!(sentence)),
                ("rank", json!(index + 1)),
                ("rule", json!("")),
                ("figures", json!({})),
            ] {
                if finding.get(name).is_none_or(Json::is_null) {
                    finding[name] = value;
                }
            }
        }
    }
    for (parts, text) in [("/verdict_parts", "/verdict"), ("/work/parts", "/work/why")] {
        let made = document.pointer(parts).map(|parts| ascii(parts, &labels));
        if let (Some(made), Some(place)) = (made, document.pointer_mut(text))
            && place.is_null()
        {
            *place = json!(made);
        }
    }
}

/// A sentence from its parts in JSON, exactly as
/// [`Sentence::ascii`](crate::sentence::Sentence::ascii) writes it.
fn ascii(parts: &Json, labels: &[String]) -> String {
    let part = |part: &Json| -> String {
        if let Some(text) = part.as_str() {
            return text.to_owned();
        }
        if let Some(side) = part["side"].as_u64() {
            return labels.get(side as usize).cloned().unwrap_or_default();
        }
        let (value, unit) = (
            part["value"].as_f64().unwrap_or_default(),
            part["unit"].as_str().unwrap_or_default(),
        );
        if unit == "factor" {
            factor(value)
        } else {
            Unit::from_code(unit).write(value)
        }
    };
    let mut text = String::new();
    for next in items(parts).iter().map(part) {
        if text.len() + next.len() > MAX_TEXT {
            break;
        }
        text.push_str(&next);
    }
    text
}

/// Indices of the figures that are kept: those of applications first, then [`MAIN`], then
/// significant ones in the order of the table.
fn chosen(figures: &[Json]) -> Vec<usize> {
    let metrics = metric::all();
    let key = |index: &usize| figures[*index]["key"].as_str().unwrap_or_default();
    let all = || 0..figures.len();
    let application = all()
        .filter(|index| metrics.iter().all(|metric| metric.key != key(index)))
        .take(FIGURES / 5);
    let main = MAIN
        .iter()
        .filter_map(|name| all().find(|index| key(index) == *name));
    let significant = all().filter(|index| figures[*index]["real"] == true);
    let mut list: Vec<usize> = Vec::new();
    for index in application.chain(main).chain(significant).chain(all()) {
        if list.len() < FIGURES && !list.contains(&index) {
            list.push(index);
        }
    }
    list
}

/// A figure with values, ratio and interval in as many digits as are printed, and without a ratio
/// that follows from the values.
fn brief_figure(mut figure: Json, unreliable: &Json, pair: Option<[usize; 2]>) -> Json {
    let unit = Unit::from_code(figure["unit"].as_str().unwrap_or_default());
    if let Some(fields) = figure.as_object_mut() {
        for name in ["fdr", "needs", "absent"] {
            fields.remove(name);
        }
    }
    figure["values"] = printed(&figure["values"], unit);
    for name in ["ratio", "ci95"] {
        if figure.get(name).is_some() {
            figure[name] = printed(&figure[name], Unit::Number);
        }
    }
    if let (Some(exact), Some(stored)) = (figure["ratio"].as_f64(), ratio(&figure["values"], pair))
        && alike(exact, stored, Unit::Number)
    {
        figure["ratio"] = Json::Null;
    }
    if figure.get("groups").is_some() {
        figure["groups"] = printed(&figure["groups"], unit);
    }
    if !unreliable.is_null() {
        figure["unreliable"] = unreliable.clone();
    }
    figure
}

fn brief_finding(finding: &mut Json, keep: BriefComparison) {
    if let Some(parts) = finding.get_mut("parts") {
        shorten_parts(parts);
    }
    if finding["accounts_for"].is_number() {
        finding["accounts_for"] = printed(&finding["accounts_for"], Unit::Share);
    }
    if let Some(range) = finding
        .pointer_mut("/evidence/range")
        .and_then(Json::as_array_mut)
    {
        // Rounded outwards, so that what is shown contains the effect.
        for (place, outward) in range
            .iter_mut()
            .zip([f64::floor as fn(f64) -> f64, f64::ceil])
        {
            let ns = place.as_f64().unwrap_or_default();
            *place = json!((outward(ns / RANGE_NS) * RANGE_NS) as u64);
        }
    }
    if let Some(fields) = finding.as_object_mut()
        && !keep.focus
    {
        for name in ["who", "when", "held", "gain", "settings"] {
            fields.remove(name);
        }
    }
}

/// Ends of evidence are stored in ms.
const RANGE_NS: f64 = 1e6;

fn shorten_parts(parts: &mut Json) {
    for part in parts
        .as_array_mut()
        .into_iter()
        .flatten()
        .filter(|part| part.is_object() && part.get("value").is_some())
    {
        let unit = match part["unit"].as_str() {
            Some("factor") | None => Unit::Number,
            Some(unit) => Unit::from_code(unit),
        };
        part["value"] = printed(&part["value"], unit);
    }
}

/// A value with all numbers in it in as few digits as every output prints alike: at least four, so
/// that outputs that print one more digit agree, too.
fn printed(value: &Json, unit: Unit) -> Json {
    match value {
        Json::Number(number) => number
            .as_f64()
            .map_or(Json::Null, |number| shortest(number, unit)),
        Json::Array(list) => list.iter().map(|value| printed(value, unit)).collect(),
        Json::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), printed(value, unit)))
            .collect(),
        other => other.clone(),
    }
}

/// Whether outputs print two values alike.
fn alike(a: f64, b: f64, unit: Unit) -> bool {
    unit.write(a) == unit.write(b)
        && unit.write(a * 1e2) == unit.write(b * 1e2)
        && factor(a) == factor(b)
        && (1..4).all(|digits| rounded(a, digits) == rounded(b, digits))
}

fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits - 1).parse().unwrap_or(value)
}

/// The runs of the baseline and of the other side, if each has a single one.
fn compared_runs(document: &Json) -> Option<[usize; 2]> {
    let run = |side: &Json| {
        let runs = document["sides"][side.as_u64()? as usize]["runs"]
            .as_array()
            .filter(|runs| runs.len() == 1)?;
        Some(runs[0].as_u64()? as usize)
    };
    Some([run(&document["baseline"])?, run(&document["side"])?])
}

fn ratio(values: &Json, pair: Option<[usize; 2]>) -> Option<f64> {
    let [base, other] = pair?.map(|run| values[run].as_f64());
    Some(other? / base?).filter(|ratio| ratio.is_finite())
}

fn shortest(value: f64, unit: Unit) -> Json {
    let exact = matches!(
        unit,
        Unit::Bytes | Unit::Sectors | Unit::Count | Unit::Requests | Unit::Bios
    ) && value.fract() == 0.0;
    let digits = if exact {
        17
    } else {
        (4..17)
            .find(|&digits| alike(rounded(value, digits), value, unit))
            .unwrap_or(17)
    };
    let short = rounded(value, digits);
    if short.fract() == 0.0 && short.abs() < 9e15 {
        json!(short as i64)
    } else {
        json!(short)
    }
}

fn items(list: &Json) -> &[Json] {
    list.as_array().map_or(&[], Vec::as_slice)
}

fn len(list: &Json) -> usize {
    items(list).len()
}

/// The lists of findings: that of the comparison, and those of runs alone.
fn lists_of_findings(document: &mut Json) -> Vec<&mut Vec<Json>> {
    let Some(fields) = document.as_object_mut() else {
        return Vec::new();
    };
    let mut lists = Vec::new();
    for (name, value) in fields.iter_mut() {
        match (name.as_str(), value) {
            ("findings", Json::Array(list)) => lists.push(list),
            ("alone", Json::Array(runs)) => {
                lists.extend(
                    runs.iter_mut()
                        .filter_map(|run| run.get_mut("findings")?.as_array_mut()),
                );
            }
            _ => {}
        }
    }
    lists
}
