//! The ground as data: coast, lakes, rivers, ranges, deserts, vales, names and a few cities.
//!
//! The data is a GeoJSON file that travels inside the program. It is read once and checked feature by
//! feature; what is wrong is reported with the feature's number, what was found and what was expected.

use crate::frame::Window;
use serde::Deserialize;
use serde_json::Value;
use std::sync::OnceLock;

/// A place on the globe, in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatLon {
    /// Degrees north.
    pub lat: f64,
    /// Degrees east.
    pub lon: f64,
}

/// A named area: a lake, a desert, a fertile vale.
#[derive(Debug, Clone, PartialEq)]
pub struct Area {
    /// What it is called.
    pub name: String,
    /// Its outline, without repeating the first point at the end.
    pub outline: Vec<LatLon>,
}

/// A river, from its source to its mouth.
#[derive(Debug, Clone, PartialEq)]
pub struct River {
    /// What it is called.
    pub name: String,
    /// Its course downstream.
    pub course: Vec<LatLon>,
}

/// How high the ground of a range stands: which little mountains are drawn on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relief {
    /// Rounded hills.
    Hills,
    /// Peaks.
    Mountains,
}

/// A range of hills or mountains along a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Range {
    /// What it is called.
    pub name: String,
    /// The line of its crest.
    pub crest: Vec<LatLon>,
    /// Hills or mountains.
    pub relief: Relief,
    /// How broad it is, in kilometres.
    pub breadth_km: f64,
}

/// What a name on the map belongs to, and so how it is lettered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// Open water.
    Sea,
    /// A country or region.
    Land,
    /// An island.
    Island,
}

/// A name and the line along which it may be set. A name can occur several times: the first line that has
/// room in the window is used.
#[derive(Debug, Clone, PartialEq)]
pub struct Name {
    /// The words.
    pub name: String,
    /// What they name.
    pub kind: NameKind,
    /// How large they are lettered: 1 the largest, 4 the smallest.
    pub rank: u8,
    /// The line they stand on: beginning, middle and end.
    pub line: [LatLon; 3],
}

/// A city, for maps that want a few of them.
#[derive(Debug, Clone, PartialEq)]
pub struct City {
    /// What it is called.
    pub name: String,
    /// Where it lies.
    pub place: LatLon,
}

/// All the geography there is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Levant {
    /// The mainland and the islands: outlines without holes, first point not repeated.
    pub land: Vec<Vec<LatLon>>,
    /// Inland water.
    pub lakes: Vec<Area>,
    /// Sand and stone.
    pub deserts: Vec<Area>,
    /// Watered ground.
    pub vales: Vec<Area>,
    /// Rivers, source to mouth.
    pub rivers: Vec<River>,
    /// Hills and mountains.
    pub ranges: Vec<Range>,
    /// Names of seas, countries and islands.
    pub names: Vec<Name>,
    /// A handful of cities.
    pub cities: Vec<City>,
}

