use super::text::{DriverLine, read};
use super::*;

/// What happened, the device, the key, and the command.
type ReadLine = (CommandStep, String, (u64, u64), Option<DriverCommand>);

fn line(name: &str, body: &str) -> Option<ReadLine> {
    match read(
        DriverPoint::named(name.as_bytes()).expect("a driver's trace point"),
        body.as_bytes(),
    )? {
        DriverLine::Event(e) => Some((
            e.step,
            String::from_utf8_lossy(&e.device).into_owned(),
            e.key,
            e.command,
        )),
        DriverLine::Undecoded | DriverLine::Other => None,
    }
}

/// First block, blocks and letters of a command.
fn words(command: DriverCommand) -> String {
    let (first, blocks) = command.place.unwrap_or_default();
    let fua = if command.flags.has(Flags::WRITE_ZEROES) {
        "Z"
    } else {
        ""
    };
    format!(
        "{first}+{blocks} {}{fua} {}",
        command.flags.rwbs((blocks * 512) as u32),
        command.length
    )
}

#[test]
fn descriptor_blocks_of_scsi() {
    for (cdb, wanted) in [
        ("08 01 02 03 04 00", "66051+4 R 0"),
        ("0a ff ff ff 00 00", "2097151+256 W 0"),
        ("28 00 00 00 60 80 00 01 00 00", "24704+256 R 0"),
        ("2a 08 00 00 60 80 00 00 08 00", "24704+8 WF 0"),
        ("a8 00 00 00 00 10 00 00 00 08 00 00", "16+8 R 0"),
        ("aa 00 00 00 00 10 00 00 00 08 00 00", "16+8 W 0"),
        (
            "88 00 00 00 00 01 00 00 00 00 00 00 00 08 00 00",
            "4294967296+8 R 0",
        ),
        (
            "8a 08 00 00 00 01 00 00 00 00 00 00 00 08 00 00",
            "4294967296+8 WF 0",
        ),
        (
            "9c 00 00 00 00 00 00 00 00 10 00 00 00 08 00 00",
            "16+8 W 0",
        ),
        (
            "93 00 00 00 00 00 00 00 00 10 00 00 00 08 00 00",
            "16+8 WZ 0",
        ),
        (
            "93 08 00 00 00 00 00 00 00 10 00 00 00 08 00 00",
            "16+8 D 0",
        ),
        ("41 00 00 00 00 10 00 00 08 00", "16+8 WZ 0"),
        (
            "94 04 00 00 00 00 00 08 00 00 00 00 00 00 00 00",
            "524288+0 ZR 0",
        ),
        (
            "94 04 00 00 00 00 00 00 00 00 00 00 00 00 01 00",
            "0+0 ZRA 0",
        ),
        (
            "94 03 00 00 00 00 00 08 00 00 00 00 00 00 00 00",
            "524288+0 ZO 0",
        ),
        ("35 00 00 00 00 00 00 00 00 00", "0+0 FN 0"),
        ("42 00 00 00 00 00 00 00 18 00", "0+0 D 10"),
        ("12 01 83 00 ff 00", "0+0 N 6"),
        // Cut short: what is missing is 0.
        ("28 00 00 00", "0+0 N 0"),
    ] {
        let bytes: Vec<u8> = cdb
            .split(' ')
            .map(|b| u8::from_str_radix(b, 16).expect("hex"))
            .collect();
        assert_eq!(
            scsi::command(&bytes).map(words).as_deref(),
            Some(wanted),
            "{cdb}"
        );
    }
    assert_eq!(scsi::command(&[]), None);
    let read_32 = [
        &[0x7f, 0, 0, 0, 0, 0, 0, 24, 0, 9, 0, 0][..],
        &[0, 0, 0, 0, 0, 0, 0, 16],
        &[0; 8],
        &[0, 0, 0, 8],
    ]
    .concat();
    assert_eq!(
        scsi::command(&read_32).map(words).as_deref(),
        Some("16+8 R 0")
    );
}

