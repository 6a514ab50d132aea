//! The operations of a device.

use std::sync::Arc;

use pintu_search::{Control, Stop};

use crate::words::{Assess, Build, Carry, Code, Dive, Grow, Judge, Pick, Plain, Roots, Search, Spread, Take, Trace};

/// Why a device has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// There is no driver for GPUs.
    #[error("found no NVIDIA driver, expected one for a GPU")]
    NoDriver,
    /// The driver is too old.
    #[error("found an NVIDIA driver for CUDA {0}, expected 12.0 or later")]
    OldDriver(String),
    /// There is no GPU.
    #[error("found no NVIDIA GPU, expected one")]
    NoGpu,
    /// There is a GPU, but nothing to compile for it.
    #[error("found no NVRTC library, expected libnvrtc of CUDA 12 or later, which compiles for the GPU")]
    NoCompiler,
    /// The device's code was not compiled.
    #[error("the GPU's code does not compile: {0}")]
    Compile(String),
    /// There is too little memory on the device.
    #[error("found {found} bytes free on the GPU, expected {expected}")]
    Memory {
        /// Free bytes.
        found: u64,
        /// Bytes that are needed.
        expected: u64,
    },
    /// The board, or its tables, are not such as the device searches.
    #[error("found {found}, expected {expected} for the GPU")]
    Board {
        /// The board or tables.
        found: String,
        /// The boards or tables that a device searches.
        expected: &'static str,
    },
    /// The driver reports a failure: the device is lost, or its code went wrong.
    #[error("the GPU failed: {0}")]
    Failed(String),
    /// A limit or cancellation ended the work.
    #[error("stopped: {0}")]
    Stopped(#[from] Stop),
    /// The device's result is false.
    #[error("the GPU's result does not hold: {0}")]
    Wrong(String),
}

/// A device that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// The device's name.
    pub name: String,
    /// Bytes of memory.
    pub total_bytes: u64,
    /// Bytes of memory that are free.
    pub free_bytes: u64,
    /// The number of multiprocessors.
    pub processors: u32,
}

