//! Fields of a protobuf message: a tag (field number and kind), then a number or bytes.
//!
//! | kind | value |
//! |---:|---|
//! | 0 | a number, 7 bits per byte, the lowest first; the highest bit of a byte: more follow |
//! | 1, 5 | 8 and 4 bytes, little-endian |
//! | 2 | a length, as kind 0, and so many bytes |

/// A value, and for bytes their place in the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireValue<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

/// The fields of a message, until its end or damage.
#[derive(Clone, Copy, Debug)]
pub struct WireFields<'a> {
    rest: &'a [u8],
    /// The message ends within a field, or a tag has no meaning.
    pub damaged: bool,
}

impl<'a> WireFields<'a> {
    pub fn new(message: &'a [u8]) -> WireFields<'a> {
        WireFields {
            rest: message,
            damaged: false,
        }
    }

    fn field(&mut self) -> Option<(u32, WireValue<'a>)> {
        let tag = varint(&mut self.rest)?;
        let number = u32::try_from(tag >> 3).ok().filter(|number| *number > 0)?;
        let value = match tag & 7 {
            0 => WireValue::Number(varint(&mut self.rest)?),
            1 => WireValue::Number(fixed(&mut self.rest, 8)?),
            2 => {
                let length = usize::try_from(varint(&mut self.rest)?).ok()?;
                let (bytes, rest) = self.rest.split_at_checked(length)?;
                self.rest = rest;
                WireValue::Bytes(bytes)
            }
            5 => WireValue::Number(fixed(&mut self.rest, 4)?),
            _ => return None,
        };
        Some((number, value))
    }
}

impl<'a> Iterator for WireFields<'a> {
    type Item = (u32, WireValue<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() || self.damaged {
            return None;
        }
        let field = self.field();
        self.damaged = field.is_none();
        field
    }
}

/// The next number of kind 0; `None` if it is cut or longer than 64 bits.
pub fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for (i, byte) in rest.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * i);
        if byte & 0x80 == 0 {
            *rest = &rest[i + 1..];
            return Some(value);
        }
    }
    None
}

fn fixed(rest: &mut &[u8], size: usize) -> Option<u64> {
    let (bytes, after) = rest.split_at_checked(size)?;
    *rest = after;
    Some(
        bytes
            .iter()
            .rev()
            .fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
    )
}

impl<'a> WireValue<'a> {
    pub fn number(self) -> Option<u64> {
        if let WireValue::Number(n) = self {
            Some(n)
        } else {
            None
        }
    }

    pub fn bytes(self) -> Option<&'a [u8]> {
        if let WireValue::Bytes(bytes) = self {
            Some(bytes)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_message() {
        let message = [
            0x08, 0x96, 0x01, 0x12, 2, b'h', b'i', 0x1d, 1, 0, 0, 0, 0x21, 2, 0, 0, 0, 0, 0, 0, 0,
        ];
        let mut fields = WireFields::new(&message);
        assert_eq!(fields.next(), Some((1, WireValue::Number(150))));
        assert_eq!(fields.next().and_then(|f| f.1.bytes()), Some(&b"hi"[..]));
        assert_eq!(fields.next(), Some((3, WireValue::Number(1))));
        assert_eq!(fields.next(), Some((4, WireValue::Number(2))));
        assert_eq!((fields.next(), fields.damaged), (None, false));
        // Cut, a length beyond the end, kinds and numbers without a meaning.
        for damaged in [
            &message[..4],
            &message[..10],
            &message[..20],
            &[0x12, 0xff, 0xff, 0xff, 0xff, 0x0f],
            &[0x0b],
            &[0x00, 0],
            &[0xff; 11],
        ] {
            let mut fields = WireFields::new(damaged);
            assert!(fields.by_ref().count() < 4 && fields.damaged, "{damaged:?}");
        }
    }
}
