//! What `time` prints, in all its forms:
//!
//! ```text
//! real    0m41.217s                                   bash, ksh, busybox; any order
//! real 141.20                                         POSIX
//! real 0m41.217s user 0m0.130s sys 0m8.910s           pasted into one line
//! 0.13user 8.91system 1:11.21elapsed 12%CPU (...)k    GNU
//!     Elapsed (wall clock) time (h:mm:ss or m:ss): 1:11.21
//! cp -r a b  0.13s user 8.91s system 12% cpu 1:11.21 total        zsh
//! 0.130u 8.910s 1:11.21 12.6%     0+0k 41218+821120io 0pf+0w      tcsh
//!         1.23 real         0.13 user         8.91 sys            BSD, macOS, mksh
//! Executed in    1.23 secs      fish           external           fish
//! ```

use crate::readers::benchmarks::collect::{
    Collector, SECOND, clock, decimal, leading, nanoseconds, time, words,
};
use crate::recognise::{Cursor, Output};

/// Lines of `time -v`, and of them those behind one that it does not have.
const MAX_VERBOSE: usize = 30;

/// A kind of time: the key's begin, and its words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Real,
    User,
    System,
}

impl Kind {
    fn named(word: &str) -> Option<Kind> {
        match word {
            "real" | "total" | "elapsed" => Some(Kind::Real),
            "user" | "usr" => Some(Kind::User),
            "sys" | "system" => Some(Kind::System),
            _ => None,
        }
    }

    fn key(self) -> (&'static str, &'static str) {
        match self {
            Kind::Real => ("real", "real time"),
            Kind::User => ("user", "user time"),
            Kind::System => ("sys", "sys time"),
        }
    }
}

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut found = Collector::new(cursor, "time");
    let text = cursor.text(0);
    let end = read_lines(&mut found, cursor)
        .or_else(|| read_pairs(&mut found, text).then_some(1))
        .or_else(|| read_verbose(&mut found, cursor))
        .or_else(|| read_gnu(&mut found, cursor))
        .or_else(|| read_fish(&mut found, cursor))
        .or_else(|| read_words(&mut found, text).then_some(1))
        .or_else(|| read_tcsh(&mut found, text).then_some(1))?;
    found.finish(end)
}

fn add(found: &mut Collector, offset: usize, word: &str, kind: Kind, seconds: f64) {
    let (key, label) = kind.key();
    found.add(offset, word, time(key, label), seconds * SECOND);
}

/// Lines of one time each, in any order; the second of a kind belongs to the next output.
fn read_lines(found: &mut Collector, cursor: Cursor) -> Option<usize> {
    let mut seen: Vec<Kind> = Vec::new();
    let mut offset = 0;
    while let Some((kind, shown, seconds)) = named_time(cursor.text(offset)) {
        if seen.contains(&kind) {
            let again = offset > 0 && cursor.text(offset) == cursor.text(offset - 1);
            let next = named_time(cursor.text(offset + 1)).map(|(next, ..)| next);
            // Several equal times of one kind are those of several runs.
            if !again || seen.len() == 1 && next.is_none_or(|next| next == kind) {
                break;
            }
            offset += 1;
            continue;
        }
        seen.push(kind);
        add(found, offset, shown, kind, seconds);
        offset += 1;
        // Texts that passed through a tracker have empty lines between them.
        let next = cursor.text(offset + 1);
        let blank = cursor.text(offset).trim().is_empty();
        if blank && named_time(next).is_some_and(|(kind, ..)| !seen.contains(&kind)) {
            offset += 1;
        }
    }
    seen.contains(&Kind::Real).then_some(offset)
}

/// `real 1m15.300s user 0m5.000s sys 0m9.200s` in one line, perhaps with commas between.
fn read_pairs(found: &mut Collector, text: &str) -> bool {
    let words: Vec<&str> = words(text);
    let pairs: Vec<Option<(Kind, &str, f64)>> = words
        .chunks(2)
        .map(|pair| match pair {
            [name, shown] if matches!(*name, "real" | "user" | "sys") => {
                let shown = shown.trim_end_matches(',');
                Some((Kind::named(name)?, shown, clock(shown)?))
            }
            _ => None,
        })
        .collect();
    let Some(pairs) = pairs.into_iter().collect::<Option<Vec<_>>>() else {
        return false;
    };
    let has_real = pairs.iter().any(|(kind, ..)| *kind == Kind::Real);
    if pairs.len() < 2 || !has_real {
        return false;
    }
    for (kind, shown, seconds) in pairs {
        add(found, 0, shown, kind, seconds);
    }
    true
}

