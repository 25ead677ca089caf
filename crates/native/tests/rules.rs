//! What the builder and the call refuse, and what operators make of numbers at the edges.

use native::{Assembler, BinaryOp, PartialOp, Rows, Shape, UnaryOp};

const SHAPE: Shape = Shape { width: 3, scratch: 1 };

fn assembler() -> Assembler {
    Assembler::new(SHAPE).unwrap()
}

#[test]
#[should_panic(expected = "BUG: slot 3 of 3")]
fn a_slot_outside_the_vector_is_refused() {
    let _ = assembler().routine(|b| {
        b.slot(3);
    });
}

#[test]
#[should_panic(expected = "BUG: cell 4 of a row")]
fn a_cell_behind_scratch_is_refused() {
    let _ = assembler().routine(|b| {
        let zero = b.constant(0);
        b.set(3, zero);
        b.set(4, zero);
    });
}

#[test]
#[should_panic(expected = "BUG: an array outside")]
fn an_array_that_is_too_long_is_refused() {
    let _ = assembler().routine(|b| {
        let (index, fault) = (b.argument(), b.fault());
        b.cell(2, 3, index, fault);
    });
}

#[test]
#[should_panic(expected = "BUG: scratch is not in the vector")]
fn scratch_is_not_read_from_the_vector() {
    let _ = assembler().routine(|b| {
        let (index, fault) = (b.argument(), b.fault());
        let cell = b.cell(3, 1, index, fault);
        b.slot_at(cell);
    });
}

#[test]
#[should_panic(expected = "BUG: a jump backwards")]
fn routines_go_forward() {
    let _ = assembler().routine(|b| {
        let again = b.block();
        b.jump(again);
        b.enter(again);
        b.jump(again);
    });
}

#[test]
#[should_panic(expected = "BUG: a cell whose index was not compared on the way here")]
fn a_cell_counts_only_behind_its_comparison() {
    let _ = assembler().routine(|b| {
        let (index, elsewhere) = (b.argument(), b.block());
        let cell = b.cell(0, 3, index, elsewhere);
        b.slot_at(cell);
        b.jump(elsewhere);
        b.enter(elsewhere);
        b.slot_at(cell);
    });
}

#[test]
fn a_routine_without_room_is_not_run() {
    let mut assembler = assembler();
    let routine = assembler.routine(|b| {
        let (more, end) = (b.block(), b.block());
        let first = b.slot(0);
        b.begin_row();
        b.append_row([1, 2], false);
        b.branch(first, more, end);
        b.enter(more);
        b.begin_row();
        b.append_row([3, 4], false);
        b.jump(end);
        b.enter(end);
        b.done();
    });
    let routine = routine.unwrap();
    let routines = assembler.finish().unwrap();
    let need = routines.need(routine);
    assert_eq!((need.rows, need.cells, need.marks), (2, 3 * 3 + 1, 0));
    let run = |cells: usize, rows: usize, width: usize| {
        let (mut cells, mut tags) = (vec![0; cells], vec![[0; 3]; rows]);
        let rows = Rows { cells: &mut cells, tags: &mut tags, marks: &mut [], marked: 5 };
        let count = routines.run(routine, 0, &vec![7; width], rows);
        (count, cells, tags)
    };
    let (count, cells, tags) = run(10, 2, 3);
    assert_eq!((count, &cells[..6], tags), (Some(2), &[7; 6][..], vec![[1, 2, 5], [3, 4, 5]]));
    for (cells, rows, width) in [(9, 2, 3), (10, 1, 3), (10, 2, 2), (10, 2, 4)] {
        assert!(std::panic::catch_unwind(|| run(cells, rows, width)).is_err(), "{cells} {rows} {width}");
    }
}

#[test]
fn wide_vectors_are_copied_whole() {
    for width in (0..140).chain([255, 256, 257, 1001]) {
        let mut assembler = Assembler::new(Shape { width, scratch: 0 }).unwrap();
        let routine = assembler.routine(|b| {
            b.begin_row();
            b.append_row([0, 0], false);
            b.done();
        });
        let routine = routine.unwrap();
        let routines = assembler.finish().unwrap();
        let vector: Vec<u32> = (1..=width as u32).collect();
        let mut cells = vec![0; routines.need(routine).cells];
        let rows = Rows { cells: &mut cells, tags: &mut [[0; 3]], marks: &mut [], marked: 0 };
        assert_eq!(routines.run(routine, 0, &vector, rows), Some(1));
        assert_eq!(cells[..width], vector, "width {width}");
        assert!(cells[width..].iter().all(|&cell| cell == 0), "width {width}");
    }
}

