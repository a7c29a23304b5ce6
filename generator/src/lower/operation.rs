use super::context::Lowering;
use super::identity::Identities;
use super::place::Place;
use crate::model::{
    Body, Docs, Operation, Origin, Parameter, ParameterPlace, PathSegment, PathTemplate, SecurityScheme, Server, Style,
    TextFormat, Type, TypeUse,
};
use crate::project::OnDuplicate;
use crate::resolve::{Node, did_you_mean};

/// The methods that have a key of their own in a path item; `query` since 3.2.
pub(super) const METHODS: [&str; 9] = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/// What an operation may hold. Callbacks are read apart.
const OPERATION: [&str; 9] =
    ["operationId", "tags", "parameters", "requestBody", "responses", "callbacks", "deprecated", "security", "servers"];

/// What a path item gives to each of its operations.
struct Shared<'a> {
    path: PathTemplate,
    docs: Docs,
    parameters: Vec<Node<'a>>,
    servers: Vec<Server>,
}

impl<'a> Lowering<'a> {
    /// The operations of a path, in document order.
    pub(super) fn path_item(
        &mut self,
        path: &str,
        item: &Node<'a>,
        schemes: &[SecurityScheme],
        identities: &mut Identities,
        on_duplicate: OnDuplicate,
    ) -> Vec<Operation> {
        let Some(target) = self.documents.peel(item, &mut self.findings) else { return Vec::new() };
        let shared = Shared {
            path: self.path_template(path, &item.origin),
            docs: self.docs(&target),
            parameters: target.list("parameters", &mut self.findings),
            servers: self.servers(&target),
        };
        let mut operations = Vec::new();
        for (method, node) in self.methods(&target) {
            let identity = self.identify(&node, &method, path, identities, on_duplicate);
            let mut operation = self.operation(&node, &identity.id, &method, &shared);
            operation.id_derived = identity.derived;
            operation.security = self.security(&node, schemes);
            operations.push(operation);
        }
        operations
    }

    /// The operations a path item holds: method and node. What it holds besides is told when nobody knows it.
    pub(super) fn methods(&mut self, item: &Node<'a>) -> Vec<(String, Node<'a>)> {
        let mut methods = Vec::new();
        for (key, node) in item.members(&mut self.findings) {
            match key {
                _ if node.value.is_null() => {}
                _ if METHODS.contains(&key) => methods.push((key.to_uppercase(), node)),
                "additionalOperations" => {
                    methods.extend(
                        node.members(&mut self.findings).into_iter().map(|(method, node)| (method.to_owned(), node)),
                    );
                }
                "$ref" | "summary" | "description" | "servers" | "parameters" => {}
                _ if key.starts_with("x-") => {}
                _ if METHODS.contains(&key.to_lowercase().as_str()) => {
                    let message = format!("the method `{key}` is not in small letters: its operation would be lost");
                    let help = format!("write `{}`", key.to_lowercase());
                    self.findings.error("CD-UNKNOWN-KEYWORD", &node.origin, message, help);
                }
                _ => {
                    let message = format!("`{key}` is neither a method nor anything else a path has: it has no effect");
                    self.findings.count("CD-UNKNOWN-KEYWORD", &node.origin, message, "");
                }
            }
        }
        methods.retain(|(_, node)| node.object(&mut self.findings).is_some());
        methods
    }

    fn operation(&mut self, node: &Node<'a>, id: &str, method: &str, shared: &Shared<'a>) -> Operation {
        self.survey(node, "an operation", &OPERATION);
        let place = Place::of_operation(id);
        let mut docs = self.docs(node);
        if docs.summary.is_none() && docs.description.is_none() {
            docs.summary.clone_from(&shared.docs.summary);
            docs.description.clone_from(&shared.docs.description);
        }
        let own = node.list("parameters", &mut self.findings);
        let mut parameters = self.parameters(&shared.parameters, &own, &place);
        self.match_path(&shared.path, &mut parameters, node);
        let servers = self.servers(node);
        let mut responses = self.responses(node, &place);
        if method == "HEAD" && responses.iter().any(|response| !response.contents.is_empty()) {
            let message = "a reply to HEAD never has a body: its `content` is left out";
            self.findings.count("CD-BODY-NEVER", &node.at("responses"), message, "");
            responses.iter_mut().for_each(|response| response.contents.clear());
        }
        Operation {
            id: id.to_owned(),
            id_derived: false,
            method: method.to_owned(),
            path: shared.path.clone(),
            tags: node.texts("tags", &mut self.findings).into_iter().map(str::to_owned).collect(),
            docs,
            parameters,
            body: self.body(node, &place),
            responses,
            security: None,
            servers: if servers.is_empty() { shared.servers.clone() } else { servers },
            origin: node.origin.clone(),
        }
    }

