//! What the colours of the seek map mean: a small number per request, by layer.

use crate::answer::BadQuery;
use crate::select::Selection;
use crate::view::total_latency;
use seekscope_trace::event::{Flags, Op};
use seekscope_trace::store::ObjectGroups;
use seekscope_trace::store::{RequestKind, RequestRow};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

const KIB_LIMITS: [u32; 5] = [4, 16, 64, 256, 1024];
const NS_LIMITS: [u64; 5] = [100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];
/// Class of processes without a slot, and of requests without a latency.
const OTHER: u8 = 5;
/// Marks a request without a class, as a flush, which has no alignment.
pub const NO_CLASS: u8 = u8::MAX;
/// Class of objects without a slot.
const OTHER_OBJECT: u8 = 6;
/// Number of classes of processes, sizes and latencies.
const CLASSES: usize = 6;
/// Number of classes of the layer with the largest number.
pub const MAX_CLASSES: usize = 7;

/// What the colour of the seek map means. Class numbers: `op` and `alignment` are those of their
/// types; `process` and `object` give the slot of these (unknown: the highest, 5 and 6); `size`
/// 0..5: up to 4, 16, 64, 256, 1024 KiB, larger; `latency` 0..5 (Q2C or D2C): up to 0.1, 1, 10, 100
/// ms, 1 s, longer; `sync` 0..3: async, sync, FUA, flush (also preflush). What did not complete has
/// latency class 5; a flush has alignment class 255 (none).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[doc(alias = "Layer")]
pub enum LayerName {
    Density,
    Op,
    Alignment,
    Process,
    Size,
    Latency,
    Sync,
    Object,
}

/// A property by which requests are coloured.
#[derive(Clone, Debug)]
pub enum Layer {
    /// All requests have the same class.
    Density,
    Op,
    Alignment,
    /// The slot of each process, by its index.
    Process(Vec<u8>),
    /// The slot of each object, by its index, and the index of the object of each row.
    Object(Vec<u8>, Arc<[u8]>),
    /// Steps of [`KIB_LIMITS`].
    Size,
    /// Steps of [`NS_LIMITS`], by Q2C (D2C without Q).
    Latency,
    Sync,
}

impl Layer {
    /// The layer of a name. `slots` has a slot for each process or object, for these layers.
    pub fn new(
        name: LayerName,
        slots: Option<Vec<f64>>,
        selection: &Selection,
        groups: &ObjectGroups,
    ) -> Result<Layer, BadQuery> {
        let slots = slots.unwrap_or_default();
        let slots = |most: u8| slots.iter().map(|&slot| (slot as u8).min(most)).collect();
        Ok(match name {
            LayerName::Density => Layer::Density,
            LayerName::Op => Layer::Op,
            LayerName::Alignment if selection.geometry.is_none() => {
                return Err(BadQuery::new("the layer `alignment` requires a geometry"));
            }
            LayerName::Alignment => Layer::Alignment,
            LayerName::Process => Layer::Process(slots(OTHER)),
            LayerName::Object => Layer::Object(slots(OTHER_OBJECT), groups.rows()),
            LayerName::Size => Layer::Size,
            LayerName::Latency => Layer::Latency,
            LayerName::Sync => Layer::Sync,
        })
    }

    /// Number of classes that a grid must distinguish.
    pub fn classes(&self) -> usize {
        match self {
            Layer::Density => 1,
            Layer::Op | Layer::Alignment | Layer::Sync => 4,
            Layer::Process(_) | Layer::Size | Layer::Latency => CLASSES,
            Layer::Object(..) => MAX_CLASSES,
        }
    }

    /// The class of all requests of a kind; absent if it differs within one.
    pub fn class_of_kind(&self, kind: &RequestKind) -> Option<u8> {
        match self {
            Layer::Density => Some(0),
            Layer::Op => Some(kind.op() as u8),
            Layer::Process(slots) => {
                Some(slots.get(kind.process as usize).copied().unwrap_or(OTHER))
            }
            Layer::Size => Some(step(&KIB_LIMITS, kind.bytes.div_ceil(1024))),
            Layer::Sync => Some(sync(kind.flags, kind.op())),
            Layer::Alignment | Layer::Latency | Layer::Object(..) => None,
        }
    }

    /// Whether [`latency_class`] of a request is its class.
    pub fn is_latency(&self) -> bool {
        matches!(self, Layer::Latency)
    }

    /// The class of a request, below [`Layer::classes`] or [`NO_CLASS`].
    #[inline]
    pub fn class(&self, selection: &Selection, row: RequestRow) -> u8 {
        match self {
            Layer::Alignment => selection
                .alignment(row)
                .map_or(NO_CLASS, |class| class as u8),
            Layer::Object(slots, object_of_row) => object_of_row
                .get(row.row)
                .and_then(|&object| slots.get(usize::from(object)))
                .copied()
                .unwrap_or(OTHER_OBJECT),
            Layer::Latency => latency_class(total_latency(row)),
            _ => self.class_of_kind(row.kind()).unwrap_or(NO_CLASS),
        }
    }
}

/// The class of the layer `latency`.
#[inline(always)]
pub fn latency_class(ns: Option<u64>) -> u8 {
    ns.map_or(OTHER, |ns| step(&NS_LIMITS, ns))
}

/// Number of limits, which ascend, that a value exceeds. Without branches: latencies are as good as
/// random.
#[inline(always)]
fn step<T: PartialOrd>(limits: &[T], value: T) -> u8 {
    limits.iter().map(|limit| u8::from(value > *limit)).sum()
}

/// The class of the layer `sync`.
fn sync(flags: Flags, op: Op) -> u8 {
    if op == Op::Flush || flags.has(Flags::FLUSH) {
        3
    } else if flags.has(Flags::FUA) {
        2
    } else {
        u8::from(flags.has(Flags::SYNC))
    }
}
