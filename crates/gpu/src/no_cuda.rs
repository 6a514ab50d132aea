//! Where no driver can be loaded there is no GPU.

use crate::{
    backend::{DeviceError, DeviceInfo},
    searcher::Gpu,
};

pub fn devices() -> Result<Vec<DeviceInfo>, DeviceError> {
    Err(DeviceError::NoDriver)
}

pub fn may_have_gpu() -> bool {
    false
}

pub fn compiler() -> Result<(), DeviceError> {
    Err(DeviceError::NoCompiler)
}

pub fn first_gpu() -> Result<Gpu, DeviceError> {
    Err(DeviceError::NoDriver)
}
