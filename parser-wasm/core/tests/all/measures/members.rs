//! Compares the estimate from an array's own trace with what one of its members counted.

use crate::common::{read, recording};
use seekscope_core::measure::arrays::members::{
    ArrayIo, MemberCheck, MemberIo, array, members, truth,
};
use seekscope_core::measure::figures::figures;
use seekscope_core::measure::{Geometry, Window};
use seekscope_core::store::Store;

const SPEC: &str = "unit=256KiB,disks=4,level=raid5";

fn load(name: &str) -> Store {
    read(&recording(name), 1 << 20)
}

fn array_of(store: &Store) -> ArrayIo {
    let geometry: Geometry = SPEC.parse().expect("a good spec");
    let md0 = store
        .devices
        .iter()
        .position(|d| d.name == "md0")
        .expect("md0 is in the trace");
    let all = figures(store, Window::WHOLE, Some(geometry));
    array(store.devices[md0].number, &geometry, &all[md0]).expect("a geometry was given")
}

fn members_of(store: &Store) -> Vec<MemberIo> {
    members(store, Window::WHOLE, SPEC.parse().ok().as_ref())
}

/// 48 MiB in whole stripes: 9.6 MiB of data and 2.4 MiB of parity for each disk, and two
/// superblocks.
#[test]
fn whole_stripes_cost_nothing() {
    let store = load("raid5-aligned");
    let found = truth(&array_of(&store), &members_of(&store)).expect("vda is a member");
    assert_eq!(
        (found.members.as_slice(), found.of, found.by_disk),
        (["254,0".to_owned()].as_slice(), 5, true)
    );
    assert_eq!((found.ideal_bytes, found.own_write_bytes), (48 << 18, 1024));
    assert_eq!(
        (
            found.counted.bytes(),
            found.estimated.bytes(),
            found.counted.reads,
            found.agreement
        ),
        (0, 0, Some(0), 1.0)
    );
}

/// The same from sector 63. Of each stripe eight rows are written twice, the first time with a read
/// of their old data and parity. Of 48 stripes this disk holds the first unit of 9 and the parity
/// of 9: it reads 8 pages of each, and of the stripe before the first none.
fn misaligned(found: &MemberCheck, least: f64) {
    assert_eq!(
        (found.counted.reads, found.counted.read_bytes),
        (Some(18), 18 * 8 * 4096)
    );
    assert_eq!(found.counted.write_bytes, found.estimated.write_bytes);
    assert!(found.agreement >= least, "{found:?}");
}

#[test]
fn stripes_in_part_are_estimated_within_a_percent() {
    let store = load("raid5-misaligned");
    let array = array_of(&store);
    assert!(array.rmw.told);
    misaligned(
        &truth(&array, &members_of(&store)).expect("vda is a member"),
        0.99,
    );
}

#[test]
fn without_md_speaking_within_four() {
    let mut store = load("raid5-misaligned");
    store.messages = Default::default();
    let array = array_of(&store);
    assert!(!array.rmw.told);
    misaligned(
        &truth(&array, &members_of(&store)).expect("vda is a member"),
        0.96,
    );
}

#[test]
fn the_array_and_its_member_may_be_two_traces() {
    let read_trace = |name: &str| {
        let files: Vec<_> = recording("raid5-misaligned")
            .into_iter()
            .filter(|f| f.0.starts_with(name))
            .collect();
        read(&files, 1 << 20)
    };
    let apart = truth(
        &array_of(&read_trace("md0")),
        &members_of(&read_trace("vda")),
    );
    let store = load("raid5-misaligned");
    assert_eq!(apart, truth(&array_of(&store), &members_of(&store)));
    // A share of the whole, where which disk it is was not told.
    let unknown: Vec<MemberIo> = members_of(&store)
        .into_iter()
        .map(|m| MemberIo { slot: None, ..m })
        .collect();
    let shared = truth(&array_of(&store), &unknown).expect("vda is a member");
    assert!(!shared.by_disk && shared.agreement > 0.9, "{shared:?}");
}
