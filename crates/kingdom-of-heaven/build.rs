//! Says what is embedded, so that a new vignette is seen.

fn main() {
    println!("cargo::rerun-if-changed=vignettes");
}
