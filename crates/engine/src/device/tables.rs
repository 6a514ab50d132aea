//! Building tables on the processor or on a GPU.

use std::sync::Arc;

use pintu_gpu::{DeviceError, TableBuilder};
use pintu_search::Control;
use pintu_solver::internals::{Built, Pattern, SharedRows, Table};

use super::{Device, Devices, solve::where_drivers_are};
use crate::lock::lock;

impl Devices<'_> {
    /// Builds a table on the allowed device, unless the control ends it; returns which one. A GPU's table equals the
    /// processor's, bit by bit; if a GPU fails that was not explicitly asked for, the processor builds it.
    pub(crate) fn build(
        &self,
        device: Device,
        pattern: &Pattern,
        rows: &SharedRows,
        threads: usize,
        control: &Control,
        report: &mut dyn FnMut(Built),
    ) -> Result<(Table, Device), DeviceError> {
        let device = where_drivers_are(device);
        if device == Device::Gpu || (device == Device::Auto && self.is_worth_it(pattern, threads)) {
            match self.build_on_gpu(pattern, rows, control, report) {
                Ok(table) => return Ok((table, Device::Gpu)),
                Err(error) if device == Device::Gpu || matches!(error, DeviceError::Stopped(_)) => return Err(error),
                Err(_) => {}
            }
        }
        Ok((Table::build(pattern, rows, threads, control, report)?, Device::Cpu))
    }

    fn is_worth_it(&self, pattern: &Pattern, threads: usize) -> bool {
        TableBuilder::suits(pattern.topology())
            && pattern.estimated_build_time() >= self.least_build * threads as u32
            && self.has_gpu()
    }

    fn build_on_gpu(
        &self,
        pattern: &Pattern,
        rows: &SharedRows,
        control: &Control,
        report: &mut dyn FnMut(Built),
    ) -> Result<Table, DeviceError> {
        if !rows.are_planned(pattern, control)? {
            let found = format!("tables of {} whose regions are too many", pattern.topology());
            return Err(DeviceError::Board { found, expected: "a board of 10 to 25 cells that is not so long" });
        }
        let entries = lock((self.open)()?).build_table(pattern, control, report)?;
        Table::from_entries(pattern, rows, Arc::new(entries))
            .ok_or_else(|| DeviceError::Wrong("a table of another size".to_owned()))
    }
}
