use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use elsa::FrozenVec;
use serde_json::Value;

use super::{Node, anchors::Anchors, findings::Findings, pointer};
use crate::diagnose::{Query, Target, locate, nearest};
use crate::load::Sources;
use crate::model::Origin;

/// The files of a run while they are lowered: parts are opened when a reference first leads to them, and values
/// already handed out stay borrowed meanwhile.
pub(crate) struct Documents {
    sources: RefCell<Sources>,
    values: FrozenVec<Box<Value>>,
    /// What a relative path of a file leads to; `None`: it could not be opened, and that was told.
    opened: RefCell<HashMap<(usize, String), Option<usize>>>,
    anchors: RefCell<HashMap<usize, Rc<Anchors>>>,
}

impl Documents {
    /// Takes the sources; [`Documents::give_back`] returns them.
    pub(crate) fn new(mut sources: Sources) -> Self {
        let values = FrozenVec::new();
        for file in &mut sources.files {
            values.push(Box::new(std::mem::take(&mut file.value)));
        }
        Self { sources: RefCell::new(sources), values, opened: RefCell::default(), anchors: RefCell::default() }
    }

    /// The sources, with the parts that were opened.
    pub(crate) fn give_back(self) -> Sources {
        let mut sources = self.sources.into_inner();
        for (file, value) in sources.files.iter_mut().zip(self.values.into_vec()) {
            file.value = *value;
        }
        sources
    }

