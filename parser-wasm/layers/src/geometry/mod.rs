//! What texts beside a trace say of the layers.

pub mod bcache;
pub mod dm;
pub mod md;
pub mod names;
pub mod thin;

use bcache::Bcache;
use dm::Tables;
use md::MdArrays;
use names::DeviceNames;
use thin::ThinDump;

/// Limit for the bytes of a line; longer ones are cut.
const MAX_LINE: usize = 1 << 16;
/// Limit for the bytes of all texts but dumps of thin pools.
const MAX_BYTES: usize = 64 << 20;

/// All texts, read one line at a time.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    pub names: DeviceNames,
    pub tables: Tables,
    pub arrays: MdArrays,
    pub thin: ThinDump,
    pub bcache: Bcache,
    path: String,
    /// The beginning of a line whose end has not been fed yet.
    line: Vec<u8>,
    is_dump: bool,
    bytes: usize,
}

/// Whether a text says something of layers.
pub fn recognise(path: &str, head: &[u8]) -> bool {
    if head.iter().take(4096).any(|&byte| byte == 0) {
        return false;
    }
    let head = String::from_utf8_lossy(head);
    let name = names::base(path).to_ascii_lowercase();
    let is_named = [
        "partitions",
        "diskstats",
        "slaves",
        "lsblk",
        "dmsetup",
        "mdstat",
        "mdadm",
    ]
    .iter()
    .any(|word| name.contains(word));
    is_named
        || ThinDump::is_dump(&head)
        || head.contains("Personalities :")
        || head.contains("MAJ:MIN")
        || head.contains("Raid Level :")
        || head.lines().any(|line| {
            dm::is_table(line)
                || Bcache::is_superblock(line)
                || names::bracketed(line).is_some()
                || line.contains(" slave ")
                || line.starts_with("Major, minor:")
                || line.contains(" size=") && line.contains(" start=")
        })
}

impl Texts {
    /// Begins a text.
    pub fn open(&mut self, path: &str) {
        self.close();
        path.clone_into(&mut self.path);
    }

    pub fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            let (line, after) = rest.split_at(end);
            rest = after.get(1..).unwrap_or_default();
            if self.line.is_empty() {
                self.take(line);
            } else {
                self.keep(line);
                let line = std::mem::take(&mut self.line);
                self.take(&line);
                self.line = line;
                self.line.clear();
            }
        }
        self.keep(rest);
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = MAX_LINE.saturating_sub(self.line.len());
        self.line.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// Ends the text.
    pub fn close(&mut self) {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.take(&line);
        }
        self.tables.close();
        self.arrays.close(&mut self.names);
        self.names.line("");
        self.is_dump = false;
        self.path.clear();
    }

    fn take(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(&line[..line.len().min(MAX_LINE)]);
        let line = line.trim_end_matches('\r');
        self.is_dump |= ThinDump::is_dump(line);
        if self.is_dump {
            self.thin.line(line);
            self.is_dump = !line.contains("</superblock");
            return;
        }
        self.bytes = self.bytes.saturating_add(line.len() + 1);
        if self.bytes > MAX_BYTES {
            return;
        }
        self.names.line(line);
        self.tables.line(line, &self.path);
        self.arrays.line(line, &mut self.names);
        self.bcache.line(line);
    }
}
