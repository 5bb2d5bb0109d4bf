use crate::json::{Parsed, Value, parse, parse_members};
use crate::readers::samples::with_cursor;

fn with<R>(text: &str, check: impl Fn(Option<Parsed>) -> R) -> R {
    with_cursor(text, |cursor| check(parse(cursor, 0)))
}

#[test]
fn numbers_know_their_places() {
    with("{\"a\" : {\n  \"b\": [1, 2.5e3]}}\nrest", |parsed| {
        let parsed = parsed.expect("JSON");
        assert!(parsed.complete);
        assert_eq!(parsed.end, 2);
        let outer = parsed.value.as_object().expect("an object");
        let values = outer.object("a").and_then(|a| a.array("b")).expect("b");
        let (value, place) = values[1].as_number().expect("a number");
        assert_eq!(
            (value, place.line, place.start, place.end),
            (2500.0, 1, 11, 16)
        );
    });
}

#[test]
fn what_is_cut_off_is_kept_to_there() {
    let cases = [
        ("{\"a\": 1,\n\"b\": [1, 2", 2),
        ("{\"a\": 1,\n\"b\": {\n\n## 6.12\n", 3),
        ("{\"a\": 1,\n  ...\n  [...]\n\"c\": 3", 4),
    ];
    for (text, end) in cases {
        with(text, |parsed| {
            let parsed = parsed.expect("JSON");
            assert!(!parsed.complete, "{text}");
            assert_eq!(parsed.end, end, "{text}");
            let object = parsed.value.as_object().expect("an object");
            assert_eq!(object.number("a").map(|n| n.0), Some(1.0), "{text}");
        });
    }
}

#[test]
fn dictionaries_of_python_and_wrapped_strings_are_read() {
    with(
        "{'disk': b'vda', 'all': None,\n 'name': 'one\n two', \"n\": -nan}",
        |parsed| {
            let parsed = parsed.expect("JSON");
            assert!(parsed.complete);
            let object = parsed.value.as_object().expect("an object");
            assert_eq!(object.text("disk"), Some("vda"));
            assert_eq!(object.text("name"), Some("one two"));
            assert_eq!(object.get("n"), Some(&Value::Other));
        },
    );
}

#[test]
fn members_without_their_object_are_read() {
    let text = "\"read\" : {\n \"iops\" : 5\n},\n\"write\" : {\n \"iops\" : 6\n}\n}\nx";
    with_cursor(text, |cursor| {
        let parsed = parse_members(cursor, 0).expect("members");
        let object = parsed.value.as_object().expect("an object");
        assert_eq!(object.members.len(), 2);
        assert_eq!(parsed.end, 7);
    });
}

#[test]
fn other_brackets_are_no_complete_json() {
    for text in [
        "[root@host ~]# fio x",
        "[1]+  Done   dd if=/dev/zero",
        "[   12.345] sd 0:0:0:0: attached",
        "{ int x = 5; }",
        "{",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ] {
        with(text, |parsed| {
            assert!(parsed.is_none_or(|parsed| !parsed.complete), "{text}");
        });
    }
}
