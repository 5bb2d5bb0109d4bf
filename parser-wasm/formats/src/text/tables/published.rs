//! Rows of more published block traces.
//!
//! | trace | columns | units |
//! |---|---|---|
//! | SPC (UMass) | `asu,lba,size,op,time` | blocks of 512 bytes of the unit, bytes, `r` or `w`, s since the start |
//! | SYSTOR '17 | `Timestamp,Response,IOType,LUN,Offset,Size` | s since 1970, s, bytes |
//! | Tencent | `Timestamp,Offset,Size,IOType,VolumeID` | s since 1970, blocks of 512 bytes, 0 reads and 1 writes |
//! | FIU | time, pid, process, lba, size, `R` or `W`, major, minor, perhaps an MD5; between blanks | ns, blocks of 512 bytes |

use super::csv::{CsvRow, direction, number};
use crate::text::scan::decimal;
use seekscope_trace::event::DeviceNumber;

const SECOND: u64 = 1_000_000_000;
/// The years that a time is taken to be in (2000 to 2100), in Unix time, ns.
const YEARS: std::ops::Range<u64> = 946_684_800 * SECOND..4_102_444_800 * SECOND;
pub const SYSTOR: &[u8] = b"Timestamp,Response,IOType,LUN,Offset,Size";
pub const TENCENT: &[u8] = b"Timestamp,Offset,Size,IOType,VolumeID";

/// The words of a line between commas, without blanks around them.
fn cells<const N: usize>(line: &[u8]) -> Option<[&[u8]; N]> {
    let mut words = line.split(|&b| b == b',').map(<[u8]>::trim_ascii);
    let mut cells = [&b""[..]; N];
    for cell in &mut cells {
        *cell = words.next()?;
    }
    words.next().is_none().then_some(cells)
}

fn blocks(word: &[u8]) -> Option<u32> {
    u32::try_from(number(word)?.checked_mul(512)?).ok()
}

pub fn spc(line: &[u8]) -> Option<CsvRow<'_>> {
    let [unit, block, bytes, operation, time] = cells(line)?;
    number(unit).filter(|unit| *unit <= u64::from(u16::MAX))?;
    // A count of seconds without a fraction is another table.
    let is_fraction = time.contains(&b'.');
    let operation = operation.to_ascii_lowercase();
    Some(CsvRow {
        time: decimal(time, SECOND).filter(|_| is_fraction)?,
        sector: number(block)?,
        bytes: number(bytes)?.try_into().ok().filter(|bytes| *bytes > 0)?,
        flags: Some(direction(&operation, b"r", b"w")?),
        device: (b"asu", unit),
        ..CsvRow::default()
    })
}

pub fn systor(line: &[u8]) -> Option<CsvRow<'_>> {
    let [time, response, operation, unit, offset, bytes] = cells(line)?;
    let issued = decimal(time, SECOND).filter(|time| YEARS.contains(time))?;
    // Some rows have no response time, or no operation.
    let latency = match response {
        b"" => None,
        _ => Some(decimal(response, SECOND)?),
    };
    let flags = match operation {
        b"" => None,
        _ => Some(direction(operation, b"R", b"W")?),
    };
    number(unit)?;
    Some(CsvRow {
        time: issued.checked_add(latency.unwrap_or(0))?,
        latency,
        sector: number(offset)? / 512,
        bytes: number(bytes)?.try_into().ok()?,
        flags: flags.filter(|_| latency.is_some()),
        device: (b"lun", unit),
        ..CsvRow::default()
    })
}

pub fn tencent(line: &[u8]) -> Option<CsvRow<'_>> {
    let [time, block, size, operation, volume] = cells(line)?;
    let time = number(time)?.checked_mul(SECOND)?;
    number(volume)?;
    Some(CsvRow {
        time: Some(time).filter(|time| YEARS.contains(time))?,
        sector: number(block)?,
        bytes: blocks(size).filter(|bytes| *bytes > 0)?,
        flags: Some(direction(operation, b"0", b"1")?),
        device: (b"volume", volume),
        ..CsvRow::default()
    })
}

/// Whether a row is one of Tencent by its shape alone: five numbers are a weak sign, so its size
/// must be whole blocks of 4 KiB.
pub fn is_tencent(line: &[u8]) -> bool {
    tencent(line).is_some_and(|row| row.bytes % 4096 == 0)
}