#[test]
fn commands_of_nvme_on_all_kernels() {
    let new = "nvme0: disk=nvme0n1, qid=2, cmdid=576, nsid=1, flags=0x0, meta=0x0, \
        cmd=(nvme_cmd_write slba=24704, len=255, ctrl=0x4000, dsmgmt=0, reftag=0)";
    let (step, disk, key, command) = line("nvme_setup_cmd", new).expect("a command");
    assert_eq!((step, disk.as_str()), (CommandStep::Started, "nvme0n1"));
    assert_eq!(command.map(words).as_deref(), Some("24704+256 WF 0"));
    let done =
        "nvme0: disk=nvme0n1, qid=2, cmdid=576, res=0x0, retries=0, flags=0x0, status=0x4281";
    assert_eq!(
        line("nvme_complete_rq", done),
        Some((CommandStep::Done(-61), disk, key, None))
    );
    for (status, errno) in [
        (0x0, 0),
        (0x4000, 0),
        (0x2002, -95),
        (0x4081, -28),
        (0x83, -52),
        (0x281, -61),
        (0x282, -84),
        (0x370, -67),
        (0x1bd, -75),
        (0x1be, -109),
        (0x6, -5),
        (0x371, -5),
    ] {
        let done =
            format!("nvme0: qid=2, cmdid=5, res=0x0, retries=0, flags=0x0, status={status:#x}");
        let step = line("nvme_complete_rq", &done).map(|line| line.0);
        assert_eq!(step, Some(CommandStep::Done(errno)), "{status:#x}");
    }
    // Older kernels print no name of the disk.
    let old = "nvme1: qid=1, cmdid=7, nsid=3, flags=0x0, meta=0x0, cmd=(nvme_cmd_read slba=8, \
        len=0, ctrl=0x0, dsmgmt=0, reftag=0)";
    assert_eq!(
        line("nvme_setup_cmd", old).map(|l| (l.1, l.3.map(words))),
        Some(("nvme1n3".to_owned(), Some("8+1 R 0".to_owned())))
    );
    // Linux 4.15 to 4.17 print this.
    let oldest = "qid=1, nsid=1, cmdid=7, flags=0x0, meta=0x0, cmd=(nvme_cmd_flush cdw10=00 00)";
    assert_eq!(
        line("nvme_setup_nvm_cmd", oldest).map(|l| (l.1, l.3.map(words))),
        Some(("nvme0n1".to_owned(), Some("0+0 FN 0".to_owned())))
    );
    assert_eq!(
        line(
            "nvme_complete_rq",
            "cmdid=7, qid=1, res=0, retries=0, flags=0x0, status=0"
        )
        .map(|l| l.0),
        Some(CommandStep::Done(0))
    );
    // Commands of the controller are no requests.
    assert_eq!(
        line(
            "nvme_setup_cmd",
            "nvme0: qid=0, cmdid=1, nsid=0, flags=0x0, meta=0x0, cmd=(nvme_admin_identify cns=1, \
                ctrlid=0)"
        ),
        None
    );
    for (name, wanted) in [
        ("nvme_cmd_write_zeroes slba=8, len=7", "8+8 WZ 0"),
        ("nvme_cmd_zone_append slba=8, len=7", "8+8 ZA 0"),
        (
            "nvme_cmd_zone_mgmt_send slba=524288, zsa=4, all=0",
            "524288+0 ZR 0",
        ),
        ("nvme_cmd_zone_mgmt_send slba=0, zsa=4, all=1", "0+0 ZRA 0"),
        (
            "nvme_cmd_zone_mgmt_send slba=524288, zsa=2, all=0",
            "524288+0 ZF 0",
        ),
        ("nvme_cmd_dsm nr=1, attributes=4", "0+0 D 1"),
        ("nvme_cmd_resv_report cdw10=00 01", "0+0 N 1"),
    ] {
        let body = format!(
            "nvme0: disk=nvme0n1, qid=1, cmdid=7, nsid=1, flags=0x0, meta=0x0, cmd=({name})"
        );
        assert_eq!(
            line("nvme_setup_cmd", &body)
                .and_then(|l| l.3)
                .map(words)
                .as_deref(),
            Some(wanted),
            "{name}"
        );
    }
    for damaged in [
        "",
        "nvme0: disk=nvme0n1, qid=1",
        "nvme0: qid=1, cmdid=x, cmd=(nvme_cmd_read slba=1, len=1)",
        "cmdid=3, qid=1, cdw10=ARRAY[",
    ] {
        assert!(
            read(DriverPoint::NvmeSetup, damaged.as_bytes()).is_none(),
            "{damaged}"
        );
    }
}

#[test]
fn ends_of_commands_of_scsi() {
    let start = "host_no=2 channel=0 id=1 lun=3 data_sgl=1 prot_sgl=0 prot_op=SCSI_PROT_NORMAL \
        cmnd=(READ_10 lba=8 txlen=8 protect=0 raw=28 00 00 00 00 08 00 00 08 00)";
    let (step, disk, key, command) = line("scsi_dispatch_cmd_start", start).expect("a command");
    assert_eq!(
        (step, disk.as_str(), command.map(words).as_deref()),
        (CommandStep::Started, "2:0:1:3", Some("8+8 R 0"))
    );
    let done = |host: &str, status: &str| {
        let result = format!(
            "{start} result=(driver=DRIVER_OK host={host} message=COMMAND_COMPLETE status={status})"
        );
        let (step, _, same, _) = line("scsi_dispatch_cmd_done", &result).expect("an end");
        assert_eq!(
            same, key,
            "without a tag, commands are known by what they do"
        );
        step
    };
    assert_eq!(done("DID_OK", "SAM_STAT_GOOD"), CommandStep::Done(0));
    assert_eq!(
        done("DID_OK", "SAM_STAT_CHECK_CONDITION"),
        CommandStep::Done(-5)
    );
    assert_eq!(
        done("DID_OK", "SAM_STAT_TASK_SET_FULL"),
        CommandStep::Refused
    );
    assert_eq!(done("DID_REQUEUE", "SAM_STAT_GOOD"), CommandStep::Refused);
    assert_eq!(
        done("DID_OK", "SAM_STAT_RESERVATION_CONFLICT"),
        CommandStep::Done(-52)
    );
    assert_eq!(
        done("DID_TRANSPORT_FAILFAST", "SAM_STAT_GOOD"),
        CommandStep::Done(-67)
    );
    assert_eq!(
        done("DID_NO_CONNECT", "SAM_STAT_GOOD"),
        CommandStep::Done(-5)
    );
    let refused = line(
        "scsi_dispatch_cmd_error",
        &format!("{start} rtn=SCSI_MLQUEUE_HOST_BUSY"),
    );
    assert_eq!(refused.map(|l| l.0), Some(CommandStep::Refused));
    assert!(
        read(
            DriverPoint::ScsiStart,
            b"host_no=2 channel=0 id=1 lun=3 cmnd=("
        )
        .is_none()
    );
}
