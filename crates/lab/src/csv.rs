//! Tables as text: CSV by RFC 4180.

/// The records of a CSV text. Quoted fields hold commas, line ends, and quotes written twice.
pub(crate) fn records(text: &str) -> Vec<Vec<String>> {
    let mut records = Vec::new();
    let mut record = Vec::new();
    let mut field = String::new();
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, quoted) {
            ('"', true) if characters.next_if_eq(&'"').is_some() => field.push('"'),
            ('"', true) => quoted = false,
            (c, true) => field.push(c),
            ('"', false) => quoted = true,
            (',', false) => record.push(std::mem::take(&mut field)),
            ('\r', false) => {}
            ('\n', false) => {
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            (c, false) => field.push(c),
        }
    }
    if !field.is_empty() || !record.is_empty() {
        record.push(field);
        records.push(record);
    }
    // An empty line is one empty field.
    records.retain(|record| record.len() > 1 || record.iter().any(|field| !field.is_empty()));
    records
}

/// A record, with its line end.
pub(crate) fn line<'f>(fields: impl Iterator<Item = &'f str>) -> String {
    let quoted = fields.map(|field| match field.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_commas_quotes_and_line_ends() {
        let text = "a,\"b,c\",\"d\"\"e\"\r\n\n\"f\ng\",,h";
        assert_eq!(records(text), [vec!["a", "b,c", "d\"e"], vec!["f\ng", "", "h"]]);
    }

    #[test]
    fn a_line_that_is_read_is_its_fields_again() {
        let fields = ["a \"strange\",\nname", "", "plain", "\r"];
        assert_eq!(records(&line(fields.into_iter())), [fields]);
    }
}
