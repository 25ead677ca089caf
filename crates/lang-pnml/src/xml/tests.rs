//! What the reader makes of texts, well-formed or not.

use super::*;

/// All events of a text in short, or the message.
fn events(text: &str) -> Result<String, String> {
    let mut reader = Reader::new(text, 5);
    let mut all = String::new();
    loop {
        match reader.next().map_err(|problem| problem.message)? {
            Event::Start(tag) => all += &format!("({}", tag.name),
            Event::End => all += ")",
            Event::Text(piece) => {
                let mut text = None;
                piece.join(&mut text).map_err(|problem| problem.message)?;
                all += &format!(" {:?}", text.unwrap().value);
            }
            Event::Nothing => return Ok(all),
        }
    }
}

#[test]
fn elements_text_comments_and_sections_are_read() {
    let text =
        "<?xml version='1.0'?>\n<!-- <x> --><p:a k=\"1>2\"><b/> x &lt; y <![CDATA[&<]]><c ></c ></p:a>\n";
    assert_eq!(events(text).unwrap(), "(a(b) \"x < y\" \"&<\"(c))");
    assert_eq!(events("").unwrap(), "");
    assert_eq!(events("<a>&#65;&#x42;&apos;&quot;&amp;&gt;</a>").unwrap(), "(a \"AB'\\\"&>\")");
}

#[test]
fn a_document_type_is_passed_over_and_its_entities_are_not_known() {
    let bomb = "<!DOCTYPE a [<!ENTITY x \"]>ha\"><!ENTITY y \"&x;&x;\">]><a>&y;</a>";
    assert_eq!(events(bomb).unwrap_err(), "`&y;` is not known");
    assert_eq!(events(&bomb.replace("&y;", "1")).unwrap(), "(a \"1\")");
}

#[test]
fn what_is_no_xml_is_refused() {
    for (text, message) in [
        ("<a><b></a>", "</a> where </b> is due"),
        ("<a>", "the file ends inside of <a>"),
        ("<a>é", "the file ends inside of <a>"),
        ("<a", "a tag without its `>`"),
        ("<a b='<'/>", "a tag without its `>`"),
        ("</a>", "</a> ends what was never started"),
        ("</a", "a tag without its `>`"),
        ("<a/>x", "text outside of all elements"),
        ("x", "text outside of all elements"),
        ("<a>1 < 2 > 3</a>", "`<` starts no tag here"),
        ("<>", "`<` starts no tag here"),
        ("</>", "</> ends what was never started"),
        ("<a><![CDATA[</a>", "`<![CDATA[` has no `]]>`"),
        ("<!-", "`<!` has no `>`"),
        ("<?", "`<?` has no `?>`"),
        ("<a>&</a>", "`&` starts no reference here"),
        ("<a>&#xD800;</a>", "`&#xD800;` is not known"),
        ("<a>&#+65;</a>", "`&#+65;` is not known"),
        ("<a><a><a><a><a><a>", "elements are nested deeper than 5"),
    ] {
        assert_eq!(events(text).unwrap_err(), message, "{text}");
    }
}

#[test]
fn attributes_are_found_with_their_place() {
    let text = "<p:place id = 'a&lt;b'\n name=\"\"  odd />";
    let Ok(Event::Start(tag)) = Reader::new(text, 9).next() else { panic!("no tag") };
    let id = tag.attribute("id").unwrap().unwrap();
    assert_eq!((&*id.value, &text[id.span.start as usize..id.span.end as usize]), ("a<b", "a&lt;b"));
    assert_eq!(tag.attribute("name").unwrap().unwrap().value, "");
    let problem = tag.attribute("odd").unwrap_err();
    assert!(text[problem.span.unwrap().start as usize..].starts_with("odd"), "{problem:?}");
}

#[test]
fn the_rest_of_an_element_is_passed_over() {
    let mut reader = Reader::new("<a><b><c>1</c>2<d/></b>x<!-- -->y</a>", 9);
    for _ in 0..2 {
        assert!(matches!(reader.next(), Ok(Event::Start(_))));
    }
    reader.skip().unwrap();
    assert_eq!(reader.text().unwrap().value, "xy");
    assert!(matches!(reader.next(), Ok(Event::Nothing)));
}
