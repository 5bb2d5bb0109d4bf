//! fio's lines that a mail program has wrapped.

use super::lines;
use crate::line::Line;
use crate::recognise::Cursor;
use std::borrow::Cow;

/// Length of lines that a mail program may have wrapped, and of those with the next word behind it,
/// which did not fit.
const MIN_WRAPPED: usize = 40;
const MIN_WIDTH: usize = 50;
/// Lines that one line of fio was broken into, besides the first.
const MAX_JOINED: usize = 4;

/// A line joined with the rest of it that a mail program put into the next line, and the offset
/// behind it.
pub fn unwrapped<'a>(cursor: Cursor<'a>, offset: usize) -> Option<(Cow<'a, Line>, usize)> {
    let mut line = Cow::Borrowed(cursor.line(offset)?);
    let mut next = offset + 1;
    while let Some(rest) = cursor.line(next).filter(|_| next <= offset + MAX_JOINED) {
        let is_rest = || {
            (is_fragment(rest.text()) || are_options(line.text(), rest.text()))
                && lines::read(rest.text()).is_none()
        };
        let wrapped =
            is_full(line.text(), rest.text()) && (is_open(line.text(), rest.text()) || is_rest());
        if !wrapped {
            break;
        }
        line = Cow::Owned(line.joined(rest));
        next += 1;
    }
    Some((line, next))
}

/// Whether a line is so long that the first word of the next one may not have fitted.
fn is_full(line: &str, rest: &str) -> bool {
    let word = rest.split_whitespace().next().map_or(0, str::len);
    line.len() >= MIN_WRAPPED || line.len() + word >= MIN_WIDTH
}

