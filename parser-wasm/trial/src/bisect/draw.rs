//! Further runs of a measurement, drawn from its repeats.

use seekscope_core::compare::ComparedRun;
use seekscope_core::compare::metric::{self, Metric};
use seekscope_core::compare::statistics::noise::{NoiseTable, Workload};
use seekscope_core::quantity::Unit;

/// Numbers from a seed (xorshift): the same histories each time.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// From 0 to below 1.
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// From 0 to below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.uniform() * end as f64) as usize
    }

    /// Normal, of mean 0 and variance 1 (Box and Muller).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

/// The condition of the machine when a run is made.
pub struct Machine {
    /// What it has become slower by, as a logarithm.
    pub drift: f64,
    /// Share of the variance between repeats that the runs of one boot have in common.
    shared: f64,
    /// Random numbers of the boot, one per repeat or figure.
    boot: Vec<f64>,
}

impl Machine {
    pub fn new(shared: f64) -> Machine {
        Machine {
            drift: 0.0,
            shared,
            boot: Vec::new(),
        }
    }

    /// Boots the machine.
    pub fn boot(&mut self, random: &mut Random) {
        self.boot = (0..metric::all().len().max(8))
            .map(|_| random.normal())
            .collect();
    }
}

/// A figure of a measurement: its mean and how its repeats deviate, as logarithms except of shares
/// and of what is 0 in a repeat.
struct Figure {
    key: String,
    unit: Unit,
    is_logarithm: bool,
    mean: f64,
    deviations: Vec<f64>,
}

/// A measurement from which runs are drawn.
pub struct Measurement {
    repeats: Vec<ComparedRun>,
    figures: Vec<Figure>,
}

impl Measurement {
    /// Deviations are those of the repeats; those of a single run come from the table of what
    /// repeats differ by.
    pub fn new(repeats: Vec<ComparedRun>) -> Measurement {
        let list = metric::all();
        let figures = list
            .iter()
            .enumerate()
            .filter_map(|(index, metric)| Figure::new(&repeats, metric, (index, list.len())))
            .collect();
        Measurement { repeats, figures }
    }

    /// The recorded runs.
    pub fn repeats(&self) -> &[ComparedRun] {
        &self.repeats
    }

    /// One more run. A random combination of the deviations of the repeats is normal with their
    /// covariances: what moves together in the recordings moves together here.
    pub fn draw(&self, machine: &Machine, random: &mut Random) -> ComparedRun {
        let mut run = self.repeats[random.below(self.repeats.len())].clone();
        let (common, separate) = (machine.shared.sqrt(), (1.0 - machine.shared).sqrt());
        let numbers: Vec<f64> = machine
            .boot
            .iter()
            .map(|boot| common * boot + separate * random.normal())
            .collect();
        let Some(main) = run.main().map(|device| device.dev.clone()) else {
            return run;
        };
        let devices = run.trace.devices.iter_mut();
        for device in devices.filter(|device| device.dev == main) {
            for figure in &self.figures {
                let value = figure.draw(&numbers, machine.drift);
                device.figures.insert(figure.key.clone(), value);
            }
        }
        run
    }
}

impl Figure {
    /// Absent unless all repeats have it.
    fn new(
        repeats: &[ComparedRun],
        metric: &Metric,
        (index, count): (usize, usize),
    ) -> Option<Figure> {
        let values: Option<Vec<f64>> = repeats
            .iter()
            .map(|run| run.main()?.figures.get(&metric.key).copied())
            .collect();
        let values = values.filter(|values| !values.is_empty())?;
        let is_logarithm = metric.unit != Unit::Share && values.iter().all(|value| *value > 0.0);
        let scaled: Vec<f64> = values
            .iter()
            .map(|value| if is_logarithm { value.ln() } else { *value })
            .collect();
        let n = scaled.len() as f64;
        let mean = scaled.iter().sum::<f64>() / n;
        let deviations = if scaled.len() > 1 {
            let degrees = (n - 1.0).sqrt();
            scaled.iter().map(|v| (v - mean) / degrees).collect()
        } else {
            // Each figure by itself.
            let workload = Workload::from_device(repeats[0].main()?);
            let sd = NoiseTable::measured().figure(metric, workload).sd;
            let is_constant = !is_logarithm && metric.unit != Unit::Share;
            let deviation = |i| f64::from(i == index && !is_constant) * sd;
            (0..count).map(deviation).collect()
        };
        Some(Figure {
            key: metric.key.clone(),
            unit: metric.unit,
            is_logarithm,
            mean,
            deviations,
        })
    }

    fn draw(&self, numbers: &[f64], drift: f64) -> f64 {
        let noise: f64 = self
            .deviations
            .iter()
            .zip(numbers)
            .map(|(deviation, number)| deviation * number)
            .sum();
        if !self.is_logarithm {
            let most = if self.unit == Unit::Share {
                1.0
            } else {
                f64::MAX
            };
            return (self.mean + noise).clamp(0.0, most);
        }
        let slower = match self.unit {
            Unit::Time => drift,
            Unit::Rate | Unit::PerSecond => -drift,
            _ => 0.0,
        };
        (self.mean + noise + slower).exp()
    }
}
