//! The device's code, compiled for the shapes that it is needed for. To compile takes most of a second and cannot be
//! interrupted, so a thread does it, and whoever gives up waiting leaves it behind.
#![expect(unsafe_code, reason = "the compiler's interface is C")]

use std::{
    collections::HashMap,
    ffi::CString,
    ops::ControlFlow::{self, Break, Continue},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, sync_channel},
    },
    thread::Builder,
    time::Duration,
};

use cudarc::{
    driver::{
        CudaContext, CudaFunction, CudaModule,
        sys::{CUdevice_attribute, CUfunction_attribute},
    },
    nvrtc::{
        Ptx,
        result::{self, NvrtcError},
        sys,
    },
};
use pintu_search::{Control, Stop};

use crate::{
    backend::DeviceError,
    cuda::{BLOCK, BLOCKS, failed},
    words::{PATH_WORDS, Shape},
};

/// The code, in the order in which its parts need each other.
const SOURCE: &str = concat!(
    include_str!("../device/common.h"),
    include_str!("../device/lookup.h"),
    include_str!("../device/search.h"),
    include_str!("../device/roots.h"),
    include_str!("../device/build.h"),
);

/// How often whoever waits is asked whether to go on.
const PATIENCE: Duration = Duration::from_millis(10);

/// The code for the shapes that have been asked for.
pub(crate) struct Programs {
    context: Arc<CudaContext>,
    made: Mutex<HashMap<Shape, Made>>,
}

/// The code, compiled for a shape.
pub(crate) struct Program {
    pub(crate) functions: HashMap<&'static str, CudaFunction>,
    _module: Arc<CudaModule>,
}

type Compiled = Result<Arc<Program>, DeviceError>;

enum Made {
    UnderWay(Receiver<Compiled>),
    Done(Compiled),
}

impl Programs {
    pub(crate) fn new(context: Arc<CudaContext>) -> Self {
        Self { context, made: Mutex::default() }
    }

    /// Begins to compile for a shape, if nobody has yet.
    pub(crate) fn begin(&self, shape: Shape) {
        self.made().entry(shape).or_insert_with(|| {
            let (done, compiled) = sync_channel(1);
            let context = Arc::clone(&self.context);
            // Who has gone away does not want it.
            let begun = Builder::new().spawn(move || done.send(compile(&context, shape).map(Arc::new)));
            match begun {
                Ok(_) => Made::UnderWay(compiled),
                Err(error) => Made::Done(Err(DeviceError::Compile { why: format!("there is no thread: {error}") })),
            }
        });
    }

    /// The code for a shape, as soon as it is there, unless the control ends the waiting.
    pub(crate) fn get(&self, shape: Shape, control: &Control) -> Result<ControlFlow<Stop, Arc<Program>>, DeviceError> {
        self.begin(shape);
        loop {
            let mut made = self.made();
            let entry = made.get_mut(&shape).expect("it has been begun");
            if let Made::UnderWay(compiled) = entry {
                let compiled = match compiled.recv_timeout(PATIENCE) {
                    Ok(compiled) => compiled,
                    Err(RecvTimeoutError::Timeout) => {
                        drop(made);
                        if let Break(why) = control.check() {
                            return Ok(Break(why));
                        }
                        continue;
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        Err(DeviceError::Compile { why: "the compiler panicked".to_owned() })
                    }
                };
                *entry = Made::Done(compiled);
            }
            let Made::Done(compiled) = entry else { unreachable!("it is done") };
            return compiled.clone().map(Continue);
        }
    }

    fn made(&self) -> MutexGuard<'_, HashMap<Shape, Made>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn compile(context: &Arc<CudaContext>, shape: Shape) -> Result<Program, DeviceError> {
    let (major, minor) = context.compute_capability().map_err(failed)?;
    let options = [
        format!("--gpu-architecture=sm_{major}{minor}"),
        format!("-DVIEWS={}u", shape.views),
        format!("-DONE_BIT={}u", u32::from(shape.one_bit)),
        format!("-DCELL_BITS={}u", shape.cell_bits),
        format!("-DPATH_WORDS={PATH_WORDS}u"),
        format!("-DBLOCK={BLOCK}"),
        format!("-DBLOCKS={BLOCKS}"),
    ];
    let module = context.load_module(Ptx::from_binary(binary(&options)?)).map_err(failed)?;
    let names = ["search", "gather", "seed", "deal", "pull", "plant", "pack"];
    let function = |name| Ok((name, module.load_function(name).map_err(failed)?));
    let functions: HashMap<_, _> = names.into_iter().map(function).collect::<Result<_, _>>()?;
    let most = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
    let most = context.attribute(most).map_err(failed)?;
    let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    functions["search"].set_attribute(attribute, most).map_err(failed)?;
    Ok(Program { functions, _module: module })
}

/// The device's own instructions. (What is in between, PTX, would be compiled by the driver, which keeps everybody waiting
/// meanwhile.)
fn binary(options: &[String]) -> Result<Vec<u8>, DeviceError> {
    let source = CString::new(SOURCE).expect("the code is text");
    let program = result::create_program(&source, Some(c"pintu.cu")).map_err(refused)?;
    // SAFETY: the program has been created, and is destroyed below; so is what it refers to, later.
    let compiled = unsafe { result::compile_program(program, options) }.map_err(|error| {
        // SAFETY: as above.
        let log = unsafe { result::get_program_log(program) }.unwrap_or_default();
        let log: Vec<u8> = log.into_iter().map(|char| char as u8).take_while(|&char| char != 0).collect();
        let said = String::from_utf8_lossy(&log).trim().replace('\n', " ");
        if said.is_empty() { refused(error) } else { DeviceError::Compile { why: said } }
    });
    let code = compiled.and_then(|()| {
        let mut size = 0;
        // SAFETY: as above; it writes one number.
        unsafe { sys::nvrtcGetCUBINSize(program, &raw mut size) }.result().map_err(refused)?;
        let mut code = vec![0_u8; size];
        // SAFETY: as above; it writes so many bytes.
        unsafe { sys::nvrtcGetCUBIN(program, code.as_mut_ptr().cast()) }.result().map_err(refused)?;
        Ok(code)
    });
    // SAFETY: nobody uses it any more.
    let _ = unsafe { result::destroy_program(program) };
    code
}

fn refused(error: NvrtcError) -> DeviceError {
    let what = format!("{:?}", error.0).trim_start_matches("NVRTC_ERROR_").to_lowercase().replace('_', " ");
    DeviceError::Compile { why: what }
}
