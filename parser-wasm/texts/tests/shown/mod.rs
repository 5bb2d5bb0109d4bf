//! The figures that are read of a text, as lines.

use seekscope_texts::{TextInput, read};

/// `run=base test=read throughput 512000000` for each figure of a text.
pub fn figures(text: &str) -> Vec<String> {
    let set = read(&[TextInput {
        path: "mail.txt",
        argument: None,
        bytes: text.as_bytes(),
    }]);
    let mut found = Vec::new();
    for table in &set.tables {
        for run in &table.runs {
            let named = table.dimensions.iter().zip(&run.values);
            let named: Vec<String> = named.map(|(d, v)| format!("{}={v}", d.name)).collect();
            for figure in &run.figures {
                let line = format!("{} {} {}", named.join(" "), figure.label, figure.value);
                found.push(line.trim().to_owned());
            }
        }
    }
    found
}

pub fn assert_has(text: &str, count: usize, expected: &[&str]) {
    let found = figures(text);
    assert_eq!(found.len(), count, "{found:#?}");
    for figure in expected {
        assert!(
            found.iter().any(|line| line == figure),
            "{figure}: {found:#?}"
        );
    }
}
