//! Values of lines. Those of samples are tested with the files that have them.

use super::PointCounter::*;
use super::*;

/// Lines as in the table above: of Linux 6.1 and 6.12, except for block_rq_tag_wait (7.2), which is
/// made from its documentation.
#[test]
fn values_of_lines() {
    let vda = PointDevice::Number(DeviceNumber(254 << 20));
    for (name, body, wanted) in [
        (
            "wbt_timer",
            "254:0: status=3, step=-1, inflight=9",
            vec![(WbtStep, -1.0), (WbtInflight, 9.0)],
        ),
        (
            "wbt_step",
            "254:0: scale up: step=-1, window=100000us, background=8, normal=16, max=31",
            vec![(WbtNormal, 16.0), (WbtBackground, 8.0)],
        ),
        (
            "wbt_lat",
            "254:0: latency 2379us",
            vec![(WbtLatency, 2_379_000.0)],
        ),
        (
            "wbt_stat",
            "254:0: rmean=6258486, rmin=2379901, rmax=8551005, rsamples=6, wmean=0, wmin=0, \
                wmax=0, wsamples=0",
            vec![(WbtReadMean, 6_258_486.0)],
        ),
        (
            "kyber_latency",
            "254,0 WRITE I/O p90 8/4 samples=15",
            vec![(KyberWriteLatency, 2.0)],
        ),
        (
            "kyber_latency",
            "254,0 READ total p99 1/4 samples=394",
            vec![(KyberReadLatency, 0.25)],
        ),
        (
            "kyber_adjust",
            "254,0 WRITE 64",
            vec![(KyberWriteDepth, 64.0)],
        ),
        ("kyber_throttled", "254,0 READ", vec![(KyberThrottled, 1.0)]),
        (
            "block_rq_tag_wait",
            "254,0 hctx=0 starved on hardware tags (depth=64)",
            vec![(HardwareTagWait, 64.0)],
        ),
        (
            "block_rq_tag_wait",
            "254,0 hctx=1 starved on scheduler tags (depth=256)",
            vec![(SchedulerTagWait, 256.0)],
        ),
    ] {
        let mut values = PointValues::default();
        values.take_line(5, name.as_bytes(), body.as_bytes());
        let found: Vec<_> = values
            .rows
            .iter()
            .map(|row| (row.counter, row.value))
            .collect();
        assert_eq!(found, wanted, "{body}");
        assert!(
            values
                .rows
                .iter()
                .all(|row| row.device == vda && row.time == 5)
        );
    }
    let mut values = PointValues::default();
    let body = b"[vda] vrate=137438->68719 busy=1 missed_ppm=0:1000000 rq_wait_pct=25 lagging=1 \
        shortages=1";
    values.take_line(5, b"iocost_ioc_vrate_adj", body);
    values.take_line(
        5,
        b"iocost_inuse_shortage",
        b"[vda:/wr] now=41448517 inuse=3276800->3276800 hw_inuse=65536->65536",
    );
    let found: Vec<_> = values
        .rows
        .iter()
        .map(|row| (row.counter, row.value))
        .collect();
    assert_eq!(
        found,
        [
            (IocostRate, 0.5),
            (IocostWait, 0.25),
            (IocostBusy, 1.0),
            (IocostShortages, 1.0),
            (IocostShortage, 1.0)
        ]
    );
    assert!(
        values
            .rows
            .iter()
            .all(|row| row.device == PointDevice::Name("vda".to_owned()))
    );
}

#[test]
fn other_and_damaged_lines() {
    let mut values = PointValues::default();
    for (name, body) in [
        ("sched_switch", "254:0: status=3, step=-1, inflight=9"),
        ("iocost_iocg_idle", "[vda:/wr] now=1:2 vrate=137438"),
        ("wbt_timer", "254:0:"),
        ("wbt_timer", "254: status=3"),
        ("wbt_timer", "99999,0 status=3, step=1, inflight=1"),
        ("kyber_latency", "254,0 WRITE I/O"),
        ("kyber_latency", ""),
        ("iocost_ioc_vrate_adj", "[] vrate=1->2"),
        ("iocost_ioc_vrate_adj", "[vda] vrate=1"),
        // Fields that are missing have no value, nor does a division by 0.
        ("wbt_timer", "254:0: status=3"),
        ("kyber_latency", "254,0 READ total p99 1/0 x"),
        ("kyber_throttled", "[] READ"),
    ] {
        values.take_line(0, name.as_bytes(), body.as_bytes());
        assert!(values.rows.is_empty(), "{name}: {body}");
    }
}
