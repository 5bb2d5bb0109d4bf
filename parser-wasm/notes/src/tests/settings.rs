//! Settings that runs are compared by, in the forms in which people send them.

use super::*;

/// The settings as sorted lines of `device key=value`.
fn settings(file: &str, text: &str) -> Vec<String> {
    let traces = [TracePaths {
        label: "t".to_owned(),
        paths: vec!["t.blktrace.0".to_owned()],
    }];
    let run = assign(&traces, vec![read(file, text.as_bytes())])
        .runs
        .remove(0);
    let device = |s: &Setting| {
        s.device
            .as_ref()
            .map_or(String::new(), |device| format!("{device} "))
    };
    let mut all: Vec<String> = run
        .settings
        .iter()
        .map(|s| format!("{}{}={}", device(s), s.key, s.value))
        .collect();
    all.sort();
    all
}

#[test]
fn every_way_to_print_sysfs() {
    let wanted = [
        "sda nr_requests=64",
        "sda scheduler=mq-deadline",
        "sda writes_starved=2",
    ];
    let ways = [
        // grep . /sys/block/sda/queue/* /sys/block/sda/queue/iosched/*
        "/sys/block/sda/queue/nr_requests:64\n/sys/block/sda/queue/scheduler:none [mq-deadline] \
            bfq\n\
         /sys/block/sda/queue/iosched/writes_starved:2\n/sys/block/sda/queue/stat:1\n/sys/block/sda/inflight:       0        1\n",
        // Printed by `grep -aH . -r` in /sys/block.
        "sda/queue/nr_requests:64\nsda/queue/scheduler:none [mq-deadline] \
            bfq\nsda/queue/iosched/writes_starved:2\nsda/size:2048\n\
         sda/uevent:MAJOR=8\nsda/stat:  1 2 3\n",
        // The path that the link leads to.
        "/sys/devices/pci0000:00/0000:00:1f.2/ata1/block/sda/queue/nr_requests:64\n\
         /sys/devices/pci0000:00/0000:00:1f.2/ata1/block/sda/queue/scheduler:none [mq-deadline] \
         bfq\n\
         /sys/devices/pci0000:00/0000:00:1f.2/ata1/block/sda/queue/iosched/writes_starved:2\n",
        // Printed by `head`.
        "==> /sys/block/sda/queue/nr_requests <==\n64\n\n==> /sys/block/sda/queue/scheduler \
            <==\nnone [mq-deadline] bfq\n\n\
         ==> /sys/block/sda/queue/iosched/writes_starved <==\n2\n",
        // A description that seekscope-record wrote.
        r#"{"devices":[{"name":"sda","majmin":"8:0","scheduler":"mq-deadline","nr_requests":64,"size":5,"iosched":{"writes_starved":"2"}}]}"#,
    ];
    for text in ways {
        assert_eq!(settings("s.txt", text), wanted, "{text}");
    }
    // Printed in the folder itself, without the device's name.
    let inside = "./nr_requests:64\n./scheduler:none [mq-deadline] \
        bfq\n./iosched/writes_starved:2\n./hctx0/busy:0\n";
    assert_eq!(
        settings("s.txt", inside),
        wanted.map(|line| line.trim_start_matches("sda "))
    );
}

#[test]
fn arrays_machines_file_systems_and_limits() {
    assert_eq!(
        settings(
            "md.txt",
            "/sys/block/md0/md/stripe_cache_size:256\n/sys/block/md0/md/sync_completed:none\n/sys/block/md0/md/mismatch_cnt:0\n"
        ),
        ["md0 stripe_cache_size=256"]
    );
    assert_eq!(
        settings(
            "vm.txt",
            "vm.dirty_ratio = 20\n/proc/sys/vm/dirty_bytes:0\nvm.nr_hugepages = 0\n"
        ),
        ["vm.dirty_bytes=0", "vm.dirty_ratio=20"]
    );
    assert_eq!(
        settings(
            "mounts",
            "/dev/sda1 /mnt ext4 rw,nobarrier 0 0\nproc /proc proc rw 0 0\n/dev/mapper/v on /x \
                type xfs (rw)\n"
        ),
        [
            "sda1 filesystem=ext4",
            "sda1 mount options=rw,nobarrier",
            "v filesystem=xfs",
            "v mount options=rw"
        ]
    );
    assert_eq!(
        settings(
            "x",
            "BOOT_IMAGE=/vmlinuz-6.1 root=/dev/sda1 ro elevator=bfq\n"
        ),
        ["kernel command line=ro elevator=bfq"]
    );
    let key = "0123456789abcdef0123456789abcdef";
    let table = format!(
        "c: 0 2048 crypt aes-xts-plain64 {key} 0 254:2 0\nl: 0 8 linear 254:1 63\nl: 8 8 linear \
            254:1 99\n"
    );
    assert_eq!(
        settings("dm.txt", &table),
        [
            "c dm table=0 2048 crypt aes-xts-plain64 0 0",
            "l dm table=0 8 linear 63; 8 8 linear 99"
        ]
    );
    let limits = "/sys/fs/cgroup/a/io.max:8:0 rbps=max wbps=1048576 riops=max \
        wiops=max\n/sys/fs/cgroup/a/io.stat:8:0 rbytes=1 wbytes=2\n";
    assert_eq!(
        settings("cg.txt", limits),
        ["8,0 a/io.max=rbps=max wbps=1048576 riops=max wiops=max"]
    );
    assert_eq!(
        settings("qos.txt", "254:0 enable=1 ctrl=user rpct=95.00 rlat=5000\n"),
        ["254,0 io.cost.qos=enable=1 ctrl=user rpct=95.00 rlat=5000"]
    );
}

#[test]
fn values_that_contradict_each_other_are_left_out() {
    assert_eq!(
        settings(
            "s.txt",
            "sda/queue/nr_requests:64\nsda/queue/fua:1\nsda/queue/nr_requests:128\n"
        ),
        ["sda fua=1"]
    );
}

#[test]
fn a_description_has_the_settings_of_its_devices_and_partitions() {
    let note = sample("partitions-meta.json");
    let traces = [files("t", &["t.blktrace.0"])];
    let settings = assign(&traces, vec![note]).runs.remove(0).settings;
    let value = |key: &str| {
        settings
            .iter()
            .find(|s| s.key == key)
            .map(|s| (s.device.as_deref(), s.dev.as_deref(), s.value.as_str()))
    };
    assert_eq!(
        value("scheduler").map(|v| (v.0, v.1)),
        Some((Some("vda"), Some("254,0")))
    );
    assert!(
        value(setting::PARTITIONS).is_some_and(|v| v.2.starts_with("vda1 at 2048")),
        "{settings:?}"
    );
    for other in [
        "majmin",
        "sectors",
        "name",
        "size",
        "uptime_start",
        "command",
        "hostname",
    ] {
        assert_eq!(value(other), None, "{other}");
    }
}
