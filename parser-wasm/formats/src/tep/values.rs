//! Values of the tracepoints of limiters, among the samples.

use super::{EventFormat, Field};
use crate::values::{FIELDS, PointDevice, ValueField, ValueFields, ValuePoint};
use seekscope_trace::event::DeviceNumber;

/// The layout of one kind of such an event.
#[derive(Clone, Debug)]
pub struct ValueFormat {
    /// The meaning of the event.
    pub point: ValuePoint,
    /// The disk's number, `254:0` as text, or its name.
    device: Option<Field>,
    numbered: Option<Field>,
    named: Option<Field>,
    fields: [Option<Field>; FIELDS.len()],
}

/// A sample with its layout.
pub struct ValueSample<'a> {
    format: &'a ValueFormat,
    bytes: &'a [u8],
    big: bool,
}

impl ValueFormat {
    /// The layout of such an event; `None` for others.
    pub fn from_event(shape: &EventFormat) -> Option<ValueFormat> {
        Some(ValueFormat {
            point: ValuePoint::named(shape.name.as_bytes())?,
            device: shape.field(&["dev"]),
            numbered: shape.field(&["name"]),
            named: shape.field(&["devname"]),
            fields: FIELDS.map(|(_, name, _)| shape.field(&[name])),
        })
    }

    /// A sample of this layout.
    pub fn sample<'a>(&'a self, bytes: &'a [u8], big: bool) -> ValueSample<'a> {
        ValueSample {
            format: self,
            bytes,
            big,
        }
    }
}

impl ValueSample<'_> {
    fn text(&self, field: Option<Field>) -> Option<&str> {
        std::str::from_utf8(field?.text(self.bytes, self.big)?).ok()
    }

    fn field(&self, field: ValueField) -> Option<Field> {
        let index = FIELDS.iter().position(|row| row.0 == field)?;
        self.format.fields[index]
    }
}

impl ValueFields for ValueSample<'_> {
    fn device(&self) -> Option<PointDevice> {
        let ValueFormat {
            device,
            numbered,
            named,
            ..
        } = self.format;
        let number = device
            .and_then(|field| field.number(self.bytes, self.big))
            .map(|n| PointDevice::Number(DeviceNumber(n as u32)));
        number
            .or_else(|| PointDevice::numbered(self.text(*numbered)?))
            .or_else(|| PointDevice::named(self.text(*named)?))
    }

    fn number(&self, field: ValueField) -> Option<f64> {
        self.field(field)?
            .number(self.bytes, self.big)
            .map(|n| n as f64)
    }

    fn word(&self, field: ValueField) -> Option<&str> {
        self.text(self.field(field))
    }
}
