//! The reader of blazons: recursive descent, one function for each rule of the grammar.

use super::{
    Blazon, Charge, Division, Field, Group, Laid, Layer, NUMBERS, Ordinary, Paint, Place, Share, Tincture,
    Variation, article,
};
use crate::error::ReadError;

/// The longest blazon that is read, in bytes.
pub const LONGEST_BLAZON: usize = 400;

type Read<T> = Result<T, ReadError>;

/// Reads a whole blazon.
pub(super) fn blazon(text: &str) -> Read<Blazon> {
    if text.len() > LONGEST_BLAZON {
        let found = format!("a blazon of {} bytes", text.len());
        return Err(ReadError::new(found, format!("at most {LONGEST_BLAZON}")));
    }
    let signs = signs(text);
    spaced(text, &signs)?;
    let mut reader = Reader { signs: &signs, at: 0, in_part: false };
    let blazon = reader.blazon()?;
    if reader.at < signs.len() {
        return Err(reader.wrong("a comma or the end"));
    }
    Ok(blazon)
}

/// Words, commas and brackets.
fn signs(text: &str) -> Vec<&str> {
    let mut signs = Vec::new();
    for mut chunk in text.split_whitespace() {
        while let Some(end) = chunk.find(['(', ')', ',']) {
            let (word, rest) = chunk.split_at(end);
            let (sign, rest) = rest.split_at(1);
            signs.extend([word, sign].into_iter().filter(|s| !s.is_empty()));
            chunk = rest;
        }
        signs.extend(Some(chunk).filter(|s| !s.is_empty()));
    }
    signs
}

/// Words are parted by single spaces, a comma follows its word, brackets hug their content.
fn spaced(text: &str, signs: &[&str]) -> Read<()> {
    let mut right = String::with_capacity(text.len());
    for (i, sign) in signs.iter().enumerate() {
        let hugs = matches!(*sign, "," | ")") || i == 0 || signs[i - 1] == "(";
        right.push_str(if hugs { "" } else { " " });
        right.push_str(sign);
        if !text.starts_with(&right) {
            let found = format!("`{}` with other spaces around it ({})", sign, place(signs, i));
            return Err(ReadError::new(found, "single spaces, commas behind words, brackets that hug"));
        }
    }
    if right.len() < text.len() {
        return Err(ReadError::new("a space at the end", "no space at the end"));
    }
    Ok(())
}

/// Which word it is, counted from 1, or which word it comes after.
fn place(signs: &[&str], at: usize) -> String {
    let is_word = |sign: &&&str| !matches!(**sign, "," | "(" | ")");
    let before = signs[..at].iter().filter(is_word).count();
    match signs.get(at) {
        Some(sign) if is_word(&sign) => format!("word {}", before + 1),
        _ => format!("after word {before}"),
    }
}

struct Reader<'a> {
    signs: &'a [&'a str],
    at: usize,
    /// Inside the brackets of a parted field.
    in_part: bool,
}

/// A name that may be an ordinary's or a charge's.
#[derive(Clone, Copy)]
enum Figure {
    Ordinary(Ordinary),
    Charge(Charge),
}

impl Figure {
    fn singular(self) -> &'static str {
        match self {
            Self::Ordinary(ordinary) => ordinary.singular(),
            Self::Charge(charge) => charge.singular(),
        }
    }

    fn plural(self) -> &'static str {
        match self {
            Self::Ordinary(ordinary) => ordinary.plural(),
            Self::Charge(charge) => charge.plural(),
        }
    }
}

