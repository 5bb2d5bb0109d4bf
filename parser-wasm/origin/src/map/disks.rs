//! Mounts, partitions and the time of a map: `/proc/self/mountinfo`, `/proc/partitions`, clocks.

use crate::events::parse_device;
use crate::ranges::{Facts, MapFact, MapText, Mount};

/// Whether it is a mountinfo: the sixth field of a line is a list of options, and ` - ` follows.
pub fn is_mountinfo(head: &str) -> bool {
    head.lines()
        .next()
        .is_some_and(|line| mount(line).is_some())
}

pub fn is_partitions(head: &str) -> bool {
    head.starts_with("major minor  #blocks")
}

/// Whether it is a list of clocks, one of them CLOCK_MONOTONIC in seconds.
pub fn is_clock(path: &str, head: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.starts_with("clock") && head.starts_with("monotonic")
}

#[derive(Debug, Default)]
pub struct MountInfo;

impl MapText for MountInfo {
    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        if let Some(mount) = mount(line) {
            // Octal escapes are those of blanks and backslashes only.
            let point = unescape(mount.point);
            facts.add(MapFact::Mount(Mount {
                point: &point,
                ..mount
            }));
        }
    }
}

/// `32 1 254:1 / /srv/data rw,relatime - ext4 /dev/vda1 rw`.
fn mount(line: &str) -> Option<Mount<'_>> {
    let (left, right) = line.split_once(" - ")?;
    let mut fields = left.split(' ');
    fields.next()?.parse::<u32>().ok()?;
    fields.next()?.parse::<u32>().ok()?;
    let device = parse_device(fields.next()?)?;
    let root = fields.next()?;
    let point = fields.next()?;
    let mut right = right.split(' ');
    let kind = right.next()?;
    let source = right.next()?;
    let options = right.next().unwrap_or_default();
    Some(Mount {
        device,
        root,
        point,
        kind,
        source,
        options,
    })
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(backslash) = rest.find('\\') {
        let code = rest
            .get(backslash + 1..backslash + 4)
            .and_then(|code| u8::from_str_radix(code, 8).ok());
        let Some(code) = code.filter(u8::is_ascii) else {
            break;
        };
        out.push_str(&rest[..backslash]);
        out.push(char::from(code));
        rest = &rest[backslash + 4..];
    }
    out.push_str(rest);
    out
}

#[derive(Debug, Default)]
pub struct Partitions;

impl MapText for Partitions {
    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        let mut words = line.split_whitespace();
        let mut number = || words.next()?.parse::<u64>().ok();
        let (Some(major), Some(minor), Some(blocks)) = (number(), number(), number()) else {
            return;
        };
        let device = parse_device(&format!("{major}:{minor}"));
        if let (Some(device), Some(name)) = (device, words.next()) {
            let sectors = blocks.saturating_mul(2);
            facts.add(MapFact::Partition {
                device,
                name,
                sectors,
            });
        }
    }
}

/// Reads the first time of CLOCK_MONOTONIC.
#[derive(Debug, Default)]
pub struct MapClock {
    done: bool,
}

impl MapText for MapClock {
    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        let value = line.strip_prefix("monotonic").map(str::trim);
        if let (Some(time), false) = (value.and_then(crate::events::parse_seconds), self.done) {
            self.done = true;
            facts.add(MapFact::Clock(time));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranges::FactList;
    use seekscope_trace::event::DeviceNumber;

    #[test]
    fn a_mount_has_a_device_and_a_point() {
        let facts = FactList::read(
            MountInfo,
            "32 1 254:1 / /srv/a\\040b rw shared:1 - ext4 /dev/vda1 rw\n",
        );
        let mount = Mount {
            device: DeviceNumber(254 << 20 | 1),
            root: "/",
            point: "/srv/a b",
            kind: "ext4",
            source: "/dev/vda1",
            options: "rw",
        };
        assert_eq!(facts, [MapFact::Mount(mount)]);
        assert_eq!(unescape("\\"), "\\");
        assert_eq!(unescape("a\\999"), "a\\999");
    }

    #[test]
    fn partitions_have_sizes() {
        let facts = FactList::read(
            Partitions,
            "major minor  #blocks  name\n\n 254  1  524288 vda1\n",
        );
        let device = DeviceNumber(254 << 20 | 1);
        assert_eq!(
            facts,
            [MapFact::Partition {
                device,
                name: "vda1",
                sectors: 1 << 20
            }]
        );
    }

    #[test]
    fn a_clock_is_in_seconds() {
        let facts = FactList::read(
            MapClock::default(),
            "monotonic\t8.542385829\nmonotonic\t9.0\n",
        );
        assert_eq!(facts, [MapFact::Clock(8_542_385_829)]);
    }
}
