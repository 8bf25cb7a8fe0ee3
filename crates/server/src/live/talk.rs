//! What is said at a table: to all, among allies, or to chosen seats.

use table::{Seat, SeatSet};

use super::Tables;
use crate::fault::Fault;
use crate::ids::TableId;
use crate::people::Voice;
use crate::secret;
use crate::store::{ChatRow, Kind, TableStage};

impl Tables {
    /// Says something at a table.
    pub(crate) async fn say(
        &self,
        id: &TableId,
        person: &Voice,
        seat: Option<u8>,
        allies_only: bool,
        to: &[u8],
        text: &str,
    ) -> Result<(), Fault> {
        let text: String = secret::without_nul(text).trim().chars().take(1000).collect();
        if text.is_empty() {
            return Err(Fault::Wrong("there is nothing to say".into()));
        }
        let table = self.find(id).await?;
        let mut live = table.live.lock().await;
        let own = live.held_by(Some(&person.id));
        let named = seat.map(|s| Seat::try_from(s).ok().filter(|s| own.contains(*s)));
        if named == Some(None) {
            return Err(Fault::NotYours("this seat is not yours: speak from your own".into()));
        }
        let seat = named.flatten().or(own.lowest());
        if (allies_only || !to.is_empty()) && live.row.stage == TableStage::Gathering {
            let why = "seats still change hands: what is said before the game all may read";
            return Err(Fault::Stage(why.into()));
        }
        // Whoever sits down later reads nothing of what was said to others before.
        let heard: SeatSet =
            live.party().iter().filter(|s| live.seats[s.index()].kind == Kind::Person).collect();
        let mut chosen = SeatSet::NONE;
        for number in to {
            let known = Seat::try_from(*number).ok().filter(|s| heard.contains(*s));
            chosen = chosen.with(known.ok_or_else(|| Fault::Missing(format!("anybody on seat {number}")))?);
        }
        let readers = match seat {
            Some(seat) if allies_only => Some(live.title().allies(seat).both(heard).union(chosen).with(seat)),
            Some(seat) if !chosen.is_empty() => Some(chosen.with(seat)),
            _ if allies_only => return Err(Fault::NotYours("only players have allies".into())),
            _ if !chosen.is_empty() => {
                return Err(Fault::NotYours("only players speak to chosen seats".into()));
            }
            _ => None,
        };
        let row = ChatRow {
            at: secret::now(),
            name: person.name.clone(),
            person: Some(person.id.clone()),
            seat: seat.map(u8::from),
            readers,
            text,
        };
        self.0.store.say(id.clone(), row.clone()).await?;
        live.chat.push(row);
        table.publish(&live);
        Ok(())
    }
}
