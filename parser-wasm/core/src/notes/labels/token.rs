//! Names, split into tokens.

/// Characters of a name that are read.
const LONGEST: usize = 300;

/// The dimension of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// The dimension with this key.
    Of(String),
    /// A word of unknown dimension.
    Word,
}

/// A token of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    /// As in the name; of counts (`4w`) and repeats (`run3`) the number alone.
    pub value: String,
}

const SCHEDULERS: [&str; 9] = [
    "none",
    "noop",
    "deadline",
    "mq-deadline",
    "kyber",
    "bfq",
    "cfq",
    "anticipatory",
    "adios",
];
const FILESYSTEMS: [&str; 11] = [
    "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "jfs", "reiserfs", "zfs", "bcachefs", "raw",
];
const DEVICES: [&str; 11] = [
    "scsi", "virtio", "nvme", "sata", "sas", "ssd", "hdd", "usb", "mmc", "ide", "iscsi",
];
/// Words before the number of a repeat.
const REPEATS: [&str; 9] = [
    "run", "r", "rep", "repeat", "iter", "try", "take", "pass", "round",
];
/// Words before or after a count, by dimension.
const COUNTS: [(&str, &[&str]); 4] = [
    ("writers", &["w", "writer", "writers", "dd", "dds"]),
    ("threads", &["t", "thr", "thread", "threads"]),
    ("readers", &["reader", "readers"]),
    ("jobs", &["j", "job", "jobs", "numjobs", "procs"]),
];
/// Words after a kernel version that belong to it.
const KERNEL_ENDS: [&str; 14] = [
    "amd64", "generic", "x86", "64", "default", "smp", "pae", "arm64", "aarch64", "i686", "686",
    "rt", "lts", "cloud",
];
/// Generic names of files and folders.
const EMPTY: [&str; 8] = [
    "trace", "traces", "blktrace", "out", "output", "log", "dump", "kernel",
];

/// Settings whose value may follow after a blank or `=`.
const SETTINGS: [&str; 9] = [
    "slice_idle",
    "low_latency",
    "read_ahead_kb",
    "nr_requests",
    "queue_depth",
    "max_sectors_kb",
    "stripe_cache_size",
    "wbt_lat_usec",
    "iodepth",
];
/// Units after a number: the number alone is the value.
const UNITS: [&str; 10] = ["ns", "us", "ms", "s", "kb", "mb", "gb", "kib", "mib", "gib"];

/// The tokens of a path, each once. A number in brackets at the end only makes equal names unique.
pub fn tokens(path: &str) -> Vec<Token> {
    let path: String = path.chars().take(LONGEST).collect();
    let numbered = path.rsplit_once(" (").filter(|(_, n)| {
        n.strip_suffix(')')
            .is_some_and(|n| n.parse::<u32>().is_ok())
    });
    let path = numbered.map_or(path.as_str(), |(before, _)| before);
    let mut found: Vec<Token> = Vec::new();
    let mut rest = path.to_owned();
    for name in SETTINGS {
        if let Some((token, span)) = setting(&rest, name) {
            found.push(token);
            rest.replace_range(span, " ");
        }
    }
    for name in rest.split(|c: char| c.is_whitespace() || "/\\,;()[]_=:#".contains(c)) {
        let pieces: Vec<&str> = name.split('-').filter(|piece| !piece.is_empty()).collect();
        let mut at = 0;
        while at < pieces.len() {
            let (token, taken) = next(&pieces[at..]);
            at += taken;
            found.extend(token.filter(|token| !found.contains(token)));
        }
    }
    found
}

/// `slice_idle 8`, `slice_idle=8`: the token and its bytes in the text.
fn setting(text: &str, name: &str) -> Option<(Token, std::ops::Range<usize>)> {
    let start = text.find(name)?;
    let value = start + name.len();
    let digits = text[value..].trim_start_matches([' ', '=', ':']);
    let from = text.len() - digits.len();
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    (from > value && length > 0).then(|| {
        let token = Token {
            kind: TokenKind::Of(name.to_owned()),
            value: digits[..length].to_owned(),
        };
        (token, start..from + length)
    })
}

fn of(key: &str, value: &str) -> Option<Token> {
    Some(Token {
        kind: TokenKind::Of(key.to_owned()),
        value: value.to_owned(),
    })
}

