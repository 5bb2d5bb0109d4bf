//! Computes all measures of all devices in few passes over the events: one for the spans, one for
//! all measures, one for exact medians of seeks. Two passes go over the requests, the second one
//! for exact percentiles.
//!
//! Each pass over a large trace costs as much as all measures in it, so a new measure joins an
//! existing pass: it gets a counter in `DeviceCounters`. A test compares each with its own pass.

pub mod bins;
mod cut;
mod device;
mod events;
mod ordered;
pub mod requested;
mod windows;

use super::access::interleaving::Interleaving;
use super::access::order::RequestPart;
use super::access::seek::Seek;
use super::arrays::alignment::{AlignmentCounter, ClassCount, OffBlockCount};
use super::arrays::array::Arrays;
use super::arrays::geometry::Geometry;
use super::counts::EventCounts;
use super::coverage::{Coverage, Covered};
use super::depth::{Usage, Waiting};
use super::failed::FailedCount;
use super::flush::Flush;
use super::latency::Latency;
use super::ratio;
use super::size::SizeCount;
use super::span::{Span, Window};
use super::throughput::{CompletionCounter, Throughput};
pub use cut::{CutEvents, DeviceCut, WindowEvents};
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::Action;
use seekscope_trace::store::{EventsByKind, Role, Stage, Store};
pub use windows::{DeviceWindows, WindowFigures, WindowSamples, in_windows};

use device::{DeviceCounters, refine_stages, walk_requests};
use events::{refine_seeks, walk_events};

/// The alignment of requests to stripes.
#[derive(Clone, Debug, PartialEq)]
pub struct Alignment {
    /// The counts per [`super::Class`].
    pub classes: [ClassCount; 4],
    /// Number of 4 KiB-misaligned requests.
    pub misaligned_4k: u64,
    /// Stripes covered by writes, and the cost of partial ones. Absent on md without Q and C.
    pub covered: Option<Covered>,
}

/// All figures of one device in a window. What the recording cannot show is absent.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// First Q to last C within the window, ns.
    pub active: (u64, u64),
    pub counts: EventCounts,
    /// Completions with an error.
    pub failed: FailedCount,
    /// Number of messages.
    pub messages: u64,
    /// Mean rates over `active`; absent without C.
    pub throughput: Option<Throughput>,
    /// Reads and writes at Q and D; absent without these.
    pub requested: [Option<CompletionCounter>; 2],
    /// Depth, waiting, starved time and states; absent without D.
    pub usage: Option<Usage>,
    /// Bios between Q and C, of a disk recorded without D.
    pub outstanding: Option<Waiting>,
    /// The stages that occur, per request.
    pub latency: Vec<(Stage, Latency)>,
    /// Sizes at Q, D and C.
    pub sizes: [Vec<SizeCount>; 3],
    /// Seeks in the order of D.
    pub seek_issued: Option<Seek>,
    /// Seeks in the order of Q.
    pub seek_queued: Option<Seek>,
    /// Seeks in the order of C, of a device of which only C was recorded.
    pub seek_completed: Option<Seek>,
    /// How often consecutive requests are of different processes.
    pub interleaving: Option<Interleaving>,
    /// Flushes and forced writes.
    pub flush: Flush,
    /// Share of requests with data that have the SYNC flag.
    pub sync_share: Option<f64>,
    /// Writes that are not aligned to 4 KiB, whatever the geometry.
    pub off_block: OffBlockCount,
    /// Requests issued after one that was queued later, of those with a known Q.
    pub reordered: RequestPart,
    /// Requests completed on another CPU than the one that submitted them, of those that completed.
    pub migrated: RequestPart,
    /// Absent without a geometry.
    pub alignment: Option<Alignment>,
}

/// Bytes per second that no device reaches: 1 TiB/s, measured over at least this many ns.
const MAX_RATE: (f64, u64) = ((1u64 << 40) as f64, 1_000_000);
/// Sectors of a read or write that no device takes at once: 1 GiB.
const MAX_SECTORS: u64 = 1 << 21;
/// ns that no recording lasts: a year.
const LONGEST: u64 = 366 * 86_400 * 1_000_000_000;

impl Figures {
    /// Whether a device can have these: else the recording is damaged.
    pub fn are_plausible(&self) -> bool {
        let ns = self.active.1 - self.active.0;
        let too_fast = self
            .throughput
            .is_some_and(|t| t.read_bps + t.write_bps > MAX_RATE.0)
            && ns >= MAX_RATE.1;
        let mut sizes = self
            .sizes
            .iter()
            .flatten()
            .filter(|size| size.reads + size.writes > 0);
        !too_fast && ns <= LONGEST && sizes.all(|size| size.sectors < MAX_SECTORS)
    }
}

