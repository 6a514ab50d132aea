//! A file system under `SQLite` that records every write and every flush, so that the disk can be reconstructed as a power cut
//! at any moment might have left it; and that can be made to fail.
//!
//! After a power cut (unlike `kill -9`, which spares the system's page cache), any part of the writes since the last flush may
//! be there, in any order, the last sector torn.

use std::{
    collections::HashMap,
    ffi::{CStr, CString, c_char, c_int, c_void},
    fs,
    path::Path,
    ptr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use rusqlite::ffi::{
    SQLITE_OK, sqlite3_file, sqlite3_filename, sqlite3_int64, sqlite3_io_methods, sqlite3_vfs, sqlite3_vfs_find,
    sqlite3_vfs_register,
};

/// The acts on the files, in order.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    log: Mutex<Vec<Act>>,
    /// An error that writes return instead, unless 0.
    write_error: AtomicI32,
    /// An error that flushes return instead, unless 0.
    flush_error: AtomicI32,
    holds_flushes: AtomicBool,
    held_flushes: AtomicUsize,
}

#[derive(Clone, Debug)]
enum Act {
    Write { file: String, at: usize, bytes: Vec<u8> },
    Cut { file: String, size: usize },
    Flush { file: String },
    Delete { file: String },
}

/// Which writes that were not flushed survive a power cut.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Luck {
    Nothing,
    Everything,
    /// Some of them, and of some a part.
    Some(u64),
}

const SECTOR: usize = 512;

impl Disk {
    /// A disk that is registered with `SQLite` under a name.
    pub(crate) fn new(name: &str) -> Arc<Self> {
        let disk = Arc::new(Self::default());
        register(name, Arc::clone(&disk));
        disk
    }

    pub(crate) fn over(name: &str, directory: &Path) -> Arc<Self> {
        let disk = Self::new(name);
        for file in fs::read_dir(directory).unwrap().map(|file| file.unwrap().path()) {
            let (bytes, file) = (fs::read(&file).unwrap(), file.to_string_lossy().into_owned());
            disk.note(Act::Write { file: file.clone(), at: 0, bytes });
            disk.note(Act::Flush { file });
        }
        disk
    }

    pub(crate) fn acts(&self) -> usize {
        self.log.lock().unwrap().len()
    }

    pub(crate) fn flushes(&self) -> usize {
        self.log.lock().unwrap().iter().filter(|act| matches!(act, Act::Flush { .. })).count()
    }

    /// Makes writes fail with an error of `SQLite`, or with 0 succeed again.
    pub(crate) fn fail_writes(&self, error: c_int) {
        self.write_error.store(error, SeqCst);
    }

    /// Makes flushes fail with an error of `SQLite`, or with 0 succeed again.
    pub(crate) fn fail_flushes(&self, error: c_int) {
        self.flush_error.store(error, SeqCst);
    }

    pub(crate) fn hold_flushes(&self, hold: bool) {
        self.holds_flushes.store(hold, SeqCst);
    }

    pub(crate) fn held_flushes(&self) -> usize {
        self.held_flushes.load(SeqCst)
    }

    /// Writes the files into a directory as a power cut after some acts may have left them.
    pub(crate) fn after_power_cut(&self, acts: usize, luck: Luck, directory: &Path) {
        let log = self.log.lock().unwrap();
        let mut files: HashMap<&str, (Vec<u8>, Vec<&Act>)> = HashMap::new();
        for act in &log[..acts] {
            match act {
                Act::Write { file, .. } | Act::Cut { file, .. } => files.entry(file).or_default().1.push(act),
                Act::Flush { file } => {
                    let (content, waiting) = files.entry(file).or_default();
                    waiting.drain(..).for_each(|act| act.apply(content, usize::MAX));
                }
                Act::Delete { file } => _ = files.remove(file.as_str()),
            }
        }
        let mut random = Random::new(if let Luck::Some(seed) = luck { seed } else { 1 });
        for (file, (mut content, waiting)) in files {
            for act in waiting {
                match luck {
                    Luck::Nothing => (),
                    Luck::Everything => act.apply(&mut content, usize::MAX),
                    Luck::Some(_) => match random.below(3) {
                        0 => (),
                        1 => act.apply(&mut content, usize::MAX),
                        _ => act.apply(&mut content, random.below(16) as usize * SECTOR),
                    },
                }
            }
            // A file without a name does not survive.
            if let Some(name) = Path::new(file).file_name() {
                fs::write(directory.join(name), content).unwrap();
            }
        }
    }

