//! What the summary of a trace and its digest have in common: the costly part, measured once.

use super::tail::{LISTED, threshold};
use seekscope_measure::arrays::suggestion::{Suggestion, suggest};
use seekscope_measure::calls::{CallsUsed, calls_used};
use seekscope_measure::failed::{FailedRequests, failed};
use seekscope_measure::figures::bins::{DeviceBins, cuts};
use seekscope_measure::figures::requested::{RequestedWork, works};
use seekscope_measure::figures::{Figures, figures_with_cuts};
use seekscope_measure::layers::{LayerTime, layer_times};
use seekscope_measure::objects::{ObjectsUsed, objects_used};
use seekscope_measure::stacks::{StacksUsed, stacks_used};
use seekscope_measure::tail::{Tail, tails};
use seekscope_measure::{Geometry, Span, Window};
use seekscope_trace::store::{EventsByKind, Store};

/// The measurements of all devices of a trace within a window.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The events of the window, by kind.
    pub events: EventsByKind,
    pub figures: Vec<Figures>,
    /// Failed requests per device; `None` without any.
    pub failed: Vec<Option<FailedRequests>>,
    /// The slowest requests per device, where there are any.
    pub tails: Vec<Option<Tail>>,
    /// The files and structures per device; `None` without a map of the disk.
    pub objects: Vec<Option<ObjectsUsed>>,
    /// The call stacks per device; `None` where none were recorded.
    pub stacks: Vec<Option<StacksUsed>>,
    /// The system calls per device; `None` where none are known.
    pub calls: Vec<Option<CallsUsed>>,
    /// The time in the layers of a stack; `None` for devices that lie on none that was recorded.
    pub layers: Vec<Option<LayerTime>>,
    /// The suggested alignment per device, from the complete trace: a window may have too few
    /// requests.
    pub suggestions: Vec<Option<Suggestion>>,
    /// The requested bytes per device, at Q, D and C.
    pub works: Vec<[Option<RequestedWork>; 3]>,
    /// The bins of the devices that have some, as far as the events tell: `digest` needs them, and
    /// they are measured in the pass for `figures`.
    pub bins: Vec<DeviceBins>,
}

impl Measured {
    pub fn new(store: &Store, window: Window, geometry: Option<Geometry>) -> Measured {
        let events = EventsByKind::count(&store.events, window.events(&store.events));
        let (spans, works) = (Span::of_devices(store), works(store, &events));
        let window_spans = (window, spans.as_slice());
        let cuts = cuts(store, window_spans, &works);
        let (figures, of_cuts) = figures_with_cuts(store, window_spans, geometry, &events, &cuts);
        let bins = cuts.into_iter().zip(of_cuts);
        let bins = bins.map(|(cut, events)| DeviceBins { cut, events });
        let thresholds: Vec<_> = figures
            .iter()
            .enumerate()
            .map(|(device, figures)| threshold(store, device, figures))
            .collect();
        Measured {
            tails: tails(store, window, &thresholds, LISTED),
            failed: failed(store, window),
            objects: objects_used(store, window),
            stacks: stacks_used(store, window),
            calls: calls_used(store, window),
            layers: layer_times(store, window),
            figures,
            events,
            suggestions: suggest(store),
            works,
            bins: bins.collect(),
        }
    }
}
