//! Recognises what the commands of a session reveal of the machine, of what is measured, and of
//! files.

/// What a command or its output reveals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revealed {
    /// A value that the command itself has.
    Fact {
        key: String,
        value: String,
    },
    /// The value is in the next line.
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

/// The form of a value in the output of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextForm {
    /// The complete line is the value.
    Line,
    /// The first word is the value.
    Word,
    /// The word in brackets is the value: `none [mq-deadline] kyber`.
    Bracketed,
    /// `Linux box 6.1.0 #1 SMP`: the third word.
    Uname,
}

/// What a command line reveals. Of several commands in a line the last one that reveals something
/// counts.
pub fn revealed(line: &str) -> Vec<Revealed> {
    line.split([';', '&'])
        .map(|command| reveal_one(command.trim()))
        .filter(|found| *found != Revealed::Nothing)
        .collect()
}

fn reveal_one(command: &str) -> Revealed {
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
