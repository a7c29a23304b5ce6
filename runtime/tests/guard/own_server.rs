//! An operation with a server of its own, on a real wire: where calls go, and which credentials go with them.

use cofferdam_runtime::http::{
    ApiKeyPlace, BuildError, Credentials, HttpClient, OwnServer, RawReply, RequestWriter, SchemeUse,
};
use cofferdam_runtime::settings::OperationSettings;
use cofferdam_runtime::wire::DecodeError;
use cofferdam_runtime::{ClientError, Decoded, IdempotencyKey, NoRejection, Operation, OperationKind, OperationMeta};

use super::server::{Act, Server};
use super::subject::handle;

#[derive(Clone, Copy)]
struct Files;

impl Operation for Files {
    type Request = OwnServer;
    type Reply = ();
    type Rejection = NoRejection;
    const META: &'static OperationMeta = &OperationMeta {
        system: "acme",
        id: "files",
        name: "files",
        kind: OperationKind::Read,
        method: "GET",
        path: "/files",
        accept: "",
        security: Some(&[&[SchemeUse { scheme: "gateKey", scopes: &[] }]]),
    };

    fn encode(request: &OwnServer, _: Option<&IdempotencyKey>, out: &mut RequestWriter) -> Result<(), BuildError> {
        out.server(*request);
        out.path("/files");
        Ok(())
    }

    fn decode(_: &RawReply) -> Result<Decoded<(), NoRejection>, DecodeError> {
        Ok(Decoded::Reply(()))
    }
}

async fn listening() -> Server {
    Server::start(|_, _| Act::json(200, "")).await
}

fn own(files: &Server, system: &Server) -> OwnServer {
    let url = Box::leak(format!("http://{}/own", files.address).into_boxed_str());
    let beside = Box::leak(format!("http://{}/base", system.address).into_boxed_str());
    OwnServer { url, beside: Box::leak(Box::new([&*beside])) }
}

#[tokio::test]
async fn no_credential_follows_to_a_host_that_the_settings_do_not_name() {
    let (system, files) = (listening().await, listening().await);
    let credentials = Credentials::new().api_key("gateKey", ApiKeyPlace::Header, "x-key", "s3cr3t");
    let client = HttpClient::new(&handle(system.settings()), credentials.clone()).unwrap();
    let refused = client.call::<Files>(&own(&files, &system), None).await.unwrap_err();
    assert!(matches!(&refused, ClientError::NotSent(_)), "{refused}");
    assert!(refused.to_string().contains("no credentials are sent to 127.0.0.1"), "{refused}");

    let mut settings = system.settings();
    let base_url = Some(format!("http://{}/named", files.address).parse().unwrap());
    settings.operations.insert("files".to_owned(), OperationSettings { base_url, ..OperationSettings::default() });
    let client = HttpClient::new(&handle(settings), credentials).unwrap();
    client.call::<Files>(&own(&files, &system), None).await.unwrap();
    let arrivals = files.arrivals();
    assert_eq!((arrivals.len(), system.count()), (1, 0));
    assert_eq!(arrivals[0].line, "GET /named/files HTTP/1.1");
    assert_eq!(arrivals[0].header("x-key"), Some("s3cr3t"));
}

#[tokio::test]
async fn a_base_url_of_ones_own_is_for_every_operation() {
    let (system, files) = (listening().await, listening().await);
    let mut settings = system.settings();
    settings.base_url.set_path("/sandbox");
    let credentials = Credentials::new().api_key("gateKey", ApiKeyPlace::Header, "x-key", "s3cr3t");
    let client = HttpClient::new(&handle(settings), credentials).unwrap();
    let request = own(&files, &system);
    client.call::<Files>(&request, None).await.unwrap();
    assert_eq!(client.url::<Files>(&request, None).unwrap().path(), "/sandbox/files");
    assert_eq!((files.count(), system.count()), (0, 1));
}
