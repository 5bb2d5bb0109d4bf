//! Duration of the stages of requests.
//!
//! One sample per request that has both ends of the stage: Q2C, D2C, Q2D (Q: of its first bio),
//! Q2G, G2I, I2D, G2D (G: its first, I: the last before D, D: the last after a requeue). Bios of a
//! device without requests have only Q2C. For samples per bio, as in btt, see
//! [`seekscope_trace::store::BioStages`]. Percentiles are exact order statistics.

use super::histogram::{Histogram, Refine, Share};
use seekscope_trace::store::{RequestRow, RequestSpans, Stage, StageTally, UNKNOWN_SPAN};
use serde::Serialize;

/// Stages that a request row can have.
pub const STAGES: [Stage; 7] = [
    Stage::Q2C,
    Stage::D2C,
    Stage::Q2D,
    Stage::Q2G,
    Stage::G2I,
    Stage::I2D,
    Stage::G2D,
];

/// One item for each of [`STAGES`].
pub type ByStage<T> = [T; STAGES.len()];

/// The percentiles that are reported, in ten-thousandths.
pub const SHARES: [Share; 6] = [5_000, 9_000, 9_500, 9_900, 9_990, 9_999];

/// One stage of a row, ns; absent if one of its ends is unknown.
#[inline(always)]
pub fn stage(row: RequestRow, stage: Stage) -> Option<u64> {
    match stage {
        Stage::Q2C => row.q2c(),
        Stage::D2C => row.d2c(),
        Stage::Q2D => row.q2d(),
        Stage::Q2G => Some(row.q2d()?.saturating_sub(row.g2d()?)),
        Stage::G2I => Some(row.g2d()?.saturating_sub(row.i2d()?)),
        Stage::I2D => row.i2d(),
        Stage::G2D => row.g2d(),
        Stage::Q2M | Stage::M2D => None,
    }
}

/// The stages of a row, in the order of [`STAGES`]; the same values as [`stage`].
#[inline]
pub fn stages(row: RequestRow) -> ByStage<Option<u64>> {
    let RequestSpans {
        queued,
        allocated,
        inserted,
        completed,
    } = row.spans();
    let q2c = queued
        .zip(completed)
        .map(|(before, after)| before.saturating_add(after));
    if row.kind().bio {
        return [q2c, None, None, None, None, None, None];
    }
    let difference = |from: Option<u64>, to: Option<u64>| Some(from?.saturating_sub(to?));
    [
        q2c,
        completed,
        queued,
        difference(queued, allocated),
        difference(allocated, inserted),
        inserted,
        allocated,
    ]
}

/// The figures of one stage, ns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Latency {
    /// Number of samples.
    pub n: u64,
    pub min: u64,
    pub mean: f64,
    pub p50: u64,
    pub p90: u64,
    pub p95: u64,
    pub p99: u64,
    pub p999: u64,
    pub p9999: u64,
    pub max: u64,
}

impl Latency {
    /// From both passes over the samples; absent without samples.
    pub fn new(histogram: &Histogram, refined: Refine) -> Option<Latency> {
        let tally = histogram.tally();
        let [p50, p90, p95, p99, p999, p9999] = refined.finish().try_into().ok()?;
        Some(Latency {
            n: tally.n,
            min: tally.min,
            mean: tally.mean()?,
            p50,
            p90,
            p95,
            p99,
            p999,
            p9999,
            max: tally.max,
        })
    }

    /// From totals alone: the percentiles are 0. Absent without samples.
    fn of_totals(tally: &StageTally) -> Option<Latency> {
        let &StageTally { n, min, max, .. } = tally;
        Some(Latency {
            n,
            min,
            mean: tally.mean()?,
            p50: 0,
            p90: 0,
            p95: 0,
            p99: 0,
            p999: 0,
            p9999: 0,
            max,
        })
    }

    /// From samples that can be iterated twice.
    pub fn from_samples(samples: impl Iterator<Item = u64> + Clone) -> Option<Latency> {
        let mut histogram = Histogram::default();
        samples.clone().for_each(|ns| histogram.add(ns));
        let mut refine = histogram.refine(&SHARES);
        samples.for_each(|ns| refine.add(ns));
        Latency::new(&histogram, refine)
    }
}

/// The samples of some rows, by stage.
#[derive(Clone, Debug, Default)]
pub struct StageSamples {
    /// Lists with room for all rows.
    ns: ByStage<Vec<u64>>,
    lens: ByStage<usize>,
}

