//! Paths of inodes: a table of inode, type, size, blocks and path, with tabs.

use crate::ranges::{Facts, InodeName, MapFact, MapText};

pub fn is_inodes(head: &str) -> bool {
    head.lines()
        .next()
        .is_some_and(|line| parse(line).is_some())
}

#[derive(Debug, Default)]
pub struct InodeNames;

impl MapText for InodeNames {
    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        if let Some(inode) = parse(line) {
            facts.add(MapFact::Inode(inode));
        }
    }
}

fn parse(line: &str) -> Option<InodeName<'_>> {
    let mut columns = line.splitn(5, '\t');
    let inode = columns.next()?.parse().ok()?;
    let kind = columns.next()?;
    columns.next()?.parse::<u64>().ok()?;
    columns.next()?.parse::<u64>().ok()?;
    let path = columns.next().filter(|path| path.starts_with('/'))?;
    Some(InodeName {
        inode,
        directory: kind == "directory",
        path,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranges::FactList;

    #[test]
    fn a_row_has_an_inode_and_a_path() {
        let facts = FactList::read(
            InodeNames,
            "2\tdirectory\t4096\t8\t/m\n12\tregular file\t1\t8\t/m/a\tb\nx\n",
        );
        let expected = [
            MapFact::Inode(InodeName {
                inode: 2,
                directory: true,
                path: "/m",
            }),
            MapFact::Inode(InodeName {
                inode: 12,
                directory: false,
                path: "/m/a\tb",
            }),
        ];
        assert_eq!(facts, expected);
        assert!(!is_inodes("1\tinit\n"));
    }
}
