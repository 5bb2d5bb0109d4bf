//! Stacks of devices: small texts, and traces drawn as text.

use seekscope_layers::LayersReader;
use seekscope_trace::fixture;
use seekscope_trace::store::{ParentTallies, Parents, Store};

/// The devices of the fixture by names: `8:1` is `a`.
const DEVICES: &str = "a 8:1 size=100000 start=\nb 8:2 size=100000 start=\nc 8:3 size=100000 \
                       start=\nup 8:9 size=100000 start=\n";

fn read(texts: &[&str], trace: &str) -> (Store, Parents) {
    let store = fixture::store(trace);
    let mut reader = LayersReader::new();
    for text in [DEVICES].iter().chain(texts) {
        assert!(
            LayersReader::recognise("state.txt", text.as_bytes()),
            "{text}"
        );
        reader.open("state.txt");
        reader.feed(text.as_bytes());
        reader.close();
    }
    let parents = reader.finish(&store).parents;
    (store, parents)
}

/// `device sector: parent sectors [tasks]` of each row below the top device.
fn describe(texts: &[&str], trace: &str) -> String {
    let (store, parents) = read(texts, trace);
    let (mut tops, mut tasks) = (Vec::new(), Vec::new());
    let mut out = Vec::new();
    for row in 0..store.requests.len() {
        let request = store.requests.row(row);
        if parents.is_top(&store, row) {
            continue;
        }
        parents.tasks(&store, row, &mut tops, &mut tasks);
        let sectors: Vec<String> = tops
            .iter()
            .map(|&top| store.requests.row(top as usize).sector().to_string())
            .collect();
        let pids: Vec<String> = tasks
            .iter()
            .map(|&task| store.processes[task as usize].pid.to_string())
            .collect();
        let number = store.devices[request.device() as usize].number;
        out.push(format!(
            "{} {}: {} [{}]",
            number.minor(),
            request.sector(),
            sectors.join("|"),
            pids.join("|")
        ));
    }
    out.join("\n")
}

fn tallies(texts: &[&str], trace: &str, minor: u32) -> ParentTallies {
    let (store, parents) = read(texts, trace);
    let device = store
        .devices
        .iter()
        .position(|device| device.number.minor() == minor)
        .unwrap();
    parents.tallies[device]
}

#[test]
fn segments_of_a_linear_device() {
    let table = "up: 0 1000 linear 8:1 2048\nup: 1000 1000 linear 8:2 0\n";
    let trace = "0 Q 992+16 W dev=9 pid=7
        1 Q 3040+8 W dev=1 pid=50
        2 Q 0+8 W dev=2 pid=50
        3 D 3040+8 W dev=1 pid=50
        4 D 0+8 W dev=2 pid=50
        5 C 3040+8 W dev=1
        6 C 0+8 W dev=2
        7 C 992+16 W dev=9
        8 Q 3040+8 W dev=1 pid=60
        9 D 3040+8 W dev=1 pid=60
        10 C 3040+8 W dev=1";
    // The last write comes from elsewhere: nothing above is in flight.
    let wanted = "1 3040: 992 [7]\n2 0: 992 [7]\n1 3040:  []";
    assert_eq!(describe(&[table], trace), wanted);
    let disk = tallies(&[table], trace, 1);
    assert_eq!((disk.found.requests, disk.unknown.requests), (1, 1));
    assert_eq!(disk.unknown.bytes, 4096);
}

#[test]
fn a_merged_request_has_several_parents() {
    let table = "up: 0 9000 striped 2 16 8:1 0 8:2 0\n";
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
    assert_eq!(describe(&[table], trace), "1 0: 0|32 [7|8]");
}

#[test]
fn remaps_need_no_text() {
    let trace = "0 Q 100+8 W dev=9 pid=7
        1 A 612+8 W dev=1 pid=7 from=9:100
        2 Q 612+8 W dev=1 pid=7
        3 D 612+8 W dev=1 pid=50
        4 C 612+8 W dev=1
        5 C 100+8 W dev=9";
    assert_eq!(describe(&[], trace), "1 612: 100 [7]");
}

