//! What stands around figures in texts of people: frames of titles, columns of operations, properties
//! of disks, deviations, sentences.

mod shown;

use shown::{assert_has, figures};

#[test]
fn a_side_in_a_frame_is_a_title() {
    for (open, close) in [
        ("| *", "* |\n"),
        ("|| ", " ||\n"),
        ("+--+\n| ", " |\n+--+\n\n"),
    ] {
        let table = |name: &str, rates: [u32; 2]| {
            format!(
                "{open}{name}{close}|test|MB/s|IOPS|\n|---|---|---|\n\
                 |read|{}|131000|\n|write|{}|102000|\n\n",
                rates[0], rates[1]
            )
        };
        let text = table("6.1.55", [500, 400]) + &table("6.6.8", [450, 90]);
        assert_has(
            &text,
            8,
            &[
                "kernel=6.1.55 test=read throughput 500000000",
                "kernel=6.6.8 test=write throughput 90000000",
            ],
        );
    }
    let jira = "|| test || | 6.1.55 | || | 6.6.8 | ||\n| read | 512 MB/s | 480 MB/s |\n\
        | write | 402 MB/s | 377 MB/s |\n";
    assert_has(jira, 4, &["kernel=6.6.8 test=read throughput 480000000"]);
}
