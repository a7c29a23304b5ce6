//! Messages about the project file and the settings.

use super::{Message, error, note, told, warning};

pub(super) const MESSAGES: &[Message] = &[
    error(
        "CD-PROJECT-KEY",
        "The project file has a key that is not known.",
        "[systems.pay]\nspek = \"pay.yaml\"",
        "Correct the spelling (the nearest key is told); docs/project-file.md has them all.",
    ),
    error(
        "CD-PROJECT-MISSING",
        "The project file lacks something that has no default.",
        "[systems.pay]\nprofile = \"external\"      # no `spec`",
        "Add what the message names.",
    ),
    error(
        "CD-PROJECT-NAME",
        "A name that cannot be one: of a system (it becomes a folder, a module and a type), or of a credential.",
        "[systems.Pay!]",
        "Lower-case words of letters and digits, joined by `-` or `_`, the first a letter.",
    ),
    told(
        "CD-PROJECT-VALUE",
        "error, warning",
        "A value of the project file that its key cannot have: of another type, an unknown word, something said twice or in \
         contradiction.",
        "[systems.pay]\nspec = \"pay.yaml\"\nprofile = \"extern\"",
        "Write what the message asks for; docs/project-file.md explains every key.",
    ),
    error(
        "CD-DECLARED-TWICE",
        "One operation is declared twice in the project file, by its id and by its method and path.",
        "[systems.pay.operations.getRate]\n[systems.pay.operations.\"GET /rates\"]",
        "Say everything of the operation in one place.",
    ),
    error(
        "CD-DECLARED-UNKNOWN",
        "The project file declares something of an operation that the document does not have. A declaration without effect \
         would be a protection that nobody gets.",
        "[systems.pay.operations.getRat]",
        "Correct the id (the nearest is told), or remove the section when the operation is gone.",
    ),
    warning(
        "CD-DECLARED-UNUSED",
        "Something is declared of an operation that `select` does not choose.",
        "[systems.pay.select]\nids = [\"pay\"]\n[systems.pay.operations.getRate]",
        "Choose the operation too, or take the declaration out.",
    ),
    error(
        "CD-SELECT-ID",
        "`select.ids` names an operation that the document does not have.",
        "[systems.pay.select]\nids = [\"payy\"]",
        "Correct the id: the nearest is told.",
    ),
    error(
        "CD-SELECT-TAG",
        "`select.tags` names a tag that no operation has.",
        "[systems.pay.select]\ntags = [\"mony\"]",
        "Correct the tag: the nearest is told.",
    ),
    error(
        "CD-SELECT-PATH",
        "A pattern of `select.paths` matches no path of the document.",
        "[systems.pay.select]\npaths = [\"/payment/**\"]",
        "Correct it: `*` stands for text within a segment, `**` for any number of segments.",
    ),
    error(
        "CD-NAME-DECLARED",
        "A name declared in the project file cannot be given: what it is for is not in the document, or the name is taken.",
        "[systems.pay.names]\n\"/components/schemas/Ordr\" = \"Order\"",
        "Correct the pointer (the nearest is told), or choose another name.",
    ),
    error(
        "CD-PAGES",
        "The pages declared of an operation do not fit the document: a field or parameter is missing, or has a type that \
         cannot lead to the next page.",
        "pages = { items = \"data\", cursor = { from = \"nxt\", to = \"after\" } }",
        "Name fields of the reply and parameters of the operation as the document has them.",
    ),
    error(
        "CD-TYPE-MAPPING",
        "A type of your own is mapped to a schema or property that the document does not have, or where it cannot stand.",
        "[systems.pay.types.schemas]\nMoneyy = \"rust_decimal::Decimal\"",
        "Correct the name, or the place.",
    ),
    note(
        "CD-KEY-UNDOCUMENTED",
        "An idempotency key is declared for a header or query parameter that the document does not mention. It is sent as \
         declared; whether the system heeds it is your knowledge.",
        "idempotency-key = { header = \"Idempotency-Key\" }",
        "Make sure that the system honours the key: on that rests that the call may be repeated (R-RES-RE-1).",
    ),
    warning(
        "CD-PROFILE-DIFFERS",
        "Project file and settings name different profiles for a system. The settings decide at run time.",
        "cofferdam.toml: profile = \"supplier\"\nresilience.yaml: profile: external",
        "Say the same in both.",
    ),
    error(
        "CD-SETTINGS-FILE",
        "The file of settings cannot be read.",
        "settings = \"resilience.yaml\"      # in another encoding, or without permission",
        "Save it as UTF-8, and allow this user to read it.",
    ),
    error(
        "CD-SETTINGS-YAML",
        "The settings are no YAML that can be read: a fault of its syntax, a key twice, or a form of YAML that settings do \
         not use.",
        "systems:\n\tpay: {}            # a tab",
        "Mend the text at the place that is shown, or above it.",
    ),
    error(
        "CD-SETTINGS-KEY",
        "The settings have a key that is not known. A misspelt limit would be a limit that does not hold.",
        "systems:\n  pay: {timeouts: {conect: 2s}}",
        "Correct the spelling (the nearest key is told); docs/settings.md has them all.",
    ),
    error(
        "CD-SETTINGS-VALUE",
        "A value of the settings that its key cannot have: of another type, without a unit, out of range.",
        "timeouts: {read: 30}      # 30 of what?",
        "Write what the message asks for, such as `30s`; docs/settings.md explains every key.",
    ),
    error(
        "CD-SETTINGS-MISSING",
        "The settings lack something that has no default: a system, or its base URL.",
        "systems: {}",
        "Add the section of the system: `systems: {NAME: {base-url: https://…}}`.",
    ),
    error(
        "CD-SETTINGS-OPERATION",
        "The settings have a section for an operation that the document does not have.",
        "systems:\n  pay:\n    operations: {getRat: {…}}",
        "Correct the id: the nearest is told.",
    ),
];
