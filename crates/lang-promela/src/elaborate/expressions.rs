//! Expressions and references with their names looked up.

use base::{Diagnostic, Span, closest};

use super::names::{Entry, Names, Problem, SymbolTable, wrong};
use crate::ast::{self, ExprKind};
use crate::resolved::{Expr, Pattern, Place, Scope, Variable};

/// What names can mean at a place in the text.
pub(crate) struct Lookup<'a> {
    pub names: &'a Names,
    pub globals: (&'a SymbolTable, &'a [Variable]),
    /// The scopes of the process around the place, the innermost last.
    pub locals: (&'a [SymbolTable], &'a [Variable]),
    /// A `run` may stand in the expression: what it gives is a part of what is assigned.
    pub runs: bool,
}

/// The `run` inside an expression, if there is just one.
pub(crate) fn run_in(expr: &ast::Expr) -> Option<&ast::Expr> {
    match &expr.kind {
        ExprKind::Run { .. } => Some(expr),
        ExprKind::Unary(_, operand) => run_in(operand),
        ExprKind::Binary(_, left, right) => match (run_in(left), run_in(right)) {
            (one, None) | (None, one) => one,
            _ => None,
        },
        _ => None,
    }
}

impl Lookup<'_> {
    fn find(&self, path: &str) -> Option<(Scope, &Entry)> {
        let own = self.locals.0.iter().rev().find_map(|symbols| symbols.get(path));
        own.map(|entry| (Scope::Own, entry))
            .or_else(|| self.globals.0.get(path).map(|entry| (Scope::Global, entry)))
    }

    fn variable(&self, scope: Scope, variable: usize) -> &Variable {
        match scope {
            Scope::Global => &self.globals.1[variable],
            Scope::Own => &self.locals.1[variable],
        }
    }

    pub fn ty(&self, place: &Place) -> crate::resolved::ValueType {
        self.variable(place.scope, place.variable).ty
    }

    fn unknown(&self, name: &ast::Name) -> Problem {
        let known = self.locals.0.iter().flat_map(SymbolTable::names).chain(self.globals.0.names());
        let known = known.filter(|name| !name.contains('.')).chain(self.names.constants());
        let problem =
            Diagnostic::error(format!("`{}` is not declared", name.text), name.span).label("not declared");
        match closest(&name.text, known) {
            Some(near) => Box::new(problem.help(format!("did you mean `{near}`?"))),
            None => Box::new(problem.help("declare it before it is used")),
        }
    }

    /// The whole path of a reference and its indices, each with whether it was written.
    fn path(&self, reference: &ast::Reference) -> Result<(String, Vec<Option<Expr>>), Problem> {
        let mut path = String::new();
        let mut indices = Vec::new();
        let mut part = Some(reference);
        while let Some(reference) = part {
            if !path.is_empty() {
                path.push('.');
            }
            path += &reference.name.text;
            indices.push(reference.index.as_ref().map(|index| self.expr(index)).transpose()?);
            part = reference.field.as_deref();
        }
        Ok((path, indices))
    }

    /// The scalar that a reference means.
    pub fn place(&self, reference: &ast::Reference) -> Result<Place, Problem> {
        let span = reference.span;
        if self.find(&reference.name.text).is_none() {
            return Err(self.unknown(&reference.name));
        }
        let (path, indices) = self.path(reference)?;
        match self.find(&path) {
            Some((scope, &Entry::Scalar(variable))) => self.cell(scope, variable, &path, indices, span),
            Some((_, Entry::Record(_))) => Err(Box::new(
                Diagnostic::error(format!("`{path}` is a record"), span).help("name one of its fields"),
            )),
            None => Err(wrong(format!("there is no field `{path}`"), span)),
        }
    }

    /// Matches the indices that are written with the dimensions that there are.
    fn cell(
        &self,
        scope: Scope,
        variable: usize,
        path: &str,
        written: Vec<Option<Expr>>,
        span: Span,
    ) -> Result<Place, Problem> {
        let declared = self.variable(scope, variable);
        // Which parts of the path are arrays.
        let mut dimensions = declared.dimensions.iter();
        let mut prefix = String::new();
        let mut indices = Vec::new();
        for (name, index) in path.split('.').zip(written) {
            if !prefix.is_empty() {
                prefix.push('.');
            }
            prefix += name;
            match (self.is_array(scope, &prefix, declared), index) {
                (true, Some(index)) => {
                    dimensions.next();
                    indices.push(index);
                }
                (true, None) => {
                    return Err(Box::new(
                        Diagnostic::error(format!("`{prefix}` is an array"), span)
                            .label("which cell?")
                            .help(format!("write `{prefix}[0]` for its first cell")),
                    ));
                }
                (false, None | Some(Expr::Number(0))) => {}
                (false, Some(_)) => return Err(wrong(format!("`{prefix}` is no array"), span)),
            }
        }
        Ok(Place { scope, variable, indices, span })
    }

    fn is_array(&self, scope: Scope, prefix: &str, leaf: &Variable) -> bool {
        if prefix == leaf.name {
            let before = self.arrays_before(scope, leaf);
            return leaf.dimensions.len() > before;
        }
        self.record_is_array(scope, prefix)
    }

    fn arrays_before(&self, scope: Scope, leaf: &Variable) -> usize {
        let mut prefix = String::new();
        let mut arrays = 0;
        let parts: Vec<&str> = leaf.name.split('.').collect();
        for part in &parts[..parts.len() - 1] {
            if !prefix.is_empty() {
                prefix.push('.');
            }
            prefix += part;
            arrays += usize::from(self.record_is_array(scope, &prefix));
        }
        arrays
    }

    /// Whether a record on the way to a field has cells: what its own fields have more of than inside the
    /// type.
    fn record_is_array(&self, scope: Scope, prefix: &str) -> bool {
        match prefix.rsplit_once('.') {
            None => match scope {
                Scope::Global => self.globals.0.get(prefix),
                Scope::Own => self.locals.0.iter().rev().find_map(|symbols| symbols.get(prefix)),
            }
            .is_some_and(|entry| match entry {
                Entry::Record(typedef) => self.top_length(scope, prefix, *typedef).is_some(),
                Entry::Scalar(_) => false,
            }),
            Some((parent, field)) => match self.find(parent) {
                Some((_, Entry::Record(typedef))) => {
                    self.names.record(*typedef).iter().any(|f| f.name == field && f.length.is_some())
                }
                _ => false,
            },
        }
    }

    /// How many cells a variable has, if it is an array.
    pub fn cells(&self, name: &ast::Name) -> Result<Option<usize>, Problem> {
        Ok(match self.find(&name.text) {
            Some((scope, &Entry::Scalar(variable))) => {
                self.variable(scope, variable).dimensions.first().copied()
            }
            Some((scope, &Entry::Record(typedef))) => self.top_length(scope, &name.text, typedef),
            None => return Err(self.unknown(name)),
        })
    }

    /// How many cells a record variable has, if it is an array: its first scalar has one dimension more than
    /// it has inside the record.
    fn top_length(&self, scope: Scope, name: &str, typedef: usize) -> Option<usize> {
        let mut path = name.to_owned();
        let mut inside = 0;
        let mut typedef = typedef;
        loop {
            let field = self.names.record(typedef).first()?;
            path = format!("{path}.{}", field.name);
            inside += usize::from(field.length.is_some());
            match self.find(&path) {
                Some((_, Entry::Scalar(variable))) => {
                    let dimensions = &self.variable(scope, *variable).dimensions;
                    return dimensions.first().copied().filter(|_| dimensions.len() > inside);
                }
                Some((_, Entry::Record(inner))) => typedef = *inner,
                None => return None,
            }
        }
    }

    /// What a message field means: a scalar, or all scalars of a record.
    pub fn places(&self, reference: &ast::Reference) -> Result<Vec<Place>, Problem> {
        if self.find(&reference.name.text).is_none() {
            return Err(self.unknown(&reference.name));
        }
        let (path, indices) = self.path(reference)?;
        let Some((scope, Entry::Record(typedef))) = self.find(&path) else {
            return Ok(vec![self.place(reference)?]);
        };
        // The indices of arrays on the way to the record.
        let mut given = Vec::new();
        let mut prefix = String::new();
        for (part, index) in path.split('.').zip(indices) {
            if !prefix.is_empty() {
                prefix.push('.');
            }
            prefix += part;
            if self.record_is_array(scope, &prefix) {
                given.push(index.unwrap_or(Expr::Number(0)));
            }
        }
        let mut places = Vec::new();
        self.scalars(scope, &path, *typedef, &given, reference.span, &mut places);
        Ok(places)
    }

    fn scalars(
        &self,
        scope: Scope,
        path: &str,
        typedef: usize,
        given: &[Expr],
        span: Span,
        places: &mut Vec<Place>,
    ) {
        for field in self.names.record(typedef) {
            let path = format!("{path}.{}", field.name);
            for cell in 0..field.length.unwrap_or(1) {
                let mut indices = given.to_vec();
                indices.extend(field.length.map(|_| Expr::Number(cell as i64)));
                match self.find(&path) {
                    Some((_, Entry::Scalar(variable))) => {
                        places.push(Place { scope, variable: *variable, indices, span });
                    }
                    Some((_, Entry::Record(inner))) => {
                        self.scalars(scope, &path, *inner, &indices, span, places)
                    }
                    None => {}
                }
            }
        }
    }

    /// Whether a reference is a whole record.
    pub fn is_record(&self, reference: &ast::Reference) -> bool {
        self.path(reference).is_ok_and(|(path, _)| matches!(self.find(&path), Some((_, Entry::Record(_)))))
    }

    /// The fields of a message that is sent, or arguments: records taken apart.
    pub fn fields(&self, exprs: &[ast::Expr]) -> Result<Vec<Expr>, Problem> {
        let mut fields = Vec::new();
        for expr in exprs {
            match &expr.kind {
                ExprKind::Name(reference) if self.is_record(reference) => {
                    fields.extend(self.places(reference)?.into_iter().map(Expr::Read));
                }
                _ => fields.push(self.expr(expr)?),
            }
        }
        Ok(fields)
    }

    pub fn patterns(&self, patterns: &[ast::Pattern]) -> Result<Vec<Pattern>, Problem> {
        let mut resolved = Vec::new();
        for pattern in patterns {
            match pattern {
                ast::Pattern::Name(reference) => {
                    let name = &reference.name.text;
                    let plain = reference.index.is_none() && reference.field.is_none();
                    match self.names.constant(name) {
                        _ if plain && name == "_" => resolved.push(Pattern::Any),
                        Some(value) if plain && self.find(name).is_none() => {
                            resolved.push(Pattern::Equal(Expr::Number(value)));
                        }
                        _ => resolved.extend(self.places(reference)?.into_iter().map(Pattern::Into)),
                    }
                }
                ast::Pattern::Constant(expr) => resolved.push(Pattern::Equal(self.expr(expr)?)),
                ast::Pattern::Eval(expr) => match &expr.kind {
                    ExprKind::Name(reference) if self.is_record(reference) => resolved.extend(
                        self.places(reference)?.into_iter().map(|place| Pattern::Equal(Expr::Read(place))),
                    ),
                    _ => resolved.push(Pattern::Equal(self.expr(expr)?)),
                },
            }
        }
        Ok(resolved)
    }

    pub fn expr(&self, expr: &ast::Expr) -> Result<Expr, Problem> {
        let boxed = |expr: &ast::Expr| self.expr(expr).map(Box::new);
        Ok(match &expr.kind {
            ExprKind::Number(value) => Expr::Number(*value),
            ExprKind::Name(reference) => {
                let name = reference.name.text.as_str();
                let plain = reference.index.is_none() && reference.field.is_none();
                match (name, self.names.constant(name)) {
                    ("_pid", _) if plain => Expr::Pid,
                    ("_nr_pr", _) if plain => Expr::Processes,
                    ("_last", _) if plain => Expr::Last,
                    ("_priority", _) if plain => Expr::Priority(Box::new(Expr::Pid)),
                    (_, Some(value)) if plain && self.find(name).is_none() => Expr::Number(value),
                    ("_", _) if plain => {
                        return Err(Box::new(
                            Diagnostic::error("`_` only takes values, it cannot be read", expr.span)
                                .help("use a variable of your own"),
                        ));
                    }
                    _ => Expr::Read(self.place(reference)?),
                }
            }
            ExprKind::Unary(op, operand) => Expr::Unary(*op, boxed(operand)?),
            ExprKind::Binary(op, left, right) => Expr::Binary(*op, boxed(left)?, boxed(right)?, expr.span),
            ExprKind::Conditional(condition, yes, no) => {
                Expr::Conditional(boxed(condition)?, boxed(yes)?, boxed(no)?)
            }
            ExprKind::Run { .. } if self.runs => Expr::Started,
            ExprKind::Run { .. } => {
                return Err(Box::new(
                    Diagnostic::error("`run` cannot be a part of this expression", expr.span)
                        .help("write `x = run P()` first, and use `x`"),
                ));
            }
            ExprKind::Channel(test, channel) => Expr::Channel(*test, self.place(channel)?),
            ExprKind::Poll { channel, fields, random } => {
                Expr::Poll { channel: self.place(channel)?, fields: self.patterns(fields)?, random: *random }
            }
            ExprKind::Enabled(pid) => Expr::Enabled(boxed(pid)?),
            ExprKind::PcValue(pid) => Expr::PcValue(boxed(pid)?),
            ExprKind::GetPriority(pid) => Expr::Priority(boxed(pid)?),
            ExprKind::SetPriority(..) => {
                return Err(wrong("`set_priority` is a statement and has no value", expr.span));
            }
            ExprKind::Timeout => Expr::Timeout,
            ExprKind::NonProgress => Expr::NonProgress,
            ExprKind::RemoteLabel { process, pid, label } => Expr::RemoteLabel {
                process: self.names.process(process)?,
                pid: pid.as_deref().map(boxed).transpose()?,
                label: label.text.clone(),
            },
            ExprKind::RemoteVariable { process, pid, variable } => {
                let (path, indices) = self.path(variable)?;
                Expr::RemoteVariable {
                    process: self.names.process(process)?,
                    pid: pid.as_deref().map(boxed).transpose()?,
                    variable: path,
                    indices: indices.into_iter().flatten().collect(),
                    span: expr.span,
                }
            }
        })
    }
}
