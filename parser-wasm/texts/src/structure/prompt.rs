//! Prompts of shells: the machine that they name, and the command behind them.

/// A line of a session in which a command was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prompt<'a> {
    /// The machine, where the prompt names one. A shell that names itself is that of a container,
    /// or of another user.
    pub host: Option<&'a str>,
    /// The folder, where the prompt names one by its path.
    pub folder: Option<&'a str>,
    pub command: &'a str,
}

/// `root@box:~# dd ...`, `[root@box ~]# dd`, `box:/data # dd ...`, `box# dd`, `$ dd ...`, `# cat ...`.
pub fn prompt(text: &str) -> Option<Prompt<'_>> {
    let text = text.trim_start();
    // A code span of several lines begins with its mark.
    let text = match text.strip_prefix('`') {
        Some(rest) if !rest.contains('`') => rest,
        _ => text,
    };
    let certain = CERTAIN.iter().find_map(|mark| text.strip_prefix(mark));
    // `#` begins a heading of Markdown and a comment, too, and `>` a quotation.
    let uncertain = text.strip_prefix("# ").or_else(|| text.strip_prefix("> "));
    if let Some(command) = certain.or(uncertain) {
        let command = command.trim();
        let prompt = Prompt {
            host: None,
            folder: None,
            command,
        };
        return (certain.is_some() || is_command(command)).then_some(prompt);
    }
    // Prompts are looked for in all lines, and one character is found faster.
    if !text.contains(['#', '$', '%', '>']) {
        return None;
    }
    MARKS.iter().find_map(|mark| named(text, mark))
}

/// The command of a line, if it has a prompt.
pub fn command(text: &str) -> Option<&str> {
    prompt(text).map(|prompt| prompt.command)
}

/// A line that can only be a command of a known program, though it has no prompt:
/// `sudo ./ioping -c 10 /mnt`.
pub fn bare_command(text: &str) -> Option<&str> {
    let text = text.trim();
    let mut words = text
        .split_whitespace()
        .skip_while(|word| PREFIXES.contains(word));
    let is_program = words.next().is_some_and(is_command);
    let is_argument =
        |word: &str| word.starts_with(['-', '/', '~', '.']) && word.len() > 1 || word.contains('=');
    let is_sentence = text.ends_with(['.', ':', ',', ';', '?', '!']);
    (is_program && !is_sentence && words.any(is_argument)).then_some(text)
}

/// Words that only start the program behind them.
const PREFIXES: [&str; 2] = ["sudo", "time"];

/// Prompts without a name that begin nothing else.
const CERTAIN: [&str; 3] = ["$ ", "% ", "\u{276f} "];
/// The ends of prompts; `> ` ends those of SUSE, of quotations and of redirections.
const MARKS: [&str; 4] = ["# ", "$ ", "% ", "> "];
/// Words of a prompt: environment, machine, folder.
const MAX_WORDS: usize = 3;

/// A prompt that ends with this mark.
fn named<'a>(text: &'a str, mark: &str) -> Option<Prompt<'a>> {
    let end = match text.find(mark) {
        Some(found) => found + mark.len(),
        None if text.ends_with(mark.trim_end()) => text.len(),
        None => return None,
    };
    let prompt = text[..end].trim_end().strip_suffix(mark.trim_end())?;
    let command = text[end..].trim();
    let host = host(prompt.trim_end())?;
    let folder = folder(prompt.trim_end());
    // Without a user and brackets, `box # ` may begin a comment, and `box:~> ` a quotation.
    let is_certain = prompt.contains('@') && mark != "> " || prompt.starts_with(['[', '(']);
    let is_shell = prompt.starts_with("bash-") || prompt.starts_with("sh-");
    (is_certain || is_shell || is_command(command)).then_some(Prompt {
        host,
        folder,
        command,
    })
}

/// The path at the end of a prompt: `/data` of `root@box:/data` and of `[root@box /data]`.
fn folder(prompt: &str) -> Option<&str> {
    let last = prompt.trim_end_matches(']').rsplit([' ', ':']).next()?;
    last.starts_with(['/', '~']).then_some(last)
}

/// The machine that a prompt without its mark names; `None` inside where it has only a folder, and
/// `None` for what is no prompt.
fn host(prompt: &str) -> Option<Option<&str>> {
    let words = prompt.split_whitespace().count();
    if words == 0 || words > MAX_WORDS {
        return None;
    }
    let inner = match prompt.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']')?,
        None => prompt,
    };
    // `(chroot) box /data`, `(venv) tester@box:~`.
    let inner = match inner.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?.1.trim_start(),
        None => inner,
    };
    let (first, folder) = match inner.split_once(' ') {
        Some((first, folder)) => (first, Some(folder.trim())),
        None => (inner, None),
    };
    let is_path = |path: &str| path.starts_with(['/', '~', '.']);
    let is_bracketed = prompt.starts_with('[');
    let fits = |folder: &str| !folder.contains(' ') && (is_bracketed || is_path(folder));
    if folder.is_some_and(|folder| !fits(folder)) {
        return None;
    }
    let (name, path) = match first.split_once(':') {
        Some((name, path)) => (name, Some(path)),
        None => (first, None),
    };
    if path.is_some_and(|path| !is_path(path)) {
        return None;
    }
    if is_path(name) {
        return folder.is_none().then_some(None);
    }
    let host = name.rsplit('@').next().unwrap_or(name);
    let plain = !host.is_empty()
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-_.@+".contains(&b));
    plain.then_some(Some(host))
}

