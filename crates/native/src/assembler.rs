//! From routines to machine code: Cranelift's settings, its module, one routine after the other.

use cranelift_codegen::ir::{AbiParam, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{CodegenError, Context};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, ModuleError};

use crate::builder::{Builder, RoomCount};
use crate::contract::{Need, Shape};
use crate::routines::{RoutineIx, Routines};

/// Why there is no machine code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// Cranelift makes no code for this machine.
    Machine(String),
    /// A vector is too wide for the offsets in machine code.
    TooWide,
    /// Cranelift does not take a routine.
    Code(String),
    /// There is no memory that may hold code.
    Memory(String),
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Machine(why) => write!(f, "no code can be made for this machine: {why}"),
            Self::TooWide => write!(f, "states are too wide to be compiled"),
            Self::Code(why) => write!(f, "the code was not accepted: {why}"),
            Self::Memory(why) => write!(f, "no memory for code: {why}"),
        }
    }
}

impl std::error::Error for Refused {}

/// Collects routines.
pub struct Assembler {
    module: JITModule,
    context: Context,
    frontend: FunctionBuilderContext,
    shape: Shape,
    /// Constant arrays: routines hold their addresses, so they move into [`Routines`] as they are.
    tables: Vec<Box<[i64]>>,
    routines: Vec<(FuncId, Need)>,
    code_bytes: usize,
}

impl Assembler {
    /// Most cells of vector and scratch together: offsets in bytes stay far below 2³¹.
    pub const MOST_CELLS: usize = 1 << 24;

    /// An assembler for vectors of this shape.
    pub fn new(shape: Shape) -> Result<Self, Refused> {
        if shape.width.saturating_add(shape.scratch) > Self::MOST_CELLS {
            return Err(Refused::TooWide);
        }
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", OPT_LEVEL),
            ("use_colocated_libcalls", "false"),
            ("is_pic", "false"),
            // It takes as long as half the rest. What keeps routines safe is looked at by the builder.
            ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
            ("unwind_info", "false"),
        ] {
            flags.set(name, value).map_err(|error| Refused::Machine(error.to_string()))?;
        }
        let isa = cranelift_native::builder().map_err(|why| Refused::Machine(why.to_owned()))?;
        let isa =
            isa.finish(settings::Flags::new(flags)).map_err(|error| Refused::Machine(error.to_string()))?;
        if isa.pointer_type() != types::I64 {
            return Err(Refused::Machine("it has no 64-bit addresses".to_owned()));
        }
        let module = JITModule::new(JITBuilder::with_isa(isa, cranelift_module::default_libcall_names()));
        Ok(Self {
            context: module.make_context(),
            module,
            frontend: FunctionBuilderContext::new(),
            shape,
            tables: Vec::new(),
            routines: Vec::new(),
            code_bytes: 0,
        })
    }

    /// Compiles what `build` builds.
    ///
    /// # Panics
    /// When `build` leaves a block without an end, or breaks another rule of [`Builder`].
    pub fn routine(&mut self, build: impl FnOnce(&mut Builder<'_>)) -> Result<RoutineIx, Refused> {
        self.module.clear_context(&mut self.context);
        let signature = &mut self.context.func.signature;
        // The vector, the frame, an argument; the answer is how far the tags have come, or that there was a
        // fault.
        signature.params = vec![AbiParam::new(types::I64); 3];
        signature.returns = vec![AbiParam::new(types::I64)];
        let function = FunctionBuilder::new(&mut self.context.func, &mut self.frontend);
        let mut builder = Builder::new(function, self.shape, &mut self.tables);
        build(&mut builder);
        let needs = builder.finish();
        let id = self.module.declare_anonymous_function(&self.context.func.signature).map_err(refused)?;
        self.module.define_function(id, &mut self.context).map_err(refused)?;
        self.code_bytes += self.context.compiled_code().map_or(0, |code| code.code_buffer().len());
        self.routines.push((id, need(self.shape, needs)));
        Ok(RoutineIx(self.routines.len() as u32 - 1))
    }

    /// Makes everything ready to run.
    pub fn finish(mut self) -> Result<Routines, Refused> {
        self.module.finalize_definitions().map_err(refused)?;
        Ok(Routines::new(self.module, self.shape, self.routines, self.tables, self.code_bytes))
    }
}

/// What pays: measured, see `docs/adr/0006-native-code.md`.
const OPT_LEVEL: &str = "speed";

/// Room for that many rows, and for one more that is begun and not appended, with its scratch.
fn need(shape: Shape, needs: RoomCount) -> Need {
    let rows = needs.rows as usize;
    Need {
        rows,
        cells: if needs.uses_rows { (rows + 1) * shape.width + shape.scratch } else { 0 },
        marks: if needs.uses_marks { (needs.marked as usize + 1) * shape.width.div_ceil(64) } else { 0 },
    }
}

fn refused(error: ModuleError) -> Refused {
    match error {
        ModuleError::Allocation { .. } => Refused::Memory(error.to_string()),
        ModuleError::Compilation(CodegenError::Verifier(errors)) => {
            Refused::Code(errors.0.first().map_or_else(String::new, ToString::to_string))
        }
        other => Refused::Code(other.to_string()),
    }
}