/// The first token of the pieces, and how many of them it uses.
fn next(pieces: &[&str]) -> (Option<Token>, usize) {
    let piece = pieces[0];
    let lower = piece.to_ascii_lowercase();
    let word = lower.as_str();
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if let Some(version) = kernel(word) {
        let build = version.matches('.').count() >= 2;
        let belongs = |piece: &&&str| {
            let p = piece.to_ascii_lowercase();
            let rc = p
                .strip_prefix("rc")
                .is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()));
            rc || KERNEL_ENDS.contains(&p.as_str())
                || (build
                    && p.starts_with(|c: char| c.is_ascii_digit())
                    && (number(&p) || p.contains('.')))
        };
        let more = pieces[1..].iter().take_while(belongs).count();
        let whole = pieces[..=more].join("-");
        return (
            of("kernel", &whole[piece.len() - version.len()..]),
            1 + more,
        );
    }
    if word == "mq"
        && pieces
            .get(1)
            .is_some_and(|p| p.eq_ignore_ascii_case("deadline"))
    {
        return (of("scheduler", "mq-deadline"), 2);
    }
    for (key, known) in [
        ("scheduler", &SCHEDULERS[..]),
        ("filesystem", &FILESYSTEMS),
        ("device", &DEVICES),
    ] {
        if known.contains(&word) {
            return (of(key, piece), 1);
        }
    }
    if EMPTY.contains(&word) || UNITS.contains(&word) {
        return (None, 1);
    }
    if REPEATS.contains(&word) && word.len() > 1 && pieces.get(1).is_some_and(|p| number(p)) {
        return (of("repeat", pieces[1]), 2);
    }
    if number(word) {
        return (of("number", piece), 1);
    }
    (
        numbered(piece, word).or_else(|| {
            Some(Token {
                kind: TokenKind::Word,
                value: piece.to_owned(),
            })
        }),
        1,
    )
}

/// `4w`, `w4`, `run3`, `idle8`, `qd32`, `bs4k`.
fn numbered(piece: &str, word: &str) -> Option<Token> {
    let letters = word.find(|c: char| c.is_ascii_digit())?;
    let (begin, rest) = word.split_at(letters);
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let (count, end) = rest.split_at(digits);
    let what = if begin.is_empty() { end } else { begin };
    if begin.is_empty() || end.is_empty() {
        if let Some((key, _)) = COUNTS.iter().find(|(_, words)| words.contains(&what)) {
            return of(key, count);
        }
        if REPEATS.contains(&begin) {
            return of("repeat", count);
        }
    }
    let plain =
        !begin.is_empty() && begin.bytes().all(|b| b.is_ascii_lowercase()) && end.len() <= 3;
    if plain { of(begin, piece) } else { None }
}

/// The version in `6.12`, `k6.12`, `v5.10`, `linux5.4`, `2.6.35+`, `6.12.113+deb12`: at least two
/// numbers with a dot.
fn kernel(word: &str) -> Option<&str> {
    let version = ["linux", "kernel", "k", "v"]
        .iter()
        .find_map(|p| word.strip_prefix(p))
        .unwrap_or(word);
    let mut numbers = version.splitn(3, '.');
    let first = numbers
        .next()
        .filter(|n| (1..=2).contains(&n.len()) && n.bytes().all(|b| b.is_ascii_digit()));
    let second = numbers.next().is_some_and(|n| {
        let digits = n.bytes().take_while(u8::is_ascii_digit).count();
        (1..=3).contains(&digits) && !n[digits..].starts_with(|c: char| c.is_alphabetic())
    });
    (first.is_some() && second).then_some(version)
}

/// The dimension of a word with a known form: `kernel`, `scheduler`, `filesystem`, `device`.
pub fn dimension_of(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    let word = lower.as_str();
    if kernel(word)
        .is_some_and(|version| version.splitn(3, '.').count() == 3 || version.len() < word.len())
    {
        return Some("kernel");
    }
    let known = [
        ("scheduler", &SCHEDULERS[..]),
        ("filesystem", &FILESYSTEMS),
        ("device", &DEVICES),
    ];
    known
        .into_iter()
        .find(|(_, words)| words.contains(&word))
        .map(|(name, _)| name)
}
