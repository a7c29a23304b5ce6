use std::{collections::BTreeMap, iter::Peekable};

use serde_json::{Map, Value, map};

use super::{DecodeError, EncodeError, Maybe, Wire, stack::Level};

/// Writes the members of an object in the order of the calls.
///
/// Everything but the calls to [`Wire::encode`] is independent of the member's type, so that little is compiled per field.
#[derive(Debug, Default)]
pub struct ObjectWriter {
    members: Map<String, Value>,
    /// Declared fields that are left out: their names are still theirs.
    absent: Vec<&'static str>,
}

impl ObjectWriter {
    /// An object without members.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A member that is always written; an [`Option`] without a value becomes `null`.
    pub fn required<T: Wire>(&mut self, name: &'static str, value: &T) -> Result<(), EncodeError> {
        self.put(name, value.encode())
    }

    /// A member that is left out when there is no value.
    pub fn optional<T: Wire>(&mut self, name: &'static str, value: &Option<T>) -> Result<(), EncodeError> {
        match value {
            Some(value) => self.put(name, value.encode()),
            None => {
                self.absent.push(name);
                Ok(())
            }
        }
    }

    /// A member with three states: left out, `null`, or a value.
    pub fn maybe<T: Wire>(&mut self, name: &'static str, value: &Maybe<T>) -> Result<(), EncodeError> {
        match value {
            Maybe::Value(value) => self.put(name, value.encode()),
            Maybe::Null => self.put(name, Ok(Value::Null)),
            Maybe::Absent => {
                self.absent.push(name);
                Ok(())
            }
        }
    }

    /// The tag by which unions tell the object's type, where it is always the same.
    pub fn tag(&mut self, name: &'static str, tag: impl Into<Value>) {
        self.members.insert(name.to_owned(), tag.into());
    }

    /// Undeclared members, after the declared ones. A key that belongs to a declared field, written or left out, is
    /// the field's: the map's entry of that name is not written, for it would be read back as the field.
    pub fn rest<T: Wire>(&mut self, members: &BTreeMap<String, T>) -> Result<(), EncodeError> {
        for (name, value) in members {
            if !self.members.contains_key(name) && !self.absent.contains(&name.as_str()) {
                self.put(name, value.encode())?;
            }
        }
        Ok(())
    }

    /// The object.
    #[must_use]
    pub fn finish(self) -> Value {
        Value::Object(self.members)
    }

    fn put(&mut self, name: &str, value: Result<Value, EncodeError>) -> Result<(), EncodeError> {
        let value = value.map_err(|error| error.inside(name))?;
        self.members.insert(name.to_owned(), value);
        Ok(())
    }
}

/// Reads the members of an object.
///
/// Members mostly come in the order of the document, so the next one is looked at before the name is looked up.
#[derive(Debug)]
pub struct ObjectReader<'v> {
    owner: &'static str,
    members: &'v Map<String, Value>,
    upcoming: Peekable<map::Iter<'v>>,
    _level: Level,
}

impl<'v> ObjectReader<'v> {
    /// Starts to read `value` as an object of the type `owner` (a name for messages).
    pub fn new(owner: &'static str, value: &'v Value) -> Result<Self, DecodeError> {
        match value {
            Value::Object(members) => {
                let level = Level::enter().ok_or_else(|| DecodeError::other("nested too deeply"))?;
                Ok(Self { owner, members, upcoming: members.iter().peekable(), _level: level })
            }
            other => Err(DecodeError::mismatch(format!("an object ({owner})"), other)),
        }
    }

    /// A member that must be present.
    pub fn required<T: Wire>(&mut self, name: &str) -> Result<T, DecodeError> {
        match self.get(name) {
            Some(value) => within(name, T::decode(value)),
            None => Err(DecodeError::missing(self.owner, name)),
        }
    }

    /// A member that must be present and may be `null`.
    pub fn required_nullable<T: Wire>(&mut self, name: &str) -> Result<Option<T>, DecodeError> {
        self.required::<Option<T>>(name)
    }

    /// A member that may be absent. A `null` that the type itself cannot read counts as absent: many servers write it
    /// so, whatever their document says.
    pub fn optional<T: Wire>(&mut self, name: &str) -> Result<Option<T>, DecodeError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Null) => Ok(T::decode(&Value::Null).ok()),
            Some(value) => within(name, T::decode(value)).map(Some),
        }
    }

    /// A member with three states.
    pub fn maybe<T: Wire>(&mut self, name: &str) -> Result<Maybe<T>, DecodeError> {
        match self.get(name) {
            None => Ok(Maybe::Absent),
            Some(Value::Null) => Ok(Maybe::Null),
            Some(value) => within(name, T::decode(value)).map(Maybe::Value),
        }
    }

    /// All members whose names are not in `declared`.
    pub fn rest<T: Wire>(&mut self, declared: &[&str]) -> Result<BTreeMap<String, T>, DecodeError> {
        let mut rest = BTreeMap::new();
        for (name, value) in self.undeclared(declared) {
            rest.insert(name.clone(), within(name, T::decode(value))?);
        }
        Ok(rest)
    }

    /// Fails when there is a member whose name is not in `declared`. For types that allow no others
    /// (`additionalProperties: false`) where they are read strictly.
    pub fn deny_unknown(&mut self, declared: &[&str]) -> Result<(), DecodeError> {
        match self.undeclared(declared).next() {
            Some((name, _)) => Err(DecodeError::undeclared(self.owner, name)),
            None => Ok(()),
        }
    }

    fn get(&mut self, name: &str) -> Option<&'v Value> {
        if let Some((_, value)) = self.upcoming.next_if(|(upcoming, _)| *upcoming == name) {
            return Some(value);
        }
        let value = self.members.get(name)?;
        // What was passed over is undeclared or out of order; either way it does not come again.
        self.upcoming.by_ref().find(|(passed, _)| *passed == name);
        Some(value)
    }

    fn undeclared<'d>(&self, declared: &'d [&str]) -> impl Iterator<Item = (&'v String, &'v Value)> + use<'v, 'd> {
        self.members.iter().filter(move |(name, _)| !declared.contains(&name.as_str()))
    }
}

/// Adds the way to the member to its error.
fn within<T>(name: &str, result: Result<T, DecodeError>) -> Result<T, DecodeError> {
    result.map_err(|error| error.inside(name))
}