/// Whether a line ends within a figure whose number begins the next one: `stdev=` above `80.52`.
/// The rest may look like a title or like another line of fio.
fn is_open(line: &str, rest: &str) -> bool {
    line.trim_end().ends_with(['=', '['])
        && rest.trim_start().starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a word is the key of one of fio's figures: `min`, `1.00th`, `>=64` of a distribution.
/// Other lines of `key=value` are titles of what is below them.
fn is_key(key: &str) -> bool {
    const KEYS: [&str; 42] = [
        "min",
        "max",
        "avg",
        "stdev",
        "samples",
        "per",
        "io",
        "bw",
        "BW",
        "iops",
        "IOPS",
        "aggrb",
        "minb",
        "maxb",
        "mint",
        "maxt",
        "run",
        "runt",
        "ios",
        "merge",
        "ticks",
        "in_queue",
        "util",
        "sectors",
        "aggrios",
        "aggrmerge",
        "aggrticks",
        "aggrin_queue",
        "aggrutil",
        "aggrsectors",
        "usr",
        "sys",
        "ctx",
        "majf",
        "minf",
        "total",
        "short",
        "dropped",
        "target",
        "window",
        "percentile",
        "pid",
    ];
    let bare = key.trim_start_matches([',', '>', '|']);
    bare.is_empty()
        || bare.starts_with(|c: char| c.is_ascii_digit())
        || bare == "depth"
        || KEYS.contains(&bare)
}

/// Whether a word is a title in brackets, `[after]`, and no value: `[24512]`.
fn is_title(word: &str) -> bool {
    let inner = word
        .strip_prefix('[')
        .and_then(|word| word.strip_suffix(']'));
    inner.is_some_and(|inner| !inner.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether a line ends the options with which fio announces a job.
fn are_options(line: &str, rest: &str) -> bool {
    const OPTIONS: [&str; 3] = ["bs", "ioengine", "iodepth"];
    let is_option = |word: &str| {
        let key = word.split_once('=').map(|(key, _)| key);
        key.is_some_and(|key| OPTIONS.contains(&key))
    };
    line.contains(": (g=") && line.trim_end().ends_with(',') && rest.split(' ').all(is_option)
}

/// Whether a word is part of the date that ends the first line of a job: `Tue Mar  4 10:11:12`.
fn is_date_word(word: &str) -> bool {
    const NAMES: &str =
        "Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
    let is_clock = || {
        let mut groups = word.split(':');
        word.len() == 8 && groups.all(|group| group.len() == 2 && group.parse::<u8>().is_ok())
    };
    word.len() == 3 && NAMES.split(' ').any(|name| name == word) || is_clock()
}

/// Whether a line can only be the rest of one of fio's lines.
fn is_fragment(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let piece = |word: &str| {
        let digit = word.starts_with(|c: char| c.is_ascii_digit());
        word.split_once('=').is_some_and(|(key, _)| is_key(key))
            || word.starts_with(['(', '|'])
            || word.ends_with(['%', ']']) && !is_title(word)
            || word.ends_with("],")
            || word.ends_with("%,")
            || matches!(word, "zone" | "resets" | "resets;")
            || is_date_word(word)
            || digit && (word.contains("B-") || word.contains("msec") || word.contains("B/s"))
            || digit && word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit())
            || digit && word.ends_with("],")
            || digit
                && word
                    .trim_end_matches(',')
                    .bytes()
                    .all(|b| b.is_ascii_digit())
    };
    words.clone().next().is_some() && words.all(piece)
}

#[cfg(test)]
mod tests {
    use crate::readers::fio::read;
    use crate::readers::samples::outputs;

    const FIO_3: &str = "\
w: (groupid=0, jobs=1): err= 0: pid=2211: Tue Mar  4 10:11:12 2025
  read: IOPS=103k, BW=402MiB/s (422MB/s)(4096MiB/10173msec)
    slat (nsec): min=1203, max=90112, avg=2210.40, stdev=310.22
    clat (usec): min=60, max=9012, avg=298.51, stdev=80.52
     lat (usec): min=62, max=9015, avg=300.72, stdev=80.61
    clat percentiles (usec):
     |  1.00th=[  120],  5.00th=[  180], 10.00th=[  210], 20.00th=[  240],
     | 30.00th=[  260], 40.00th=[  280], 50.00th=[  290], 60.00th=[  306],
     | 99.00th=[  520], 99.50th=[  610], 99.90th=[ 1020], 99.95th=[ 1532]
   bw (  KiB/s): min=398112, max=421004, per=100.00%, avg=411903.20, stdev=5021.11, samples=20
   iops        : min=99528, max=105251, avg=102975.80, stdev=1255.28, samples=20
  cpu          : usr=12.21%, sys=41.02%, ctx=1048576, majf=0, minf=12

Run status group 0 (all jobs):
   READ: bw=402MiB/s (422MB/s), 402MiB/s-402MiB/s (422MB/s-422MB/s), io=4096MiB (4295MB)
";

    /// The text with each line broken behind the last word that fits.
    fn wrapped_at(text: &str, width: usize) -> String {
        let mut wrapped = String::new();
        for line in text.lines() {
            let mut rest = line;
            while rest.len() > width {
                let indent = rest.len() - rest.trim_start().len();
                let cut = rest[..=width].rfind(' ').filter(|cut| *cut > indent);
                let (front, back) = rest.split_at(cut.unwrap_or(rest.len()));
                wrapped.push_str(front);
                wrapped.push('\n');
                rest = back.trim_start_matches(' ');
            }
            wrapped.push_str(rest);
            wrapped.push('\n');
        }
        wrapped
    }

    #[test]
    fn narrow_lines_have_the_same_figures() {
        let figures = |text: &str| -> Vec<Vec<(String, f64)>> {
            let found = outputs(text, read);
            let figures = found.iter().map(|output| {
                let figures = output.observations.iter();
                figures.map(|o| (o.metric.key.clone(), o.value)).collect()
            });
            figures.collect()
        };
        let expected = figures(FIO_3);
        assert_eq!(expected.len(), 1);
        for width in 50..=90 {
            let text = wrapped_at(FIO_3, width);
            assert_eq!(figures(&text), expected, "{width}: {text}");
        }
    }
}
