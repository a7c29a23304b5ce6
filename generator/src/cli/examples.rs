//! What stands at the end of the `--help` of each command.

pub(super) const GENERATE: &str = "\
Examples:
  cofferdam generate
      The adapters of all systems of ./cofferdam.toml
  cofferdam generate --system payments --with-tests
      One of them, with its contract and resilience tests
  cofferdam generate --spec api.yaml --system pay --out src/pay --with-stubs
      The adapter of one document, without a project file
  cofferdam generate --force
      Take back generated files that were edited";

pub(super) const PLAN: &str = "\
Examples:
  cofferdam plan
      Every operation: its kind, its layers, its limits, and why
  cofferdam plan --spec api.yaml --system pay
      The same of a document that is in no project yet
  cofferdam plan --format json --samples > plan.json
      For programs, with a sample of every parameter and body";

pub(super) const STUBS: &str = "\
Examples:
  cofferdam stubs
      The mappings that are missing, over all systems
  cofferdam stubs --system payments --write src/integrations/payments/refunds.rs
      Those of one system, as a new module";

pub(super) const CHECK: &str = "\
Examples:
  cofferdam check
      In CI: fails on drift, on operations nobody maps, on warnings
  cofferdam check --allow CD-OPERATION-ID-NONE
      Puts up with warnings of this code
  cofferdam check --message-format sarif 2> cofferdam.sarif
      For code review";

pub(super) const DASHBOARDS: &str = "\
Examples:
  cofferdam dashboards --out ops/
      The dashboard and alert rules of all systems";

pub(super) const RULES: &str = "\
Examples:
  cofferdam rules
      All rules
  cofferdam rules RE-X1 TO-1
      Two of them";

pub(super) const EXPLAIN: &str = "\
Examples:
  cofferdam explain CD-REF-MISSING
      What a message means, an example, and what to do
  cofferdam explain re-x1
      A resilience rule
  cofferdam explain --list
      Every code there is";

pub(super) const COMPLETIONS: &str = "\
Examples:
  cofferdam completions bash > ~/.local/share/bash-completion/completions/cofferdam
  cofferdam completions zsh > \"${fpath[1]}/_cofferdam\"
  cofferdam completions fish > ~/.config/fish/completions/cofferdam.fish";

pub(super) const MAN: &str = "\
Examples:
  cofferdam man | man -l -
      Read the manual
  cofferdam man --out ~/.local/share/man/man1
      Install a page for every command";

pub(super) const INIT: &str = "\
Examples:
  cofferdam init specs/payments.yaml
      A section of cofferdam.toml and resilience.yaml, and the first run
  cofferdam init specs/payments.yaml --system pay
      Under another name than the document's";

pub(super) const DIFF: &str = "\
Examples:
  cofferdam diff --since main
      What the documents of the project do that are changed since
  cofferdam diff old.yaml new.yaml --format markdown
      Two files, as a comment for a pull request";

pub(super) const SETTINGS: &str = "\
Examples:
  cofferdam settings import application.yml
      Prints what a Spring service's settings are here
  cofferdam settings import application.yml --out resilience.yaml
      Writes them to a new file
  cofferdam settings show sber --operation registerOrder
      Every value that holds for an operation, and where it comes from";

pub(super) const TEMPLATES: &str = "\
Examples:
  cofferdam templates list
      What can be overridden, and what is
  cofferdam templates eject points/method-before.rs.jinja
      Begins a file that fills an insertion point
  cofferdam templates lint
      Renders all of them, and writes nothing";
