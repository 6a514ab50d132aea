//! A GPU through NVIDIA's driver and run-time compiler, both loaded when they are needed first.
#![expect(unsafe_code, reason = "the driver's interface is C")]

use std::{ffi::c_void, sync::Arc};

use cudarc::driver::{
    CudaContext, DriverError, result,
    sys::{self, CUdevice_attribute},
};
use pintu_search::Control;

use crate::{
    backend::{Backend, DeviceError, DeviceInfo, Kernel},
    program::{Compilations, Program, compile},
    searcher::Gpu,
    words::{Code, World},
};

/// Threads of a block that searches, and such blocks on a multiprocessor: what registers allow.
pub(crate) const BLOCK: u32 = 320;
pub(crate) const BLOCKS: u32 = 2;
/// Blocks of a multiprocessor that search large boards depth first.
pub(crate) const DIVE_BLOCKS: u32 = 4;
/// Threads of the other kernels' blocks, and the most blocks.
const OTHER_BLOCK: u32 = 256;
const MOST_BLOCKS: u64 = 1 << 20;
/// How long a search goes on before it is asked again.
const SLICE_NANOSECONDS: u64 = 20_000_000;
/// The driver's version from which on everything is there that is used.
const LEAST_DRIVER: i32 = 12_000;
/// The ranks of the lower cells of sets, as the device holds them near.
const LOW_BYTES: u32 = 2 << 13;

/// The GPUs that are found; one that does not open is none, if there are others.
pub fn devices() -> Result<Vec<DeviceInfo>, DeviceError> {
    let tried: Vec<_> = (0..count()?).map(|ordinal| Cuda::open(ordinal)?.info()).collect();
    let (found, refused): (Vec<_>, Vec<_>) = tried.into_iter().partition(Result::is_ok);
    match refused.into_iter().next() {
        Some(Err(error)) if found.is_empty() => Err(error),
        _ => Ok(found.into_iter().flatten().collect()),
    }
}

/// Whether there may be a GPU: whether there is a driver for one, which takes no time to see.
pub fn may_have_gpu() -> bool {
    // SAFETY: it only looks whether there is such a library.
    unsafe { sys::is_culib_present() }
}

/// Whether there is what compiles for a GPU.
pub fn compiler() -> Result<(), DeviceError> {
    // SAFETY: it only looks whether there is such a library.
    if unsafe { cudarc::nvrtc::sys::is_culib_present() } { Ok(()) } else { Err(DeviceError::NoCompiler) }
}

/// The first GPU.
pub fn first_gpu() -> Result<Gpu, DeviceError> {
    if count()? == 0 {
        return Err(DeviceError::NoGpu);
    }
    compiler()?;
    Ok(Gpu { device: Arc::new(Cuda::open(0)?) })
}

fn count() -> Result<usize, DeviceError> {
    if !may_have_gpu() {
        return Err(DeviceError::NoDriver);
    }
    let mut version = 0;
    // SAFETY: it writes one number.
    unsafe { sys::cuDriverGetVersion(&raw mut version) }.result().map_err(failed)?;
    if version < LEAST_DRIVER {
        return Err(DeviceError::OldDriver(format!("{}.{}", version / 1000, version % 1000 / 10)));
    }
    match CudaContext::device_count() {
        Ok(count) => Ok(count as usize),
        Err(DriverError(sys::CUresult::CUDA_ERROR_NO_DEVICE)) => Ok(0),
        Err(error) => Err(failed(error)),
    }
}

pub(crate) fn failed(error: DriverError) -> DeviceError {
    let what = format!("{:?}", error.0).trim_start_matches("CUDA_ERROR_").to_lowercase().replace('_', " ");
    DeviceError::Failed(what)
}

struct Cuda {
    context: Arc<CudaContext>,
    programs: Arc<Compilations>,
}

impl Cuda {
    fn open(ordinal: usize) -> Result<Self, DeviceError> {
        Ok(Self { context: CudaContext::new(ordinal).map_err(failed)?, programs: Compilations::new() })
    }

    /// Some code, as soon as it is compiled, unless the control ends the waiting.
    fn program(&self, code: Code, control: &Control) -> Result<Arc<Program>, DeviceError> {
        self.begin(code);
        self.programs.get(code, control)
    }

    fn attribute(&self, attribute: CUdevice_attribute) -> Result<u32, DeviceError> {
        self.context.attribute(attribute).map(|value| value as u32).map_err(failed)
    }

    /// Has the driver calls of this thread go to this GPU.
    fn bind(&self) -> Result<(), DeviceError> {
        self.context.bind_to_thread().map_err(failed)
    }
}

impl Backend for Cuda {
    fn info(&self) -> Result<DeviceInfo, DeviceError> {
        self.bind()?;
        let (free, total) = self.context.mem_get_info().map_err(failed)?;
        Ok(DeviceInfo {
            name: self.context.name().map_err(failed)?,
            total_bytes: total as u64,
            free_bytes: free as u64,
            processors: self.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        })
    }

