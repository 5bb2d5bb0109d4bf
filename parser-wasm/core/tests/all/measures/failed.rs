//! Failed requests in every format that has errors.

use crate::common::{read, recording};
use seekscope_core::compare::digest;
use seekscope_core::measure::Window;
use seekscope_core::measure::failed::{FailedRequests, failed};
use seekscope_core::report::blkparse_text::{MessageLines, text as blkparse_text};
use seekscope_core::report::summary::summarise;
use seekscope_core::store::Store;

fn lines(text: &str) -> Store {
    read(
        &[("trace.txt".to_owned(), text.as_bytes().to_vec())],
        1 << 20,
    )
}

fn only(store: &Store) -> FailedRequests {
    let mut found = failed(store, Window::WHOLE).into_iter().flatten();
    let first = found.next().expect("failed requests");
    assert!(found.next().is_none(), "one device fails");
    first
}

/// Errors, operations and processes with their requests.
fn facts(found: &FailedRequests) -> String {
    let errors = found.by_error.iter().map(|entry| {
        let name = entry
            .name
            .clone()
            .unwrap_or_else(|| entry.errno.to_string());
        format!("{name} {}", entry.count.requests)
    });
    let operations = found
        .by_operation
        .iter()
        .map(|entry| format!("{} {}", entry.operation, entry.count.requests));
    let processes = found
        .by_process
        .iter()
        .map(|entry| format!("{} {}", entry.pid, entry.count.requests));
    let all: Vec<String> = errors.chain(operations).chain(processes).collect();
    all.join(", ")
}

#[test]
fn a_recording_with_bad_sectors() {
    let store = read(&recording("io-errors"), 1 << 20);
    let found = only(&store);
    // Counted by hand in what blkparse prints: C with [65531].
    assert_eq!(
        facts(&found),
        "EIO 6, read 5, write 1, 1334 3, 1326 1, 1327 1, 1335 1"
    );
    assert_eq!((found.count.requests, found.count.bytes), (6, 784 * 512));
    // Two direct reads and a readahead are read again, and each fails once more at sector 1024.
    let retries = found.retries.expect("few failures");
    assert_eq!(
        (
            retries.issued_again,
            retries.succeeded,
            retries.failed_again
        ),
        (3, 0, 3)
    );
    let document = serde_json::to_value(summarise(&store, Window::WHOLE, None)).expect("JSON");
    let device = &document["devices"][0];
    assert_eq!(device["failed"]["requests"], 6);
    assert_eq!(device["failed"]["by_error"][0]["name"], "EIO");
    // Completed bytes include them, as blkparse counts.
    assert_eq!(
        (&device["events"]["C"], &device["bytes"]["read"]),
        (&38.into(), &(3592 * 512).into())
    );
    let whole = digest(&store, Window::WHOLE, None);
    let figure = |key: &str| whole.devices[0].figures.get(key).copied();
    assert_eq!(
        (figure("failed.requests"), figure("failed.bytes")),
        (Some(6.0), Some(401_408.0))
    );
    // The time between the failures of direct reads and the end of the readahead.
    let window = Window {
        from: 1_400_000_000,
        to: 1_408_000_000,
    };
    assert_eq!(
        failed(&store, window)[0].as_ref().map(|f| f.count.requests),
        Some(1)
    );
}

#[test]
fn recordings_without_failures_have_none_and_say_0() {
    let store = read(&recording("requeue"), 1 << 20);
    assert!(failed(&store, Window::WHOLE).iter().all(Option::is_none));
    let digest = digest(&store, Window::WHOLE, None);
    assert_eq!(digest.devices[0].figures.get("failed.requests"), Some(&0.0));
    let document = serde_json::to_value(summarise(&store, Window::WHOLE, None)).expect("JSON");
    assert!(document["devices"][0].get("failed").is_none());
}

/// blkparse prints it as `[65531]`, and with a sign.
#[test]
fn text_of_blkparse() {
    let binary = read(&recording("io-errors"), 1 << 20);
    let text = blkparse_text(&binary, 0, usize::MAX, MessageLines::All).expect("lines");
    assert!(text.contains("[65531]"));
    let wanted = only(&binary);
    assert_eq!(only(&lines(&text)), wanted);
    assert_eq!(only(&lines(&text.replace("[65531]", "[-5]"))), wanted);
}

/// The kernel's list: the flush succeeds, what waited for it fails.
#[test]
fn a_lost_error_of_a_flush_in_ftrace() {
    let store = lines(
        " rep-306069 [007] .... 19654.923300: block_bio_queue: 8,0 FWS 0 + 0 [rep]
 rep-306069 [007] .... 19654.923333: block_getrq: 8,0 FWS 0 + 0 [rep]
 kworker/7:1H-250   [007] .... 19654.923352: block_rq_issue: 8,0 FF 0 () 0 + 0 [kworker/7:1H]
 <idle>-0     [007] ..s. 19654.923562: block_rq_complete: 8,0 FF () 18446744073709551615 + 0 [0]
 <idle>-0     [007] d.s. 19654.923576: block_rq_complete: 8,0 WS () 0 + 0 [-5]
",
    );
    let found = only(&store);
    assert_eq!(facts(&found), "EIO 1, flush 1, 306069 1");
    assert_eq!(found.count.bytes, 0);
}

