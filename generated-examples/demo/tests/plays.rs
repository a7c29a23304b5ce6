//! The demo is played to its end, and its totals are what it promises.

use std::process::Command;

#[test]
fn it_is_played_and_no_deposit_arrives_twice() {
    let played = Command::new(env!("CARGO_BIN_EXE_cofferdam-demo")).output().unwrap();
    let text = String::from_utf8_lossy(&played.stdout);
    assert!(played.status.success(), "{text}{}", String::from_utf8_lossy(&played.stderr));
    for scene in ["FINE: ", "SLOW: ", "FAILING: ", "HANGING: ", "FINE again: "] {
        assert!(text.contains(scene), "{scene}\n{text}");
    }
    // Eight deposits at once find three places; the one after a failure, and one in good health, twice.
    assert!(text.contains("deposit (sent once)      asked 11, arrived  6, never twice"), "{text}");
    assert!(text.contains("3 of 8 deposits at once"), "{text}");
    assert!(text.contains("5 of 8 deposits at once"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
}
