//! Comparisons of runs, and what callers need to know about figures and devices of digests.

use seekscope_core::compare;
use seekscope_core::compare::bisect::{self, BisectQuery};
use seekscope_core::compare::statistics::noise;
use seekscope_core::compare::{CompareQuery, ComparedRun, Digest, MatrixQuery, mail, metric};
use seekscope_core::quantity::Unit;
use seekscope_javascript::value;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

fn parsed(query: &str) -> Result<CompareQuery, JsValue> {
    value::read(query)
}

/// Compares runs; digests are answers to `digest`. Throws.
#[wasm_bindgen(unchecked_return_type = "CompareDocument")]
pub fn compare(query: &str) -> Result<JsValue, JsValue> {
    Ok(value::document(&compare::compare(&parsed(query)?)))
}

/// Compares the cells of a matrix of runs. Throws.
#[wasm_bindgen(js_name = compareMatrix, unchecked_return_type = "MatrixAnswer")]
pub fn compare_matrix(query: &str) -> Result<JsValue, JsValue> {
    let query: MatrixQuery = value::read(query)?;
    Ok(value::document(&compare::matrix(&query)))
}

/// Judges whether the runs of a commit are like good or like bad. Throws.
#[wasm_bindgen(js_name = judgeCommit, unchecked_return_type = "BisectAnswer")]
pub fn judge_commit(query: &str) -> Result<JsValue, JsValue> {
    let query: BisectQuery = value::read(query)?;
    Ok(value::document(&bisect::judge(&query)))
}

/// Parameters of [`compare_text`] in addition to those of a comparison.
#[derive(Deserialize)]
pub struct TextOptions {
    /// Whether process names and paths of control groups are replaced by aliases.
    #[serde(default)]
    anonymous: bool,
}

/// The comparison of runs as plain text: ASCII, 72 columns. Throws.
#[wasm_bindgen(js_name = compareText)]
pub fn compare_text(query: &str) -> Result<String, JsValue> {
    let TextOptions { anonymous } = value::read(query)?;
    let mut query = parsed(query)?;
    if anonymous {
        compare::anonymous::anonymous(&mut query);
    }
    Ok(mail::text(&query, &compare::compare(&query)))
}

/// Measures what repeats differ by. `query` is JSON: digests in groups, each of runs that did the
/// same under the same conditions, `[[digest]]`. Returns `{schema, reads: {key: {pairs, sd, p95}},
/// writes}`. Throws.
#[wasm_bindgen(js_name = measureNoise, unchecked_return_type = "NoiseTable")]
pub fn measure_noise(query: &str) -> Result<JsValue, JsValue> {
    let groups: Vec<Vec<Digest>> = value::read(query)?;
    let run = |trace: Digest| ComparedRun {
        trace,
        ..ComparedRun::default()
    };
    let runs: Vec<Vec<ComparedRun>> = groups
        .into_iter()
        .map(|group| group.into_iter().map(run).collect())
        .collect();
    let devices: Vec<Vec<_>> = runs
        .iter()
        .map(|group| group.iter().filter_map(ComparedRun::main).collect())
        .collect();
    Ok(value::document(&noise::measure(&devices, &metric::all())))
}

/// A figure that a digest may have.
#[derive(Serialize)]
pub struct DigestFigure {
    key: String,
    label: String,
    unit: Unit,
    /// Whether digests have it per bin of time.
    sampled: bool,
    /// Whether a run can give it an interval.
    interval: bool,
}

/// All figures that digests may have, in the order of the table of differences: `[{key, label,
/// unit, sampled, interval}]`.
#[wasm_bindgen(js_name = knownFigures, unchecked_return_type = "readonly DigestFigure[]")]
pub fn known_figures() -> JsValue {
    let figure = |m: metric::Metric| DigestFigure {
        sampled: m.sums.is_some(),
        interval: m.sums.is_some() || m.percentile.is_some() || m.over_time.is_some(),
        unit: m.unit,
        key: m.key,
        label: m.label,
    };
    value::document(&metric::all().into_iter().map(figure).collect::<Vec<_>>())
}

/// Index of the device of a digest that is compared unless another one is named: the array, else
/// the busiest disk. `digest` is JSON. Absent without devices. Throws.
#[wasm_bindgen(js_name = comparedDevice)]
pub fn compared_device(digest: &str) -> Result<Option<usize>, JsValue> {
    let trace: Digest = value::read(digest)?;
    let run = ComparedRun {
        trace,
        ..ComparedRun::default()
    };
    Ok(run.main().and_then(|main| {
        run.trace
            .devices
            .iter()
            .position(|device| std::ptr::eq(device, main))
    }))
}
