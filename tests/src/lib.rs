//! A loopback server that fails in the ways servers fail, and counts what arrived.
