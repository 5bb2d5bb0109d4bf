//! Archives and recordings that are attached to mails.

use crate::common::{container, fixture, unpacked};
use seekscope_trace::store::quality::Warning;
use seekscope_unpack::{ContainerKind, Limits, sniff};
use std::io::Write;

const HEADERS: &str = "From: Jan <jan@example.org>\nTo: linux-block@example.org\n\
    Subject: slower since 3.5\nMIME-Version: 1.0\n";
const BODY: &str = "Content-Type: text/plain\n\nThe traces are attached.\n-- \nJan\n";

/// Bytes in letters of base64, `width` per line.
fn base64(bytes: &[u8], width: usize) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut letters = String::new();
    for three in bytes.chunks(3) {
        let bits = three
            .iter()
            .fold(0, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - three.len()));
        for index in 0..4 {
            let value = bits >> (18 - 6 * index) & 63;
            letters.push(match index <= three.len() {
                true => char::from(LETTERS[value as usize]),
                false => '=',
            });
        }
    }
    let lines = letters.as_bytes().chunks(width);
    lines
        .flat_map(|line| [std::str::from_utf8(line).expect("letters"), "\n"])
        .collect()
}

/// A part with an attachment; `headers` come with their line ends.
fn part(headers: &str, bytes: &[u8]) -> String {
    format!(
        "--xx\n{headers}Content-Transfer-Encoding: base64\n\n{}",
        base64(bytes, 76)
    )
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory can be written");
    encoder.finish().expect("memory can be written")
}

fn mail(parts: &[String]) -> String {
    let begin = format!("{HEADERS}Content-Type: multipart/mixed; boundary=\"xx\"\n\n--xx\n{BODY}");
    format!("{begin}{}--xx--\n", parts.concat())
}

fn named(name: &str) -> String {
    format!(
        "Content-Type: application/gzip\nContent-Disposition: attachment; filename=\"{name}\"\n"
    )
}

/// Paths of what is in a mail, without those of the mail itself.
fn paths(mail: &str) -> Vec<String> {
    let (files, problems) = unpacked("a.eml", mail.as_bytes(), Limits::default());
    assert_eq!(problems, []);
    assert_eq!(files[0], ("a.eml".to_owned(), mail.as_bytes().to_vec()));
    files[1..].iter().map(|file| file.0.clone()).collect()
}

#[test]
fn an_attached_archive_gives_its_files() {
    let mail = mail(&[part(&named("run.tar.gz"), &container("run.tar.gz"))]);
    for text in [
        mail.clone(),
        mail.replace('\n', "\r\n"),
        mail.trim_end().to_owned(),
    ] {
        let (files, problems) = unpacked("a.eml", text.as_bytes(), Limits::default());
        assert_eq!(problems, []);
        assert_eq!(files[0], ("a.eml".to_owned(), text.into_bytes()));
        let cpu = "trace.blktrace.0";
        let expected = format!("a.eml/run.tar.gz/io-errors/{cpu}");
        assert_eq!(files[1], (expected, fixture("io-errors", cpu)));
    }
}

/// As a library of mails writes it.
#[test]
fn a_mail_of_a_mailer() {
    let (files, problems) = unpacked("run.eml", &container("run.eml"), Limits::default());
    assert_eq!(problems, []);
    let cpu = "trace.blktrace.1";
    let expected = format!("run.eml/run.tar.gz/io-errors/{cpu}");
    assert_eq!(files[2], (expected, fixture("io-errors", cpu)));
}

#[test]
fn a_recording_without_an_archive_is_found() {
    let bytes = fixture("io-errors", "trace.blktrace.0");
    let stream = "Content-Type: application/octet-stream; name=trace.blktrace.0\n";
    let plain = mail(&[part(stream, &bytes)]);
    assert_eq!(paths(&plain), ["a.eml/trace.blktrace.0"]);
    // Some mailers put all letters into one line, which is longer than what is kept of lines.
    let single = format!(
        "{HEADERS}{stream}Content-Transfer-Encoding: BASE64\n\n{}",
        base64(&bytes, usize::MAX)
    );
    let (files, _) = unpacked("a.eml", single.as_bytes(), Limits::default());
    assert_eq!(files[1], ("a.eml/trace.blktrace.0".to_owned(), bytes));
}

#[test]
fn names_as_mailers_write_them() {
    let bytes = fixture("io-errors", "trace.blktrace.0");
    for (headers, expected) in [
        (
            "Content-Disposition: attachment;\n filename=a.bin\n",
            "a.bin",
        ),
        (
            "Content-Type: application/x-x;\n\tname=\"a; b.bin\"\n",
            "a; b.bin",
        ),
        (
            "Content-Disposition: attachment; filename*=UTF-8''a%20%C3%A4.bin\n",
            "a ä.bin",
        ),
        (
            "Content-Disposition: attachment; size=4; FileName*0=\"long-\";\n filename*1=\"er.bin\"\n",
            "long-er.bin",
        ),
        (
            "Content-Disposition: attachment; filename=\"=?UTF-8?B?w6QuYmlu?=\"\n",
            "attachment",
        ),
        (
            "Content-Disposition: attachment; filename=\"../../etc/x\"\n",
            "etc/x",
        ),
        ("", "attachment"),
    ] {
        let mail = mail(&[part(headers, &bytes)]);
        assert_eq!(paths(&mail), [format!("a.eml/{expected}")], "{headers}");
    }
}

