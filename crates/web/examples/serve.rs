//! A server with its data in a directory of its own: `cargo run -p pintu-web --example serve -- DIR [ADDR]`.

use std::{env, error::Error};

use pintu_web::{Config, serve};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let data = arguments.next().ok_or("expected a directory for the data")?;
    let address = arguments.next().map(|text| text.parse()).transpose()?;
    serve(Config::new(data), address, |server| println!("listening on {}", server.url()))?;
    Ok(())
}
