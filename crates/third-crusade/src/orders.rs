//! Standing orders.
use crate::ThirdCrusade;
use table::{NoOrder, Ordered};
impl Ordered for ThirdCrusade {
    type Order = NoOrder;
}
