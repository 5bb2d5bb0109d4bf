//! How fields are printed: as the kernel does it in text of ftrace.

use crate::cursor::number;
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// How a field is printed.
#[derive(Clone, Copy, Debug)]
pub enum FieldStyle {
    Decimal,
    Signed,
    Hex,
    Octal,
    /// `254,1`.
    Device,
    /// An embedded text, or one that the field refers to.
    Text,
    Uuid,
    /// The names of the bits that are set, between `|`.
    Bits(&'static [(u64, &'static str)]),
    /// The names of the bits that are set, one behind the other.
    Letters(&'static [(u64, &'static str)]),
    /// The name of the number.
    Name(&'static [(i64, &'static str)]),
    /// The symbol of an address, if the file has it.
    Symbol,
    /// Numbers of 8 bytes in parentheses: the arguments of a system call.
    Words,
}

/// A field of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldValue<'a> {
    Number(i64),
    /// A text, or the bytes of an array.
    Bytes(&'a [u8]),
}

impl<'a> FieldValue<'a> {
    fn number(self) -> Option<i64> {
        match self {
            FieldValue::Number(number) => Some(number),
            FieldValue::Bytes(_) => None,
        }
    }

    fn bytes(self) -> Option<&'a [u8]> {
        match self {
            FieldValue::Number(_) => None,
            FieldValue::Bytes(bytes) => Some(bytes),
        }
    }
}

impl FieldStyle {
    /// Whether the field is a number.
    pub fn is_number(self) -> bool {
        !matches!(
            self,
            FieldStyle::Text | FieldStyle::Uuid | FieldStyle::Words
        )
    }

    /// Appends a field to a text; nothing where its value has another form.
    pub fn print(
        self,
        value: FieldValue<'_>,
        big: bool,
        symbols: &FxHashMap<u64, String>,
        text: &mut String,
    ) {
        let _ = self.try_print(value, big, symbols, text);
    }

    fn try_print(
        self,
        value: FieldValue<'_>,
        big: bool,
        symbols: &FxHashMap<u64, String>,
        text: &mut String,
    ) -> Option<()> {
        match self {
            FieldStyle::Decimal => write!(text, "{}", value.number()? as u64),
            FieldStyle::Signed => write!(text, "{}", value.number()?),
            FieldStyle::Hex => write!(text, "{:#x}", value.number()?),
            FieldStyle::Octal => write!(text, "{:o}", value.number()?),
            FieldStyle::Device => {
                let device = value.number()? as u32;
                write!(text, "{},{}", device >> 20, device & 0xf_ffff)
            }
            FieldStyle::Text => {
                text.push_str(&String::from_utf8_lossy(value.bytes()?));
                Ok(())
            }
            FieldStyle::Uuid => {
                let mut bytes = value.bytes()?.iter();
                bytes.try_for_each(|byte| write!(text, "{byte:02x}"))
            }
            FieldStyle::Bits(names) => {
                write_bits(value.number()? as u64, names, "|", text);
                Ok(())
            }
            FieldStyle::Letters(names) => {
                write_bits(value.number()? as u64, names, "", text);
                Ok(())
            }
            FieldStyle::Name(names) => {
                let number = value.number()?;
                let name = names.iter().find(|name| name.0 == number)?;
                text.push_str(name.1);
                Ok(())
            }
            FieldStyle::Symbol => {
                let address = value.number()? as u64;
                match symbols.get(&address) {
                    Some(name) => text.push_str(name),
                    None => write!(text, "{address:#x}").ok()?,
                }
                Ok(())
            }
            FieldStyle::Words => {
                text.push('(');
                for (i, word) in value.bytes()?.chunks(8).enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    write!(text, "{comma}{:x}", number(word, big)).ok()?;
                }
                text.push(')');
                Ok(())
            }
        }
        .ok()
    }
}

/// Names of bits; what has no name is one more number.
fn write_bits(bits: u64, names: &[(u64, &str)], between: &str, text: &mut String) {
    let mut rest = bits;
    let mut first = true;
    for (bit, name) in names.iter().filter(|(bit, _)| bits & bit != 0) {
        if !std::mem::take(&mut first) {
            text.push_str(between);
        }
        text.push_str(name);
        rest &= !bit;
    }
    if rest != 0 && !between.is_empty() {
        let between = if first { "" } else { between };
        let _ = write!(text, "{between}{rest:#x}");
    }
}
