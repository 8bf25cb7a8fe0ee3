//! How wide a text will be, and how to make it fit: shrink it, break it, abbreviate it.
//!
//! The widths are those of Libertinus Serif Bold, with a little in hand, because a browser may have to use
//! another font. An estimate is enough: what counts is that no text leaves the thing it is written on.

/// The fonts, best first: the one that PNG pictures are written with, others of its kind, then any serif.
pub const FONTS: &str =
    "'Libertinus Serif','EB Garamond','Cormorant Garamond','DejaVu Serif',Georgia,'DejaVu Sans Mono',serif";

/// Hundredths of the letter size, from the space to the tilde.
const WIDTHS: [u8; 95] = [
    25, 27, 38, 51, 51, 64, 73, 22, 32, 32, 43, 54, 24, 36, 24, 32, 51, 51, 51, 51, 51, 51, 51, 51, 51, 51,
    26, 26, 51, 55, 51, 43, 99, 74, 65, 71, 73, 61, 54, 73, 82, 37, 37, 74, 58, 90, 74, 73, 61, 73, 72, 50,
    65, 73, 70, 103, 72, 62, 62, 40, 31, 40, 52, 49, 39, 51, 54, 46, 56, 49, 39, 52, 62, 32, 31, 61, 32, 90,
    62, 55, 58, 57, 43, 43, 36, 60, 53, 78, 56, 56, 45, 31, 22, 31, 47,
];

/// How much wider another font may be.
const IN_HAND: f64 = 1.04;

/// About how wide a text is in letters of size 1.
pub(crate) fn width(text: &str) -> f64 {
    let hundredths: f64 = text
        .chars()
        .map(|sign| match sign {
            ' '..='~' => f64::from(WIDTHS[sign as usize - 32]),
            '\u{300}'..='\u{36f}' => 0.0,
            '\u{a0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => 64.0,
            '\u{2b0}'..='\u{2ff}' => 30.0,
            '\u{2010}'..='\u{2027}' => 60.0,
            '\u{1100}'.. => 100.0,
            _ => 75.0,
        })
        .sum();
    hundredths * IN_HAND / 100.0
}

/// Lines of text and the size of their letters.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Set {
    pub(crate) lines: Vec<String>,
    pub(crate) size: f64,
}

/// Sets a text into a width with at most so many lines, as large as may be between two sizes; what cannot
/// fit is abbreviated.
pub(crate) fn fit(text: &str, room: f64, most_lines: usize, largest: f64, least: f64) -> Set {
    let text = text.trim();
    for step in 0..=6 {
        let size = largest - (largest - least) * f64::from(step) / 6.0;
        // A second line is worth it only when the letters would get small.
        let lines = if step < 2 { 1 } else { most_lines };
        if let Some(lines) = broken(text, room / size, lines) {
            return Set { lines, size };
        }
    }
    let mut lines = wrap(text, room / least, most_lines);
    for line in &mut lines {
        *line = shortened(line, room / least);
    }
    Set { lines, size: least }
}

/// A text as at most so many lines, none wider than the room; nothing if that cannot be.
fn broken(text: &str, room: f64, most: usize) -> Option<Vec<String>> {
    let lines = wrap(text, room, usize::MAX);
    (lines.len() <= most && lines.iter().all(|line| width(line) <= room)).then_some(lines)
}

/// A text broken between words; the last line takes what is left over.
pub(crate) fn wrap(text: &str, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let full = lines.len() >= most;
        match lines.last_mut() {
            Some(line) if full || width(line) + width(" ") + width(word) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// The beginning of a text, with a sign that something is missing.
pub(crate) fn shortened(text: &str, room: f64) -> String {
    if width(text) <= room {
        return text.to_string();
    }
    let mut short = String::new();
    for sign in text.chars() {
        if width(&short) + width(&sign.to_string()) + width("…") > room {
            break;
        }
        short.push(sign);
    }
    let kept = short.trim_end().len();
    short.truncate(kept);
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_set_fits() {
        for text in [
            "Rook",
            "Fotheringhay",
            "Reynald of Sidon",
            "Wwwwwwwwwwwwwwwww",
            "St. John's Hospitallers of Acre",
            "漢字漢字漢字漢字",
            "",
        ] {
            for room in [20.0, 40.0, 90.0] {
                let set = fit(text, room, 2, 12.0, 7.0);
                assert!(set.lines.len() <= 2 && (7.0..=12.0).contains(&set.size));
                for line in &set.lines {
                    let width = width(line) * set.size;
                    assert!(width <= room || line == "…", "{line} is {width} wide, not {room}");
                }
            }
        }
    }

    #[test]
    fn short_names_stay_whole_and_long_ones_break() {
        assert_eq!(fit("Rook", 40.0, 2, 12.0, 7.0), Set { lines: vec!["Rook".into()], size: 12.0 });
        assert_eq!(fit("Reynald of Sidon", 45.0, 2, 12.0, 7.0).lines, ["Reynald", "of Sidon"]);
        assert_eq!(shortened("Fotheringhay", 4.0), "Fother…");
    }
}
