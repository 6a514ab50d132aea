//! An unreliable proxy between players and the server.

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::sleep,
};

use crate::Random;

/// Where the server is at the moment.
pub(crate) type Target = Arc<Mutex<SocketAddr>>;

pub(crate) async fn start(target: Target) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        static SEEDS: AtomicU64 = AtomicU64::new(1);
        while let Ok((client, _)) = listener.accept().await {
            let (target, random) = (*target.lock().expect("nobody panics"), Random::new(SEEDS.fetch_add(1, Relaxed)));
            tokio::spawn(async move {
                // The player sees however it ends.
                let _ = pass(client, target, random).await;
            });
        }
    });
    Ok(address)
}

async fn pass(mut client: TcpStream, target: SocketAddr, mut random: Random) -> io::Result<()> {
    let mut server = TcpStream::connect(target).await?;
    let (mut up, mut down) = (vec![0; 16384], vec![0; 16384]);
    loop {
        tokio::select! {
            read = client.read(&mut up) => {
                let count = read?;
                if count == 0 {
                    return Ok(());
                }
                match random.below(40) {
                    0 => return refuse(&mut client, &mut random).await,
                    // It arrives in part, and the rest never.
                    1 => return server.write_all(&up[..count / 2]).await,
                    2 => sleep(Duration::from_millis(random.below(300))).await,
                    _ => (),
                }
                server.write_all(&up[..count]).await?;
            }
            read = server.read(&mut down) => {
                let count = read?;
                if count == 0 {
                    return Ok(());
                }
                match random.below(40) {
                    // The answer is lost.
                    0 => return Ok(()),
                    1 => return client.write_all(&down[..count / 2]).await,
                    _ => (),
                }
                client.write_all(&down[..count]).await?;
            }
        }
    }
}

async fn refuse(client: &mut TcpStream, random: &mut Random) -> io::Result<()> {
    let status = ["408 Request Timeout", "429 Too Many Requests", "502 Bad Gateway", "504 Gateway Timeout"]
        [random.below(4) as usize];
    let body = "<html>proxy</html>";
    let answer = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nX-Proxy: 1\r\n\r\n{body}", body.len());
    client.write_all(answer.as_bytes()).await?;
    sleep(Duration::from_millis(50)).await;
    Ok(())
}