impl StageSamples {
    /// Replaces the samples by those of these rows.
    pub fn fill(&mut self, rows: &[RequestRow]) {
        for ns in &mut self.ns {
            ns.resize(ns.len().max(rows.len()), 0);
        }
        self.lens = Default::default();
        for &row in rows {
            match row.short_spans() {
                Some(spans) if !row.kind().bio => self.put_short(spans),
                _ => stages(row)
                    .into_iter()
                    .enumerate()
                    .for_each(|(stage, ns)| self.put(stage, ns.is_some(), ns.unwrap_or(0))),
            }
        }
    }

    /// Adds the same values as [`stages`].
    #[inline(always)]
    fn put_short(&mut self, [queued, allocated, inserted, completed]: [u32; 4]) {
        let is_known = [queued, allocated, inserted, completed].map(|span| span != UNKNOWN_SPAN);
        let [q, g, i, c] = [queued, allocated, inserted, completed].map(u64::from);
        self.put(0, is_known[0] && is_known[3], q + c);
        self.put(1, is_known[3], c);
        self.put(2, is_known[0], q);
        self.put(3, is_known[0] && is_known[1], q.saturating_sub(g));
        self.put(4, is_known[1] && is_known[2], g.saturating_sub(i));
        self.put(5, is_known[2], i);
        self.put(6, is_known[1], g);
    }

    /// Each is written; one that is not known is overwritten by the next.
    #[inline(always)]
    fn put(&mut self, stage: usize, is_known: bool, ns: u64) {
        let len = &mut self.lens[stage];
        if let Some(place) = self.ns[stage].get_mut(*len) {
            *place = ns;
            *len += usize::from(is_known);
        }
    }

    /// The samples of each stage, in the order of [`STAGES`].
    fn each(&self) -> impl Iterator<Item = &[u64]> {
        self.ns.iter().zip(self.lens).map(|(ns, len)| &ns[..len])
    }
}

/// The stages of many rows: pass the samples of all rows to `add`, then again to `again`, in pieces
/// of any size. One stage after another: what is counted of it stays in registers.
#[derive(Clone, Debug, Default)]
pub struct StageHistograms {
    histograms: ByStage<Histogram>,
    refines: Option<ByStage<Refine>>,
}

impl StageHistograms {
    /// First pass: counts samples in buckets.
    pub fn add(&mut self, samples: &StageSamples) {
        for (histogram, samples) in self.histograms.iter_mut().zip(samples.each()) {
            histogram.add_all(samples.iter().copied());
        }
    }

    /// Second pass: refines the buckets with percentiles.
    pub fn again(&mut self, samples: &StageSamples) {
        let histograms = &self.histograms;
        let refines = self
            .refines
            .get_or_insert_with(|| std::array::from_fn(|i| histograms[i].refine(&SHARES)));
        for (refine, samples) in refines.iter_mut().zip(samples.each()) {
            refine.add_all(samples.iter().copied());
        }
    }

    /// The stages with samples. Without a second pass, percentiles are the lower edges of their
    /// buckets.
    pub fn finish(self) -> Vec<(Stage, Latency)> {
        let refines = self.refines.unwrap_or_else(|| {
            self.histograms
                .each_ref()
                .map(|histogram| histogram.refine(&SHARES))
        });
        let figures = self.histograms.iter().zip(refines).zip(STAGES);
        figures
            .filter_map(|((h, r), name)| Some((name, Latency::new(h, r)?)))
            .collect()
    }
}

/// The stages of a device in windows that follow one another.
#[derive(Clone, Debug)]
pub struct WindowStages<'a> {
    limits: &'a ByStage<Vec<u64>>,
    /// The histograms of all windows so far.
    histograms: ByStage<Histogram>,
    /// The totals of the current window.
    totals: ByStage<StageTally>,
    within: ByStage<Vec<u64>>,
}

