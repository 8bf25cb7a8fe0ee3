//! Pictures as PNG, with letters that every machine has: the fonts come along.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};

/// How large a PNG is to be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Size {
    /// So many pixels to a unit of the SVG.
    Scale(f32),
    /// So many pixels wide.
    Width(u32),
}

/// Why a picture could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The SVG cannot be read.
    #[error("the SVG cannot be drawn: {0}")]
    Svg(#[from] usvg::Error),
    /// The picture would be empty, or larger than can be drawn.
    #[error("a picture of {width} by {height} pixels cannot be drawn: each side must be between 1 and {most}", most = MOST_PIXELS)]
    Size {
        /// Pixels across.
        width: f32,
        /// Pixels down.
        height: f32,
    },
    /// The pixels could not be written as PNG.
    #[error("the picture cannot be written as PNG: {0}")]
    Png(String),
}

/// The longest side of a picture, in pixels.
pub const MOST_PIXELS: u32 = 16_384;

/// The serif that pictures are written with: regular, bold and italic, as OpenType files. A server can hand
/// them to browsers, so that both show the same letters.
pub fn serif() -> [&'static [u8]; 3] {
    let mut cuts = typst_assets::fonts();
    std::array::from_fn(|_| cuts.next().unwrap_or_default())
}

/// The fonts: our own first, so that pictures look the same everywhere; those of the machine for signs that
/// ours lack.
fn fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    FONTS
        .get_or_init(|| {
            let mut fonts = fontdb::Database::new();
            for data in serif() {
                fonts.load_font_data(data.to_vec());
            }
            // The last is a sans with many signs: anchors, crosses, swords.
            if let Some(signs) = typst_assets::fonts().last() {
                fonts.load_font_data(signs.to_vec());
            }
            fonts.load_system_fonts();
            fonts.set_serif_family("Libertinus Serif");
            Arc::new(fonts)
        })
        .clone()
}

/// Draws an SVG as PNG.
pub fn to_png(svg: &str, size: Size) -> Result<Vec<u8>, PictureError> {
    let options = usvg::Options {
        fontdb: fonts(),
        font_family: "Libertinus Serif".to_string(),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(svg, &options)?;
    let (w, h) = (tree.size().width(), tree.size().height());
    let scale = match size {
        Size::Scale(scale) => scale,
        Size::Width(width) => width as f32 / w,
    };
    let (width, height) = ((w * scale).round(), (h * scale).round());
    let fits = |side: f32| (1.0..=MOST_PIXELS as f32).contains(&side);
    let pixels = (fits(width) && fits(height)).then(|| Pixmap::new(width as u32, height as u32)).flatten();
    let mut pixels = pixels.ok_or(PictureError::Size { width, height })?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| PictureError::Png(e.to_string()))
}
