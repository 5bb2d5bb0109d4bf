//! Traces of Perfetto have the figures of the text of ftrace. There is no recording by Perfetto:
//! these are made from real recordings of ftrace as text, event by event, by the published
//! description of the messages.

use crate::common::{File, digest, fixtures, read};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use seekscope_core::store::Store;
use std::collections::BTreeMap;
use std::io::Write;

fn varint(mut n: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
    out
}

pub fn number(field: u64, n: u64) -> Vec<u8> {
    [varint(field << 3), varint(n)].concat()
}

pub fn bytes(field: u64, content: &[u8]) -> Vec<u8> {
    [
        varint(field << 3 | 2),
        varint(content.len() as u64),
        content.to_vec(),
    ]
    .concat()
}

/// The number that `makedev()` gives for `254,0`.
pub fn user_device(word: &str) -> u64 {
    let (major, minor) = word
        .trim_matches(['(', ')'])
        .split_once(',')
        .expect("a device");
    let (major, minor): (u64, u64) = (
        major.parse().expect("a number"),
        minor.parse().expect("a number"),
    );
    (major & 0xfff) << 8 | (minor & 0xff) | (minor & !0xff) << 12
}

/// The number of an event and of its fields: device, sector, sectors, bytes, error, letters, task,
/// command; 0 where it has none.
const EVENTS: [(&str, u64, [u64; 8]); 11] = [
    ("block_rq_issue", 45, [1, 2, 3, 4, 0, 5, 6, 7]),
    ("block_rq_insert", 126, [1, 2, 3, 4, 0, 5, 6, 7]),
    ("block_rq_complete", 125, [1, 2, 3, 0, 4, 5, 0, 6]),
    ("block_rq_requeue", 129, [1, 2, 3, 0, 4, 5, 0, 6]),
    ("block_bio_queue", 119, [1, 2, 3, 0, 0, 4, 5, 0]),
    ("block_getrq", 122, [1, 2, 3, 0, 0, 4, 5, 0]),
    ("block_bio_backmerge", 115, [1, 2, 3, 0, 0, 4, 5, 0]),
    ("block_bio_frontmerge", 118, [1, 2, 3, 0, 0, 4, 5, 0]),
    ("block_bio_complete", 117, [1, 2, 3, 0, 4, 5, 0, 0]),
    ("block_bio_remap", 120, [1, 2, 3, 0, 0, 6, 0, 0]),
    ("block_split", 131, [1, 2, 0, 0, 0, 4, 5, 0]),
];

/// The message of an event by its text; `None` for those that Perfetto has no type for.
fn message(name: &str, body: &str) -> Option<Vec<u8>> {
    let last = body.rfind('[').map_or("", |begin| {
        body[begin + 1..].split(']').next().unwrap_or_default()
    });
    let event = match name {
        "block_plug" => bytes(123, &bytes(1, last.as_bytes())),
        "block_unplug" => {
            let n = body.rsplit(' ').next()?.parse().ok()?;
            bytes(133, &[number(1, n), bytes(2, last.as_bytes())].concat())
        }
        _ => {
            let (_, event, places) = EVENTS.iter().find(|event| event.0 == name)?;
            let words: Vec<&str> = body.split_whitespace().collect();
            let middle = words.iter().position(|word| matches!(*word, "+" | "/"))?;
            let value = |index: usize| words[index].parse::<u64>().ok();
            let mut out = Vec::new();
            let values = [
                Some(user_device(words[0])),
                value(middle - 1),
                value(middle + 1),
                value(2),
                last.parse::<i64>().ok().map(|n| n as u64),
            ];
            for (place, value) in places.iter().zip(values) {
                out.extend(
                    value
                        .filter(|_| *place > 0)
                        .map(|n| number(*place, n))
                        .unwrap_or_default(),
                );
            }
            let command = body
                .split_once('(')
                .map_or("", |(_, rest)| rest.split(')').next().unwrap_or_default());
            for (place, text) in places[5..].iter().zip([words[1], last, command]) {
                out.extend(if *place > 0 {
                    bytes(*place, text.as_bytes())
                } else {
                    Vec::new()
                });
            }
            match name {
                "block_bio_remap" => {
                    out.extend([number(4, user_device(words[4])), number(5, value(5)?)].concat())
                }
                "block_split" => out.extend(number(3, value(middle + 1)?)),
                _ => {}
            }
            bytes(*event, &out)
        }
    };
    Some(event)
}

