#include "bench.h"
#include <math.h>
typedef struct {
  double x, y, z, vx, vy, vz, mass;
} Body;
static void advance(Body *bodies, int64_t count, double dt) {
  for (int64_t i = 0; i < count; i++) {
    Body *a = &bodies[i];
    for (int64_t j = i + 1; j < count; j++) {
      Body *b = &bodies[j];
      double dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
      double square = dx * dx + dy * dy + dz * dz;
      double pull = dt / (square * sqrt(square));
      a->vx -= dx * b->mass * pull;
      a->vy -= dy * b->mass * pull;
      a->vz -= dz * b->mass * pull;
      b->vx += dx * a->mass * pull;
      b->vy += dy * a->mass * pull;
      b->vz += dz * a->mass * pull;
    }
  }
  for (int64_t i = 0; i < count; i++) {
    bodies[i].x += dt * bodies[i].vx;
    bodies[i].y += dt * bodies[i].vy;
    bodies[i].z += dt * bodies[i].vz;
  }
}
static void run(void) {
  Body bodies[5];
  for (int i = 0; i < 5; i++)
    bodies[i] = (Body){i * 1.5 + 0.1, i * 0.7 - 1.0, 0.3 * i, 0.01 * i, 0.02 - 0.003 * i, 0.001 * i, 1.0 / (i + 1.0)};
  for (int i = 0; i < 1000000; i++) advance(bodies, 5, 0.001);
  print((int64_t)(bodies[0].x * 1000000.0));
  print((int64_t)(bodies[4].vz * 1000000.0));
}
