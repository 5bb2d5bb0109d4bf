//! A file that must be whole before it can be read, because what its bytes mean stands at its end.

/// More is not held: the engine has 4 GiB of memory at most.
const MOST: usize = 1 << 30;

/// The bytes of a file.
#[derive(Clone, Debug, Default)]
pub struct Held {
    bytes: Vec<u8>,
    taken: u64,
}

impl Held {
    /// Takes the next bytes.
    pub fn feed(&mut self, chunk: &[u8]) {
        let room = MOST - self.bytes.len();
        self.bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
        self.taken += chunk.len() as u64;
    }

    /// Gives up the bytes; absent when there were too many of them.
    pub fn take(&mut self) -> Option<Vec<u8>> {
        let bytes = std::mem::take(&mut self.bytes);
        (bytes.len() as u64 == self.taken).then_some(bytes)
    }

    /// Bytes taken so far.
    pub fn taken(&self) -> u64 {
        self.taken
    }
}
