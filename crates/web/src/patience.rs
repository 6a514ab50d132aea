//! A connection that gives up on a client that does not read.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

/// What it reads makes up for its waiting: so many bytes for a second. A telephone line is quicker.
const BYTES_A_SECOND: f64 = 4096.0;

/// A stream whose writes fail when its reader is too slow.
#[derive(Debug)]
pub(crate) struct Patient<S> {
    stream: S,
    longest: Duration,
    /// How long we have waited, less what was made up for.
    waited: Duration,
    alarm: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl<S> Patient<S> {
    /// `longest` is how long the client may keep us waiting in all, while there is something for it to read.
    pub(crate) fn new(stream: S, longest: Duration) -> Self {
        Self { stream, longest, waited: Duration::ZERO, alarm: None }
    }

    /// Notes what came of a write; fails when that was nothing for too long.
    fn note(&mut self, written: Poll<io::Result<usize>>, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if written.is_pending() {
            let left = self.longest.saturating_sub(self.waited);
            let (_, alarm) = self.alarm.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(left))));
            ready!(alarm.as_mut().poll(context));
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        if let Some((since, _)) = self.alarm.take() {
            self.waited += since.elapsed();
        }
        if let Poll::Ready(Ok(count)) = written {
            let made_up = Duration::from_secs_f64(count as f64 / BYTES_A_SECOND);
            self.waited = self.waited.saturating_sub(made_up);
        }
        written
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, to)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.note(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.note(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    fn patient(longest: Duration) -> (Patient<tokio::io::DuplexStream>, tokio::io::DuplexStream) {
        let (ours, theirs) = duplex(64);
        (Patient::new(ours, longest), theirs)
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_is_given_up() {
        let (mut ours, _theirs) = patient(Duration::from_millis(100));
        let began = Instant::now();
        let error = ours.write_all(&[0; 1000]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(began.elapsed() < Duration::from_secs(5));
    }

    #[tokio::test]
    async fn a_client_that_trickles_is_given_up_too() {
        let (mut ours, mut theirs) = patient(Duration::from_millis(200));
        let reading = tokio::spawn(async move {
            let mut byte = [0];
            // Each byte is within the time, and all of them together are not.
            while theirs.read_exact(&mut byte).await.is_ok() {
                sleep(Duration::from_millis(20)).await;
            }
        });
        assert_eq!(ours.write_all(&[0; 1000]).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
        reading.abort();
    }

    #[tokio::test]
    async fn a_client_that_reads_has_all_the_time_it_needs() {
        let (mut ours, mut theirs) = patient(Duration::from_millis(200));
        let reading = tokio::spawn(async move {
            let (mut bytes, mut all) = ([0; 4096], 0);
            while let Ok(count) = theirs.read(&mut bytes).await
                && count > 0
            {
                all += count;
                sleep(Duration::from_millis(2)).await;
            }
            all
        });
        ours.write_all(&vec![0; 20_000]).await.unwrap();
        drop(ours);
        assert_eq!(reading.await.unwrap(), 20_000);
    }
}