#[test]
fn a_remap_over_a_partition_names_the_disk() {
    // The first remap has the sector of the partition (8:5, from sector 2000), yet names the disk.
    let trace = "0 Q 100+8 W dev=9 pid=7
        1 A 100+8 W dev=1 pid=7 from=9:100
        2 A 2100+8 W dev=1 pid=7 from=5:100
        3 Q 2100+8 W dev=1 pid=7
        4 Q 100+8 W dev=1 pid=8
        5 D 2100+8 W dev=1 pid=50
        6 D 100+8 W dev=1 pid=50
        7 C 2100+8 W dev=1
        8 C 100+8 W dev=1
        9 C 100+8 W dev=9";
    assert_eq!(describe(&[], trace), "1 2100: 100 [7]\n1 100:  []");
}

const RAID5: &str = include_str!("raid5.txt");

#[test]
fn parity_belongs_to_the_writes_of_its_stripe() {
    // Stripe 0: data on a and b, parity on c. The thread 50 reads old data and parity first.
    let trace = "0 Q 0+8 W dev=9 pid=7
        1 Q 100+8 R dev=1 pid=50
        2 D 100+8 R dev=1 pid=50
        3 Q 100+8 R dev=3 pid=50
        4 D 100+8 R dev=3 pid=50
        5 C 100+8 R dev=1
        6 C 100+8 R dev=3
        7 Q 100+8 W dev=1 pid=50
        8 D 100+8 W dev=1 pid=50
        9 Q 100+8 W dev=3 pid=50
        10 D 100+8 W dev=3 pid=50
        11 C 100+8 W dev=1
        12 C 100+8 W dev=3
        13 C 0+8 W dev=9
        14 Q 8+1 W dev=1 pid=50
        15 D 8+1 W dev=1 pid=50
        16 C 8+1 W dev=1";
    let wanted = "1 100: 0 [7]\n3 100: 0 [7]\n1 100: 0 [7]\n3 100: 0 [7]\n1 8:  []";
    assert_eq!(describe(&[RAID5], trace), wanted);
    assert_eq!(tallies(&[RAID5], trace, 1).internal.requests, 1);
}

#[test]
fn a_read_below_a_read_and_a_write_is_ambiguous() {
    let trace = |pid| {
        format!(
            "0 Q 0+8 R dev=9 pid=7
            1 Q 16+8 W dev=9 pid=8
            2 Q 100+8 R dev=1 pid={pid}
            3 D 100+8 R dev=1 pid=50
            4 C 100+8 R dev=1
            5 C 0+8 R dev=9
            6 C 16+8 W dev=9"
        )
    };
    assert_eq!(describe(&[RAID5], &trace(50)), "1 100:  []");
    assert_eq!(tallies(&[RAID5], &trace(50), 1).ambiguous.requests, 1);
    // The reader itself has passed it on.
    assert_eq!(describe(&[RAID5], &trace(7)), "1 100: 0 [7]");
}

#[test]
fn two_requests_of_the_same_sectors_are_ambiguous() {
    let table = "up: 0 9000 crypt aes-xts-plain64 0000 0 8:1 16\n";
    let trace = |first, second, passed| {
        format!(
            "0 Q 0+8 R dev=9 pid={first}
            1 Q 0+8 R dev=9 pid={second}
            2 Q 16+8 R dev=1 pid={passed}
            3 D 16+8 R dev=1 pid=50
            4 C 16+8 R dev=1
            5 C 0+8 R dev=9
            6 C 0+8 R dev=9"
        )
    };
    let (store, parents) = read(&[table], &trace(7, 8, 50));
    assert!(parents.direct(2).is_empty() && store.requests.len() == 3);
    assert_eq!(describe(&[table], &trace(7, 8, 50)), "1 16:  []");
    // The task is known all the same, where both are of one.
    assert_eq!(describe(&[table], &trace(7, 7, 50)), "1 16:  [7]");
    assert_eq!(describe(&[table], &trace(7, 8, 8)), "1 16: 0 [8]");
}

