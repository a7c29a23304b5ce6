//! What a field of an object is in Rust: plain, optional, nullable, all of it, or not there at all.

use crate::model::Field;
use crate::plan::Direction;

/// The form a field takes in the type of its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Presence {
    /// `T`: always there.
    Always,
    /// `Option<T>`: always there, may be `null`.
    Nullable,
    /// `Option<T>`: may be left out.
    Optional,
    /// `Maybe<T>`: may be left out, may be `null`, and the two differ.
    Maybe,
}

/// The form of a field in a type that travels this way; `None` where the field stays behind.
///
/// A `readOnly` field is not part of a type that is only sent, a `writeOnly` one not of a type that is only received.
/// In a type that goes both ways neither can be demanded, so both are optional there.
#[must_use]
pub fn presence(field: &Field, way: Direction) -> Option<Presence> {
    let stays_behind = (field.read_only && way.request_only()) || (field.write_only && way.reply_only());
    if stays_behind {
        return None;
    }
    let one_way = (field.read_only && way.request) || (field.write_only && way.reply);
    Some(match (field.required && !one_way, field.ty.nullable) {
        (true, false) => Presence::Always,
        (true, true) => Presence::Nullable,
        (false, false) => Presence::Optional,
        (false, true) => Presence::Maybe,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{any, field};

    const BOTH: Direction = Direction { request: true, reply: true };
    const REQUEST: Direction = Direction { request: true, reply: false };
    const REPLY: Direction = Direction { request: false, reply: true };

    #[test]
    fn a_read_only_field_is_demanded_of_replies_only() {
        let id = Field { required: true, read_only: true, ..field("id", any()) };
        assert_eq!(presence(&id, REPLY), Some(Presence::Always));
        assert_eq!(presence(&id, BOTH), Some(Presence::Optional));
        assert_eq!(presence(&id, REQUEST), None);
    }

    #[test]
    fn a_write_only_field_is_demanded_of_requests_only() {
        let secret = Field { required: true, write_only: true, ..field("secret", any()) };
        assert_eq!(presence(&secret, REQUEST), Some(Presence::Always));
        assert_eq!(presence(&secret, BOTH), Some(Presence::Optional));
        assert_eq!(presence(&secret, REPLY), None);
    }
}
