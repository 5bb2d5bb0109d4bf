//! Texts and traces that nobody writes by accident: no panic, no endless work.

use seekscope_layers::LayersReader;
use seekscope_trace::fixture;
use seekscope_trace::store::{Parents, Store};

fn read(text: &[u8], store: &Store) -> Parents {
    let mut reader = LayersReader::new();
    reader.open("dm/x.table");
    for piece in text.chunks(7) {
        reader.feed(piece);
    }
    reader.finish(store).parents
}

fn trace() -> Store {
    fixture::store(
        "0 Q 18446744073709551614+4294967 W dev=9 pid=7
        0 Q 0+4000000 W dev=9 pid=7
        0 A 18446744073709551614+4000000 W dev=1 pid=7 from=9:18446744073709551614
        1 A 0+8 W dev=1 pid=7 from=1:0
        2 Q 18446744073709551614+4000000 W dev=1 pid=7
        3 D 18446744073709551614+4000000 W dev=1 pid=7
        4 Q 0+4000000 W dev=1 pid=7
        5 D 0+4000000 W dev=1 pid=7
        6 C 0+4000000 W dev=1",
    )
}

#[test]
fn numbers_without_bounds() {
    let store = trace();
    let big = u64::MAX;
    for text in [
        format!("up: 0 {big} linear 8:1 {big}\n"),
        format!("up: {big} {big} striped 2 {big} 8:1 0 8:2 0\n"),
        "up: 0 18014398509481984 striped 2 1 8:1 0 8:2 0\nup (8:9)\n".to_owned(),
        "up: 0 9 striped 18446744073709551615 1 8:1 0\n".to_owned(),
        "up: 0 9 raid raid5_ls 18446744073709551615 1\n".to_owned(),
        "up: 0 9 raid raid5_ls 1 1 18446744073709551615 - -\n".to_owned(),
        "up: 0 9 mirror core 18446744073709551615 1\n".to_owned(),
        "up: 0 99999999 raid raid6_zr 1 1 3 - 8:1 - 8:2 - 8:3\nup (8:9)\n".to_owned(),
        "up: 0 99999999 raid raid10 3 1 raid10_copies 255 2 - 8:1 - 8:2\nup (8:9)\n".to_owned(),
        "pool: 0 99 thin-pool 8:2 8:1 18014398509481984\nup: 0 9 thin 8:8 0\n".to_owned(),
        "md9 : active raid5 a[18446744073709551615] b[0]\n 1 blocks level 5, 0k chunk [2/2]\n"
            .to_owned(),
        "/dev/md9:\n Raid Level : raid5\n Raid Devices : 99999999999\n Chunk Size : 1K\n\
         0 8 1 999999999 active sync /dev/a\n"
            .to_owned(),
    ] {
        read(text.as_bytes(), &store);
    }
}

#[test]
fn devices_that_lie_on_themselves() {
    let store = trace();
    let text = "up: 0 9000000 linear 8:8 0\nmid: 0 9000000 linear 8:9 0\nmid (8:8)\nup (8:9)\n\
                self: 0 9000000 linear 8:1 0\nself (8:1)\nlow: 0 9000000 linear 8:8 0\nlow (8:1)\n\
                mid: 0 9000000 linear 8:1 0\na slave a\na slave b\nb slave a\n";
    let parents = read(text.as_bytes(), &store);
    let (mut tops, mut tasks) = (Vec::new(), Vec::new());
    for row in 0..store.requests.len() + 2 {
        parents.tops(&store, row, &mut tops);
        parents.tasks(&store, row, &mut tops, &mut tasks);
    }
}

#[test]
fn bytes_of_any_kind() {
    let store = trace();
    let seeds = [
        "up: 0 1000 linear 8:1 2048\n",
        "/dev/md9:\n Raid Level : raid5\n Layout : near=2, far=3\n Used Dev Size : 5\n",
        "<superblock data_block_size=\"128\"><device dev_id=\"0\"><range_mapping \
         origin_begin=\"1\" data_begin=\"2\" length=\"3\"/></superblock>\n",
        "md0 : active raid10 a[0](S) b[1]\n 9 blocks 64K chunks 2 near-copies [2/1]\n",
        "NAME MAJ:MIN\n├─a1 8:1\n└─b 8:2 start=9\nName: x\nMajor, minor: 8, 9\nx -> ../dm-0\n",
        "data_offset: 5\nbcache0 slave a\n/dev/a1 : start= 63, size= 5\n/dev/a2 * 5 9 5\n",
    ];
    let mut state = 1u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize
    };
    for round in 0..600 {
        let mut text = seeds[round % seeds.len()].as_bytes().to_vec();
        text.extend_from_slice(seeds[random() % seeds.len()].as_bytes());
        for _ in 0..1 + random() % 8 {
            let place = random() % text.len();
            match random() % 3 {
                0 => text[place] = random() as u8,
                1 => drop(text.remove(place)),
                _ => text.insert(place, b"0123456789:/ \n[]()=-"[random() % 20]),
            }
        }
        LayersReader::recognise("a", &text);
        read(&text, &store);
    }
}

#[test]
fn long_lines_and_many_lines_are_cut() {
    let store = trace();
    let mut text = b"up: 0 9000 striped 4000 8".to_vec();
    for _ in 0..100_000 {
        text.extend_from_slice(b" 8:1 0");
    }
    text.push(b'\n');
    for i in 0..20_000 {
        text.extend_from_slice(format!("n{i}: 0 8 linear 8:1 0\nn{i} slave a\n").as_bytes());
    }
    read(&text, &store);
}

#[test]
fn many_requests_of_the_same_sectors() {
    use std::fmt::Write as _;
    let mut trace = String::new();
    for i in 0..20_000 {
        let _ = writeln!(trace, "{i} Q 0+8 W dev=9 pid=7");
    }
    for i in 0..200 {
        let _ = writeln!(trace, "{} Q 0+8 W dev=1 pid=7", 20_000 + i * 2);
        let _ = writeln!(trace, "{} D 0+8 W dev=1 pid=7", 20_001 + i * 2);
    }
    let store = fixture::store(&trace);
    let parents = read(b"up: 0 9000 linear 8:1 0\nup (8:9)\n", &store);
    let ambiguous: u64 = parents.tallies.iter().map(|t| t.ambiguous.requests).sum();
    assert!(ambiguous > 0);
}
