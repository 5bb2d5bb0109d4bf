//! Texts of XFS: the superblock, the headers of allocation groups and the inode btree as `xfs_db`
//! prints them, and the geometry of `xfs_info`. Most count in blocks of an allocation group, whose
//! size only the superblock has; [`XfsLayout`] turns them into sectors when all were read.

mod layout;

pub use layout::XfsLayout;

use crate::events::parse_number;
use crate::ranges::{Facts, MapFact, MapText};
pub use crate::ranges::{XfsFact, XfsField};
use seekscope_trace::store::ObjectKind;

/// Whether a text has headers of allocation groups, or a superblock.
pub fn is_headers(head: &str) -> bool {
    let has = |key: &str| head.lines().any(|line| line.starts_with(key));
    has("magicnum = 0x5841") || has("magicnum = 0x5846") || has("agblocks = ") && has("dblocks = ")
}

/// Whether a text is the inode btree of allocation groups.
pub fn is_inodes(head: &str) -> bool {
    head.starts_with("ag ") && head.contains("\nnumrecs = ")
}

/// Whether a text is the geometry.
pub fn is_geometry(head: &str) -> bool {
    head.starts_with("meta-data=") && head.contains("agsize=")
}

/// Reads `key = value` lines of superblocks and headers of allocation groups. A `magicnum` begins
/// a structure; a text without one is read as a superblock.
#[derive(Default)]
pub struct XfsHeaders {
    part: HeaderKind,
    group: u64,
}

/// The structure that is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum HeaderKind {
    #[default]
    Superblock,
    Inodes,
    FreeSpace,
    Other,
}

const MAGIC_SUPERBLOCK: u64 = 0x5846_5342;
const MAGIC_AGI: u64 = 0x5841_4749;
const MAGIC_AGF: u64 = 0x5841_4746;

impl MapText for XfsHeaders {
    fn file_system(&self) -> Option<&'static str> {
        Some("xfs")
    }

    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        let Some((key, value)) = line.split_once('=') else {
            return;
        };
        let Some(value) = parse_number(value.trim()) else {
            return;
        };
        match (self.part, key.trim()) {
            (_, "magicnum") => {
                self.part = match value {
                    MAGIC_SUPERBLOCK => HeaderKind::Superblock,
                    MAGIC_AGI => HeaderKind::Inodes,
                    MAGIC_AGF => HeaderKind::FreeSpace,
                    _ => HeaderKind::Other,
                };
            }
            (HeaderKind::Superblock, key) => {
                if let Some(field) = field(key) {
                    facts.add(MapFact::Xfs(XfsFact::Field(field, value)));
                }
            }
            (_, "seqno") => self.group = value,
            (part, key) => {
                if let Some(kind) = root(part, key) {
                    let (group, block) = (self.group, value);
                    facts.add(MapFact::Xfs(XfsFact::Block { group, block, kind }));
                }
            }
        }
    }
}

fn field(key: &str) -> Option<XfsField> {
    Some(match key {
        "blocksize" => XfsField::Block,
        "sectsize" => XfsField::Sector,
        "agblocks" => XfsField::GroupBlocks,
        "agcount" => XfsField::Groups,
        "agblklog" => XfsField::GroupBits,
        "inopblog" => XfsField::InodeBits,
        "inodesize" => XfsField::Inode,
        "logstart" => XfsField::LogStart,
        "logblocks" => XfsField::LogBlocks,
        _ => return None,
    })
}

/// The btree whose root a key of a header names.
fn root(part: HeaderKind, key: &str) -> Option<ObjectKind> {
    Some(match (part, key) {
        (HeaderKind::Inodes, "root" | "free_root") => ObjectKind::InodeBtree,
        (HeaderKind::FreeSpace, "bnoroot" | "cntroot") => ObjectKind::FreeSpaceBtree,
        (HeaderKind::FreeSpace, "rmaproot") => ObjectKind::RmapBtree,
        (HeaderKind::FreeSpace, "refcntroot") => ObjectKind::RefcountBtree,
        _ => return None,
    })
}

/// Reads the inode btree: `ag N`, then of each block its records or its pointers, several in a line
/// (`1:[128,0,64,45,0xff] 2:[...]`, `1:12 2:40`).
#[derive(Default)]
pub struct XfsInodes {
    group: u64,
    /// Whether a record has a hole mask (sparse inodes): the columns of the heading tell.
    holes: bool,
    part: Items,
}

/// What the items behind a heading are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Items {
    #[default]
    Other,
    Records,
    Pointers,
}

impl MapText for XfsInodes {
    fn file_system(&self) -> Option<&'static str> {
        Some("xfs")
    }

    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        if let Some(group) = line.strip_prefix("ag ") {
            self.group = group.trim().parse().unwrap_or(u64::MAX);
            self.part = Items::Other;
            return;
        }
        let mut rest = line;
        if let Some((name, items)) = line.split_once('=').filter(|(name, _)| !name.contains(':')) {
            self.part = match name.split('[').next().unwrap_or_default().trim() {
                "recs" => Items::Records,
                "ptrs" => Items::Pointers,
                _ => Items::Other,
            };
            rest = items;
            if self.part == Items::Records {
                self.holes = items.contains("holemask");
                return;
            }
        }
        for item in rest
            .split_whitespace()
            .filter_map(|item| item.split_once(':'))
        {
            self.item(item.1, facts);
        }
    }
}

impl XfsInodes {
    fn item(&self, item: &str, facts: &mut dyn Facts) {
        let group = self.group;
        match self.part {
            Items::Records => {
                let mut columns = item.trim_matches(['[', ']']).split(',').map(parse_number);
                let (inode, second) = (columns.next().flatten(), columns.next().flatten());
                let holes = if self.holes { second } else { Some(0) };
                if let (Some(inode), Some(holes)) = (inode, holes) {
                    facts.add(MapFact::Xfs(XfsFact::Inodes {
                        group,
                        inode,
                        holes,
                    }));
                }
            }
            Items::Pointers => {
                if let Some(block) = parse_number(item) {
                    let kind = ObjectKind::InodeBtree;
                    facts.add(MapFact::Xfs(XfsFact::Block { group, block, kind }));
                }
            }
            Items::Other => {}
        }
    }
}

/// Reads the geometry as `xfs_info` prints it: `meta-data=/dev/sda1 isize=512 agcount=4, ...`.
#[derive(Default)]
pub struct XfsGeometry {
    /// Whether the line is of the data section; a line begins a section with its name.
    data: bool,
}

impl MapText for XfsGeometry {
    fn file_system(&self) -> Option<&'static str> {
        Some("xfs")
    }

    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        let name = line.split(['=', ' ']).next().unwrap_or_default();
        if !name.is_empty() {
            self.data = matches!(name, "meta-data" | "data");
        }
        if !self.data {
            return;
        }
        for (key, value) in line
            .split([' ', ','])
            .filter_map(|pair| pair.split_once('='))
        {
            let field = match key {
                "isize" => XfsField::Inode,
                "agcount" => XfsField::Groups,
                "agsize" => XfsField::GroupBlocks,
                "sectsz" => XfsField::Sector,
                "bsize" => XfsField::Block,
                _ => continue,
            };
            if let Some(value) = parse_number(value) {
                facts.add(MapFact::Xfs(XfsFact::Field(field, value)));
            }
        }
    }
}
