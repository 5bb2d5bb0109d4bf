//! Series of builds with known changes, from a seed.

use std::f64::consts::TAU;

/// Numbers from a seed (xorshift).
pub struct Seeded(u64);

impl Seeded {
    pub fn new(seed: u64) -> Seeded {
        let mut seeded = Seeded(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            seeded.uniform();
        }
        seeded
    }

    /// From 0 to below 1.
    pub fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.uniform()).ln()).sqrt() * (TAU * self.uniform()).cos()
    }
}

#[derive(Clone, Copy)]
pub struct MadeNoise {
    /// Standard deviation of a run, as a share.
    pub runs: f64,
    /// Standard deviation of what all runs of a build share.
    pub builds: f64,
    /// Correlation of that between adjacent builds.
    pub alike: f64,
    pub repeats: usize,
}

pub const NOISE: MadeNoise = MadeNoise {
    runs: 0.01,
    builds: 0.0,
    alike: 0.0,
    repeats: 3,
};

/// Builds with a figure of 100 times `level`.
pub fn made_builds(
    random: &mut Seeded,
    count: usize,
    level: impl Fn(usize) -> f64,
    noise: MadeNoise,
) -> Vec<Vec<f64>> {
    let mut shared = 0.0;
    let build = |build: usize| {
        shared = noise.alike * shared
            + (1.0 - noise.alike * noise.alike).sqrt() * noise.builds * random.normal();
        let run = |_| 100.0 * level(build) * (shared + noise.runs * random.normal()).exp();
        (0..noise.repeats).map(run).collect()
    };
    (0..count).map(build).collect()
}
