//! Change points: the builds at which a figure changed its level. `docs/statistics.md` describes
//! the method and its measured rates.
//!
//! A build is one value, the median of the logarithms of its runs: repeats of one build share what
//! the build, the boot and the day did to them. Lone outliers are limited (`prepare`), PELT
//! proposes levels (`segments`), and a change stays if noise alone gives one as large anywhere in
//! the series in at most 5 % of all series (`cuts`).

mod cuts;
mod drift;
mod prepare;
mod segments;
#[cfg(test)]
pub(crate) mod series;
#[cfg(test)]
mod tests;

pub use self::prepare::MIN_LEVEL;

use self::cuts::{SeriesNoise, TestedCut, kept_cuts};
use self::drift::{FoundChange, drifts_among};
use self::prepare::prepare;
use self::segments::{StretchSums, cut_points};
use crate::sample::median;
use crate::student::t_975;
use serde::Serialize;

/// Minimum number of builds in a series: two levels.
pub const MIN_BUILDS: usize = 2 * MIN_LEVEL;

/// What is reported as a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangeOptions {
    /// Smaller values count as this one: below it the figure is practically 0.
    pub floor: f64,
    /// Share of series without a change in which one may be reported.
    pub false_alarms: f64,
    /// Changes by a smaller share are not reported.
    pub min_change: f64,
    /// Levels that differ by less are not reported.
    pub min_difference: f64,
}

impl Default for ChangeOptions {
    fn default() -> ChangeOptions {
        ChangeOptions {
            floor: f64::MIN_POSITIVE,
            false_alarms: 0.05,
            min_change: 0.01,
            min_difference: 0.0,
        }
    }
}

/// How a figure changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    Step,
    Drift,
}

/// A change of the level of a figure over builds, which are indices.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangePoint {
    /// A step at one build, or a gradual drift from `index` to the end of `range`.
    pub kind: ChangeKind,
    /// The first build after the change.
    pub index: usize,
    /// 95 % interval of `index`; of a drift, its first and last build.
    pub range: (usize, usize),
    /// The last build before `index` that has the figure.
    pub previous: usize,
    /// Median of the builds before, from the previous change on.
    pub before: f64,
    /// Median of the builds after, up to the next change.
    pub after: f64,
    /// Level after the change divided by the one before; absent if one of them is below the floor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// 95 % confidence interval of the ratio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ci95: Option<(f64, f64)>,
    /// Probability that noise alone causes a change of this size anywhere in the series.
    pub p: f64,
}

/// A ratio and its interval from a difference of logarithms; absent where it is beyond all numbers.
fn ratio_from_logs(difference: f64, margin: f64) -> Option<(f64, (f64, f64))> {
    let (value, low, high) = (
        difference.exp(),
        (difference - margin).exp(),
        (difference + margin).exp(),
    );
    high.is_finite().then_some((value, (low, high)))
}

/// A level: the builds between two changes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BuildLevel {
    /// First build.
    pub from: usize,
    /// Last build.
    pub to: usize,
    /// Median of the builds' values.
    pub value: f64,
}

/// The changes of a figure over builds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SeriesChanges {
    /// In the order of builds.
    pub changes: Vec<ChangePoint>,
    /// Levels between the changes; builds within a drift belong to none.
    pub levels: Vec<BuildLevel>,
    /// Standard deviation between builds at one level, as a share of the figure: 0.01 is 1 %.
    pub noise: f64,
}

/// The builds that have the figure.
struct PresentBuilds {
    /// Indices into the series.
    places: Vec<usize>,
    /// Medians of the runs.
    values: Vec<f64>,
    /// Medians of the logarithms of the runs, at least that of the floor.
    logs: Vec<f64>,
}

impl PresentBuilds {
    fn from_runs(builds: &[&[f64]], floor: f64) -> PresentBuilds {
        let mut present = PresentBuilds {
            places: Vec::new(),
            values: Vec::new(),
            logs: Vec::new(),
        };
        for (place, runs) in builds.iter().enumerate() {
            let finite: Vec<f64> = runs.iter().copied().filter(|v| v.is_finite()).collect();
            if finite.is_empty() {
                continue;
            }
            let logs: Vec<f64> = finite.iter().map(|value| value.max(floor).ln()).collect();
            present.places.push(place);
            present.values.push(median(&finite));
            present.logs.push(median(&logs));
        }
        present
    }
}

