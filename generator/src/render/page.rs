//! The plan as a page: one file that needs nothing else, and that runs and loads nothing but itself.

use askama::Template;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::view::plan_page::PlanPage;

const STYLE: &str = include_str!("../../../templates/report/plan.css");
const SCRIPT: &str = include_str!("../../../templates/report/plan.js");

#[derive(Template)]
#[template(path = "report/plan.html.jinja", escape = "html")]
struct Page<'a> {
    view: &'a PlanPage,
    style: &'a str,
    script: &'a str,
    style_hash: String,
    script_hash: String,
}

/// The page. Its content security policy admits its own style and script, and nothing else: text of a document that
/// got past the escaping could still do nothing.
///
/// # Errors
/// Never: writing text to memory does not fail.
pub fn plan_page(view: &PlanPage) -> Result<String, askama::Error> {
    let page = Page { view, style: STYLE, script: SCRIPT, style_hash: hash(STYLE), script_hash: hash(SCRIPT) };
    page.render().map(|text| text + "\n")
}

/// As a content security policy names what it admits.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}
