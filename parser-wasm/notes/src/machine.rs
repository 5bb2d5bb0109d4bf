//! Other facts that decide how I/O is done: mounted file systems, the kernel's command line,
//! device-mapper tables, limits of control groups.

use super::fact::device;
use super::setting::{COMMAND_LINE, MOUNT_OPTIONS};
use super::{Fact, Note};

/// Words of the command line that name the kernel or a device.
const NAMES: [&str; 5] = ["BOOT_IMAGE=", "initrd=", "root=", "resume=", "UUID="];
/// The targets of device mapper.
const TARGETS: [&str; 22] = [
    "cache",
    "clone",
    "crypt",
    "delay",
    "dust",
    "ebs",
    "era",
    "error",
    "flakey",
    "integrity",
    "linear",
    "log-writes",
    "mirror",
    "multipath",
    "raid",
    "snapshot",
    "striped",
    "thin",
    "thin-pool",
    "vdo",
    "verity",
    "writecache",
];
/// Hexadecimal words of this length are keys and hashes: they are not shown.
const KEY: usize = 24;

/// Reads `/proc/mounts` and the output of `mount`; only file systems on devices count.
pub fn read_mounts(text: &str, note: &mut Note) {
    for line in text.lines() {
        let Some((path, kind, options)) = mounted(line.trim()) else {
            continue;
        };
        let disk = Some(device(path).trim_start_matches("mapper/"));
        note.add(Fact::text("filesystem", "File system", kind).about(disk));
        note.add(Fact::text("mount_options", "Mount options", options).about(disk));
        note.add_setting(disk, "filesystem", kind);
        note.add_setting(disk, MOUNT_OPTIONS, options);
    }
}

/// Device, file system and options of a line.
fn mounted(line: &str) -> Option<(&str, &str, &str)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let found = match words.as_slice() {
        [path, _, kind, options, "0" | "1", "0" | "1" | "2"] => (*path, *kind, *options),
        [path, "on", _, "type", kind, options] => {
            (*path, *kind, options.strip_prefix('(')?.strip_suffix(')')?)
        }
        _ => return None,
    };
    (found.0.starts_with("/dev/") && found.2.starts_with(['r', 'n', 'd', 's', 'l']))
        .then_some(found)
}

/// Reads `/proc/cmdline`, also as dmesg prints it.
pub fn read_command_line(text: &str, note: &mut Note) {
    let is_file = note
        .file
        .rsplit('/')
        .next()
        .is_some_and(|name| name.starts_with("cmdline"));
    let line = text.lines().map(str::trim).find_map(|line| {
        let words = ["Kernel command line: ", "Command line: "]
            .iter()
            .find_map(|name| Some(line.split_once(name)?.1));
        words.or_else(|| {
            (line.starts_with("BOOT_IMAGE=") || is_file && !line.is_empty()).then_some(line)
        })
    });
    let Some(line) = line else { return };
    let words: Vec<&str> = line
        .split_whitespace()
        .filter(|word| !NAMES.iter().any(|name| word.starts_with(name)))
        .collect();
    let line = words.join(" ");
    note.add(Fact::text("command_line", "Kernel command line", &line));
    note.add_setting(None, COMMAND_LINE, &line);
}

/// `dmsetup table`: `lv: 0 262144 linear 254:1 0`, without device numbers and keys.
pub fn read_tables(text: &str, note: &mut Note) {
    let mut last: Option<(&str, Vec<String>)> = None;
    let mut end = |done: Option<(&str, Vec<String>)>| {
        if let Some((name, segments)) = done {
            let table = segments.join("; ");
            note.add(Fact::text("dm_table", "Device-mapper table", &table).about(Some(name)));
            note.add_setting(Some(name), "dm table", &table);
        }
    };
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, start, length, target, rest @ ..] = words.as_slice() else {
            continue;
        };
        let Some(name) = name.strip_suffix(':') else {
            continue;
        };
        if start.parse::<u64>().is_err()
            || length.parse::<u64>().is_err()
            || !TARGETS.contains(target)
        {
            continue;
        }
        let named = |word: &str| {
            word.starts_with("/dev/")
                || word
                    .split_once(':')
                    .is_some_and(|(a, b)| is_number(a) && is_number(b))
        };
        let secret = |word: &str| {
            word.len() >= KEY && word.chars().all(|c| c.is_ascii_hexdigit())
                || word.starts_with(':')
        };
        let rest = rest
            .iter()
            .filter(|word| !named(word) && !secret(word))
            .copied();
        let segment = [*start, length, target]
            .into_iter()
            .chain(rest)
            .collect::<Vec<_>>()
            .join(" ");
        match &mut last {
            Some((table, segments)) if *table == name => segments.push(segment),
            _ => end(last.replace((name, vec![segment]))),
        }
    }
    end(last);
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

/// A line of a control group's file: `254:0 rbps=max wbps=1048576 riops=max wiops=max`. `name` is
/// the file, if the line has it.
pub fn of_cgroup(line: &str, name: Option<&str>, note: &mut Note) {
    let Some((number, values)) = line.split_once(' ') else {
        return;
    };
    let Some((major, minor)) = number
        .split_once(':')
        .filter(|(a, b)| is_number(a) && is_number(b))
    else {
        return;
    };
    let has = |word: &str| {
        values
            .split_whitespace()
            .any(|value| value.starts_with(word))
    };
    let guessed = match values {
        _ if has("rbytes=") || has("total=") => return,
        _ if has("enable=") && has("rpct=") => "io.cost.qos",
        _ if has("model=") => "io.cost.model",
        _ if has("rbps=") && has("wbps=") => "io.max",
        _ if has("target=") => "io.latency",
        _ if name.is_some() => "",
        _ => return,
    };
    let dev = format!("{major},{minor}");
    note.add(
        Fact::text(
            "io_control",
            "I/O control",
            &format!("{} {values}", name.unwrap_or(guessed)),
        )
        .about(Some(&dev)),
    );
    note.add_setting(Some(&dev), name.unwrap_or(guessed), values);
}
