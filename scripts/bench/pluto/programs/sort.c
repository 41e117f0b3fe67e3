#include "bench.h"
static void sort(int64_t *items, int64_t low, int64_t high) {
  if (low >= high) return;
  int64_t pivot = items[(low + high) / 2], i = low, j = high;
  while (i <= j) {
    while (items[i] < pivot) i++;
    while (items[j] > pivot) j--;
    if (i <= j) {
      int64_t other = items[i];
      items[i++] = items[j];
      items[j--] = other;
    }
  }
  sort(items, low, j);
  sort(items, i, high);
}
static void run(void) {
  int64_t seed = 12345, *items = malloc(1000000 * sizeof *items);
  for (int i = 0; i < 1000000; i++) items[i] = seed = (seed * 1103515245 + 12345) % 2147483648;
  sort(items, 0, 999999);
  print(items[0]);
  print(items[500000]);
}