/// Names of the fields of `block_io_start` in the order of their numbers.
const FIELDS: [&str; 6] = ["dev", "sector", "nr_sector", "bytes", "rwbs", "comm"];

/// How events are written that Perfetto has no type for.
#[derive(Clone, Copy, PartialEq)]
enum Generic {
    /// With the names of their fields.
    Named,
    /// By a description, as from v50 on.
    Described,
}

/// The description of the event with this name, by its number.
pub fn description(number_of: u64, name: &str, fields: &[&str]) -> Vec<u8> {
    let field = |(i, name): (usize, &&str)| {
        bytes(
            2,
            &[
                bytes(1, name.as_bytes()),
                number(3, i as u64 + 1),
                number(5, 4),
            ]
            .concat(),
        )
    };
    let fields: Vec<u8> = fields.iter().enumerate().flat_map(field).collect();
    let message = [bytes(1, name.as_bytes()), fields].concat();
    bytes(
        1,
        &bytes(
            1,
            &[
                number(1, 0),
                bytes(11, &[number(1, number_of), bytes(2, &message)].concat()),
            ]
            .concat(),
        ),
    )
}

/// An event with these fields.
fn generic(name: &str, body: &str, way: Generic) -> Option<Vec<u8>> {
    let words: Vec<&str> = body.split_whitespace().collect();
    let text = |key: &str, value: &str| {
        bytes(
            2,
            &[bytes(1, key.as_bytes()), bytes(3, value.as_bytes())].concat(),
        )
    };
    let count =
        |key: &str, value: u64| bytes(2, &[bytes(1, key.as_bytes()), number(5, value)].concat());
    let middle = words.iter().position(|word| *word == "+")?;
    let numbers = [
        user_device(words[0]),
        words[middle - 1].parse().ok()?,
        words[middle + 1].parse().ok()?,
        words[2].parse().ok()?,
    ];
    let texts = [words[1], body.rsplit('[').next()?.trim_end_matches(']')];
    if way == Generic::Described {
        let numbers = (1..).zip(numbers).flat_map(|(field, n)| number(field, n));
        let texts = (5..)
            .zip(texts)
            .flat_map(|(field, text)| bytes(field, text.as_bytes()));
        let field = if name == "block_io_start" {
            65_536
        } else {
            65_537
        };
        return Some(bytes(field, &numbers.chain(texts).collect::<Vec<u8>>()));
    }
    let numbers = FIELDS
        .iter()
        .zip(numbers)
        .flat_map(|(name, n)| count(name, n));
    let texts = FIELDS[4..]
        .iter()
        .zip(texts)
        .flat_map(|(name, value)| text(name, value));
    Some(bytes(
        327,
        &[
            bytes(1, name.as_bytes()),
            numbers.collect(),
            texts.collect(),
        ]
        .concat(),
    ))
}

/// A line of ftrace: CPU, ns, task, and the message of its event. `only`: no others.
fn event(line: &str, only: &[&str], way: Generic) -> Option<(u64, Vec<u8>)> {
    let (prefix, rest) = line.split_once(": ")?;
    let (name, body) = rest.split_once(": ")?;
    let (task, place) = prefix.split_once('[')?;
    let cpu = place[..3].parse().ok()?;
    let (seconds, us) = prefix.rsplit(' ').next()?.split_once('.')?;
    let time = seconds.parse::<u64>().ok()? * 1_000_000_000 + us.parse::<u64>().ok()? * 1000;
    let pid = task.trim().rsplit('-').next()?.parse().ok()?;
    let generic_message = if only.contains(&name) {
        generic(name, body, way)
    } else {
        None
    };
    let message = if only.is_empty() {
        message(name, body)
    } else {
        generic_message
    };
    Some((
        cpu,
        bytes(2, &[number(1, time), number(2, pid), message?].concat()),
    ))
}

/// Bundles of a few events per CPU, as packets, and clocks.
fn packets(text: &str, only: &[&str]) -> Vec<Vec<u8>> {
    packets_as(text, only, Generic::Named)
}