/// Why a file of geography could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ParseError {
    /// The text is not JSON, or not a collection of features.
    #[error("found no GeoJSON feature collection, expected an object with `features`: {0}")]
    NotGeoJson(#[from] serde_json::Error),
    /// A feature is not what it should be.
    #[error("feature {number}{}: found {found}, expected {expected}", name.as_deref().map(|n| format!(" ({n})")).unwrap_or_default())]
    Feature {
        /// The feature's number in the file, from 0.
        number: usize,
        /// Its name, where it has one.
        name: Option<String>,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// There is no land at all.
    #[error("found {features} features and no land among them, expected at least one polygon of kind `land`")]
    NoLand {
        /// How many features there were.
        features: usize,
    },
}

#[derive(Deserialize)]
struct RawCollection {
    features: Vec<Value>,
}

#[derive(Deserialize)]
struct RawFeature {
    properties: RawProperties,
    geometry: RawGeometry,
}

#[derive(Deserialize)]
struct RawProperties {
    kind: String,
    name: Option<String>,
    of: Option<String>,
    rank: Option<u8>,
    relief: Option<String>,
    breadth: Option<f64>,
}

#[derive(Deserialize)]
#[serde(tag = "type", content = "coordinates")]
enum RawGeometry {
    Point([f64; 2]),
    LineString(Vec<[f64; 2]>),
    Polygon(Vec<Vec<[f64; 2]>>),
}

/// What was found and what was expected, before the feature's number is put to it.
type Mismatch = (String, String);

fn mismatch<T>(found: impl Into<String>, expected: impl Into<String>) -> Result<T, Mismatch> {
    Err((found.into(), expected.into()))
}

impl Levant {
    /// The geography that travels with the program.
    ///
    /// # Panics
    /// If the built-in file is broken, which a test rules out.
    pub fn built_in() -> &'static Levant {
        static BUILT_IN: OnceLock<Levant> = OnceLock::new();
        BUILT_IN.get_or_init(|| match Levant::parse(include_str!("../data/levant.geojson")) {
            Ok(levant) => levant,
            Err(error) => panic!("the built-in geography is broken: {error}"),
        })
    }

    /// Reads and checks a GeoJSON feature collection.
    pub fn parse(text: &str) -> Result<Levant, ParseError> {
        let raw: RawCollection = serde_json::from_str(text)?;
        let features = raw.features.len();
        let mut levant = Levant::default();
        for (number, value) in raw.features.into_iter().enumerate() {
            let name = value.pointer("/properties/name").and_then(Value::as_str).map(str::to_owned);
            levant.add(value).map_err(|(found, expected)| ParseError::Feature {
                number,
                name,
                found,
                expected,
            })?;
        }
        if levant.land.is_empty() {
            return Err(ParseError::NoLand { features });
        }
        Ok(levant)
    }

    fn add(&mut self, value: Value) -> Result<(), Mismatch> {
        let RawFeature { properties: p, geometry } = match serde_json::from_value(value) {
            Ok(feature) => feature,
            Err(error) => {
                return mismatch(
                    format!("something unreadable ({error})"),
                    "properties with a `kind`, and a Point, LineString or Polygon",
                );
            }
        };
        match p.kind.as_str() {
            "land" => self.land.push(outline(geometry)?),
            "lake" => self.lakes.push(Area { name: named(p.name)?, outline: outline(geometry)? }),
            "desert" => self.deserts.push(Area { name: named(p.name)?, outline: outline(geometry)? }),
            "vale" => self.vales.push(Area { name: named(p.name)?, outline: outline(geometry)? }),
            "river" => self.rivers.push(River { name: named(p.name)?, course: line(geometry)? }),
            "range" => {
                let relief = match p.relief.as_deref() {
                    Some("hills") => Relief::Hills,
                    Some("mountains") | None => Relief::Mountains,
                    Some(other) => return mismatch(format!("relief `{other}`"), "`hills` or `mountains`"),
                };
                let breadth_km = p.breadth.unwrap_or(20.0);
                if !(1.0..=200.0).contains(&breadth_km) {
                    return mismatch(format!("a breadth of {breadth_km} km"), "1 to 200 km");
                }
                self.ranges.push(Range { name: named(p.name)?, crest: line(geometry)?, relief, breadth_km });
            }
            "name" => {
                let kind = match p.of.as_deref() {
                    Some("sea") => NameKind::Sea,
                    Some("land") => NameKind::Land,
                    Some("island") => NameKind::Island,
                    other => {
                        let other = other.unwrap_or("nothing");
                        return mismatch(
                            format!("a name of `{other}`"),
                            "`of` to be `sea`, `land` or `island`",
                        );
                    }
                };
                let rank = p.rank.unwrap_or(2);
                if !(1..=4).contains(&rank) {
                    return mismatch(format!("rank {rank}"), "1 to 4");
                }
                let points = line(geometry)?;
                let Ok(line) = <[LatLon; 3]>::try_from(points.as_slice()) else {
                    return mismatch(
                        format!("a line of {} points", points.len()),
                        "three: beginning, middle, end",
                    );
                };
                self.names.push(Name { name: named(p.name)?, kind, rank, line });
            }
            "city" => match geometry {
                RawGeometry::Point(position) => {
                    self.cities.push(City { name: named(p.name)?, place: place(position)? });
                }
                other => return mismatch(other.called(), "a Point"),
            },
            other => {
                return mismatch(
                    format!("kind `{other}`"),
                    "`land`, `lake`, `desert`, `vale`, `river`, `range`, `name` or `city`",
                );
            }
        }
        Ok(())
    }
}

