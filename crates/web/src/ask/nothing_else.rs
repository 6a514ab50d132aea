use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor},
};

/// The last part of every body: takes what the parts before it have left, and wants that to be nothing.
#[derive(Debug)]
pub(crate) struct NothingElse;

impl<'de> Deserialize<'de> for NothingElse {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Rest;
        impl<'de> Visitor<'de> for Rest {
            type Value = NothingElse;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut rest: A) -> Result<NothingElse, A::Error> {
                match rest.next_key::<String>()? {
                    None => Ok(NothingElse),
                    Some(name) => Err(A::Error::custom(format!("found the field `{name}`, which is not known here"))),
                }
            }
        }
        deserializer.deserialize_map(Rest)
    }
}
