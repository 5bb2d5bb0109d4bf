//! Titles without numbers, marks and words that say nothing.

use seekscope_notes::labels;

/// Words whose number says nothing where a title is behind it.
const NUMBERED: [&str; 6] = [
    "test",
    "case",
    "scenario",
    "benchmark",
    "experiment",
    "step",
];

/// A title without its number in a list: `1) `, `2. `, `(b) `, `[1] `, `Test 1: `.
pub fn without_number(title: &str) -> &str {
    if let Some((front, rest)) = title.split_once(": ") {
        let words: Vec<&str> = front.split_whitespace().collect();
        let is_number = |word: &str| word.trim_start_matches('#').parse::<u8>().is_ok();
        if let [word, number] = words[..]
            && is_number(number)
            && NUMBERED.contains(&word.to_ascii_lowercase().as_str())
        {
            return rest.trim();
        }
    }
    let text = title.strip_prefix(['(', '[']).unwrap_or(title);
    let end = text.find([')', '.', ':', ']']).unwrap_or(0);
    let number = &text[..end];
    let counts =
        !number.is_empty() && number.len() <= 2 && number.bytes().all(|b| b.is_ascii_digit());
    let letter = number.len() == 1 && number.bytes().all(|b| b.is_ascii_alphabetic());
    match text.get(end + 1..).and_then(|rest| rest.strip_prefix(' ')) {
        Some(rest) if counts || letter => rest.trim(),
        _ => title,
    }
}

/// A title without the marks around it: not without one mark of a pair, `With "bfq"`.
fn unmarked(title: &str) -> &str {
    const MARKS: [char; 10] = [
        '*', '`', '"', '\'', '_', '\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}', '\u{201e}',
    ];
    let trimmed = title.trim().trim_matches(MARKS).trim();
    let count = |text: &str, mark: char| text.matches(mark).count();
    let is_whole = |text: &str| {
        count(text, '"').is_multiple_of(2) && count(text, '\u{201c}') == count(text, '\u{201d}')
    };
    match is_whole(title) && !is_whole(trimmed) {
        true => title.trim(),
        false => trimmed,
    }
}

/// A title without the word that joins it to the one before: `and on 6.6`, `then 3.0`. `First run`
/// keeps its word.
fn without_conjunction(title: &str) -> &str {
    const JOINING: [&str; 6] = ["and", "but", "then", "now", "while", "first"];
    const BEGINS: [&str; 5] = ["on", "with", "for", "using", "without"];
    let Some((first, rest)) = title.split_once(' ') else {
        return title;
    };
    let next = rest.split(' ').next().unwrap_or(rest);
    let names_side = BEGINS.contains(&next) || labels::is_kernel_form(next);
    let joins = JOINING.iter().any(|word| first.eq_ignore_ascii_case(word));
    if joins && names_side { rest } else { title }
}

/// A title without marks of its form and words that say nothing: `On 6.12`, `Results for RAID5`.
pub fn plain(title: &str) -> &str {
    let title = unmarked(title);
    let title = crate::line::linked(title).trim_end_matches([':', '.']);
    let mut title = without_conjunction(without_number(title.trim()));
    for begin in [
        "start of ",
        "Start of ",
        "begin of ",
        "Begin of ",
        "BEGIN ",
        "Begin ",
        "begin ",
        "Results for ",
        "Results with ",
        "Results on ",
        "Results of ",
        "Result for ",
        "Output of ",
        "Output for ",
        "Output on ",
        "results for ",
        "Numbers for ",
        "On ",
        "on ",
        "For ",
        "Using ",
        "commit ",
        "Commit ",
    ] {
        if let Some(rest) = title.strip_prefix(begin) {
            title = rest.trim();
            break;
        }
    }
    for end in [
        " I see", " I get", " I got", " we see", " we get", " gives", " shows",
    ] {
        title = title.strip_suffix(end).unwrap_or(title);
    }
    unmarked(title)
}
