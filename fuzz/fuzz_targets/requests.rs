#![no_main]
//! What the web table takes from outside: bodies of requests, the first word of a socket, addresses, clocks.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    server::decode(bytes);
});