impl RawGeometry {
    fn called(&self) -> &'static str {
        match self {
            RawGeometry::Point(_) => "a Point",
            RawGeometry::LineString(_) => "a LineString",
            RawGeometry::Polygon(_) => "a Polygon",
        }
    }
}

fn named(name: Option<String>) -> Result<String, Mismatch> {
    match name {
        Some(name) if !name.trim().is_empty() => Ok(name),
        Some(_) => mismatch("an empty name", "a name"),
        None => mismatch("no name", "a name"),
    }
}

fn place([lon, lat]: [f64; 2]) -> Result<LatLon, Mismatch> {
    let all = Window::CHARTED;
    if !all.contains(lat, lon) {
        return mismatch(
            format!("the position [{lon}, {lat}]"),
            format!(
                "[longitude, latitude] between [{}, {}] and [{}, {}]",
                all.west(),
                all.south(),
                all.east(),
                all.north()
            ),
        );
    }
    Ok(LatLon { lat, lon })
}

fn line(geometry: RawGeometry) -> Result<Vec<LatLon>, Mismatch> {
    let RawGeometry::LineString(positions) = geometry else {
        return mismatch(geometry.called(), "a LineString");
    };
    if positions.len() < 2 {
        return mismatch(format!("a line of {} points", positions.len()), "at least 2");
    }
    let points = positions.into_iter().map(place).collect::<Result<Vec<_>, _>>()?;
    if let Some(at) = points.windows(2).position(|pair| pair[0] == pair[1]) {
        return mismatch(format!("points {at} and {} in the same place", at + 1), "points that differ");
    }
    Ok(points)
}

fn outline(geometry: RawGeometry) -> Result<Vec<LatLon>, Mismatch> {
    let RawGeometry::Polygon(rings) = geometry else {
        return mismatch(geometry.called(), "a Polygon");
    };
    let [ring] = rings.as_slice() else {
        return mismatch(
            format!("a polygon of {} rings", rings.len()),
            "one ring (lakes are features of their own)",
        );
    };
    if ring.len() < 4 {
        return mismatch(
            format!("a ring of {} positions", ring.len()),
            "at least 4, the last like the first",
        );
    }
    if ring.first() != ring.last() {
        return mismatch("an open ring", "the last position to repeat the first");
    }
    let points = ring[..ring.len() - 1].iter().copied().map(place).collect::<Result<Vec<_>, _>>()?;
    if let Some((a, b)) = crossing(&points) {
        return mismatch(
            format!("an outline that crosses itself after positions {a} and {b}"),
            "one that never does",
        );
    }
    Ok(points)
}

