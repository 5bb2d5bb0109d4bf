//! Names of tasks: lists of pid and name.

use crate::ranges::{Facts, MapFact, MapText};

/// Whether it is a list of tasks. Any table of two columns could be one, so the file's name counts.
pub fn is_processes(path: &str, head: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let named = ["processes", "saved_cmdlines"]
        .iter()
        .any(|word| name.starts_with(word));
    named
        && head
            .lines()
            .next()
            .is_some_and(|line| parse(line).is_some())
}

#[derive(Debug, Default)]
pub struct ProcessList;

impl MapText for ProcessList {
    fn line(&mut self, line: &str, facts: &mut dyn Facts) {
        if let Some((pid, name)) = parse(line) {
            facts.add(MapFact::Task { pid, name });
        }
    }
}

fn parse(line: &str) -> Option<(u32, &str)> {
    let (pid, name) = line.split_once(['\t', ' '])?;
    let name = name.trim();
    (!name.is_empty()).then_some((pid.parse().ok()?, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_has_a_pid_and_a_name() {
        assert_eq!(parse("17 ksoftirqd/0"), Some((17, "ksoftirqd/0")));
        assert_eq!(parse("1\tinit x"), Some((1, "init x")));
        assert_eq!(parse("pid\tcomm"), None);
        assert!(!is_processes("start/other.tsv", "1\tinit\n"));
    }
}
