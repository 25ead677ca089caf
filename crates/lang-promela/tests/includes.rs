//! Models in several files.

mod common;

use std::path::{Path, PathBuf};

use base::{Diagnostic, Source};
use lang_promela::{Options, gather, gather_with, parse};

/// A folder of its own with these files, gone when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &[u8])]) -> Self {
        let folder = std::env::temp_dir().join(format!("pinscher-includes-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        for (file, bytes) in files {
            let path = folder.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        Self(folder)
    }

    fn source(&self, file: &str) -> Source {
        let path = self.0.join(file);
        Source::new(path.display().to_string(), std::fs::read_to_string(path).unwrap())
    }

    fn gathered(&self, file: &str) -> Source {
        gather(self.source(file)).unwrap_or_else(|(source, problems)| panic!("{}", shown(&source, &problems)))
    }

    /// What is wrong with the includes of a file, with names from this folder on.
    fn problems(&self, file: &str) -> String {
        let (source, problems) = gather(self.source(file)).expect_err("something is wrong");
        shown(&source, &problems).replace(&format!("{}/", self.0.display()), "")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn shown(source: &Source, problems: &[Diagnostic]) -> String {
    base::render_all(problems, source, 20)
}

#[test]
fn files_are_found_beside_the_one_that_includes_them_and_beside_the_main_one() {
    let folder = Folder::new(
        "found",
        &[
            ("main.pml", b"#include \"sub/a.h\"\n#include <c.h>\nint m;\ninit { skip }"),
            ("sub/a.h", b"#include \"b.h\"\n#include \"c.h\"\nint a;"),
            ("sub/b.h", b"int b;\n"),
            ("c.h", b"int c;\n"),
        ],
    );
    let source = folder.gathered("main.pml");
    let (spec, _) = parse(&source, &Options::default()).unwrap();
    assert_eq!(common::show(&spec), "int b;\nint c;\nint a;\nint c;\nint m;\ninit {\n1;\n}\n");
    let names: Vec<&str> =
        source.parts().map(|(name, _)| Path::new(name).file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["main.pml", "a.h", "c.h", "b.h"]);
}

#[test]
fn the_file_beside_the_one_that_includes_it_comes_first() {
    let folder = Folder::new(
        "first",
        &[
            ("main.pml", b"#include \"sub/a.h\"\n"),
            ("sub/a.h", b"#include \"b.h\"\n"),
            ("sub/b.h", b"int near;"),
            ("b.h", b"int far;"),
        ],
    );
    let (spec, _) = parse(&folder.gathered("main.pml"), &Options::default()).unwrap();
    assert_eq!(common::show(&spec), "int near;\n");
}

#[test]
fn a_message_names_the_file_that_it_is_about() {
    let folder = Folder::new(
        "named",
        &[("main.pml", b"#include \"a.h\"\ninit { BAD }"), ("a.h", b"int x;\n#define BAD x = ;\nint = 3;\n")],
    );
    let source = folder.gathered("main.pml");
    let problems = parse(&source, &Options::default()).unwrap_err();
    let text = shown(&source, &problems);
    assert!(text.contains("a.h:3:5\n3 | int = 3;\n  |     ^ found `=`"), "{text}");
    assert!(text.contains("main.pml:2:8\n2 | init { BAD }"), "{text}");
}

#[test]
fn macros_go_from_file_to_file_and_decide_what_is_included() {
    let folder = Folder::new(
        "macros",
        &[
            ("main.pml", b"#define FILE \"a.h\"\n#include FILE\n#ifdef B\n#include \"b.h\"\n#endif\n#if 0\n#include \"none.h\"\n#endif\nint x = N;"),
            ("a.h", b"#ifndef A\n#define A\n#include \"a.h\"\n#define N 3\n#endif\n"),
            ("b.h", b"int b;"),
        ],
    );
    let source = folder.gathered("main.pml");
    assert_eq!(common::show(&parse(&source, &Options::default()).unwrap().0), "int x = 3;\n");
    let options = Options { defines: vec![("B".into(), "1".into())] };
    let source = gather_with(folder.source("main.pml"), &options).unwrap();
    assert_eq!(common::show(&parse(&source, &options).unwrap().0), "int b;\nint x = 3;\n");
}

#[test]
fn what_cannot_be_included_is_told_at_its_line() {
    let folder = Folder::new(
        "refused",
        &[
            ("missing.pml", b"int x;\n#include \"none.h\"\n#include <stdio.h>\n"),
            ("noise.pml", b"\n#include \"noise.h\""),
            ("noise.h", b"int x;\n\xff\xfe\0"),
            ("folder.pml", b"#include \"sub\""),
            ("sub/x.h", b""),
            ("deep.pml", b"#include \"deep.h\""),
            ("deep.h", b"int x;\n#include \"nothing.h\""),
        ],
    );
    let problems = folder.problems("missing.pml");
    assert!(
        problems.contains(
            "error: the included file `none.h` is not found\n  --> missing.pml:2:1\n2 | #include \"none.h\"\n"
        ),
        "{problems}"
    );
    assert!(
        problems.contains("error: the included file `stdio.h` is not found\n  --> missing.pml:3:1\n"),
        "{problems}"
    );
    assert!(problems.contains("looked for `none.h`\n"), "{problems}");
    let problems = folder.problems("noise.pml");
    assert!(
        problems.contains(
            "`noise.h` cannot be included: this is not text in UTF-8 (line 2)\n  --> noise.pml:2:1\n"
        ),
        "{problems}"
    );
    let problems = folder.problems("folder.pml");
    assert!(
        problems.contains("`sub` cannot be included: it is a folder\n  --> folder.pml:1:1\n"),
        "{problems}"
    );
    let problems = folder.problems("deep.pml");
    assert!(problems.contains("  --> deep.h:2:1\n"), "{problems}");
    // Without gathering, an include is an error too, not a hole.
    let problems = parse(&folder.source("deep.pml"), &Options::default()).unwrap_err();
    assert_eq!(problems[0].message, "the included file `deep.h` is not found");
}

#[test]
fn files_that_include_themselves_end_in_a_message() {
    let folder = Folder::new(
        "itself",
        &[
            ("self.pml", b"int x;\n#include \"self.pml\"\n#include \"self.pml\"\n"),
            ("a.pml", b"#include \"b.h\"\n"),
            ("b.h", b"\n#include \"a.pml\"\n"),
        ],
    );
    for (file, line) in [("self.pml", "self.pml:2:1"), ("a.pml", "b.h:2:1")] {
        let source = folder.gathered(file);
        let problems = parse(&source, &Options::default()).unwrap_err();
        assert_eq!(problems.len(), 1);
        assert!(
            problems[0].message.ends_with("includes itself, directly or through others"),
            "{}",
            problems[0].message
        );
        assert!(problems[0].render(&source).contains(line), "{}", problems[0].render(&source));
    }
}