#[test]
fn the_parent_of_three_layers_is_the_top() {
    let table = "up: 0 9000 crypt aes-xts-plain64 0000 0 8:8 64\n\
                 mid: 0 9064 linear 8:7 0\n\
                 low: 0 99999 mirror core 1 1024 2 8:1 10 8:2 20\n";
    let names = "mid (8:8)\nlow (8:7)\n";
    let trace = "0 Q 8+8 W dev=9 pid=7
        1 Q 72+8 W dev=8 pid=50
        2 Q 82+8 W dev=1 pid=51
        3 Q 92+8 W dev=2 pid=51
        4 D 82+8 W dev=1 pid=51
        5 D 92+8 W dev=2 pid=51
        6 C 82+8 W dev=1
        7 C 92+8 W dev=2
        8 C 72+8 W dev=8
        9 C 8+8 W dev=9";
    // The device in the middle of them, 8:7, was not recorded.
    let wanted = "8 72: 8 [7]\n1 82: 8 [7]\n2 92: 8 [7]";
    assert_eq!(describe(&[table, names], trace), wanted);
    let (store, parents) = read(&[table, names], trace);
    let minor = |device: u32| store.devices[device as usize].number.minor();
    let layers: Vec<(u32, Vec<u32>)> = parents
        .layers()
        .iter()
        .map(|layer| {
            (
                minor(layer.device),
                layer.below.iter().map(|d| minor(*d)).collect(),
            )
        })
        .collect();
    assert_eq!(layers, [(9, vec![8]), (8, vec![1, 2])]);
    // The direct parent has the time that the lower layers took.
    assert_eq!(parents.direct(2), [1]);
}

#[test]
fn blocks_of_a_thin_device() {
    let texts = [
        "pool: 0 9000 thin-pool 8:3 8:1 128 0 0\nup: 0 9000 thin 8:8 4\n",
        "pool (8:8)\n",
        "<superblock uuid=\"\" time=\"0\" data_block_size=\"128\" nr_data_blocks=\"9\">
         <device dev_id=\"4\" mapped_blocks=\"3\">
         <single_mapping origin_block=\"5\" data_block=\"2\" time=\"0\"/>
         <range_mapping origin_begin=\"0\" data_begin=\"10\" length=\"2\" time=\"0\"/>
         </device>
         </superblock>",
    ];
    let trace = "0 Q 648+8 W dev=9 pid=7
        1 Q 264+8 W dev=1 pid=50
        2 D 264+8 W dev=1 pid=50
        3 C 264+8 W dev=1
        4 C 648+8 W dev=9
        5 Q 136+8 R dev=9 pid=8
        6 Q 1416+8 R dev=1 pid=50
        7 D 1416+8 R dev=1 pid=50
        8 C 1416+8 R dev=1
        9 C 136+8 R dev=9
        10 Q 0+8 W dev=3 pid=50
        11 D 0+8 W dev=3 pid=50
        12 C 0+8 W dev=3";
    let wanted = "1 264: 648 [7]\n1 1416: 136 [8]\n3 0:  []";
    assert_eq!(describe(&texts, trace), wanted);
    assert_eq!(tallies(&texts, trace, 3).internal.requests, 1);
}

#[test]
fn bcache_writes_back_later() {
    let texts = [
        "bcache0 8:9 size=100000 start=\nbcache0 slave a\nbcache0 slave b\n",
        "data_offset:\t\t16\n",
    ];
    // Reads that miss the cache show which device is the backing one.
    let mut trace = String::new();
    for i in 0..20 {
        let (time, sector) = (i * 10, i * 64);
        trace.push_str(&format!(
            "{} Q {sector}+8 R dev=9 pid=7
            {} Q {}+8 R dev=1 pid=7
            {} D {}+8 R dev=1 pid=50
            {} C {}+8 R dev=1\n",
            time,
            time + 1,
            sector + 16,
            time + 2,
            sector + 16,
            time + 3,
            sector + 16
        ));
    }
    trace.push_str(
        "300 Q 5000+8 W dev=9 pid=7
        301 Q 900+8 W dev=2 pid=7
        302 D 900+8 W dev=2 pid=7
        303 C 900+8 W dev=2
        304 Q 5000+8 W dev=9 pid=8
        305 Q 908+8 W dev=2 pid=8
        306 D 908+8 W dev=2 pid=8
        307 C 908+8 W dev=2
        900 Q 5016+8 W dev=1 pid=60
        901 D 5016+8 W dev=1 pid=60
        902 C 5016+8 W dev=1\n",
    );
    let described = describe(&texts, &trace);
    let lines: Vec<&str> = described.lines().collect();
    assert_eq!(lines.first(), Some(&"1 16: 0 [7]"));
    assert_eq!(
        lines[20..],
        ["2 900:  []", "2 908:  []", "1 5016: 5000 [8]"]
    );
    // The cache's places are not known.
    assert_eq!(tallies(&texts, &trace, 2).unknown.requests, 2);
}

