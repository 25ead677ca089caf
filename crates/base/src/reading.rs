//! Reading of files that may be of any length.

use std::io::{Read, Result};

/// All bytes that there are to read, or none where there are more than `most`: then no more than that was
/// read.
///
/// ```
/// assert_eq!(base::read_up_to(&b"abc"[..], 3).unwrap(), Some(b"abc".to_vec()));
/// assert_eq!(base::read_up_to(std::io::repeat(0), 3).unwrap(), None);
/// ```
pub fn read_up_to(reader: impl Read, most: u64) -> Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    reader.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= most))
}
