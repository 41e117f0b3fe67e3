import { randomBytes, randomUUID } from 'node:crypto';
import type { Random } from '../../ports/random.ts';

const REF_BYTES = 16;
/** Ids per request of random bytes, because a system call for each id takes longer than any other work for an instance. */
const REF_BATCH_SIZE = 256;
let pool = Buffer.alloc(0);

export const nodeRandom: Random = {
  ref: () => {
    if (pool.length === 0) pool = randomBytes(REF_BYTES * REF_BATCH_SIZE);
    const ref = pool.toString('hex', 0, REF_BYTES);
    pool = pool.subarray(REF_BYTES);
    return ref;
  },
  uuid: () => randomUUID(),
};
