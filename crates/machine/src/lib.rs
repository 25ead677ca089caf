//! What the machine has and what this process takes of it: memory ([`memory`]) and time of the processors
//! ([`processor`]).
//!
//! In comes nothing but what the operating system tells; out go bytes and seconds, or `None` where the system
//! does not tell.

pub mod memory;
pub mod processor;
mod system;
