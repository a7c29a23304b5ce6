//! What a call answered, as JSON.

use std::fmt::Debug;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cofferdam_runtime::http::{ByteStream, RawReply};
use cofferdam_runtime::wire::Wire;
use cofferdam_runtime::{Bytes, CallError, ClientError, StatusCode};
use serde_json::{Value, json};

use super::ask::{Unfit, unfit};

/// A documented response as reply or rejection hold it.
pub struct Said(Value);

impl Said {
    /// The response documented for a status, `4XX` or `default`.
    pub fn of(documented: &str) -> Self {
        Self(json!({ "answer": documented, "status": documented.parse::<u16>().ok() }))
    }

    #[must_use]
    pub fn status(mut self, status: StatusCode) -> Self {
        self.0["status"] = json!(status.as_u16());
        self
    }

    #[must_use]
    pub fn media_type(mut self, media_type: &str) -> Self {
        self.0["media_type"] = json!(media_type);
        self
    }

    #[must_use]
    pub fn json<T: Wire + Debug>(mut self, body: &T) -> Self {
        self.0["debug"] = json!(format!("{body:?}"));
        match body.encode() {
            Ok(value) => self.0["json"] = value,
            Err(error) => self.0["encode_error"] = json!(error.to_string()),
        }
        self
    }

    #[must_use]
    pub fn text(mut self, body: &str) -> Self {
        self.0["text"] = json!(body);
        self
    }

    #[must_use]
    pub fn bytes(mut self, body: &Bytes) -> Self {
        self.0["base64"] = json!(STANDARD.encode(body));
        self
    }

    #[must_use]
    pub fn nothing(mut self) -> Self {
        self.0["unit"] = json!(true);
        self
    }

    #[must_use]
    pub fn header<T: Wire>(mut self, name: &str, value: &T) -> Self {
        self.0["headers"][name.to_ascii_lowercase()] = value.encode().unwrap_or_else(|error| json!(error.to_string()));
        self
    }

    /// What a choice of media types says.
    #[must_use]
    pub fn choose(self, said: impl FnOnce(Self) -> Self) -> Self {
        said(self)
    }

    pub fn ok(self) -> Value {
        json!({ "ok": self.0 })
    }

    fn documented(self) -> Value {
        let mut said = self.0;
        said["error"] = json!("documented");
        said
    }
}

/// The bytes of a reply that come in pieces, with its headers.
pub async fn pieces(mut stream: ByteStream) -> Said {
    let mut said = Said::of("").status(stream.status());
    for (name, value) in stream.headers() {
        said = said.header(name.as_str(), &String::from_utf8_lossy(value.as_bytes()).into_owned());
    }
    let mut body = Vec::new();
    while let Some(piece) = stream.next().await {
        match piece {
            Ok(piece) => body.extend_from_slice(&piece),
            Err(error) => return said.text(&error.to_string()),
        }
    }
    said.bytes(&body.into())
}

fn with_reply(error: &str, message: String, reply: &RawReply) -> Value {
    json!({ "error": error, "status": reply.status.as_u16(), "message": message, "kept": kept(reply) })
}

fn kept(reply: &RawReply) -> Value {
    let headers: Vec<(&str, String)> = reply
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    json!({ "headers": headers, "body_base64": STANDARD.encode(&reply.body) })
}

/// How the bare client fails.
pub fn failed<R>(error: ClientError<R>, said: impl FnOnce(R) -> Said) -> Value {
    let message = error.to_string();
    match error {
        ClientError::NotSent(_) => json!({ "error": "before_send", "message": message }),
        ClientError::Rejected { rejection, reply } | ClientError::Server { rejection: Some(rejection), reply } => {
            let mut seen = said(*rejection).status(reply.status).documented();
            seen["kept"] = kept(&reply);
            seen
        }
        ClientError::Server { rejection: None, reply } => with_reply("server", message, &reply),
        ClientError::Unexpected { reply } => with_reply("undocumented", message, &reply),
        ClientError::Undecodable { cause, reply } => with_reply("undecodable", cause.to_string(), &reply),
        _ => json!({ "error": "transport", "message": message }),
    }
}

/// How the adapter fails, its mapping being [`AsIs`](super::as_is::AsIs).
pub fn refused<R>(error: CallError<(StatusCode, R)>, said: impl FnOnce(R) -> Said) -> Value {
    let (message, attempts) = (error.to_string(), error.attempts());
    let mut seen = match error {
        CallError::NotSent { .. } => json!({ "error": "before_send", "message": message }),
        CallError::Rejected { rejection: (status, rejection), .. }
        | CallError::ServerError { rejection: Some((status, rejection)), .. } => {
            said(rejection).status(status).documented()
        }
        CallError::ServerError { reply, .. } => with_reply("server", message, &reply),
        CallError::Unexpected { reply, .. } => with_reply("undocumented", message, &reply),
        CallError::Undecodable { cause, reply, .. } => with_reply("undecodable", cause.to_string(), &reply),
        _ => json!({ "error": "transport", "message": message }),
    };
    seen["attempts"] = json!(attempts);
    seen
}

pub fn unrepresentable(reason: Unfit) -> Value {
    json!({ "error": "unrepresentable", "message": reason })
}

/// A text read into a type and written back, twice.
pub fn schema<T>(text: &str) -> Value
where
    T: serde::de::DeserializeOwned + serde::Serialize + Debug,
{
    let again = |text: &str| -> Result<(String, String), Unfit> {
        let read: T = serde_json::from_str(text).map_err(unfit)?;
        Ok((serde_json::to_string(&read).map_err(unfit)?, format!("{read:?}")))
    };
    match again(text) {
        Ok((written, debug)) => {
            let stable = again(&written).map(|(twice, _)| twice) == Ok(written.clone());
            json!({ "text": written, "stable_bytes": stable, "debug": debug })
        }
        Err(message) => json!({ "error": "decode", "message": message }),
    }
}
