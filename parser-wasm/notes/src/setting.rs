//! Decides which lines are settings that runs are compared by, and which are measurements or
//! identify the device.

use serde::{Deserialize, Serialize};

/// A setting of a device, or of the machine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Setting {
    /// Name of the device, or its number as `major,minor`; absent for the machine, and where the
    /// text does not name one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// Number of the device as `major,minor`, if the texts have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dev: Option<String>,
    /// The name as in sysfs, without folders: `read_ahead_kb`, `slice_idle`, `vm.dirty_ratio`.
    pub key: String,
    pub value: String,
}

/// Options of a mounted file system: a set, compared one by one.
pub const MOUNT_OPTIONS: &str = "mount options";
/// Words of the kernel's command line: a set, compared one by one.
pub const COMMAND_LINE: &str = "kernel command line";
/// Partitions of a disk: `vda1 at 63, vda2 at 2048`, or `none`.
pub const PARTITIONS: &str = "partitions";

/// The tunables of the schedulers, in `queue/iosched`.
pub const OF_SCHEDULERS: [&str; 35] = [
    "antic_expire",
    "async_depth",
    "back_seek_max",
    "back_seek_penalty",
    "est_time",
    "fifo_batch",
    "fifo_expire_async",
    "fifo_expire_sync",
    "front_merges",
    "group_idle",
    "group_idle_us",
    "low_latency",
    "max_budget",
    "prio_aging_expire",
    "quantum",
    "read_batch_expire",
    "read_expire",
    "read_lat_nsec",
    "slice_async",
    "slice_async_rq",
    "slice_async_us",
    "slice_idle",
    "slice_idle_us",
    "slice_sync",
    "slice_sync_us",
    "strict_guarantees",
    "target_latency",
    "target_latency_us",
    "timeout_sync",
    "wr_coeff",
    "wr_max_time",
    "write_batch_expire",
    "write_expire",
    "write_lat_nsec",
    "writes_starved",
];

/// Attributes of `queue`, and of arrays and devices where the name alone is certain.
const OF_QUEUES: [&str; 47] = [
    "add_random",
    "chunk_bytes",
    "chunk_sectors",
    "data_offset_sectors",
    "discard_granularity",
    "discard_max_bytes",
    "discard_max_hw_bytes",
    "dma_alignment",
    "fua",
    "group_thread_cnt",
    "io_poll",
    "io_poll_delay",
    "io_timeout",
    "iostats",
    "iostats_passthrough",
    "logical_block_size",
    "max_active_zones",
    "max_discard_segments",
    "max_hw_sectors_kb",
    "max_integrity_segments",
    "max_open_zones",
    "max_sectors_kb",
    "max_segment_size",
    "max_segments",
    "minimum_io_size",
    "nomerges",
    "nr_hw_queues",
    "nr_requests",
    "optimal_io_size",
    "physical_block_size",
    "preread_bypass_threshold",
    "queue_depth",
    "raid_disks",
    "read_ahead_kb",
    "rotational",
    "rq_affinity",
    "scheduler",
    "stable_writes",
    "start_sector",
    "stripe_cache_size",
    "throttle_sample_time",
    "virt_boundary_mask",
    "wbt_lat_usec",
    "write_cache",
    "write_zeroes_max_bytes",
    "zone_append_max_bytes",
    "zoned",
];

/// Settings whose names mean other things outside their folder.
const OF_ARRAYS: [&str; 13] = [
    "level",
    "layout",
    "degraded",
    "consistency_policy",
    "journal_mode",
    "rmw_level",
    "safe_mode_delay",
    "skip_copy",
    "stripe_cache_size",
    "stripe_size",
    "sync_speed_max",
    "sync_speed_min",
    "component_size",
];

/// The former name of `logical_block_size`.
pub const OTHER_NAME: &str = "hw_sector_size";

/// Files of `queue` that are no settings: they are measured, or repeat another attribute.
const NO_SETTINGS: [&str; 5] = [
    "stat",
    "inflight",
    "nr_zones",
    "discard_zeroes_data",
    "uevent",
];

