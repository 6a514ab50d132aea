//! A network on a device, which judges the successors of a beam's states.

use pintu_solver::internals::{DeviceGuide, Network};

use super::levels::TableWeights;
use crate::backend::{Device, DeviceError, Memory};

/// A network's weights on a device, laid out as its code reads them.
pub struct DeviceNetwork {
    pub(crate) rows: Memory,
    pub(crate) deep: Memory,
    pub(crate) deep_bias: Memory,
    pub(crate) last: Memory,
    pub(crate) last_bias: i32,
    pub(crate) share: i32,
    /// How the tables' score is made that it corrects.
    pub(crate) tables: TableWeights,
}

impl DeviceNetwork {
    pub(crate) fn new(device: &Device, guide: &DeviceGuide) -> Result<Self, DeviceError> {
        let network = &*guide.network;
        let rows: Vec<u32> = network.rows.iter().chain([&network.bias]).flat_map(|row| pairs(row)).collect();
        Ok(Self {
            rows: Memory::of(device, &rows)?,
            deep: Memory::of(device, &digits(network))?,
            deep_bias: Memory::of(device, &network.deep_bias)?,
            last: Memory::of(device, &network.last)?,
            last_bias: network.last_bias,
            share: network.share,
            tables: TableWeights { sum: guide.sum_weight, distance: guide.distance_weight, shift: 0 },
        })
    }
}

/// Two numbers to a word, such that words add up: the first, and 65,536 times the second.
fn pairs(row: &[i16]) -> impl Iterator<Item = u32> {
    row.chunks_exact(2).map(|pair| (i32::from(pair[1]) << 16).wrapping_add(i32::from(pair[0])) as u32)
}

/// The weights of the second layer: for each two values of the first and each of the second a byte for what each weight is
/// beyond a multiple of 128, then one for that multiple.
fn digits(network: &Network) -> Vec<u32> {
    let digits = |weight: i16| {
        let low = (weight + 64).rem_euclid(128) - 64;
        [low as i8 as u8, ((weight - low) / 128) as i8 as u8]
    };
    let values = 0..network.bias.len() / 2;
    let word = |(at, weights): (usize, &[i16; _])| {
        let [one, two] = [digits(weights[2 * at]), digits(weights[2 * at + 1])];
        u32::from_le_bytes([one[0], two[0], one[1], two[1]])
    };
    values.flat_map(|at| network.deep.iter().map(move |weights| (at, weights))).map(word).collect()
}
