//! JSON of sysstat: `iostat -o JSON` and `sadf -j`. Both have `sysstat.hosts[].statistics[]`, one
//! report each; those of CPUs, which `mpstat -o JSON` has, are no results.
//!
//! ```text
//! {"sysstat": {"hosts": [{"nodename": "box", "release": "5.10", "statistics": [
//!   {"avg-cpu": {...}, "disk": [{"disk_device": "vda", "r/s": 567.6, "util": 4.6}]}      iostat
//!   {"timestamp": {...}, "disk": [{"disk-device": "vda", "tps": 3, "rkB": 12}],            sadf
//!    "io": {"tps": 3, "io-reads": {"rtps": 1, "bread": 8}, "io-writes": {"wtps": 2}}}]}]}}
//! ```

use crate::json::{Object, Value};
use crate::line::Place;
use crate::observation::NamedValue;
use crate::readers::system::columns::{Column, column};
use crate::readers::system::iostat::{add_row, omits_first};
use crate::readers::system::reports::Reports;
use crate::recognise::{Cursor, Output};

/// Names of the devices of iostat and sadf.
const IOSTAT: &str = "disk_device";
const SADF: &str = "disk-device";

pub fn read(cursor: Cursor, document: &Object) -> Option<Output> {
    let hosts = document.object("sysstat")?.array("hosts")?;
    let reports = || {
        let hosts = hosts.iter().filter_map(Value::as_object);
        let lists = hosts.filter_map(|host| host.array("statistics"));
        lists.flatten().filter_map(Value::as_object)
    };
    let has = |name: &str| {
        reports().any(|report| {
            report.array("disk").is_some_and(|disks| {
                let mut disks = disks.iter().filter_map(Value::as_object);
                disks.any(|disk| disk.get(name).is_some())
            })
        })
    };
    let iostat = has(IOSTAT);
    if !iostat && !has(SADF) && !reports().any(|report| report.object("io").is_some()) {
        return None;
    }
    // The first report of iostat is that since boot, but with -y.
    let complete = cursor.command_of("iostat").is_some_and(omits_first);
    let mut found = Reports::new(iostat && !complete);
    for report in reports() {
        found.begin();
        for disk in report.array("disk").unwrap_or(&[]) {
            if let Some(disk) = disk.as_object() {
                add_disk(&mut found, disk);
            }
        }
        if let Some(io) = report.object("io") {
            add_io(&mut found, io);
        }
    }
    let mut output = Output {
        tool: if iostat { "iostat" } else { "sar" },
        observations: found.observations(),
        ..Output::default()
    };
    let releases = hosts.iter().filter_map(Value::as_object);
    if let Some(release) = releases.filter_map(|host| host.text("release")).next() {
        output.facts.push(NamedValue::new("kernel", release));
    }
    Some(output)
}

fn add_disk(found: &mut Reports, disk: &Object) {
    let name = disk.text(IOSTAT).or_else(|| disk.text(SADF));
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return;
    };
    let (columns, numbers) = columns_of(disk);
    let numbers = shown(&numbers);
    add_row(found, "device", name, &columns, &numbers);
}

/// Adds the rates of all devices together.
fn add_io(found: &mut Reports, io: &Object) {
    let parts = ["io-reads", "io-writes", "io-discard"];
    let inner = parts.iter().filter_map(|name| io.object(name));
    for (column, value, place) in [io].into_iter().chain(inner).flat_map(numbers_of) {
        if column.is_known
            && let Some(value) = column.value(&value)
        {
            found.add("", Vec::new, &column.metric, value, place);
        }
    }
}

/// Columns, and their numbers as they are printed in a table.
fn columns_of(object: &Object) -> (Vec<Option<Column>>, Vec<(String, Place)>) {
    let all = numbers_of(object);
    all.map(|(column, value, place)| (Some(column), (value, place)))
        .unzip()
}

fn shown(numbers: &[(String, Place)]) -> Vec<(&str, Place)> {
    let borrowed = numbers.iter().map(|(text, place)| (text.as_str(), *place));
    borrowed.collect()
}

fn numbers_of<'o>(object: &'o Object) -> impl Iterator<Item = (Column, String, Place)> + 'o {
    object.members.iter().filter_map(|(key, value)| {
        let (value, place) = value.as_number()?;
        Some((column(column_name(key))?, value.to_string(), place))
    })
}

