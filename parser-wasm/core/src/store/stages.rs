//! Stage times as btt counts them: one sample per bio, over the complete trace.

/// A stage of a bio's or request's life; the letters are those of the actions at its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Queued to completed.
    Q2C,
    /// Issued to completed.
    D2C,
    /// Queued to issued.
    Q2D,
    /// Queued to request allocated.
    Q2G,
    /// Request allocated to inserted.
    G2I,
    /// Inserted to issued.
    I2D,
    /// Request allocated to issued.
    G2D,
    /// Queued to merged.
    Q2M,
    /// Merged to issued.
    M2D,
}

impl Stage {
    /// All stages, in the order in which they are printed.
    pub const ALL: [Stage; 9] =
        [Stage::Q2C, Stage::D2C, Stage::Q2D, Stage::Q2G, Stage::G2I, Stage::I2D, Stage::G2D, Stage::Q2M, Stage::M2D];

    /// Lower-case name, as in the JSON documents.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Q2C => "q2c",
            Stage::D2C => "d2c",
            Stage::Q2D => "q2d",
            Stage::Q2G => "q2g",
            Stage::G2I => "g2i",
            Stage::I2D => "i2d",
            Stage::G2D => "g2d",
            Stage::Q2M => "q2m",
            Stage::M2D => "m2d",
        }
    }
}

/// Count, minimum, sum and maximum of times in ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTally {
    pub n: u64,
    pub min: u64,
    /// Exact, so it does not depend on the order of the samples.
    pub sum: u128,
    pub max: u64,
}

impl StageTally {
    /// Adds a sample.
    pub fn add(&mut self, ns: u64) {
        self.min = if self.n == 0 { ns } else { self.min.min(ns) };
        self.max = self.max.max(ns);
        self.sum += u128::from(ns);
        self.n += 1;
    }

    /// Arithmetic mean; absent without samples.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum as f64 / self.n as f64)
    }
}

/// One tally per stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BioStages([StageTally; 9]);

impl BioStages {
    /// Adds and returns the time from `from` to `to`; as in btt, 0 and negative times count as 1 ns.
    pub fn add(&mut self, stage: Stage, from: u64, to: u64) -> u64 {
        let ns = to.saturating_sub(from).max(1);
        self.0[stage as usize].add(ns);
        ns
    }

    /// The tally of a stage.
    pub fn get(&self, stage: Stage) -> &StageTally {
        &self.0[stage as usize]
    }
}
