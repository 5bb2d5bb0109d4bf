//! Bodies of the kernel's block trace points as ftrace, trace-cmd and perf print them: `254,0 WS
//! 4096 () 8 + 8 be,0,4 [dd]`.

use crate::block_event::{BlockFields, PointLayout};
use crate::text::scan::Scan;
use seekscope_trace::event::{Action, DeviceNumber, Event};

/// The body of a block event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body<'a> {
    /// The event, without time, pid and cpu; [`DeviceNumber::NONE`] when the trace point names no
    /// device.
    pub event: Event,
    /// Name of the running task.
    pub task: Option<&'a [u8]>,
    /// Passthrough command in hex.
    pub command: Option<&'a [u8]>,
}

/// Reads a body; absent when it is not of this shape.
#[inline]
pub fn read(action: Action, shape: PointLayout, body: &[u8]) -> Option<Body<'_>> {
    let mut scan = Scan(body);
    let (fields, task) = match shape {
        PointLayout::Bio | PointLayout::BioDone => bio(shape, &mut scan),
        PointLayout::Request | PointLayout::RequestDone => request(shape, &mut scan),
        PointLayout::Remap => remap(&mut scan),
        PointLayout::Split => split(&mut scan),
        PointLayout::Plug => plug(action, &mut scan),
        PointLayout::Zone => zone(&mut scan),
    }?;
    let command = Some(fields.command).filter(|command| !command.is_empty());
    Some(Body {
        event: fields.event(action, shape)?,
        task,
        command,
    })
}

/// Facts, and the name of the running task.
type ParsedBody<'a> = Option<(BlockFields<'a>, Option<&'a [u8]>)>;

/// `254,0`
#[inline]
fn device(scan: &mut Scan<'_>) -> Option<DeviceNumber> {
    scan.blanks().device()
}

/// `sector + n`.
#[inline]
fn range(scan: &mut Scan<'_>) -> Option<(u64, u64)> {
    let sector = scan.blanks().number()?;
    scan.blanks().byte(b'+')?;
    Some((sector, scan.blanks().number()?))
}

/// `be,0,4`, or `0x2,0,4` where the name of the class was not known; newer kernels have it.
#[inline]
fn skip_priority(scan: &mut Scan<'_>) {
    if !scan.blanks().0.starts_with(b"[") {
        scan.token();
    }
}

/// `[dd]`; the text after it is left.
#[inline]
fn task<'a>(scan: &mut Scan<'a>) -> Option<&'a [u8]> {
    scan.blanks().byte(b'[')?;
    let end = scan.0.iter().rposition(|&b| b == b']')?;
    let (name, rest) = scan.0.split_at(end);
    scan.0 = &rest[1..];
    Some(name)
}

/// `[-5]`
#[inline]
fn error(scan: &mut Scan<'_>) -> Option<i64> {
    scan.blanks().byte(b'[')?;
    let negative = scan.byte(b'-').is_some();
    let error = i64::try_from(scan.number()?).ok()?;
    scan.byte(b']')?;
    Some(if negative { -error } else { error })
}

#[inline]
fn bio<'a>(shape: PointLayout, scan: &mut Scan<'a>) -> ParsedBody<'a> {
    let (device, letters) = (device(scan)?, scan.blanks().token());
    let (sector, sectors) = range(scan)?;
    skip_priority(scan);
    let fields = BlockFields {
        device,
        letters,
        sector,
        sectors,
        ..BlockFields::default()
    };
    outcome(fields, shape == PointLayout::BioDone, scan)
}

/// Who did it, or how it ended.
#[inline]
fn outcome<'a>(fields: BlockFields<'a>, done: bool, scan: &mut Scan<'a>) -> ParsedBody<'a> {
    Some(match done {
        true => (
            BlockFields {
                error: error(scan)?,
                ..fields
            },
            None,
        ),
        false => (fields, Some(task(scan)?)),
    })
}

#[inline]
fn request<'a>(shape: PointLayout, scan: &mut Scan<'a>) -> ParsedBody<'a> {
    let (device, letters) = (device(scan)?, scan.blanks().token());
    let bytes = if shape == PointLayout::Request {
        scan.blanks().number()?
    } else {
        0
    };
    scan.blanks().byte(b'(')?;
    let end = scan.0.iter().position(|&b| b == b')')?;
    let command = &scan.0[..end];
    scan.0 = &scan.0[end + 1..];
    let (sector, sectors) = range(scan)?;
    skip_priority(scan);
    let fields = BlockFields {
        device,
        letters,
        sector,
        sectors,
        bytes,
        command,
        ..BlockFields::default()
    };
    outcome(fields, shape == PointLayout::RequestDone, scan)
}

