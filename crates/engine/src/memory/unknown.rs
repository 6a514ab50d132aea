//! For targets without a system to ask: browsers.

pub(super) fn resident() -> Option<u64> {
    None
}

pub(super) fn available() -> Option<u64> {
    None
}

pub(super) fn address_room() -> Option<u64> {
    None
}
