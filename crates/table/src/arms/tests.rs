use proptest::prelude::*;

use super::*;

fn complaint(text: &str) -> String {
    Arms::read(text).map_or_else(|e| e.to_string(), |arms| format!("read as {arms}"))
}

#[test]
fn what_is_wrong_is_named() {
    for (text, expected) in [
        ("", "found the end (after word 0), expected a tincture (or, argent, "),
        ("purple", "found `purple` (word 1), expected a tincture (or, argent, "),
        ("or, a unicorn gules", "found `unicorn` (word 3), expected an ordinary or a charge, one"),
        ("or, an lion rampant gules", "found `an lion rampant` (word 2), expected `a lion rampant`"),
        ("or, a eagle displayed gules", "found `a eagle displayed` (word 2), expected `an eagle displayed`"),
        ("or, three lion rampant gules", "found `lion` (word 3), expected the plural, `lions rampant`"),
        ("or, one lion rampant gules", "found `one` (word 2), expected `a`, `an` or a number from two"),
        ("or, two crosses gules", "found `two crosses` (word 2), expected one cross only"),
        ("barry of seven or and gules", "found `of seven` (word 2), expected an even number of stripes"),
        ("barry or and gules", "found `or` (word 2), expected `of`"),
        ("paly of six or or gules", "found `or` (word 5), expected `and`"),
        ("chequy or and blue", "found `blue` (word 4), expected a tincture"),
        ("per pale (per fess or and gules) and or", "found `per fess` (word 3), expected a part that is not"),
        ("per pale (or and gules", "found `and` (word 4), expected `)`"),
        ("quarterly or gules", "found `gules` (word 3), expected `and`"),
        ("or, a cross gules cotised azure", "found `cotised` (word 5), expected no cotises along a cross"),
        ("or, a rose of six points gules", "found `of six points` (word 4), expected points of mullets only"),
        ("or, three swords in saltire gules", "found `in saltire` (word 4), expected two charges"),
        ("or, a label of one points gules", "found `one` (word 5), expected a number from two to twelve"),
        ("or, a fess gules charged with a bend or", "found `bend` (word 8), expected a charge, one"),
        ("or semy of rose gules", "found `rose` (word 4), expected charges in the plural"),
        ("or,", "found the end (after word 1), expected `a`, `an`"),
        ("or a fess gules", "found `a` (word 2), expected a comma or the end"),
        ("or , a fess gules", "found `,` with other spaces around it (after word 1), expected single"),
        ("or,  a fess gules", "found `a` with other spaces around it (word 2), expected single"),
        (" or", "found `or` with other spaces around it (word 1)"),
        ("or ", "found a space at the end, expected no"),
    ] {
        assert!(complaint(text).starts_with(expected), "{text}: {}", complaint(text));
    }
    let long = format!("or{}", ", a fess gules".repeat(40));
    assert_eq!(complaint(&long), "found a blazon of 562 bytes, expected at most 400");
}

#[test]
fn the_rule_of_tincture() {
    for (text, breaches) in [
        ("gules, a cross or", &[] as &[&str]),
        ("argent, a Jerusalem cross or", &["Jerusalem cross or on argent"]),
        ("gules, a cross azure", &["cross azure on gules"]),
        ("barry of ten argent and azure, a lion rampant gules", &[]),
        ("barry of ten argent and azure, a lion rampant azure", &["lion rampant azure on argent and azure"]),
        ("barry of ten argent and or", &["the field barry of ten argent and or"]),
        ("ermine, a cross or", &[]),
        ("ermine, a cross ermine", &["cross ermine on ermine"]),
        ("azure semy of roses gules", &["roses gules on azure"]),
        (
            "or, a bend gules cotised argent charged with a rose sable between two roses or",
            &["cotises argent on or", "rose sable on gules", "rose or on or"],
        ),
        ("per pale or and argent, a rose or", &["rose or on or and argent"]),
        ("per pale (or, a rose argent) and gules", &["rose argent on or"]),
        ("gules, a label of three points sable", &["a label sable on gules"]),
        (
            "or, a rose barry of six or and argent",
            &["rose barry of six or and argent", "rose or and argent on or"],
        ),
    ] {
        assert_eq!(Arms::read(text).unwrap().breaches(), breaches, "{text}");
    }
}

