//! Messages about a team's own templates.

use super::{Message, error, told, warning};

pub(super) const MESSAGES: &[Message] = &[
    error(
        "CD-TEMPLATE-FILE",
        "A folder of templates, or one in it, cannot be read.",
        "chmod 000 templates/points",
        "See that the user who runs the command may read it.",
    ),
    error(
        "CD-TEMPLATE-NAME",
        "A file stands where no built-in template is that it could override, or an extra template that is named is not there.",
        "templates/generated/adaptor.rs.jinja      # it is `adapter.rs.jinja`",
        "Correct the name (the nearest one is told); `cofferdam templates list` shows all. Templates for files of your own \
         stand in `own/`.",
    ),
    error(
        "CD-TEMPLATE-SYNTAX",
        "The template cannot be read.",
        "{% for operation in view.operations %}      {# and no `endfor` #}",
        "Correct what is shown; a merge by `templates upgrade` may have left marks of a conflict.",
    ),
    error(
        "CD-TEMPLATE-INCLUDE",
        "A template includes one that is not there.",
        "{% include \"own/pat.jinja\" %}",
        "Correct the name: it begins at the folder of templates.",
    ),
    error(
        "CD-TEMPLATE-RENDER",
        "A template could not be rendered for a system, which is named with the operation it was at.",
        "{{ operation.methd }}",
        "Correct the field or filter (the nearest one is told); `cofferdam templates context NAME` prints what a template sees.",
    ),
    error(
        "CD-TEMPLATE-FIELD",
        "A template names a field that no view has, in a branch that was not rendered. Told by `templates lint`.",
        "{% if view.is_never %}…{% endif %}",
        "Correct the name; `cofferdam templates context NAME` prints what a template sees.",
    ),
    error(
        "CD-TEMPLATE-RUST",
        "What a template gives for a Rust file is no Rust, or a line of the header is no comment.",
        "points/method-before.rs.jinja: audit({{ operation.id }});      # without `|rust_string`",
        "Correct the template at the item that is named.",
    ),
    error(
        "CD-TEMPLATE-PATH",
        "The path of a file of your own would leave its folder, or is that of another file.",
        "output = \"../{system}.md\"",
        "Write a relative path of plain names, with a word in braces for each thing there is one file for.",
    ),
    warning(
        "CD-TEMPLATE-STALE",
        "The built-in template has changed since it was ejected, or the file was ejected from another one.",
        "an override that was ejected by an earlier version",
        "`cofferdam templates diff NAME` shows how, `cofferdam templates upgrade NAME` merges it.",
    ),
    warning(
        "CD-TEMPLATE-UNUSED",
        "No extra output and no other template uses this one. Told by `templates lint`.",
        "templates/own/forgotten.jinja",
        "Name it in `extra-templates`, include it, or remove it.",
    ),
    told(
        "CD-TEMPLATE-STAMP",
        "note",
        "An override has no stamp of what it was ejected from, so nobody notices when the built-in one changes. Told by \
         `templates lint`.",
        "templates/stubs/port.rs.jinja, written by hand",
        "Eject the template anew and take your changes over, if you want to be told.",
    ),
];
