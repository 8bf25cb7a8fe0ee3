//! A view as a picture of the table.
use table::scene::{Prompt, Scene};
use table::{Shown, rule};
use crate::ThirdCrusade;
use crate::data::Part;
use crate::ids::Army;
use crate::view::View;
impl Shown for ThirdCrusade {
    fn scene(&self, view: &View) -> Scene {
        Scene {
            title: self.period_name(view.open.period),
            prompt: (!view.deciding.is_empty()).then(|| Prompt::new(view.deciding, "Decide", rule!("3.1"))),
            ..Scene::default()
        }
    }
}
impl ThirdCrusade {
    pub(crate) fn parts_words(&self, _parts: &[Part], _army: Option<Army>) -> String {
        "something".into()
    }
}
