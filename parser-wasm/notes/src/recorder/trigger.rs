//! `trigger.txt` of an armed recorder: why a moment was kept. `docs/formats.md` has its lines.

use crate::{Fact, FactUnit, Note};

/// Begin of the first line.
const SIGN: &str = "seekscope-trigger\t";
/// Most lines before the table.
const MAX_LINES: usize = 32;

/// Adds why and when the moment was kept. `none` is the trigger of a quiet recording.
pub fn read(text: &str, note: &mut Note) {
    if !text.starts_with(SIGN) {
        return;
    }
    let lines = text
        .lines()
        .take(MAX_LINES)
        .take_while(|line| !line.is_empty());
    let pairs: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once('\t')).collect();
    let value = |key: &str| {
        let found = pairs.iter().find(|(name, _)| *name == key);
        found.map(|(_, value)| *value).filter(|value| *value != "-")
    };
    if let Some(trigger) = value("trigger") {
        note.add(Fact::text("trigger", "Trigger", trigger).about(value("device")));
    }
    if let Some(observed) = value("value") {
        note.add(Fact::text("trigger_value", "Value when it fired", observed));
    }
    let seconds = |key: &str| {
        value(key)?
            .parse()
            .ok()
            .filter(|time: &f64| time.is_finite())
    };
    if let Some(fired) = seconds("fired") {
        note.add(Fact::number(
            "trigger_fired",
            "Fired, on the clock of the trace",
            fired,
            FactUnit::Seconds.name(),
        ));
    }
}

#[cfg(test)]
mod tests {
    use crate::{FactUnit, FactValue, NoteKind, Unread, read};

    const MOMENT: &str = "seekscope-trigger\t1\nclock\tmono\ntrigger\tiops<10 for 300ms\ndevice\tvda\n\
        value\t0\nfired\t1234.567891\nend\t1239.6\nbegin\t1214.5\n\ntime\tdevice\tiops\n1234.5\tvda\t0\n";

    const QUIET: &str = "seekscope-trigger\t1\ntrigger\tnone\ndevice\t-\nvalue\t-\nfired\t-\n\n\
        time\tdevice\tiops\n1234.5\tvda\t20\n";

    fn facts(text: &str) -> Vec<(String, FactValue)> {
        let note = read("moment-1/trigger.txt", text.as_bytes());
        note.facts
            .iter()
            .map(|fact| (fact.key.to_string(), fact.value.clone()))
            .collect()
    }

    #[test]
    fn a_moment_has_its_trigger_and_when_it_fired() {
        let text = |value: &str| FactValue::Text(value.to_owned());
        assert_eq!(
            facts(MOMENT),
            [
                ("trigger".to_owned(), text("iops<10 for 300ms")),
                ("trigger_value".to_owned(), text("0")),
                ("trigger_fired".to_owned(), FactValue::Number(1_234.567_891)),
            ]
        );
        let note = read("trigger.txt", MOMENT.as_bytes());
        assert_eq!(note.kind, NoteKind::Trigger);
        assert_eq!(note.facts[0].of.as_deref(), Some("vda"));
    }

    #[test]
    fn the_time_has_its_unit_however_long_the_machine_runs() {
        let long = MOMENT.replace("1234.567891", "31536000.567891");
        let note = read("trigger.txt", long.as_bytes());
        let fired = note.facts.iter().find(|fact| fact.key == "trigger_fired");
        assert_eq!(
            fired.map(|fact| (fact.value.clone(), fact.unit)),
            Some((
                FactValue::Number(31_536_000.567_891),
                Some(FactUnit::Seconds)
            ))
        );
    }

    #[test]
    fn its_samples_are_no_results() {
        for text in [MOMENT, QUIET] {
            assert_eq!(read("trigger.txt", text.as_bytes()).unread, Unread::Nothing);
        }
    }

    #[test]
    fn a_quiet_recording_fired_nothing() {
        let all = facts(QUIET);
        assert_eq!(
            all,
            [("trigger".to_owned(), FactValue::Text("none".to_owned()))]
        );
    }

    #[test]
    fn other_texts_and_damaged_times_are_no_trigger() {
        assert_eq!(facts("trigger\tnone\nfired\t1\n"), []);
        let odd = MOMENT.replace("1234.567891", "soon");
        assert_eq!(facts(&odd).len(), 2);
    }
}