#[test]
fn a_data_offset_is_read_from_remaps() {
    let mdstat = "Personalities : [raid1]
md9 : active raid1 b[1] a[0]
      50000 blocks super 1.2 [2/2] [UU]
md9 (8:9)
";
    let mut trace = String::new();
    for i in 0..10 {
        let (time, sector) = (i * 10, i * 8);
        let member = sector + 2048;
        trace.push_str(&format!(
            "{time} Q {sector}+8 W dev=9 pid=7
            {} A {member}+8 W dev=1 pid=50 from=9:{sector}
            {} Q {member}+8 W dev=1 pid=50
            {} D {member}+8 W dev=1 pid=50
            {} C {member}+8 W dev=1
            {} C {sector}+8 W dev=9\n",
            time + 1,
            time + 2,
            time + 3,
            time + 4,
            time + 5
        ));
    }
    // One that no remap names, and the superblock.
    trace.push_str(
        "200 Q 800+8 W dev=9 pid=8
        201 Q 2848+8 W dev=1 pid=50
        202 D 2848+8 W dev=1 pid=50
        203 C 2848+8 W dev=1
        204 C 800+8 W dev=9
        205 Q 8+1 W dev=1 pid=50
        206 D 8+1 W dev=1 pid=50\n",
    );
    let described = describe(&[mdstat], &trace);
    assert!(
        described.ends_with("1 2848: 800 [8]\n1 8:  []"),
        "{described}"
    );
    assert_eq!(tallies(&[mdstat], &trace, 1).internal.requests, 1);
}

#[test]
fn texts_that_disagree_are_not_used() {
    let texts = ["up: 0 9000 linear 8:1 0\n", "up: 0 9000 linear 8:1 8\n"];
    let trace = "0 Q 0+8 W dev=9
        1 Q 0+8 W dev=1
        2 D 0+8 W dev=1
        3 C 0+8 W dev=1
        4 C 0+8 W dev=9";
    assert_eq!(read(&texts, trace).1.layers(), []);
}

#[test]
fn devices_have_the_kinds_of_their_texts() {
    let trace = "0 Q 100+8 WS pid=7 dev=9\n1 Q 108+8 WS pid=7 dev=1";
    let kinds = |text: &str| {
        let (store, parents) = read(&[text], trace);
        let named = (0..store.devices.len()).map(|i| {
            let number = store.devices[i].number.minor();
            (number, parents.kind(i).map(str::to_owned))
        });
        named
            .filter_map(|(n, kind)| Some((n, kind?)))
            .collect::<Vec<_>>()
    };
    let of_top = |kind: &str| vec![(9, kind.to_owned())];
    assert_eq!(kinds("up: 0 90000 linear 8:1 8\n"), of_top("linear"));
    assert_eq!(
        kinds("up: 0 90000 crypt aes-xts-plain64 :64:logon:x 0 8:1 8\n"),
        of_top("crypt")
    );
    let raid = "up: 0 90000 raid raid5_ls 3 128 region_size 1024 3 - 8:1 - 8:2 - 8:3\n";
    assert_eq!(kinds(raid), of_top("raid5_ls"));
    let mixed = "up: 0 500 linear 8:1 8\nup: 500 500 crypt aes-xts-plain64 k 0 8:2 8\n";
    assert_eq!(kinds(mixed), of_top("several targets"));
}