fn remap<'a>(scan: &mut Scan<'a>) -> ParsedBody<'a> {
    let device = device(scan)?;
    // Some vendors' kernels print no letters.
    let letters: &[u8] = if scan.blanks().0.first().is_some_and(u8::is_ascii_digit) {
        b""
    } else {
        scan.token()
    };
    let (sector, sectors) = range(scan)?;
    scan.blanks().word(b"<-")?;
    scan.blanks().byte(b'(')?;
    let upper = scan.blanks().device()?;
    scan.byte(b')')?;
    let from = (upper, scan.blanks().number()?);
    Some((
        BlockFields {
            device,
            letters,
            sector,
            sectors,
            from,
            ..BlockFields::default()
        },
        None,
    ))
}

fn split<'a>(scan: &mut Scan<'a>) -> ParsedBody<'a> {
    let (device, letters) = (device(scan)?, scan.blanks().token());
    let sector = scan.blanks().number()?;
    scan.blanks().byte(b'/')?;
    let remainder = scan.blanks().number()?;
    Some((
        BlockFields {
            device,
            letters,
            sector,
            remainder,
            ..BlockFields::default()
        },
        Some(task(scan)?),
    ))
}

fn plug<'a>(action: Action, scan: &mut Scan<'a>) -> ParsedBody<'a> {
    let name = task(scan)?;
    let released = if action == Action::Plug {
        0
    } else {
        scan.blanks().number()?
    };
    Some((
        BlockFields {
            released,
            ..BlockFields::default()
        },
        Some(name),
    ))
}

