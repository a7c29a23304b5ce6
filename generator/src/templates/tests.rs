//! Filters are one and the same in both engines, and harmless on hostile texts.

use askama::Template;
use minijinja::context;

use super::filters;

#[derive(Template)]
#[template(
    source = "{{ text|snake }}\n{{ text|camel }}\n{{ text|pascal }}\n{{ text|kebab }}\n{{ text|shouty }}\n{{ text|ident }}\n{{ text|rust_string }}\n{{ text|doc }}\n{{ text|md }}\n{{ 7|snake }}",
    ext = "txt",
    escape = "none"
)]
struct All<'t> {
    text: &'t str,
}

const SOURCE: &str = "{{ text|snake }}\n{{ text|camel }}\n{{ text|pascal }}\n{{ text|kebab }}\n{{ text|shouty }}\n{{ text|ident }}\n{{ text|rust_string }}\n{{ text|doc }}\n{{ text|md }}\n{{ 7|snake }}";

const HOSTILE: [&str; 10] = [
    "registerOrder",
    "type",
    "self",
    "2nd_try",
    "",
    "*/ } fn evil() {} /*",
    "one\ntwo\r\nthree",
    "\"quoted\" \\ {{ view }}",
    "<script>|[x](javascript:1)",
    "\u{202e}zażółć 支払い",
];

#[test]
fn every_filter_is_the_same_in_both_engines() {
    let environment = super::bare_environment();
    for name in filters::NAMES {
        assert!(SOURCE.contains(&format!("|{name} ")), "{name} is not compared");
    }
    for text in HOSTILE {
        let interpreted = environment.render_str(SOURCE, context! { text }).unwrap();
        assert_eq!(All { text }.render().unwrap(), interpreted, "{text:?}");
    }
}

fn filtered(filter: &str, text: &str) -> String {
    super::bare_environment().render_str(&format!("{{{{ text|{filter} }}}}"), context! { text }).unwrap()
}

#[test]
fn what_is_made_of_a_hostile_text_is_what_it_says() {
    for text in HOSTILE {
        let ident = filtered("ident", text);
        assert!(syn::parse_str::<syn::Ident>(&ident).is_ok(), "{text:?}: {ident}");
        let literal: syn::LitStr = syn::parse_str(&filtered("rust_string", text)).unwrap();
        assert_eq!(literal.value(), text);
        let doc = filtered("doc", text);
        assert!(doc.lines().all(|line| line.starts_with("///")), "{text:?}: {doc}");
        assert!(syn::parse_file(&format!("{doc}\nstruct A;\n")).is_ok_and(|file| file.items.len() == 1), "{doc}");
        assert_eq!(filtered("md", text).lines().count(), usize::from(!text.is_empty()));
    }
    assert_eq!(filtered("md", "a|b *c*\n<d>"), "a\\|b \\*c\\* \\<d\\>");
    assert_eq!(filtered("ident", "type"), "r#type");
    assert_eq!(filtered("ident", "self"), "self_");
    assert_eq!(filtered("ident", "2nd_try"), "_2nd_try");
    assert_eq!(filtered("shouty", "registerOrder"), "REGISTER_ORDER");
}

#[test]
fn a_filter_of_nothing_is_an_error() {
    let environment = super::bare_environment();
    assert!(environment.render_str("{{ nowhere|snake }}", ()).is_err());
}
