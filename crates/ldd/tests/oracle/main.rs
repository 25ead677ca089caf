//! Every operation against a naive one on `HashSet<Vec<u32>>`: exhaustively on small domains, at random on
//! larger ones, with garbage collected at every node, and from several threads.
//! `PINSCHER_SEED=… cargo test -p ldd` repeats a random run.

mod counting;
mod depth;
mod dumps;
mod exhaustive;
mod garbage;
mod interruption;
mod naive;
mod operations;
mod pool;
mod random;
mod relations;
mod saving;
mod schedules;
mod sums;
mod threads;
