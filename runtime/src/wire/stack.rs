use std::cell::Cell;

/// How much stack the reading of one value may take. A hostile reply can nest a recursive type with hundreds of fields a
/// hundred levels deep, and the threads of an async runtime have 2 MiB.
const MOST: usize = 1 << 20;

thread_local! {
    /// Where the stack stood at the outermost object that is being read.
    static OUTERMOST: Cell<Option<usize>> = const { Cell::new(None) };
}

/// An object on the way from the outermost one to the one being read.
#[derive(Debug)]
pub(super) struct Level {
    is_outermost: bool,
}

impl Level {
    /// Goes one object deeper, unless too much of the stack is taken.
    pub(super) fn enter() -> Option<Self> {
        let here = stack_position();
        match OUTERMOST.get() {
            Some(start) => (start.abs_diff(here) <= MOST).then_some(Self { is_outermost: false }),
            None => {
                OUTERMOST.set(Some(here));
                Some(Self { is_outermost: true })
            }
        }
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        if self.is_outermost {
            OUTERMOST.set(None);
        }
    }
}

/// About where the stack stands.
#[inline(never)]
fn stack_position() -> usize {
    let marker = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&marker)).addr()
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use serde_json::Value;

    use crate::wire::{DecodeError, EncodeError, ObjectReader, Wire, json};

    /// Takes as much stack as a type with hundreds of fields.
    struct Wide(Option<Box<Wide>>);

    impl Wire for Wide {
        fn encode(&self) -> Result<Value, EncodeError> {
            Ok(Value::Null)
        }

        fn decode(value: &Value) -> Result<Self, DecodeError> {
            let fields = black_box([0_u8; 32 * 1024]);
            let mut object = ObjectReader::new("Wide", value)?;
            let decoded = object.optional("child").map(Self);
            black_box(&fields);
            decoded
        }
    }

    fn nested(depth: usize) -> Vec<u8> {
        format!("{}{{}}{}", "{\"child\":".repeat(depth), "}".repeat(depth)).into_bytes()
    }

    #[test]
    fn deep_and_wide_is_an_error_instead_of_an_overflow() {
        let error = json::decode::<Wide>(&nested(120)).err().unwrap().to_string();
        assert!(error.starts_with("/child/child/child/") && error.ends_with(": nested too deeply"), "{error}");
        let mut depth = 0;
        let mut level = json::decode::<Wide>(&nested(10)).unwrap();
        while let Some(child) = level.0 {
            (level, depth) = (*child, depth + 1);
        }
        assert_eq!(depth, 10);
    }
}
