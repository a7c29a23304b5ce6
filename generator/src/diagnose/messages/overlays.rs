//! Messages about overlays.

use super::{Message, error, told};

pub(super) const MESSAGES: &[Message] = &[
    told(
        "CD-OVERLAY-VERSION",
        "error, warning, note",
        "The file does not say that it is an overlay, says a version that is not known, or uses what another version has.",
        "info: {title: Ours, version: \"1\"}\nactions: []      # no `overlay: 1.1.0`",
        "Begin the file with `overlay: 1.1.0`.",
    ),
    error(
        "CD-OVERLAY-KEY",
        "A key that overlays do not have.",
        "- target: $.info\n  updates: {title: Pets}",
        "Correct the spelling (the nearest key is told), or name it `x-…` if it is an extension.",
    ),
    error(
        "CD-OVERLAY-MISSING",
        "An overlay or action lacks something: `info`, its title or version, `actions`, or a `target`.",
        "actions:\n  - update: {title: Pets}",
        "Add what the message names.",
    ),
    told(
        "CD-OVERLAY-VALUE",
        "error, warning",
        "A value of an overlay has the wrong type.",
        "actions: {target: $.info}      # a list is expected",
        "Write what is expected at the place that is shown.",
    ),
    told(
        "CD-OVERLAY-TARGET",
        "error, warning",
        "The JSONPath of an action cannot be read (an error), or selects nothing of the document (a warning that shows how \
         far it leads).",
        "- target: $.paths['/pet'].get\n  remove: true",
        "Correct it. A vendor's new version may have removed what it selected: then the action is no longer needed.",
    ),
    told(
        "CD-OVERLAY-ACTION",
        "error, warning",
        "An action that does nothing, the same thing twice, or contradicts itself.",
        "- target: $.info\n  update: {title: Pets}\n  copy: $.x",
        "Give each change an action of its own.",
    ),
    error(
        "CD-OVERLAY-MERGE",
        "What an action puts in does not fit what stands there: an object into a list, a list into a text.",
        "- target: $.tags\n  update: {name: pets}      # `tags` is a list: its new element is meant",
        "Remove what stands there by an action before, or write the kind that fits.",
    ),
    error(
        "CD-OVERLAY-SIZE",
        "With this action the document would grow beyond all measure (by more than 64 MiB).",
        "- target: $..*\n  copy: $.paths",
        "Select fewer places, or copy less.",
    ),
    told(
        "CD-OVERLAY-EXTENDS",
        "warning, note",
        "The overlay says that it is meant for another document than the one it is applied to.",
        "extends: other.yaml",
        "Correct `extends`, or remove it.",
    ),
];