#[test]
fn texts_pictures_and_signatures_stay_in_the_mail() {
    let picture = [b"\x89PNG\r\n\x1a\n".as_slice(), &[0; 600]].concat();
    let table = "write: IOPS=2000, BW=7.8MiB/s\n".repeat(40);
    let mail = mail(&[
        part("Content-Type: image/png; name=a.png\n", &picture),
        part(
            "Content-Type: application/octet-stream; name=fio.txt\n",
            table.as_bytes(),
        ),
        part("Content-Type: application/pgp-signature\n", &picture),
        part("Content-Type: application/octet-stream; name=empty\n", b""),
    ]);
    assert_eq!(paths(&mail), [""; 0]);
}

#[test]
fn mailboxes_forwarded_mails_and_attachments_of_the_same_name() {
    let archive = container("two-runs.tar.xz");
    let attached = mail(&[
        part(&named("a.tar.xz"), &archive),
        part(&named("a.tar.xz"), &archive),
    ]);
    let forwarded = format!("--xx\nContent-Type: message/rfc822\n\n{attached}");
    let line = "From jan@example.org Mon Mar  4 10:11:12 2024\n";
    let mailbox = format!("{line}{attached}\n{line}{}", mail(&[forwarded]));
    let found = paths(&mailbox);
    let archives: std::collections::BTreeSet<&str> = found
        .iter()
        .filter_map(|path| Some(path.split_once(".tar.xz")?.0))
        .collect();
    let expected = ["a.eml/2/a", "a.eml/3/a", "a.eml/4/a", "a.eml/a"];
    assert_eq!(archives.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn uuencoded_archives() {
    // `printf '\1\2\3\4\0\5' | uuencode x`, in two lines, of which a mailer has cut the last blanks.
    let body = "begin 644 x.bin\n#`0(#\n#!  %\nM\n`\nend\n";
    let (files, _) = unpacked(
        "a",
        format!("{HEADERS}\n{body}").as_bytes(),
        Limits::default(),
    );
    assert_eq!(files[1].0, "a/x.bin");
    assert_eq!(files[1].1[..6], [1, 2, 3, 4, 0, 5]);
    assert_eq!(files[1].1[6..], [0; 45]);
}

#[test]
fn a_mail_in_an_archive_is_opened() {
    let mail = mail(&[part(&named("run.zip"), &container("run.zip"))]);
    let (files, problems) = unpacked("a.mbox.gz", &gzip(mail.as_bytes()), Limits::default());
    assert_eq!(problems, []);
    assert_eq!(files[0].0, "a.mbox");
    assert_eq!(files[1].0, "a.mbox.gz/run.zip/io-errors/trace.blktrace.0");
}

#[test]
fn a_cut_mail_gives_what_it_has() {
    let mail = mail(&[part(&named("run.tar.gz"), &container("run.tar.gz"))]);
    let cut = &mail.as_bytes()[..mail.len() * 2 / 3];
    let (files, problems) = unpacked("a.eml", cut, Limits::default());
    assert!(files.len() > 1, "{files:?}");
    let warning = Warning::from(&problems[0]);
    assert_eq!(warning.code, "damaged-archive");
    assert!(
        warning.message.contains("a.eml/run.tar.gz"),
        "{}",
        warning.message
    );
}

#[test]
fn other_texts_are_no_mails() {
    for text in [
        "Subject to change: nothing\nfio-3.1\n",
        "Date: today\nrandwrite: (g=0): rw=randwrite\n  write: IOPS=1\n",
        "Device: rrqm/s wrqm/s\nsda 1 2\n",
        "  8,0    0        1     0.000000000   697  Q   W 223490 + 8 [kjournald]\n",
        "From here on: it is slow\n",
        "Jobs: 1\nStarted: 3\n",
        "",
    ] {
        assert_eq!(sniff(text.as_bytes()), None, "{text}");
    }
    assert_eq!(sniff(HEADERS.as_bytes()), Some(ContainerKind::Mail));
}

/// A mailbox of very many attachments of a few bytes costs as much per byte as one of large ones.
#[test]
fn very_many_attachments_take_linear_time() {
    let tiny = part(&named("a.gz"), &gzip(b"x"));
    let time = |count: usize| {
        let text = mail(&vec![tiny.clone(); count]);
        let limits = Limits {
            entries: u64::MAX,
            ..Limits::default()
        };
        let start = std::time::Instant::now();
        let (files, problems) = unpacked("a.eml", text.as_bytes(), limits);
        assert!(files.len() == count + 1 && problems.is_empty());
        start.elapsed().as_secs_f64()
    };
    time(500);
    let (few, many) = (time(2_000), time(16_000));
    assert!(
        many < few * 8.0 * 3.0,
        "{few} s, then {many} s for 8 times as many"
    );
}
