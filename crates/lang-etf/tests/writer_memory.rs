//! What a writer holds: counted well, no more than allowed, and in proportion to what it writes. The test of
//! real memory is alone in its process with those that take next to none.

mod support;

use std::io;

use base::GroupIx;
use lang_etf::Writer;
use model::{Model, Observer, Successors, Value};
use support::load;

/// A pair of numbers that a group reads and writes, and one that it leaves alone; a label looks at the first.
fn pairs() -> std::sync::Arc<dyn Model> {
    let text = "begin state\nx:int y:int z:int\nend state\nbegin edge\nend edge\nbegin init\n0 0 0\nend init\n\
                begin trans\n0/1 0/1 *\nend trans\nbegin map odd:int\n0 * * 1\nend map\n";
    load(text).model
}

/// Shows the writer all pairs below `size`, several times.
fn show(writer: &mut Writer, size: Value) {
    let mut successors = Successors::new(3);
    for (round, x, y) in
        (0..2).flat_map(|round| (0..size).flat_map(move |x| (0..size).map(move |y| (round, x, y))))
    {
        successors.clear();
        successors.push(GroupIx::new(0), 0, &[y, (x + 1) % size, round]);
        writer.transition(&[x, y, round], successors.get(0));
    }
}

/// Most bytes that this process ever took, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

struct Count(u64);

impl io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn memory_is_counted_and_a_small_multiple_of_the_text() {
    let model = pairs();
    let before = peak();
    let mut writer = Writer::new(&*model);
    show(&mut writer, 1000);
    let mut text = Count(0);
    writer.write(&mut text).unwrap();
    let held = writer.bytes();
    assert!(text.0 < held && held < 3 * text.0, "{held} bytes held for {} bytes of text", text.0);
    let Some((before, after)) = before.zip(peak()) else { return };
    let taken = after - before;
    assert!(held * 8 / 10 < taken && taken < held * 12 / 10, "{held} bytes counted, {taken} taken");
}

fn text_of(writer: &Writer) -> String {
    let mut text = Vec::new();
    writer.write(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn a_limit_is_kept_and_what_does_not_fit_is_not_written() {
    let model = pairs();
    let mut unlimited = Writer::new(&*model);
    show(&mut unlimited, 30);
    assert!(!unlimited.is_full());
    let mut enough = Writer::with_limit(&*model, unlimited.bytes());
    show(&mut enough, 30);
    assert!(!enough.is_full() && text_of(&enough) == text_of(&unlimited));
    for limit in [0, 1, 100, 200, 300, 1000, 5000, unlimited.bytes() - 100] {
        let mut writer = Writer::with_limit(&*model, limit);
        show(&mut writer, 30);
        assert!(writer.is_full(), "{limit}");
        // Of the scratch space a few bytes are there in any case.
        assert!(writer.bytes() <= limit + 100, "{} bytes of {limit}", writer.bytes());
        let mut text = Count(0);
        let refusal = writer.write(&mut text).unwrap_err();
        assert_eq!((refusal.kind(), text.0), (io::ErrorKind::OutOfMemory, 0));
    }
}
