//! A connection that gives up on a client that does not read.
//!
//! A client that takes [`BYTES_A_SECOND`] or more has all the time that it needs, however much there is for it. One that takes
//! less is given up when it has kept us waiting for longer than our patience lasts and what it took makes up for.
//!
//! What it takes comes in lumps: a full receive buffer of 6 MiB tells nobody of room before 384 KiB are free, and ours
//! must be emptied by a third before we are asked for more. So what it took before counts, too, up to some patiences' worth.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep},
};

/// What it takes makes up for its waiting: so many bytes for a second. A telephone line is quicker.
pub(crate) const BYTES_A_SECOND: f64 = 4096.0;
/// As many patiences as what was taken before may make up for: of 20 seconds, these are worth 480 KiB.
const CREDIT: u32 = 6;

/// A stream whose writes fail when its reader is too slow.
#[derive(Debug)]
pub(crate) struct Patient<S> {
    stream: S,
    longest: Duration,
    /// How long we will wait.
    left: Duration,
    alarm: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl<S> Patient<S> {
    /// `longest` is how long a client may keep us waiting that has taken nothing yet, while there is something for it.
    pub(crate) fn new(stream: S, longest: Duration) -> Self {
        Self { stream, longest, left: longest, alarm: None }
    }

    /// Notes what came of a write; fails when that was nothing for too long.
    fn note(&mut self, written: Poll<io::Result<usize>>, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if written.is_pending() {
            let left = self.left;
            let (_, alarm) = self.alarm.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(left))));
            ready!(alarm.as_mut().poll(context));
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        if let Some((since, _)) = self.alarm.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
        if let Poll::Ready(Ok(count)) = written {
            let made_up = Duration::from_secs_f64(count as f64 / BYTES_A_SECOND);
            self.left = (self.left + made_up).min(self.longest * (1 + CREDIT));
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

    /// A reader of exactly the rate that is asked for, which takes little by little or in lumps, has everything.
    #[tokio::test(start_paused = true)]
    async fn a_client_that_is_just_quick_enough_has_everything() {
        const PATIENCE: Duration = Duration::from_secs(20);
        for lump in [512, 16 << 10, 400 << 10] {
            let (ours, mut theirs) = duplex(lump);
            let mut ours = Patient::new(ours, PATIENCE);
            let reading = tokio::spawn(async move {
                let (mut bytes, mut all) = (vec![0; lump], 0);
                loop {
                    // The clock first: it is late each time.
                    sleep(Duration::from_secs_f64(lump as f64 / BYTES_A_SECOND)).await;
                    match theirs.read(&mut bytes).await {
                        Ok(count) if count > 0 => all += count,
                        _ => return all,
                    }
                }
            });
            ours.write_all(&vec![0; 4 << 20]).await.unwrap();
            drop(ours);
            assert_eq!(reading.await.unwrap(), 4 << 20, "in lumps of {lump}");
        }
    }

    /// One that takes half of that is given up, also after it has taken much; so is one that stops.
    #[tokio::test(start_paused = true)]
    async fn a_client_that_is_too_slow_has_no_more_than_its_credit() {
        const PATIENCE: Duration = Duration::from_secs(20);
        for bytes_a_second in [BYTES_A_SECOND / 2.0, 0.0] {
            let (ours, mut theirs) = duplex(1024);
            let mut ours = Patient::new(ours, PATIENCE);
            let reading = tokio::spawn(async move {
                let mut bytes = vec![0; 1024];
                for count in 0.. {
                    if theirs.read(&mut bytes).await.is_err() {
                        break;
                    }
                    // A megabyte at once, and then slowly.
                    if count > 1000 {
                        sleep(Duration::from_secs_f64((1024.0 / bytes_a_second).min(1e6))).await;
                    }
                }
            });
            let began = tokio::time::Instant::now();
            assert_eq!(ours.write_all(&vec![0; 16 << 20]).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
            assert!(began.elapsed() <= PATIENCE * (2 * (CREDIT + 1) + 1), "{:?}", began.elapsed());
            reading.abort();
        }
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
