//! A buffered reader with look-ahead.

use std::cell::Cell;
use std::io::{self, BufRead, Read};

/// Bytes of the buffer.
const BUFFER: usize = 64 << 10;

pub(crate) struct Peek<'r> {
    inner: Box<dyn Read + 'r>,
    buffer: Vec<u8>,
    from: usize,
    to: usize,
    /// Counts the bytes that are consumed.
    taken: Option<&'r Cell<u64>>,
}

impl<'r> Peek<'r> {
    pub(crate) fn new(inner: impl Read + 'r) -> Peek<'r> {
        Peek {
            inner: Box::new(inner),
            buffer: vec![0; BUFFER],
            from: 0,
            to: 0,
            taken: None,
        }
    }

    pub(crate) fn counted(inner: impl Read + 'r, taken: &'r Cell<u64>) -> Peek<'r> {
        Peek {
            taken: Some(taken),
            ..Peek::new(inner)
        }
    }

    /// The next `n` bytes, fewer only at the end; `n` is at most the buffer's size.
    pub(crate) fn peek(&mut self, n: usize) -> io::Result<&[u8]> {
        if self.to - self.from < n {
            self.buffer.copy_within(self.from..self.to, 0);
            self.to -= self.from;
            self.from = 0;
            while self.to < n {
                match self.inner.read(&mut self.buffer[self.to..]) {
                    Ok(0) => break,
                    Ok(read) => self.to += read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    // Return what is present first; the error is repeated after it.
                    Err(_) if self.to > 0 => break,
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(&self.buffer[self.from..self.to.min(self.from + n)])
    }

    /// Reads until `into` is full or the input ends.
    pub(crate) fn fill(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < into.len() {
            match self.read(&mut into[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(_) if filled > 0 => break,
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    /// Skips up to `n` bytes; returns how many there were.
    pub(crate) fn skip(&mut self, n: u64) -> io::Result<u64> {
        io::copy(&mut self.by_ref().take(n), &mut io::sink())
    }

    fn count(&self, n: usize) {
        if let Some(taken) = self.taken {
            taken.set(taken.get() + n as u64);
        }
    }
}

impl Read for Peek<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.from == self.to && into.len() >= BUFFER {
            let n = self.inner.read(into)?;
            self.count(n);
            return Ok(n);
        }
        let bytes = self.fill_buf()?;
        let n = bytes.len().min(into.len());
        into[..n].copy_from_slice(&bytes[..n]);
        self.consume(n);
        Ok(n)
    }
}

impl BufRead for Peek<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.from == self.to {
            self.from = 0;
            self.to = 0;
            self.to = self.inner.read(&mut self.buffer)?;
        }
        Ok(&self.buffer[self.from..self.to])
    }

    fn consume(&mut self, n: usize) {
        let n = n.min(self.to - self.from);
        self.from += n;
        self.count(n);
    }
}
