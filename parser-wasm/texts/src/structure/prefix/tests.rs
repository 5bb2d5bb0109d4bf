use super::*;

fn removed(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| Line::new(line, index as u32))
        .collect();
    remove(lines)
        .iter()
        .map(|line| line.text().to_owned())
        .collect()
}

#[test]
fn prefixes_are_removed_where_all_lines_have_them() {
    let cases = [
        "> > a\n> >\n> >   b 1",
        ">> a\n>>\n>>   b 1",
        "JD> a\nJD>\nJD>   b 1",
        "     1\ta\n     2\n     3\t  b 1",
        "7:a\n8:\n9:  b 1",
        "2024-03-04T10:11:12 a\n2024-03-04T10:11:13 \n2024-03-04T10:11:14   b 1",
        "[10:11:12] a\n[10:11:12] \n[10:11:12]   b 1",
        "| a\n|\n|   b 1",
        "| a\n| \n|   b 1",
        "# a\n#\n#   b 1",
        "+a\n+\n+  b 1",
        "\t> a\n\t>\n\t>   b 1",
        "1:> a\n2:>\n3:>   b 1",
        "[2026-03-04 10:11:12] 7:a\n[2026-03-04 10:11:12] 8:\n[2026-03-04 10:11:13] 9:  b 1",
        "Mar 04 10:11:12 box run.sh[1]: a\nMar 04 10:11:12 box run.sh[1]: \nMar 04 10:11:13 box run.sh[1]:   b 1",
        "10:11:12 DEBUG| [out] a\n10:11:12 DEBUG| [out] \n10:11:13 DEBUG| [out]   b 1",
        "10:11:12 - main - INFO - a\n10:11:12 - main - INFO - \n10:11:13 - main - INFO -   b 1",
        "Mar  4 10:11:12 box t[1]: a\nMar  4 10:11:12 box t[1]: \nMar  4 10:11:12 box t[1]:   b 1",
    ];
    for text in cases {
        assert_eq!(removed(text), ["a", "", "  b 1"], "{text}");
    }
}

#[test]
fn a_date_needs_no_other_lines() {
    for text in [
        "[2026-03-04 10:11:12] a",
        "2026-03-04T10:11:12.123Z a",
        "Mar  4 10:11:12 box t[1]: a",
    ] {
        assert_eq!(removed(text), ["a"], "{text}");
    }
}

#[test]
fn a_block_between_fences_has_prefixes_of_its_own() {
    assert_eq!(
        removed("It is slow:\n```\n[10:11:12] a\n[10:11:12] b\n[10:11:13]   c\n```\nend"),
        ["It is slow:", "```", "a", "b", "  c", "```", "end"]
    );
}

#[test]
fn what_looks_like_a_prefix_stays() {
    for text in [
        "| a | 1 |\n| b | 2 |\n| c | 3 |",
        "2026-03-04 10:11:12 512",
        "# a\n# b\nc",
        "+----+\n| 1 |\n+----+",
        "1 2\n2 3\n3 4",
        "64 -> 127\n128 -> 255",
        "   >=64=0.0%",
        "> dd if=a of=b\n4+0 records in\n> dd if=b of=c\n4+0 records in",
    ] {
        assert_eq!(removed(text), text.lines().collect::<Vec<_>>(), "{text}");
    }
}

#[test]
fn a_listing_or_a_log_in_a_message_has_prefixes_of_its_own() {
    for (text, expected) in [
        (
            "See:\n\n     9\t$ dd\n    10\t4+0 records in\n    11\t\n\nThanks",
            "See:\n\n$ dd\n4+0 records in\n\n\nThanks",
        ),
        (
            "See:\n     1  a\n     2    b c\n     3  d e f\n\nand:\n     1  a\n     2  b c\n     3",
            "See:\na\n  b c\nd e f\n\nand:\na\nb c\n",
        ),
        (
            "It says\nMar  4 10:11:12 box t[1]: a\nMar  4 10:11:12 box t[1]:  b\n\
             Mar  4 10:11:13 box t[1]: c\nagain.",
            "It says\na\n b\nc\nagain.",
        ),
        (
            "It says\n[10:11:12] a\n[10:11:13] b\n[10:11:14] c\nagain.",
            "It says\na\nb\nc\nagain.",
        ),
    ] {
        assert_eq!(removed(text).join("\n"), expected, "{text}");
    }
    for text in [
        "jobs  op    MB/s\n   1  read  100\n   2  read  101\n   3  read  102",
        "id\tMB/s\n1\t100\n2\t200\n3\t150",
        "at\n10:11:12 1\n10:11:13 2\n10:11:14 3\nend",
    ] {
        assert_eq!(removed(text), text.lines().collect::<Vec<_>>(), "{text}");
    }
}
