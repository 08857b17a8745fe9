//! What deciding a threshold of a measure takes: measured, and kept beside the measure.

/// What a check takes, in nanoseconds.
///
/// On a core it was measured by `sameas calibrate` on an Intel Xeon (family 6, model 207), with each instruction set in
/// turn. Only the filter is compiled for several; the rest is the same for all classes, from the quietest run. On an H200
/// it was measured by `sameas-bench gpu-checks`, in nanoseconds of the cores that it stands for. What many candidates are
/// tested for together there (codes, signatures, summaries of sets) costs a quarter of what each is tested for alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckCost {
    /// On a core: a pair, a pair that comes to the measure, and a step of the measure.
    pub core: [f64; 3],
    /// On a core: a pair that comes to the filter, with AVX-512, with AVX2 and without either.
    pub filter: [f64; 3],
    /// On a GPU: a pair, one that comes to the filter, one that comes to the measure, and a step of the measure.
    pub gpu: [f64; 4],
    /// What such checks usually meet, where nothing is known: the steps of the filter, the share of pairs that come to the
    /// measure, and its steps. Names have 16 characters and sets 8 elements, and few come near.
    pub usual: [f64; 3],
}

/// Costs of what is not filtered.
pub const NOT_FILTERED: [f64; 3] = [0.0; 3];

/// The share of pairs of texts that usually come to a measure.
pub const NEAR_TEXTS: f64 = 0.05;

/// What is known of an algorithm that measures of texts are computed by.
#[derive(Clone, Copy, Debug)]
pub struct CountFacts {
    /// Its name, as in a file of costs.
    pub name: &'static str,
    /// What a check takes.
    pub cost: CheckCost,
    /// The steps for texts of `x` and `y` characters, where at most `most` edits are of interest. A step is what a
    /// character of a text takes that fits a machine word.
    pub steps: fn(x: usize, y: usize, most: usize) -> usize,
    /// What it takes on a device.
    pub on_device: DeviceForm,
}

/// How a device computes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceForm {
    /// What threads need for texts that exceed their own memory.
    pub words: DeviceWords,
    /// Whether there is a form for short texts that all meet all.
    pub is_dense: bool,
}

/// Words of 64 bits that a thread of a device needs for long texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceWords {
    /// None.
    Nothing,
    /// That many for every 64 characters.
    ForStripes(usize),
    /// One for every character, up to a length.
    ForCharacters,
}