/// Measures every device of the store, in its order, within `window`.
pub fn figures(store: &Store, window: Window, geometry: Option<Geometry>) -> Vec<Figures> {
    let counted = EventsByKind::count(&store.events, window.events(&store.events));
    let spans = Span::of_devices(store);
    figures_with_cuts(store, (window, &spans), geometry, &counted, &[]).0
}

/// The same where the spans of the devices are known and the events of the window are counted. The
/// same pass measures what the events tell of the windows of some devices, by cut.
pub fn figures_with_cuts(
    store: &Store,
    (window, spans): (Window, &[Span]),
    geometry: Option<Geometry>,
    counted: &EventsByKind,
    cuts: &[DeviceCut],
) -> (Vec<Figures>, Vec<CutEvents>) {
    let arrays = geometry.map(|_| Arrays::collect(store)).unwrap_or_default();
    let begin = |(device, span): (usize, &Span)| DeviceCounters {
        alignment: geometry.map(|g| {
            (
                AlignmentCounter::new(g),
                Coverage::new(g, store, &arrays, device as u32),
            )
        }),
        ..DeviceCounters::new(store, device, span, window)
    };
    let mut tallies: Vec<DeviceCounters> = spans.iter().enumerate().map(begin).collect();
    for (kind, rows) in counted.each(&store.events) {
        if let Some(tally) = tallies.get_mut(kind.device as usize) {
            tally.kind(kind, rows.n);
        }
    }
    if store.capabilities.has(Capabilities::PROCESSES) {
        cuts.iter()
            .for_each(|cut| tallies[cut.device].collect_starved());
    }
    let with_spans = cuts.iter().map(|cut| (cut, &spans[cut.device]));
    let of_cuts = walk_events(store, window, &mut tallies, with_spans);
    refine_seeks(store, window, &mut tallies);
    walk_requests(store, window, &mut tallies);
    refine_stages(store, window, &mut tallies);
    let messages = &store.messages.rows;
    let first = messages.partition_point(|m| m.time < window.from);
    for message in messages[first..].iter().take_while(|m| m.time < window.to) {
        if let Some(tally) = tallies.get_mut(message.device as usize) {
            tally.messages += 1;
        }
    }
    let finished = |mut tally: DeviceCounters| {
        let ns = tally.active.1 - tally.active.0;
        let (usage, starved) = tally.end_usage();
        let seeks = [&mut tally.queued, &mut tally.issued, &mut tally.completed];
        let seeks = seeks.map(|seeks| std::mem::take(seeks).finish(ns));
        (finish(tally, usage, seeks), starved)
    };
    let (figures, mut starved): (Vec<_>, Vec<_>) = tallies.into_iter().map(finished).unzip();
    let with_starved = |(cut, windows): (&DeviceCut, _)| CutEvents {
        windows,
        starved: starved[cut.device].take(),
    };
    (
        figures,
        cuts.iter().zip(of_cuts).map(with_starved).collect(),
    )
}