    fn note(&self, act: Act) {
        self.log.lock().unwrap().push(act);
    }
}

impl Act {
    /// Applies the act to a file's content, up to `most` bytes of it.
    fn apply(&self, file: &mut Vec<u8>, most: usize) {
        match self {
            Self::Write { at, bytes, .. } => {
                let bytes = &bytes[..bytes.len().min(most)];
                let end = at + bytes.len();
                if file.len() < end {
                    file.resize(end, 0);
                }
                file[*at..end].copy_from_slice(bytes);
            }
            Self::Cut { size, .. } => file.resize(*size, 0),
            Self::Flush { .. } | Self::Delete { .. } => (),
        }
    }
}

/// Numbers that look random and are the same in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// One of 0 to n − 1.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// The data of a registered file system.
struct Mount {
    real: *mut sqlite3_vfs,
    disk: Arc<Disk>,
}

/// A file of ours. The real one lies behind it, in the memory that `SQLite` has set aside for both.
#[repr(C)]
struct File {
    base: sqlite3_file,
    mount: *const Mount,
    name: *mut String,
}

fn register(name: &str, disk: Arc<Disk>) {
    // SAFETY: `SQLite` hands out its own file system, which lives as long as the process; ours is a copy of
    // it that is never freed, nor is what it refers to.
    unsafe {
        let real = sqlite3_vfs_find(ptr::null());
        assert!(!real.is_null());
        let mut ours = Box::new(*real);
        ours.szOsFile = size_of::<File>() as c_int + (*real).szOsFile;
        ours.zName = CString::new(name).unwrap().into_raw();
        ours.pNext = ptr::null_mut();
        ours.pAppData = Box::into_raw(Box::new(Mount { real, disk })).cast::<c_void>();
        ours.xOpen = Some(open);
        ours.xDelete = Some(delete);
        assert_eq!(sqlite3_vfs_register(Box::into_raw(ours), 0), SQLITE_OK);
    }
}

/// # Safety
/// `vfs` is ours.
unsafe fn mount<'a>(vfs: *mut sqlite3_vfs) -> &'a Mount {
    // SAFETY: `register` put it there.
    unsafe { &*(*vfs).pAppData.cast::<Mount>() }
}

/// The real file of one of ours.
///
/// # Safety
/// `file` is ours.
unsafe fn real(file: *mut sqlite3_file) -> *mut sqlite3_file {
    // SAFETY: the memory of a file is as large as both.
    unsafe { file.cast::<File>().add(1).cast::<sqlite3_file>() }
}

/// # Safety
/// `file` is ours.
unsafe fn disk_and_name<'a>(file: *mut sqlite3_file) -> (&'a Disk, &'a str) {
    // SAFETY: `open` put both there, and `close` takes the name away last.
    unsafe {
        let file = &*file.cast::<File>();
        (&(*file.mount).disk, &*file.name)
    }
}

/// Calls a method of the real file.
macro_rules! pass_on {
    ($file:expr, $method:ident $(, $argument:expr)*) => {{
        let real = real($file);
        ((*(*real).pMethods).$method.unwrap())(real $(, $argument)*)
    }};
}

unsafe extern "C" fn open(
    vfs: *mut sqlite3_vfs,
    name: sqlite3_filename,
    file: *mut sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: `SQLite` gives memory of the size that we asked for, and a name that ends.
    unsafe {
        let mount = mount(vfs);
        let text = if name.is_null() { String::new() } else { CStr::from_ptr(name).to_string_lossy().into_owned() };
        let ours = &mut *file.cast::<File>();
        ours.base.pMethods = ptr::null();
        let result = (*mount.real).xOpen.unwrap()(mount.real, name, real(file), flags, out_flags);
        if result == SQLITE_OK {
            ours.mount = mount;
            ours.name = Box::into_raw(Box::new(text));
            ours.base.pMethods = &raw const METHODS;
        }
        result
    }
}

