//! Building tables on the processor or on a GPU.

use std::{ops::ControlFlow, sync::Arc};

use pintu_gpu::{DeviceError, Workshop};
use pintu_search::{Control, Stop};
use pintu_solver::tables::{Built, Pattern, SharedRows, Table};

use super::{Device, Rig};
use crate::lock::lock;

impl Rig<'_> {
    /// Builds a table on the device that may, unless the control ends that; says which did. A GPU's table is the
    /// processor's, to the bit; where a GPU fails that nobody insists on, the processor builds it.
    pub(crate) fn build(
        &self,
        device: Device,
        pattern: &Pattern,
        rows: &SharedRows,
        threads: usize,
        control: &Control,
        report: &mut dyn FnMut(Built),
    ) -> Result<ControlFlow<Stop, (Table, Device)>, DeviceError> {
        if device == Device::Gpu || (device == Device::Auto && self.is_worth_it(pattern, threads)) {
            match self.build_on_gpu(pattern, rows, control, report) {
                Ok(built) => return Ok(built.map_continue(|table| (table, Device::Gpu))),
                Err(error) if device == Device::Gpu => return Err(error),
                Err(_) => {}
            }
        }
        let built = Table::build(pattern, rows, threads, control, report);
        Ok(built.map_continue(|table| (table, Device::Cpu)))
    }

    fn is_worth_it(&self, pattern: &Pattern, threads: usize) -> bool {
        Workshop::suits(pattern.topology())
            && pattern.estimated_build_time() >= self.least_build * threads as u32
            && self.has_gpu()
    }

    fn build_on_gpu(
        &self,
        pattern: &Pattern,
        rows: &SharedRows,
        control: &Control,
        report: &mut dyn FnMut(Built),
    ) -> Result<ControlFlow<Stop, Table>, DeviceError> {
        match rows.are_planned(pattern, control) {
            ControlFlow::Continue(true) => {}
            ControlFlow::Continue(false) => {
                let found = format!("tables of {} whose regions are too many", pattern.topology());
                return Err(DeviceError::Board { found, expected: "a board of 10 to 25 cells that is not so long" });
            }
            ControlFlow::Break(why) => return Ok(ControlFlow::Break(why)),
        }
        let entries = match lock((self.open)()?).build_table(pattern, control, report)? {
            ControlFlow::Continue(entries) => entries,
            ControlFlow::Break(why) => return Ok(ControlFlow::Break(why)),
        };
        let table = Table::from_entries(pattern, rows, Arc::new(entries));
        table.map(ControlFlow::Continue).map_err(|error| DeviceError::Wrong { why: error.to_string() })
    }
}
