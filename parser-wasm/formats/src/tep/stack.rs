//! ftrace's own event `kernel_stack`: the call stack of the event before it on the same CPU, with
//! the option stacktrace.

use super::{EventFormat, Field};
use crate::cursor::number;

/// Frames that are read; the kernel records up to 127.
const MAX_FRAMES: usize = 256;

/// The layout of such an event.
#[derive(Clone, Copy, Debug)]
pub struct StackFormat {
    kind: Field,
    id: i64,
    /// Offset of the addresses, which reach to the end of the sample.
    addresses: usize,
    /// How many they are; kernels before 4.0 end them with -1 instead.
    count: Option<Field>,
    /// Bytes of an address.
    long: usize,
}

impl StackFormat {
    /// From a `format` file; `None` for other events.
    pub fn parse(text: &[u8], long: usize) -> Option<StackFormat> {
        let shape = EventFormat::parse(text).filter(|shape| shape.name == "kernel_stack")?;
        Some(StackFormat {
            kind: shape.field(&["common_type"])?,
            id: i64::from(shape.id),
            addresses: shape.field(&["caller"])?.offset,
            count: shape.field(&["size"]),
            long: if long == 4 { 4 } else { 8 },
        })
    }

    /// Puts the addresses of a stack into `addresses`, the innermost one first; `false` if the
    /// sample is none.
    pub fn read(&self, sample: &[u8], big: bool, addresses: &mut Vec<u64>) -> bool {
        if self.kind.number(sample, big) != Some(self.id) {
            return false;
        }
        addresses.clear();
        let count = self.count.and_then(|field| field.number(sample, big));
        let count = count.and_then(|count| usize::try_from(count).ok());
        let words = sample.get(self.addresses..).unwrap_or_default();
        let end = u64::MAX >> (64 - 8 * self.long);
        let words = words
            .chunks_exact(self.long)
            .map(|word| number(word, big))
            .take_while(|word| *word != end)
            .take(count.unwrap_or(MAX_FRAMES).min(MAX_FRAMES));
        // Marks of trampolines, and padding, are no addresses of the kernel.
        addresses.extend(words.filter(|word| word >> (8 * self.long - 1) == 1));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(size: &str) -> String {
        format!(
            "name: kernel_stack\nID: 4\nformat:\n\
             \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n{size}\
             \tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n"
        )
    }

    fn sample(size: u32, words: &[u64]) -> Vec<u8> {
        let mut sample = vec![4, 0, 0, 0, 0, 0, 0, 0];
        sample.extend(size.to_le_bytes());
        sample.extend([0; 4]);
        words
            .iter()
            .for_each(|word| sample.extend(word.to_le_bytes()));
        sample
    }

    #[test]
    fn addresses_are_as_many_as_counted() {
        const A: u64 = 0xffff_ffff_8163_b3fa;
        let counted = format("\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n");
        let read = |format: &str, sample: &[u8]| {
            let format = StackFormat::parse(format.as_bytes(), 8).expect("a format");
            let mut addresses = vec![7];
            let is_stack = format.read(sample, false, &mut addresses);
            is_stack.then_some(addresses)
        };
        assert_eq!(
            read(&counted, &sample(2, &[A, 0x7fff_ffff, A])),
            Some(vec![A])
        );
        assert_eq!(read(&counted, &sample(9, &[A])), Some(vec![A]));
        assert_eq!(
            read(&counted, &sample(u32::MAX, &[A; 300])).map(|a| a.len()),
            Some(256)
        );
        assert_eq!(
            read(&format(""), &sample(0, &[A, A, u64::MAX, A])),
            Some(vec![A, A])
        );
        assert_eq!(read(&counted, &[5, 0, 0]), None);
        assert!(StackFormat::parse(b"name: user_stack\nID: 12\n", 8).is_none());
    }
}
