//! Files of a file system on a layered device, in the requests of the devices below.

use seekscope_layers::LayersReader;
use seekscope_trace::fixture;
use seekscope_trace::store::{
    NO_OBJECT, NO_OFFSET, NO_WRITERS, Object, ObjectKind, ObjectPart, Objects, Store, UnknownObject,
};

const RAID5: &str = include_str!("raid5.txt");
const DEVICES: &str = "a 8:1 size=100000 start=\nb 8:2 size=100000 start=\nc 8:3 size=100000 \
                       start=\nmid 8:8 size=100000 start=\nup 8:9 size=100000 start=\n";

fn file(name: &str) -> Object {
    Object {
        kind: ObjectKind::File,
        path: Some(name.to_owned()),
        inode: None,
        device: None,
        extents: None,
    }
}

/// Requests of 8:9 are of the file `x` below sector 40, else of `y`, at their own sectors; those of
/// other devices have no map.
fn objects(store: &Store) -> Objects {
    let mut objects = Objects {
        objects: vec![file("x"), file("y")],
        ..Objects::default()
    };
    let mut unknown = 0;
    for row in 0..store.requests.len() {
        objects.first_parts.push(objects.parts.len() as u32);
        let request = store.requests.row(row);
        let (first, end) = (request.sector(), request.sector() + request.sectors());
        if store.devices[request.device() as usize].number.minor() != 9 {
            unknown += request.sectors() * 512;
            objects.parts.push(ObjectPart {
                sectors: request.sectors() as u32,
                object: NO_OBJECT,
                offset: NO_OFFSET,
                writers: NO_WRITERS,
            });
            continue;
        }
        for (object, from, to) in [(0, first, end.min(40)), (1, first.max(40), end)] {
            if from < to {
                objects.parts.push(ObjectPart {
                    sectors: (to - from) as u32,
                    object,
                    offset: from * 512,
                    writers: NO_WRITERS,
                });
            }
        }
    }
    objects.first_parts.push(objects.parts.len() as u32);
    objects.unknown = vec![(UnknownObject::NoMap, unknown)];
    objects
}

/// `device sector: object@sector in the file+sectors` of each row below the top device, and the
/// bytes without an owner.
fn describe(texts: &[&str], trace: &str) -> (String, u64) {
    let store = fixture::store(trace);
    let mut reader = LayersReader::new();
    for text in [DEVICES].iter().chain(texts) {
        reader.open("state.txt");
        reader.feed(text.as_bytes());
        reader.close();
    }
    let mut objects = objects(&store);
    reader.finish(&store).inherit(&store, &mut objects);
    let mut lines = Vec::new();
    for row in 0..store.requests.len() {
        let request = store.requests.row(row);
        let parts = objects.parts(row);
        let sectors: u64 = parts.iter().map(|part| u64::from(part.sectors)).sum();
        assert_eq!(sectors, request.sectors());
        let number = store.devices[request.device() as usize].number.minor();
        if number == 9 {
            continue;
        }
        let parts = parts.iter().map(|part| match objects.object(part) {
            None => format!("?+{}", part.sectors),
            Some(object) => {
                format!("{}@{}+{}", object.label(), part.offset / 512, part.sectors)
            }
        });
        let parts: Vec<String> = parts.collect();
        lines.push(format!(
            "{number} {}: {}",
            request.sector(),
            parts.join(" ")
        ));
    }
    let unknown = objects.unknown.iter().map(|(_, bytes)| bytes).sum();
    (lines.join("\n"), unknown)
}

#[test]
fn pieces_of_linear_segments_and_of_stripes() {
    let linear = "up: 0 36 linear 8:1 2048\nup: 36 1000 linear 8:2 0\n";
    let trace = "0 Q 32+16 W dev=9 pid=7
        1 Q 2080+4 W dev=1 pid=50
        2 Q 0+12 W dev=2 pid=50
        3 D 2080+4 W dev=1 pid=50
        4 D 0+12 W dev=2 pid=50
        5 C 2080+4 W dev=1
        6 C 0+12 W dev=2
        7 C 32+16 W dev=9
        8 Q 2080+4 W dev=1 pid=60
        9 D 2080+4 W dev=1 pid=60
        10 C 2080+4 W dev=1";
    // Nothing above is in flight at the last write.
    let wanted = "1 2080: x@32+4\n2 0: x@36+4 y@40+8\n1 2080: ?+4";
    assert_eq!(describe(&[linear], trace), (wanted.to_owned(), 4 * 512));

    // Two bios of the top device are merged into one request of a disk.
    let striped = "up: 0 9000 striped 2 16 8:1 0 8:2 0\n";
    let trace = "0 Q 0+16 R dev=9 pid=7
        1 Q 0+16 R dev=1 pid=7
        2 G 0+16 R dev=1 pid=7
        3 Q 32+16 R dev=9 pid=8
        4 Q 16+16 R dev=1 pid=8
        5 M 16+16 R dev=1 pid=8
        6 D 0+32 R dev=1 pid=50
        7 C 0+32 R dev=1
        8 C 0+16 R dev=9
        9 C 32+16 R dev=9";
    let wanted = "1 0: x@0+16 x@32+8 y@40+8";
    assert_eq!(describe(&[striped], trace), (wanted.to_owned(), 0));
}

#[test]
fn two_layers_and_remaps_without_a_text() {
    let tables = "up: 0 1000 linear 8:8 100\nmid: 0 2000 linear 8:1 500\n";
    let trace = "0 Q 8+8 W dev=9 pid=7
        1 Q 108+8 W dev=8 pid=7
        2 Q 608+8 W dev=1 pid=7
        3 D 608+8 W dev=1 pid=50
        4 C 608+8 W dev=1
        5 C 108+8 W dev=8
        6 C 8+8 W dev=9";
    let wanted = "8 108: x@8+8\n1 608: x@8+8";
    assert_eq!(describe(&[tables], trace), (wanted.to_owned(), 0));

    let trace = "0 Q 36+8 W dev=9 pid=7
        1 A 612+8 W dev=1 pid=7 from=9:36
        2 Q 612+8 W dev=1 pid=7
        3 D 612+8 W dev=1 pid=50
        4 C 612+8 W dev=1
        5 C 36+8 W dev=9";
    assert_eq!(describe(&[], trace), ("1 612: x@36+4 y@40+4".to_owned(), 0));
}

#[test]
fn parity_belongs_to_no_file() {
    // Stripe 0: data on a and b, parity on c, which has as many sectors as the write above.
    let trace = "0 Q 0+8 W dev=9 pid=7
        1 Q 100+8 W dev=1 pid=50
        2 D 100+8 W dev=1 pid=50
        3 Q 100+8 W dev=3 pid=50
        4 D 100+8 W dev=3 pid=50
        5 C 100+8 W dev=1
        6 C 100+8 W dev=3
        7 C 0+8 W dev=9";
    let (found, unknown) = describe(&[RAID5], trace);
    assert_eq!(found, "1 100: x@0+8\n3 100: ?+8");
    assert_eq!(unknown, 8 * 512);
}
