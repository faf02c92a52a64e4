// SPDX-License-Identifier: GPL-2.0-or-later
//! Threads that recurse, work, sort, format, panic now and then, and sleep, until they are told to stop.
use std::collections::HashMap;
use std::hint::black_box;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[inline(never)]
fn burn_rust(n: u64) -> u64 {
    (0..n).fold(0, |s, i| black_box(s ^ i.wrapping_mul(i)))
}

#[inline(never)]
fn deep_rust(depth: u32) -> u64 {
    if depth == 0 {
        return burn_rust(100_000);
    }
    black_box(deep_rust(depth - 1)) + 1
}

fn work(map: &Mutex<HashMap<u64, String>>) {
    let x = deep_rust(50);
    map.lock().unwrap().insert(x % 100, format!("{x}"));
    let mut v: Vec<u64> = (0..1000).rev().collect();
    v.sort_by(|a, b| a.cmp(b));
    let _ = std::panic::catch_unwind(|| {
        if black_box(v.len()) == 1000 {
            panic!()
        }
    });
    std::thread::sleep(Duration::from_millis(1));
}

fn main() {
    let map = Arc::new(Mutex::new(HashMap::new()));
    std::panic::set_hook(Box::new(|_| {}));
    for _ in 0..3 {
        let map = map.clone();
        std::thread::spawn(move || loop {
            work(&map)
        });
    }
    std::thread::sleep(Duration::from_secs(60));
}
