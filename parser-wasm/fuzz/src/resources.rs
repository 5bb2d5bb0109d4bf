//! Memory that an input takes beyond its size. libFuzzer keeps inputs that reach new branches: each
//! doubling of the memory is one, so that it goes on from what took the most.

#[cfg(feature = "libfuzzer")]
#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// What an input may take in the long run: so much at first, and so much per byte. The promise of
/// docs/security.md, without what Node or a browser takes.
#[cfg(feature = "libfuzzer")]
const BYTES: usize = 128 << 20;
#[cfg(feature = "libfuzzer")]
const BYTES_PER_BYTE: usize = 10_000;

/// Does the work for an input of so many bytes.
///
/// # Panics
/// When the work took too much memory at once.
#[cfg(feature = "libfuzzer")]
pub fn bounded<T>(input: usize, work: impl FnOnce() -> T) -> T {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let done = work();
    let peak = MEMORY.peak_usage().saturating_sub(before);
    branch(peak);
    assert!(
        peak <= BYTES + BYTES_PER_BYTE * input,
        "{peak} bytes of memory for {input} bytes"
    );
    done
}

/// The targets of the short run share a process: nothing is counted.
#[cfg(not(feature = "libfuzzer"))]
pub fn bounded<T>(_input: usize, work: impl FnOnce() -> T) -> T {
    work()
}

/// A branch of its own for each half of a power of two from 64 KiB on.
#[cfg(feature = "libfuzzer")]
fn branch(bytes: usize) {
    macro_rules! branches {
        ($($step:literal)*) => {$(
            if bytes >= (64 << 10 << ($step / 2)) + (32 << 10 << ($step / 2)) * ($step % 2) {
                std::hint::black_box($step);
            }
        )*};
    }
    branches!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27);
}
