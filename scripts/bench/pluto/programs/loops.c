#include "bench.h"
static void run(void) {
  int64_t sum = 0;
  for (int64_t i = 0; i < 50000000; i++) sum += i % 7 * 3;
  print(sum);
}