/// The settings of a control group: files of the controllers io and blkio.
const OF_CGROUPS: [&str; 8] = [
    "io.max",
    "io.low",
    "io.weight",
    "io.bfq.weight",
    "io.latency",
    "io.cost.qos",
    "io.cost.model",
    "io.prio.class",
];

/// Whether a name without folders is a setting.
pub fn is_known(name: &str) -> bool {
    OF_QUEUES.contains(&name) || OF_SCHEDULERS.contains(&name) || is_of_machine(name)
}

/// Whether a name is a setting of the machine: `vm.dirty_ratio`.
pub fn is_of_machine(name: &str) -> bool {
    let Some(vm) = name.strip_prefix("vm.") else {
        return false;
    };
    vm.starts_with("dirty")
        || [
            "swappiness",
            "vfs_cache_pressure",
            "laptop_mode",
            "min_free_kbytes",
        ]
        .contains(&vm)
}

/// Whether an attribute of a device's object in a description is one.
pub fn is_of_array(name: &str) -> bool {
    OF_ARRAYS.contains(&name)
}

/// A path of sysfs, debugfs, procfs or sysctl.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingPath<'a> {
    /// The name of the device, such as `sda`.
    pub device: Option<&'a str>,
    /// The key without folders, except for control groups: `slice_idle`, `user.slice/io.max`.
    pub key: String,
}

