import type { ScriptMerger } from '../../src/ports/script-merger.ts';
import { mergeTexts } from '../../src/sync/merge/merge-texts.ts';
import { scanLuau } from '../../src/sync/merge/scan-luau.ts';

const compileProblem = async (text: string): Promise<string | undefined> =>
  scanLuau(text) === undefined ? 'line 1: a block or bracket does not close' : undefined;

/** Merges in this thread. Treats every text whose blocks and brackets close as one that compiles. */
export const localMerger: ScriptMerger = {
  async merge(texts) {
    const merged = mergeTexts(texts);
    return merged.conflicts.length > 0 ? merged : { ...merged, problem: await compileProblem(merged.text) };
  },
  compileProblem,
};