/// The time in `real 0m41.217s` or `user: 0.13`.
fn named_time(text: &str) -> Option<(Kind, &str, f64)> {
    let text = text.trim();
    let (name, rest) = text.split_once(|c: char| c.is_whitespace() || c == ':')?;
    let kind = match name {
        "real" | "user" | "sys" => Kind::named(name)?,
        _ => return None,
    };
    let shown = rest.trim_start_matches(':').trim();
    let digits = shown.starts_with(|c: char| c.is_ascii_digit());
    let seconds = clock(shown).filter(|_| digits && words(shown).len() <= 2)?;
    Some((kind, shown, seconds))
}

fn read_verbose(found: &mut Collector, cursor: Cursor) -> Option<usize> {
    let first = cursor.text(0).trim();
    let begins = [
        "Command being timed: ",
        "User time (seconds): ",
        "System time (seconds): ",
    ]
    .iter()
    .any(|begin| first.starts_with(begin))
        || first.starts_with("Elapsed (wall clock) time");
    if !begins {
        return None;
    }
    let mut end = 0;
    let mut elapsed = false;
    for offset in 0..MAX_VERBOSE {
        let text = cursor.text(offset).trim();
        let Some((name, shown)) = text.rsplit_once(": ") else {
            break;
        };
        if offset > 0 && name == "Command being timed" {
            break;
        }
        let kind = match name {
            "User time (seconds)" => Kind::User,
            "System time (seconds)" => Kind::System,
            "Elapsed (wall clock) time (h:mm:ss or m:ss)" => Kind::Real,
            _ => {
                end = offset + 1;
                continue;
            }
        };
        if found.has(kind.key().0) {
            break;
        }
        end = offset + 1;
        if let Some(seconds) = clock(shown) {
            elapsed |= kind == Kind::Real;
            add(found, offset, shown, kind, seconds);
        }
    }
    elapsed.then_some(end)
}

/// The format of GNU `time`, of which the last words are often cut.
fn read_gnu(found: &mut Collector, cursor: Cursor) -> Option<usize> {
    let text = cursor.text(0);
    let mut parts = text.split_whitespace();
    let user = parts.next()?.strip_suffix("user")?;
    let (system, elapsed) = (parts.next()?, parts.next()?);
    let times = [
        (user, Kind::User),
        (system.strip_suffix("system")?, Kind::System),
        (elapsed.strip_suffix("elapsed")?, Kind::Real),
    ];
    for (shown, kind) in times {
        add(found, 0, shown, kind, clock(shown)?);
    }
    let second = cursor.text(1);
    let has_second = second.contains("inputs+") && second.contains("pagefaults");
    Some(if has_second { 2 } else { 1 })
}

/// Times before their names: `0.13s user 8.91s system 12% cpu 1:11.21 total`, and
/// `1.23 real 0.13 user 8.91 sys`.
fn read_words(found: &mut Collector, text: &str) -> bool {
    if !text.trim_end().ends_with(['l', 's', 'm']) {
        return false;
    }
    let parts = words(text);
    let is_bsd = parts.len() == 6
        && (parts[1], parts[3]) == ("real", "user")
        && matches!(parts[5], "sys" | "system");
    let is_zsh = parts.len() >= 8 && text.trim_end().ends_with(" total") && text.contains("% cpu ");
    if !is_bsd && !is_zsh {
        return false;
    }
    // The command of zsh may have the same words.
    let begin = parts.len() - if is_bsd { 6 } else { 8 };
    let mut times = Vec::new();
    for pair in parts[begin..].windows(2) {
        let [shown, name] = pair else { continue };
        if let (Some(kind), Some(seconds)) = (Kind::named(name), clock(shown)) {
            times.push((*shown, kind, seconds));
        }
    }
    if times.len() != 3 {
        return false;
    }
    for (shown, kind, seconds) in times {
        add(found, 0, shown, kind, seconds);
    }
    true
}

