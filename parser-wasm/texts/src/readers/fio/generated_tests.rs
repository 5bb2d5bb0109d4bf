//! Outputs of all versions with other numbers and names: the figures follow them.

use super::read;
use crate::readers::samples::{outputs, value};

/// A small generator of numbers, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        1 + (self.0 >> 33) % limit
    }
}

/// The figures that the text of one job was made of.
struct Truth {
    name: String,
    iops: u64,
    kib: u64,
    mean: u64,
    max: u64,
    p99: u64,
}

impl Truth {
    fn new(numbers: &mut Numbers, index: usize) -> Truth {
        let iops = numbers.below(99_999);
        Truth {
            name: format!("job-{index}.{}", numbers.below(1000)),
            iops,
            kib: iops * 4,
            mean: numbers.below(50_000),
            max: 50_000 + numbers.below(900_000),
            p99: numbers.below(50_000),
        }
    }

    fn normal(&self, version: u32) -> String {
        let Truth {
            name,
            iops,
            kib,
            mean,
            max,
            p99,
        } = self;
        let rates = match version {
            1 => format!("  read : io=1MB, bw={kib}KB/s, iops={iops} , runt= 60001msec"),
            2 => format!("  read : io=3777.6MB, bw={kib}KB/s, iops={iops}, runt= 60003msec"),
            _ => format!("  read: IOPS={iops}, BW={kib}KiB/s (1kB/s)(96.8MiB/60100msec)"),
        };
        format!(
            "{name}: (groupid=0, jobs=1): err= 0: pid=1\n{rates}\n    clat (usec): min=0, \
             max={max}, avg={mean}.00, stdev= 1.92\n    clat percentiles (usec):\n     | \
             50.00th=[    1], 99.00th=[{p99:>5}],\n"
        )
    }

    fn json(&self) -> String {
        format!(
            "{{\"jobname\": \"{}\", \"groupid\": 0,\n \"read\": {{\"iops\": {}.0, \"bw_bytes\": {},\n \
             \"clat_ns\": {{\"max\": {}, \"mean\": {}.5, \"percentile\": {{\"99.000000\": {}}}}}}}}}",
            self.name,
            self.iops,
            self.kib * 1024,
            self.max * 1000,
            self.mean * 1000,
            self.p99 * 1000,
        )
    }
}

#[test]
fn figures_follow_the_text_in_all_forms() {
    let mut numbers = Numbers(7);
    for round in 0..200 {
        let jobs: Vec<Truth> = (0..1 + round % 5)
            .map(|index| Truth::new(&mut numbers, index))
            .collect();
        let listed: Vec<String> = jobs.iter().map(Truth::json).collect();
        let json = format!(
            "{{\"fio version\": \"fio-3.33\", \"jobs\": [\n{}]}}\n",
            listed.join(",\n")
        );
        let mut texts: Vec<String> = (1..=3)
            .map(|version| jobs.iter().map(|job| job.normal(version)).collect())
            .collect();
        texts.push(json);
        for text in texts {
            let found = outputs(&text, read);
            assert_eq!(found.len(), 1, "{text}");
            for job in &jobs {
                // The name of the only job is a fact.
                let named = [job.name.as_str()];
                let dimensions = if jobs.len() > 1 { &named[..] } else { &[] };
                let near = |key: &str, expected: u64| {
                    let figure = value(&found[0], key, dimensions).unwrap_or(-1.0);
                    assert!(
                        (figure - expected as f64).abs() < 1.0,
                        "{key} {figure} in {text}"
                    );
                };
                near("read.iops", job.iops);
                near("read.bw", job.kib * 1024);
                near("read.clat_mean", job.mean * 1000);
                near("read.clat_max", job.max * 1000);
                near("read.clat_p99", job.p99 * 1000);
            }
        }
    }
}
