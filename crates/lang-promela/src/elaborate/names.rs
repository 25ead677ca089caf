//! What names mean: variables with records taken apart, `mtype` constants, types of records, process types.

use std::collections::HashMap;

use base::{Diagnostic, Span, closest};
use commands::{BinaryOp as Op, Expr as Code, constant};

use crate::ast::{self, BinaryOp, ExprKind, TypeName, UnaryOp};
use crate::program::MtypeSet;
use crate::resolved::{ChannelShape, Initial, ValueType, Variable};

/// Cells of one variable beyond this are a mistake, not a model.
const MOST_CELLS: usize = 1 << 20;

/// A field of a record, or a parameter, or a variable, before records are taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub name: String,
    pub shape: Shape,
    /// How many cells, for an array.
    pub length: Option<usize>,
    pub initial: Option<ast::Initial>,
    pub hidden: bool,
    pub span: Span,
}

/// A scalar or a record.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Scalar(ValueType),
    /// The number of a typedef.
    Record(usize),
}

/// A type of records.
#[derive(Debug)]
struct Typedef {
    name: String,
    fields: Vec<Field>,
    /// How many scalars a value has, those of its fields' fields too: types that use each other have soon
    /// more than can be counted.
    scalars: usize,
}

/// What is known to the whole text.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub mtypes: Vec<MtypeSet>,
    constants: HashMap<String, i64>,
    typedefs: Vec<Typedef>,
    pub processes: Vec<(String, Span)>,
}

/// What a name stands for in a scope.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    /// A variable by number.
    Scalar(usize),
    /// A record: the number of its typedef.
    Record(usize),
}

/// The variables of a scope by name; fields of records by their whole path.
#[derive(Debug, Default)]
pub(crate) struct SymbolTable {
    entries: HashMap<String, Entry>,
}

impl SymbolTable {
    pub fn get(&self, path: &str) -> Option<&Entry> {
        self.entries.get(path)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }
}

pub(crate) type Problem = Box<Diagnostic>;

pub(crate) fn wrong(message: impl Into<String>, span: Span) -> Problem {
    Box::new(Diagnostic::error(message, span))
}

impl Names {
    /// Enters the constants of an `mtype`. Spin counts them from the last one back, and goes on counting with
    /// the next list.
    pub fn mtype(&mut self, decl: &ast::MtypeDecl) -> Result<(), Problem> {
        let set = decl.set.as_ref().map_or("", |set| set.text.as_str());
        let at = match self.mtypes.iter().position(|known| known.set == set) {
            Some(at) => at,
            None => {
                self.mtypes.push(MtypeSet { set: set.into(), names: Vec::new() });
                self.mtypes.len() - 1
            }
        };
        for name in decl.names.iter().rev() {
            if self.constants.contains_key(&name.text) {
                return Err(Box::new(
                    Diagnostic::error(format!("`{}` is declared twice", name.text), name.span)
                        .help("give one of the two another name"),
                ));
            }
            self.mtypes[at].names.push(name.text.clone());
            self.constants.insert(name.text.clone(), self.mtypes[at].names.len() as i64);
        }
        if self.mtypes[at].names.len() > 255 {
            return Err(wrong("more than 255 constants in one mtype", decl.names[0].span));
        }
        Ok(())
    }

    pub fn constant(&self, name: &str) -> Option<i64> {
        self.constants.get(name).copied()
    }

    pub fn constants(&self) -> impl Iterator<Item = &str> {
        self.constants.keys().map(String::as_str)
    }

    pub fn process(&self, name: &ast::Name) -> Result<usize, Problem> {
        self.processes.iter().position(|(known, _)| *known == name.text).ok_or_else(|| {
            let problem = Diagnostic::error(format!("there is no proctype `{}`", name.text), name.span);
            match closest(&name.text, self.processes.iter().map(|(name, _)| name.as_str())) {
                Some(near) => Box::new(problem.help(format!("did you mean `{near}`?"))),
                None => Box::new(problem),
            }
        })
    }

    pub fn typedef(&mut self, typedef: &ast::Typedef) -> Result<(), Problem> {
        let mut fields = Vec::new();
        for declaration in &typedef.fields {
            fields.extend(self.fields(declaration)?);
        }
        let ast::Name { text: name, span } = typedef.name.clone();
        if self.typedefs.iter().any(|known| known.name == name) {
            return Err(wrong(format!("type `{name}` is declared twice"), span));
        }
        let scalars = fields.iter().map(|field| self.cells(field)).fold(0, usize::saturating_add);
        if scalars > MOST_CELLS {
            let problem = wrong(format!("type `{name}` has too many cells"), span);
            // Known all the same, so that types with such fields are not told of too.
            self.typedefs.push(Typedef { name, fields: Vec::new(), scalars: 0 });
            return Err(problem);
        }
        self.typedefs.push(Typedef { name, fields, scalars });
        Ok(())
    }

