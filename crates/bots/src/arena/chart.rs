//! Ratings as a picture.

use plotters::prelude::*;

use super::Results;

impl Results {
    /// The ratings with their intervals, as SVG; empty if nothing was played.
    pub fn chart(&self) -> Result<String, String> {
        let Some(summary) = self.summary() else { return Ok(String::new()) };
        let rows = summary.standings.len();
        let ends = summary.standings.iter().flat_map(|s| [s.elo.low, s.elo.high]);
        let (low, high) = ends.fold((0.0, 0.0), |(low, high): (f64, f64), end| (low.min(end), high.max(end)));
        let room = ((high - low) * 0.08).max(20.0);
        let mut svg = String::new();
        let draw = |svg: &mut String| -> Result<(), Box<dyn std::error::Error>> {
            let height = 110 + 44 * rows as u32;
            let area = SVGBackend::with_string(svg, (760, height)).into_drawing_area();
            area.fill(&WHITE)?;
            let title = format!("{}, {}: Elo with 95 % intervals", self.game, self.scenario);
            let mut chart = ChartBuilder::on(&area)
                .caption(title, ("sans-serif", 18))
                .margin(12)
                .x_label_area_size(30)
                .y_label_area_size(150)
                .build_cartesian_2d(low - room..high + room, -0.5..rows as f64 - 0.5)?;
            // The best on top.
            let name = |y: &f64| {
                let row = rows as f64 - 1.0 - y;
                let whole = row >= 0.0 && (row - row.round()).abs() < 1e-6;
                let standing = whole.then(|| summary.standings.get(row.round() as usize)).flatten();
                standing.map_or(String::new(), |s| self.plan.players[s.player].clone())
            };
            chart
                .configure_mesh()
                .disable_y_mesh()
                .light_line_style(TRANSPARENT)
                .y_labels(rows * 2 + 1)
                .y_label_formatter(&name)
                .x_label_formatter(&|x| format!("{x:+.0}"))
                .draw()?;
            for (row, standing) in summary.standings.iter().enumerate() {
                let y = (rows - 1 - row) as f64;
                let ink = RGBColor(0x8a, 0x1c, 0x1c);
                chart.draw_series(LineSeries::new(
                    [(standing.elo.low, y), (standing.elo.high, y)],
                    ink.stroke_width(3),
                ))?;
                chart.draw_series([Circle::new((standing.elo.value, y), 6, ink.filled())])?;
            }
            area.present()?;
            Ok(())
        };
        draw(&mut svg).map_err(|e| e.to_string())?;
        Ok(svg)
    }
}