/// Programs by which a line behind a bare mark is a command.
const PROGRAMS: [&str; 118] = [
    "bcache-super-show",
    "biolatency",
    "biosnoop",
    "biotop",
    "blkdiscard",
    "blkiomon",
    "blkparse",
    "blkrawverify",
    "blktrace",
    "blockdev",
    "bonnie",
    "bonnie++",
    "bpftrace",
    "btt",
    "cat",
    "cd",
    "cgexec",
    "chrt",
    "compilebench",
    "cp",
    "cryptsetup",
    "dbench",
    "dd",
    "df",
    "dmesg",
    "dmsetup",
    "docker",
    "dstat",
    "du",
    "echo",
    "elbencho",
    "env",
    "ext4dist",
    "fallocate",
    "filebench",
    "fio",
    "for",
    "fs_mark",
    "fstrim",
    "git",
    "grep",
    "hdparm",
    "head",
    "hyperfine",
    "insmod",
    "ionice",
    "ioping",
    "ior",
    "iostat",
    "iotop",
    "iowatcher",
    "iozone",
    "kubectl",
    "ls",
    "lsblk",
    "lsscsi",
    "lvs",
    "make",
    "mdadm",
    "mdtest",
    "mkdir",
    "mke2fs",
    "mkfs",
    "modprobe",
    "mount",
    "mpstat",
    "mv",
    "mysql",
    "nerdctl",
    "nfsdist",
    "numactl",
    "nvme",
    "perf",
    "pgbench",
    "pidstat",
    "podman",
    "postmark",
    "psql",
    "python3",
    "rados",
    "reboot",
    "rm",
    "rmmod",
    "rsync",
    "sar",
    "seekwatcher",
    "smallfile_cli.py",
    "smartctl",
    "sqlite3",
    "ssh",
    "strace",
    "stress-ng",
    "sudo",
    "swapoff",
    "swapon",
    "sync",
    "sysbench",
    "sysctl",
    "systemd-run",
    "tail",
    "tar",
    "taskset",
    "time",
    "tiobench",
    "tiobench.pl",
    "tiotest",
    "trace-cmd",
    "truncate",
    "ulimit",
    "umount",
    "uname",
    "vdbench",
    "vmstat",
    "while",
    "xargs",
    "xfs_io",
    "xfsdist",
    "zpool",
];

fn is_command(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or("");
    let name = word.rsplit('/').next().unwrap_or(word);
    let family = name.split('.').next().unwrap_or(name);
    let script = [".sh", ".py", ".pl", ".bt"]
        .iter()
        .any(|end| name.ends_with(end));
    let path = word.contains("/bin/") || word.contains("/sbin/") || script;
    word.starts_with("./") || path || PROGRAMS.contains(&name) || PROGRAMS.contains(&family)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_are_found() {
        let cases = [
            ("root@box:~# uname -r", Some("uname -r")),
            ("$ dd if=/dev/zero", Some("dd if=/dev/zero")),
            ("\u{276f} dd if=/dev/zero", Some("dd if=/dev/zero")),
            ("[root@box ~]# fio x.fio", Some("fio x.fio")),
            (
                "# cat /sys/block/sdb/queue/scheduler",
                Some("cat /sys/block/sdb/queue/scheduler"),
            ),
            ("# v6.9", None),
            ("# Results", None),
            ("a $ 5", None),
            ("tester@host:/tmp$ ./run.sh", Some("./run.sh")),
            ("bash-4.2# ./run", Some("./run")),
            (
                "box1:/usr/share/tools # ./biolatency -d sde",
                Some("./biolatency -d sde"),
            ),
            ("box # dd if=/dev/sdb", Some("dd if=/dev/sdb")),
            ("box ~ # fio x.fio", Some("fio x.fio")),
            ("`box ~ # fio x.fio", Some("fio x.fio")),
            ("`box ~ # fio x.fio`", None),
            ("tester@box:~> fio x.fio", Some("fio x.fio")),
            ("/mnt # dd if=a of=b", Some("dd if=a of=b")),
            ("note # 3 of the list", None),
            ("4 drives # RAID 5", None),
            ("Total: 5 # cat", None),
            ("On Monday tester@box.org> wrote:", None),
        ];
        for (text, expected) in cases {
            assert_eq!(command(text), expected, "{text}");
        }
    }

    #[test]
    fn commands_are_found_without_a_prompt() {
        for text in ["sudo ./ioping -c 10 /", "fio --name=a", "dd if=a of=b"] {
            assert_eq!(bare_command(text), Some(text));
        }
        for text in [
            "fio is slow",
            "time to write",
            "dd if=a was used.",
            "./run",
            "a -b",
        ] {
            assert_eq!(bare_command(text), None, "{text}");
        }
    }

    #[test]
    fn prompts_name_their_machine() {
        let cases = [
            ("[adb@host4 /data2]$ sudo btt -i x", Some("host4")),
            ("root@box:~# fio x.fio", Some("box")),
            ("box1:/usr/share # fio x.fio", Some("box1")),
            ("box$ fio x.fio", Some("box")),
            ("(venv) tester@box:~$ fio x.fio", Some("box")),
            ("~ # fio x.fio", None),
            ("bash-5.1$ fio x.fio", Some("bash-5.1")),
            ("$ fio x.fio", None),
        ];
        for (text, expected) in cases {
            let found = prompt(text).unwrap_or_else(|| panic!("{text} is a prompt"));
            assert_eq!(found.host, expected, "{text}");
        }
        for (text, expected) in [
            ("[adb@host4 /data2]$ fio x.fio", Some("/data2")),
            ("root@box:/tmp/a# fio x.fio", Some("/tmp/a")),
            ("/mnt # fio x.fio", Some("/mnt")),
            ("[root@box a]# fio x.fio", None),
        ] {
            assert_eq!(
                prompt(text).and_then(|found| found.folder),
                expected,
                "{text}"
            );
        }
    }
}
