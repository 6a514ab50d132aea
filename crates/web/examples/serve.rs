//! A server with its data in a directory of its own: `cargo run -p pintu-web --example serve -- DIR [ADDR [ENGINE]]`.

use std::{env, error::Error, path::Path};

use pintu_web::{Config, Engine, serve};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let data = arguments.next().ok_or("expected a directory for the data")?;
    let address = arguments.next().map(|text| text.parse()).transpose()?;
    let mut config = Config::new(data);
    // Not what the program may have been built with: a test says whether there is one.
    config.engine = arguments.next().map(|path| Engine::read(Path::new(&path))).transpose()?;
    serve(config, address, |server| println!("listening on {}", server.url()))?;
    Ok(())
}
