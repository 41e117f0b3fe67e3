#include "bench.h"
static void run(void) {
  int64_t n = 5000000, count = 0;
  unsigned char *marked = calloc(n + 1, 1);
  for (int64_t i = 2; i <= n; i++) {
    if (marked[i]) continue;
    count++;
    for (int64_t j = i * i; j <= n; j += i) marked[j] = 1;
  }
  print(count);
}
