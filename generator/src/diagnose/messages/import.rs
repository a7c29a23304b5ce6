//! Messages about the settings of a Spring service that are imported.

use super::{Message, error, note, told, warning};

pub(super) const MESSAGES: &[Message] = &[
    error(
        "CD-IMPORT-FILE",
        "A file of the service's settings is neither YAML nor properties that can be read.",
        "resilience4j:\n\tretry: {}            # a tab",
        "Mend the text at the place that is shown.",
    ),
    error(
        "CD-IMPORT-EMPTY",
        "The settings of the service have neither instances of Resilience4j nor clients.",
        "spring: {application: {name: shop}}",
        "Name the file that has them, or the place of the clients by `--clients PREFIX`.",
    ),
    warning(
        "CD-IMPORT-KEY",
        "A section or property that Resilience4j does not have, so that it has no effect in the service either.",
        "resilience4j: {retyr: {instances: {pay: {maxAttempts: 3}}}}",
        "Correct it in the service's settings, if it was meant to have an effect.",
    ),
    note(
        "CD-IMPORT-NAME",
        "A system is called otherwise, since its name there cannot be the name of a system.",
        "instances: {paymentGateway_V2: {…}}",
        "Use the new name in the project file.",
    ),
    note(
        "CD-IMPORT-NONE",
        "A property that has no counterpart. The message says what there is instead.",
        "eventConsumerBufferSize: 10",
        "Nothing needs to be done, unless something depends on it.",
    ),
    told(
        "CD-IMPORT-ORDER",
        "warning, note",
        "What the numbers of the aspects' order mean, as nesting. Equal numbers mean nothing, which is a warning.",
        "retryAspectOrder: 2\ncircuitBreakerAspectOrder: 1",
        "Check that `order` in the settings is what is meant.",
    ),
    warning(
        "CD-IMPORT-ORDER-COMMENT",
        "A comment beside the number of an aspect's order says the contrary of what the number means.",
        "retryAspectOrder: 1      # inner",
        "The number was followed, as the service does. Change `order` where the comment is what is meant.",
    ),
    told(
        "CD-IMPORT-PLACEHOLDER",
        "warning, note",
        "A value is a placeholder. Its default is taken; one without a default is left out, with a warning.",
        "maxAttempts: ${PAY_ATTEMPTS:3}",
        "Set the value, or the variable that goes before it: `COFFERDAM__PAY__RETRY__MAX_ATTEMPTS`.",
    ),
    note(
        "CD-IMPORT-PRESET",
        "What the service does not say is by the presets here, which differ from Resilience4j's defaults.",
        "instances: {pay: {maxAttempts: 3}}      # and no wait",
        "Say it where the service's value is meant.",
    ),
    note(
        "CD-IMPORT-PROFILE",
        "A part of the settings holds for a Spring profile that was not chosen. It is left out.",
        "spring: {config: {activate: {on-profile: prod}}}",
        "Name the profile that is meant: `--spring-profile prod`.",
    ),
    warning(
        "CD-IMPORT-VALUE",
        "A value that cannot be taken over as it is.",
        "waitDuration: soon",
        "Write the value into the settings by hand.",
    ),
];
