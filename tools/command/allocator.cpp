// Memory comes from jemalloc: what the loop hands over to other threads is freed there, which glibc's malloc
// is slow at.

/// Read by jemalloc before main(). A few arenas for all threads, and free memory is given back after a
/// second: the defaults, four arenas for each processor and ten seconds, hold more than a service at home
/// should.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "narenas:4,dirty_decay_ms:1000,muzzy_decay_ms:0";
}
