//! A file that must be whole before it can be read, because what its bytes mean stands at its end.

/// More is not held: the engine has 4 GiB of memory at most.
const MOST: usize = 1 << 30;

/// The bytes of a file.
#[derive(Clone, Debug, Default)]
pub struct Held {
    bytes: Vec<u8>,
    taken: u64,
    ended: bool,
}

impl Held {
    /// Takes the next bytes.
    pub fn feed(&mut self, chunk: &[u8]) {
        let room = if self.ended { 0 } else { MOST - self.bytes.len() };
        self.bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
        self.taken += chunk.len() as u64;
    }

    /// Gives up the bytes, once; the error stands for too many of them.
    pub fn take(&mut self) -> Option<Result<Vec<u8>, ()>> {
        if std::mem::replace(&mut self.ended, true) {
            return None;
        }
        let bytes = std::mem::take(&mut self.bytes);
        Some(if bytes.len() as u64 == self.taken { Ok(bytes) } else { Err(()) })
    }

    /// Bytes taken so far.
    pub fn taken(&self) -> u64 {
        self.taken
    }
}
