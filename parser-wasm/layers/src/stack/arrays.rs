//! Arrays on their members: those of md, and RAID targets of device mapper.

use super::Stack;
use crate::geometry::Texts;
use crate::geometry::dm::{RaidTarget, Segment};
use crate::geometry::md::{MdArray, RaidType};
use crate::geometry::names::MAX_SECTORS;
use crate::learn::{self, Links};
use crate::raid::{Parity, Raid10};
use crate::rule::LayerRule;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::Store;

/// The data of a member of an array, as its rules need it.
struct MemberPlace {
    node: usize,
    slot: usize,
    lower: u64,
    sectors: u64,
}

impl Stack {
    /// An array that is a target of device mapper.
    pub(super) fn add_raid_target(
        &mut self,
        texts: &Texts,
        upper: usize,
        segment: &Segment,
        raid: &RaidTarget,
    ) {
        let disks = raid.data.len() as u64;
        let share = match raid.kind {
            RaidType::Parity(parities, _) => disks.saturating_sub(parities),
            RaidType::Raid0 => disks,
            RaidType::Raid10 => 0,
            RaidType::Raid1 | RaidType::Linear => 1,
        };
        let sectors = segment
            .sectors
            .checked_div(share)
            .map_or(MAX_SECTORS, |n| n.saturating_add(raid.chunk));
        let mut members = Vec::new();
        for (slot, word) in raid.data.iter().enumerate() {
            if let Some(word) = word {
                members.push(MemberPlace {
                    node: self.node(texts, word),
                    slot,
                    lower: raid.offset,
                    sectors,
                });
            }
        }
        let array = MdArray {
            kind: Some(raid.kind),
            chunk: Some(raid.chunk),
            layout: Some(raid.layout),
            disks: Some(raid.data.len()),
            ..MdArray::default()
        };
        // The start of the segment is always 0: md has no other.
        if segment.start == 0 {
            self.add_members(upper, &array, &members);
        }
        for word in &raid.metadata {
            let lower = self.node(texts, word);
            self.add(lower, upper, LayerRule::Internal { sectors: u64::MAX });
        }
    }

    pub(super) fn add_arrays(&mut self, texts: &mut Texts, store: &Store, links: &Links) {
        texts.arrays.assemble(&texts.names);
        let mut arrays: Vec<(String, MdArray)> = texts
            .arrays
            .arrays
            .iter()
            .map(|(name, array)| (name.clone(), array.clone()))
            .collect();
        arrays.sort_short_by(|a, b| a.0.cmp(&b.0));
        for (name, array) in arrays {
            let upper = self.node(texts, &name);
            self.nodes[upper].has_parity |= matches!(array.kind, Some(RaidType::Parity(..)));
            if let Some(kind) = array.kind {
                self.nodes[upper].set_kind(kind.level());
            }
            if array.is_unstable {
                continue;
            }
            let mut members = Vec::new();
            for (slot, member) in array.slots.iter().enumerate() {
                let Some(member) = member else { continue };
                let node = self.node(texts, member);
                let facts = texts.arrays.members.get(member);
                let said = facts.and_then(|facts| facts.offset);
                let lower = said
                    .or_else(|| array.begins_at_zero.then_some(0))
                    .or_else(|| {
                        let (upper, lower) = (self.nodes[upper].number?, self.nodes[node].number?);
                        learn::offset(store, links, (upper, lower), |sector| {
                            member_sector(&array, slot as u64, sector)
                        })
                    });
                if let Some(lower) = lower {
                    let sectors = facts.and_then(|facts| facts.sectors).or(array.used);
                    members.push(MemberPlace {
                        node,
                        slot,
                        lower,
                        sectors: sectors.unwrap_or(MAX_SECTORS),
                    });
                }
            }
            self.add_members(upper, &array, &members);
        }
    }

    /// The rules of the members of an array; none where the description is not complete.
    fn add_members(&mut self, upper: usize, array: &MdArray, members: &[MemberPlace]) {
        let disks = array.disks.unwrap_or(array.slots.len()) as u64;
        let chunk = array.chunk.filter(|n| *n > 0);
        // RAID 0 of disks of several sizes has more zones; only the first one is known.
        let least = members.iter().map(|m| m.sectors).min().unwrap_or(0);
        for member in members {
            let (lower, slot) = (member.lower, member.slot as u64);
            let rule = match array.kind {
                Some(RaidType::Raid1) => Some(LayerRule::Linear {
                    lower,
                    sectors: member.sectors,
                    upper: 0,
                }),
                Some(RaidType::Raid0) => chunk.map(|chunk| LayerRule::Striped {
                    lower,
                    sectors: least / chunk * chunk,
                    upper: 0,
                    chunk,
                    count: disks.max(1),
                    index: slot,
                }),
                Some(RaidType::Raid10) => chunk
                    .zip(array.layout)
                    .and_then(|(chunk, layout)| {
                        let used = array.used.or(Some(least).filter(|n| *n < MAX_SECTORS));
                        Raid10::new(chunk, disks, layout, used)
                    })
                    .map(|raid| LayerRule::Raid10 {
                        lower,
                        sectors: member.sectors,
                        raid,
                        slot,
                    }),
                Some(RaidType::Parity(..)) => parity(array, disks).map(|raid| LayerRule::Parity {
                    lower,
                    sectors: member.sectors,
                    raid: Parity {
                        is_degraded: (members.len() as u64) < disks,
                        ..raid
                    },
                    slot,
                }),
                Some(RaidType::Linear) | None => None,
            };
            if let Some(rule) = rule.filter(|_| slot < disks) {
                self.nodes[upper].has_parity |= matches!(rule, LayerRule::Parity { .. });
                // Superblocks and bitmaps lie before the data.
                self.add(member.node, upper, LayerRule::Internal { sectors: lower });
                self.add(member.node, upper, rule);
            }
        }
    }
}

fn parity(array: &MdArray, disks: u64) -> Option<Parity> {
    let Some(RaidType::Parity(parities, fixed)) = array.kind else {
        return None;
    };
    let layout = match fixed {
        Some(layout) => layout,
        None => array.layout?.try_into().ok()?,
    };
    Parity::new(array.chunk?, disks, parities, layout)
}

/// The sector of a member, before its data offset, that holds a sector of its array; `None` if
/// another member has it.
fn member_sector(array: &MdArray, slot: u64, sector: u64) -> Option<u64> {
    let disks = array.disks.unwrap_or(array.slots.len()) as u64;
    match array.kind? {
        RaidType::Raid1 => Some(sector),
        RaidType::Raid0 => {
            let chunk = array.chunk.filter(|n| *n > 0)?;
            let index = sector / chunk;
            (index % disks.max(1) == slot).then(|| index / disks.max(1) * chunk + sector % chunk)
        }
        RaidType::Raid10 => {
            Raid10::new(array.chunk?, disks, array.layout?, None)?.member_sector(sector, slot)
        }
        // Remaps of parity name sector 0.
        RaidType::Parity(..) => {
            (sector > 0).then(|| Some(parity(array, disks)?.member_sector(sector)))?
        }
        RaidType::Linear => None,
    }
}