const BEGINS: [&str; 4] = [
    "block_bio_queue: 8,0 R 0 + 8 [fio]",
    "block_bio_queue: 8,0 WS 64 + 8 [fio]",
    "block_rq_issue: 8,0 R 4096 () 0 + 8 [fio]",
    "block_rq_issue: 8,0 WS 4096 () 64 + 8 [fio]",
];
const ENDS: [&str; 3] = [
    "block_rq_complete: 8,0 R () 0 + 8 [-61]",
    // The same failure again, since Linux 5.18.
    "block_rq_error: 8,0 R () 0 + 8 [-61]",
    // Since Linux 6.3 the line has a priority.
    "block_rq_complete: 8,0 WS () 64 + 8 none,0,0 [-121]",
];

fn text(line: impl Fn(usize, &str) -> String) -> String {
    let all = BEGINS.iter().chain(&ENDS).enumerate();
    all.map(|(i, event)| line(i, event)).collect()
}

#[test]
fn trace_points_as_tools_print_them() {
    let texts = [
        text(|i, event| format!("  fio-77    [000] ..... 10.00000{i}: {event}\n")),
        format!(
            "cpus=2\n{}",
            text(|i, event| format!("     fio-77    [000]    10.00000{i}: {event}\n"))
        ),
        text(|i, event| format!("fio    77 [000]    10.00000{i}: block:{event}\n")),
    ];
    for text in texts {
        let store = lines(&text);
        let found = only(&store);
        assert_eq!(
            facts(&found),
            "ENODATA 1, EREMOTEIO 1, read 1, write 1, 77 2",
            "{} {text}",
            store.format
        );
        assert_eq!(found.count.bytes, 8192);
    }
}

#[test]
fn bios_that_fail_without_a_request() {
    let store = lines(
        "  fio-77 [000] ..... 10.000000: block_rq_issue: 254,0 R 4096 () 0 + 8 [fio]
  fio-77 [000] ..... 10.000001: block_rq_complete: 254,0 R () 0 + 8 [0]
  fio-77 [000] ..... 10.000002: block_bio_queue: 254,0 R 512 + 8 [fio]
  fio-77 [000] ..... 10.000003: block_bio_complete: 254,0 R 512 + 8 [-11]
",
    );
    let found = only(&store);
    assert_eq!(
        (facts(&found).as_str(), found.never_issued),
        ("EAGAIN 1, read 1, 77 1", 1)
    );
}

#[test]
fn the_status_of_nvme_and_the_result_of_scsi() {
    let nvme = lines(
        "  fio-9 [000] ..... 10.000000: nvme_setup_cmd: nvme0: disk=nvme0n1, qid=1, cmdid=5, nsid=1, flags=0x0, meta=0x0, cmd=(nvme_cmd_write slba=64, len=7, ctrl=0x0, dsmgmt=0, reftag=0)
  <idle>-0 [000] ..... 10.000001: nvme_complete_rq: nvme0: disk=nvme0n1, qid=1, cmdid=5, res=0x0, retries=0, flags=0x0, status=0x4081
",
    );
    assert_eq!(facts(&only(&nvme)), "ENOSPC 1, write 1");
    let command = "host_no=2 channel=0 id=1 lun=3 data_sgl=1 prot_sgl=0 prot_op=SCSI_PROT_NORMAL driver_tag=3 scheduler_tag=4 cmnd=(READ_10 lba=8 txlen=8 protect=0 raw=28 00 00 00 00 08 00 00 08 00)";
    let scsi = lines(&format!(
        "  fio-9 [000] ..... 10.000000: scsi_dispatch_cmd_start: {command}
  <idle>-0 [000] ..... 10.000001: scsi_dispatch_cmd_done: {command} result=(driver=DRIVER_OK host=DID_OK message=COMMAND_COMPLETE status=SAM_STAT_RESERVATION_CONFLICT)
"
    ));
    assert_eq!(facts(&only(&scsi)), "EBADE 1, read 1");
}

/// block_io_done has no error: 0 failed requests would be a guess.
#[test]
fn formats_without_errors_have_no_figure() {
    let store = lines(
        "  fio-77 [000] ..... 10.000000: block_io_start: 8,0 R 4096 () 0 + 8 none,0,0 [fio]
  fio-77 [000] ..... 10.000001: block_io_done: 8,0 R 0 () 8 + 0 none,0,0 [fio]
  fio-77 [000] ..... 10.000002: block_io_start: 8,0 R 4096 () 8 + 8 none,0,0 [fio]
  fio-77 [000] ..... 10.000003: block_io_done: 8,0 R 0 () 8 + 0 none,0,0 [fio]
",
    );
    let digest = digest(&store, Window::WHOLE, None);
    let figures = &digest.devices[0].figures;
    assert!(figures.contains_key("events.C"), "{figures:?}");
    assert!(!figures.contains_key("failed.requests"));
    let document = serde_json::to_value(summarise(&store, Window::WHOLE, None)).expect("JSON");
    let lacks = document["not_in_format"].as_array().expect("a list");
    assert!(lacks.contains(&"errors".into()), "{lacks:?}");
}