fn read_tcsh(found: &mut Collector, text: &str) -> bool {
    let is_user =
        |word: &str| word.ends_with('u') && word.starts_with(|c: char| c.is_ascii_digit());
    if !text.split_whitespace().next().is_some_and(is_user) {
        return false;
    }
    let parts = words(text);
    let [user, system, elapsed, percent, ..] = parts.as_slice() else {
        return false;
    };
    let times = (
        user.strip_suffix('u').and_then(decimal),
        system.strip_suffix('s').and_then(decimal),
        clock(elapsed).filter(|_| elapsed.contains(':')),
        percent.strip_suffix('%').and_then(decimal),
    );
    let (Some(user_time), Some(system_time), Some(real_time), Some(_)) = times else {
        return false;
    };
    add(found, 0, elapsed, Kind::Real, real_time);
    add(found, 0, user, Kind::User, user_time);
    add(found, 0, system, Kind::System, system_time);
    true
}

/// `Executed in    1.23 secs      fish           external`, and the lines below.
fn read_fish(found: &mut Collector, cursor: Cursor) -> Option<usize> {
    let first = cursor.text(0).trim().strip_prefix("Executed in ")?;
    for (offset, kind, begin) in [
        (0, Kind::Real, ""),
        (1, Kind::User, "usr time"),
        (2, Kind::System, "sys time"),
    ] {
        let rest = if offset == 0 {
            Some(first)
        } else {
            cursor.text(offset).trim().strip_prefix(begin)
        };
        let Some((shown, value, unit)) = rest.and_then(|rest| leading(rest.trim())) else {
            return (offset > 0).then_some(offset);
        };
        let unit = unit.split_whitespace().next()?;
        let factor = match unit {
            "millis" => 1e6,
            "micros" => 1e3,
            "nanos" => 1.0,
            "mins" | "minutes" => 60e9,
            _ => nanoseconds(unit)?,
        };
        add(found, offset, shown, kind, value * factor / SECOND);
    }
    Some(3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn all_forms_have_the_three_times() {
        let cases = [
            "real\t1m11.25s\nuser\t0m0.5s\nsys\t0m8.75s",
            "real\t1m11,250s\nuser\t0m0,500s\nsys\t0m8,750s",
            "real 71.25\nuser 0.50\nsys 8.75",
            "user    0m0.500s\nsys     0m8.750s\nreal    1m11.250s",
            "real\t1m 11.25s\nuser\t0m 0.50s\nsys\t0m 8.75s",
            "real\t1m11.25s\n\nuser\t0m0.5s\n\nsys\t0m8.75s",
            "0.50user 8.75system 1:11.25elapsed 12%CPU (0avgtext+0avgdata 2212maxresident)k\n\
             41218inputs+821120outputs (0major+112minor)pagefaults 0swaps",
            "cp -r a total  0.50s user 8.75s system 12% cpu 1:11.25 total",
            "0.500u 8.750s 1:11.25 12.6%\t0+0k 41218+821120io 0pf+0w",
            "       71.25 real         0.50 user         8.75 sys",
            "    1m11.25s real     0m0.50s user     0m8.75s system",
            "Executed in   71.25 secs      fish           external\n   \
             usr time  500.00 millis    0.00 micros  500.00 millis\n   \
             sys time    8.75 secs    0.00 micros    8.75 secs",
            "\tCommand being timed: \"cp: a b\"\n\tUser time (seconds): 0.50\n\
             \tSystem time (seconds): 8.75\n\tPercent of CPU this job got: 12%\n\
             \tElapsed (wall clock) time (h:mm:ss or m:ss): 1:11.25\n\
             \tMaximum resident set size (kbytes): 1876\n\tExit status: 0",
        ];
        for text in cases {
            let mut found = figures(read, text);
            found.sort();
            assert_eq!(
                found,
                ["real 71250000000", "sys 8750000000", "user 500000000"],
                "{text}"
            );
            assert_eq!(
                outputs(read, &format!("{text}\n\n{text}\n{text}")).len(),
                3,
                "{text}"
            );
        }
    }

    #[test]
    fn lines_that_are_quoted_twice_are_one_output() {
        let text = "real\t1m11.25s\nreal\t1m11.25s\nuser\t0m0.5s\nuser\t0m0.5s\n\
            sys\t0m8.75s\nsys\t0m8.75s\n";
        assert_eq!(
            figures(read, text),
            ["real 71250000000", "user 500000000", "sys 8750000000"]
        );
        assert_eq!(outputs(read, "real 1.5\nreal 1.5\nreal 1.5\n").len(), 3);
    }

    #[test]
    fn other_lines_with_these_words_are_left() {
        for text in [
            "real work 12 s",
            "user 12",
            "user: 1000",
            "12% cpu in total",
            "sys 1.2",
            "real",
            "User time (seconds): 0.13",
        ] {
            assert!(figures(read, text).is_empty(), "{text}");
        }
    }
}