/// The first two spans of a closed outline that cross each other.
fn crossing(ring: &[LatLon]) -> Option<(usize, usize)> {
    let n = ring.len();
    let turn = |a: LatLon, b: LatLon, c: LatLon| {
        (b.lon - a.lon) * (c.lat - a.lat) - (b.lat - a.lat) * (c.lon - a.lon)
    };
    for i in 0..n {
        let (a, b) = (ring[i], ring[(i + 1) % n]);
        for j in i + 2..n {
            let (c, d) = (ring[j], ring[(j + 1) % n]);
            // Spans that only touch, as neighbours do, multiply to nothing.
            if turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0 {
                return Some((i, j));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(feature: &str) -> String {
        let text = format!(r#"{{"type":"FeatureCollection","features":[{LAND},{feature}]}}"#);
        Levant::parse(&text).unwrap_err().to_string()
    }

    const LAND: &str = r#"{"type":"Feature","properties":{"kind":"land"},"geometry":{"type":"Polygon","coordinates":[[[30,30],[31,30],[31,31],[30,30]]]}}"#;

    #[test]
    fn the_built_in_geography_is_sound() {
        let levant = Levant::built_in();
        assert_eq!(levant.land.len(), 41);
        for river in ["Jordan", "Orontes", "Euphrates", "Nile", "Litani"] {
            assert!(levant.rivers.iter().any(|r| r.name == river), "no {river}");
        }
        for lake in ["Dead Sea", "Sea of Galilee"] {
            assert!(levant.lakes.iter().any(|l| l.name == lake), "no {lake}");
        }
        assert!(levant.ranges.len() > 8 && levant.names.len() > 10 && levant.cities.len() > 10);
    }

    #[test]
    fn errors_name_the_feature_what_was_found_and_what_was_expected() {
        let feature = |properties: &str, kind: &str, coordinates: &str| {
            broken(&format!(
                r#"{{"type":"Feature","properties":{{{properties}}},"geometry":{{"type":"{kind}","coordinates":{coordinates}}}}}"#
            ))
        };
        insta::assert_snapshot!(feature(r#""kind":"swamp""#, "Point", "[30,30]"), @"feature 1: found kind `swamp`, expected `land`, `lake`, `desert`, `vale`, `river`, `range`, `name` or `city`");
        insta::assert_snapshot!(feature(r#""kind":"river","name":"Jordan""#, "Point", "[30,30]"), @"feature 1 (Jordan): found a Point, expected a LineString");
        insta::assert_snapshot!(feature(r#""kind":"river","name":"Jordan""#, "LineString", "[[30,30]]"), @"feature 1 (Jordan): found a line of 1 points, expected at least 2");
        insta::assert_snapshot!(feature(r#""kind":"river","name":"Jordan""#, "LineString", "[[30,30],[30,30]]"), @"feature 1 (Jordan): found points 0 and 1 in the same place, expected points that differ");
        insta::assert_snapshot!(feature(r#""kind":"river""#, "LineString", "[[30,30],[31,30]]"), @"feature 1: found no name, expected a name");
        insta::assert_snapshot!(feature(r#""kind":"city","name":"Rome""#, "Point", "[12.5,41.9]"), @"feature 1 (Rome): found the position [12.5, 41.9], expected [longitude, latitude] between [25, 26.5] and [44, 42.5]");
        insta::assert_snapshot!(feature(r#""kind":"land""#, "Polygon", "[[[30,30],[31,30],[31,31],[30,31]]]"), @"feature 1: found an open ring, expected the last position to repeat the first");
        insta::assert_snapshot!(feature(r#""kind":"lake","name":"Knot""#, "Polygon", "[[[30,30],[31,31],[31,30],[30,31],[30,30]]]"), @"feature 1 (Knot): found an outline that crosses itself after positions 0 and 2, expected one that never does");
        insta::assert_snapshot!(feature(r#""kind":"range","name":"Hermon","breadth":0"#, "LineString", "[[30,30],[31,30]]"), @"feature 1 (Hermon): found a breadth of 0 km, expected 1 to 200 km");
        insta::assert_snapshot!(feature(r#""kind":"name","name":"Syria","of":"sky""#, "LineString", "[[30,30],[31,30]]"), @"feature 1 (Syria): found a name of `sky`, expected `of` to be `sea`, `land` or `island`");
        insta::assert_snapshot!(broken(r#"{"type":"Feature"}"#), @"feature 1: found something unreadable (missing field `properties`), expected properties with a `kind`, and a Point, LineString or Polygon");
    }

    #[test]
    fn what_is_no_collection_is_refused() {
        assert!(matches!(Levant::parse("no map"), Err(ParseError::NotGeoJson(_))));
        assert!(matches!(Levant::parse(r#"{"features":[]}"#), Err(ParseError::NoLand { features: 0 })));
    }
}
