//! Closes the initial states of Sylvan's dumps under their relations: `closure model.ldd …` prints states, time and statistics.

fn main() {
    for name in std::env::args().skip(1) {
        let bytes = std::fs::read(&name).unwrap();
        let store = ldd::Store::with_memory(4 << 30).unwrap();
        let dump = store.read_dump(&bytes).unwrap();
        let start = std::time::Instant::now();
        let reached = store.closure(&dump.initial, &dump.relations).unwrap();
        let time = start.elapsed().as_secs_f64();
        println!("{name}: {} states, {time:.2} s, {:?}", store.count(&reached), store.statistics());
    }
}
