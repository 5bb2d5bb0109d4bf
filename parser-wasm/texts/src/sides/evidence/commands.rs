//! Labels of outputs from the commands that printed them: the words in which these differ.

use seekscope_trace::sorting::{distinct_count, set_of};
use std::collections::BTreeSet;

/// Bytes of a complete command that is a label.
const MAX_LABEL_BYTES: usize = 60;

/// Labels of the commands of one program by the words in which they differ; empty ones where there is
/// nothing to compare: a block without a command, or other programs.
pub fn labels(commands: &[Option<&str>]) -> Vec<String> {
    let none = || vec![String::new(); commands.len()];
    let Some(words) = all_words(commands) else {
        return none();
    };
    if distinct_count(programs(&words).iter()) != 1 {
        return none();
    }
    let shared: BTreeSet<&str> = words.first().map_or(BTreeSet::new(), |first| {
        let in_all = |word: &&str| words.iter().all(|words| words.contains(word));
        first.iter().copied().filter(in_all).collect()
    });
    let differing = |words: &Vec<&str>| -> String {
        let differing = words[1..].iter().filter(|word| !shared.contains(*word));
        let bare: Vec<&str> = differing.map(|word| word.trim_start_matches('-')).collect();
        bare.join(" ")
    };
    let labels: Vec<String> = words.iter().map(differing).collect();
    if labels.iter().all(|label| !label.is_empty()) {
        return labels;
    }
    // One command has an option that another one lacks.
    let whole = lines(&words);
    if whole.iter().all(|label| label.len() <= MAX_LABEL_BYTES) {
        return whole;
    }
    let with: BTreeSet<&String> = set_of(labels.iter().filter(|label| !label.is_empty()));
    let is_one = with.len() == 1;
    match with.first() {
        Some(with) if is_one => {
            let without = format!("without {with}");
            let label = |label: &String| match label.is_empty() {
                true => without.clone(),
                false => label.clone(),
            };
            labels.iter().map(label).collect()
        }
        _ => none(),
    }
}

/// The tests that the commands of several programs ran: as complete commands, and as programs.
pub fn tests(commands: &[Option<&str>]) -> Option<[Vec<String>; 2]> {
    let words = all_words(commands)?;
    let programs = programs(&words);
    let several = distinct_count(programs.iter()) > 1;
    several.then(|| [lines(&words), programs])
}

/// Whether a command is a loop that uses its variable nowhere, so that it repeats what it runs:
/// `for i in 1 2 3; do dd ...; done`.
pub fn repeats(command: &str) -> bool {
    let head = command.trim_start().strip_prefix("for ");
    let Some((name, rest)) = head.and_then(|head| head.split_once(" in ")) else {
        return false;
    };
    let name = name.trim();
    let is_used = |open: &str| rest.contains(&format!("{open}{name}"));
    rest.contains("do ") && !is_used("$") && !is_used("${")
}

fn all_words<'a>(commands: &[Option<&'a str>]) -> Option<Vec<Vec<&'a str>>> {
    let words = commands.iter().map(|command| command.map(words));
    let words: Vec<Vec<&str>> = words.collect::<Option<_>>()?;
    words.iter().all(|words| !words.is_empty()).then_some(words)
}

fn programs(words: &[Vec<&str>]) -> Vec<String> {
    let program = |words: &Vec<&str>| words[0].rsplit('/').next().unwrap_or("").to_owned();
    words.iter().map(program).collect()
}

fn lines(words: &[Vec<&str>]) -> Vec<String> {
    words.iter().map(|words| words.join(" ")).collect()
}

/// The words of the program that printed: without what only starts it or takes its output.
fn words(command: &str) -> Vec<&str> {
    let mut quote = None;
    let end = command.char_indices().find(|(_, c)| {
        match quote {
            Some(open) if open == *c => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(*c),
            _ => {}
        }
        quote.is_none() && matches!(c, ';' | '|' | '>' | '&')
    });
    let command = &command[..end.map_or(command.len(), |(end, _)| end)];
    command
        .split_whitespace()
        .skip_while(|word| matches!(*word, "sudo" | "time"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_what_differs() {
        let cases: [(&[&str], &[&str]); 7] = [
            (
                &[
                    "blkparse a-trace | tail -n 13",
                    "blkparse a+-trace | tail -n 13",
                ],
                &["a-trace", "a+-trace"],
            ),
            (
                &[
                    "fio --ioengine=libaio --bs=4k",
                    "sudo fio --ioengine=io_uring --bs=4k",
                ],
                &["ioengine=libaio", "ioengine=io_uring"],
            ),
            (
                &["grep -E 'IOPS|BW' old.txt", "grep -E 'IOPS|BW' new.txt"],
                &["old.txt", "new.txt"],
            ),
            (&["./run.sh old", "./run.sh new"], &["old", "new"]),
            (
                &["ioping -D /a", "ioping /a"],
                &["ioping -D /a", "ioping /a"],
            ),
            (&["dd if=a of=b", "fio x.fio"], &["", ""]),
            (&["./run.sh", "./run.sh"], &["./run.sh", "./run.sh"]),
        ];
        for (commands, expected) in cases {
            let commands: Vec<Option<&str>> = commands.iter().copied().map(Some).collect();
            assert_eq!(labels(&commands), expected);
        }
        let long = "guest run --image tools-9-slim fio --name=a --filename=/mnt/a --bs=4k";
        let mounted = long.replace("run", "run -v /srv:/mnt");
        assert_eq!(
            labels(&[Some(&mounted), Some(long)]),
            ["v /srv:/mnt", "without v /srv:/mnt"]
        );
        assert_eq!(labels(&[Some("dd if=a"), None]), ["", ""]);
        let [lines, programs] =
            tests(&[Some("time cp -a a b"), Some("/bin/rm -rf b")]).expect("two");
        assert_eq!(lines, ["cp -a a b", "/bin/rm -rf b"]);
        assert_eq!(programs, ["cp", "rm"]);
    }
}