fn packets_as(text: &str, only: &[&str], way: Generic) -> Vec<Vec<u8>> {
    let clock = |id, time| bytes(1, &[number(1, id), number(2, time)].concat());
    let clocks = bytes(
        6,
        &[
            clock(6, 30_000_000_000),
            clock(1, 1_795_324_160_000_000_000),
        ]
        .concat(),
    );
    let mut packets = vec![bytes(1, &[clocks, number(10, 1)].concat())];
    let mut open: BTreeMap<u64, Vec<Vec<u8>>> = BTreeMap::new();
    let bundle = |cpu: u64, events: &[Vec<u8>]| {
        bytes(
            1,
            &[
                bytes(1, &[number(1, cpu), events.concat()].concat()),
                number(10, 1),
            ]
            .concat(),
        )
    };
    for (cpu, event) in text.lines().filter_map(|line| event(line, only, way)) {
        let events = open.entry(cpu).or_default();
        events.push(event);
        if events.len() == 40 {
            packets.push(bundle(cpu, &std::mem::take(events)));
        }
    }
    packets.extend(open.iter().map(|(cpu, events)| bundle(*cpu, events)));
    packets
}

fn text(run: &str) -> String {
    String::from_utf8(
        std::fs::read(fixtures().join("../texts").join(run).join("ftrace.txt"))
            .expect("the run exists"),
    )
    .expect("text")
}

fn named(content: Vec<u8>) -> Vec<File> {
    vec![("trace.pftrace".to_owned(), content)]
}

/// Everything but the clocks, and names that only the prefixes of lines have.
fn parts(store: &Store) -> Vec<String> {
    let mut lines = digest(store);
    lines.pop();
    lines
        .into_iter()
        .filter(|line| {
            !line.contains("swapper") && !line.contains("<idle>") && line != "0 None None"
        })
        .collect()
}

#[test]
fn twins_of_the_text_of_ftrace() {
    for run in ["ftrace-6.1", "ftrace-6.12"] {
        let (text, made) = (text(run), packets(&text(run), &[]).concat());
        let (wanted, got) = (
            read(&[("ftrace.txt".to_owned(), text.into_bytes())], 1 << 20),
            read(&named(made), 5000),
        );
        assert_eq!(got.format, "perfetto");
        assert!(
            got.events.len() > 700 && got.requests.len() > 80,
            "{run}: {} {}",
            got.events.len(),
            got.requests.len()
        );
        let (wanted, got_parts) = (parts(&wanted), parts(&got));
        let other = wanted.iter().zip(&got_parts).find(|(a, b)| a != b);
        assert!(
            wanted == got_parts,
            "{run}: {} {}: {other:?}",
            wanted.len(),
            got_parts.len()
        );
        assert_eq!(got.quality.warnings, [], "{run}");
        assert_eq!(
            got.wall,
            Some(1_795_324_160_000_000_000 + got.origin - 30_000_000_000)
        );
    }
}

#[test]
fn compressed_packets_are_the_same() {
    let packets = packets(&text("ftrace-6.12"), &[]);
    let plain = read(&named(packets.concat()), 1 << 20);
    let compressed: Vec<u8> = packets
        .chunks(7)
        .flat_map(|some| {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
            encoder
                .write_all(&some.concat())
                .expect("memory can be written");
            bytes(
                1,
                &bytes(50, &encoder.finish().expect("memory can be written")),
            )
        })
        .collect();
    assert!(compressed.len() * 2 < packets.concat().len());
    assert_eq!(
        digest(&read(&named(compressed.clone()), 1 << 20)),
        digest(&plain)
    );
    // One of them is damaged: its packets are missing, the others are there.
    let mut damaged = compressed;
    let middle = damaged.len() / 2;
    damaged[middle..middle + 20].fill(0xff);
    let store = read(&named(damaged), 1 << 20);
    assert!(
        store.events.len() > 300 && store.events.len() < plain.events.len(),
        "{}",
        store.events.len()
    );
    assert_eq!(store.quality.warnings[0].code, "bad-record");
}

