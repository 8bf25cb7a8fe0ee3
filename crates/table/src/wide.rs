//! Arrays longer than serde knows by itself: `#[serde(with = "table::wide")]` on a field of a position.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes the array as a list.
pub fn serialize<S: Serializer, T: Serialize, const N: usize>(
    array: &[T; N],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(array)
}

/// Reads the array from a list of its length.
pub fn deserialize<'de, D: Deserializer<'de>, T: DeserializeOwned, const N: usize>(
    deserializer: D,
) -> Result<[T; N], D::Error> {
    let list = Vec::<T>::deserialize(deserializer)?;
    list.try_into().map_err(|v: Vec<T>| D::Error::invalid_length(v.len(), &"an array of its length"))
}
