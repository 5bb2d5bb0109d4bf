//! The broken records of the `blk` tracer from Linux 6.19 on (`format/broken_bin.rs`).

use seekscope_core::builder::TraceBuilder;

/// D of 8 sectors by task 762 on CPU 1 of 259,0: made from the layout, there is no recording of it.
fn made(big: bool) -> Vec<u8> {
    let word = |n: u32| {
        if big {
            n.to_be_bytes()
        } else {
            n.to_le_bytes()
        }
    };
    let long = |n: u64| {
        if big {
            n.to_be_bytes()
        } else {
            n.to_le_bytes()
        }
    };
    let action = 0x0142_0007u64;
    [
        &word(0x6561_7407)[..],
        &word(0),
        &long(1000),
        &long(24704),
        &word(4096),
        &word(762),
        &long(action),
        &word(259 << 20),
        &word(1),
    ]
    .concat()
}

#[test]
fn a_file_of_broken_records_is_named() {
    for big in [false, true] {
        let file = [made(big), made(big)].concat();
        let error = TraceBuilder::read("trace", &[("trace", &file)]).expect_err("it is not shown");
        assert_eq!(error.code, "broken-bin-output");
        // A dump of version 8 with the mark of version 7 has 64 bytes, of which the first 48 look
        // alike.
        let wide = [made(big), vec![0; 16]].concat();
        let store = TraceBuilder::read("dump", &[("dump", &[wide.clone(), wide].concat())])
            .expect("it is shown");
        assert_eq!(
            (store.events.len(), store.quality.warnings[0].code.as_str()),
            (2, "mixed-layout")
        );
        // A record that is cut short is not recognised.
        for bytes in 0..made(big).len() {
            let cut = TraceBuilder::read("trace", &[("trace", &made(big)[..bytes])]);
            assert!(
                cut.is_err_and(|error| error.code != "broken-bin-output"),
                "{bytes}"
            );
        }
    }
}
