//! What a project file says of templates: folders of a team's own, and files beside those that every system has.

use std::path::{Path, PathBuf};

use super::section::{Reading, Section};
use super::{Declared, OutputPattern, Per};

/// The templates of a system, or of a project as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TemplateSettings {
    /// The folders, as paths that can be opened: a template is taken from the first one that has it.
    pub folders: Vec<Declared<PathBuf>>,
    /// The files beside those that every system has.
    pub extras: Vec<ExtraTemplate>,
}

impl TemplateSettings {
    /// Whether there is nothing but the built-in templates.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.folders.is_empty() && self.extras.is_empty()
    }
}

/// `[extra-templates.NAME]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtraTemplate {
    /// What it is called.
    pub name: String,
    /// The template, by its path below a folder of templates.
    pub template: Declared<String>,
    /// The files it makes.
    pub output: Declared<OutputPattern>,
    /// For each of what it makes one.
    pub per: Per,
}

/// `templates`
pub(super) fn folders(section: &Section<'_>, folder: &Path, reading: &mut Reading<'_>) -> Vec<Declared<PathBuf>> {
    let named = section.text_or_texts("templates", reading);
    named.into_iter().filter_map(|path| existing_folder(path, folder, reading)).collect()
}

fn existing_folder(path: Declared<String>, folder: &Path, reading: &mut Reading<'_>) -> Option<Declared<PathBuf>> {
    let value = folder.join(&path.value);
    let fault = if value.is_dir() {
        return Some(Declared { value, at: path.at });
    } else if value.exists() {
        "is a file, not a folder"
    } else {
        "does not exist"
    };
    let help = "name a folder of templates; `cofferdam templates eject NAME --to FOLDER` begins one";
    reading.error("CD-FILE-MISSING", &path.at, format!("{:?} {fault}", path.value), help);
    None
}

/// `[extra-templates.NAME]`; `words` are what there may be one for each of.
pub(super) fn extras(
    section: &Section<'_>,
    words: &[(&'static str, Per)],
    reading: &mut Reading<'_>,
) -> Vec<ExtraTemplate> {
    let Some(section) = section.section("extra-templates", reading) else { return Vec::new() };
    let entries = section.sections(reading);
    entries.into_iter().filter_map(|(name, section)| extra(name, &section, words, reading)).collect()
}

fn extra(
    name: String,
    section: &Section<'_>,
    words: &[(&'static str, Per)],
    reading: &mut Reading<'_>,
) -> Option<ExtraTemplate> {
    section.known_keys(&["template", "output", "per"], reading);
    let mut missing = false;
    for (key, example) in [("template", "own/page.md.jinja"), ("output", "page.md"), ("per", "system")] {
        if !section.contains(key) {
            missing = true;
            let help = format!("such as `{key} = {example:?}`");
            reading.error(
                "CD-PROJECT-MISSING",
                &section.at,
                format!("the extra template `{name}` has no `{key}`"),
                &help,
            );
        }
    }
    let template = section.text("template", reading);
    let output = section.text("output", reading);
    let per = section.word("per", words, reading);
    if missing {
        return None;
    }
    let (template, output, per) = (template?, output?, per?.value);
    match OutputPattern::parse(&output.value, per) {
        Ok(value) => Some(ExtraTemplate { name, template, output: Declared { value, at: output.at }, per }),
        Err((message, help)) => {
            reading.error("CD-TEMPLATE-PATH", &output.at, format!("{:?} {message}", output.value), &help);
            None
        }
    }
}
