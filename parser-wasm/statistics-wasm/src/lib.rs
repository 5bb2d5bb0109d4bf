//! Statistics for JavaScript, in a module of its own: the fleet page and `seekscope builds` need no
//! engine for it. Values of groups cross as one list; group `i` is from `offsets[i]`, before
//! `offsets[i + 1]`. All data are copied in and out.

use seekscope_statistics::changes::{self, ChangeOptions, MIN_BUILDS, MIN_LEVEL};
use seekscope_statistics::discovery;
use seekscope_statistics::sample::quantile;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = JSON, js_name = parse, catch)]
    fn parse_json(text: &str) -> Result<JsValue, JsValue>;
}

/// The values of each group; offsets beyond the values give empty ones.
fn groups<'a>(values: &'a [f64], offsets: &'a [u32]) -> impl Iterator<Item = &'a [f64]> {
    let group = |ends: &[u32]| values.get(ends[0] as usize..ends[1] as usize);
    offsets
        .windows(2)
        .map(move |ends| group(ends).unwrap_or_default())
}

/// The builds at which a figure changed its level. Groups are the runs of builds. Options that are
/// absent are those of `ChangeOptions`.
#[wasm_bindgen(js_name = changePoints, unchecked_return_type = "SeriesChanges")]
pub fn change_points(
    values: &[f64],
    offsets: &[u32],
    floor: Option<f64>,
    false_alarms: Option<f64>,
    min_change: Option<f64>,
    min_difference: Option<f64>,
) -> Result<JsValue, JsValue> {
    let builds: Vec<&[f64]> = groups(values, offsets).collect();
    let usual = ChangeOptions::default();
    let options = ChangeOptions {
        floor: floor.unwrap_or(usual.floor),
        false_alarms: false_alarms.unwrap_or(usual.false_alarms),
        min_change: min_change.unwrap_or(usual.min_change),
        min_difference: min_difference.unwrap_or(usual.min_difference),
    };
    let found = changes::change_points(&builds, options);
    let text = serde_json::to_string(&found).expect("a document without maps");
    parse_json(&text)
}

/// The quantiles of each group at these shares, interpolated between neighbours: those of the first
/// group, those of the second, ... NaN for groups without values.
#[wasm_bindgen]
pub fn quantiles(values: &[f64], offsets: &[u32], shares: &[f64]) -> Vec<f64> {
    let of_group = |group: &[f64]| {
        let mut ascending = group.to_vec();
        ascending.sort_unstable_by(f64::total_cmp);
        let quantiles = shares.iter().map(|share| quantile(&ascending, *share));
        quantiles.collect::<Vec<f64>>()
    };
    groups(values, offsets).flat_map(of_group).collect()
}

/// False discovery rates of p values among so many tests.
#[wasm_bindgen(js_name = falseDiscoveryRates)]
pub fn false_discovery_rates(p: &[f64], tests: usize) -> Vec<f64> {
    discovery::false_discovery_rates(p, tests)
}

/// Minimum number of builds of a series.
#[wasm_bindgen(js_name = minBuilds)]
pub fn min_builds() -> usize {
    MIN_BUILDS
}

/// Minimum number of builds of a level.
#[wasm_bindgen(js_name = minLevel)]
pub fn min_level() -> usize {
    MIN_LEVEL
}
