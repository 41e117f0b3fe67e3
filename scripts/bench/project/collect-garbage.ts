import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** All of it; what finalisers let go of needs a second time. */
export function collectGarbage(): void {
  collect();
  collect();
}
