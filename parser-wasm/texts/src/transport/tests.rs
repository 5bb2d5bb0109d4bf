use super::*;

fn texts(bytes: &[u8]) -> Vec<String> {
    read(bytes)
        .unwrap_or_default()
        .lines
        .into_iter()
        .map(|line| line.text.to_string())
        .collect()
}

#[test]
fn charsets_and_line_ends_make_no_difference() {
    let text = "a 1\n\u{b5}s 2\n";
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let expected = ["a 1", "\u{b5}s 2"];
    assert_eq!(texts(text.as_bytes()), expected);
    assert_eq!(texts(&utf16), expected);
    assert_eq!(texts(b"a 1\r\n\xb5s 2\r\n"), expected);
    assert_eq!(texts("\u{feff}a 1\n\u{b5}s 2".as_bytes()), expected);
    assert_eq!(read(b"\x7fELF\0\0\0\x02\x01"), None);
}

#[test]
fn a_terminal_session_is_what_was_shown() {
    let session = b"\x1b]0;title\x07\x1b[1mroot\x1b[0m# ddd\x08 x\r\n 1%\r 99%\n";
    assert_eq!(texts(session), ["root# dd x", " 99%"]);
}

#[test]
fn quoted_printable_lines_keep_their_lines_of_the_file() {
    let mail = b"From: a\nSubject: =?utf-8?q?S?=\nContent-Transfer-Encoding: quoted-printable\n\nfirst=20li=\nne\nsecond =3D 2\n";
    let shown = read(mail).unwrap_or_default();
    let lines: Vec<(&str, u32)> = shown
        .lines
        .iter()
        .map(|l| (&*l.text, l.file_line))
        .collect();
    assert_eq!(
        lines,
        [("Subject: S", 0), ("first line", 4), ("second = 2", 6)]
    );
}

#[test]
fn a_page_is_read_as_it_is_shown() {
    let page = b"<html><head><title>x</title></head><body><h2>A &amp; B</h2><p>one<br>two</p>\n<table><tr><td>a</td><td>1</td></tr></table><pre>x  &gt;\n y</pre></body></html>";
    assert_eq!(
        texts(page),
        [
            "## A & B",
            "",
            "one",
            "two",
            "",
            "",
            "| a | 1 |",
            "",
            "x  >",
            " y"
        ]
    );
}

#[test]
fn a_mail_in_one_line_gets_its_lines_back() {
    let line = format!(
        "{}root@box:~# uname -r 5.4.0 root@box:~# dd if=a 1+0 records in 1+0 records out 1073741824 bytes (1.1 GB) copied, 9 s, 115 MB/s",
        "x ".repeat(40)
    );
    let shown = texts(line.as_bytes());
    assert_eq!(
        shown[1..],
        [
            "root@box:~# uname -r 5.4.0",
            "root@box:~# dd if=a",
            "1+0 records in",
            "1+0 records out",
            "1073741824 bytes (1.1 GB) copied, 9 s, 115 MB/s"
        ]
    );
}

#[test]
fn tables_of_html_in_markdown_are_shown_as_tables() {
    let text = "## IOPS\n\n<table><tr><th>Kernel</th><th>IOPS</th></tr>\n\
        <tr><td>5.15</td><td>25600</td></tr></table>\nend <table of 3>\n";
    let shown = read(text.as_bytes()).expect("a text");
    let lines: Vec<(&str, u32)> = shown
        .lines
        .iter()
        .filter(|line| !line.text.trim().is_empty())
        .map(|line| (&*line.text, line.file_line))
        .collect();
    assert_eq!(lines.first(), Some(&("## IOPS", 0)));
    assert_eq!(lines.last(), Some(&("end <table of 3>", 4)));
    assert!(
        lines
            .iter()
            .any(|(text, line)| text.contains("5.15 |") && *line == 3)
    );
}

#[test]
fn carriage_returns_alone_end_lines() {
    let shown = read(b"a\rb 1\rc").expect("a text");
    let lines: Vec<&str> = shown.lines.iter().map(|line| &*line.text).collect();
    assert_eq!(lines, ["a", "b 1", "c"]);
}

#[test]
fn cells_with_several_lines_are_blocks_below_their_columns() {
    let page = b"<table><tr><th>old</th><th>new</th></tr>\n\
        <tr><td>\n\n```\na 1\n| b 2\n```\n\n</td><td><pre>a 3\n| b 4</pre></td></tr></table>";
    let markdown =
        b"| old | new |\n|---|---|\n| <pre>a 1<br>| b 2</pre> | <code>a 3<br>| b 4</code> |";
    for text in [page.as_slice(), markdown] {
        let mut lines = texts(text);
        lines.retain(|line| !line.is_empty());
        let begin = lines.iter().position(|line| line == "=== old");
        let expected = ["=== old", "a 1", "| b 2", "=== new", "a 3", "| b 4"];
        assert_eq!(lines[begin.unwrap_or(0)..], expected, "{lines:?}");
    }
    let row = b"<table><tr><td>old</td><td>one<br></td></tr></table>";
    assert!(texts(row).contains(&"| old | one |".to_owned()));
}
