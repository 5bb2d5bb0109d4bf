//! The block events among the samples.

use super::driver::DriverFormat;
use super::stack::StackFormat;
use super::stacked::StackedEvent;
use super::values::ValueFormat;
use super::{EventFormat, Field, OtherFormats};
use crate::block_event::{BlockFields, TracePoint, point};
use crate::values::ValuePoint;
use rustc_hash::FxHashMap;
use seekscope_trace::event::{Action, DeviceNumber};
use seekscope_trace::sorting::SortShort;

/// The layouts of the block events of a file.
#[derive(Clone, Debug, Default)]
pub struct BlockFormats {
    /// The fields that every event has: the id of the event, and the task.
    common: Option<(Field, Field)>,
    shapes: FxHashMap<i64, BlockFormat>,
    drivers: FxHashMap<i64, DriverFormat>,
    values: FxHashMap<i64, ValueFormat>,
    /// The events of the layers above.
    pub other: OtherFormats,
    /// The event that is the stack of the one before it.
    pub stack: Option<StackFormat>,
}

/// The layout of one kind of block event; absent are the fields that it or the kernel's version
/// does not have.
#[derive(Clone, Copy, Debug)]
pub struct BlockFormat {
    /// The meaning of the event.
    pub point: TracePoint,
    device: Option<Field>,
    sector: Option<Field>,
    sectors: Option<Field>,
    bytes: Option<Field>,
    letters: Option<Field>,
    error: Option<Field>,
    task: Option<Field>,
    command: Option<Field>,
    old_device: Option<Field>,
    old_sector: Option<Field>,
    remainder: Option<Field>,
    released: Option<Field>,
}

impl BlockFormats {
    /// Takes the format of a block event; ignores others.
    pub fn add(&mut self, text: &[u8]) {
        let Some(shape) = EventFormat::parse(text) else {
            return;
        };
        let (Some(kind), Some(pid)) = (shape.field(&["common_type"]), shape.field(&["common_pid"]))
        else {
            return;
        };
        self.common = Some((kind, pid));
        let block = BlockFormat {
            point: point(shape.name.as_bytes()),
            device: shape.field(&["dev"]),
            sector: shape.field(&["sector"]),
            sectors: shape.field(&["nr_sector", "nr_sectors"]),
            bytes: shape.field(&["bytes"]),
            letters: shape.field(&["rwbs"]),
            error: shape.field(&["error", "errors"]),
            task: shape.field(&["comm"]),
            command: shape.field(&["cmd"]),
            old_device: shape.field(&["old_dev"]),
            old_sector: shape.field(&["old_sector"]),
            remainder: shape.field(&["new_sector"]),
            released: shape.field(&["nr_rq"]),
        };
        self.shapes.insert(i64::from(shape.id), block);
        if let Some(values) = ValueFormat::from_event(&shape) {
            self.values.insert(i64::from(shape.id), values);
        }
    }

    /// Takes the format of a driver's event; ignores others.
    pub fn add_driver(&mut self, text: &[u8]) {
        let Some(shape) = EventFormat::parse(text) else {
            return;
        };
        let (Some(kind), Some(pid)) = (shape.field(&["common_type"]), shape.field(&["common_pid"]))
        else {
            return;
        };
        if let Some(driver) = DriverFormat::from_event(&shape) {
            self.common.get_or_insert((kind, pid));
            self.drivers.insert(i64::from(shape.id), driver);
        }
    }

    /// Takes the format of an event of a limiter; ignores others.
    pub fn add_values(&mut self, text: &[u8]) {
        let Some(shape) = EventFormat::parse(text) else {
            return;
        };
        let (Some(kind), Some(pid)) = (shape.field(&["common_type"]), shape.field(&["common_pid"]))
        else {
            return;
        };
        if let Some(values) = ValueFormat::from_event(&shape) {
            self.common.get_or_insert((kind, pid));
            self.values.insert(i64::from(shape.id), values);
        }
    }

    /// Whether no event was described.
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty() && self.drivers.is_empty() && self.values.is_empty()
    }

    /// The events with values, ascending by their number in the file.
    pub fn value_points(&self) -> Vec<ValuePoint> {
        let mut points: Vec<(i64, ValuePoint)> = self
            .values
            .iter()
            .map(|(id, format)| (*id, format.point))
            .collect();
        points.sort_short_by_key(|point| point.0);
        points.into_iter().map(|point| point.1).collect()
    }

    /// The layout of a sample with values.
    pub fn values(&self, sample: &[u8], big: bool) -> Option<&ValueFormat> {
        self.values.get(&self.common?.0.number(sample, big)?)
    }

    /// The layout of a driver's sample, and its task.
    pub fn driver(&self, sample: &[u8], big: bool) -> Option<(&DriverFormat, u32)> {
        let (kind, pid) = self.common?;
        let driver = self.drivers.get(&kind.number(sample, big)?)?;
        Some((driver, pid.number(sample, big)? as u32))
    }

    /// The layout of a sample, and its task; absent when it is no block event.
    pub fn find(&self, sample: &[u8], big: bool) -> Option<(&BlockFormat, u32)> {
        let (kind, pid) = self.common?;
        let shape = self.shapes.get(&kind.number(sample, big)?)?;
        Some((shape, pid.number(sample, big)? as u32))
    }

    /// What a sample says of the request whose stack it has; absent for events other than the
    /// queue, insertion and issue of one.
    pub fn stacked(&self, time: u64, sample: &[u8], big: bool) -> Option<StackedEvent> {
        let (shape, _) = self.find(sample, big)?;
        let TracePoint::Known(action, _) = shape.point else {
            return None;
        };
        if !matches!(action, Action::Queue | Action::Insert | Action::Issue) {
            return None;
        }
        let BlockFields {
            device,
            sector,
            sectors,
            ..
        } = shape.fields(sample, big);
        Some(StackedEvent {
            time,
            action,
            device,
            sector,
            sectors,
        })
    }
}

impl BlockFormat {
    /// The fields of a sample.
    pub fn fields<'a>(&self, sample: &'a [u8], big: bool) -> BlockFields<'a> {
        let number = |field: Option<Field>| field.and_then(|f| f.number(sample, big));
        let text =
            |field: Option<Field>| field.and_then(|f| f.text(sample, big)).unwrap_or_default();
        let device = |field: Option<Field>| {
            number(field).map_or(DeviceNumber::NONE, |n| DeviceNumber(n as u32))
        };
        let count = |field: Option<Field>| {
            number(field)
                .and_then(|n| u64::try_from(n).ok())
                .unwrap_or(0)
        };
        BlockFields {
            device: device(self.device),
            letters: text(self.letters),
            // All bits are set if there is no sector.
            sector: number(self.sector).unwrap_or(0) as u64,
            sectors: count(self.sectors),
            bytes: count(self.bytes),
            command: text(self.command),
            error: number(self.error).unwrap_or(0),
            from: (device(self.old_device), count(self.old_sector)),
            remainder: count(self.remainder),
            released: count(self.released),
        }
    }

    /// The name of the task that ran.
    pub fn task<'a>(&self, sample: &'a [u8], big: bool) -> Option<&'a [u8]> {
        self.task?.text(sample, big).filter(|name| !name.is_empty())
    }
}
