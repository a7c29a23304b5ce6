//! `cofferdam explain`: what a code means, and what to do.

use clap::{Args, ValueEnum};
use cofferdam::diagnose::messages::{self, Explained};
use cofferdam::rules;

use super::{Ended, output};

#[derive(Debug, Clone, Args)]
pub(super) struct ExplainArguments {
    /// The codes, as messages show them: `CD-REF-MISSING`, `R-RES-RE-1`; their beginning may be left out
    #[arg(value_name = "CODE", required_unless_present = "list")]
    code: Vec<String>,
    /// Every code there is, with the first sentence of what it means
    #[arg(long, conflicts_with = "code")]
    list: bool,
    /// How to print them
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text)]
    format: ExplainFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExplainFormat {
    /// Text for people
    Text,
    /// JSON for programs
    Json,
}

pub(super) fn run(arguments: &ExplainArguments) -> Ended {
    if arguments.list {
        return list(arguments.format);
    }
    let mut found = Vec::new();
    let mut ended = Ended::Well;
    for code in &arguments.code {
        match messages::find(code) {
            Ok(explained) => found.push(explained),
            Err(near) => {
                let help = match near {
                    Some(near) => format!("`{near}` is meant?"),
                    None => "`cofferdam explain --list` prints all codes".to_owned(),
                };
                output::fault("CD-COMMAND", None, format!("there is no code `{code}`"), &help);
                ended = Ended::Faults;
            }
        }
    }
    if ended == Ended::Well {
        match arguments.format {
            ExplainFormat::Text => output::text(&found.iter().map(messages::explain).collect::<Vec<_>>().join("\n")),
            ExplainFormat::Json => output::line(&format!("{:#}", messages::json(&found))),
        }
    }
    ended
}

fn list(format: ExplainFormat) -> Ended {
    let rules = rules::all().map(|rule| (rule.code, rule.rule));
    let all: Vec<(&str, &str)> = messages::all().map(|message| (message.code, message.means)).chain(rules).collect();
    match format {
        ExplainFormat::Text => {
            let width = all.iter().map(|(code, _)| code.len()).max().unwrap_or_default();
            all.iter().for_each(|(code, means)| output::line(&format!("{code:width$}  {}", first_sentence(means))));
        }
        ExplainFormat::Json => {
            let explained: Vec<Explained> = all.iter().filter_map(|(code, _)| messages::find(code).ok()).collect();
            output::line(&format!("{:#}", messages::json(&explained)));
        }
    }
    Ended::Well
}

fn first_sentence(text: &str) -> &str {
    text.find(". ").and_then(|end| text.get(..=end)).unwrap_or(text)
}
