//! How the shop signs in: its token is a credential that is fetched, kept and renewed by the client.

use std::time::Duration;

use cofferdam_runtime::http::{FreshToken, TokenExchange};

use super::domain::Login;
use super::generated::client::{ReceiptClient, ReceiptCredentials};
use super::generated::operations::GetTokenRequest;
use super::mapper::login_to_wire;

/// Credentials that sign in with this login whenever a token is needed.
pub fn sign_in(login: Login) -> ReceiptCredentials {
    let exchange = TokenExchange::new(move |http| {
        let request = GetTokenRequest { body: login_to_wire(&login) };
        async move {
            let given = ReceiptClient::new(http).get_token(&request).await?;
            // Less than no time is no time: the next call signs in again.
            let lifetime = Duration::from_secs(u64::try_from(given.expires_in).unwrap_or(0));
            Ok(FreshToken::lasting(given.token, lifetime))
        }
    });
    ReceiptCredentials::new().session(exchange)
}
