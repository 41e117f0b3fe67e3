import { rm } from 'node:fs/promises';
import { SerialQueue } from '../../base/serial-queue.ts';
import type { ReviewDrafts } from '../../ports/review-drafts.ts';
import { SavedDecision } from '../../protocol/review.ts';
import { readStateFile, writeStateFile, stateFileOfPlace } from './state-file.ts';
import { makeStateFolder } from './make-state-folder.ts';

const VERSION = 1;
const never = new AbortController().signal;

/** One file per place in a folder, replaced atomically. Created on first use. */
export function createJsonReviewDrafts(folder: string): ReviewDrafts {
  const queue = new SerialQueue();
  const fileOf = (place: string): string => stateFileOfPlace(folder, place);
  return {
    load: place => queue.run(never, () => read(fileOf(place))),
    save: (place, decisions) =>
      queue.run(never, async () => {
        const path = fileOf(place);
        if (decisions.size === 0) return rm(path, { force: true });
        await makeStateFolder(folder);
        await writeStateFile(path, VERSION, Object.fromEntries(decisions));
      }),
  };
}

/** Ignores damaged files: the person then decides again. */
async function read(path: string): Promise<ReadonlyMap<string, SavedDecision>> {
  const stored = (await readStateFile(path, VERSION))?.value;
  if (typeof stored !== 'object' || stored === null) return new Map();
  return new Map(
    Object.entries(stored).flatMap(([key, value]) => {
      const decision = SavedDecision.safeParse(value);
      return decision.success ? [[key, decision.data] as const] : [];
    }),
  );
}
