//! What the colours of the seek map mean: a small number per request, by layer.

use super::answer::BadQuery;
use super::query::index_of;
use super::select::Selection;
use super::view::total_latency;
use crate::event::{Flags, Op};
use crate::store::{RequestKind, RequestRow};

const LAYERS: [&str; 7] = [
    "density",
    "op",
    "alignment",
    "process",
    "size",
    "latency",
    "sync",
];
const KIB_LIMITS: [u32; 5] = [4, 16, 64, 256, 1024];
const NS_LIMITS: [u64; 5] = [100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];
/// Class of processes without a slot.
const OTHER: u8 = 5;
/// For requests without a class: a flush has no alignment.
pub const NO_CLASS: u8 = u8::MAX;
/// Number of classes of the layer with most classes.
pub const MAX_CLASSES: usize = 6;

/// A property by which requests are coloured.
#[derive(Clone, Debug)]
pub enum Layer {
    /// All requests have the same class.
    Density,
    /// Index of `OPS`.
    Op,
    /// Index of `ALIGNMENT`.
    Alignment,
    /// The slot of the request's process.
    Process(Vec<u8>),
    /// By length, see [`KIB_LIMITS`].
    Size,
    /// By Q2C, or D2C without Q, see [`NS_LIMITS`].
    Latency,
    /// Async, sync, FUA, flush.
    Sync,
}

impl Layer {
    /// From its name; `slots` by process, used only for `process`.
    pub fn new(
        name: &str,
        slots: Option<Vec<f64>>,
        selection: &Selection,
    ) -> Result<Layer, BadQuery> {
        Ok(match index_of(&LAYERS, name)? {
            0 => Layer::Density,
            1 => Layer::Op,
            2 if selection.geometry.is_none() => {
                return Err(BadQuery::new("the layer `alignment` requires a geometry"));
            }
            2 => Layer::Alignment,
            3 => Layer::Process(
                slots
                    .unwrap_or_default()
                    .iter()
                    .map(|&s| (s as u8).min(OTHER))
                    .collect(),
            ),
            4 => Layer::Size,
            5 => Layer::Latency,
            _ => Layer::Sync,
        })
    }

    /// How many classes a grid must distinguish.
    pub fn classes(&self) -> usize {
        match self {
            Layer::Density => 1,
            Layer::Op | Layer::Alignment | Layer::Sync => 4,
            Layer::Process(_) | Layer::Size | Layer::Latency => MAX_CLASSES,
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
            Layer::Alignment | Layer::Latency => None,
        }
    }

    /// The class of a request, below [`Layer::classes`] or [`NO_CLASS`].
    #[inline]
    pub fn class(&self, selection: &Selection, row: RequestRow) -> u8 {
        match self {
            Layer::Alignment => selection
                .alignment(row)
                .map_or(NO_CLASS, |class| class as u8),
            Layer::Latency => total_latency(row).map_or(OTHER, |ns| step(&NS_LIMITS, ns)),
            _ => self.class_of_kind(row.kind()).unwrap_or(NO_CLASS),
        }
    }
}

/// Number of limits that a value exceeds.
fn step<T: PartialOrd>(limits: &[T], value: T) -> u8 {
    limits.iter().take_while(|&limit| value > *limit).count() as u8
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