    fn width(&self) -> u32 {
        32
    }

    fn begin(&self, code: Code) {
        let context = Arc::clone(&self.context);
        self.programs.begin(code, move || compile(&context, code));
    }

    fn ready(&self, code: Code, control: &Control) -> Result<(), DeviceError> {
        self.program(code, control).map(drop)
    }

    fn warps(&self) -> Result<u32, DeviceError> {
        let processors = self.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        Ok(processors * BLOCKS * BLOCK / 32)
    }

    fn divers(&self) -> Result<u32, DeviceError> {
        let processors = self.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        Ok(processors * DIVE_BLOCKS * OTHER_BLOCK)
    }

    fn slice(&self) -> (u64, u32) {
        (SLICE_NANOSECONDS, u32::MAX)
    }

    fn allocate(&self, bytes: u64) -> Result<u64, DeviceError> {
        self.bind()?;
        // SAFETY: what it gives is used by kernels and copies alone, which stay within it.
        unsafe { result::malloc_sync(bytes as usize) }.map_err(|error| match error {
            DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY) => {
                let found = self.context.mem_get_info().map_or(0, |(free, _)| free as u64);
                DeviceError::Memory { found, expected: bytes }
            }
            other => failed(other),
        })
    }

    fn free(&self, address: u64) {
        if self.bind().is_ok() {
            // SAFETY: it was allocated here, and no kernel or copy uses it any more. A device that is lost has given it up.
            let _ = unsafe { result::free_sync(address) };
        }
    }

    fn zero(&self, address: u64, bytes: u64) -> Result<(), DeviceError> {
        self.bind()?;
        // SAFETY: the caller has allocated that many bytes there.
        unsafe { result::memset_d8_sync(address, 0, bytes as usize) }.map_err(failed)
    }

    fn upload(&self, address: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        self.bind()?;
        // SAFETY: the caller has allocated that many bytes there.
        unsafe { result::memcpy_htod_sync(address, bytes) }.map_err(failed)
    }

    fn download(&self, address: u64, bytes: &mut [u8]) -> Result<(), DeviceError> {
        self.bind()?;
        // SAFETY: the caller has allocated that many bytes there.
        unsafe { result::memcpy_dtoh_sync(bytes, address) }.map_err(failed)
    }

    fn launch(&self, code: Code, kernel: Kernel<'_>, threads: u64) -> Result<(), DeviceError> {
        self.bind()?;
        let program = self.program(code, &Control::unlimited())?;
        let function = &program.functions[kernel.name()];
        let (size, near, params): (u32, u32, *const c_void) = match kernel {
            Kernel::Search(p, ranks) => {
                (BLOCK, 4 * ranks + LOW_BYTES + size_of::<World>() as u32, std::ptr::from_ref(p).cast())
            }
            Kernel::Gather(p) => (OTHER_BLOCK, 0, std::ptr::from_ref(p).cast()),
            Kernel::Seed(p) | Kernel::Deal(p) => (OTHER_BLOCK, 0, std::ptr::from_ref(p).cast()),
            Kernel::Pull(p) | Kernel::Plant(p) | Kernel::Pack(p) => (OTHER_BLOCK, 0, std::ptr::from_ref(p).cast()),
            Kernel::Grow(p) | Kernel::GrowCorners(p) => (OTHER_BLOCK, 0, std::ptr::from_ref(p).cast()),
            Kernel::Assess(p) => (OTHER_BLOCK, 0, std::ptr::from_ref(p).cast()),
            Kernel::Spread(p) | Kernel::CountScores(p) => (OTHER_BLOCK, 0, std::ptr::from_ref(p).cast()),
            Kernel::Carry(p) => (OTHER_BLOCK, 0, std::ptr::from_ref(p).cast()),
            Kernel::Judge(p) => (OTHER_BLOCK, 0, std::ptr::from_ref(p).cast()),
            Kernel::Take(p) => (OTHER_BLOCK, 0, std::ptr::from_ref(p).cast()),
            Kernel::Trace(p) => (OTHER_BLOCK, 0, std::ptr::from_ref(p).cast()),
            Kernel::Pick(p) => (OTHER_BLOCK, 0, std::ptr::from_ref(p).cast()),
            Kernel::Dive(p) => (OTHER_BLOCK, 0, std::ptr::from_ref(p).cast()),
        };
        let blocks = threads.div_ceil(u64::from(size)).clamp(1, MOST_BLOCKS) as u32;
        let mut params = [params.cast_mut()];
        // SAFETY: the kernel takes one structure, which is as the device's code has it, by value: it is copied here.
        unsafe {
            result::launch_kernel(
                function.cu_function(),
                (blocks, 1, 1),
                (size, 1, 1),
                near,
                std::ptr::null_mut(),
                &mut params,
            )
        }
        .map_err(failed)
    }
}
