//! The device's code on this machine: one thread after the other, warps of one lane.
#![expect(unsafe_code, reason = "the device's code is C, and a device's memory is addresses")]

use std::{
    collections::BTreeMap,
    ptr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use pintu_search::Control;

use crate::{
    backend::{Backend, DeviceError, DeviceInfo, Kernel},
    searcher::Gpu,
    words::{
        Assess, Build, Carry, Code, Dive, Grow, Judge, PATH_WORDS, Pick, Record, Roots, Search, Spread, Take, Trace,
    },
};

unsafe extern "C" {
    fn pintu_emulated_search(params: *const Search, threads: u64);
    fn pintu_emulated_gather(params: *const Search, threads: u64);
    fn pintu_emulated_seed(params: *const Roots, threads: u64);
    fn pintu_emulated_deal(params: *const Roots, threads: u64);
    fn pintu_emulated_pull(params: *const Build, threads: u64);
    fn pintu_emulated_plant(params: *const Build, threads: u64);
    fn pintu_emulated_pack(params: *const Build, threads: u64);
    fn pintu_emulated_grow(params: *const Grow, threads: u64);
    fn pintu_emulated_grow_corners(params: *const Grow, threads: u64);
    fn pintu_emulated_assess(params: *const Assess, threads: u64);
    fn pintu_emulated_spread(params: *const Spread, threads: u64);
    fn pintu_emulated_carry(params: *const Carry, threads: u64);
    fn pintu_emulated_judge(params: *const Judge, threads: u64);
    fn pintu_emulated_count_scores(params: *const Spread, threads: u64);
    fn pintu_emulated_take(params: *const Take, threads: u64);
    fn pintu_emulated_trace(params: *const Trace, threads: u64);
    fn pintu_emulated_pick(params: *const Pick, threads: u64);
    fn pintu_emulated_dive(params: *const Dive, threads: u64);
}

/// An emulated device with `memory` bytes.
pub fn emulator(memory: u64) -> Gpu {
    faulty_emulator(memory, u64::MAX, Fault::Lost)
}

/// An emulated device that fails after `after` kernels.
pub fn faulty_emulator(memory: u64, after: u64, fault: Fault) -> Gpu {
    let (blocks, alone) = Default::default();
    Gpu { device: Arc::new(Emulator { memory, blocks, alone, launched: AtomicU64::new(0), after, fault }) }
}

/// How an emulated device fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing works any more: no kernel, no copy, no memory.
    Lost,
    /// The device records other moves than it has found.
    Garbled,
}

struct Emulator {
    memory: u64,
    /// The number of kernels launched, and the number after which the device fails.
    launched: AtomicU64,
    after: u64,
    fault: Fault,
    /// The allocated blocks: their lengths in words, by their addresses.
    blocks: Mutex<BTreeMap<u64, usize>>,
    /// Kernels run one at a time.
    alone: Mutex<()>,
}

/// Warps: few, so that they have to share.
const WARPS: u32 = 5;
/// Threads of a block: a number that the warps are no multiple of.
const BLOCK: u64 = 4;
/// Steps of a warp before it is asked again: few, so that searches begin again often.
const STEPS: u32 = 3000;

impl Emulator {
    /// Whether it has failed so.
    fn is(&self, fault: Fault) -> bool {
        self.fault == fault && self.launched.load(Relaxed) > self.after
    }

    fn alive(&self) -> Result<(), DeviceError> {
        if self.is(Fault::Lost) { Err(DeviceError::Failed("device lost".to_owned())) } else { Ok(()) }
    }

    /// Overwrites the moves that a search may have recorded.
    fn garble(&self, address: u64) {
        let mut record = [0; size_of::<Record>()];
        let path = size_of::<Record>() - size_of::<[u32; PATH_WORDS]>();
        if self.download(address, &mut record).is_ok() {
            record[path..].iter_mut().for_each(|byte| *byte ^= 0xff);
            let _ = self.upload(address, &record);
        }
    }

    fn blocks(&self) -> MutexGuard<'_, BTreeMap<u64, usize>> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn free_bytes(&self) -> u64 {
        self.memory.saturating_sub(self.blocks().values().map(|&words| WORD_BYTES * words as u64).sum())
    }

    /// A pointer to bytes of one block.
    ///
    /// # Panics
    /// If they are not within a block: a fault on a device.
    fn pointer(&self, address: u64, bytes: u64) -> *mut u8 {
        let blocks = self.blocks();
        let block = blocks.range(..=address).next_back();
        let is_within = block.is_some_and(|(start, &words)| address + bytes <= start + WORD_BYTES * words as u64);
        assert!(is_within, "{bytes} bytes at {address:#x} are not the device's");
        ptr::with_exposed_provenance_mut(address as usize)
    }
}

/// A device's words, which align every structure.
type Word = u128;
const WORD_BYTES: u64 = size_of::<Word>() as u64;

impl Backend for Emulator {
    fn info(&self) -> Result<DeviceInfo, DeviceError> {
        self.alive()?;
        Ok(DeviceInfo {
            name: "an emulated GPU".to_owned(),
            total_bytes: self.memory,
            free_bytes: self.free_bytes(),
            processors: 1,
        })
    }

    fn width(&self) -> u32 {
        1
    }

    fn begin(&self, _: Code) {}

