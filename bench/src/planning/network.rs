//! A small regression network: dense layers of rectified neurons, trained by Adam on the squared error.

use super::random::Random;

/// Neurons of the hidden layers.
const HIDDEN: [usize; 3] = [2, 6, 1];
const EPOCHS: usize = 3000;
const RATE: f64 = 0.01;
/// Networks this small often die in training: the best of several, by the error on what they learn from, is kept.
const STARTS: u64 = 8;

/// A layer: `weights[neuron][input]`, the bias last.
type Layer = Vec<Vec<f64>>;

/// A trained network.
#[derive(Clone)]
pub struct Network {
    layers: Vec<Layer>,
}

impl Network {
    /// Learns to predict `targets` from `inputs`.
    pub fn train(inputs: &[Vec<f64>], targets: &[f64]) -> Self {
        let mut best: Option<(f64, Self)> = None;
        for seed in 1..=STARTS {
            let network = Self::trained(inputs, targets, seed);
            let error: f64 = inputs.iter().zip(targets).map(|(x, y)| (network.predict(x) - y).powi(2)).sum();
            if best.as_ref().is_none_or(|(least, _)| error < *least) {
                best = Some((error, network));
            }
        }
        best.map_or_else(|| Self { layers: Vec::new() }, |(_, network)| network)
    }

    /// Its prediction for an input.
    pub fn predict(&self, input: &[f64]) -> f64 {
        self.forward(input).pop().map_or(0.0, |last| last[0])
    }

    fn trained(inputs: &[Vec<f64>], targets: &[f64], seed: u64) -> Self {
        let mean = targets.iter().sum::<f64>() / targets.len().max(1) as f64;
        let mut network = Self::start(inputs.first().map_or(0, Vec::len), mean, seed);
        let zeros: Vec<Layer> =
            network.layers.iter().map(|layer| layer.iter().map(|n| vec![0.0; n.len()]).collect()).collect();
        let (mut first, mut second) = (zeros.clone(), zeros.clone());
        for epoch in 1..=EPOCHS {
            let mut slope = zeros.clone();
            for (input, target) in inputs.iter().zip(targets) {
                network.add_slope(input, *target, &mut slope);
            }
            network.step(&slope, &mut first, &mut second, epoch as i32, inputs.len() as f64);
        }
        network
    }

    fn start(inputs: usize, mean: f64, seed: u64) -> Self {
        let mut random = Random(seed);
        let sizes: Vec<usize> = std::iter::once(inputs).chain(HIDDEN).chain([1]).collect();
        let layer = |pair: &[usize]| -> Layer {
            let scale = (6.0 / pair[0] as f64).sqrt();
            let neuron = |_| (0..=pair[0]).map(|at| if at == pair[0] { 0.1 } else { random.unit() * scale }).collect();
            (0..pair[1]).map(neuron).collect()
        };
        let mut layers: Vec<Layer> = sizes.windows(2).map(layer).collect();
        if let Some(bias) = layers.last_mut().and_then(|layer| layer[0].last_mut()) {
            *bias = mean;
        }
        Self { layers }
    }

    /// The output of each layer, the input first. All but the last are rectified.
    fn forward(&self, input: &[f64]) -> Vec<Vec<f64>> {
        let mut values = vec![input.to_vec()];
        for (depth, layer) in self.layers.iter().enumerate() {
            let below = &values[depth];
            let neuron = |weights: &Vec<f64>| {
                let sum = weights.iter().zip(below).map(|(w, x)| w * x).sum::<f64>() + weights[below.len()];
                if depth + 1 < self.layers.len() { sum.max(0.0) } else { sum }
            };
            values.push(layer.iter().map(neuron).collect());
        }
        values
    }

    /// Adds the slope of the squared error of one example.
    fn add_slope(&self, input: &[f64], target: f64, slope: &mut [Layer]) {
        let values = self.forward(input);
        let mut errors = vec![2.0 * (values[self.layers.len()][0] - target)];
        for depth in (0..self.layers.len()).rev() {
            let below = &values[depth];
            let mut errors_below = vec![0.0; below.len()];
            for (neuron, error) in errors.iter().enumerate() {
                for (at, x) in below.iter().enumerate() {
                    slope[depth][neuron][at] += error * x;
                    errors_below[at] += error * self.layers[depth][neuron][at];
                }
                slope[depth][neuron][below.len()] += error;
            }
            // A rectified neuron with output zero passes no error on.
            errors = errors_below.iter().zip(below).map(|(error, x)| if *x > 0.0 { *error } else { 0.0 }).collect();
        }
    }

    fn step(&mut self, slope: &[Layer], first: &mut [Layer], second: &mut [Layer], epoch: i32, examples: f64) {
        let (keep_first, keep_second) = (0.9_f64, 0.999_f64);
        for (depth, layer) in self.layers.iter_mut().enumerate() {
            for (neuron, weights) in layer.iter_mut().enumerate() {
                for (at, weight) in weights.iter_mut().enumerate() {
                    let slope = slope[depth][neuron][at] / examples;
                    let (m, v) = (&mut first[depth][neuron][at], &mut second[depth][neuron][at]);
                    *m = keep_first * *m + (1.0 - keep_first) * slope;
                    *v = keep_second * *v + (1.0 - keep_second) * slope * slope;
                    let (m, v) = (*m / (1.0 - keep_first.powi(epoch)), *v / (1.0 - keep_second.powi(epoch)));
                    *weight -= RATE * m / (v.sqrt() + 1e-8);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_learnt() {
        let inputs: Vec<Vec<f64>> = (0..40).map(|i| vec![f64::from(i % 7) / 7.0, f64::from(i % 5) / 5.0]).collect();
        let targets: Vec<f64> = inputs.iter().map(|x| 1.0 + 2.0 * x[0] + x[1]).collect();
        let network = Network::train(&inputs, &targets);
        let worst = inputs.iter().zip(&targets).map(|(x, y)| (network.predict(x) - y).abs()).fold(0.0, f64::max);
        assert!(worst < 0.2, "{worst}");
    }
}
