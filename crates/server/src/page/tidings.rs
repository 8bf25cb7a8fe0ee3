//! How somebody wants to be told when a table waits for him: a section of the page about oneself, and the
//! pages behind the link in a mail.

use maud::{Markup, html};

use crate::tidings::Ways;

/// The section.
pub(crate) fn section(told: &Ways, mail: bool, account: bool, push_key: &str) -> Markup {
    let address = told.mail.as_ref().map_or("", |m| m.address.as_str());
    html! {
        form.new method="post" action="/you/tidings" {
            h2 { "When it is your turn" }
            p { "While you are not looking at a table you can be told that it waits for you. A message names the table, and nothing of the game." }
            @if mail {
                label.option { span { "E-mail" } input name="mail" type="email" maxlength="254" value=(address) autocomplete="email"; }
                @if told.mail.as_ref().is_some_and(|m| !m.confirmed) {
                    p.small { "A letter was sent there: follow its link, and the address is yours." }
                }
                @if account {
                    label.option { span { "Password" } input name="password" type="password" autocomplete="current-password"; }
                    p.small { "To change the address: a forgotten password is set anew through it." }
                }
            }
            label.option { span { "Webhook" } input name="webhook" type="url" maxlength="1000" value=(told.webhook.as_deref().unwrap_or("")) placeholder="https://…"; }
            p.small { "An address that is called with the table’s name and link, as chat services offer them." }
            button { "Keep" }
        }
        p #ui-push data-key=(push_key) hidden[true] {
            button.quiet type="button" data-push="on" { "Tell me in this browser" }
            button.quiet type="button" data-push="off" hidden[true] { "No longer tell me in this browser" }
        }
        script type="module" src=(crate::assets::address("push.js")) {}
    }
}

/// Behind the link in a mail.
pub(crate) fn confirm(person: &str, token: &str) -> Markup {
    let body = html! {
        main #ui-main .narrow {
            h1 { "Is this your address?" }
            p { "You will hear by e-mail when a table waits for you." }
            form.new method="post" action=(format!("/you/mail/{person}/{token}")) { button { "Yes, it is mine" } }
        }
    };
    super::whole("Outremer", "plain", "lobby.js", None, &body)
}

/// It is.
pub(crate) fn confirmed() -> Markup {
    let body = html! {
        main #ui-main .narrow {
            h1 { "Confirmed" }
            p { "You will hear by e-mail when a table waits for you." }
            p { a.button href="/" { "To the lobby" } }
        }
    };
    super::whole("Outremer", "plain", "lobby.js", None, &body)
}