    fn ready(&self, _: Code, control: &Control) -> Result<(), DeviceError> {
        Ok(control.check()?)
    }

    fn warps(&self) -> Result<u32, DeviceError> {
        Ok(WARPS)
    }

    fn divers(&self) -> Result<u32, DeviceError> {
        Ok(WARPS)
    }

    fn slice(&self) -> (u64, u32) {
        (u64::MAX, STEPS)
    }

    fn allocate(&self, bytes: u64) -> Result<u64, DeviceError> {
        self.alive()?;
        let found = self.free_bytes();
        if bytes > found {
            return Err(DeviceError::Memory { found, expected: bytes });
        }
        // What a device's memory holds at first is anything. From here on only raw pointers refer to the block.
        let block = vec![Word::from_ne_bytes([0xa5; 16]); bytes.div_ceil(WORD_BYTES) as usize].into_boxed_slice();
        let words = block.len();
        let address = Box::into_raw(block).cast::<Word>().expose_provenance() as u64;
        self.blocks().insert(address, words);
        Ok(address)
    }

    fn free(&self, address: u64) {
        if let Some(words) = self.blocks().remove(&address) {
            let start = ptr::with_exposed_provenance_mut::<Word>(address as usize);
            // SAFETY: `allocate` made it of a box of `words` words, and it is freed once.
            drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(start, words)) });
        }
    }

    fn zero(&self, address: u64, bytes: u64) -> Result<(), DeviceError> {
        self.alive()?;
        // SAFETY: the bytes are those of one block, to which there are no references, and no kernel runs now.
        unsafe { self.pointer(address, bytes).write_bytes(0, bytes as usize) };
        Ok(())
    }

    fn upload(&self, address: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        self.alive()?;
        // SAFETY: as in `zero`; what is copied is not in a block.
        unsafe { self.pointer(address, bytes.len() as u64).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Ok(())
    }

    fn download(&self, address: u64, bytes: &mut [u8]) -> Result<(), DeviceError> {
        self.alive()?;
        // SAFETY: as in `upload`.
        unsafe { self.pointer(address, bytes.len() as u64).copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    }

    fn launch(&self, _: Code, kernel: Kernel<'_>, threads: u64) -> Result<(), DeviceError> {
        // A GPU starts whole blocks.
        let threads = threads.next_multiple_of(BLOCK);
        let _alone = self.alone.lock().unwrap_or_else(PoisonError::into_inner);
        self.launched.fetch_add(1, Relaxed);
        self.alive()?;
        // SAFETY: the kernels are given addresses of blocks that are as long as the host has made them for them.
        unsafe {
            match kernel {
                Kernel::Search(p, _) => {
                    pintu_emulated_search(p, threads);
                    if self.is(Fault::Garbled) {
                        self.garble(p.records);
                    }
                }
                Kernel::Gather(p) => pintu_emulated_gather(p, threads),
                Kernel::Seed(p) => pintu_emulated_seed(p, threads),
                Kernel::Deal(p) => pintu_emulated_deal(p, threads),
                Kernel::Pull(p) => pintu_emulated_pull(p, threads),
                Kernel::Plant(p) => pintu_emulated_plant(p, threads),
                Kernel::Pack(p) => pintu_emulated_pack(p, threads),
                Kernel::Grow(p) => pintu_emulated_grow(p, threads),
                Kernel::GrowCorners(p) => pintu_emulated_grow_corners(p, threads),
                Kernel::Assess(p) => pintu_emulated_assess(p, threads),
                Kernel::Spread(p) => pintu_emulated_spread(p, threads),
                Kernel::Carry(p) => pintu_emulated_carry(p, threads),
                Kernel::Judge(p) => pintu_emulated_judge(p, threads),
                Kernel::CountScores(p) => pintu_emulated_count_scores(p, threads),
                Kernel::Take(p) => pintu_emulated_take(p, threads),
                Kernel::Trace(p) => pintu_emulated_trace(p, threads),
                Kernel::Pick(p) => pintu_emulated_pick(p, threads),
                Kernel::Dive(p) => {
                    pintu_emulated_dive(p, threads);
                    if self.is(Fault::Garbled) {
                        self.garble(p.record);
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Memory;

    /// The emulator's memory without its kernels, which are C: this is what Miri can run.
    #[test]
    fn memory_is_written_through_pointers_that_may_write() {
        let Gpu { device } = emulator(1 << 10);
        let (mut one, two) = (Memory::new(&device, 100).unwrap(), Memory::of(&device, &[7u32; 5]).unwrap());
        let mut bytes = [0u64; 12];
        one.get(0, &mut bytes).unwrap();
        assert_eq!(bytes, [u64::from_ne_bytes([0xa5; 8]); 12], "what new memory holds is anything");
        one.clear().unwrap();
        one.set(&[1u64, 2]).unwrap();
        assert_eq!(one.values::<u64>(3).unwrap(), [1, 2, 0]);
        assert_eq!(two.values::<u32>(5).unwrap(), [7; 5]);
        assert!(matches!(Memory::new(&device, 1 << 10), Err(DeviceError::Memory { .. })));
        one = Memory::zeroed(&device, 64).unwrap();
        assert_eq!((one.bytes(), device.info().unwrap().free_bytes), (64, (1 << 10) - 64 - 32));
        drop((one, two));
        assert_eq!(device.info().unwrap().free_bytes, 1 << 10);
    }
}
