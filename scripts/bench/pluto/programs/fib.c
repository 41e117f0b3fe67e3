#include "bench.h"
static int64_t fib(int64_t n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static void run(void) { print(fib(35)); }
