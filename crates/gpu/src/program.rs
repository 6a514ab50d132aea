//! The device's code, compiled for the shapes that it is needed for. Compiling takes most of a second and cannot be
//! interrupted, so a thread does it, and a search that is cancelled does not wait for it.
#![expect(unsafe_code, reason = "the compiler's interface is C")]

use std::{
    collections::HashMap,
    ffi::CString,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
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
use pintu_search::Control;

use crate::{
    backend::DeviceError,
    cuda::{BLOCK, BLOCKS, DIVE_BLOCKS, failed},
    words::{Code, PATH_WORDS},
};

/// The code, in the order in which its parts need each other.
const SOURCE: &str = concat!(
    include_str!("../device/common.h"),
    include_str!("../device/lookup.h"),
    include_str!("../device/search.h"),
    include_str!("../device/roots.h"),
    include_str!("../device/build.h"),
);

/// The code for large boards.
const LARGE_SOURCE: &str = concat!(include_str!("../device/common.h"), include_str!("../device/large.h"));

/// How often a thread that waits for a compilation looks at its control.
const CHECK_INTERVAL: Duration = Duration::from_millis(10);

pub(crate) struct Program {
    pub(crate) functions: HashMap<&'static str, CudaFunction>,
    _module: Arc<CudaModule>,
}

type Compiled<P> = Result<Arc<P>, DeviceError>;

/// Compilations: under way, or done.
pub(crate) struct Compilations<P = Program> {
    made: Mutex<HashMap<Code, Option<Compiled<P>>>>,
    done: Condvar,
}

impl<P: Send + Sync + 'static> Compilations<P> {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { made: Mutex::default(), done: Condvar::new() })
    }

    /// Begins to compile some code, if that has not begun.
    pub(crate) fn begin(
        self: &Arc<Self>,
        code: Code,
        compile: impl FnOnce() -> Result<P, DeviceError> + Send + 'static,
    ) {
        let mut made = self.lock();
        if made.contains_key(&code) {
            return;
        }
        let shared = Arc::clone(self);
        let begun = Builder::new().spawn(move || {
            let compiled = catch_unwind(AssertUnwindSafe(compile))
                .unwrap_or_else(|_| Err(DeviceError::Compile("the compiler panicked".to_owned())));
            shared.lock().insert(code, Some(compiled.map(Arc::new)));
            shared.done.notify_all();
        });
        let failed = |error| DeviceError::Compile(format!("cannot start a thread: {error}"));
        made.insert(code, begun.err().map(|error| Err(failed(error))));
    }

    /// Waits for code that was begun, unless the control ends the waiting.
    pub(crate) fn get(&self, code: Code, control: &Control) -> Compiled<P> {
        let mut made = self.lock();
        loop {
            if let Some(Some(compiled)) = made.get(&code) {
                return compiled.clone();
            }
            control.check()?;
            (made, _) = self.done.wait_timeout(made, CHECK_INTERVAL).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Code, Option<Compiled<P>>>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) fn compile(context: &Arc<CudaContext>, code: Code) -> Result<Program, DeviceError> {
    let (major, minor) = context.compute_capability().map_err(failed)?;
    let mut options = vec![
        format!("--gpu-architecture=sm_{major}{minor}"),
        format!("-DPATH_WORDS={PATH_WORDS}u"),
        format!("-DBLOCK={BLOCK}"),
        format!("-DBLOCKS={BLOCKS}"),
        format!("-DDIVE_BLOCKS={DIVE_BLOCKS}"),
    ];
    let (source, names): (_, &[&'static str]) = match code {
        Code::Small(shape) => {
            options.push(format!("-DVIEWS={}u", shape.views));
            options.push(format!("-DONE_BIT={}u", u32::from(shape.one_bit)));
            options.push(format!("-DCELL_BITS={}u", shape.cell_bits));
            (SOURCE, &["search", "gather", "seed", "deal", "pull", "plant", "pack"])
        }
        Code::Large(shape) => {
            options.push(format!("-DCELLS={}u", shape.cells));
            options.push(format!("-DVIEWS={}u", shape.views));
            options.push(format!("-DTILES={}u", shape.tiles));
            options.push(format!("-DROW_WORDS={}u", shape.row_words));
            let names: &[_] = &[
                "grow",
                "grow_corners",
                "assess",
                "spread",
                "carry",
                "judge",
                "count_scores",
                "take",
                "trace",
                "pick",
                "dive",
            ];
            (LARGE_SOURCE, names)
        }
    };
    let module = context.load_module(Ptx::from_binary(binary(source, &options)?)).map_err(failed)?;
    let function = |&name| module.load_function(name).map(|function| (name, function)).map_err(failed);
    let functions: HashMap<_, _> = names.iter().map(function).collect::<Result<_, _>>()?;
    let most = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
    let most = context.attribute(most).map_err(failed)?;
    let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    if let Some(search) = functions.get("search") {
        search.set_attribute(attribute, most).map_err(failed)?;
    }
    Ok(Program { functions, _module: module })
}

/// The device's own instructions. (PTX would be compiled by the driver, which blocks all other calls meanwhile.)
fn binary(source: &str, options: &[String]) -> Result<Vec<u8>, DeviceError> {
    let source = CString::new(source).expect("the code is text");
    let program = result::create_program(&source, Some(c"pintu.cu")).map_err(refused)?;
    // SAFETY: the program has been created, and is destroyed below; so is what it refers to, later.
    let compiled = unsafe { result::compile_program(program, options) }.map_err(|error| {
        // SAFETY: as above.
        let log = unsafe { result::get_program_log(program) }.unwrap_or_default();
        let log: Vec<u8> = log.into_iter().map(|char| char as u8).take_while(|&char| char != 0).collect();
        let said = String::from_utf8_lossy(&log).trim().replace('\n', " ");
        if said.is_empty() { refused(error) } else { DeviceError::Compile(said) }
    });
    let code = compiled.and_then(|()| {
        let mut size = 0;
        // SAFETY: as above; it writes one number.
        unsafe { sys::nvrtcGetCUBINSize(program, &raw mut size) }.result().map_err(refused)?;
        let mut code = vec![0_u8; size];
        // SAFETY: as above; it writes `size` bytes.
        unsafe { sys::nvrtcGetCUBIN(program, code.as_mut_ptr().cast()) }.result().map_err(refused)?;
        Ok(code)
    });
    // SAFETY: the program is not used any more.
    let _ = unsafe { result::destroy_program(program) };
    code
}

fn refused(error: NvrtcError) -> DeviceError {
    let what = format!("{:?}", error.0).trim_start_matches("NVRTC_ERROR_").to_lowercase().replace('_', " ");
    DeviceError::Compile(what)
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc::channel, thread};

    use super::*;
    use crate::words::Shape;

    const SHAPE: Shape = Shape { views: 1, one_bit: true, cell_bits: 2 };
    const CODE: Code = Code::Small(SHAPE);

    #[test]
    fn nobody_is_locked_out_while_another_waits_for_a_compilation() {
        let compilations = Compilations::new();
        let (finish, finished) = channel::<()>();
        compilations.begin(CODE, move || Ok(finished.recv().is_ok()));
        thread::scope(|scope| {
            let waiting = scope.spawn(|| compilations.get(CODE, &Control::unlimited()));
            let free = (0..50).filter(|_| {
                thread::sleep(Duration::from_millis(1));
                compilations.made.try_lock().is_ok()
            });
            assert!(free.count() > 25, "the lock is held while the other waits");
            finish.send(()).unwrap();
            assert!(*waiting.join().unwrap().unwrap());
        });
    }

    #[test]
    fn a_compiler_that_panics_and_a_wait_that_is_ended_are_errors() {
        let compilations = Compilations::<()>::new();
        compilations.begin(CODE, || panic!("as it should"));
        assert!(matches!(compilations.get(CODE, &Control::unlimited()), Err(DeviceError::Compile(_))));
        let control = Control::unlimited();
        control.cancel_switch().cancel();
        let never = Code::Small(Shape { views: 2, ..SHAPE });
        assert!(matches!(compilations.get(never, &control), Err(DeviceError::Stopped(_))));
    }
}
