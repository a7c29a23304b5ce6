use serde_json::{Map, Value};

use super::build::Sampler;
use super::check::Way;
use super::unions::Union;
use super::{Said, bounds};
use crate::analyse::presence;
use crate::model::{Extra, Field, UnionKind};
use crate::plan::Direction;

impl<'a> Sampler<'a> {
    /// An object: all that it needs, and what else it may have unless it lies deep in others.
    pub(super) fn object(&self, fields: &'a [Field], extra: &'a Extra, said: &Said<'a>) -> Option<Value> {
        let way = match self.way {
            Way::Either => Direction::default(),
            Way::Request => Direction { request: true, reply: false },
        };
        let most = bounds::most(said, "maxProperties").unwrap_or(usize::MAX);
        let is_needed = |field: &Field| field.required || said.requires(&field.wire);
        let needed = fields.iter().filter(|field| is_needed(field) && presence(field, way).is_some()).count();
        let mut spare = most.saturating_sub(needed);
        let generous = self.is_generous();
        let mut members = Map::new();
        for field in fields.iter().filter(|field| presence(field, way).is_some()) {
            let needed = is_needed(field);
            if !needed && (!generous || spare == 0) {
                continue;
            }
            let inner = self.schemas.property(said, &field.wire, &field.origin, &field.ty.ty);
            match self.of_use(&field.ty, &inner) {
                Some(value) => {
                    spare = if needed { spare } else { spare - 1 };
                    members.insert(field.wire.clone(), value);
                }
                None if needed => return None,
                None => {}
            }
        }
        let least = bounds::least(said, "minProperties");
        if let Some(used) = self.schemas.kept(extra)
            && (members.len() < least || fields.is_empty())
        {
            let inner = self.schemas.rest(said, &used.ty);
            if let Some(value) = self.of_use(used, &inner) {
                members.insert("key".to_owned(), value);
            }
        }
        Some(Value::Object(members))
    }

    /// A value of a union: of its first branch that gives one no other branch takes for its own.
    pub(super) fn union(&self, union: Union<'a>, said: &Said<'a>) -> Option<Value> {
        let mut first = None;
        for (index, branch) in union.branches.iter().enumerate() {
            let inner = self.schemas.branch(said, index, union.branches.len(), &branch.ty.ty);
            let Some(mut made) = self.of_use(&branch.ty, &inner) else { continue };
            if let (Some(discriminator), Some(tag)) = (union.discriminator, branch.tags.first())
                && let Value::Object(members) = &mut made
            {
                let own = members.get(&discriminator.property).and_then(Value::as_str);
                if !own.is_some_and(|own| branch.tags.iter().any(|tag| tag == own)) {
                    members.insert(discriminator.property.clone(), Value::from(tag.clone()));
                }
            }
            if self.is_unambiguous(&made, union, said) {
                return Some(made);
            }
            first.get_or_insert(made);
        }
        first
    }

    fn is_unambiguous(&self, value: &Value, union: Union<'a>, said: &Said<'a>) -> bool {
        if union.discriminator.is_some() || union.kind == UnionKind::AnyOf {
            return true;
        }
        let fits = |index: usize| {
            let Some(branch) = union.branches.get(index) else { return false };
            let inner = self.schemas.branch(said, index, union.branches.len(), &branch.ty.ty);
            let fit = self.schemas.check(value, &branch.ty, &inner, self.way);
            fit.is_ok_and(|fit| fit.breaches.is_empty())
        };
        (0..union.branches.len()).filter(|index| fits(*index)).count() == 1
    }
}
