//! The table of the page on proofs: what the rows say, for people. `BLESS=1` writes it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::expected::ATTEMPTS;
use super::rows::{self, Again, Row, Vote};

const BEGIN: &str = "<!-- faults: written by the test `matrix::page`, with BLESS=1 -->\n";
const END: &str = "<!-- end of faults -->";

#[test]
fn the_page_on_proofs_shows_every_fault() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs/proofs.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (shown, after) = rest.split_once(END).unwrap();
    let table = table();
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
    } else {
        assert!(shown == table, "docs/proofs.md shows another table: run this test with BLESS=1");
    }
}

fn table() -> String {
    let mut table = String::from(
        "\n| the system | the caller hears | the request | read, keyed | once | breaker |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for row in rows::all() {
        let (heard, delivery) = row.heard.split_once("; ").unwrap_or(("the outcome", "Answered"));
        let (repeated, once) = arrivals(&row);
        let delivery = match delivery {
            "NotSent" => "was not sent",
            "MaybeSent" => "may have arrived",
            _ => "was answered",
        };
        let vote = match row.vote {
            _ if row.again == Again::Harmless => "success",
            Vote::Success => "success",
            Vote::Failure => "failure",
            Vote::None => "ignored",
        };
        writeln!(table, "| {} | {heard} | {delivery} | {repeated} | {once} | {vote} |", row.name).unwrap();
    }
    table.push('\n');
    table
}

/// What arrives of a call that may be repeated, and of one that may not.
fn arrivals(row: &Row) -> (String, &'static str) {
    let repeated = match (row.again, row.arrives) {
        (Again::ToTheEnd, true) => format!("{ATTEMPTS} arrive"),
        (Again::ToTheEnd, false) => format!("{ATTEMPTS} tries, 0 arrive"),
        (Again::ThenFine, _) => "2 arrive, the second is fine".to_owned(),
        (Again::Never | Again::Harmless, _) => "1 arrives".to_owned(),
    };
    (repeated, if row.arrives { "1 arrives" } else { "1 try, 0 arrive" })
}
