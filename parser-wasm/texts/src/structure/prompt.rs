//! Sessions of a shell: prompts, commands, and what they reveal of the machine.

/// What a command reveals, or how its output does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revealed {
    /// A value that the command itself has.
    Fact {
        key: String,
        value: String,
    },
    /// The next line is the value.
    Next {
        key: String,
        form: NextForm,
    },
    /// The command prints a title.
    Title(String),
    /// The command shows a file, whose name is what the output belongs to.
    File(String),
    Nothing,
}

/// How a value is written in the output of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextForm {
    /// The complete line.
    Line,
    /// The first word.
    Word,
    /// `none [mq-deadline] kyber`.
    Bracketed,
    /// `Linux box 6.1.0 #1 SMP`: the third word.
    Uname,
}

/// The command behind a prompt: `root@box:~# dd ...`, `$ dd ...`, `# cat ...`, `[root@box ~]# dd`.
pub fn command(text: &str) -> Option<&str> {
    let text = text.trim_start();
    if let Some(command) = text.strip_prefix("$ ").or_else(|| text.strip_prefix("% ")) {
        return Some(command.trim());
    }
    // `#` begins a heading of Markdown and a comment, too.
    if let Some(command) = text.strip_prefix("# ") {
        return is_command(command).then_some(command.trim());
    }
    let end = prompt_end(text)?;
    Some(text[end..].trim())
}

/// Bytes of a prompt with a name: up to the first `# `, `$ ` or `> ` behind a word without blanks.
fn prompt_end(text: &str) -> Option<usize> {
    for mark in ["# ", "$ ", "% "] {
        let end = match text.find(mark) {
            Some(found) => found + mark.len(),
            None if text.ends_with(mark.trim_end()) => text.len(),
            None => continue,
        };
        let prompt = text[..end].trim_end();
        let shape =
            prompt.contains('@') || prompt.starts_with("bash-") || prompt.starts_with("sh-");
        let bracketed =
            prompt.starts_with('[') && prompt.trim_end_matches(['#', '$', '%']).ends_with(']');
        let words = prompt.split_whitespace().count();
        if shape && words == 1 || bracketed && words <= 3 {
            return Some(end);
        }
    }
    None
}

/// Programs by which a line behind `# ` is a command.
const PROGRAMS: [&str; 60] = [
    "dd",
    "fio",
    "cat",
    "echo",
    "uname",
    "iostat",
    "vmstat",
    "sar",
    "pidstat",
    "mpstat",
    "hdparm",
    "mount",
    "umount",
    "mkfs",
    "modprobe",
    "insmod",
    "rmmod",
    "git",
    "time",
    "sudo",
    "sysctl",
    "for",
    "while",
    "iozone",
    "bonnie++",
    "bonnie",
    "dbench",
    "fs_mark",
    "tiotest",
    "tiobench",
    "sysbench",
    "pgbench",
    "ioping",
    "xfs_io",
    "blktrace",
    "blkparse",
    "btt",
    "blkiomon",
    "blockdev",
    "mdadm",
    "lsblk",
    "grep",
    "ls",
    "cd",
    "sync",
    "reboot",
    "perf",
    "bpftrace",
    "biolatency",
    "hyperfine",
    "stress-ng",
    "filebench",
    "postmark",
    "rsync",
    "cp",
    "rm",
    "tar",
    "nvme",
    "head",
    "tail",
];

fn is_command(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or("");
    let name = word.rsplit('/').next().unwrap_or(word);
    let family = name.split('.').next().unwrap_or(name);
    word.starts_with("./") || PROGRAMS.contains(&name) || PROGRAMS.contains(&family)
}

/// What a command line reveals. Of several commands in a line the last one that reveals something
/// counts.
pub fn revealed(line: &str) -> Vec<Revealed> {
    line.split([';', '&'])
        .map(|command| one(command.trim()))
        .filter(|found| *found != Revealed::Nothing)
        .collect()
}

fn one(command: &str) -> Revealed {
    let mut words: Vec<&str> = command.split_whitespace().collect();
    while words
        .first()
        .is_some_and(|word| matches!(*word, "sudo" | "time"))
    {
        words.remove(0);
    }
    let Some(program) = words.first() else {
        return Revealed::Nothing;
    };
    let fact = |key: &str, value: &str| Revealed::Fact {
        key: key.to_owned(),
        value: unquoted(value),
    };
    let next = |key: &str, form: NextForm| Revealed::Next {
        key: key.to_owned(),
        form,
    };
    match (program.rsplit('/').next().unwrap_or(program), &words[1..]) {
        ("uname", ["-r", release]) => fact("kernel", release),
        ("uname", ["-r" | "-rm" | "-rv"]) => next("kernel", NextForm::Word),
        ("uname", ["-a", ..]) => next("kernel", NextForm::Uname),
        ("git", ["checkout" | "switch", rest @ ..]) => {
            match rest.iter().find(|word| !word.starts_with('-')) {
                Some(commit) => fact("commit", commit),
                None => Revealed::Nothing,
            }
        }
        ("git", ["log" | "describe" | "rev-parse" | "show", ..]) => next("commit", NextForm::Word),
        ("cat" | "head" | "more" | "less", [path, ..]) if !path.starts_with('-') => {
            shown_file(path)
        }
        ("echo" | "printf", _) => echoed(command),
        ("sysctl", rest) => match rest.iter().find_map(|word| word.split_once('=')) {
            Some((key, value)) => fact(key.rsplit('.').next().unwrap_or(key), value),
            None => Revealed::Nothing,
        },
        ("modprobe" | "insmod", [_, option, ..]) => match option.split_once('=') {
            Some((key, value)) => fact(key, value),
            None => Revealed::Nothing,
        },
        ("blockdev", ["--setra", value, ..]) => fact("read_ahead", value),
        (name, _) if name.starts_with("mkfs.") => fact("filesystem", &name["mkfs.".len()..]),
        ("mount", rest) => match rest
            .iter()
            .position(|word| *word == "-o")
            .and_then(|index| rest.get(index + 1))
        {
            Some(options) => fact("mount options", options),
            None => Revealed::Nothing,
        },
        _ => Revealed::Nothing,
    }
}