/// The name of a column that a key is in the tables of the same programs.
fn column_name(key: &str) -> &str {
    match key {
        "util" | "util-percent" => "%util",
        "rrqm" => "%rrqm",
        "wrqm" => "%wrqm",
        "drqm" => "%drqm",
        "rkB" => "rkB/s",
        "wkB" => "wkB/s",
        "dkB" => "dkB/s",
        "rd_sec" => "rd_sec/s",
        "wr_sec" => "wr_sec/s",
        "bread" => "bread/s",
        "bwrtn" => "bwrtn/s",
        "bdscd" | "dc_sec" => "bdscd/s",
        _ => key,
    }
}

#[cfg(test)]
mod tests {
    use crate::observation::Observation;
    use crate::readers::json::read;
    use crate::readers::samples::with_cursor;
    use crate::recognise::Output;

    fn output(text: &str) -> Option<Output> {
        with_cursor(text, read)
    }

    fn values(output: &Output, key: &str) -> Vec<(String, f64, String)> {
        let has_key = |o: &&Observation| o.metric.key == key;
        let shown = |o: &Observation| {
            let device = o.dimensions.first().map_or("", |d| &d.value).to_owned();
            (device, o.value, o.repeat.clone().unwrap_or_default())
        };
        output
            .observations
            .iter()
            .filter(has_key)
            .map(shown)
            .collect()
    }

    fn iostat(reports: &[f64]) -> String {
        let reports: Vec<String> = reports
            .iter()
            .map(|rate| {
                format!(
                    "{{\"avg-cpu\": {{\"user\": 7.0}},\n\"disk\": [{{\"disk_device\": \"vda\", \
                     \"r/s\": {rate}, \"rMB/s\": 2.00, \"rrqm\": 50.00, \"r_await\": 0.50, \
                     \"aqu-sz\": 0.25, \"util\": 4.64}}]}}"
                )
            })
            .collect();
        format!(
            "{{\"sysstat\": {{\n\"hosts\": [{{\"nodename\": \"box\", \"release\": \"5.10\",\n\
             \"statistics\": [\n{}]}}]}}}}\n",
            reports.join(",\n")
        )
    }

    fn named(value: f64, repeat: &str) -> (String, f64, String) {
        ("vda".to_owned(), value, repeat.to_owned())
    }

    #[test]
    fn iostat_has_the_figures_of_its_tables() {
        let found = output(&iostat(&[9.0, 100.0, 200.0])).expect("iostat");
        assert_eq!((found.tool, found.end), ("iostat", 9));
        assert_eq!(
            values(&found, "read.iops"),
            [named(100.0, "interval 1"), named(200.0, "interval 2")]
        );
        assert_eq!(
            values(&found, "read.bw")[0],
            named(2_097_152.0, "interval 1")
        );
        assert_eq!(values(&found, "read.merged")[0], named(0.5, "interval 1"));
        assert_eq!(values(&found, "read.await")[0], named(5e5, "interval 1"));
        assert_eq!(values(&found, "util")[0], named(4.64 / 100.0, "interval 1"));
        assert_eq!(found.facts[0].value, "5.10");
        let found = output(&iostat(&[9.0])).expect("iostat");
        assert_eq!(values(&found, "read.iops"), [named(9.0, "")]);
    }

    #[test]
    fn sadf_has_the_figures_of_sar() {
        let text = "{\"sysstat\": {\"hosts\": [{\"statistics\": [{\"io\": {\"tps\": 5, \"io-reads\": \
            {\"rtps\": 3, \"bread\": 8}},\n\"disk\": [{\"disk-device\": \"vda\", \"tps\": 3, \"rkB\": \
            12.5, \"areq-sz\": 4, \"await\": 0.1, \"util-percent\": 80}]}]}]}}\n";
        let found = output(text).expect("sadf");
        assert_eq!(found.tool, "sar");
        assert_eq!(values(&found, "read.bw")[0], named(12_800.0, ""));
        assert_eq!(values(&found, "util"), [named(0.8, "")]);
        let all = ("".to_owned(), 4096.0, "".to_owned());
        assert_eq!(values(&found, "read.bw")[1], all);
    }

    #[test]
    fn counters_of_cpus_are_no_results() {
        let text = "{\"sysstat\": {\"hosts\": [{\"statistics\": [{\"cpu-load\": [{\"cpu\": \"all\", \
            \"usr\": 5.5}]}]}]}}\n";
        assert!(output(text).is_none());
        assert!(output("{\"sysstat\": 5}\n").is_none());
    }
}
