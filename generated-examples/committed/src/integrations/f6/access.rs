//! How the shop signs in at the supplier: a ticket is exchanged for a token, which the client keeps, renews in time and
//! replaces once when the supplier no longer takes it.

use std::time::Duration;

use cofferdam_runtime::http::{FreshToken, Secret, TokenExchange};

use super::generated::client::{F6Client, F6Credentials};
use super::generated::operations::ExchangeTicketRequest;
use super::generated::types::TicketExchange;

/// Credentials of a store that exchange a new ticket whenever a token is needed. A ticket is good for one exchange, so
/// `ticket` is asked for one each time.
pub fn sign_in(store: impl Into<String>, ticket: impl Fn() -> Secret + Send + Sync + 'static) -> F6Credentials {
    let store = store.into();
    let exchange = TokenExchange::new(move |http| {
        let body = TicketExchange { ticket: ticket().expose().to_owned(), store_id: store.clone() };
        let request = ExchangeTicketRequest { body };
        async move {
            let given = F6Client::new(http).exchange_ticket(&request).await?;
            // Less than no time is no time: the next call exchanges another ticket.
            let lifetime = Duration::from_secs(u64::try_from(given.expires_in).unwrap_or(0));
            Ok(FreshToken::lasting(given.token, lifetime))
        }
    });
    F6Credentials::new().ticket_token(exchange)
}