#[test]
fn generic_events_are_the_requests_where_there_are_no_others() {
    let text = text("ftrace-6.12");
    let only = ["block_io_start", "block_io_done"];
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with('#') || only.iter().any(|name| line.contains(name)))
        .collect();
    let lines = format!("{}\n", lines.join("\n"));
    let wanted = read(
        &[("ftrace.txt".to_owned(), lines.clone().into_bytes())],
        1 << 20,
    );
    let got = read(&named(packets(&lines, &only).concat()), 1 << 20);
    assert!(wanted.requests.len() > 50);
    assert_eq!(parts(&got), parts(&wanted));
    // The events are written by descriptions, which may be behind them; without these, nothing is
    // known of the events.
    let events = packets_as(&lines, &only, Generic::Described).concat();
    let descriptions: Vec<u8> = (65_536..)
        .zip(only)
        .flat_map(|(index, name)| description(index, name, &FIELDS))
        .collect();
    for file in [
        [descriptions.clone(), events.clone()].concat(),
        [events.clone(), descriptions.clone()].concat(),
    ] {
        assert_eq!(parts(&read(&named(file), 1 << 20)), parts(&wanted));
    }
    let error = seekscope_core::builder::TraceBuilder::read("x", &[("x", &events)])
        .expect_err("nothing is described");
    assert_eq!(error.code, "no-block-events");
    // Damaged descriptions: without a name, a number or fields; with one of another kind of event.
    let bundle = |content: &[u8]| bytes(1, &bytes(1, &bytes(11, content)));
    for damaged in [
        bundle(&[]),
        bundle(&number(1, 65_536)),
        bundle(&[number(1, 45), bytes(2, &bytes(1, b"block_io_start"))].concat()),
        bundle(&[number(1, 65_536), bytes(2, &[0xff; 9])].concat()),
        description(65_536, "sched_switch", &FIELDS),
    ] {
        let file = [damaged, descriptions.clone(), events.clone()].concat();
        assert_eq!(parts(&read(&named(file), 1 << 20)), parts(&wanted));
    }
}

/// Perfetto records no bytes of commands, so they are counted, whichever other events there are.
#[test]
fn commands_of_drivers_are_counted() {
    let fields = [
        ("disk", 0),
        ("ctrl_id", 0),
        ("qid", 1),
        ("opcode", 1),
        ("cid", 7),
        ("nsid", 1),
        ("status", 0),
    ];
    let command = |name: &str, time: u64, id: u64| {
        let field = |(key, value): &(&str, u64)| match *key {
            "disk" => bytes(2, &[bytes(1, b"disk"), bytes(3, b"nvme0n1")].concat()),
            key => bytes(
                2,
                &[
                    bytes(1, key.as_bytes()),
                    number(4, if key == "cid" { id } else { *value }),
                ]
                .concat(),
            ),
        };
        let message = [
            bytes(1, name.as_bytes()),
            fields.iter().flat_map(field).collect(),
        ]
        .concat();
        bytes(
            1,
            &bytes(
                1,
                &[
                    number(1, 0),
                    bytes(
                        2,
                        &[number(1, time), number(2, 9), bytes(327, &message)].concat(),
                    ),
                ]
                .concat(),
            ),
        )
    };
    let text = text("ftrace-6.12");
    let only = ["block_io_start", "block_io_done"];
    let commands = [
        command("nvme_setup_cmd", 1_000, 3),
        command("nvme_setup_cmd", 2_000, 4),
        command("nvme_complete_rq", 9_000, 3),
    ]
    .concat();
    for others in [packets(&text, &[]).concat(), packets(&text, &only).concat()] {
        let alone = read(&named(others.clone()), 1 << 20);
        let store = read(&named([commands.clone(), others].concat()), 1 << 20);
        let drivers = store.quality.drivers;
        assert_eq!(
            (
                drivers.nvme,
                drivers.completed,
                drivers.longest_ns,
                drivers.requests
            ),
            (2, 1, 8_000, false)
        );
        assert!(alone.requests.len() > 50);
        assert_eq!(
            (store.events.len(), store.requests.len()),
            (alone.events.len(), alone.requests.len())
        );
    }
    let error = seekscope_core::builder::TraceBuilder::read("x", &[("x", &commands)])
        .expect_err("no sector is recorded");
    assert_eq!(error.code, "no-block-events");
    assert!(
        error.message.contains(" 3 "),
        "they are events: {}",
        error.message
    );
}

