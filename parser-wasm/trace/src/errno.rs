//! The errors with which block requests end. The kernel keeps a `blk_status_t` per request and
//! traces it as an errno; before Linux 4.13 requests had an errno of their own.

/// An error of the block layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockError {
    /// Positive, as in `errno.h` of Linux.
    pub errno: u16,
    pub name: &'static str,
    /// Name of the `blk_status_t`; empty where only kernels before 4.13 use the errno.
    pub status: &'static str,
    /// What it means for a block request, which often differs from the text of the errno.
    pub meaning: &'static str,
}

const fn error(
    errno: u16,
    name: &'static str,
    status: &'static str,
    meaning: &'static str,
) -> BlockError {
    BlockError {
        errno,
        name,
        status,
        meaning,
    }
}

/// Ascending by errno. `docs/measures.md` has the same table.
pub const BLOCK_ERRORS: [BlockError; 20] = [
    error(5, "EIO", "BLK_STS_IOERR", "I/O error"),
    error(6, "ENXIO", "", "no such device"),
    error(
        11,
        "EAGAIN",
        "BLK_STS_AGAIN",
        "would have waited, which the caller excluded (nowait)",
    ),
    error(12, "ENOMEM", "BLK_STS_RESOURCE", "no memory in the kernel"),
    error(16, "EBUSY", "BLK_STS_DEV_RESOURCE", "device busy"),
    error(19, "ENODEV", "BLK_STS_OFFLINE", "device offline"),
    error(22, "EINVAL", "BLK_STS_INVAL", "invalid request"),
    error(28, "ENOSPC", "BLK_STS_NOSPC", "no space on the device"),
    error(30, "EROFS", "", "device is read-only"),
    error(52, "EBADE", "BLK_STS_RESV_CONFLICT", "reservation conflict"),
    error(61, "ENODATA", "BLK_STS_MEDIUM", "medium error"),
    error(
        62,
        "ETIME",
        "BLK_STS_DURATION_LIMIT",
        "duration limit exceeded",
    ),
    error(
        67,
        "ENOLINK",
        "BLK_STS_TRANSPORT",
        "path or transport failed",
    ),
    error(
        75,
        "EOVERFLOW",
        "BLK_STS_ZONE_ACTIVE_RESOURCE",
        "too many active zones",
    ),
    error(
        78,
        "EREMCHG",
        "BLK_STS_DM_REQUEUE",
        "device mapper repeats it",
    ),
    error(
        84,
        "EILSEQ",
        "BLK_STS_PROTECTION",
        "protection information is wrong",
    ),
    error(
        95,
        "EOPNOTSUPP",
        "BLK_STS_NOTSUPP",
        "operation not supported",
    ),
    error(
        109,
        "ETOOMANYREFS",
        "BLK_STS_ZONE_OPEN_RESOURCE",
        "too many open zones",
    ),
    error(110, "ETIMEDOUT", "BLK_STS_TIMEOUT", "timeout"),
    error(
        121,
        "EREMOTEIO",
        "BLK_STS_TARGET",
        "rejected by the device (target error)",
    ),
];

/// Errors after which a caller continues as planned: it asked not to wait, or tries an operation
/// that the device may not have.
pub const EXPECTED: [u16; 2] = [11, 95];

/// The error with a number; absent where the block layer does not use it.
pub fn block_error(errno: u16) -> Option<&'static BlockError> {
    BLOCK_ERRORS.iter().find(|error| error.errno == errno)
}

/// The error of a name, as `EIO` or `eio`.
pub fn named_error(name: &str) -> Option<&'static BlockError> {
    BLOCK_ERRORS
        .iter()
        .find(|error| error.name.eq_ignore_ascii_case(name))
}

/// `EIO (I/O error)`; `error 300` where the block layer has no such error.
pub fn error_words(errno: u16) -> String {
    match block_error(errno) {
        Some(error) => format!("{} ({})", error.name, error.meaning),
        None => format!("error {errno}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_documented() {
        assert!(BLOCK_ERRORS.is_sorted_by(|a, b| a.errno < b.errno));
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/measures.md");
        let document = std::fs::read_to_string(path).expect("docs/measures.md");
        for error in BLOCK_ERRORS {
            let row = format!(
                "| {} | {} | {} | {} |",
                error.errno, error.name, error.status, error.meaning
            );
            assert!(document.contains(&row), "{row}");
        }
        // As blktrace records them: negative, in 16 bits.
        let name_of =
            |recorded: u16| block_error((recorded as i16).unsigned_abs()).map(|error| error.name);
        assert_eq!(
            [65531, 65415, 65525].map(name_of),
            [Some("EIO"), Some("EREMOTEIO"), Some("EAGAIN")]
        );
        assert_eq!(block_error(4), None);
        assert_eq!(named_error("eio").map(|error| error.errno), Some(5));
        assert_eq!(error_words(5), "EIO (I/O error)");
        assert_eq!(error_words(300), "error 300");
    }
}