    /// The parameters of a path item, overridden by the operation's own of the same name and place.
    fn parameters(&mut self, shared: &[Node<'a>], own: &[Node<'a>], place: &Place) -> Vec<Parameter> {
        let mut parameters: Vec<Parameter> = Vec::new();
        for (index, node) in shared.iter().chain(own).enumerate() {
            let Some(parameter) = self.parameter(node, place) else { continue };
            let same = |known: &&mut Parameter| known.name == parameter.name && known.place == parameter.place;
            match parameters.iter_mut().find(same) {
                Some(known) => {
                    if index < shared.len() || own.iter().any(|own| own.origin == known.origin) {
                        let message = format!("the parameter `{}` is listed twice: the last is used", parameter.name);
                        self.findings.warning("CD-PARAMETER-TWICE", &node.origin, message, "remove one of them");
                    }
                    *known = parameter;
                }
                None => parameters.push(parameter),
            }
        }
        parameters
    }

    /// Every place in the path needs a parameter, and every path parameter a place.
    fn match_path(&mut self, path: &PathTemplate, parameters: &mut Vec<Parameter>, node: &Node<'a>) {
        let places: Vec<&str> = path.segments.iter().filter_map(name_in_path).collect();
        for parameter in parameters.iter().filter(|parameter| parameter.place == ParameterPlace::Path) {
            if !places.contains(&parameter.name.as_str()) {
                let near = did_you_mean(&parameter.name, places.iter().copied());
                let is_free = |place: &&&str| !parameters.iter().any(|other| other.name == ***place);
                let free =
                    places.iter().find(is_free).map(|free| format!("is its place `{{{free}}}`? Give both one name"));
                let help = near.or(free);
                let help =
                    help.unwrap_or_else(|| format!("write `{{{}}}` where it belongs in the path", parameter.name));
                let message = format!("the path `{}` has no place for its parameter `{}`", path.raw, parameter.name);
                self.findings.error("CD-PATH-PARAMETER", &parameter.origin, message, help);
            }
        }
        // A parameter without a name was told already.
        for name in places.into_iter().filter(|name| !name.is_empty()) {
            let known = parameters.iter().any(|known| known.place == ParameterPlace::Path && known.name == name);
            if !known {
                let message =
                    format!("the path `{}` has a parameter `{name}` that is not described: it is text", path.raw);
                self.findings.count_warning("CD-PATH-PARAMETER", &node.origin, message, "describe it in `parameters`");
                parameters.push(undescribed(name, node.origin.clone()));
            }
        }
    }

    fn body(&mut self, node: &Node<'a>, place: &Place) -> Option<Body> {
        let written = node.get("requestBody")?;
        let target = self.documents.peel(&written, &mut self.findings)?;
        target.object(&mut self.findings)?;
        self.survey(&target, "a request body", &["content", "required"]);
        let place = self.shared_place(&written, &target, "body").unwrap_or_else(|| place.inside("body"));
        let contents = self.contents(&target, &place);
        if contents.is_empty() {
            let message = "a request body without a media type cannot be sent: it is left out";
            self.findings.warning("CD-BODY-EMPTY", &target.origin, message, "add a media type to `content`");
            return None;
        }
        let required = target.flag("required", &mut self.findings).unwrap_or(false);
        let docs = self.docs_over(&written, &target);
        Some(Body { required, contents, docs, origin: target.origin })
    }

    /// The place of what stands inside a shared thing; `None` when it stands where it is used.
    pub(super) fn shared_place(&self, written: &Node<'a>, target: &Node<'a>, word: &str) -> Option<Place> {
        (written.origin != target.origin).then(|| Place::of_operation(&self.last_word(&target.origin)).inside(word))
    }

    /// The documentation of a thing, and of a reference to it, which goes first (3.1).
    pub(super) fn docs_over(&mut self, written: &Node<'a>, target: &Node<'a>) -> Docs {
        let docs = self.docs(target);
        if written.origin == target.origin {
            return docs;
        }
        Docs {
            summary: self.prose(written, "summary").or(docs.summary),
            description: self.prose(written, "description").or(docs.description),
            ..docs
        }
    }
}

fn name_in_path(segment: &PathSegment) -> Option<&str> {
    match segment {
        PathSegment::Parameter(name) => Some(name),
        PathSegment::Literal(_) => None,
    }
}

fn undescribed(name: &str, origin: Origin) -> Parameter {
    Parameter {
        name: name.to_owned(),
        place: ParameterPlace::Path,
        required: true,
        ty: TypeUse { ty: Type::Text(TextFormat::Plain), nullable: false },
        style: Style::Simple,
        explode: false,
        allow_reserved: false,
        content: None,
        docs: Docs::default(),
        default: None,
        origin,
    }
}
