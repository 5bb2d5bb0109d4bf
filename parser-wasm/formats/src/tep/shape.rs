//! An event's layout, as its `format` file in tracefs describes it, and the fields of its samples.

use crate::cursor::{number, until_nul};

/// The place of a field in a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Offset in bytes from the sample's start.
    pub offset: usize,
    /// Size in bytes.
    pub size: usize,
    signed: bool,
    /// `__data_loc` and `__rel_loc`: the field is a reference. Bits 0-15 are the offset, from the
    /// start of the sample or from the end of the field, bits 16-31 the length.
    elsewhere: Option<DataOrigin>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DataOrigin {
    Start,
    Field,
}

/// The layout of one kind of event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFormat {
    /// The name of the event, such as `block_rq_issue`.
    pub name: String,
    /// The id in `common_type` of its samples.
    pub id: u16,
    fields: Vec<(String, Field)>,
}

impl EventFormat {
    /// Reads a `format` file; `None` for other text.
    pub fn parse(text: &[u8]) -> Option<EventFormat> {
        let text = std::str::from_utf8(text).ok()?;
        let mut shape = EventFormat::default();
        let mut id = None;
        for line in text.lines() {
            let line = line.trim();
            if let Some(name) = line.strip_prefix("name:") {
                name.trim().clone_into(&mut shape.name);
            } else if let Some(number) = line.strip_prefix("ID:") {
                id = number.trim().parse().ok();
            } else if let Some(field) = line.strip_prefix("field:").and_then(field) {
                shape.fields.push(field);
            } else if line.starts_with("print fmt") {
                break;
            }
        }
        shape.id = id?;
        (!shape.name.is_empty()).then_some(shape)
    }

    /// Reads `header_page`, the layout of the ring buffer's pages, which has no name.
    pub fn parse_nameless(text: &[u8]) -> EventFormat {
        let text = String::from_utf8_lossy(text);
        let fields = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("field:").and_then(field))
            .collect();
        EventFormat {
            fields,
            ..EventFormat::default()
        }
    }

    /// All fields with their names.
    pub fn fields(&self) -> impl Iterator<Item = (&str, Field)> {
        self.fields
            .iter()
            .map(|(name, field)| (name.as_str(), *field))
    }

    /// The first of these fields that the format has; kernels renamed some.
    pub fn field(&self, names: &[&str]) -> Option<Field> {
        names
            .iter()
            .find_map(|name| self.fields.iter().find(|f| f.0 == *name))
            .map(|f| f.1)
    }
}

impl Field {
    fn bytes<'a>(&self, sample: &'a [u8]) -> Option<&'a [u8]> {
        sample.get(self.offset..self.offset.checked_add(self.size)?)
    }

    /// A number of a sample; negative ones of signed fields are extended to 64 bits.
    pub fn number(&self, sample: &[u8], big: bool) -> Option<i64> {
        let value = number(self.bytes(sample)?, big);
        let unused = 64 - 8 * self.size.clamp(1, 8) as u32;
        Some(if self.signed {
            ((value << unused) as i64) >> unused
        } else {
            value as i64
        })
    }

    /// A text of a sample, up to its NUL.
    pub fn text<'a>(&self, sample: &'a [u8], big: bool) -> Option<&'a [u8]> {
        self.raw(sample, big).map(until_nul)
    }

    /// The bytes of a field of a sample.
    pub fn raw<'a>(&self, sample: &'a [u8], big: bool) -> Option<&'a [u8]> {
        let bytes = self.bytes(sample)?;
        let Some(from) = self.elsewhere else {
            return Some(bytes);
        };
        let place = number(bytes, big);
        let (offset, length) = ((place & 0xffff) as usize, (place >> 16 & 0xffff) as usize);
        let start = match from {
            DataOrigin::Start => offset,
            DataOrigin::Field => self.offset + self.size + offset,
        };
        sample.get(start..start + length)
    }
}

/// Reads a line like `unsigned int nr_sector; offset:24; size:4; signed:0;`.
fn field(line: &str) -> Option<(String, Field)> {
    let mut parts = line.split(';').map(str::trim);
    let declaration = parts.next()?;
    let (mut offset, mut size, mut signed) = (None, None, false);
    for part in parts {
        match part.split_once(':') {
            Some(("offset", n)) => offset = n.trim().parse().ok(),
            Some(("size", n)) => size = n.trim().parse().ok(),
            Some(("signed", n)) => signed = n.trim() == "1",
            _ => {}
        }
    }
    // The declaration may be `char rwbs[8]` or `__data_loc char[] cmd`.
    let word = declaration.rsplit([' ', '\t', '*']).next()?;
    let name = word.split('[').next()?;
    let elsewhere = match declaration.split_whitespace().next()? {
        "__data_loc" => Some(DataOrigin::Start),
        "__rel_loc" => Some(DataOrigin::Field),
        _ => None,
    };
    Some((
        name.to_owned(),
        Field {
            offset: offset?,
            size: size?,
            signed,
            elsewhere,
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &[u8] = b"name: block_rq_complete\nID: 722\nformat:\n\
        \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
        \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\
        \tfield:dev_t dev;\toffset:8;\tsize:4;\n\
        \tfield:int errors;\toffset:12;\tsize:4;\tsigned:1;\n\
        \tfield:char rwbs[6];\toffset:16;\tsize:6;\tsigned:1;\n\
        \tfield:__data_loc char[] cmd;\toffset:24;\tsize:4;\tsigned:1;\n\
        \tfield:__rel_loc char[] tail;\toffset:28;\tsize:4;\tsigned:1;\n\n\
        print fmt: \"%d\", REC->dev field:none;\toffset:0;\tsize:2;\n";

    #[test]
    fn fields_of_a_sample() {
        let shape = EventFormat::parse(OLD).expect("it is a format");
        assert_eq!((shape.name.as_str(), shape.id), ("block_rq_complete", 722));
        let mut sample = vec![0; 32];
        sample[8..12].copy_from_slice(&(8u32 << 20).to_le_bytes());
        sample[12..16].copy_from_slice(&(-5i32).to_le_bytes());
        sample[16..19].copy_from_slice(b"WS\0");
        sample[24..28].copy_from_slice(&(6u32 << 16 | 32).to_le_bytes());
        sample[28..32].copy_from_slice(&(3u32 << 16 | 6).to_le_bytes());
        sample.extend(b"12 00\0ab\0");
        let number = |name| shape.field(&[name]).and_then(|f| f.number(&sample, false));
        let text = |name| shape.field(&[name]).and_then(|f| f.text(&sample, false));
        assert_eq!(
            (number("dev"), number("errors"), number("nothing")),
            (Some(8 << 20), Some(-5), None)
        );
        assert_eq!(
            shape.field(&["error", "errors"]).map(|f| f.offset),
            Some(12)
        );
        assert_eq!(
            (text("rwbs"), text("cmd"), text("tail")),
            (Some(&b"WS"[..]), Some(&b"12 00"[..]), Some(&b"ab"[..]))
        );
        // Samples may be shorter than their format.
        sample.truncate(20);
        assert_eq!(
            shape.field(&["cmd"]).and_then(|f| f.text(&sample, false)),
            None
        );
        assert_eq!(
            shape
                .field(&["rwbs"])
                .and_then(|f| f.number(&sample, false)),
            None
        );
        assert!(
            EventFormat::parse(b"name: x\nformat:\n").is_none()
                && EventFormat::parse(b"\xff").is_none()
        );
    }
}
