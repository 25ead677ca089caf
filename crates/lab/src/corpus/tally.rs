//! What the run of a whole folder comes to: models, files, and the rows of the table by what they are about.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use crate::corpus::table::Row;

/// What the run of a whole folder comes to.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) parsed: usize,
    pub(crate) unparsed: usize,
    /// Models with parts that no tool but their own can run.
    pub(crate) excepted: usize,
    pub(crate) run: usize,
    pub(crate) too_large: usize,
    pub(crate) unfinished: usize,
    pub(crate) matched: usize,
    /// Values that depend on linearisation, of which fewer were found.
    pub(crate) fewer: usize,
    pub(crate) different: usize,
    pub(crate) disputed: usize,
    pub(crate) not_asked: usize,
    pub(crate) matrices_checked: usize,
    pub(crate) matrices_wrong: usize,
    /// By what rows are about.
    sums: BTreeMap<String, Sum>,
}

#[derive(Default)]
struct Sum {
    rows: usize,
    matched: usize,
    fewer: usize,
    different: usize,
}

impl Tally {
    /// A row that is to be compared, if its model can be run.
    pub(crate) fn expect(&mut self, row: &Row) {
        self.sum(row).rows += 1;
    }

    /// A row that is as expected.
    pub(crate) fn matches(&mut self, row: &Row) {
        self.matched += 1;
        self.sum(row).matched += 1;
    }

    /// A row that tells of more, by another linearisation.
    pub(crate) fn has_fewer(&mut self, row: &Row) {
        self.fewer += 1;
        self.sum(row).fewer += 1;
    }

    /// A row that is not as expected.
    pub(crate) fn differs(&mut self, row: &Row) {
        self.different += 1;
        self.sum(row).different += 1;
    }

    /// Formulas have their logic before a colon: those of one logic are one sum.
    fn sum(&mut self, row: &Row) -> &mut Sum {
        let about = row.property.split(':').next().unwrap_or_default();
        self.sums.entry(about.to_owned()).or_default()
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match (self.different + self.unparsed + self.matrices_wrong, self.unfinished) {
            (0, 0) => 0,
            (0, _) => 3,
            _ => 1,
        }
    }

    /// Whether nothing was found out, good or bad.
    pub(crate) fn compared_nothing(&self) -> bool {
        let models = self.excepted + self.unparsed + self.unfinished + self.matrices_wrong;
        models + self.matched + self.fewer + self.different + self.disputed == 0
    }

    pub(crate) fn show(&self, time: Duration) -> String {
        let mut text = String::new();
        let width = self.sums.keys().map(|about| about.chars().count()).max().unwrap_or(0);
        for (about, Sum { rows, matched, fewer, different }) in &self.sums {
            let rest = rows.saturating_sub(matched + fewer + different);
            let _ = write!(text, "{about:<width$}  {rows:>5} rows, {matched:>5} matched, ");
            if *fewer > 0 {
                let _ = write!(text, "{fewer:>5} fewer, ");
            }
            let _ = writeln!(text, "{different:>5} differ, {rest:>5} not compared");
        }
        let excepted = match self.excepted {
            0 => String::new(),
            models => format!(", {models} models excepted: C code, time, probability or parts of a model"),
        };
        let fewer = match self.fewer {
            0 => String::new(),
            rows => format!("{rows} fewer by another linearisation, "),
        };
        let _ = write!(
            text,
            "{} files parsed, {} do not parse{excepted}\n\
             {} models run, {} too large, {} not finished; matrices of {} checked, {} wrong\n\
             {} disputed values, {} values of kinds that cannot be asked yet\n\
             {} compared, {} matched, {fewer}{} differ   ({:.1} s)\n",
            self.parsed,
            self.unparsed,
            self.run,
            self.too_large,
            self.unfinished,
            self.matrices_checked,
            self.matrices_wrong,
            self.disputed,
            self.not_asked,
            self.matched + self.fewer + self.different,
            self.matched,
            self.different,
            time.as_secs_f64()
        );
        text
    }
}