    /// The root document.
    pub(crate) fn root(&self) -> Option<Node<'_>> {
        self.values.get(0).map(|value| Node::new(0, "", value))
    }

    /// What stands at a place that is known to exist.
    pub(crate) fn at(&self, origin: &Origin) -> Option<Node<'_>> {
        let mut node = Node::new(origin.file, "", self.values.get(origin.file)?);
        for segment in pointer::segments(&origin.pointer) {
            node = node.raw(&segment)?;
        }
        Some(node)
    }

    /// The path of a file as messages show it.
    pub(crate) fn display(&self, file: usize) -> String {
        self.sources.borrow().files.get(file).map(|file| file.display.clone()).unwrap_or_default()
    }

    /// Where a place is written: what an overlay put into the root document stands in the overlay's file.
    pub(crate) fn written(&self, place: &Origin) -> Origin {
        self.sources.borrow().find(place).origin.unwrap_or_else(|| place.clone())
    }

    /// The files and lines where some places are written. The files are read again for it: only to be asked for when
    /// there is a fault to tell.
    pub(crate) fn lines(&self, places: &[Origin]) -> Vec<Option<(usize, usize)>> {
        let places: Vec<Origin> = places.iter().map(|place| self.written(place)).collect();
        let sources = self.sources.borrow();
        let mut lines = vec![None; places.len()];
        for (index, file) in sources.files.iter().enumerate() {
            let here: Vec<usize> =
                (0..places.len()).filter(|at| places.get(*at).is_some_and(|o| o.file == index)).collect();
            if here.is_empty() {
                continue;
            }
            let Ok(text) = std::fs::read_to_string(&file.path) else { continue };
            let pointers = here.iter().filter_map(|at| places.get(*at)).map(|origin| origin.pointer.as_str());
            let queries: Vec<_> = pointers.map(|pointer| Query { pointer, target: Target::Value }).collect();
            for (at, position) in here.iter().zip(locate(&text, &queries)) {
                if let Some(line) = lines.get_mut(*at) {
                    *line = position.map(|position| (index, position.line));
                }
            }
        }
        lines
    }

    /// What a reference written at `at` leads to, one step. Faults are told at `at`.
    pub(crate) fn resolve(&self, reference: &str, at: &Origin, findings: &mut Findings<'_>) -> Option<Node<'_>> {
        let (path, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let (file, base) = if path.is_empty() {
            (at.file, String::new())
        } else {
            match self.by_id(path, at.file) {
                Some(base) => (at.file, base),
                None => (self.open(path, at, findings)?, String::new()),
            }
        };
        let fragment = pointer::percent_decode(fragment);
        if fragment.is_empty() || fragment.starts_with('/') {
            self.follow(file, &format!("{base}{fragment}"), reference, at, findings)
        } else {
            let anchors = self.anchors_of(file)?;
            match anchors.anchor(&fragment) {
                Some(found) => self.follow(file, found, reference, at, findings),
                None => {
                    let help = did_you_mean(&fragment, anchors.names()).unwrap_or_default();
                    let message = format!("`{reference}` points to nothing: no `$anchor` is named `{fragment}`");
                    findings.error("CD-REF-MISSING", at, message, help);
                    None
                }
            }
        }
    }

    /// Follows a node's `$ref` until there is none. The node itself when it has none; `None` when it leads nowhere,
    /// which was told.
    pub(crate) fn peel<'d>(&'d self, node: &Node<'d>, findings: &mut Findings<'_>) -> Option<Node<'d>> {
        let mut current = node.clone();
        let mut seen = HashSet::new();
        while let Some(Value::String(reference)) = current.value.get("$ref") {
            if !seen.insert(current.origin.clone()) {
                let message = format!("the reference `{reference}` leads back to itself");
                findings.error("CD-REF-LOOP", &node.at("$ref"), message, "refer to the thing itself");
                return None;
            }
            current = self.resolve(reference, &current.at("$ref"), findings)?;
        }
        Some(current)
    }

    fn by_id(&self, path: &str, file: usize) -> Option<String> {
        self.anchors_of(file)?.id(path).map(str::to_owned)
    }

    fn anchors_of(&self, file: usize) -> Option<Rc<Anchors>> {
        if let Some(known) = self.anchors.borrow().get(&file) {
            return Some(Rc::clone(known));
        }
        let anchors = Rc::new(Anchors::collect(self.values.get(file)?));
        self.anchors.borrow_mut().insert(file, Rc::clone(&anchors));
        Some(anchors)
    }

    fn open(&self, path: &str, at: &Origin, findings: &mut Findings<'_>) -> Option<usize> {
        let key = (at.file, path.to_owned());
        if let Some(known) = self.opened.borrow().get(&key) {
            return *known;
        }
        let mut sources = self.sources.borrow_mut();
        let index = sources.open_part(at.file, &pointer::percent_decode(path), at, findings.report());
        for file in sources.files.iter_mut().skip(self.values.len()) {
            self.values.push(Box::new(std::mem::take(&mut file.value)));
        }
        self.opened.borrow_mut().insert(key, index);
        index
    }

    /// Walks a pointer. A reference met on the way is followed, so that a pointer may lead through one.
    fn follow(
        &self,
        file: usize,
        path: &str,
        reference: &str,
        at: &Origin,
        findings: &mut Findings<'_>,
    ) -> Option<Node<'_>> {
        let mut node = Node::new(file, "", self.values.get(file)?);
        let mut seen = HashSet::new();
        for segment in pointer::segments(path) {
            let next = loop {
                if let Some(next) = node.raw(&segment) {
                    break next;
                }
                match self.through(&node, at, &mut seen, findings)? {
                    Some(target) => node = target,
                    None => {
                        self.missing(&node, &segment, reference, at, findings);
                        return None;
                    }
                }
            };
            node = next;
        }
        Some(node)
    }

    /// The target of a reference that stands in the way, by its plain pointer; the outer `None` is a fault already told.
    fn through<'d>(
        &'d self,
        node: &Node<'d>,
        at: &Origin,
        seen: &mut HashSet<Origin>,
        findings: &mut Findings<'_>,
    ) -> Option<Option<Node<'d>>> {
        let Some(reference) = node.value.get("$ref").and_then(Value::as_str) else { return Some(None) };
        if node.at("$ref") == *at || !seen.insert(node.origin.clone()) {
            findings.error("CD-REF-LOOP", at, "the reference leads through itself", "refer to the thing itself");
            return None;
        }
        let (path, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let file = if path.is_empty() { node.origin.file } else { self.open(path, &node.at("$ref"), findings)? };
        let mut target = Node::new(file, "", self.values.get(file)?);
        for segment in pointer::segments(&pointer::percent_decode(fragment)) {
            match target.raw(&segment) {
                Some(next) => target = next,
                None => {
                    self.missing(&target, &segment, reference, at, findings);
                    return None;
                }
            }
        }
        Some(Some(target))
    }

    fn missing(&self, node: &Node<'_>, segment: &str, reference: &str, at: &Origin, findings: &mut Findings<'_>) {
        let holder = match node.origin.pointer.as_str() {
            "" => self.display(node.origin.file),
            pointer => format!("`{pointer}`"),
        };
        let known = node.value.as_object().into_iter().flat_map(|map| map.keys().map(String::as_str));
        let help = did_you_mean(segment, known).unwrap_or_default();
        let message = format!("`{reference}` points to nothing: {holder} has no `{segment}`");
        findings.error("CD-REF-MISSING", at, message, help);
    }
}

/// Help that names the nearest of the known names, when one is near.
pub(crate) fn did_you_mean<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    nearest(name, known).map(|near| format!("did you mean `{near}`?"))
}
