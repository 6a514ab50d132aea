//! Compiles the device's code for this machine where tests want that.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "emulator")]
    {
        println!("cargo::rerun-if-changed=device");
        cc::Build::new().file("device/host.c").opt_level(2).flag_if_supported("-std=c11").compile("pintu_emulator");
    }
}