fn zone<'a>(scan: &mut Scan<'a>) -> ParsedBody<'a> {
    let device = device(scan)?;
    scan.blanks().word(b"zone")?;
    scan.blanks().number()?;
    scan.byte(b',')?;
    scan.blanks().word(b"BIO")?;
    let (sector, sectors) = range(scan)?;
    Some((
        BlockFields {
            device,
            sector,
            sectors,
            ..BlockFields::default()
        },
        None,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block_event::{TracePoint, hex, point};
    use seekscope_trace::event::{EventDetail, Flags};

    const VDA: DeviceNumber = DeviceNumber(254 << 20);
    const SDA: DeviceNumber = DeviceNumber(8 << 20);

    fn body<'a>(name: &str, text: &'a str) -> Option<Body<'a>> {
        let TracePoint::Known(action, shape) = point(name.as_bytes()) else {
            panic!("{name} is known")
        };
        read(action, shape, text.as_bytes())
    }

    /// Action, device, operation as blkparse prints it, sector, bytes, task, error.
    fn check(
        name: &str,
        text: &str,
        (letters, device, rwbs, sector, bytes, task, error): (
            &str,
            DeviceNumber,
            &str,
            u64,
            u32,
            &str,
            i16,
        ),
    ) {
        let Some(Body {
            event: e,
            task: name,
            ..
        }) = body(name, text)
        else {
            panic!("{name}: {text} is not read")
        };
        let rwbs_now = e.flags.rwbs(e.bytes);
        let name = name.map_or_else(String::new, |n| String::from_utf8_lossy(n).into_owned());
        assert_eq!(
            (
                e.action.letters(),
                e.device,
                rwbs_now.as_str(),
                e.sector,
                e.bytes,
                name.as_str(),
                e.error
            ),
            (letters, device, rwbs, sector, bytes, task, error),
            "{text}"
        );
    }

    #[test]
    fn bios() {
        check(
            "block_bio_queue",
            "254,0 RA 20863400 + 16 [fio]",
            ("Q", VDA, "RA", 20_863_400, 8192, "fio", 0),
        );
        check(
            "block_bio_queue",
            "254,0 FWS 0 + 0 [mke2fs]",
            ("Q", VDA, "FWS", 0, 0, "mke2fs", 0),
        );
        check(
            "block_bio_queue",
            "254,0 NS 1048576 + 65536 [mke2fs]",
            ("Q", VDA, "WS", 1_048_576, 33_554_432, "mke2fs", 0),
        );
        check(
            "block_getrq",
            "254,0 FWFSM 1048640 + 8 [jbd2/vda-8]",
            ("G", VDA, "FWFSM", 1_048_640, 4096, "jbd2/vda-8", 0),
        );
        check(
            "block_getrq",
            "0,0 N 0 + 0 [a b]",
            ("G", DeviceNumber::NONE, "N", 0, 0, "a b", 0),
        );
        check(
            "block_sleeprq",
            "8,0 R 64 + 8 [x]",
            ("S", SDA, "R", 64, 4096, "x", 0),
        );
        check(
            "block_bio_backmerge",
            "254,0 WSM 8 + 8 [a] b]",
            ("M", VDA, "WSM", 8, 4096, "a] b", 0),
        );
        check(
            "block_bio_frontmerge",
            "254,0 D 8 + 8 [x]",
            ("F", VDA, "D", 8, 4096, "x", 0),
        );
        check(
            "block_bio_bounce",
            "8,0 W 8 + 8 [x]",
            ("B", SDA, "W", 8, 4096, "x", 0),
        );
        check(
            "block_bio_complete",
            "9,0 WS 128 + 8 [-5]",
            ("C", DeviceNumber(9 << 20), "WS", 128, 4096, "", -5),
        );
        check(
            "block_bio_complete",
            "9,0 WS 128 + 8 [65531]",
            ("C", DeviceNumber(9 << 20), "WS", 128, 4096, "", -5),
        );
    }

    #[test]
    fn requests() {
        check(
            "block_rq_issue",
            "254,0 RA 8192 () 20863400 + 16 be,0,4 [fio]",
            ("D", VDA, "RA", 20_863_400, 8192, "fio", 0),
        );
        check(
            "block_rq_issue",
            "254,0 RM 4096 () 13317896 + 8 0x2,0,4 [perf-exec]",
            ("D", VDA, "RM", 13_317_896, 4096, "perf-exec", 0),
        );
        check(
            "block_rq_insert",
            "254,0 WS 4096 () 33392 + 8 [fio]",
            ("I", VDA, "WS", 33_392, 4096, "fio", 0),
        );
        check(
            "block_rq_merge",
            "254,0 WS 4096 () 33392 + 8 none,0,0 [my task]",
            ("M", VDA, "WS", 33_392, 4096, "my task", 0),
        );
        check(
            "block_rq_issue",
            "8,0 RA 0 () 10140208 + 32 [kworker/u9:1]",
            ("D", SDA, "RA", 10_140_208, 16_384, "kworker/u9:1", 0),
        );
        check(
            "block_rq_issue",
            "254,0 FF 0 () 0 + 0 [kworker/1:1H]",
            ("D", VDA, "FN", 0, 0, "kworker/1:1H", 0),
        );
        check(
            "block_rq_complete",
            "254,0 FF () 18446744073709551615 + 0 [0]",
            ("C", VDA, "FN", 0, 0, "", 0),
        );
        check(
            "block_rq_complete",
            "254,0 RA () 20863640 + 8 be,0,4 [0]",
            ("C", VDA, "RA", 20_863_640, 4096, "", 0),
        );
        check(
            "block_rq_complete",
            "8,0 WS () 0 + 0 [-5]",
            ("C", SDA, "WS", 0, 0, "", -5),
        );
        check(
            "block_rq_requeue",
            "254,0 WS () 33392 + 8 be,0,4 [0]",
            ("R", VDA, "WS", 33_392, 4096, "", 0),
        );
        check(
            "block_rq_abort",
            "8,0 WS () 33392 + 8 [0]",
            ("-", SDA, "WS", 33_392, 4096, "", 0),
        );
        let merge = body("block_rq_merge", "254,0 WS 4096 () 33392 + 8 [x]")
            .unwrap()
            .event
            .flags;
        let bio = body("block_bio_backmerge", "254,0 WS 33392 + 8 [x]")
            .unwrap()
            .event
            .flags;
        assert_eq!(
            (merge.has(Flags::FS), bio.any(Flags::FS | Flags::PC)),
            (true, false)
        );
    }

    #[test]
    fn passthrough() {
        let flags = |b: &Body<'_>| {
            (
                b.event.flags.has(Flags::PC),
                b.event.flags.has(Flags::FS),
                b.event.bytes,
            )
        };
        let inquiry = body(
            "block_rq_issue",
            "8,0 R 36 (12 00 00 00 24 00) 0 + 0 [udevd]",
        )
        .unwrap();
        assert_eq!(flags(&inquiry), (true, false, 36));
        let mut room = [0; 32];
        assert_eq!(
            hex(inquiry.command.unwrap(), &mut room),
            [0x12, 0, 0, 0, 0x24, 0]
        );
        let done = body(
            "block_rq_complete",
            "8,0 R (12 00 ..) 18446744073709551615 + 0 [0]",
        )
        .unwrap();
        assert_eq!(flags(&done), (true, false, 0));
        assert_eq!(hex(done.command.unwrap(), &mut room), [0x12, 0]);
        // Newer kernels: no command.
        assert_eq!(
            flags(&body("block_rq_issue", "8,0 N 4096 () 0 + 0 none,0,0 [sg_inq]").unwrap()),
            (true, false, 4096)
        );
        assert_eq!(
            flags(
                &body(
                    "block_rq_complete",
                    "8,0 N () 18446744073709551615 + 8 none,0,0 [0]"
                )
                .unwrap()
            ),
            (true, false, 4096)
        );
        assert_eq!(
            flags(&body("block_rq_complete", "8,0 N () 0 + 0 none,0,0 [-121]").unwrap()),
            (true, false, 0)
        );
        // A write of zeroes is not one.
        assert_eq!(
            flags(&body("block_rq_issue", "254,0 NS 4096 () 1160 + 8 [x]").unwrap()),
            (false, true, 4096)
        );
    }

    #[test]
    fn remaps_splits_plugs_and_zones() {
        let remap = |from, to, sector| EventDetail::Remap {
            from: DeviceNumber(from),
            to,
            sector,
        };
        let b = body("block_bio_remap", "8,0 R 10010384 + 8 <- (259,18) 3998944")
            .unwrap()
            .event;
        assert_eq!(
            (b.action, b.sector, b.detail),
            (
                Action::Remap,
                10_010_384,
                remap(259 << 20 | 18, SDA, 3_998_944)
            )
        );
        assert_eq!(
            body("block_bio_remap", "8,0 10010384 + 8 <- (8,1) 3998944")
                .unwrap()
                .event
                .bytes,
            4096
        );
        let b = body("block_rq_remap", "8,0 WS 64 + 8 <- (253,1) 0 2")
            .unwrap()
            .event;
        assert_eq!(
            (b.action, b.flags, b.detail),
            (
                Action::Remap,
                Flags::WRITE | Flags::SYNC,
                remap(253 << 20 | 1, SDA, 0)
            )
        );

        check(
            "block_split",
            "7,0 WS 32770 / 33802 [fio]",
            (
                "X",
                DeviceNumber(7 << 20),
                "WS",
                32_770,
                1032 * 512,
                "fio",
                0,
            ),
        );
        assert_eq!(
            body("block_split", "7,0 WS 32770 / 33802 [fio]")
                .unwrap()
                .event
                .detail,
            EventDetail::Split(33_802)
        );

        check(
            "block_plug",
            "[my [x] task]",
            ("P", DeviceNumber::NONE, "N", 0, 0, "my [x] task", 0),
        );
        check(
            "block_unplug",
            "[fio] 3",
            ("U", DeviceNumber::NONE, "N", 0, 0, "fio", 0),
        );
        assert_eq!(
            body("block_unplug", "[fio] 3").unwrap().event.detail,
            EventDetail::Unplug(3)
        );
        check(
            "block_unplug_io",
            "[fio] 3",
            ("U", DeviceNumber::NONE, "N", 0, 0, "fio", 0),
        );
        check(
            "block_unplug_timer",
            "[swapper] 3",
            ("UT", DeviceNumber::NONE, "N", 0, 0, "swapper", 0),
        );

        check(
            "disk_zone_wplug_add_bio",
            "8,0 zone 3, BIO 1572864 + 8",
            ("ZP", SDA, "W", 1_572_864, 4096, "", 0),
        );
        check(
            "blk_zone_wplug_bio",
            "8,0 zone 3, BIO 1572864 + 8",
            ("ZU", SDA, "W", 1_572_864, 4096, "", 0),
        );
    }

    #[test]
    fn bodies_of_another_shape_are_refused() {
        for (name, text) in [
            ("block_bio_queue", ""),
            ("block_bio_queue", "254,0 WS 8 + [dd]"),
            ("block_bio_queue", "254,0 WS 8 + 8"),
            ("block_bio_queue", "254,0 ?? 8 + 8 [dd]"),
            ("block_bio_queue", "99999,0 WS 8 + 8 [dd]"),
            ("block_bio_queue", "dev=266338304 sector=8 nr_sector=8"),
            ("block_rq_issue", "254,0 WS 8 + 8 [dd]"),
            ("block_rq_issue", "254,0 WS 4096 (12 8 + 8 [dd]"),
            ("block_rq_complete", "254,0 WS () 8 + 8 [dd]"),
            (
                "block_rq_complete",
                "254,0 WS () 99999999999999999999 + 8 [0]",
            ),
            ("block_bio_remap", "8,0 R 8 + 8 <- 259,18 3998944"),
            ("block_split", "7,0 WS 32770 [fio]"),
            ("block_plug", "fio"),
            ("block_unplug", "[fio]"),
            ("blk_zone_wplug_bio", "8,0 zone BIO 8 + 8"),
        ] {
            assert_eq!(body(name, text), None, "{name}: {text}");
        }
    }

    #[test]
    fn points_that_are_left_out() {
        for name in [
            "block_touch_buffer",
            "block_dirty_buffer",
            "block_rq_error",
            "blkdev_zone_mgmt",
        ] {
            assert_eq!(point(name.as_bytes()), TracePoint::Unused, "{name}");
        }
        assert_eq!(
            point(b"block_io_start"),
            TracePoint::Accounting(Action::Issue)
        );
        for name in ["sched_switch", "nvme_setup_cmd", "print", ""] {
            assert_eq!(point(name.as_bytes()), TracePoint::Foreign, "{name}");
        }
    }
}
