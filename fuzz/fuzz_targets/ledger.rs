//! Any text is read as a ledger or a list of rule numbers, or refused.
#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(ledger) = table::Ledger::read("fuzz", text) {
        for entry in ledger.entries() {
            assert_eq!(ledger.find(&entry.number).map(|e| &e.number), Some(&entry.number));
            let _ = ledger.chapter(&entry.number);
        }
    }
    let _ = table::read_rule_numbers("fuzz", text);
});
