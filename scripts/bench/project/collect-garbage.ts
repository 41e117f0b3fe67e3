import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Collects all garbage. Objects that finalizers release require a second collection. */
export function collectGarbage(): void {
  collect();
  collect();
}
