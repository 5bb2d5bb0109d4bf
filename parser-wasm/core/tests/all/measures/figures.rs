//! Figures of real recordings, against what is known of how they were made.

use crate::common::{read, recording};
use seekscope_core::measure::arrays::suggestion::{Suggestion, mapped, suggest};
use seekscope_core::measure::figures::{Figures, figures};
use seekscope_core::measure::{Geometry, Window};
use seekscope_core::store::{Role, Stage, Store};

fn load(name: &str) -> Store {
    read(&recording(name), 1 << 20)
}

fn device<'a>(store: &Store, all: &'a [Figures], name: &str) -> (u32, &'a Figures) {
    let index = store
        .devices
        .iter()
        .position(|d| d.name == name)
        .expect("the device is in the trace");
    (index as u32, &all[index])
}

/// dd of 48 MiB in writes of 1 MiB to a RAID 5 of five disks with units of 256 KiB; aligned, or
/// from sector 63.
#[test]
fn stripes_of_a_raid_5() {
    let geometry: Geometry = "unit=256KiB,disks=4,level=raid5"
        .parse()
        .expect("a good spec");
    for (name, full, straddles, stripes) in [
        ("raid5-aligned", 48, 0, (48, 0)),
        ("raid5-misaligned", 0, 48, (0, 96)),
    ] {
        let store = load(name);
        let all = figures(&store, Window::WHOLE, Some(geometry));
        let (md0, array) = device(&store, &all, "md0");
        let alignment = array.alignment.as_ref().expect("a geometry was given");
        assert_eq!(
            alignment.classes.map(|c| c.requests),
            [full, 0, 0, straddles],
            "{name}"
        );
        assert_eq!(alignment.misaligned_4k, straddles, "{name}");
        // Each write is answered before the next begins, so no two of them share a stripe.
        let covered = alignment
            .covered
            .as_ref()
            .expect("completions were recorded");
        assert_eq!(
            (covered.stripes.full, covered.stripes.partial),
            stripes,
            "{name}"
        );
        assert_eq!(covered.rmw.reads > 0, straddles > 0, "{name}");
        assert_eq!(
            (array.usage.is_none(), store.devices[md0 as usize].role),
            (true, Role::Stacked),
            "{name}"
        );
        let seen = Suggestion {
            unit_sectors: 512,
            start_sector: 0,
            disks: Some(4),
            agreement: 1.0,
        };
        assert_eq!(suggest(&store)[md0 as usize], Some(seen), "{name}");
        // The second goes to a partition, which is known from the array, and no suggestion follows.
        let begins: Vec<_> = mapped(&store)[md0 as usize]
            .iter()
            .map(|m| (m.dev.clone(), m.start_sector))
            .collect();
        assert_eq!(
            begins,
            if straddles > 0 {
                vec![("259,1".to_owned(), 63)]
            } else {
                vec![]
            },
            "{name}"
        );
        let (vda, member) = device(&store, &all, "vda");
        assert_eq!(
            (suggest(&store)[vda as usize], member.flush.flush),
            (None, Some(4)),
            "{name}"
        );
    }
}

/// A bio that crosses from one segment of a dm device to the next completes once, at the end of its
/// remainder.
#[test]
fn a_split_of_device_mapper() {
    let store = load("dm-remap");
    assert_eq!(store.quality.unmatched, Default::default());
    let index = store
        .devices
        .iter()
        .position(|d| d.name == "dm-1")
        .expect("dm-1 is in the trace");
    assert_eq!(store.devices[index].bio_stages.get(Stage::Q2C).n, 131);
    let rows =
        (0..store.requests.len()).filter(|&i| store.requests.row(i).device() as usize == index);
    let crossing: Vec<_> = rows
        .filter(|&i| store.requests.row(i).sector() == 99_968)
        .collect();
    assert_eq!(crossing.len(), 1);
    assert_eq!(
        (
            store.requests.row(crossing[0]).sectors(),
            store.requests.row(crossing[0]).q2c()
        ),
        (128, Some(1_645_161))
    );
}

/// O_SYNC writes: a disk with FUA is sent forced writes, one without is sent write and flush.
#[test]
fn forced_writes_with_and_without_fua() {
    for (name, forced) in [("sync-fua", true), ("sync-no-fua", false)] {
        let store = load(name);
        let [disk] = figures(&store, Window::WHOLE, None)
            .try_into()
            .expect("one device");
        assert_eq!(
            (disk.flush.fua > Some(0), disk.flush.flush > disk.flush.fua),
            (forced, !forced),
            "{name}: {:?}",
            disk.flush
        );
        assert!(
            disk.flush
                .busy_share
                .is_some_and(|share| share > 0.0 && share < 1.0),
            "{name}"
        );
    }
}

/// The states of a device fill the time from first Q to last C, and depth is what the intervals
/// between D and C add up to.
#[test]
fn states_and_depth_add_up() {
    for name in crate::common::recordings() {
        let store = load(&name);
        let lost = store.quality.unmatched;
        for (index, f) in figures(&store, Window::WHOLE, None).iter().enumerate() {
            let Some(usage) = &f.usage else { continue };
            if let Some(s) = usage.states {
                assert!(
                    (s.starved + s.busy_waiting + s.busy + s.nobody - 1.0).abs() < 1e-9,
                    "{name}"
                );
            }
            let Some(depth) = &usage.depth else { continue };
            let requests = &store.requests;
            let rows = (0..requests.len()).filter(|&i| requests.row(i).device() as usize == index);
            let requeued = f.counts.count(seekscope_core::event::Action::Requeue);
            if (lost.q, lost.d, lost.c, requeued) == (0, 0, 0, 0) {
                let in_flight: u64 = rows.filter_map(|i| requests.row(i).d2c()).sum();
                let first = (0..requests.len())
                    .filter(|&i| requests.row(i).device() as usize == index)
                    .find_map(|i| requests.row(i).issued());
                let ns = f.active.1 - first.unwrap_or(f.active.0);
                let mean = in_flight as f64 / ns as f64;
                assert!(
                    (depth.mean - mean).abs() <= 1e-9 * mean,
                    "{name}: {} {mean}",
                    depth.mean
                );
            }
        }
    }
}