unsafe extern "C" fn delete(vfs: *mut sqlite3_vfs, name: *const c_char, flush: c_int) -> c_int {
    // SAFETY: as above.
    unsafe {
        let mount = mount(vfs);
        mount.disk.note(Act::Delete { file: CStr::from_ptr(name).to_string_lossy().into_owned() });
        (*mount.real).xDelete.unwrap()(mount.real, name, flush)
    }
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    // SAFETY: the file is not used after this.
    unsafe {
        let result = pass_on!(file, xClose);
        drop(Box::from_raw((*file.cast::<File>()).name));
        result
    }
}

unsafe extern "C" fn write(file: *mut sqlite3_file, bytes: *const c_void, count: c_int, at: sqlite3_int64) -> c_int {
    // SAFETY: `SQLite` gives `count` bytes.
    unsafe {
        let (disk, name) = disk_and_name(file);
        let error = disk.write_error.load(SeqCst);
        if error != SQLITE_OK {
            return error;
        }
        let result = pass_on!(file, xWrite, bytes, count, at);
        if result == SQLITE_OK {
            let bytes = std::slice::from_raw_parts(bytes.cast::<u8>(), count as usize).to_vec();
            disk.note(Act::Write { file: name.to_owned(), at: at as usize, bytes });
        }
        result
    }
}

unsafe extern "C" fn cut(file: *mut sqlite3_file, size: sqlite3_int64) -> c_int {
    // SAFETY: it is ours.
    unsafe {
        let (disk, name) = disk_and_name(file);
        let result = pass_on!(file, xTruncate, size);
        if result == SQLITE_OK {
            disk.note(Act::Cut { file: name.to_owned(), size: size as usize });
        }
        result
    }
}

unsafe extern "C" fn flush(file: *mut sqlite3_file, flags: c_int) -> c_int {
    // SAFETY: it is ours.
    unsafe {
        let (disk, name) = disk_and_name(file);
        if disk.holds_flushes.load(SeqCst) {
            disk.held_flushes.fetch_add(1, SeqCst);
            while disk.holds_flushes.load(SeqCst) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        let error = disk.flush_error.load(SeqCst);
        if error != SQLITE_OK {
            return error;
        }
        let result = pass_on!(file, xSync, flags);
        if result == SQLITE_OK {
            disk.note(Act::Flush { file: name.to_owned() });
        }
        result
    }
}

/// A method that does what the real one does.
macro_rules! same {
    ($name:ident, $method:ident $(, $argument:ident: $type:ty)*) => {
        unsafe extern "C" fn $name(file: *mut sqlite3_file $(, $argument: $type)*) -> c_int {
            // SAFETY: it is ours.
            unsafe { pass_on!(file, $method $(, $argument)*) }
        }
    };
}

same!(read, xRead, bytes: *mut c_void, count: c_int, at: sqlite3_int64);
same!(size, xFileSize, size: *mut sqlite3_int64);
same!(lock, xLock, level: c_int);
same!(unlock, xUnlock, level: c_int);
same!(is_reserved, xCheckReservedLock, result: *mut c_int);
same!(control, xFileControl, what: c_int, argument: *mut c_void);
same!(sector_size, xSectorSize);
same!(characteristics, xDeviceCharacteristics);
same!(share, xShmMap, page: c_int, size: c_int, extend: c_int, to: *mut *mut c_void);
same!(lock_shared, xShmLock, offset: c_int, count: c_int, flags: c_int);
same!(unshare, xShmUnmap, delete: c_int);

unsafe extern "C" fn barrier(file: *mut sqlite3_file) {
    // SAFETY: it is ours.
    unsafe { pass_on!(file, xShmBarrier) }
}

static METHODS: sqlite3_io_methods = sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(cut),
    xSync: Some(flush),
    xFileSize: Some(size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(is_reserved),
    xFileControl: Some(control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(characteristics),
    xShmMap: Some(share),
    xShmLock: Some(lock_shared),
    xShmBarrier: Some(barrier),
    xShmUnmap: Some(unshare),
    xFetch: None,
    xUnfetch: None,
};
