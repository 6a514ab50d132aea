//! Notes of tests that were skipped, printed at the end, where they are read.

use std::{fs, io::Write, path::PathBuf};

use crate::shell::target_folder;

/// The variable that tells tests in which file they note why they did not run; `pintu_testing::skip` does.
pub(crate) const SKIPPED: &str = "PINTU_SKIPPED";

/// Collects the reasons.
pub(crate) struct Skipped {
    pub(crate) file: PathBuf,
}

impl Skipped {
    pub(crate) fn start() -> anyhow::Result<Self> {
        let file = target_folder()?.join("skipped.txt");
        fs::write(&file, "")?;
        Ok(Self { file })
    }

    pub(crate) fn note(&self, reasons: impl IntoIterator<Item = String>) -> anyhow::Result<()> {
        let mut file = fs::File::options().append(true).open(&self.file)?;
        reasons.into_iter().try_for_each(|reason| writeln!(file, "{reason}"))?;
        Ok(())
    }

    /// Prints each reason once.
    pub(crate) fn tell(&self) -> anyhow::Result<()> {
        let text = fs::read_to_string(&self.file)?;
        let mut reasons: Vec<&str> = text.lines().collect();
        reasons.sort_unstable();
        reasons.dedup();
        println!();
        for reason in reasons {
            println!("not tested here: {reason}");
        }
        Ok(())
    }
}