impl Reader<'_> {
    fn sees(&self, phrase: &str) -> bool {
        let mut rest = self.signs[self.at..].iter();
        phrase.split(' ').all(|word| rest.next().is_some_and(|sign| *sign == word))
    }

    fn take(&mut self, phrase: &str) -> bool {
        let sees = self.sees(phrase);
        if sees {
            self.at += phrase.split(' ').count();
        }
        sees
    }

    fn need(&mut self, phrase: &str) -> Read<()> {
        if self.take(phrase) { Ok(()) } else { Err(self.wrong(&format!("`{phrase}`"))) }
    }

    fn wrong(&self, expected: &str) -> ReadError {
        let found = self.signs.get(self.at).map_or("the end".to_string(), |sign| format!("`{sign}`"));
        ReadError::new(format!("{found} ({})", place(self.signs, self.at)), expected)
    }

    /// Something is wrong with the words from `from` to here.
    fn wrong_since(&self, from: usize, expected: &str) -> ReadError {
        let found = self.signs[from..self.at].join(" ");
        ReadError::new(format!("`{found}` ({})", place(self.signs, from)), expected)
    }

    /// Takes the longest of these phrases that stands here.
    fn one_of<T: Copy>(&mut self, all: &[T], phrase: impl Fn(T) -> &'static str) -> Option<T> {
        let here = all.iter().copied().filter(|one| self.sees(phrase(*one)));
        let longest = here.max_by_key(|one| phrase(*one).len())?;
        self.take(phrase(longest));
        Some(longest)
    }

    fn blazon(&mut self) -> Read<Blazon> {
        let field = self.field()?;
        let mut layers = Vec::new();
        while self.take(",") {
            layers.push(self.layer()?);
        }
        Ok(Blazon { field, layers })
    }

    fn tincture(&mut self) -> Read<Tincture> {
        self.one_of(&Tincture::ALL, Tincture::word).ok_or_else(|| {
            let words = Tincture::ALL.map(Tincture::word).join(", ");
            self.wrong(&format!("a tincture ({words})"))
        })
    }

    fn number(&mut self) -> Read<u8> {
        let found = (2..).zip(NUMBERS).find(|(_, word)| self.sees(word));
        self.at += usize::from(found.is_some());
        found.map(|(number, _)| number).ok_or_else(|| self.wrong("a number from two to twelve"))
    }

    fn stripes(&mut self) -> Read<u8> {
        let from = self.at;
        self.need("of")?;
        match self.number()? {
            number if number % 2 == 0 => Ok(number),
            _ => Err(self.wrong_since(from, "an even number of stripes")),
        }
    }

    fn varied(&mut self) -> Read<Option<Paint>> {
        let variation = match () {
            () if self.take("barry") => Variation::Barry(self.stripes()?),
            () if self.take("paly") => Variation::Paly(self.stripes()?),
            () if self.take("bendy") => Variation::Bendy(self.stripes()?),
            () if self.take("chequy") => Variation::Chequy,
            () if self.take("lozengy") => Variation::Lozengy,
            () => return Ok(None),
        };
        let first = self.tincture()?;
        self.need("and")?;
        Ok(Some(Paint::Varied(variation, first, self.tincture()?)))
    }

    fn paint(&mut self) -> Read<Paint> {
        match self.varied()? {
            Some(varied) => Ok(varied),
            None => self.tincture().map(Paint::Plain),
        }
    }

    fn field(&mut self) -> Read<Field> {
        let from = self.at;
        if let Some(division) = self.one_of(&Division::ALL, Division::words) {
            if self.in_part {
                return Err(self.wrong_since(from, "a part that is not parted again"));
            }
            let first = self.share()?;
            self.need("and")?;
            return Ok(Field::Parted(division, Box::new([first, self.share()?])));
        }
        match self.paint()? {
            Paint::Plain(tincture) if self.take("semy of") => {
                let charge = self.one_of(&Charge::ALL, Charge::plural);
                let charge = charge.ok_or_else(|| self.wrong("charges in the plural"))?;
                Ok(Field::Semy { tincture, charge, sown: self.tincture()? })
            }
            paint => Ok(Field::Painted(paint)),
        }
    }

    fn share(&mut self) -> Read<Share> {
        if !self.take("(") {
            return self.tincture().map(Share::Plain);
        }
        self.in_part = true;
        let blazon = self.blazon()?;
        self.in_part = false;
        self.need(")")?;
        Ok(Share::Arms(blazon))
    }

    /// An article and one of these, or a number and several.
    fn several(&mut self, figures: &[Figure]) -> Read<(u8, Figure)> {
        let from = self.at;
        if self.take("a") || self.take("an") {
            let Some(figure) = self.one_of(figures, Figure::singular) else {
                return Err(self.wrong(match figures.first() {
                    Some(Figure::Ordinary(_)) => "an ordinary or a charge, one",
                    _ => "a charge, one",
                }));
            };
            let (name, right) = (figure.singular(), article(figure.singular()));
            if self.signs[from] != right {
                return Err(self.wrong_since(from, &format!("`{right} {name}`")));
            }
            return Ok((1, figure));
        }
        if !NUMBERS.iter().any(|word| self.sees(word)) {
            return Err(self.wrong("`a`, `an` or a number from two to twelve"));
        }
        let number = self.number()?;
        let figure = self.one_of(figures, Figure::plural).ok_or_else(|| {
            let lone = figures.iter().find(|figure| self.sees(figure.singular()));
            match lone {
                Some(lone) => self.wrong(&format!("the plural, `{}`", lone.plural())),
                None => self.wrong("ordinaries or charges in the plural"),
            }
        })?;
        match figure {
            Figure::Ordinary(ordinary) if !ordinary.repeats() => {
                Err(self.wrong_since(from, &format!("one {} only", ordinary.singular())))
            }
            _ => Ok((number, figure)),
        }
    }

    fn layer(&mut self) -> Read<Layer> {
        if self.take("a label of") {
            let points = self.number()?;
            self.need("points")?;
            return Ok(Layer::Label { points, tincture: self.tincture()? });
        }
        let figures = Ordinary::ALL.map(Figure::Ordinary).into_iter();
        let figures: Vec<_> = figures.chain(Charge::ALL.map(Figure::Charge)).collect();
        match self.several(&figures)? {
            (number, Figure::Charge(charge)) => self.group_of(number, charge).map(Layer::Charges),
            (number, Figure::Ordinary(ordinary)) => self.laid(number, ordinary).map(Layer::Ordinary),
        }
    }

    fn laid(&mut self, number: u8, ordinary: Ordinary) -> Read<Laid> {
        let paint = self.paint()?;
        let from = self.at;
        let cotises = match self.take("cotised") {
            true if !ordinary.takes_cotises() => {
                let expected = format!("no cotises along a {}: bends and fesses only", ordinary.singular());
                return Err(self.wrong_since(from, &expected));
            }
            true => Some(self.tincture()?),
            false => None,
        };
        let on = if self.take("charged with") { Some(self.group()?) } else { None };
        let between = if self.take("between") { Some(self.group()?) } else { None };
        Ok(Laid { number, ordinary, paint, cotises, on, between })
    }

    fn group(&mut self) -> Read<Group> {
        match self.several(&Charge::ALL.map(Figure::Charge))? {
            (number, Figure::Charge(charge)) => self.group_of(number, charge),
            (_, Figure::Ordinary(_)) => Err(self.wrong("a charge")),
        }
    }

    fn group_of(&mut self, number: u8, charge: Charge) -> Read<Group> {
        let from = self.at;
        let points = if self.take("of") {
            let points = self.number()?;
            self.need("points")?;
            if charge != Charge::Mullet {
                return Err(self.wrong_since(from, "points of mullets only"));
            }
            Some(points)
        } else {
            None
        };
        let from = self.at;
        let place = self.one_of(&Place::ALL, Place::words);
        if place == Some(Place::InSaltire) && number != 2 {
            return Err(self.wrong_since(from, "two charges, where they are crossed"));
        }
        Ok(Group { number, charge, points, place, paint: self.paint()? })
    }
}
