//! Closes the initial states of Sylvan's dumps under their relations: `closure [--threads N] model.ldd …`
//! prints states, time and statistics.

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut threads = 1;
    if arguments.first().is_some_and(|first| first == "--threads") {
        threads = arguments[1].parse().unwrap();
        arguments.drain(..2);
    }
    for name in arguments {
        let bytes = std::fs::read(&name).unwrap();
        let store = ldd::Store::with_memory(4 << 30).unwrap();
        store.set_threads(threads);
        let dump = store.read_dump(&bytes).unwrap();
        let start = std::time::Instant::now();
        let reached = store.closure(&dump.initial, &dump.relations).unwrap();
        let time = start.elapsed().as_secs_f64();
        println!("{name}: {} states, {time:.2} s, {:?}", store.count(&reached), store.statistics());
    }
}
