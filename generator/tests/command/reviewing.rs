//! `plan --format html`: the page that a reviewer opens.

use std::path::Path;
use std::process::Command;

use crate::sandbox::Sandbox;

/// The page without its style and script, which are files of their own, and without their hashes.
fn bare(page: &str) -> String {
    let mut page = page.to_owned();
    for (open, close) in [("<style>", "</style>"), ("<script>", "</script>"), ("'sha256-", "'"), ("'sha256-", "'")] {
        let (before, rest) = page.split_once(open).unwrap();
        let after = rest.split_once(close).unwrap().1;
        page = format!("{before}{}…{close}{after}", open.replace("'sha256-", "'sha…"));
    }
    page.replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

fn page(sandbox: &Sandbox, more: &[&str]) -> String {
    sandbox.run(&[&["plan", "--format", "html"], more].concat()).well().out
}

#[test]
fn a_page_says_of_every_operation_what_protects_it_and_how_long_it_may_take() {
    let sandbox = Sandbox::project();
    let shown = page(&sandbox, &["--deadline", "40s"]);
    well_formed(&shown);
    insta::assert_snapshot!(bare(&shown));
    assert_eq!(shown, page(&sandbox, &["--deadline", "40s"]), "not the same twice");
}

#[test]
fn it_is_written_to_a_file_and_then_left_alone() {
    let sandbox = Sandbox::project();
    let arguments = ["plan", "--format", "html", "--out", "plan.html"];
    assert_eq!(sandbox.run(&arguments).well().out, "written plan.html\n");
    assert_eq!(sandbox.run(&arguments).well().out, "unchanged plan.html\n");
    assert_eq!(sandbox.read("plan.html"), page(&sandbox, &[]));
    sandbox.run(&["plan", "--deadline", "5s"]).usage();
    sandbox.run(&["plan", "--format", "html", "--deadline", "soon"]).usage();
}

#[test]
fn what_the_settings_say_is_on_it() {
    let sandbox = Sandbox::project();
    sandbox.replace("cofferdam.toml", "out =", "settings = \"resilience.yaml\"\nout =");
    sandbox.write(
        "resilience.yaml",
        "systems:\n  payments:\n    base-url: http://p.example\n    order: breaker-outside\n    \
         rate-limit: {limit: 7, period: 1s, max-wait: 500ms}\n    breaker: {half-open-verdict: rate, \
         wait-multiplier-in-open-state: 2}\n  stock:\n    profile: supplier\n    base-url: http://s.example\n    \
         breaker: {enabled: false, reason: a test}\n",
    );
    let shown = page(&sandbox, &[]);
    well_formed(&shown);
    for text in [
        "settings <code>resilience.yaml</code>",
        "<li>circuit-breaker</li><li>retry</li><li>rate-limit</li><li>time-limit</li><li>bulkhead</li>",
        "7 attempts in 1 s; waits up to 500 ms",
        "wait for the quota",
        "2 times as long with each opening in a row, at most 5 min",
        "of 3 permitted calls, both rates stay below",
        "Turned off: every call passes",
    ] {
        assert!(shown.contains(text), "{text:?} is missing");
    }
}

/// A document may say anything; on the page it is text.
#[test]
fn hostile_text_of_a_document_stays_text() {
    let sandbox = Sandbox::project();
    let hostile = "</style></script><script>alert(1)</script><img src=x onerror=alert(2)>\\\"'&amp;<!--";
    for (from, to) in [
        ("title: Payments", format!("title: \"{hostile}\"")),
        (
            "operationId: cancelPayment\n",
            format!("operationId: \"{hostile}\"\n      summary: \"{hostile}\"\n      tags: [\"{hostile}\"]\n"),
        ),
        ("operationId: pay\n", format!("operationId: pay\n      summary: \"{hostile}\"\n")),
    ] {
        sandbox.replace("specs/payments.yaml", from, &to);
    }
    let shown = page(&sandbox, &[]);
    well_formed(&shown);
    assert!(shown.contains("alert(1)"), "the text is not shown at all");
    let bare = bare(&shown);
    assert_eq!(bare.matches("<script").count(), 1, "{bare}");
    for never in ["<img", "<!--", "</style></script>", "style=\"", "javascript:", "onerror=alert(2)>"] {
        assert!(!bare.contains(never), "{never:?} got through");
    }
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let shown = page(&Sandbox::project(), &[]);
    let policy = "default-src 'none'; style-src 'sha256-";
    assert!(shown.contains(policy), "no content security policy");
    for never in ["http://", "https://", "url(h", "@import", " src=", "<link", " style=", " onclick"] {
        assert!(!shown.contains(never), "{never:?} is on the page");
    }
    // The keyboard goes through it as it is read, and shows where it is.
    assert_eq!(shown.matches("tabindex=").count(), shown.matches("tabindex=\"-1\"").count());
    assert!(
        shown.contains(":focus-visible { outline: 3px")
            && !shown.contains("outline: 0")
            && !shown.contains("outline: none")
    );
}

/// Every element is closed, in its order; every link within the page leads somewhere; no id stands twice.
#[track_caller]
fn well_formed(page: &str) {
    const VOID: [&str; 4] = ["meta", "input", "br", "link"];
    let mut open: Vec<&str> = Vec::new();
    let (mut ids, mut links) = (Vec::new(), Vec::new());
    let mut rest = page.strip_prefix("<!doctype html>\n").expect("a doctype");
    while let Some(at) = rest.find('<') {
        assert!(
            !rest[..at].contains('>') || matches!(open.last(), Some(&"style" | &"script")),
            "a stray > in {}",
            &rest[..at]
        );
        rest = &rest[at + 1..];
        let end = rest.find('>').expect("a tag ends");
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric()) && !name.is_empty(), "<{tag}>");
        for attribute in tag.split(' ').filter_map(|part| part.split_once('=')) {
            let value = attribute.1.trim_end_matches('/').trim_matches('"');
            match attribute.0 {
                "id" => ids.push(value),
                "href" => links.push(value.strip_prefix('#').expect("a link within the page")),
                "aria-labelledby" => links.push(value),
                _ => {}
            }
        }
        if matches!(name, "style" | "script") {
            let close = format!("</{name}>");
            rest = &rest[rest.find(&close).expect("it ends") + close.len()..];
        } else if !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<&str>::new());
    let mut once = ids.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), ids.len(), "an id stands twice");
    for link in links {
        assert!(ids.contains(&link), "#{link} leads nowhere");
    }
}

