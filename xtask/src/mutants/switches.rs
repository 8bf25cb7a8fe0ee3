//! Many changes of a source text at once, each behind a switch of its own.
//!
//! A change that `cargo-mutants` names is written beside what stands there: `a < b` becomes
//! `(if on(7) { (a) <= (b) } else { (a) < (b) })`, and a function's body begins with `if on(8) { return 0; }`.
//! So all of them are compiled at once, and a number chosen when the tests begin says which is at work. An operator
//! changes in the tree, not in the text: the operands stay what they were, as if they stood in brackets.
//!
//! What cannot carry a switch is left out: constants and what they are made of, patterns, conditions that
//! bind a name (`if let … && …`).

use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::{Context, Result};
use proc_macro2::Span;
use serde::Deserialize;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, UnOp};

/// Where the switches are asked.
const ON: &str = "crate::mutant_switches::on";

/// So many changes may stand around another: each writes its operands once more.
const DEEPEST: usize = 3;

/// What kind of change it is, in the words of `cargo-mutants`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
pub(crate) enum Genre {
    FnValue,
    BinaryOperator,
    UnaryOperator,
    MatchArm,
    MatchArmGuard,
    StructField,
}

/// A line and a column, both from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
pub(crate) struct Extent {
    pub(crate) start: Place,
    pub(crate) end: Place,
}

/// A change as `cargo mutants --list --json` tells it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct Change {
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) span: Extent,
    pub(crate) replacement: String,
    pub(crate) genre: Genre,
}

/// What a switch has to be written around.
#[derive(Clone, PartialEq, Debug)]
enum Kind {
    /// Before the first statement of a function.
    Body,
    /// Behind the pattern of an arm.
    Arm,
    Guard,
    Binary {
        left: Range<usize>,
        op: Range<usize>,
        right: Range<usize>,
    },
    Unary {
        operand: Range<usize>,
    },
    /// A field of a value that is made from another.
    Field {
        name: String,
        value: Range<usize>,
        base: Range<usize>,
    },
}

/// A place of a text, in bytes, that can carry switches.
#[derive(Clone, PartialEq, Debug)]
struct Site {
    range: Range<usize>,
    kind: Kind,
}

/// A source text, and where in it switches can be.
pub(crate) struct Source {
    text: String,
    sites: BTreeMap<(Genre, Extent), Site>,
}

