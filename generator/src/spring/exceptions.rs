//! Exceptions of Java, and the ends of an attempt that they stand for.

/// What an exception is to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Means {
    /// Trouble of the exchange or of the system, by our words for it: counted, and repeated where that is allowed.
    Trouble(&'static str),
    /// An answer of this class that says no: neither counted nor repeated.
    No(&'static str),
    /// One of the layers refused: never counted, never repeated.
    Refused,
    /// Everything that can be thrown.
    Anything,
    /// A class of the service's own, or of a library that is not known here.
    Unknown,
}

/// What every kind of broken exchange is called.
const EXCHANGE: &str = "timed-out, dns, connect, tls, closed, unprocessed, reset, truncated, protocol";

/// Names of statuses, as Spring's subclasses have them.
const STATUSES: [(&str, &str); 14] = [
    ("BadRequest", "400"),
    ("Unauthorized", "401"),
    ("Forbidden", "403"),
    ("NotFound", "404"),
    ("MethodNotAllowed", "405"),
    ("Conflict", "409"),
    ("Gone", "410"),
    ("UnprocessableEntity", "422"),
    ("TooManyRequests", "429"),
    ("InternalServerError", "500"),
    ("NotImplemented", "501"),
    ("BadGateway", "502"),
    ("ServiceUnavailable", "503"),
    ("GatewayTimeout", "504"),
];

/// What the class of this name means, `$` or `.` before the name of a nested one.
pub(super) fn means(class: &str) -> Means {
    let mut names = class.trim().rsplit(['.', '$']);
    let (name, outer) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
    let responses =
        ["HttpClientErrorException", "HttpServerErrorException", "WebClientResponseException", "FeignException"];
    if responses.contains(&outer)
        && let Some((_, status)) = STATUSES.iter().find(|(word, _)| *word == name)
    {
        return if status.starts_with('4') { Means::No(status) } else { Means::Trouble(status) };
    }
    match name {
        "SocketTimeoutException"
        | "TimeoutException"
        | "HttpTimeoutException"
        | "ReadTimeoutException"
        | "WriteTimeoutException"
        | "ConnectTimeoutException"
        | "HttpConnectTimeoutException"
        | "InterruptedIOException" => Means::Trouble("timed-out"),
        "ConnectException" | "NoRouteToHostException" | "HttpHostConnectException" => Means::Trouble("connect"),
        "UnknownHostException" => Means::Trouble("dns"),
        "SSLException" | "SSLHandshakeException" => Means::Trouble("tls"),
        "SocketException" | "EOFException" | "NoHttpResponseException" | "PrematureCloseException" => {
            Means::Trouble("closed, truncated")
        }
        "IOException"
        | "UncheckedIOException"
        | "ResourceAccessException"
        | "WebClientRequestException"
        | "RetryableException" => Means::Trouble(EXCHANGE),
        "HttpServerErrorException" | "FeignServerException" | "ServerError" => Means::Trouble("5xx"),
        "HttpClientErrorException" | "FeignClientException" | "ClientError" => Means::No("4xx"),
        "JsonProcessingException"
        | "JsonParseException"
        | "MismatchedInputException"
        | "HttpMessageNotReadableException"
        | "HttpMessageConversionException"
        | "DecodingException"
        | "DecodeException" => Means::Trouble("undecodable"),
        "CallNotPermittedException"
        | "BulkheadFullException"
        | "RequestNotPermitted"
        | "MaxRetriesExceededException" => Means::Refused,
        "Throwable"
        | "Exception"
        | "RuntimeException"
        | "RestClientException"
        | "RestClientResponseException"
        | "HttpStatusCodeException"
        | "WebClientException"
        | "WebClientResponseException"
        | "FeignException" => Means::Anything,
        _ => Means::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_known_by_their_names() {
        for (class, wanted) in [
            ("java.io.IOException", Means::Trouble(EXCHANGE)),
            ("java.net.SocketTimeoutException", Means::Trouble("timed-out")),
            ("org.springframework.web.client.HttpServerErrorException", Means::Trouble("5xx")),
            ("org.springframework.web.client.HttpServerErrorException$ServiceUnavailable", Means::Trouble("503")),
            ("org.springframework.web.client.HttpClientErrorException$TooManyRequests", Means::No("429")),
            ("feign.FeignException.NotFound", Means::No("404")),
            ("io.github.resilience4j.circuitbreaker.CallNotPermittedException", Means::Refused),
            ("java.lang.Throwable", Means::Anything),
            ("com.shop.Unavailable", Means::Unknown),
            ("com.shop.NotFound", Means::Unknown),
            ("", Means::Unknown),
        ] {
            assert_eq!(means(class), wanted, "{class}");
        }
    }

    #[test]
    fn our_words_are_words_of_our_settings() {
        let statuses = STATUSES.iter().map(|(_, status)| *status);
        for words in statuses.chain([EXCHANGE, "closed, truncated", "undecodable", "5xx", "4xx"]) {
            assert!(words.parse::<cofferdam_runtime::settings::FailureClasses>().is_ok(), "{words}");
        }
    }
}