impl<'a> WindowStages<'a> {
    /// Counts with the limits of each stage, ns; stages without limits have totals only.
    pub fn new(limits: &'a ByStage<Vec<u64>>) -> WindowStages<'a> {
        let histogram = |limits: &Vec<u64>| {
            if limits.is_empty() {
                Histogram::of_totals()
            } else {
                Histogram::default()
            }
        };
        let within = limits.each_ref().map(|limits| vec![0; limits.len()]);
        WindowStages {
            limits,
            histograms: limits.each_ref().map(histogram),
            totals: Default::default(),
            within,
        }
    }

    /// Adds samples of the current window.
    pub fn add(&mut self, samples: &StageSamples) {
        for (stage, samples) in samples.each().enumerate() {
            self.histograms[stage].add_all_and(&mut self.totals[stage], samples.iter().copied());
            for (within, limit) in self.within[stage].iter_mut().zip(&self.limits[stage]) {
                *within += samples.iter().filter(|ns| *ns <= limit).count() as u64;
            }
        }
    }

    /// The stages of the window that ends, without percentiles, and how many samples do not exceed
    /// each limit.
    pub fn end_window(&mut self) -> (Vec<(Stage, Latency)>, ByStage<Vec<u64>>) {
        let totals = std::mem::take(&mut self.totals);
        let latencies = totals
            .iter()
            .zip(STAGES)
            .filter_map(|(totals, stage)| Some((stage, Latency::of_totals(totals)?)));
        let none = self.limits.each_ref().map(|limits| vec![0; limits.len()]);
        (
            latencies.collect(),
            std::mem::replace(&mut self.within, none),
        )
    }

    /// Starts a second pass over the samples of all windows, for the samples of these ranks, from
    /// 1.
    pub fn ranks(&self, ranks: &ByStage<Vec<u64>>) -> StageRanks {
        StageRanks {
            refines: std::array::from_fn(|stage| {
                self.histograms[stage].refine_ranks(&ranks[stage])
            }),
        }
    }
}

/// The second pass for the samples of some ranks.
#[derive(Clone, Debug)]
pub struct StageRanks {
    refines: ByStage<Refine>,
}

impl StageRanks {
    pub fn add(&mut self, samples: &StageSamples) {
        for (refine, samples) in self
            .refines
            .iter_mut()
            .zip(samples.each())
            .filter(|(refine, _)| !refine.is_exact())
        {
            refine.add_all(samples.iter().copied());
        }
    }

    /// Whether a pass would change nothing.
    pub fn is_exact(&self) -> bool {
        self.refines.iter().all(Refine::is_exact)
    }

    /// The samples of the ranks, in their order.
    pub fn finish(self) -> ByStage<Vec<u64>> {
        self.refines.map(Refine::finish)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture::store;

    #[test]
    fn stages_of_a_request_and_of_what_is_unfinished() {
        let s = store(
            "100 Q 0+8
             110 G 0+8
             150 I 0+8
             160 Q 8+8
             200 D 0+8
             210 D 8+8
             1000 C 0+8",
        );
        let (mut stages, mut samples) = (StageHistograms::default(), StageSamples::default());
        let rows = [0, 1].map(|row| s.requests.row(row));
        samples.fill(&rows[..1]);
        stages.add(&samples);
        samples.fill(&rows[1..]);
        stages.add(&samples);
        samples.fill(&rows);
        stages.again(&samples);
        let got: Vec<_> = stages
            .finish()
            .iter()
            .map(|(stage, l)| (stage.name(), l.n, l.min, l.p50, l.max))
            .collect();
        let want = [
            ("q2c", 1, 900, 900, 900),
            ("d2c", 1, 800, 800, 800),
            ("q2d", 2, 50, 50, 100),
            ("q2g", 1, 10, 10, 10),
            ("g2i", 1, 40, 40, 40),
            ("i2d", 1, 50, 50, 50),
            ("g2d", 1, 90, 90, 90),
        ];
        assert_eq!(got, want);
    }

    #[test]
    fn a_bio_without_requests_has_only_q2c() {
        let s = store("10 Q 0+8\n110 C 0+8");
        let latency_of = |stage_name| {
            Latency::from_samples((0..1).filter_map(|row| stage(s.requests.row(row), stage_name)))
        };
        assert_eq!(
            latency_of(Stage::Q2C).map(|l| (l.mean, l.p9999)),
            Some((100.0, 100))
        );
        assert_eq!(
            (latency_of(Stage::D2C), latency_of(Stage::Q2D)),
            (None, None)
        );
    }

    #[test]
    fn percentiles_of_a_hundred() {
        let l = Latency::from_samples((1..=100u64).map(|i| i * 1_000_003)).unwrap();
        assert_eq!(
            (l.p50, l.p90, l.p99, l.p999),
            (
                50 * 1_000_003,
                90 * 1_000_003,
                99 * 1_000_003,
                100 * 1_000_003
            )
        );
        assert_eq!(l.mean, 50.5 * 1_000_003.0);
    }
}
