//! What was read beside a recording: texts about file systems, sorted into folders.

mod collect;
mod names;
mod text;

pub use collect::{Extent, Folder, MountPoint, PartitionSize, SideFiles, TextFacts};
pub use names::{NO_INODE, NO_PATH, Name, Names};
pub use text::{HEAD, TextReader, read_samples};