fn shown_file(path: &str) -> Revealed {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name == "scheduler" {
        return Revealed::Next {
            key: "scheduler".to_owned(),
            form: NextForm::Bracketed,
        };
    }
    if path.starts_with("/sys/") || path.starts_with("/proc/sys/") {
        return Revealed::Next {
            key: name.to_owned(),
            form: NextForm::Line,
        };
    }
    if path == "/proc/version" {
        return Revealed::Next {
            key: "kernel".to_owned(),
            form: NextForm::Uname,
        };
    }
    if path.starts_with("/proc/") || path.starts_with("/etc/") {
        return Revealed::Nothing;
    }
    Revealed::File(path.to_owned())
}

/// `echo cfq > /sys/block/sdb/queue/scheduler` sets something, `echo "=== cfq"` prints a title.
fn echoed(command: &str) -> Revealed {
    let text = command.split_once(' ').map_or("", |(_, rest)| rest);
    let Some((value, target)) = text.rsplit_once('>') else {
        let title = unquoted(text.trim_start_matches("-e ").trim_start_matches("-n "));
        return if title.is_empty() {
            Revealed::Nothing
        } else {
            Revealed::Title(title)
        };
    };
    let target = target.trim().trim_start_matches("tee ").trim();
    let key = target.rsplit('/').next().unwrap_or(target);
    let value = unquoted(value.trim().trim_end_matches('>'));
    if value.is_empty() || key.is_empty() || key == "drop_caches" || !target.starts_with('/') {
        return Revealed::Nothing;
    }
    Revealed::Fact {
        key: key.to_owned(),
        value,
    }
}

fn unquoted(text: &str) -> String {
    text.trim().trim_matches(['"', '\'']).trim().to_owned()
}

/// The value in the first line of an output.
pub fn value_of(form: NextForm, line: &str) -> Option<String> {
    let line = line.trim();
    let value = match form {
        NextForm::Line => line,
        NextForm::Word => line.split_whitespace().next()?,
        NextForm::Bracketed => line.split_once('[')?.1.split_once(']')?.0,
        NextForm::Uname => line.split_whitespace().nth(2)?,
    };
    (!value.is_empty() && value.len() <= 80).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_are_found() {
        let cases = [
            ("root@box:~# uname -r", Some("uname -r")),
            ("$ dd if=/dev/zero", Some("dd if=/dev/zero")),
            ("[root@box ~]# fio x.fio", Some("fio x.fio")),
            (
                "# cat /sys/block/sdb/queue/scheduler",
                Some("cat /sys/block/sdb/queue/scheduler"),
            ),
            ("# v6.9", None),
            ("# Results", None),
            ("a $ 5", None),
            ("tester@host:/tmp$ ./run.sh", Some("./run.sh")),
        ];
        for (text, expected) in cases {
            assert_eq!(command(text), expected, "{text}");
        }
    }

    #[test]
    fn commands_reveal_settings() {
        let fact = |key: &str, value: &str| {
            vec![Revealed::Fact {
                key: key.to_owned(),
                value: value.to_owned(),
            }]
        };
        assert_eq!(
            revealed("echo cfq > /sys/block/sdb/queue/scheduler"),
            fact("scheduler", "cfq")
        );
        assert_eq!(revealed("git checkout -q v6.9"), fact("commit", "v6.9"));
        assert_eq!(revealed("uname -r 5.4.0"), fact("kernel", "5.4.0"));
        assert_eq!(
            revealed("echo '=== bfq'"),
            [Revealed::Title("=== bfq".to_owned())]
        );
        assert_eq!(revealed("sync; echo 3 > /proc/sys/vm/drop_caches"), []);
        assert_eq!(
            value_of(NextForm::Bracketed, "none [kyber] bfq"),
            Some("kyber".to_owned())
        );
        assert_eq!(
            value_of(NextForm::Uname, "Linux box 6.1.0-13-amd64 #1 SMP"),
            Some("6.1.0-13-amd64".to_owned())
        );
    }
}
