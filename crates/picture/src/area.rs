//! Rectangles on a board: where something lies, and how much of it something else would cover.

/// A rectangle, by its left upper corner and its extent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Area {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) w: f64,
    pub(crate) h: f64,
}

impl Area {
    pub(crate) fn around((x, y): (f64, f64), w: f64, h: f64) -> Self {
        Self { x: x - w / 2.0, y: y - h / 2.0, w, h }
    }

    pub(crate) fn centre(&self) -> (f64, f64) {
        (self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    pub(crate) fn right(&self) -> f64 {
        self.x + self.w
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.y + self.h
    }

    /// The surface that two areas share.
    pub(crate) fn shared(&self, other: &Self) -> f64 {
        let w = self.right().min(other.right()) - self.x.max(other.x);
        let h = self.bottom().min(other.bottom()) - self.y.max(other.y);
        w.max(0.0) * h.max(0.0)
    }

    /// The surface that lies outside another area.
    pub(crate) fn outside(&self, other: &Self) -> f64 {
        (self.w * self.h - self.shared(other)).max(0.0)
    }

    pub(crate) fn grown(&self, by: f64) -> Self {
        Self { x: self.x - by, y: self.y - by, w: self.w + 2.0 * by, h: self.h + 2.0 * by }
    }

    pub(crate) fn moved(&self, dx: f64, dy: f64) -> Self {
        Self { x: self.x + dx, y: self.y + dy, ..*self }
    }

    pub(crate) fn holds(&self, (x, y): (f64, f64)) -> bool {
        (self.x..=self.right()).contains(&x) && (self.y..=self.bottom()).contains(&y)
    }

    /// The same area slid into another, as far as it fits.
    pub(crate) fn within(&self, other: &Self) -> Self {
        let slide = |at: f64, extent: f64, from: f64, room: f64| at.min(from + room - extent).max(from);
        Self {
            x: slide(self.x, self.w, other.x, other.w),
            y: slide(self.y, self.h, other.y, other.h),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_share_and_slide() {
        let board = Area { x: 0.0, y: 0.0, w: 100.0, h: 50.0 };
        let label = Area::around((98.0, 25.0), 20.0, 10.0);
        assert_eq!(label.shared(&board), 120.0);
        assert_eq!(label.outside(&board), 80.0);
        assert_eq!(label.within(&board).x, 80.0);
        assert_eq!(label.within(&board).outside(&board), 0.0);
    }
}
