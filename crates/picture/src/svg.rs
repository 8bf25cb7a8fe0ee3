//! SVG in the making: tags, numbers and the one function that escapes.
//!
//! Names come from data folders and may hold anything, so nothing reaches the text of a picture except
//! through here.

use std::fmt::{Display, Write};

/// Text made safe for XML, between tags and in attributes. Characters that XML cannot hold are dropped.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {}
            _ => safe.push(sign),
        }
    }
    safe
}

/// A number with at most two decimals and no tail; what is no number is nought.
pub(crate) fn num(value: f64) -> String {
    let mut text = String::with_capacity(8);
    push_num(&mut text, value);
    text
}

/// Adds such a number to a text.
fn push_num(text: &mut String, value: f64) {
    let hundredths = if value.is_finite() { (value * 100.0).round() as i64 } else { 0 };
    if hundredths < 0 {
        text.push('-');
    }
    let (whole, rest) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
    let mut digits = [0u8; 20];
    let (mut at, mut left) = (digits.len(), whole);
    loop {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    text.extend(digits[at..].iter().map(|d| char::from(*d)));
    if rest > 0 {
        text.push('.');
        text.push(char::from(b'0' + (rest / 10) as u8));
        if !rest.is_multiple_of(10) {
            text.push(char::from(b'0' + (rest % 10) as u8));
        }
    }
}

/// Writes into a text what is safe in XML, and nothing else.
struct Safe<'a>(&'a mut String);

impl Write for Safe<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let plain = |b: u8| (b' '..0x7f).contains(&b) && !matches!(b, b'&' | b'<' | b'>' | b'"' | b'\'');
        if text.bytes().all(plain) {
            self.0.push_str(text);
        } else {
            self.0.push_str(&escape(text));
        }
        Ok(())
    }
}

/// SVG text that grows tag by tag.
#[derive(Default)]
pub(crate) struct Svg {
    text: String,
}

impl Svg {
    /// Begins a tag.
    pub(crate) fn tag(&mut self, name: &'static str) -> Tag<'_> {
        self.text.push('<');
        self.text.push_str(name);
        Tag { svg: self, name }
    }

    /// Begins a group with a class.
    pub(crate) fn group(&mut self, class: &str) {
        self.tag("g").put("class", class).open();
    }

    /// Closes what was opened.
    pub(crate) fn close(&mut self, name: &str) {
        let _ = writeln!(self.text, "</{name}>");
    }

    /// A title, which a browser shows on demand and a screen reader reads.
    pub(crate) fn title(&mut self, text: &str) {
        self.tag("title").text(text);
    }

    /// Adds SVG that is already made.
    pub(crate) fn add(&mut self, made: &str) {
        self.text.push_str(made);
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}

/// A tag that is still open for attributes.
#[must_use]
pub(crate) struct Tag<'a> {
    svg: &'a mut Svg,
    name: &'static str,
}

impl Tag<'_> {
    /// An attribute.
    pub(crate) fn put(self, name: &str, value: impl Display) -> Self {
        let text = &mut self.svg.text;
        text.push(' ');
        text.push_str(name);
        text.push_str("=\"");
        let _ = write!(Safe(text), "{value}");
        text.push('"');
        self
    }

    /// A number as an attribute.
    pub(crate) fn num(self, name: &str, value: f64) -> Self {
        let text = &mut self.svg.text;
        text.push(' ');
        text.push_str(name);
        text.push_str("=\"");
        push_num(text, value);
        text.push('"');
        self
    }

    /// Several numbers as attributes.
    pub(crate) fn nums<const N: usize>(mut self, attributes: [(&str, f64); N]) -> Self {
        for (name, value) in attributes {
            self = self.num(name, value);
        }
        self
    }

    /// Ends the tag with nothing in it.
    pub(crate) fn end(self) {
        self.svg.text.push_str("/>\n");
    }

    /// Leaves the tag open for others.
    pub(crate) fn open(self) {
        self.svg.text.push_str(">\n");
    }

    /// Ends the tag with text in it.
    pub(crate) fn text(self, text: &str) {
        let all = &mut self.svg.text;
        all.push('>');
        let _ = Safe(all).write_str(text);
        let _ = writeln!(all, "</{}>", self.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_escapes_the_escape() {
        assert_eq!(
            escape(r#"<b a="1">'Ain & Co</b>"#),
            "&lt;b a=&quot;1&quot;&gt;&#39;Ain &amp; Co&lt;/b&gt;"
        );
        assert_eq!(escape("a\u{0}b\u{1b}c\nd\u{fffe}e"), "abc de");
        assert_eq!(escape("Ḥārim, Kerak ⚓"), "Ḥārim, Kerak ⚓");
    }

    #[test]
    fn numbers_have_no_tail() {
        for (value, text) in [
            (0.1 + 0.2, "0.3"),
            (1.0 / 3.0, "0.33"),
            (-0.001, "0"),
            (-2.5, "-2.5"),
            (7.05, "7.05"),
            (1000.0, "1000"),
            (f64::NAN, "0"),
            (f64::INFINITY, "0"),
        ] {
            assert_eq!(num(value), text);
        }
    }

    #[test]
    fn tags_nest() {
        let mut svg = Svg::default();
        svg.group("a");
        svg.tag("rect").num("x", 1.5).put("fill", "\"").end();
        svg.title("<>");
        svg.close("g");
        assert_eq!(
            svg.finish(),
            "<g class=\"a\">\n<rect x=\"1.5\" fill=\"&quot;\"/>\n<title>&lt;&gt;</title>\n</g>\n"
        );
    }
}