#[test]
fn a_file_that_is_cut_and_one_that_lost_events() {
    let packets = packets(&text("ftrace-6.12"), &[]);
    let all = packets.concat();
    let cut = read(&named(all[..all.len() - 30].to_vec()), 1 << 20);
    assert_eq!(cut.quality.warnings[0].code, "truncated-tail");
    let fewer = read(&named(packets[..packets.len() - 1].concat()), 1 << 20);
    assert_eq!(cut.events.len(), fewer.events.len());
    // Overwritten since the start, by CPU; before, and of the other one: none.
    let cpu = |id, lost| bytes(2, &[number(1, id), number(3, lost)].concat());
    let statistics = |phase, lost| {
        bytes(
            1,
            &bytes(34, &[number(1, phase), cpu(0, lost), cpu(1, 5)].concat()),
        )
    };
    let lossy = read(
        &named([statistics(1, 100), all.clone(), statistics(2, 112)].concat()),
        1 << 20,
    );
    assert_eq!(
        (
            lossy.quality.lost_events,
            lossy.quality.warnings[0].code.as_str()
        ),
        (12, "lost-events")
    );
    // A counter that went back began again; one beyond 2^53 is damage.
    let again = [statistics(1, 100), all.clone(), statistics(2, 40)].concat();
    assert_eq!(read(&named(again), 1 << 20).quality.lost_events, 40);
    let absurd = [all.clone(), statistics(2, u64::MAX)].concat();
    let codes: Vec<String> = read(&named(absurd), 1 << 20)
        .quality
        .warnings
        .into_iter()
        .map(|warning| warning.code)
        .collect();
    assert!(
        codes.iter().any(|code| code == "count-outliers"),
        "{codes:?}"
    );
    // The damage is behind the first packet.
    let damaged = [
        packets[0].clone(),
        bytes(1, &[0xff; 40]),
        packets[1..].concat(),
    ]
    .concat();
    let store = read(&named(damaged), 1 << 20);
    assert_eq!(
        (store.events.len(), store.quality.warnings[0].code.as_str()),
        (read(&named(all), 1 << 20).events.len(), "bad-record")
    );
    // The packet has no block event.
    let other = bytes(
        1,
        &bytes(
            1,
            &bytes(
                2,
                &[number(1, 5), number(2, 1), bytes(4, &number(1, 1))].concat(),
            ),
        ),
    );
    let error = seekscope_core::builder::TraceBuilder::read("x", &[("x", &other.repeat(20))])
        .expect_err("it has no block event");
    assert_eq!(error.code, "no-block-events");
}

/// The kernel's lengths have 32 bits: a longer one is damage, and not 4 GiB.
#[test]
fn a_length_that_cannot_be_costs_its_event() {
    let text = text("ftrace-6.12");
    let place = text.find(" + ").expect("a length") + 3;
    let digits = text[place..].bytes().take_while(u8::is_ascii_digit);
    let rest = &text[place + digits.count()..];
    let long = format!("{}8388608{rest}", &text[..place]);
    let open = |text: &str| read(&named(packets(text, &[]).concat()), 1 << 20);
    let (sound, damaged) = (open(&text), open(&long));
    assert_eq!(damaged.events.len() + 1, sound.events.len());
    assert_eq!(damaged.quality.warnings[0].code, "number-outliers");
}

#[test]
fn names_of_tasks() {
    let tree = |field, id: u64, name_field: u64, name: &str| {
        bytes(
            1,
            &bytes(
                2,
                &bytes(
                    field,
                    &[number(1, id), bytes(name_field, name.as_bytes())].concat(),
                ),
            ),
        )
    };
    let event = bytes(
        2,
        &[
            number(1, 5),
            number(2, 77),
            bytes(
                125,
                &[
                    number(1, 8 << 8),
                    number(2, 8),
                    number(3, 8),
                    bytes(5, b"R"),
                ]
                .concat(),
            ),
        ]
        .concat(),
    );
    let file = [
        bytes(1, &bytes(1, &event)),
        tree(1, 77, 3, "/usr/bin/fio"),
        tree(2, 78, 2, "worker"),
    ]
    .concat();
    let store = read(&named(file), 1 << 20);
    assert!(
        store
            .processes
            .iter()
            .any(|p| p.pid == 77 && p.name.as_deref() == Some("fio")),
        "{:?}",
        store.processes
    );
}
