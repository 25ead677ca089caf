//! Writes an `.aut` file as mCRL2 does. The same system gives the same text.

use std::io::{self, Write};

use crate::system::Lts;

/// Writes a system. A label stands in quotes as it is; what would end its line is a blank there.
pub fn write(lts: &Lts, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "des ({},{},{})", lts.initial().0, lts.transitions(), lts.states())?;
    // Lines are put together here: a call for each piece of a line took most of the time.
    const FULL: usize = 1 << 16;
    let mut text: Vec<u8> = Vec::with_capacity(FULL + 1024);
    for (source, edge) in lts.all_edges() {
        text.push(b'(');
        number(source.0, &mut text);
        text.extend_from_slice(b",\"");
        one_line(lts.label(edge.action), &mut text);
        text.extend_from_slice(b"\",");
        number(edge.target.0, &mut text);
        text.extend_from_slice(b")\n");
        if text.len() >= FULL {
            out.write_all(&text)?;
            text.clear();
        }
    }
    out.write_all(&text)?;
    out.flush()
}

fn one_line(label: &str, text: &mut Vec<u8>) {
    let start = text.len();
    text.extend_from_slice(label.as_bytes());
    for byte in &mut text[start..] {
        *byte = if byte.is_ascii_control() { b' ' } else { *byte };
    }
}

fn number(mut number: u32, text: &mut Vec<u8>) {
    let mut digits = [0; 10];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.extend_from_slice(&digits[first..]);
}