/// `seeks`: at Q, D and C.
fn finish(
    tally: DeviceCounters,
    mut usage: Option<Usage>,
    [seek_queued, seek_issued, seek_completed]: [Option<Seek>; 3],
) -> Figures {
    let (from, to) = tally.active;
    let ns = to - from;
    let has = |action| tally.device.recorded.is_known(action);
    let bios = usage.take_if(|_| !has(Action::Issue));
    if let Some(usage) = usage.as_mut().filter(|_| !has(Action::Complete)) {
        *usage = Usage {
            waiting: usage.waiting,
            ..Usage::default()
        };
    }
    let stripes = has(Action::Complete) || has(Action::Queue) || tally.device.role != Role::Stacked;
    let [queued, issued, completed] = tally.moved;
    let alignment = tally.alignment.map(|(classes, coverage)| Alignment {
        classes: classes.classes,
        misaligned_4k: classes.misaligned_4k,
        covered: stripes.then(|| coverage.finish()),
    });
    Figures {
        active: tally.active,
        counts: tally.counts,
        failed: tally.failed,
        messages: tally.messages,
        throughput: has(Action::Complete).then(|| completed.without(tally.early).over(ns)),
        requested: [
            has(Action::Queue).then_some(queued),
            has(Action::Issue).then_some(issued),
        ],
        usage,
        outstanding: bios.and_then(|b| b.waiting),
        latency: tally.stages.finish(),
        sizes: tally.sizes.map(|s| s.counts()),
        seek_issued,
        seek_queued,
        seek_completed,
        interleaving: tally.turns.finish(),
        flush: tally.flush.finish(ns, tally.device),
        sync_share: (tally.with_data > 0)
            .then(|| ratio(u128::from(tally.sync), u128::from(tally.with_data))),
        off_block: tally.off_block,
        reordered: tally.order.finish(),
        migrated: tally.migrated,
        alignment,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::StripeCounts;
    use crate::depth::usage;
    use crate::latency::ByStage;
    use seekscope_trace::fixture::store;

    const TWO_DEVICES: &str = "
        10 Q 0+8 WS pid=1
        12 Q 64+8 W dev=1 pid=3
        15 Q 100+8 R pid=2
        20 D 0+8 WS
        30 D 100+8 R
        40 C 0+8 WS
        50 Q 8+8 WS pid=1
        55 C 100+8 R
        60 D 8+8 WS
        70 C 64+8 W dev=1
        80 D - FN
        90 C 8+8 WS
        95 C - FN";

    /// Visits the figures of devices, each in windows of its own and with limits.
    fn visit_windows(
        store: &Store,
        of_devices: &[(&[Window], &ByStage<Vec<u64>>)],
        visit: impl FnMut(usize, usize, WindowFigures),
        use_samples: impl FnOnce(WindowSamples),
    ) {
        let spans = Span::of_devices(store);
        let counted = EventsByKind::count(&store.events, 0..store.events.len());
        let cut_of = |(device, (windows, _)): (usize, &(&[Window], _))| DeviceCut {
            device,
            width: 0,
            windows: windows.to_vec(),
        };
        let cuts: Vec<DeviceCut> = of_devices.iter().enumerate().map(cut_of).collect();
        let whole = (Window::WHOLE, spans.as_slice());
        let (all, events) = figures_with_cuts(store, whole, None, &counted, &cuts);
        assert_eq!(
            all,
            figures(store, Window::WHOLE, None),
            "cuts change nothing"
        );
        let device_windows = cuts.iter().zip(&events).map(|(cut, events)| DeviceWindows {
            cut,
            span: &spans[cut.device],
            events: &events.windows,
            limits: of_devices[cut.device].1,
        });
        use_samples(in_windows(store, device_windows.collect(), visit));
    }

    /// The usage as windows have it.
    fn without_shares(usage: Option<Usage>) -> Option<Usage> {
        let mut usage = usage?;
        if let Some(depth) = &mut usage.depth {
            depth.shares.clear();
        }
        Some(usage)
    }

    #[test]
    fn devices_are_apart() {
        let s = store(TWO_DEVICES);
        let [disk, md] = figures(&s, Window::WHOLE, None).try_into().unwrap();
        assert_eq!((disk.active, md.active), ((10, 95), (12, 70)));
        assert_eq!(
            (
                disk.counts.count(Action::Queue),
                md.counts.count(Action::Queue)
            ),
            (3, 1)
        );
        // (10 + 10 + 15 + 5 + 20 * 1 + 10 * 2 + 5) of 75 ns.
        assert_eq!(
            disk.usage
                .as_ref()
                .and_then(|u| u.depth.as_ref())
                .map(|d| d.max),
            Some(2)
        );
        assert_eq!(md.usage, None);
        assert_eq!(
            disk.interleaving,
            Some(Interleaving {
                switch_share: 1.0,
                mean_run: 1.0
            })
        );
        assert_eq!((md.interleaving, md.seek_issued), (None, None));
        assert_eq!(
            (disk.sync_share, md.sync_share),
            (Some(2.0 / 3.0), Some(0.0))
        );
        let flush = Flush {
            preflush: Some(0),
            flush: Some(1),
            fua: Some(0),
            busy_share: Some(15.0 / 85.0),
        };
        assert_eq!(disk.flush, flush);
        // The requests are issued as 0+8, 100+8, 8+8.
        assert_eq!(
            disk.seek_issued.map(|s| (s.n, s.mean_abs, s.median_abs)),
            Some((2, 96.0, 92))
        );
        assert_eq!(
            md.latency
                .iter()
                .map(|(s, l)| (s.name(), l.max))
                .collect::<Vec<_>>(),
            [("q2c", 58)]
        );
    }

    #[test]
    fn one_pass_says_what_each_measure_says_alone() {
        let s = store(TWO_DEVICES);
        let spans = Span::of_devices(&s);
        for window in [
            Window::WHOLE,
            Window { from: 25, to: 60 },
            Window { from: 60, to: 61 },
            Window { from: 200, to: 300 },
        ] {
            for (device, figures) in figures(&s, window, None).iter().enumerate() {
                assert_eq!(
                    figures.usage,
                    usage(&s, device as u32, &spans[device], window),
                    "{window:?}"
                );
                let mut alone = Vec::new();
                let none = ByStage::default();
                let mut of_devices = [(&[][..], &none); 2];
                of_devices[device].0 = std::slice::from_ref(&window);
                let visit = |_, _, found: WindowFigures| alone.push(found.figures);
                visit_windows(&s, &of_devices, visit, |_| ());
                let [alone] = alone.try_into().expect("one window");
                let sums = |f: &Figures| {
                    f.latency
                        .iter()
                        .map(|(stage, l)| (*stage, l.n, l.mean))
                        .collect::<Vec<_>>()
                };
                assert_eq!(sums(&alone), sums(figures), "{window:?}");
                let seeks = |f: &Figures| {
                    [f.seek_issued, f.seek_queued].map(|seek| seek.map(|s| (s.n, s.mean_abs)))
                };
                assert_eq!(seeks(&alone), seeks(figures), "{window:?}");
                let others = |f: &Figures| Figures {
                    usage: without_shares(f.usage.clone()),
                    latency: Vec::new(),
                    seek_issued: None,
                    seek_queued: None,
                    ..f.clone()
                };
                assert_eq!(others(&alone), others(figures), "{window:?}");
            }
        }
    }

    #[test]
    fn devices_are_measured_in_windows_of_their_own() {
        let s = store(TWO_DEVICES);
        let windows = |ends: &[u64]| {
            ends.windows(2)
                .map(|w| Window {
                    from: w[0],
                    to: w[1],
                })
                .collect::<Vec<_>>()
        };
        let windows_of_devices = [
            windows(&[10, 25, 60, 61, 96]),
            windows(&[0, 12, 40, 71, 300, 400]),
        ];
        let mut limits = [ByStage::default(), ByStage::default()];
        // Q2C of the disk: 30, 40, 40; of the other device: 58.
        limits[0][0] = vec![30, 39, 40];
        let of_devices =
            [0, 1].map(|device| (windows_of_devices[device].as_slice(), &limits[device]));
        let mut found: [Vec<Figures>; 2] = Default::default();
        let mut within = vec![0; 3];
        let ranks = |q2c: &[u64]| {
            std::array::from_fn(|stage| if stage == 0 { q2c.to_vec() } else { Vec::new() })
        };
        let visit = |device: usize, window, measured: WindowFigures| {
            assert_eq!(found[device].len(), window);
            found[device].push(measured.figures);
            within
                .iter_mut()
                .zip(&measured.within[0])
                .for_each(|(sum, n)| *sum += n);
        };
        visit_windows(&s, &of_devices, visit, |samples| {
            let of_ranks = samples.of_ranks(&s, &[ranks(&[1, 3]), ranks(&[])]);
            assert_eq!(
                of_ranks.iter().map(|found| &found[0]).collect::<Vec<_>>(),
                [&vec![30, 40], &vec![]]
            );
        });
        assert_eq!(within, [1, 1, 3]);
        for (device, (windows, found)) in windows_of_devices.iter().zip(&found).enumerate() {
            assert_eq!(windows.len(), found.len());
            for (&window, found) in windows.iter().zip(found) {
                let wanted = &figures(&s, window, None)[device];
                assert_eq!(
                    (
                        &found.counts,
                        without_shares(found.usage.clone()),
                        found.flush
                    ),
                    (
                        &wanted.counts,
                        without_shares(wanted.usage.clone()),
                        wanted.flush
                    ),
                    "{window:?}"
                );
                assert_eq!(
                    (found.throughput, &found.sizes),
                    (wanted.throughput, &wanted.sizes),
                    "{window:?}"
                );
                let sums = |f: &Figures| {
                    f.latency
                        .iter()
                        .map(|(stage, l)| (*stage, l.n, l.mean))
                        .collect::<Vec<_>>()
                };
                assert_eq!(sums(found), sums(wanted), "{window:?}");
            }
        }
    }

    #[test]
    fn nothing_and_a_geometry() {
        assert!(figures(&Store::default(), Window::WHOLE, None).is_empty());
        let g = "unit=4KiB,disks=2,level=raid5".parse().ok();
        let [disk, _] = figures(&store(TWO_DEVICES), Window::WHOLE, g)
            .try_into()
            .unwrap();
        let alignment = disk.alignment.unwrap();
        assert_eq!(alignment.classes.map(|c| c.requests), [0, 2, 0, 1]);
        let stripes = alignment.covered.map(|c| c.stripes);
        assert_eq!(
            (stripes, alignment.misaligned_4k),
            (
                Some(StripeCounts {
                    full: 1,
                    partial: 0
                }),
                1
            )
        );
    }
}
