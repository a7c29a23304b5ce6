//! Whether a type took more values in, or fewer: then what was sent or read by the old one still is, one way.

use super::Impact;
use super::messages::gravest;
use crate::plan::Direction;
use crate::stubs::ty::Ty;

/// How grave it is that a value has another type.
pub(super) fn impact(way: Direction, before: &Ty, now: &Ty) -> Impact {
    if takes_in(now, before) {
        // A reply may hold what the old type cannot read.
        gravest(way, Impact::Mapper, Impact::Breaking)
    } else if takes_in(before, now) {
        // A request may hold what is refused now.
        gravest(way, Impact::Breaking, Impact::Mapper)
    } else {
        Impact::Breaking
    }
}

/// Whether every value of a type on the wire is one of the other.
fn takes_in(wider: &Ty, narrower: &Ty) -> bool {
    let (Ty::Leaf(wider), Ty::Leaf(narrower)) = (wider, narrower) else { return false };
    match (wider.as_str(), narrower.as_str()) {
        (wider, _) if wider.ends_with("::Value") => true,
        ("String", narrower) => ["DateTime", "Date", "Uuid", "wire::Uri", "wire::Base64"]
            .iter()
            .any(|name| narrower.strip_prefix("cofferdam_runtime::").is_some_and(|own| own == *name)),
        ("f64", narrower) => narrower == "f32" || integer(narrower).is_some(),
        (wider, narrower) => match (integer(wider), integer(narrower)) {
            (Some(wider), Some(narrower)) => wider.0 <= narrower.0 && wider.1 >= narrower.1,
            _ => false,
        },
    }
}

/// The smallest and the largest value of an integer type.
fn integer(name: &str) -> Option<(i128, i128)> {
    Some(match name {
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" => (i64::MIN.into(), i64::MAX.into()),
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" => (0, u64::MAX.into()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST: Direction = Direction { request: true, reply: false };
    const REPLY: Direction = Direction { request: false, reply: true };

    fn of(before: &str, now: &str) -> (Impact, Impact) {
        let [before, now] = [before, now].map(|name| Ty::Leaf(name.to_owned()));
        (impact(REQUEST, &before, &now), impact(REPLY, &before, &now))
    }

    #[test]
    fn a_wider_type_breaks_who_reads_and_a_narrower_one_who_writes() {
        use Impact::{Breaking, Mapper};
        assert_eq!(of("i32", "i64"), (Mapper, Breaking));
        assert_eq!(of("i64", "i32"), (Breaking, Mapper));
        assert_eq!(of("u32", "i64"), (Mapper, Breaking));
        assert_eq!(of("i64", "u64"), (Breaking, Breaking));
        assert_eq!(of("String", "cofferdam_runtime::DateTime"), (Breaking, Mapper));
        assert_eq!(of("cofferdam_runtime::Uuid", "String"), (Mapper, Breaking));
        assert_eq!(of("i64", "f64"), (Mapper, Breaking));
        assert_eq!(of("i64", "String"), (Breaking, Breaking));
    }
}