/// A browser's own opinion, where Chromium is installed: no complaint on its console, nothing wider than a phone, and the
/// filter works.
#[test]
fn a_browser_shows_it_without_complaint() {
    if Command::new("chromium").arg("--version").output().is_err() {
        eprintln!("skipped: chromium is not installed (Debian: package `chromium`)");
        return;
    }
    let sandbox = Sandbox::project();
    let shown = page(&sandbox, &["--deadline", "40s"]).replace("<details", "<details open");
    // The page in a frame as wide as a phone, asked from outside of it: its own policy lets no other script in.
    let quoted = serde_json::to_string(&shown).unwrap().replace("</", "<\\/");
    sandbox.write(
        "frame.html",
        &format!(
            "<!doctype html><body><iframe id=f width=390 height=800></iframe><pre id=out>nothing</pre><script>\
             const f = document.getElementById('f'); f.onload = () => {{ const d = f.contentDocument; \
             const wide = [...d.querySelectorAll('body *')].filter(e => !e.closest('.defs, .scroll') && \
             e.getBoundingClientRect().right > 391).map(e => e.tagName); \
             const box = d.getElementById('filter'); box.value = 'level'; box.dispatchEvent(new f.contentWindow.Event('input')); \
             setTimeout(() => {{ document.getElementById('out').textContent = JSON.stringify({{ \
             narrow: d.documentElement.scrollWidth <= d.documentElement.clientWidth, wide, font: f.contentWindow.getComputedStyle(d.querySelector('h1')).fontWeight, \
             shown: d.getElementById('shown').textContent }}); }}, 400); }}; f.srcdoc = {quoted};</script>"
        ),
    );
    let output = Command::new("timeout")
        .args([
            "120",
            "chromium",
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--enable-logging=stderr",
            "--dump-dom",
        ])
        .args(["--virtual-time-budget=3000", "--window-size=800,900"])
        .arg(format!("--user-data-dir={}", sandbox.path("profile").display()))
        .arg(file_url(&sandbox.path("frame.html")))
        .output()
        .unwrap();
    let (dom, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let told = dom.split_once("<pre id=\"out\">").and_then(|(_, rest)| rest.split_once("</pre>")).map(|(told, _)| told);
    let wanted = r#"{"narrow":true,"wide":[],"font":"650","shown":"1 of 4 operations"}"#;
    assert_eq!(told, Some(wanted), "{log}");
    let complaints: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

fn file_url(path: &Path) -> String {
    format!("file://{}", path.display())
}
