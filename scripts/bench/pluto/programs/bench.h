#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static void run(void);
static void print(int64_t value) { printf("%lld\n", (long long)value); }
int main(void) {
  run();
  fprintf(stderr, "%f", clock() * 1000.0 / CLOCKS_PER_SEC);
}
