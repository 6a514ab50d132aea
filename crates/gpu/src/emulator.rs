//! The device's code on this machine: one thread after the other, warps of one lane.
#![expect(unsafe_code, reason = "the device's code is C, and a device's memory is addresses")]

use std::{
    collections::HashMap,
    ops::ControlFlow,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use pintu_search::{Control, Stop};

use crate::{
    backend::{Backend, DeviceError, DeviceInfo, Kernel},
    solve::Gpu,
    words::{Build, PATH_WORDS, Record, Roots, Search, Shape},
};

unsafe extern "C" {
    fn pintu_emulated_search(params: *const Search, threads: u64);
    fn pintu_emulated_gather(params: *const Search, threads: u64);
    fn pintu_emulated_seed(params: *const Roots, threads: u64);
    fn pintu_emulated_deal(params: *const Roots, threads: u64);
    fn pintu_emulated_pull(params: *const Build, threads: u64);
    fn pintu_emulated_plant(params: *const Build, threads: u64);
    fn pintu_emulated_pack(params: *const Build, threads: u64);
}

/// A device that this machine plays, with so much memory.
pub fn emulator(memory: u64) -> Gpu {
    faulty_emulator(memory, u64::MAX, Mishap::Lost)
}

/// One to which something happens after so many kernels.
pub fn faulty_emulator(memory: u64, after: u64, mishap: Mishap) -> Gpu {
    let (blocks, alone) = Default::default();
    Gpu::on(Arc::new(Emulator { memory, blocks, alone, launched: AtomicU64::new(0), after, mishap }))
}

/// What happens to an emulated device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mishap {
    /// Nothing works any more: no kernel, no copy, no memory.
    Lost,
    /// Solutions that it finds are not what it writes down.
    Garbled,
}

struct Emulator {
    memory: u64,
    /// How many kernels have been launched, and after how many something happens.
    launched: AtomicU64,
    after: u64,
    mishap: Mishap,
    /// What has been allocated, by its address.
    blocks: Mutex<HashMap<u64, Vec<u128>>>,
    /// Kernels run one at a time.
    alone: Mutex<()>,
}

/// Few, so that they have to share.
const WARPS: u32 = 5;
/// A block has a number of threads that the warps are no multiple of.
const BLOCK: u64 = 4;
/// Few, so that they begin again often.
const STEPS: u32 = 3000;

impl Emulator {
    /// Whether it has happened.
    fn is(&self, mishap: Mishap) -> bool {
        self.mishap == mishap && self.launched.load(Relaxed) > self.after
    }

    fn alive(&self) -> Result<(), DeviceError> {
        if self.is(Mishap::Lost) { Err(DeviceError::Failed { why: "device lost".to_owned() }) } else { Ok(()) }
    }

    /// Changes the moves that a search may have written down.
    fn garble(&self, search: &Search) {
        let mut record = [0; size_of::<Record>()];
        let (address, path) = (search.records, size_of::<Record>() - size_of::<[u32; PATH_WORDS]>());
        if self.download(address, &mut record).is_ok() {
            record[path..].iter_mut().for_each(|byte| *byte ^= 0xff);
            let _ = self.upload(address, &record);
        }
    }

    fn used(&self) -> u64 {
        let blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.values().map(|block| size_of_val(&block[..]) as u64).sum()
    }

    /// Panics unless some bytes are within one block: what would be a fault on a device.
    fn check(&self, address: u64, bytes: u64) {
        let blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let within = |(&start, block): (&u64, &Vec<u128>)| {
            start <= address && address + bytes <= start + size_of_val(&block[..]) as u64
        };
        assert!(blocks.iter().any(within), "{bytes} bytes at {address:#x} are not the device's");
    }
}

impl Backend for Emulator {
    fn info(&self) -> Result<DeviceInfo, DeviceError> {
        self.alive()?;
        Ok(DeviceInfo {
            name: "an emulated GPU".to_owned(),
            total_bytes: self.memory,
            free_bytes: self.memory.saturating_sub(self.used()),
            processors: 1,
            capability: (0, 0),
        })
    }

    fn width(&self) -> u32 {
        1
    }

    fn begin(&self, _: Shape) {}

    fn ready(&self, _: Shape, control: &Control) -> Result<ControlFlow<Stop>, DeviceError> {
        Ok(control.check())
    }

    fn warps(&self, _: Shape) -> Result<u32, DeviceError> {
        Ok(WARPS)
    }

    fn slice(&self) -> (u64, u32) {
        (u64::MAX, STEPS)
    }

    fn allocate(&self, bytes: u64) -> Result<u64, DeviceError> {
        self.alive()?;
        let found = self.memory.saturating_sub(self.used());
        if bytes > found {
            return Err(DeviceError::Memory { found, expected: bytes });
        }
        // What a device's memory holds at first is anything.
        let block = vec![u128::from_ne_bytes([0xa5; 16]); (bytes as usize).div_ceil(16)];
        let address = block.as_ptr() as u64;
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).insert(address, block);
        Ok(address)
    }

    fn free(&self, address: u64) {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).remove(&address);
    }

    fn zero(&self, address: u64, bytes: u64) -> Result<(), DeviceError> {
        self.alive()?;
        self.check(address, bytes);
        // SAFETY: the bytes are those of one of the blocks, which only kernels touch, and none runs now.
        unsafe { std::ptr::write_bytes(address as *mut u8, 0, bytes as usize) };
        Ok(())
    }

    fn upload(&self, address: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        self.alive()?;
        self.check(address, bytes.len() as u64);
        // SAFETY: as in `zero`; what is copied is not in a block.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address as *mut u8, bytes.len()) };
        Ok(())
    }

    fn download(&self, address: u64, bytes: &mut [u8]) -> Result<(), DeviceError> {
        self.alive()?;
        self.check(address, bytes.len() as u64);
        // SAFETY: as in `upload`.
        unsafe { std::ptr::copy_nonoverlapping(address as *const u8, bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    }

    fn launch(&self, _: Shape, kernel: Kernel<'_>, threads: u64) -> Result<(), DeviceError> {
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
                    if self.is(Mishap::Garbled) {
                        self.garble(p);
                    }
                }
                Kernel::Gather(p) => pintu_emulated_gather(p, threads),
                Kernel::Seed(p) => pintu_emulated_seed(p, threads),
                Kernel::Deal(p) => pintu_emulated_deal(p, threads),
                Kernel::Pull(p) => pintu_emulated_pull(p, threads),
                Kernel::Plant(p) => pintu_emulated_plant(p, threads),
                Kernel::Pack(p) => pintu_emulated_pack(p, threads),
            }
        }
        Ok(())
    }
}
