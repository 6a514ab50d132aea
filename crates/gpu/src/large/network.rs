//! A network on a device, which judges the successors of a beam's states.

use pintu_solver::internals::{DeviceGuide, Network};

use super::levels::TableWeights;
use crate::backend::{Device, DeviceError, Memory};

/// A network's weights on a device, laid out as its code reads them.
pub struct DeviceNetwork {
    pub(crate) rows: Memory,
    /// The words of a state's first layer.
    pub(crate) sum_words: u64,
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
            sum_words: network.bias.len() as u64 / 2,
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

/// The weights of the second layer as two digits by 256, in the order in which the device multiplies: see `Judge` there.
fn digits(network: &Network) -> Vec<u32> {
    let digits = |weight: i16| {
        let [low, high] = weight.wrapping_add(128).to_le_bytes();
        [low.wrapping_sub(128), high]
    };
    let mut words = Vec::new();
    for first in (0..network.bias.len()).step_by(32) {
        for second in (0..network.deep.len()).step_by(8) {
            for lane in 0..32 {
                let weights = &network.deep[second + lane / 4][first + 8 * (lane % 4)..][..8];
                for digit in 0..2 {
                    let word = |four: &[i16]| u32::from_le_bytes(std::array::from_fn(|at| digits(four[at])[digit]));
                    words.extend(weights.chunks(4).map(word));
                }
            }
        }
    }
    words
}
