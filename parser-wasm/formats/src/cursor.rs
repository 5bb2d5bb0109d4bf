//! Numbers and strings out of bytes, in either byte order; everything beyond the end is absent.

/// A position in bytes, from which numbers are read.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    data: &'a [u8],
    /// Offset of the next byte in `data`.
    pub offset: usize,
    /// Whether numbers have their most significant byte first.
    pub big: bool,
}

impl<'a> Cursor<'a> {
    /// A cursor before byte `offset` of `data`.
    pub fn new(data: &'a [u8], offset: usize, big: bool) -> Cursor<'a> {
        Cursor { data, offset, big }
    }

    /// Takes the next `n` bytes; `None` if there are fewer.
    pub fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let bytes = self.data.get(self.offset..self.offset.checked_add(n)?)?;
        self.offset += n;
        Some(bytes)
    }

    /// The next `n` bytes, for an `n` read from the file.
    pub fn take_long(&mut self, n: u64) -> Option<&'a [u8]> {
        self.take(usize::try_from(n).ok()?)
    }

    /// Takes a number of `size` bytes.
    pub fn number(&mut self, size: usize) -> Option<u64> {
        Some(number(self.take(size)?, self.big))
    }

    pub fn u8(&mut self) -> Option<u8> {
        self.take(1).map(|b| b[0])
    }

    pub fn u16(&mut self) -> Option<u16> {
        self.number(2).map(|n| n as u16)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.number(4).map(|n| n as u32)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.number(8)
    }

    /// The bytes that were not taken.
    pub fn rest(&self) -> &'a [u8] {
        self.data.get(self.offset..).unwrap_or_default()
    }

    /// Moves to the end.
    pub fn skip_rest(&mut self) {
        self.offset = self.data.len();
    }

    /// Bytes up to the next NUL, which is taken too.
    pub fn string(&mut self) -> Option<&'a [u8]> {
        let rest = self.data.get(self.offset..)?;
        let n = rest.iter().position(|&b| b == 0)?;
        self.offset += n + 1;
        Some(&rest[..n])
    }
}

/// The number that these bytes are, of which at most eight count.
pub fn number(bytes: &[u8], big: bool) -> u64 {
    let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
    if big {
        bytes.iter().fold(0, add)
    } else {
        bytes.iter().rev().fold(0, add)
    }
}

/// The bytes before the first NUL.
pub fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|&b| b == 0).next().unwrap_or_default()
}