impl Source {
    pub(crate) fn read(text: &str) -> Result<Self> {
        let file = syn::parse_file(text).context("cannot be parsed")?;
        let mut sites = Sites { lines: Lines::of(text), found: BTreeMap::new() };
        sites.visit_file(&file);
        Ok(Self { text: text.to_string(), sites: sites.found })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether a change can be behind a switch.
    pub(crate) fn can(&self, change: &Change) -> bool {
        self.sites.contains_key(&(change.genre, change.span))
    }

    /// Whether too many of the changes stand around this one to write it out.
    pub(crate) fn too_deep(&self, change: &Change, others: &[&Change]) -> bool {
        let range = |c: &Change| self.sites.get(&(c.genre, c.span)).map(|site| site.range.clone());
        let Some(own) = range(change) else { return false };
        let mut around: Vec<_> = others.iter().filter_map(|c| range(c)).collect();
        around.sort_by_key(|r| (r.start, r.end));
        around.dedup();
        around.iter().filter(|r| **r != own && r.start <= own.start && own.end <= r.end).count() >= DEEPEST
    }

    /// The text with all these changes in it, each behind the switch of its number.
    pub(crate) fn switched(&self, changes: &[(u32, &Change)]) -> String {
        let mut sites: Vec<(&Site, Vec<(u32, &str)>)> = Vec::new();
        for (number, change) in changes {
            let Some(site) = self.sites.get(&(change.genre, change.span)) else { continue };
            let own = (*number, change.replacement.as_str());
            match sites.iter_mut().find(|(other, _)| *other == site) {
                Some((_, switches)) => switches.push(own),
                None => sites.push((site, vec![own])),
            }
        }
        // What stands around something comes before it; at one place, what is only inserted, then a guard.
        sites.sort_by_key(|(site, _)| {
            let Range { start, end } = site.range;
            (start, start != end, usize::MAX - end, site.kind != Kind::Guard)
        });
        self.write(0..self.text.len(), &sites)
    }

    fn write(&self, range: Range<usize>, sites: &[(&Site, Vec<(u32, &str)>)]) -> String {
        let mut out = String::new();
        let (mut at, mut i) = (range.start, 0);
        while let Some((site, switches)) = sites.get(i) {
            let inner = sites[i + 1..].iter().take_while(|(s, _)| s.range.start < site.range.end).count();
            out += &self.text[at..site.range.start];
            out += &self.write_site(site, switches, &sites[i + 1..][..inner]);
            at = site.range.end;
            i += 1 + inner;
        }
        out + &self.text[at..range.end]
    }

    fn write_site(
        &self,
        site: &Site,
        switches: &[(u32, &str)],
        inner: &[(&Site, Vec<(u32, &str)>)],
    ) -> String {
        let part = |range: &Range<usize>| {
            let within: Vec<_> = inner
                .iter()
                .filter(|(s, _)| range.start <= s.range.start && s.range.end <= range.end)
                .cloned()
                .collect();
            self.write(range.clone(), &within)
        };
        // `if on(1) { … } else if on(2) { … } else { as it was }`
        let either = |changed: &dyn Fn(&str) -> String, was: &str| {
            let branch = |(n, with): &(u32, &str)| {
                format!("if {ON}({n}) {{ {} }} else ", marked(&[*n], &changed(with)))
            };
            format!("({}{{ {was} }})", switches.iter().map(branch).collect::<String>())
        };
        let text = match &site.kind {
            Kind::Body => {
                let begin =
                    |(n, with): &(u32, &str)| format!("if {ON}({n}) {{ return {}; }} ", marked(&[*n], with));
                switches.iter().map(begin).collect()
            }
            Kind::Arm => {
                let asked: Vec<_> = switches.iter().map(|(n, _)| format!("!{ON}({n})")).collect();
                format!(" if {}", asked.join(" && "))
            }
            Kind::Guard => either(&str::to_string, &part(&site.range)),
            Kind::Binary { left, op, right } => {
                let (left, right) = (part(left), part(right));
                let with = |op: &str| format!("({left}) {op} ({right})");
                either(&with, &with(&self.text[op.clone()]))
            }
            Kind::Unary { operand } => {
                let operator = &self.text[site.range.start..operand.start];
                let operand = part(operand);
                either(&|_| operand.clone(), &format!("{operator}{operand}"))
            }
            Kind::Field { name, value, base } => {
                let without = format!("({}).{name}", part(base));
                format!("{name}: {}", either(&|_| without.clone(), &part(value)))
            }
        };
        let numbers: Vec<_> = switches.iter().map(|(n, _)| *n).collect();
        marked(&numbers, &text)
    }
}

/// A text between marks that say to which changes it belongs, so that a complaint of the compiler finds them.
fn marked(numbers: &[u32], text: &str) -> String {
    let numbers: Vec<_> = numbers.iter().map(ToString::to_string).collect();
    format!("/*{{{}*/{text}/*}}*/", numbers.join(" "))
}

/// The changes that a part of a switched text belongs to: those of the innermost marks around it, else of all marks
/// that it touches.
pub(crate) fn belongs(switched: &str, part: Range<usize>) -> Vec<u32> {
    let (mut open, mut marks) = (Vec::new(), Vec::new());
    for (at, _) in switched.match_indices("/*") {
        let rest = &switched[at + 2..];
        if let Some(rest) = rest.strip_prefix('{')
            && let Some((numbers, _)) = rest.split_once("*/")
        {
            let numbers: Vec<u32> = numbers.split(' ').filter_map(|n| n.parse().ok()).collect();
            open.push((at, numbers));
        } else if rest.starts_with("}*/")
            && let Some((from, numbers)) = open.pop()
        {
            marks.push((from..at, numbers));
        }
    }
    let around = |m: &&(Range<usize>, Vec<u32>)| m.0.start <= part.start && part.end <= m.0.end;
    if let Some((_, numbers)) = marks.iter().filter(around).min_by_key(|(range, _)| range.len()) {
        return numbers.clone();
    }
    let touched = marks.iter().filter(|(range, _)| part.start < range.end && range.start < part.end);
    touched.flat_map(|(_, numbers)| numbers.clone()).collect()
}

/// Where the lines of a text begin.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
        Self { text, starts: starts.collect() }
    }

    /// The byte at which a place is.
    fn byte(&self, place: Place) -> usize {
        let line = self.starts.get(place.line - 1).copied().unwrap_or(self.text.len());
        let mut chars = self.text[line..].char_indices();
        chars.nth(place.column - 1).map_or(self.text.len(), |(at, _)| line + at)
    }

    fn bytes(&self, extent: Extent) -> Range<usize> {
        self.byte(extent.start)..self.byte(extent.end)
    }
}