#[test]
fn arms_are_texts_to_serde() {
    let arms = Arms::read("ermine, a bend sinister gules").unwrap();
    let text = serde_json::to_string(&arms).unwrap();
    assert_eq!(text, "\"ermine, a bend sinister gules\"");
    assert_eq!(serde_json::from_str::<Arms>(&text).unwrap(), arms);
    let error = serde_json::from_str::<Arms>("\"ermin\"").unwrap_err().to_string();
    assert!(
        error.starts_with("the blazon \"ermin\": found `ermin` (word 1), expected a tincture"),
        "{error}"
    );
}

fn roll(coat: &str, house: &str) -> Result<Roll, String> {
    let text = format!("[arms.\"Acre\"]\n{coat}\n[house.\"Lords\"]\n{house}\n");
    Roll::read("arms.toml", &text).map_err(|e| e.to_string())
}

const COAT: &str = "blazon = \"or, a cross gules\"\nstatus = \"invented\"\ngames = [\"rex\"]\nnote = \"x\"\n";

#[test]
fn a_roll_says_who_bears_what() {
    let roll = Roll::read(
        "arms.toml",
        r#"
        [arms."Lord"]
        blazon = "or"
        status = "historical"
        games = ["rex"]
        names = { rex = ["Guy"] }
        note = "his own"
        [arms."Kin"]
        blazon = "gules"
        status = "attributed"
        house = "Kin"
        games = ["rex", "sun"]
        note = "by name in a house"
        [arms."Power"]
        blazon = "azure"
        status = "invented"
        games = ["rex"]
        note = "by kind"
        [house."Kin"]
        arms = "Kin"
        units = { rex = ["Guy", "Fleet"], sun = ["place:Acre"] }
        [house."Power"]
        arms = "Power"
        units = { rex = ["power:franks"] }
        "#,
    )
    .unwrap();
    let bears = |game, name, kinds: &[&str]| roll.bears(game, name, kinds).map(|c| c.arms.to_string());
    assert_eq!(bears("rex", "Guy", &["power:franks"]).as_deref(), Some("or"));
    assert_eq!(bears("rex", "Fleet", &["power:franks"]).as_deref(), Some("gules"));
    assert_eq!(bears("rex", "Balian", &["army:none", "power:franks"]).as_deref(), Some("azure"));
    assert_eq!(bears("sun", "Acre", &["place:Acre"]).as_deref(), Some("gules"));
    assert_eq!(bears("sun", "Guy", &[]), None);
    assert_eq!(roll.of_house("Kin").unwrap().key, "Kin");
    assert_eq!(roll.coat("Power").unwrap().status, Status::Invented);
}

