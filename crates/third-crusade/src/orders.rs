//! Standing orders.
use table::{NoOrder, Ordered};
use crate::ThirdCrusade;
impl Ordered for ThirdCrusade {
    type Order = NoOrder;
}
