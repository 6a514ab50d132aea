//! A table as a file: its format, and how it is written so that no reader sees an incomplete file.
//!
//! Little-endian: the magic word, the version, the pattern (rows, columns, wrapping rows and columns as
//! bits, the blank's goal cell, the number of tiles, their goal cells), the length of the entries, their
//! checksum, and the checksum of all that; then the entries. Checksums are XXH3's of 64 bits.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, Read, Write},
    path::Path,
    sync::Arc,
    time::SystemTime,
};

#[cfg(not(target_family = "wasm"))]
use memmap2::Mmap;
use pintu_solver::internals::{Pattern, SharedRows, Table};
use pintu_tiles::{Size, Topology};
use xxhash_rust::xxh3::xxh3_64 as checksum;

#[cfg(target_family = "wasm")]
use crate::new_file::NoFile as Mmap;
use crate::{in_words, new_file};

/// The version of the layout of the file and its entries.
const VERSION: u32 = 3;
const MAGIC: &[u8; 8] = b"pintutbl";
const HEADER_BYTES: usize = 64;
const MAX_TILES: usize = 8;
pub(super) const SUFFIX: &str = "table";

/// Why a file is not the table that it should be.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    #[error("cannot be read: {}", in_words(.0))]
    Unreadable(#[from] io::Error),
    #[error("found another kind of file, version or pattern, expected a table of version {VERSION} for this name")]
    Foreign,
    #[error("found {0} bytes, expected a table, which begins with {HEADER_BYTES}")]
    Short(u64),
    #[error("found {found} bytes, expected {expected}")]
    Length { found: u64, expected: u64 },
    #[error("found another checksum than was written: the file is damaged")]
    Checksum,
}

pub(super) fn name(pattern: &Pattern) -> String {
    let topology = pattern.topology();
    let list =
        |cells: &mut dyn Iterator<Item = usize>| cells.map(|cell| cell.to_string()).collect::<Vec<_>>().join(".");
    let wraps = if topology.is_plain() {
        String::new()
    } else {
        format!("-r{}-c{}", list(&mut topology.wrap_rows()), list(&mut topology.wrap_cols()))
    };
    let tiles = list(&mut pattern.tiles().iter().map(|&tile| usize::from(tile)));
    format!("{}{wraps}-b{}-t{tiles}.{SUFFIX}", topology.size(), pattern.blank())
}

/// The pattern of a file with this name, if a store gives such names.
pub(super) fn parse_name(text: &str) -> Option<Pattern> {
    let stem = text.strip_suffix(SUFFIX)?.strip_suffix('.')?;
    let mut parts = stem.split('-');
    let size: Size = parts.next()?.parse().ok()?;
    let (mut rows, mut cols, mut blank, mut tiles) = (Vec::new(), Vec::new(), None, None);
    for part in parts {
        let (kind, list) = part.split_at_checked(1)?;
        let numbers = || list.split('.').filter(|part| !part.is_empty()).map(|part| part.parse().ok());
        match kind {
            "r" => rows = numbers().map(|line| line.map(usize::from)).collect::<Option<_>>()?,
            "c" => cols = numbers().map(|line| line.map(usize::from)).collect::<Option<_>>()?,
            "b" => blank = Some(list.parse().ok()?),
            "t" => tiles = Some(numbers().collect::<Option<Vec<u8>>>()?),
            _ => return None,
        }
    }
    let topology = Topology::wrapped(size, rows, cols).ok()?;
    let pattern = Pattern::new(topology, blank?, &tiles?)?;
    (name(&pattern) == text).then_some(pattern)
}

/// Writes a table under its name, completely or not at all.
pub(super) fn write(dir: &Path, table: &Table) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    remove_abandoned(dir);
    let name = name(table.pattern());
    let unfinished = new_file::create_locked(dir, OsStr::new(name.trim_end_matches(SUFFIX)), true)?;
    write_to(unfinished.as_file(), table)?;
    unfinished.persist(dir.join(name)).map(|_| ()).map_err(|error| error.error)
}

