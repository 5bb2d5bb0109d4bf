//! What `builds` prints.

use seekscope_core::notes::bench::Good;
use seekscope_statistics::changes::ChangeKind;
use serde::Serialize;
use std::collections::BTreeMap;

/// The document of `builds --json`.
#[derive(Serialize)]
pub struct PrintedBuilds {
    /// Version of the document: 1.
    pub schema: u32,
    /// What names the build of a run: a column, or a mark in labels.
    pub by: String,
    /// Names of the builds, in the order of their versions.
    pub builds: Vec<String>,
    /// What series differ in.
    pub dimensions: Vec<String>,
    /// The values of each series, by dimension.
    pub series: Vec<BTreeMap<String, String>>,
    /// Indices of series with too few builds to test.
    pub short_series: Vec<usize>,
    /// Number of runs with a build.
    pub runs: usize,
    /// Number of runs without a build, which are left out.
    pub runs_without_build: usize,
    /// Number of values that are left out because events were lost or the clock is wrong.
    pub unreliable_values: usize,
    /// Number of pairs of a figure and a series that were tested.
    pub tested: usize,
    /// The figures that were tested.
    pub figures: Vec<BuildsFigure>,
    /// Builds at which figures changed, in their order.
    pub events: Vec<PrintedEvent>,
}

/// A figure that was tested.
#[derive(Serialize)]
pub struct BuildsFigure {
    pub key: String,
    pub label: String,
    /// The unit of its values: `ns`, `share`, `bytes/s`, ...
    pub unit: String,
    /// Which direction is better; absent if neither is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub good: Option<Good>,
}

/// All changes between the same two builds.
#[derive(Serialize)]
pub struct PrintedEvent {
    /// The last build before the changes.
    pub previous_build: String,
    /// The first build after them.
    pub build: String,
    /// The most certain first.
    pub changes: Vec<PrintedFigureChange>,
    /// Why it may have happened; absent where the two builds cannot be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<BuildsCause>,
}

/// A change of a figure in one or more series.
#[derive(Serialize)]
pub struct PrintedFigureChange {
    /// Key of the figure.
    pub figure: String,
    /// Median over the series of the ratio of the levels; absent if one of them has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// The series that changed, the most certain first.
    pub series: Vec<PrintedSeriesChange>,
    /// Indices of series with builds on both sides that did not change.
    pub unchanged_series: Vec<usize>,
    /// The dimension that best separates changed from unchanged series; empty if all changed.
    pub r#where: Vec<SeriesCount>,
}

/// Number of series with this value, and of those that changed.
#[derive(Serialize)]
pub struct SeriesCount {
    pub dimension: String,
    pub value: String,
    pub changed: usize,
    pub tested: usize,
}

/// A change of a figure in a series.
#[derive(Serialize)]
pub struct PrintedSeriesChange {
    /// Index of the series.
    pub series: usize,
    #[serde(flatten)]
    pub facts: ChangeFacts,
}

/// What is known of a change. Values have the unit of the figure.
#[derive(Serialize)]
pub struct ChangeFacts {
    /// A step at one build, or a gradual drift.
    pub kind: ChangeKind,
    /// Whether the change is `better` or `worse`, or `changed` if neither direction is.
    pub verdict: BuildsVerdict,
    /// The last build before the change that has the figure.
    pub previous_build: String,
    /// The first build after the change.
    pub build: String,
    /// First build of the 95 % interval of `build`; of a drift, its first build.
    pub first_build: String,
    /// Last build of the 95 % interval of `build`; of a drift, its last build.
    pub last_build: String,
    /// Median of the builds before.
    pub before: f64,
    /// Median of the builds after.
    pub after: f64,
    /// `after` divided by `before`; absent if one of them is about 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Lower end of the 95 % interval of the ratio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_low: Option<f64>,
    /// Upper end of the 95 % interval of the ratio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_high: Option<f64>,
    /// Probability that noise alone causes a change of this size anywhere in the series.
    pub p: f64,
    /// The same over all series and figures (Benjamini and Hochberg).
    pub fdr: f64,
}

/// What a change amounts to.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BuildsVerdict {
    Better,
    Worse,
    Changed,
}

/// Why figures may have changed: two builds of the most certain series, compared.
#[derive(Serialize)]
pub struct BuildsCause {
    /// Findings of the comparison, the most important first.
    pub findings: Vec<BuildsFinding>,
    /// Codes of findings that the runs of the later build show by themselves, and those of the
    /// earlier one do not.
    pub begins: Vec<String>,
    /// The other way around.
    pub ends: Vec<String>,
    /// Arguments of the command that compares them.
    pub command: Vec<String>,
}

/// A finding of the two builds.
#[derive(Serialize)]
pub struct BuildsFinding {
    pub code: String,
    /// The sentence in ASCII.
    pub sentence: String,
}