    /// The fields of a record type.
    pub fn record(&self, typedef: usize) -> &[Field] {
        &self.typedefs[typedef].fields
    }

    /// What a declaration declares.
    pub fn fields(&self, declaration: &ast::Declaration) -> Result<Vec<Field>, Problem> {
        let field = |variable: &ast::Variable| -> Result<Field, Problem> {
            let length = match &variable.length {
                None => None,
                Some(length) => {
                    let cells = self.number(length)?;
                    let good = usize::try_from(cells).ok().filter(|cells| (1..=MOST_CELLS).contains(cells));
                    Some(
                        good.ok_or_else(|| {
                            wrong(format!("an array cannot have {cells} cells"), length.span)
                        })?,
                    )
                }
            };
            let shape = match (&declaration.ty, &variable.width) {
                (TypeName::Unsigned, Some(width)) => {
                    let bits = self.number(width)?;
                    if !(1..=32).contains(&bits) {
                        return Err(wrong(format!("`unsigned` cannot have {bits} bits"), width.span));
                    }
                    Shape::Scalar(ValueType::Unsigned(bits as u8))
                }
                (ty, _) => self.shape(ty, declaration.span)?,
            };
            // Spin keeps arrays of bits as bytes.
            let shape = match (shape, length) {
                (Shape::Scalar(ValueType::Bool | ValueType::Unsigned(1)), Some(2..)) => {
                    Shape::Scalar(ValueType::Unsigned(8))
                }
                (shape, _) => shape,
            };
            Ok(Field {
                name: variable.name.text.clone(),
                shape,
                length,
                initial: variable.initial.clone(),
                hidden: declaration.visibility == ast::Visibility::Hidden,
                span: variable.name.span,
            })
        };
        declaration.variables.iter().map(field).collect()
    }

    /// What a type by name is.
    pub fn shape(&self, ty: &TypeName, span: Span) -> Result<Shape, Problem> {
        Ok(Shape::Scalar(match ty {
            TypeName::Bit => ValueType::Unsigned(1),
            TypeName::Bool => ValueType::Bool,
            TypeName::Byte | TypeName::Pid => ValueType::Unsigned(8),
            TypeName::Short => ValueType::Signed(16),
            TypeName::Int => ValueType::Signed(32),
            TypeName::Unsigned => {
                return Err(wrong("`unsigned` needs a width, as in `unsigned x : 3`", span));
            }
            TypeName::Chan => ValueType::Channel,
            TypeName::Mtype(set) => {
                let name = set.as_ref().map_or("", |set| set.text.as_str());
                match (self.mtypes.iter().position(|known| known.set == name), set) {
                    (Some(at), _) => ValueType::Mtype(at),
                    (None, None) => ValueType::Unsigned(8),
                    (None, Some(set)) => {
                        return Err(wrong(format!("there is no mtype set `{}`", set.text), set.span));
                    }
                }
            }
            TypeName::User(name) => {
                return match self.typedefs.iter().position(|known| known.name == name.text) {
                    Some(at) => Ok(Shape::Record(at)),
                    None => Err(wrong(format!("there is no type `{}`", name.text), name.span)),
                };
            }
        }))
    }

    /// The types of a message's fields, records taken apart.
    pub fn message(&self, types: &[TypeName], span: Span) -> Result<Vec<ValueType>, Problem> {
        let mut fields = Vec::new();
        for ty in types {
            let shape = self.shape(ty, span)?;
            self.flatten(&shape, &mut |ty| fields.push(ty));
        }
        Ok(fields)
    }

    /// How many scalars there are in a value.
    pub fn scalars(&self, shape: &Shape) -> usize {
        match shape {
            Shape::Scalar(_) => 1,
            Shape::Record(typedef) => self.typedefs[*typedef].scalars,
        }
    }

    /// How many scalars there are in a field.
    fn cells(&self, field: &Field) -> usize {
        field.length.unwrap_or(1).saturating_mul(self.scalars(&field.shape))
    }