fn extent(first: Span, last: Span) -> Extent {
    let place = |at: proc_macro2::LineColumn| Place { line: at.line, column: at.column + 1 };
    Extent { start: place(first.start()), end: place(last.end()) }
}

/// Walks through a file and notes every place that can carry a switch.
struct Sites<'a> {
    lines: Lines<'a>,
    found: BTreeMap<(Genre, Extent), Site>,
}

impl Sites<'_> {
    fn bytes(&self, what: &impl Spanned) -> Range<usize> {
        self.lines.bytes(extent(what.span(), what.span()))
    }

    fn note(&mut self, genre: Genre, named: Extent, range: Range<usize>, kind: Kind) {
        self.found.insert((genre, named), Site { range, kind });
    }

    fn body(&mut self, block: &Block) {
        if let (Some(first), Some(last)) = (block.stmts.first(), block.stmts.last()) {
            let named = extent(first.span(), last.span());
            let at = self.lines.byte(named.start);
            self.note(Genre::FnValue, named, at..at, Kind::Body);
        }
    }
}

/// Whether a condition binds names: then it is no expression that could stand in brackets.
fn binds(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(both) if matches!(both.op, BinOp::And(_)) => binds(&both.left) || binds(&both.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Sites<'_> {
    fn visit_item_fn(&mut self, f: &'ast syn::ItemFn) {
        if f.sig.constness.is_none() {
            self.body(&f.block);
            visit::visit_item_fn(self, f);
        }
    }
    fn visit_impl_item_fn(&mut self, f: &'ast syn::ImplItemFn) {
        if f.sig.constness.is_none() {
            self.body(&f.block);
            visit::visit_impl_item_fn(self, f);
        }
    }
    fn visit_trait_item_fn(&mut self, f: &'ast syn::TraitItemFn) {
        if f.sig.constness.is_none() {
            f.default.iter().for_each(|block| self.body(block));
            visit::visit_trait_item_fn(self, f);
        }
    }

    // Constants are made by the compiler, before any switch is set.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_expr_binary(&mut self, both: &'ast syn::ExprBinary) {
        if !binds(&both.left) && !binds(&both.right) && both.attrs.is_empty() {
            let (left, right) = (self.bytes(&both.left), self.bytes(&both.right));
            let kind = Kind::Binary { left, op: self.bytes(&both.op), right };
            let named = extent(both.op.span(), both.op.span());
            self.note(Genre::BinaryOperator, named, self.bytes(both), kind);
        }
        visit::visit_expr_binary(self, both);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        if matches!(unary.op, UnOp::Not(_) | UnOp::Neg(_)) && unary.attrs.is_empty() {
            let kind = Kind::Unary { operand: self.bytes(&unary.expr) };
            let named = extent(unary.op.span(), unary.op.span());
            self.note(Genre::UnaryOperator, named, self.bytes(unary), kind);
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        match &arm.guard {
            Some((_, guard)) if !binds(guard) => {
                let named = extent(guard.span(), guard.span());
                self.note(Genre::MatchArmGuard, named, self.bytes(guard), Kind::Guard);
            }
            Some(_) => (),
            None => {
                let at = self.bytes(&arm.pat).end;
                self.note(Genre::MatchArm, extent(arm.span(), arm.span()), at..at, Kind::Arm);
            }
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_struct(&mut self, made: &'ast syn::ExprStruct) {
        if let Some(base) = &made.rest {
            for pair in made.fields.pairs() {
                let (field, comma) = pair.into_tuple();
                let syn::Member::Named(name) = &field.member else { continue };
                let (value, base) = (self.bytes(&field.expr), self.bytes(base));
                let kind = Kind::Field { name: name.to_string(), value, base };
                let named = extent(field.span(), comma.map_or(field.span(), |comma| comma.span()));
                self.note(Genre::StructField, named, self.bytes(field), kind);
            }
        }
        visit::visit_expr_struct(self, made);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// The text with its `n`th piece that reads `old` named as a change to `new`.
    fn change(text: &str, genre: Genre, (old, nth): (&str, usize), new: &str) -> Change {
        let (at, _) = text.match_indices(old).nth(nth).expect("it stands there");
        let place = |at: usize| Place {
            line: text[..at].matches('\n').count() + 1,
            column: text[..at].chars().rev().take_while(|c| *c != '\n').count() + 1,
        };
        let span = Extent { start: place(at), end: place(at + old.len()) };
        Change { name: String::new(), file: String::new(), span, replacement: new.into(), genre }
    }

    /// The text with changes behind switches 1, 2, …, without marks and with a shorter word for the switch.
    fn switched(text: &str, changes: &[Change]) -> String {
        let source = Source::read(text).expect("it parses");
        let numbered: Vec<_> = (1..).zip(changes).collect();
        let mut out = source.switched(&numbered).replace(ON, "on");
        syn::parse_file(&out).unwrap_or_else(|e| panic!("{e}: {out}"));
        while let Some(at) = out.find("/*") {
            let end = out[at..].find("*/").expect("a mark ends") + at + 2;
            out.replace_range(at..end, "");
        }
        out
    }

    #[test]
    fn an_operator_changes_with_its_operands_in_brackets() {
        let text = "fn f(a: i8) -> bool {\n    let ä = 1; a + ä * 2 < 3\n}";
        let changes = [
            change(text, Genre::BinaryOperator, ("<", 0), "=="),
            change(text, Genre::BinaryOperator, ("<", 0), "<="),
        ];
        assert_eq!(
            switched(text, &changes),
            "fn f(a: i8) -> bool {\n    let ä = 1; (if on(1) { (a + ä * 2) == (3) } \
             else if on(2) { (a + ä * 2) <= (3) } else { (a + ä * 2) < (3) })\n}"
        );
        let changes = [change(text, Genre::BinaryOperator, ("*", 0), "+")];
        assert!(switched(text, &changes).contains("a + (if on(1) { (ä) + (2) } else { (ä) * (2) }) < 3"));
    }

    #[test]
    fn a_change_inside_another_stands_in_both_of_its_halves() {
        let text = "fn f() { x += a - b; }";
        let changes = [
            change(text, Genre::BinaryOperator, ("-", 0), "/"),
            change(text, Genre::BinaryOperator, ("+=", 0), "-="),
        ];
        let inner = "(if on(1) { (a) / (b) } else { (a) - (b) })";
        assert_eq!(
            switched(text, &changes),
            format!("fn f() {{ (if on(2) {{ (x) -= ({inner}) }} else {{ (x) += ({inner}) }}); }}")
        );
    }

    #[test]
    fn a_body_begins_with_its_switch() {
        let text = "impl A {\n    fn f(&self) -> u8 {\n        self.a == 2\n    }\n}";
        let body = "self.a == 2";
        let changes = [
            change(text, Genre::FnValue, (body, 0), "0"),
            change(text, Genre::FnValue, (body, 0), "1"),
            change(text, Genre::BinaryOperator, ("==", 0), "!="),
        ];
        assert_eq!(
            switched(text, &changes),
            "impl A {\n    fn f(&self) -> u8 {\n        if on(1) { return 0; } if on(2) { return 1; } \
             (if on(3) { (self.a) != (2) } else { (self.a) == (2) })\n    }\n}"
        );
    }

    #[test]
    fn arms_and_guards_and_negations() {
        let text = "fn f() { match a { 1 | 2 => b, x if !x.c() => d, _ => e } }";
        let changes = [
            change(text, Genre::MatchArm, ("1 | 2 => b,", 0), ""),
            change(text, Genre::MatchArmGuard, ("!x.c()", 0), "true"),
            change(text, Genre::MatchArmGuard, ("!x.c()", 0), "false"),
            change(text, Genre::UnaryOperator, ("!", 0), ""),
        ];
        assert_eq!(
            switched(text, &changes),
            "fn f() { match a { 1 | 2 if !on(1) => b, x if (if on(2) { true } else if on(3) { false } else { \
             (if on(4) { x.c() } else { !x.c() }) }) => d, _ => e } }"
        );
    }

    #[test]
    fn a_field_is_taken_from_what_the_value_is_made_of() {
        let text = "fn f() { A { b: 1, c, ..d } }";
        let changes = [
            change(text, Genre::StructField, ("b: 1,", 0), ""),
            change(text, Genre::StructField, ("c,", 0), ""),
        ];
        assert_eq!(
            switched(text, &changes),
            "fn f() { A { b: (if on(1) { (d).b } else { 1 }), c: (if on(2) { (d).c } else { c }), ..d } }"
        );
    }

    #[test]
    fn what_cannot_carry_a_switch_is_left_out() {
        let text = "const A: u8 = 1 + 2;\nconst fn f() -> bool { 1 < 2 }\n\
                    fn g() { if let Some(x) = y && a == b { [0; 3 * 4] } }";
        let source = Source::read(text).expect("it parses");
        let can = |old: &str| source.can(&change(text, Genre::BinaryOperator, (old, 0), "-"));
        assert!(!can("+") && !can("<") && !can("&&") && !can("*"));
        assert!(can("=="), "what stands beside a binding can");
    }

    #[test]
    fn not_too_many_changes_stand_around_one() {
        let text = "fn f() { a + (b - (c * (d / (e % g)))) }";
        let of = |op| change(text, Genre::BinaryOperator, (op, 0), "^");
        let source = Source::read(text).expect("it parses");
        let (plus, minus, times, over) = (of("+"), of("-"), of("*"), of("/"));
        assert!(!source.too_deep(&over, &[&plus, &plus, &minus]), "two places are around it");
        assert!(source.too_deep(&over, &[&plus, &minus, &times]));
        assert!(!source.too_deep(&plus, &[&minus, &times, &over]), "what is inside does not count");
    }

    #[test]
    fn a_complaint_finds_its_change() {
        let text = "fn f() { a + b; c - d }";
        let changes = [
            change(text, Genre::BinaryOperator, ("+", 0), "*"),
            change(text, Genre::BinaryOperator, ("-", 0), "/"),
        ];
        let source = Source::read(text).expect("it parses");
        let out = source.switched(&[(4, &changes[0]), (9, &changes[1])]);
        let at = |what: &str| {
            let at = out.find(what).expect("it is there");
            at..at + what.len()
        };
        assert_eq!(belongs(&out, at("(a) * (b)")), [4]);
        assert_eq!(belongs(&out, at("(c) - (d)")), [9], "what was there belongs to the place's changes");
        assert_eq!(belongs(&out, at("fn f")), [0; 0]);
        let mut all = belongs(&out, 0..out.len());
        all.dedup();
        assert_eq!(all, [4, 9]);
    }

    /// Compiles a program, if that was not done, and says what it prints with a switch on.
    fn printed(folder: &Path, name: &str, text: &str, switch: u32) -> String {
        let (file, program) = (folder.join(format!("{name}.rs")), folder.join(name));
        if !program.exists() {
            std::fs::write(&file, text).expect("a file can be written");
            let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
            let compiled = std::process::Command::new(rustc)
                .args(["--edition", "2024", "-A", "warnings", "-o"])
                .args([&program, &file])
                .status();
            assert!(compiled.is_ok_and(|status| status.success()), "{name} does not compile:\n{text}");
        }
        let run = std::process::Command::new(program).env("MUTANT", switch.to_string()).output();
        String::from_utf8(run.expect("it runs").stdout).expect("it prints text")
    }

    #[test]
    fn a_switch_does_what_an_edit_does() {
        let text = "#[derive(Clone, Copy, Debug)]
struct Pair { a: i32, b: i32 }
fn sum(a: i32, b: i32) -> i32 { a + b * 2 }
fn least(a: i32, b: i32) -> bool { a < b && a != 1 }
fn kind(a: i32) -> &'static str { match a { 0 => \"none\", 1 => \"one\", n if n > 2 => \"many\", _ => \"two\" } }
fn pair(a: i32, p: Pair) -> Pair { Pair { a: a, ..p } }
fn count(a: i32) -> i32 { let mut n = 3; n += a; if !(n == 4) { n } else { -n } }
fn main() {
    for a in 0..4 { for b in 0..3 {
        let p = Pair { a: 7, b };
        println!(\"{} {} {} {:?} {}\", sum(a, b), least(a, b), kind(a), pair(a, p), count(a));
    } }
}
";
        // An operator of one letter, found by what follows it.
        let operator = |genre, found, new| {
            let mut change = change(text, genre, (found, 0), new);
            change.span.end.column = change.span.start.column + 1;
            change
        };
        let changes = [
            change(text, Genre::FnValue, ("a + b * 2", 0), "1"),
            change(text, Genre::BinaryOperator, ("*", 0), "/"),
            change(text, Genre::BinaryOperator, ("<", 0), "<="),
            change(text, Genre::BinaryOperator, ("&&", 0), "||"),
            change(text, Genre::MatchArm, ("1 => \"one\",", 0), ""),
            change(text, Genre::MatchArmGuard, ("n > 2", 0), "true"),
            operator(Genre::BinaryOperator, "> 2", ">="),
            change(text, Genre::StructField, ("a: a,", 0), ""),
            change(text, Genre::BinaryOperator, ("+=", 0), "-="),
            operator(Genre::UnaryOperator, "!(", ""),
        ];
        let source = Source::read(text).expect("it parses");
        let numbered: Vec<_> = (1..).zip(&changes).collect();
        let asked = super::super::SWITCHES.replace("COUNT", "99").replace("//! Which", "// Which");
        let switched = format!("{}\nmod mutant_switches {{ {asked} }}", source.switched(&numbered));
        let folder = std::env::temp_dir().join(format!("outremer-switches-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let printed = |name: &str, text: &str, switch| printed(&folder, name, text, switch);
        let healthy = printed("healthy", text, 0);
        assert_eq!(printed("switched", &switched, 0), healthy);
        for (number, change) in numbered {
            let mut edited = text.to_string();
            edited.replace_range(Lines::of(text).bytes(change.span), &change.replacement);
            let name = format!("edited{number}");
            let (edited, with) = (printed(&name, &edited, 0), printed("switched", &switched, number));
            assert_eq!(with, edited, "{change:?}");
            assert_ne!(with, healthy, "{change:?}");
        }
        std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    }
}