/// The changes of a figure over builds in their order: the values of the runs of each build. Builds
/// without the figure are skipped; they keep their index.
pub fn change_points(builds: &[&[f64]], options: ChangeOptions) -> SeriesChanges {
    let present = PresentBuilds::from_runs(builds, options.floor);
    if present.logs.len() < MIN_BUILDS {
        return SeriesChanges::default();
    }
    let prepared = prepare(&present.logs);
    let sums = StretchSums::new(&prepared.values);
    let penalty = 2.0 * (prepared.values.len() as f64).ln() * prepared.noise.powi(2);
    let proposed = cut_points(&sums, penalty, prepared.min_level);
    let tested = kept_cuts(&prepared.values, &proposed, prepared.min_level, options);
    let cuts: Vec<usize> = tested.iter().map(|cut| cut.index).collect();
    let noise = SeriesNoise::around(&prepared.values, &sums, &cuts);
    let found = drifts_among(&prepared.values, &cuts, noise.variance);
    let described = Described {
        present: &present,
        sums: &sums,
        tested: &tested,
        noise,
        found: &found,
        floor: options.floor,
    };
    SeriesChanges {
        changes: (0..found.len()).map(|i| described.change(i)).collect(),
        levels: (0..=found.len()).map(|i| described.level(i)).collect(),
        noise: noise.variance.sqrt(),
    }
}

/// What changes and levels are described with.
struct Described<'a> {
    present: &'a PresentBuilds,
    sums: &'a StretchSums,
    tested: &'a [TestedCut],
    noise: SeriesNoise,
    found: &'a [FoundChange],
    floor: f64,
}

impl Described<'_> {
    /// The first build of a level and the one behind its last, among those present.
    fn ends(&self, level: usize) -> (usize, usize) {
        let from = level
            .checked_sub(1)
            .map_or(0, |change| self.found[change].to);
        let to = self.found.get(level).map(|change| change.from);
        (from, to.unwrap_or(self.present.places.len()))
    }

    fn value(&self, level: usize) -> f64 {
        let (from, to) = self.ends(level);
        median(&self.present.values[from..to])
    }

    fn level(&self, level: usize) -> BuildLevel {
        let (from, to) = self.ends(level);
        BuildLevel {
            from: self.present.places[from],
            to: self.present.places[to - 1],
            value: self.value(level),
        }
    }

    fn change(&self, i: usize) -> ChangePoint {
        let change = &self.found[i];
        // Of the steps that a drift replaces, the most certain one.
        let cuts = self
            .tested
            .iter()
            .filter(|cut| change.cuts.contains(&cut.index));
        let cut = cuts.reduce(|least, cut| if cut.p < least.p { cut } else { least });
        let difference = change
            .difference
            .or(cut.map(|cut| cut.difference))
            .unwrap_or(0.0);
        let margin = cut.map_or(0.0, |cut| t_975(cut.freedom) * cut.error);
        let (before, after) = (self.value(i), self.value(i + 1));
        let range = match change.kind {
            ChangeKind::Drift => (change.from, change.to),
            ChangeKind::Step => {
                let (from, to) = (self.ends(i).0, self.ends(i + 1).1);
                let variance = self.noise.variance * self.noise.inflation;
                range_of(self.sums, (from, change.from, to), variance)
            }
        };
        let place = |index: usize| self.present.places[index];
        let ratio = ratio_from_logs(difference, margin)
            .filter(|_| before >= self.floor && after >= self.floor);
        ChangePoint {
            kind: change.kind,
            index: place(change.from),
            range: (place(range.0), place(range.1)),
            previous: place(change.from - 1),
            before,
            after,
            ratio: ratio.map(|(value, _)| value),
            ci95: ratio.map(|(_, interval)| interval),
            p: cut.map_or(1.0, |cut| cut.p),
        }
    }
}

/// The places between `from` and `to` at which the cut fits almost as well: 95 % of the likelihood.
fn range_of(
    sums: &StretchSums,
    (from, cut, to): (usize, usize, usize),
    variance: f64,
) -> (usize, usize) {
    let cost = |place: usize| sums.deviations(from, place) + sums.deviations(place, to);
    let fit = cost(cut);
    let weight = |place: usize| ((fit - cost(place)) / (2.0 * variance)).exp();
    let places = from + 1..to;
    let weights: Vec<f64> = places.clone().map(weight).collect();
    let enough = 0.95 * weights.iter().sum::<f64>();
    let weight_at = |place: usize| {
        if places.contains(&place) {
            weights[place - places.start]
        } else {
            0.0
        }
    };
    let (mut first, mut last, mut covered) = (cut, cut, weight_at(cut));
    while covered < enough {
        let (can_fall, can_rise) = (first > places.start, last + 1 < places.end);
        if can_fall && (weight_at(first - 1) >= weight_at(last + 1) || !can_rise) {
            first -= 1;
            covered += weight_at(first);
        } else if can_rise {
            last += 1;
            covered += weight_at(last);
        } else {
            break;
        }
    }
    (first, last)
}
