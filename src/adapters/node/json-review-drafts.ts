import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ifFound } from '../../base/errno.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import type { ReviewDrafts } from '../../ports/review-drafts.ts';
import { Choice } from '../../protocol/sync.ts';
import { putFlushed } from './flushed-files.ts';

const never = new AbortController().signal;

/** One file per place in a folder, replaced whole. Created on first use. */
export function createJsonReviewDrafts(folder: string): ReviewDrafts {
  const lane = new SerialQueue();
  const fileOf = (place: string): string =>
    join(folder, `${createHash('sha256').update(place).digest('hex').slice(0, 32)}.json`);
  return {
    load: place => lane.run(never, () => read(fileOf(place))),
    save: (place, choices) =>
      lane.run(never, async () => {
        const path = fileOf(place);
        if (choices.size === 0) return rm(path, { force: true });
        await mkdir(folder, { recursive: true });
        const beside = `${path}.${randomBytes(8).toString('hex')}.tmp`;
        try {
          await putFlushed(path, beside, new TextEncoder().encode(JSON.stringify(Object.fromEntries(choices))));
        } finally {
          await rm(beside, { force: true });
        }
      }),
  };
}

/** Ignores a damaged file: the person then chooses again. */
async function read(path: string): Promise<ReadonlyMap<string, Choice>> {
  const text = await ifFound(readFile(path, 'utf8'));
  if (text === undefined) return new Map();
  try {
    const kept = JSON.parse(text) as unknown;
    if (typeof kept !== 'object' || kept === null) return new Map();
    return new Map(
      Object.entries(kept).flatMap(([key, value]) => {
        const choice = Choice.safeParse(value);
        return choice.success ? [[key, choice.data] as const] : [];
      }),
    );
  } catch {
    return new Map();
  }
}
