//! A value of each sort: what slots hold while their variables are dead, and what a global variable is.

use terms::{DataSpec, Expr, FunIx, FunKind, Function, Kind, Op, Sort, SortIx};

/// A value of each sort.
pub(crate) struct Defaults {
    values: Vec<Option<Expr>>,
}

impl Defaults {
    /// Finds a value of each sort. A sort that nothing is said to be a value of gets a constant.
    pub(crate) fn new(data: &mut DataSpec) -> Self {
        let mut defaults = Self { values: vec![None; data.sorts.all().len()] };
        for sort in defaults.sorts() {
            // The value of an infinite set is the finite one, widened.
            match *data.sorts.get(sort) {
                Sort::Set(element) => data.sorts.add(Sort::FSet(element)),
                Sort::Bag(element) => data.sorts.add(Sort::FBag(element)),
                _ => sort,
            };
        }
        defaults.values.resize(data.sorts.all().len(), None);
        defaults.settle(data);
        // Sorts without a constructor first: others may be made of them. What is left then has constructors
        // that lead nowhere.
        for bare in [true, false] {
            for sort in defaults.sorts() {
                let is_bare = data.constructors(sort).next().is_none();
                let is_user = matches!(data.sorts.get(sort), Sort::User(_));
                if defaults.values[sort.ix()].is_none() && is_user && is_bare == bare {
                    let (name, arguments) = (format!("any_{}", data.sorts.show(sort)), Vec::new());
                    let unknown =
                        Function { name, arguments, result: sort, kind: FunKind::Mapping, span: None };
                    let unknown = data.function(unknown);
                    defaults.values[sort.ix()] = Some(Expr::new(Kind::Call(unknown, Box::new([])), sort));
                    defaults.settle(data);
                }
            }
        }
        defaults
    }

    /// A value of the sort.
    pub(crate) fn of(&self, sort: SortIx) -> Expr {
        match self.values.get(sort.ix()) {
            Some(Some(value)) => value.clone(),
            _ => panic!("BUG: sort {} has no value", sort.0),
        }
    }

    fn sorts(&self) -> impl Iterator<Item = SortIx> + use<> {
        (0..self.values.len() as u32).map(SortIx)
    }

    /// Finds values that are made of values found before, until there are no more.
    fn settle(&mut self, data: &mut DataSpec) {
        loop {
            let missing: Vec<SortIx> = self.sorts().filter(|sort| self.values[sort.ix()].is_none()).collect();
            let mut found = false;
            for sort in missing {
                self.values[sort.ix()] = self.value(sort, data);
                found |= self.values[sort.ix()].is_some();
            }
            if !found {
                return;
            }
        }
    }

    fn value(&self, sort: SortIx, data: &mut DataSpec) -> Option<Expr> {
        let number = |value: u8| Some(Expr::number(value, sort));
        let widened = |finite: Option<SortIx>, op: Op| {
            let finite = Expr::op(op, [], finite?);
            Some(Expr::op(Op::Widen, [finite], sort))
        };
        match data.sorts.get(sort).clone() {
            Sort::Bool => Some(Expr::truth(false)),
            Sort::Pos => number(1),
            Sort::Nat | Sort::Int | Sort::Real => number(0),
            Sort::List(_) => Some(Expr::op(Op::List, [], sort)),
            Sort::FSet(_) => Some(Expr::op(Op::SetOf, [], sort)),
            Sort::FBag(_) => Some(Expr::op(Op::BagOf, [], sort)),
            Sort::Set(element) => widened(data.sorts.find(&Sort::FSet(element)), Op::SetOf),
            Sort::Bag(element) => widened(data.sorts.find(&Sort::FBag(element)), Op::BagOf),
            Sort::Function(arguments, result) => {
                let value = self.values[result.ix()].clone()?;
                let variables = arguments.iter().map(|argument| data.variable("x", *argument)).collect();
                Some(Expr::new(Kind::Lambda(variables, value), sort))
            }
            Sort::User(_) => self.user(sort, data),
        }
    }

    fn user(&self, sort: SortIx, data: &DataSpec) -> Option<Expr> {
        let constructors: Vec<FunIx> = data.constructors(sort).collect();
        if constructors.is_empty() {
            let is_constant = |function: &&Function| function.result == sort && function.arguments.is_empty();
            let at = data.functions.iter().position(|function| is_constant(&function))?;
            return Some(Expr::new(Kind::Call(FunIx(at as u32), Box::new([])), sort));
        }
        constructors.into_iter().find_map(|constructor| {
            let arguments = &data.functions[constructor.ix()].arguments;
            let arguments: Option<Box<[Expr]>> =
                arguments.iter().map(|argument| self.values[argument.ix()].clone()).collect();
            Some(Expr::new(Kind::Call(constructor, arguments?), sort))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(name: &str, arguments: &[SortIx], result: SortIx) -> Function {
        let kind = FunKind::Constructor;
        Function { name: name.to_owned(), arguments: arguments.to_vec(), result, kind, span: None }
    }

    #[test]
    fn every_sort_has_a_value_and_it_is_finite() {
        let mut data = DataSpec::default();
        let (tree, forest) =
            (data.sorts.add(Sort::User("Tree".into())), data.sorts.add(Sort::User("Forest".into())));
        let unknown = data.sorts.add(Sort::User("Unknown".into()));
        let functions = data.sorts.add(Sort::Function(Box::new([tree, unknown]), forest));
        let sets = data.sorts.add(Sort::Set(functions));
        let lists = data.sorts.add(Sort::List(sets));
        data.function(function("node", &[forest, tree], tree));
        data.function(function("more", &[tree, forest], forest));
        data.function(function("leaf", &[unknown], tree));
        let none = data.function(function("none", &[], forest));
        let defaults = Defaults::new(&mut data);
        for (sort, _) in data.sorts.all() {
            assert_eq!(defaults.of(sort).sort, sort);
            assert!(defaults.of(sort).free().is_empty());
        }
        assert_eq!(*defaults.of(forest).kind, Kind::Call(none, Box::new([])));
        let Kind::Call(leaf, _) = &*defaults.of(tree).kind else { panic!("no call") };
        assert_eq!(data.functions[leaf.ix()].name, "leaf");
        assert_eq!(*defaults.of(lists).kind, Kind::Op(Op::List, Box::new([])));
    }
}
