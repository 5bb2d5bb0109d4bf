//! Bytes in pieces of any size to lines.

mod continued;
pub mod repair;
pub mod wrapped;

/// Bytes of a line that are kept.
pub const LONGEST: usize = 64 << 10;

/// A line's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinePosition {
    /// Number, from 1.
    pub line: u64,
    /// Byte at which it begins.
    pub byte: u64,
    /// Whether a line end follows; only the last line may have none.
    pub ended: bool,
}

/// Splits a file into lines, without their ends (LF or CR LF).
#[derive(Clone, Debug, Default)]
pub struct Splitter {
    carry: Vec<u8>,
    /// Bytes of the line that begins in `carry`.
    begun: u64,
    lines: u64,
    position: u64,
}

impl Splitter {
    /// Bytes taken so far.
    pub fn taken(&self) -> u64 {
        self.position + self.begun
    }

    /// Takes the next bytes and emits every line that has ended.
    pub fn feed(&mut self, mut chunk: &[u8], mut each: impl FnMut(&[u8], LinePosition)) {
        while let Some(end) = memchr::memchr(b'\n', chunk) {
            let (line, rest) = (&chunk[..end], &chunk[end + 1..]);
            if self.begun == 0 {
                let length = line.len() as u64 + 1;
                each(cut(line), self.place(length, true));
            } else {
                self.keep(line);
                let carry = std::mem::take(&mut self.carry);
                let length = std::mem::take(&mut self.begun) + 1;
                each(cut(&carry), self.place(length, true));
                self.carry = carry;
                self.carry.clear();
            }
            chunk = rest;
        }
        self.keep(chunk);
    }

    /// Takes the end of the file, and emits the last line if it has no line end.
    pub fn finish(&mut self, each: impl FnOnce(&[u8], LinePosition)) {
        if self.begun > 0 {
            let carry = std::mem::take(&mut self.carry);
            let length = std::mem::take(&mut self.begun);
            each(cut(&carry), self.place(length, false));
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.begun += bytes.len() as u64;
        // One byte more than is emitted, for a CR.
        let room = (LONGEST + 1).saturating_sub(self.carry.len());
        self.carry
            .extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    #[inline]
    fn place(&mut self, length: u64, ended: bool) -> LinePosition {
        self.lines += 1;
        let byte = self.position;
        self.position += length;
        LinePosition {
            line: self.lines,
            byte,
            ended,
        }
    }
}

#[inline]
fn cut(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    &line[..line.len().min(LONGEST)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8], piece: usize) -> Vec<(Vec<u8>, LinePosition)> {
        let mut splitter = Splitter::default();
        let mut all = Vec::new();
        for chunk in text.chunks(piece) {
            splitter.feed(chunk, |line, position| all.push((line.to_vec(), position)));
        }
        splitter.finish(|line, position| all.push((line.to_vec(), position)));
        assert_eq!(splitter.taken(), text.len() as u64);
        all
    }

    #[test]
    fn pieces_do_not_matter_and_places_are_true() {
        let text = b"one\r\n\ntwo\r\r\nlast";
        let whole = lines(text, usize::MAX);
        let position = |line, byte, ended| LinePosition { line, byte, ended };
        let wanted = [
            (b"one".to_vec(), position(1, 0, true)),
            (b"".to_vec(), position(2, 5, true)),
            (b"two\r".to_vec(), position(3, 6, true)),
            (b"last".to_vec(), position(4, 12, false)),
        ];
        assert_eq!(whole, wanted);
        for piece in 1..text.len() {
            assert_eq!(lines(text, piece), whole, "{piece}");
        }
    }

    #[test]
    fn long_lines_are_cut_and_nothing_is_lost_behind_them() {
        let mut text = vec![b'x'; 3 * LONGEST];
        text.extend_from_slice(b"\r\nnext\n");
        for piece in [7000, LONGEST, usize::MAX] {
            let all = lines(&text, piece);
            assert_eq!(
                (all[0].0.len(), all[1].0.as_slice()),
                (LONGEST, b"next".as_slice())
            );
            assert_eq!(all[1].1.byte, 3 * LONGEST as u64 + 2);
        }
    }
}