#[test]
fn a_bad_roll_is_refused_with_file_and_line() {
    let house = "arms = \"Acre\"\nunits = { rex = [\"Guy\"] }";
    assert!(roll(COAT, house).is_ok());
    for (coat, house, expected) in [
        (
            COAT.replace("gules", "argent"),
            house,
            "arms.toml:2: \"or, a cross argent\" breaks the rule of tincture: cross argent on or; expected",
        ),
        (
            COAT.replace("gules", "red"),
            house,
            "arms.toml:2: the blazon \"or, a cross red\": found `red` (word 4), expected a tincture",
        ),
        (COAT.replace("status", "exception = true\nstatus"), house, "arms.toml:2: `exception`, but"),
        (COAT.replace("invented", "old"), house, "arms.toml:3: `status`: expected one of \"historical\""),
        (
            COAT.replace("note", "house = \"Kings\"\nnote"),
            house,
            "arms.toml:5: `house`: expected the name of a house",
        ),
        (
            COAT.replace("note", "differenced = true\nnote"),
            house,
            "arms.toml:1: `Acre` is differenced, but has no house",
        ),
        (
            COAT.replace("[\"rex\"]", "[\"sun\"]"),
            house,
            "arms.toml:1: games of Acre: found sun, borne in rex",
        ),
        (COAT.replace("[\"rex\"]", "[]"), "arms = \"Acre\"", "arms.toml:1: nobody bears the arms of Acre"),
        (format!("{COAT}colour = 1\n"), house, "arms.toml:6: unknown key `colour`"),
        (
            COAT.to_string(),
            "arms = \"Tyre\"",
            "arms.toml:8: `arms`: expected the key of a coat of this file, found the text \"Tyre\"",
        ),
        (
            COAT.to_string(),
            "arms = \"Acre\"\nunits = { rex = [\"Guy\", \"Guy\"] }",
            "arms.toml:7: Guy of rex stands in Lords and elsewhere",
        ),
    ] {
        let found = roll(&coat, house).unwrap_err();
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
}

// ---- Any arms that can be said are read back as they are written.

fn tincture() -> impl Strategy<Value = Tincture> {
    proptest::sample::select(&Tincture::ALL[..])
}

fn paint() -> impl Strategy<Value = Paint> {
    let variation = prop_oneof![
        (1..=6u8).prop_map(|n| Variation::Barry(2 * n)),
        (1..=6u8).prop_map(|n| Variation::Paly(2 * n)),
        (1..=6u8).prop_map(|n| Variation::Bendy(2 * n)),
        Just(Variation::Chequy),
        Just(Variation::Lozengy),
    ];
    prop_oneof![
        tincture().prop_map(Paint::Plain),
        (variation, tincture(), tincture()).prop_map(|(v, a, b)| Paint::Varied(v, a, b)),
    ]
}

fn group() -> impl Strategy<Value = Group> {
    let charge = proptest::sample::select(&Charge::ALL[..]);
    let place = proptest::option::of(proptest::sample::select(&Place::ALL[..]));
    (1..=12u8, charge, proptest::option::of(2..=12u8), place, paint()).prop_map(
        |(number, charge, points, place, paint)| Group {
            number: if place == Some(Place::InSaltire) { 2 } else { number },
            charge,
            points: points.filter(|_| charge == Charge::Mullet),
            place,
            paint,
        },
    )
}

fn layer() -> impl Strategy<Value = Layer> {
    use proptest::option::of as some;
    let ordinary = proptest::sample::select(&Ordinary::ALL[..]);
    let laid = (1..=12u8, ordinary, paint(), some(tincture()), some(group()), some(group())).prop_map(
        |(number, ordinary, paint, cotises, on, between)| {
            let number = if ordinary.repeats() { number } else { 1 };
            let cotises = cotises.filter(|_| ordinary.takes_cotises());
            Layer::Ordinary(Laid { number, ordinary, paint, cotises, on, between })
        },
    );
    prop_oneof![
        (2..=12u8, tincture()).prop_map(|(points, tincture)| Layer::Label { points, tincture }),
        group().prop_map(Layer::Charges),
        laid,
    ]
}

fn unparted() -> impl Strategy<Value = Blazon> {
    let charge = proptest::sample::select(&Charge::ALL[..]);
    let semy = (tincture(), charge, tincture());
    let field = prop_oneof![
        paint().prop_map(Field::Painted),
        semy.prop_map(|(tincture, charge, sown)| Field::Semy { tincture, charge, sown }),
    ];
    (field, proptest::collection::vec(layer(), 0..2)).prop_map(|(field, layers)| Blazon { field, layers })
}

fn any_arms() -> impl Strategy<Value = Arms> {
    let share = || prop_oneof![tincture().prop_map(Share::Plain), unparted().prop_map(Share::Arms)];
    let division = proptest::sample::select(&Division::ALL[..]);
    let parted = (division, share(), share(), proptest::collection::vec(layer(), 0..2)).prop_map(
        |(division, a, b, layers)| Blazon { field: Field::Parted(division, Box::new([a, b])), layers },
    );
    prop_oneof![unparted(), parted].prop_map(Arms::from)
}

proptest! {
    #[test]
    fn a_blazon_is_read_back_as_it_was_written(arms in any_arms()) {
        let text = arms.to_string();
        prop_assume!(text.len() <= LONGEST_BLAZON);
        prop_assert_eq!(Arms::read(&text).map_err(|e| format!("{text}: {e}")), Ok(arms.clone()));
    }

    #[test]
    fn words_in_any_order_do_no_harm(words in proptest::collection::vec(
        proptest::sample::select(&[
            "or", "gules", "a", "an", "two", "bend", "lions rampant", "sinister", ",", "(", ")", "and", "of",
            "per pale", "barry", "between", "charged with", "in pale", "mullets", "points", "semy of", "é",
        ][..]), 0..12)) {
        if let Ok(arms) = Arms::read(&words.join(" ").replace(" ,", ",").replace("( ", "(").replace(" )", ")")) {
            prop_assert_eq!(Arms::read(&arms.to_string()), Ok(arms));
        }
    }
}
