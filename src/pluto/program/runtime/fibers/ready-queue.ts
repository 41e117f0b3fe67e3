import type { Fiber } from './fiber.ts';

/** Fibers that may be able to run. They take turns by number. */
export class ReadyQueue {
  /** A binary heap with the lowest number first: the fibers whose turn is still to come in this round. */
  #round: Fiber[] = [];
  #nextRound: Fiber[] = [];
  #last = -1;

  add(fiber: Fiber): void {
    if (fiber.isQueued) return;
    fiber.isQueued = true;
    push(fiber.number > this.#last ? this.#round : this.#nextRound, fiber);
  }

  /** Removes the fiber whose turn it is. */
  take(): Fiber | undefined {
    if (this.#round.length === 0) {
      [this.#round, this.#nextRound] = [this.#nextRound, this.#round];
      this.#last = -1;
    }
    const fiber = pop(this.#round);
    if (fiber === undefined) return undefined;
    fiber.isQueued = false;
    this.#last = fiber.number;
    return fiber;
  }
}

function push(heap: Fiber[], fiber: Fiber): void {
  let at = heap.length;
  heap.push(fiber);
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || parent.number <= fiber.number) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = fiber;
}

function pop(heap: Fiber[]): Fiber | undefined {
  const [first] = heap;
  const last = heap.pop();
  if (last === undefined || last === first) return first;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    const [left, right] = [heap[below], heap[below + 1]];
    const least = right !== undefined && left !== undefined && right.number < left.number ? right : left;
    if (least === undefined || least.number >= last.number) break;
    if (least === right) below += 1;
    heap[at] = least;
    at = below;
  }
  heap[at] = last;
  return first;
}