impl<'a> SettingPath<'a> {
    /// `None` for what is no setting: measurements, states and names.
    pub fn parse(path: &'a str) -> Option<SettingPath<'a>> {
        let path = path.strip_prefix("./").unwrap_or(path);
        if let Some(name) = path.strip_prefix("/proc/sys/") {
            return SettingPath::if_known(None, &name.replace('/', "."));
        }
        if let Some(found) = SettingPath::of_cgroup(path) {
            return Some(found);
        }
        let debug = path.contains("/debug/block/") || path.starts_with("block/");
        let inside = match path.rsplit_once("block/") {
            Some((before, rest)) if before.is_empty() || before.ends_with('/') => rest,
            _ => path.strip_prefix("/dev/").unwrap_or(path),
        };
        let parts: Vec<&str> = inside.split('/').collect();
        let folder = |name: &str| {
            matches!(
                name,
                "queue" | "iosched" | "device" | "bdi" | "md" | "dm" | "rqos" | "sched"
            )
        };
        match parts.as_slice() {
            [name] => SettingPath::if_known(None, name),
            [
                "queue" | "iosched" | "device" | "bdi" | "md" | "dm" | "rqos" | "sched",
                rest @ ..,
            ] => SettingPath::within(None, parts[0], rest),
            [device, group, rest @ ..] if folder(group) && !rest.is_empty() => {
                SettingPath::within(Some(device), group, rest)
            }
            // The path is of a partition: `sda/sda1/start`.
            [disk, device, "start"] if !debug && device.starts_with(disk) => Some(SettingPath {
                device: Some(device),
                key: "start_sector".to_owned(),
            }),
            _ => None,
        }
    }

    fn if_known(device: Option<&'a str>, name: &str) -> Option<SettingPath<'a>> {
        is_known(name).then(|| SettingPath {
            device,
            key: name.to_owned(),
        })
    }

    fn within(device: Option<&'a str>, group: &str, rest: &[&str]) -> Option<SettingPath<'a>> {
        let key = match (group, rest) {
            ("queue", [OTHER_NAME]) => "logical_block_size",
            ("queue", [name]) if !NO_SETTINGS.contains(name) => *name,
            ("queue", ["iosched", name]) | ("iosched", [name]) => *name,
            ("device", [name @ ("queue_depth" | "queue_type" | "timeout")]) => *name,
            ("bdi", [name @ ("read_ahead_kb" | "max_ratio" | "min_ratio" | "strict_limit")]) => {
                *name
            }
            ("md", ["chunk_size"]) => "chunk_bytes",
            ("md", [name]) if OF_ARRAYS.contains(name) || is_known(name) => *name,
            ("dm", [name @ ("use_blk_mq" | "rq_based_seq_io_merge_deadline")]) => *name,
            ("rqos", ["wbt", "enabled"]) => "wbt enabled",
            ("rqos", ["wbt", "min_lat_nsec"]) => "wbt min_lat_nsec",
            ("sched", ["async_depth"]) => "async_depth",
            _ => return None,
        };
        Some(SettingPath {
            device,
            key: key.to_owned(),
        })
    }

    fn of_cgroup(path: &str) -> Option<SettingPath<'a>> {
        let (folder, name) = path.rsplit_once('/')?;
        let throttle = name.starts_with("blkio.throttle.") && name.ends_with("_device");
        if !OF_CGROUPS.contains(&name)
            && !throttle
            && !name.starts_with("blkio.weight")
            && !name.starts_with("blkio.bfq.weight")
        {
            return None;
        }
        let group = folder
            .strip_prefix("/sys/fs/cgroup")
            .unwrap_or(folder)
            .trim_matches('/');
        let key = if group.is_empty() {
            name.to_owned()
        } else {
            format!("{group}/{name}")
        };
        Some(SettingPath { device: None, key })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(path: &str) -> Option<(Option<&str>, String)> {
        SettingPath::parse(path).map(|found| (found.device, found.key))
    }

    #[test]
    fn paths_as_grep_prints_them() {
        let sda = |key: &str| Some((Some("sda"), key.to_owned()));
        assert_eq!(
            parsed("/sys/block/sda/queue/nr_requests"),
            sda("nr_requests")
        );
        assert_eq!(parsed("sda/queue/iosched/slice_idle"), sda("slice_idle"));
        assert_eq!(
            parsed(
                "/sys/devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda/queue/scheduler"
            ),
            sda("scheduler")
        );
        assert_eq!(
            parsed("/sys/block/sda/device/queue_depth"),
            sda("queue_depth")
        );
        assert_eq!(
            parsed("/sys/kernel/debug/block/sda/rqos/wbt/min_lat_nsec"),
            sda("wbt min_lat_nsec")
        );
        assert_eq!(
            parsed("/sys/block/sda/sda1/start"),
            Some((Some("sda1"), "start_sector".to_owned()))
        );
        assert_eq!(
            parsed("/sys/block/md0/md/chunk_size"),
            Some((Some("md0"), "chunk_bytes".to_owned()))
        );
        // The listing was made in the folder itself.
        assert_eq!(
            parsed("./iosched/fifo_batch"),
            Some((None, "fifo_batch".to_owned()))
        );
        assert_eq!(
            parsed("./nr_requests"),
            Some((None, "nr_requests".to_owned()))
        );
        assert_eq!(
            parsed("queue/wbt_lat_usec"),
            Some((None, "wbt_lat_usec".to_owned()))
        );
        assert_eq!(
            parsed("/proc/sys/vm/dirty_ratio"),
            Some((None, "vm.dirty_ratio".to_owned()))
        );
        assert_eq!(
            parsed("vm.dirty_background_bytes"),
            Some((None, "vm.dirty_background_bytes".to_owned()))
        );
        assert_eq!(
            parsed("/sys/fs/cgroup/a/io.max"),
            Some((None, "a/io.max".to_owned()))
        );
    }

    #[test]
    fn measurements_and_names_are_no_settings() {
        for path in [
            "/sys/block/sda/stat",
            "/sys/block/sda/inflight",
            "/sys/block/sda/uevent",
            "/sys/block/sda/size",
            "/sys/block/sda/dev",
            "/sys/block/sda/diskseq",
            "/sys/block/sda/queue/stat",
            "/sys/block/dm-0/dm/uuid",
            "/sys/block/dm-0/dm/name",
            "/sys/block/md0/md/sync_completed",
            "/sys/block/md0/md/mismatch_cnt",
            "/sys/block/nvme0n1/wwid",
            "/sys/kernel/debug/block/sda/state",
            "/sys/kernel/debug/block/sda/hctx0/tags",
            "/sys/kernel/debug/block/sda/hctx0/dispatched",
            "/sys/kernel/debug/block/sda/rqos/wbt/inflight",
            "/sys/block/sda/trace/pid",
            "/sys/fs/cgroup/a/io.stat",
            "/sys/fs/cgroup/a/io.pressure",
            "./hctx0/busy",
            "vm.nr_dirty",
            "level",
            "start",
        ] {
            assert_eq!(parsed(path), None, "{path}");
        }
    }
}