#[derive(Clone, Copy)]
pub(crate) enum Kernel<'a> {
    /// With the number of set ranks to keep in shared memory.
    Search(&'a Search, u32),
    Gather(&'a Search),
    Seed(&'a Roots),
    Deal(&'a Roots),
    Pull(&'a Build),
    Plant(&'a Build),
    Pack(&'a Build),
    Grow(&'a Grow),
    GrowCorners(&'a Grow),
    Assess(&'a Assess),
    Spread(&'a Spread),
    Carry(&'a Carry),
    Judge(&'a Judge),
    CountScores(&'a Spread),
    Take(&'a Take),
    #[cfg_attr(not(feature = "training"), expect(dead_code, reason = "only training follows states backwards"))]
    Trace(&'a Trace),
    #[cfg_attr(not(feature = "training"), expect(dead_code, reason = "only training copies some of a level's states"))]
    Pick(&'a Pick),
    Dive(&'a Dive),
}

impl Kernel<'_> {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Search(..) => "search",
            Self::Gather(_) => "gather",
            Self::Seed(_) => "seed",
            Self::Deal(_) => "deal",
            Self::Pull(_) => "pull",
            Self::Plant(_) => "plant",
            Self::Pack(_) => "pack",
            Self::Grow(_) => "grow",
            Self::GrowCorners(_) => "grow_corners",
            Self::Assess(_) => "assess",
            Self::Spread(_) => "spread",
            Self::Carry(_) => "carry",
            Self::Judge(_) => "judge",
            Self::CountScores(_) => "count_scores",
            Self::Take(_) => "take",
            Self::Trace(_) => "trace",
            Self::Pick(_) => "pick",
            Self::Dive(_) => "dive",
        }
    }
}

/// A device: memory, copies, and kernels that run one after the other.
pub(crate) trait Backend: Send + Sync {
    fn info(&self) -> Result<DeviceInfo, DeviceError>;

    /// The lanes of a warp.
    fn width(&self) -> u32;

    /// Begins to compile some code, unless that has begun; does not wait for it.
    fn begin(&self, code: Code);

    /// Waits until some code is there, or the control ends the waiting.
    fn ready(&self, code: Code, control: &Control) -> Result<(), DeviceError>;

    fn warps(&self) -> Result<u32, DeviceError>;

    /// The threads that search large boards depth first.
    fn divers(&self) -> Result<u32, DeviceError>;

    /// The longest that a search goes on before it is asked again: nanoseconds, and steps of a warp.
    fn slice(&self) -> (u64, u32);

    fn allocate(&self, bytes: u64) -> Result<u64, DeviceError>;

    fn free(&self, address: u64);

    fn zero(&self, address: u64, bytes: u64) -> Result<(), DeviceError>;

    fn upload(&self, address: u64, bytes: &[u8]) -> Result<(), DeviceError>;

    fn download(&self, address: u64, bytes: &mut [u8]) -> Result<(), DeviceError>;

    fn launch(&self, code: Code, kernel: Kernel<'_>, threads: u64) -> Result<(), DeviceError>;
}

pub(crate) type Device = Arc<dyn Backend>;

/// Memory of a device, given back when it is dropped.
pub(crate) struct Memory {
    device: Device,
    address: u64,
    bytes: u64,
}

impl Memory {
    /// Allocates bytes, all zero.
    pub(crate) fn zeroed(device: &Device, bytes: u64) -> Result<Self, DeviceError> {
        let memory = Self::new(device, bytes)?;
        memory.clear()?;
        Ok(memory)
    }

    /// Allocates bytes, with any contents.
    pub(crate) fn new(device: &Device, bytes: u64) -> Result<Self, DeviceError> {
        // Whole words, and never nothing.
        let bytes = bytes.max(1).next_multiple_of(16);
        Ok(Self { device: Arc::clone(device), address: device.allocate(bytes)?, bytes })
    }

    pub(crate) fn of<T: Plain>(device: &Device, values: &[T]) -> Result<Self, DeviceError> {
        let memory = Self::new(device, size_of_val(values) as u64)?;
        memory.set(values)?;
        Ok(memory)
    }

    pub(crate) fn address(&self) -> u64 {
        self.address
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn clear(&self) -> Result<(), DeviceError> {
        self.device.zero(self.address, self.bytes)
    }

    /// Copies values to its beginning.
    pub(crate) fn set<T: Plain>(&self, values: &[T]) -> Result<(), DeviceError> {
        assert!(size_of_val(values) as u64 <= self.bytes, "there is no room for it on the device");
        self.device.upload(self.address, bytes_of(values))
    }

    /// A copy of its first `count` values.
    pub(crate) fn values<T: Plain + Default>(&self, count: usize) -> Result<Vec<T>, DeviceError> {
        let mut values = vec![T::default(); count];
        self.get(0, &mut values)?;
        Ok(values)
    }

    /// Fills values from some place of it on.
    pub(crate) fn get<T: Plain>(&self, from_byte: u64, values: &mut [T]) -> Result<(), DeviceError> {
        assert!(from_byte + size_of_val(values) as u64 <= self.bytes, "there is not so much on the device");
        self.device.download(self.address + from_byte, bytes_of_mut(values))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.device.free(self.address);
    }
}

#[expect(unsafe_code, reason = "values go to a device as they lie in memory")]
fn bytes_of<T: Plain>(values: &[T]) -> &[u8] {
    // SAFETY: plain values are integers and structures of them without gaps, so all their bytes have been written.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

#[expect(unsafe_code, reason = "values come from a device as they lie in memory")]
fn bytes_of_mut<T: Plain>(values: &mut [T]) -> &mut [u8] {
    // SAFETY: plain values are integers and structures of them without gaps: any bytes are such values.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
}