    fn flatten(&self, shape: &Shape, visit: &mut impl FnMut(ValueType)) {
        match shape {
            Shape::Scalar(ty) => visit(*ty),
            Shape::Record(typedef) => {
                for field in self.record(*typedef) {
                    for _ in 0..field.length.unwrap_or(1) {
                        self.flatten(&field.shape, visit);
                    }
                }
            }
        }
    }

    /// Declares a variable, a record as one variable for each field. `initial` makes initial values of what
    /// is written.
    pub fn declare(
        &self,
        field: &Field,
        symbols: &mut SymbolTable,
        variables: &mut Vec<Variable>,
        initial: &mut impl FnMut(&ast::Initial, Span) -> Result<Initial, Problem>,
    ) -> Result<(), Problem> {
        if self.cells(field) > MOST_CELLS {
            return Err(wrong(format!("`{}` has too many cells", field.name), field.span));
        }
        // Fields of fields wait with the path and the dimensions so far.
        let mut waiting = vec![(field.clone(), field.name.clone(), Vec::new())];
        while let Some((field, path, mut dimensions)) = waiting.pop() {
            dimensions.extend(field.length);
            match field.shape {
                Shape::Scalar(ty) => {
                    let initial =
                        field.initial.as_ref().map_or(Ok(Initial::Zero), |i| initial(i, field.span))?;
                    symbols.entries.insert(path.clone(), Entry::Scalar(variables.len()));
                    let variable = Variable {
                        name: path,
                        ty,
                        dimensions,
                        initial,
                        hidden: field.hidden,
                        span: field.span,
                    };
                    variables.push(variable);
                }
                Shape::Record(typedef) => {
                    symbols.entries.insert(path.clone(), Entry::Record(typedef));
                    for inner in self.record(typedef).iter().rev() {
                        let inner = Field { hidden: field.hidden, ..inner.clone() };
                        let path = format!("{path}.{}", inner.name);
                        waiting.push((inner, path, dimensions.clone()));
                    }
                }
            }
        }
        Ok(())
    }

    /// A channel as it is written.
    pub fn channel(
        &self,
        capacity: &ast::Expr,
        fields: &[TypeName],
        span: Span,
    ) -> Result<ChannelShape, Problem> {
        let messages = self.number(capacity)?;
        let good = usize::try_from(messages).ok().filter(|&messages| messages <= 255);
        let capacity = good.ok_or_else(|| {
            Box::new(
                Diagnostic::error(format!("a channel cannot hold {messages} messages"), capacity.span)
                    .help("between 0 (rendezvous) and 255"),
            )
        })?;
        let mut fields = self.message(fields, span)?;
        // Spin keeps a bit that is alone in its message as a byte.
        if let [ty @ (ValueType::Bool | ValueType::Unsigned(1))] = &mut fields[..] {
            *ty = ValueType::Unsigned(8);
        }
        Ok(ChannelShape { capacity, fields })
    }

    /// The value of an expression that must not depend on the state.
    pub fn number(&self, expr: &ast::Expr) -> Result<i64, Problem> {
        let not_constant = || {
            Box::new(
                Diagnostic::error("this must be a constant", expr.span)
                    .help("use numbers, macros and mtype constants only"),
            )
        };
        let int = |value: i64| i64::from(value as i32);
        Ok(match &expr.kind {
            ExprKind::Number(value) => *value,
            ExprKind::Name(name) if name.index.is_none() && name.field.is_none() => {
                self.constant(&name.name.text).ok_or_else(not_constant)?
            }
            ExprKind::Unary(op, operand) => {
                let value = self.number(operand)?;
                int(match op {
                    UnaryOp::Minus => -value,
                    UnaryOp::Complement => !value,
                    UnaryOp::Not => i64::from(value == 0),
                })
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                let op = match op {
                    BinaryOp::And => return Ok(i64::from(left != 0 && right != 0)),
                    BinaryOp::Or => return Ok(i64::from(left != 0 || right != 0)),
                    BinaryOp::Strict(op) => *op,
                };
                // Machines shift by the amount modulo the size of an int.
                let right = if matches!(op, Op::Shl | Op::Shr) { right & 31 } else { right };
                let value = Code::binary(op, Code::Constant(left), Code::Constant(right));
                int(constant(&value).ok_or_else(|| wrong("division by zero", expr.span))?)
            }
            ExprKind::Conditional(condition, yes, no) => {
                if self.number(condition)? != 0 {
                    self.number(yes)?
                } else {
                    self.number(no)?
                }
            }
            _ => return Err(not_constant()),
        })
    }
}
