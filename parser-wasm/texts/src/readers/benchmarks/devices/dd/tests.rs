use super::*;
use crate::readers::benchmarks::collect::testing::{figures, outputs};

#[test]
fn summaries_of_all_programs_are_read() {
    let cases = [
        "1048576000 bytes (1.0 GB, 1000 MiB) copied, 8 s, 131 MB/s",
        "1048576000 bytes (1.0 GB) copied, 8.0 seconds, 131 MB/s",
        "1048576000 bytes copied, 8 s, 131 MB/s",
        "1048576000 bytes (1000.0MB) copied, 8.000000 seconds, 125.0MB/s",
        "1048576000 bytes transferred in 8.000 secs (131072000 bytes/sec)",
        "1048576000 bytes (1049 MB, 1000 MiB) transferred 8.000s, 131 MB/s",
        "1048576000 bytes (1000M) copied, 8.000 s, 125 M/s",
        "1048576000 Bytes (1,0 GB, 1000 MiB) kopiert, 8,0 s, 131 MB/s",
        "1048576000 octets (1,0 GB) copiés, 8,000 s, 131 MB/s",
        "1048576000 Bytes (1,0 GB) kopiert, 8,0 Sekunden, 131 MB/Sek",
        "1048576000字节(1.0 GB)已复制，8.0 秒，131 MB/秒",
        "1048576000 字节 (1.0 GB, 1000 MiB) 已复制，8.0 s，131 MB/s",
        "1048576000 バイト (1.0 GB) コピーされました、 8.0 秒、 131 MB/秒",
        "1048576000 바이트 (1.0 GB, 1000 MiB) 복사함, 8.0 초, 131 MB/s",
        "1048576000 байт (1,0 GB) скопирован, 8,0 c, 131 MB/c",
        "скопійовано 1048576000 байтів (1,0 GB, 1000 MiB), 8,0 с, 131 МБ/с",
    ];
    for text in cases {
        let found = figures(read, text);
        assert_eq!(
            found,
            ["copy.rate 131072000", "copy.time 8000000000"],
            "{text}"
        );
    }
}

#[test]
fn progress_is_replaced_by_what_follows() {
    let text = "524288000 bytes (524 MB, 500 MiB) copied, 4 s, 131 MB/s\n\
        786432000 bytes (786 MB, 750 MiB) copied, 6 s, 131 MB/s\n\
        1000+0 records in\n1000+0 records out\n\
        1048576000 bytes (1.0 GB, 1000 MiB) copied, 8.00 s, 131 MB/s\n";
    assert_eq!(
        figures(read, text),
        ["copy.rate 131072000", "copy.time 8000000000"]
    );
    // The last progress is rounded up.
    let rounded = "1048576000 bytes (1.0 GB, 1000 MiB) copied, 8 s, 132 MB/s\n\
        1000+0 records in\n1000+0 records out\n\
        1048576000 bytes (1.0 GB, 1000 MiB) copied, 7.8125 s, 134 MB/s\n";
    assert_eq!(
        figures(read, rounded),
        ["copy.rate 134217700", "copy.time 7812500000"]
    );
    let repeats = "1048576000 bytes (1.0 GB) copied, 8.5 s, 123 MB/s\n\
        1048576000 bytes (1.0 GB) copied, 8.75 s, 120 MB/s\n";
    assert_eq!(outputs(read, repeats).len(), 2);
}

#[test]
fn the_command_tells_the_direction() {
    let text = "dd if=/dev/zero of=/mnt/f bs=1M && sync\n4+0 records in\n4+0 records out\n\
        4000000 bytes (4.0 MB) copied, 2 s, 2.0 MB/s\n\
        time dd if=/mnt/f of=/dev/null bs=1M\n\
        4000000 bytes (4.0 MB) copied, 1 s, 4.0 MB/s\n\
        $ dd if=/mnt/f of=/dev/zero bs=1M\n\
        4000000 bytes (4.0 MB) copied, 4 s, 1.0 MB/s\n";
    let found = figures(read, text);
    assert_eq!(found[0], "write.rate 2000000");
    assert_eq!(found[2], "read.rate 4000000");
    assert_eq!(found[4], "read.rate 1000000");
    let wrapped = "$ sync; dd\n4000000 bytes (4.0 MB) copied, 4 s, 1.0 MB/s\n";
    assert_eq!(figures(read, wrapped)[0], "copy.rate 1000000");
}

#[test]
fn a_command_in_prose_is_that_of_all_outputs() {
    let text = "The command was dd if=/dev/zero of=/mnt/a bs=1M.\n\nBFQ:\n\
        4000000 bytes (4.0 MB) copied, 2 s, 2.0 MB/s\n\nnone:\n\n\
        4000000 bytes (4.0 MB) copied, 1 s, 4.0 MB/s\n";
    let found = figures(read, text);
    assert_eq!(
        (found[0].as_str(), found[2].as_str()),
        ("write.rate 2000000", "write.rate 4000000")
    );
}

#[test]
fn prose_is_no_summary() {
    for text in [
        "1073741824 bytes were written in about 8 s, 131 MB/s less than before",
        "4096 bytes, 12 files, 3 MB/s",
        "12 disks, 8 s, 131 MB/s",
        "2 GB copied, 8 s",
        "100 MiB) copied, 8 s, 131 MB/s",
    ] {
        assert!(figures(read, text).is_empty(), "{text}");
    }
}