/// Removes tables that killed processes have left unfinished; returns their number.
pub(super) fn remove_abandoned(dir: &Path) -> usize {
    new_file::remove_abandoned(dir, |name| {
        let stem = name.to_str().and_then(|name| name.rsplit_once('.'));
        stem.is_some_and(|(stem, _)| parse_name(&format!("{stem}.{SUFFIX}")).is_some())
    })
}

fn write_to(mut file: &File, table: &Table) -> io::Result<()> {
    file.write_all(&header(table.pattern(), table.entries().len() as u64, checksum(table.entries())))?;
    file.write_all(table.entries())?;
    file.sync_all()
}

/// Opens a path only if it is a file: opening a pipe, for example, would block.
fn open(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    File::open(path)
}

/// Records that a table has just been used. Where that fails, it counts as older than it is.
pub(super) fn touch(path: &Path) {
    let _ = File::options().append(true).open(path).and_then(|file| file.set_modified(SystemTime::now()));
}

/// Smaller tables are read into memory, where no process can change them. Larger ones are mapped, which takes no time,
/// and processes share the memory.
pub(super) const MAX_READ_BYTES: u64 = if cfg!(test) { 16 << 10 } else { 16 << 20 };

/// The table of a pattern, if its file is complete and undamaged.
pub(super) fn read(path: &Path, pattern: &Pattern, rows: &SharedRows) -> Result<Table, Damage> {
    let mut file = open(path)?;
    let (bytes, sum) = read_header(&mut file)?.of(pattern)?;
    let entries: Arc<dyn AsRef<[u8]> + Send + Sync> = if bytes <= MAX_READ_BYTES {
        let mut read = Vec::with_capacity(bytes as usize);
        file.read_to_end(&mut read)?;
        Arc::new(read)
    } else {
        Arc::new(Mapped::new(&file)?)
    };
    if checksum((*entries).as_ref()) != sum {
        return Err(Damage::Checksum);
    }
    Table::from_entries(pattern, rows, entries).ok_or(Damage::Foreign)
}

/// The entries of a file, mapped.
struct Mapped(Mmap);

impl Mapped {
    fn new(file: &File) -> io::Result<Self> {
        // SAFETY: a table's file is written under another name and renamed when it is complete, and is never written to
        // or shortened after that; it is only replaced or unlinked as a whole, which leaves this mapping as it is. Any
        // bytes are valid.
        #[cfg(not(target_family = "wasm"))]
        #[expect(unsafe_code, reason = "mapping a file is unsafe: others might change it")]
        let map = unsafe { Mmap::map(file)? };
        #[cfg(target_family = "wasm")]
        let map = Mmap::map(file)?;
        if map.len() < HEADER_BYTES { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(Self(map)) }
    }
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.0[HEADER_BYTES..]
    }
}

/// The pattern of a file by its name, header and length. The entries are not read.
pub(super) fn pattern_of(path: &Path) -> Result<Pattern, Damage> {
    let head = read_header(&mut open(path)?)?;
    let pattern = parse_pattern(&head.bytes).ok_or(Damage::Foreign)?;
    if named(path).as_ref() != Some(&pattern) {
        return Err(Damage::Foreign);
    }
    head.of(&pattern).map(|_| pattern)
}

/// The pattern that a file's name stands for, if a store gives such names.
pub(super) fn named(path: &Path) -> Option<Pattern> {
    path.file_name().and_then(|name| name.to_str()).and_then(parse_name)
}

/// A file's header, and its length.
struct Head {
    bytes: [u8; HEADER_BYTES],
    length: u64,
}

impl Head {
    /// The length and checksum of a pattern's entries, if the header is of that pattern and the file as long as it
    /// says.
    fn of(&self, pattern: &Pattern) -> Result<(u64, u64), Damage> {
        let (bytes, sum) = lengths(&self.bytes).ok_or(Damage::Foreign)?;
        if self.bytes != header(pattern, bytes, sum) {
            return Err(Damage::Foreign);
        }
        let (found, expected) = (self.length, (HEADER_BYTES as u64).saturating_add(bytes));
        if found == expected { Ok((bytes, sum)) } else { Err(Damage::Length { found, expected }) }
    }
}