#[test]
fn numbers_at_the_edges_are_rusts() {
    let edges = [0, 1, -1, 2, -7, 63, 64, 1 << 31, -(1 << 31), i64::MAX, i64::MIN, i64::MIN + 1];
    let mut assembler = assembler();
    // The right operand is a constant of the code, the left one comes at run time; then the other way round,
    // so that both are tried.
    for constant in edges {
        let mut compile = |op: PartialOp, constant_left: bool| {
            let routine = assembler.routine(|b| {
                let (argument, constant, fault) = (b.argument(), b.constant(constant), b.fault());
                let (left, right) = if constant_left { (constant, argument) } else { (argument, constant) };
                let value = b.partial(op, left, right, fault);
                b.done_with(value);
            });
            routine.unwrap()
        };
        let wanted = |op: PartialOp, left: i64, right: i64| match op {
            PartialOp::Div => (right != 0).then(|| left.wrapping_div(right)),
            PartialOp::Mod => (right != 0).then(|| left.wrapping_rem(right)),
            PartialOp::Shl => u32::try_from(right).ok().and_then(|right| left.checked_shl(right)),
            PartialOp::Shr => u32::try_from(right).ok().and_then(|right| left.checked_shr(right)),
        };
        let mut questions = Vec::new();
        for op in [PartialOp::Div, PartialOp::Mod, PartialOp::Shl, PartialOp::Shr] {
            for constant_left in [true, false] {
                questions.push((op, constant_left, compile(op, constant_left)));
            }
        }
        let routines = std::mem::replace(&mut assembler, self::assembler()).finish().unwrap();
        for (op, constant_left, routine) in questions {
            for argument in edges {
                let (left, right) = if constant_left { (constant, argument) } else { (argument, constant) };
                let found = routines.value(routine, argument, &[0; 3]);
                assert_eq!(found, wanted(op, left, right), "{op:?} {left} {right}");
            }
        }
    }
}

#[test]
fn wrapping_is_modular_for_all_ranges_that_are_served() {
    let ranges = [
        (0, 255),
        (-128, 127),
        (1, 4),
        (-3, 3),
        (5, 5),
        (0, 99),
        (-100, -1),
        (-5, 1 << 60),
        (0, (1 << 62) - 1),
    ];
    let edges = [0, 1, -1, 4, 5, 255, 256, -129, 1 << 62, -(1 << 62), i64::MAX, i64::MIN];
    let mut assembler = assembler();
    let routines: Vec<_> = ranges
        .iter()
        .map(|&(lo, hi)| {
            let routine = assembler.routine(|b| {
                let argument = b.argument();
                let value = b.wrap(argument, lo, hi).expect("a range that is served");
                b.done_with(value);
            });
            routine.unwrap()
        })
        .collect();
    let compiled = assembler.finish().unwrap();
    for ((lo, hi), routine) in ranges.into_iter().zip(routines) {
        for value in edges {
            let size = i128::from(hi) - i128::from(lo) + 1;
            let wanted = (i128::from(lo) + (i128::from(value) - i128::from(lo)).rem_euclid(size)) as i64;
            assert_eq!(compiled.value(routine, value, &[0; 3]), Some(wanted), "{value} in {lo}..={hi}");
        }
    }
}

#[test]
fn code_that_is_never_reached_does_no_harm() {
    let mut assembler = assembler();
    let routine = assembler.routine(|b| {
        let (never, end, fault) = (b.block(), b.block(), b.fault());
        let index = b.argument();
        let cell = b.cell(0, 3, index, fault);
        let no = b.constant(0);
        let no = b.unary(UnaryOp::Truth, no);
        b.branch(no, never, end);
        assert!(!b.enter(never));
        b.slot_at(cell);
        b.jump(end);
        assert!(b.enter(end));
        let (value, one) = (b.slot_at(cell), b.constant(1));
        let value = b.binary(BinaryOp::Add, value, one);
        b.done_with(value);
    });
    let routine = routine.unwrap();
    let routines = assembler.finish().unwrap();
    let value = |index: i64| routines.value(routine, index, &[10, 20, 30]);
    assert_eq!([-1, 0, 2, 3, i64::MIN, 1 << 62].map(value), [None, Some(11), Some(31), None, None, None]);
}
