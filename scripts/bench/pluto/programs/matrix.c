#include "bench.h"
static int64_t *make(int64_t n, int64_t seed) {
  int64_t *cells = malloc(n * n * sizeof *cells);
  for (int64_t i = 0; i < n * n; i++) cells[i] = i * seed % 100;
  return cells;
}
static void run(void) {
  int64_t n = 300, *a = make(n, 7), *b = make(n, 13), total = 0;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++) {
      int64_t sum = 0;
      for (int64_t k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
      total += sum;
    }
  print(total);
}
