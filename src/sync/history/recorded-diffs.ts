import { isScriptClass } from '../../protocol/script-class.ts';
import { AppError } from '../../base/errors.ts';
import type { RecordedJournal } from './join-journals.ts';
import { runInSlices, type TimeSlice } from '../../base/time-slice.ts';
import type { JournalItem } from '../../protocol/journal/journal-record.ts';
import { readJournalEnding, readJournalRecord } from '../../protocol/journal/read-record.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import { propertyLines } from '../../protocol/value-text.ts';
import { type EnumItemNames, withEnumNames } from '../changes/run-change.ts';
import type { RecordedDiff } from '../sync-engine.ts';
import { recordedMoves } from './recorded-moves.ts';
import { recordedEffects } from './touched-sides.ts';

/** In place of a result that is not in the record. */
const UNRECORDED = 'The new content is not recorded.\n';

/**
 * The texts that a recorded run replaced, beside those that it wrote: one per file on disk, one per instance in Studio, one per declaration of
 * a `.pt`. A write that failed replaced nothing.
 *
 * @param ids only these changes; omitted: all of them
 * @param max the number of texts to return
 * @throws AppError UNKNOWN_OPERATION
 */
export async function recordedDiffs(
  journal: RecordedJournal,
  enumItem: EnumItemNames,
  runId: string,
  slice: TimeSlice,
  ids?: readonly string[],
  max = Number.POSITIVE_INFINITY,
): Promise<readonly RecordedDiff[]> {
  const entry = await journal.find(runId);
  const record = await runInSlices(readJournalRecord(entry?.record), slice);
  if (record === undefined) throw new AppError('UNKNOWN_OPERATION', { operationId: runId });
  const ending = await runInSlices(readJournalEnding(entry?.ending), slice);
  const { hasWritten, hasChangedStudio } = recordedEffects(ending?.outcomes);
  const read = async (blob: string | null | undefined): Promise<string> =>
    blob === null || blob === undefined ? '' : textOf(await journal.readBlob(runId, blob));
  const diffs = new Map<string, RecordedDiff>();
  const add = (key: string, diff: RecordedDiff): void => {
    diffs.delete(key);
    if (diff.before !== diff.after || diff.movedFrom !== undefined) diffs.set(key, diff);
  };
  const wanted = ids && new Set(ids);
  const writes = new Map(record.writes?.map(write => [write.path, write]));
  const moves = await runInSlices(recordedMoves(record, hasWritten), slice);
  for (const item of record.items) {
    await slice.yieldToEventLoop();
    if (diffs.size >= max) break;
    if (item.choice === 'skip' || wanted?.has(item.id) === false) continue;
    if (item.texts !== undefined) {
      const [before, after] = await Promise.all([read(item.texts.before), read(item.texts.after)]);
      // VS Code colors a text by the end of its path.
      const path = item.path.replace(/(?:\.pluto)?$/, '.pt');
      add(`part ${item.id}`, { changeId: item.id, side: 'disk', path, before, after });
      continue;
    }
    if (item.choice !== 'pull' && hasChangedStudio(item.id)) {
      const own = item.files.find(({ path }) => path === item.fsPath);
      const diff = studioDiff(item, await read(own?.blob), enumItem);
      add(`studio ${item.id}`, { changeId: item.id, ...diff });
    }
    if (item.choice === 'push') continue;
    for (const { path, blob } of item.files) {
      // A former path is part of the diff of the new one.
      if (!hasWritten(item.id, path) || moves.movedTo.has(path)) continue;
      const write = writes.get(path);
      // Older records of Live Sync have no writes: what it wrote is the text of Studio. A command records no large result.
      const isUnknown = item.studio === null && item.patchType === 'Edit';
      const unwritten = isUnknown ? UNRECORDED : (item.studio?.source ?? '');
      const after = write === undefined ? unwritten : await read(write.blob);
      const movedFrom = moves.movedFrom.get(path);
      const before = await read(movedFrom === undefined ? blob : writes.get(movedFrom)?.before);
      add(path, {
        changeId: item.id,
        side: 'disk',
        path,
        ...(movedFrom === undefined ? {} : { movedFrom }),
        before,
        after,
      });
    }
  }
  return Array.from(diffs.values());
}

function studioDiff(item: JournalItem, file: string, enumItem: EnumItemNames): Omit<RecordedDiff, 'changeId'> {
  const { path, name, patchType, className, studio, fsPath } = item;
  const properties = withEnumNames(className, item.properties ?? {}, enumItem);
  const hasText = isScriptClass(className) && fsPath !== null && /\.luau?$/.test(fsPath);
  const side = (text: string, which: 'current' | 'incoming'): string => {
    const lines = propertyLines(properties, which);
    return `${hasText ? lines.replaceAll(/^(?=.)/gm, '-- ') : lines}${text}`;
  };
  const before = studio === null ? '' : hasText ? (studio.source ?? '') : patchType === 'Edit' ? '' : treeOf(studio);
  const after = patchType === 'Remove' ? '' : hasText || patchType === 'Add' ? file : '';
  const extension = hasText ? '.luau' : '';
  return {
    side: 'studio',
    path: `${path}${extension}`,
    ...(name === undefined ? {} : { name: `${name}${extension}` }),
    before: patchType === 'Add' ? '' : side(before, 'current'),
    after: patchType === 'Remove' ? '' : side(after, 'incoming'),
  };
}

/** One line per instance, indented by depth. */
function treeOf({ className, name, children }: StudioInstance, indent = ''): string {
  return `${indent}${className} ${name}\n${children.map(child => treeOf(child, `${indent}  `)).join('')}`;
}

const textOf = (bytes: Uint8Array): string =>
  bytes.includes(0) ? `Binary file, ${bytes.length} bytes\n` : new TextDecoder().decode(bytes);