fn read_header(file: &mut File) -> Result<Head, Damage> {
    let mut bytes = [0; HEADER_BYTES];
    let length = file.metadata()?.len();
    if length < HEADER_BYTES as u64 {
        return Err(Damage::Short(length));
    }
    file.read_exact(&mut bytes)?;
    Ok(Head { bytes, length })
}

const PATTERN_AT: usize = 12;
const LENGTHS_AT: usize = 32;
const SUM_AT: usize = 56;

fn header(pattern: &Pattern, bytes: u64, sum: u64) -> [u8; HEADER_BYTES] {
    let topology = pattern.topology();
    let bits = |lines: &mut dyn Iterator<Item = usize>| lines.fold(0_u16, |bits, line| bits | 1 << line).to_le_bytes();
    let mut header = [0; HEADER_BYTES];
    header[..8].copy_from_slice(MAGIC);
    header[8..PATTERN_AT].copy_from_slice(&VERSION.to_le_bytes());
    let own = &mut header[PATTERN_AT..LENGTHS_AT];
    own[0] = topology.size().rows() as u8;
    own[1] = topology.size().cols() as u8;
    own[2..4].copy_from_slice(&bits(&mut topology.wrap_rows()));
    own[4..6].copy_from_slice(&bits(&mut topology.wrap_cols()));
    own[6] = pattern.blank() as u8;
    own[7] = pattern.tiles().len() as u8;
    own[8..][..pattern.tiles().len()].copy_from_slice(pattern.tiles());
    header[LENGTHS_AT..][..8].copy_from_slice(&bytes.to_le_bytes());
    header[LENGTHS_AT + 8..][..8].copy_from_slice(&sum.to_le_bytes());
    let own_sum = checksum(&header[..SUM_AT]);
    header[SUM_AT..].copy_from_slice(&own_sum.to_le_bytes());
    header
}

/// The entries' length and checksum, if the header is not damaged.
fn lengths(header: &[u8; HEADER_BYTES]) -> Option<(u64, u64)> {
    let word = |at: usize| header[at..at + 8].try_into().map(u64::from_le_bytes).ok();
    (checksum(&header[..SUM_AT]) == word(SUM_AT)?).then_some((word(LENGTHS_AT)?, word(LENGTHS_AT + 8)?))
}

fn parse_pattern(header: &[u8; HEADER_BYTES]) -> Option<Pattern> {
    let own = &header[PATTERN_AT..LENGTHS_AT];
    let lines = |at: usize| {
        let bits = u16::from_le_bytes([own[at], own[at + 1]]);
        (0..16).filter(move |line| bits >> line & 1 == 1)
    };
    let size = Size::new(own[0].into(), own[1].into()).ok()?;
    let topology = Topology::wrapped(size, lines(2), lines(4)).ok()?;
    let tiles = own.get(8..8 + usize::from(own[7]).min(MAX_TILES + 1))?;
    Pattern::new(topology, own[6].into(), tiles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        let size = Size::new(3, 4).unwrap();
        for topology in [Topology::plain(size), Topology::wrapped(size, [0, 2], [1]).unwrap()] {
            let pattern = Pattern::new(topology, 11, &[0, 1, 4]).unwrap();
            assert_eq!(parse_name(&name(&pattern)), Some(pattern.clone()), "{}", name(&pattern));
        }
        for other in [
            "notes.table",
            "3x4-b0-t1.2",
            "3x4-b0-t2.1.table",
            "3x4-b0-t01.2.table",
            "3x4-b0.table",
            "3x4-b0-t1-x2.table",
            "99x4-b0-t1.table",
            "3x4-b12-t1.table",
            "3x4-b0-t.table",
            "copy of 3x4-b0-t1.2.table",
            "3x4-é-t1.table",
            ".table",
        ] {
            assert_eq!(parse_name(other), None, "{other}");
        }
    }

    #[test]
    fn the_format_does_not_drift() {
        let pattern = Pattern::new(Topology::wrapped(Size::new(3, 4).unwrap(), [0, 2], [1]).unwrap(), 11, &[0, 1, 4]);
        assert_eq!(checksum(b""), 0x2D06_8005_38D3_94C2, "XXH3 of nothing, as published");
        assert_eq!(checksum(&header(&pattern.unwrap(), 1000, 7)), 6_607_991_344_229_924_783);
    }
}
