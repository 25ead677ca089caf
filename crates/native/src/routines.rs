//! Routines that can be called: where the unsafe is, and why it is sound.

use std::mem::ManuallyDrop;
use std::sync::Mutex;

use cranelift_jit::JITModule;
use cranelift_module::FuncId;

use crate::contract::{FAULT, Need, Shape, TAG_BYTES, frame};

/// A routine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RoutineIx(pub(crate) u32);

/// Where rows go.
#[derive(Debug)]
pub struct Rows<'a> {
    /// The rows' cells, one row after the other.
    pub cells: &'a mut [u32],
    /// For each row the two numbers it was appended with, and `marked` as it was after that.
    pub tags: &'a mut [[u32; 3]],
    /// The marks of rows that have any: as many words each as a row has cells, divided by 64 and rounded up.
    pub marks: &'a mut [u64],
    /// How many words of marks were written before. What is written here is counted on.
    pub marked: u32,
}

/// What a routine gets besides the vector. The builder knows the order of these.
#[repr(C)]
struct Frame {
    cells: *mut u32,
    tags: *mut [u32; 3],
    marks: *mut u64,
    marked: u64,
    value: i64,
}

const _: () = {
    assert!(std::mem::offset_of!(Frame, cells) == frame::CELLS as usize);
    assert!(std::mem::offset_of!(Frame, tags) == frame::TAGS as usize);
    assert!(std::mem::offset_of!(Frame, marks) == frame::MARKS as usize);
    assert!(std::mem::offset_of!(Frame, marked) == frame::MARKED as usize);
    assert!(std::mem::offset_of!(Frame, value) == frame::VALUE as usize);
    assert!(size_of::<[u32; 3]>() == TAG_BYTES as usize);
};

type Entry = unsafe extern "C" fn(*const u32, *mut Frame, i64) -> i64;

/// Compiled routines. They can be run from several threads at once.
pub struct Routines {
    entries: Vec<(Entry, Need)>,
    shape: Shape,
    /// The memory of the code. Never looked at again before it is freed; the lock only says so to the
    /// compiler.
    module: ManuallyDrop<Mutex<JITModule>>,
    /// The constant arrays whose addresses are in the code.
    _tables: Vec<Box<[i64]>>,
    code_bytes: usize,
}

impl Routines {
    pub(crate) fn new(
        module: JITModule,
        shape: Shape,
        routines: Vec<(FuncId, Need)>,
        tables: Vec<Box<[i64]>>,
        code_bytes: usize,
    ) -> Self {
        let entry = |(id, need): (FuncId, Need)| {
            let address = module.get_finalized_function(id);
            // SAFETY: the address is that of a finalised function which `Assembler::routine` declared with
            // three 64-bit arguments and a 64-bit answer in the convention of C on this machine. It is called
            // in `call` alone.
            let entry = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
            (entry, need)
        };
        let entries = routines.into_iter().map(entry).collect();
        Self { entries, shape, module: ManuallyDrop::new(Mutex::new(module)), _tables: tables, code_bytes }
    }

    /// How many bytes of machine code there are.
    pub fn code_bytes(&self) -> usize {
        self.code_bytes
    }

    /// The room that a routine must have.
    #[inline]
    pub fn need(&self, routine: RoutineIx) -> Need {
        self.entries[routine.0 as usize].1
    }

    /// Runs a routine that appends rows: how many, or nothing where it met a fault.
    ///
    /// # Panics
    /// When the vector has another width, or there is less room than [`Routines::need`] says.
    #[inline]
    pub fn run(&self, routine: RoutineIx, argument: i64, vector: &[u32], rows: Rows<'_>) -> Option<usize> {
        let (answer, _) = self.call(routine, argument, vector, rows);
        (answer != FAULT).then_some(answer as usize / TAG_BYTES as usize)
    }

    /// Runs a routine that computes a number: what it is done with, or nothing where it met a fault.
    ///
    /// # Panics
    /// When the vector has another width, or the routine touches rows.
    #[inline]
    pub fn value(&self, routine: RoutineIx, argument: i64, vector: &[u32]) -> Option<i64> {
        let rows = Rows { cells: &mut [], tags: &mut [], marks: &mut [], marked: 0 };
        let (answer, value) = self.call(routine, argument, vector, rows);
        (answer != FAULT).then_some(value)
    }

    #[inline]
    fn call(&self, routine: RoutineIx, argument: i64, vector: &[u32], rows: Rows<'_>) -> (i64, i64) {
        let (entry, need) = self.entries[routine.0 as usize];
        assert!(vector.len() == self.shape.width, "BUG: a vector of another width");
        let enough =
            rows.cells.len() >= need.cells && rows.tags.len() >= need.rows && rows.marks.len() >= need.marks;
        assert!(enough, "BUG: too little room for the rows of a routine");
        let mut frame = Frame {
            cells: rows.cells.as_mut_ptr(),
            tags: rows.tags.as_mut_ptr(),
            marks: rows.marks.as_mut_ptr(),
            marked: u64::from(rows.marked),
            value: 0,
        };
        // SAFETY: the routine reads `vector` below its width, and reads and writes `cells`, `tags` and
        // `marks` below what `need` says (both are checked above, and `Builder` makes no other accesses), and
        // the frame, whose layout it knows. The borrows keep all of these alive and unshared during the call;
        // `self` keeps the code and its tables. It does not unwind: it calls nothing.
        let answer = unsafe { entry(vector.as_ptr(), &mut frame, argument) };
        (answer, frame.value)
    }
}

impl Drop for Routines {
    fn drop(&mut self) {
        // SAFETY: `module` is taken here and nowhere else, and `self` is not used after it.
        let module = unsafe { ManuallyDrop::take(&mut self.module) };
        let module = module.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        // SAFETY: the code runs only within `call`, which borrows `self`, and entries do not leave `self`. So
        // nothing of it runs now or will be called again.
        unsafe { module.free_memory() };
    }
}

impl std::fmt::Debug for Routines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Routines")
            .field("routines", &self.entries.len())
            .field("code_bytes", &self.code_bytes)
            .finish()
    }
}