pub fn fiu(line: &[u8]) -> Option<CsvRow<'_>> {
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let mut word = || words.next();
    let (time, pid, task) = (number(word()?)?, number(word()?)?, word()?);
    let (block, size) = (number(word()?)?, word()?);
    let flags = direction(word()?, b"R", b"W")?;
    let (major, minor) = (number(word()?)?, number(word()?)?);
    let is_hash = |hash: &[u8]| hash.len() == 32 && hash.iter().all(u8::is_ascii_hexdigit);
    if !word().is_none_or(is_hash) || major >= 1 << 12 || minor >= 1 << 20 {
        return None;
    }
    Some(CsvRow {
        time,
        sector: block,
        bytes: blocks(size).filter(|bytes| *bytes > 0)?,
        flags: Some(flags),
        number: Some(DeviceNumber((major as u32) << 20 | minor as u32)),
        task: Some((u32::try_from(pid).ok()?, task)),
        ..CsvRow::default()
    })
}

#[cfg(test)]
mod tests {
    use crate::text::tests::decoded;

    /// Time, action, operation and place of the events.
    fn events(text: &str) -> Vec<String> {
        let (records, report) = decoded(text);
        assert_eq!(report.odd_lines, None, "{text}");
        let event = |record: &String| {
            let words: Vec<&str> = record.split(' ').collect();
            (words.len() == 7).then(|| [words[0], words[4], words[5], words[6]].join(" "))
        };
        records.iter().filter_map(event).collect()
    }

    #[test]
    fn rows_of_spc() {
        let text = "0,303567,3584,w,0.000000\n1,55590,3072,W,0.000000\n0,303574,3584,R,0.026214\n";
        assert_eq!(
            events(text),
            ["0 Q W 303567+7", "0 Q W 55590+6", "26214000 Q R 303574+7"]
        );
        assert!(
            decoded(text)
                .0
                .iter()
                .any(|record| record.ends_with(" is asu_1"))
        );
    }

    #[test]
    fn rows_of_systor() {
        let rows = "1455592380.006700000,0.000319957733154,R,4,2012213248,4096\n\
                    1455592380.006900000,0.000419957733154,W,4,2012217344,8192\n\
                    1455592380.5,,,3,0,0\n\
                    1455592381.006900000,0.000219957733154,W,3,1012217344,8192\n";
        let headed = format!("Timestamp,Response,IOType,LUN,Offset,Size\n{rows}");
        let expected = [
            "1455592380006700000 D R 3930104+8",
            "1455592380006900000 D W 3930112+16",
            "1455592380007019957 C R 3930104+8",
            "1455592380007319957 C W 3930112+16",
            "1455592381006900000 D W 1976987+16",
            "1455592381007119957 C W 1976987+16",
        ];
        assert_eq!(events(&headed), expected);
        assert_eq!(events(rows), expected);
        assert_eq!(decoded(&headed).1.other_events, 1);
    }

    #[test]
    fn rows_of_tencent() {
        let rows = "1538323200,12910952,128,0,1063\n1538323200,6338688,8,1,1627\n1538323201,1904106,384,0,1360\n";
        let expected = [
            "1538323200000000000 Q R 12910952+128",
            "1538323200000000000 Q W 6338688+8",
            "1538323201000000000 Q R 1904106+384",
        ];
        assert_eq!(events(rows), expected);
        let headed = format!("Timestamp,Offset,Size,IOType,VolumeID\n{rows}");
        assert_eq!(events(&headed), expected);
    }

    #[test]
    fn rows_of_fiu() {
        let hash = "0123456789abcdef0123456789abcdef";
        let text = format!(
            "89966466034500 4892 syslogd 904265560 8 W 6 0 {hash}\n\
             89966466034900 2522 kjournald 904265568 16 R 6 1 {hash}\n89966466035000 4892 syslogd 8 8 W 6 0\n"
        );
        let (records, report) = decoded(&text);
        assert_eq!(report.formats, ["fiu"]);
        assert_eq!(
            events(&text),
            [
                "89966466034500 Q W 904265560+8",
                "89966466034900 Q R 904265568+16",
                "89966466035000 Q W 8+8"
            ]
        );
        assert!(
            records.contains(&"4892 is syslogd".to_owned()),
            "{records:?}"
        );
    }

    #[test]
    fn other_tables_are_none_of_these() {
        for row in [
            "0,303567,3584,w,12",
            "0,303567,3584,x,0.5",
            "70000,1,512,r,0.5",
            "1538323200,10,3,0,7",
            "1538323200,10,8,2,7",
            "1538,10,8,0,7",
            "1538323200,0.2,R,1,4096",
            "12,0.1,R,4,4096,4096",
            "1 2 name 3 4 R 5 6 seven",
            "1 2 name 3 4 R 5",
        ] {
            let text = format!("{row}\n").repeat(4);
            assert_eq!(decoded(&text).0, [""; 0], "{row}");
        }
    }
}
