import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { AppError } from '../../../../src/base/errors.ts';
import { reasonText } from '../../../../src/protocol/reason.ts';
import type { PlannedWrite, RunChange } from '../../../../src/sync/changes/run-change.ts';
import { inWritingOrder, writeFiles } from '../../../../src/sync/run/write-files.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { MemoryFileSystem } from '../../../harness/memory-file-system.ts';
import { runChange } from '../../../harness/run-change.ts';

const absent = { kind: 'absent' } as const;

const write = (path: string, ...changes: RunChange[]): PlannedWrite => ({
  edit: { kind: 'write', path: path as ProjectPath, bytes: Buffer.from('new\n'), precondition: absent },
  changes,
});
const remove = (path: string, ...changes: RunChange[]): PlannedWrite => ({
  edit: { kind: 'remove', path: path as ProjectPath, precondition: { kind: 'emptyFolder' } },
  changes,
});
const pulled = (id: string, choice: 'pull' | 'merge' = 'pull'): RunChange => runChange({ id }, { choice });
const outcomes = (changes: readonly RunChange[]) =>
  changes.map(({ choice, outcome, reason }) => [choice, outcome, reason && reasonText(reason)]);

/** A disk on which the writes of these paths fail, or never end. */
function disk(failing: Readonly<Record<string, AppError | 'silent'>> = {}): MemoryFileSystem {
  const files = new MemoryFileSystem();
  files.fault = (_, path) => {
    const failure = failing[path];
    if (failure === 'silent') return new Promise<never>(() => {});
    if (failure !== undefined) throw failure;
    return undefined;
  };
  return files;
}

async function run(writes: readonly PlannedWrite[], confirmed: readonly RunChange[], files: MemoryFileSystem) {
  const clock = new ManualClock();
  const progress: number[] = [];
  const written = writeFiles(writes, confirmed, { files, hasher: nodeHasher }, done => progress.push(done), {
    clock,
    ms: 1000,
  });
  const isDone = written.then(() => true);
  while (!(await Promise.race([isDone, new Promise<false>(next => setImmediate(() => next(false)))])))
    clock.advance(1000);
  return progress;
}

test('writes files before it removes any, and removes folders after what is in them', () => {
  const writes = [
    remove('src'),
    remove('src/Box/Kit'),
    write('lib/deep/folder/New.luau'),
    remove('src/Box'),
    write('A.luau'),
  ];
  assert.deepEqual(
    inWritingOrder(writes).map(({ edit }) => edit.path),
    ['lib/deep/folder/New.luau', 'A.luau', 'src/Box/Kit', 'src/Box', 'src'],
  );
});

test('writes the files of each confirmed change, and counts them', async () => {
  const [kit, lamp] = [pulled('kit'), pulled('lamp')];
  const files = disk();
  assert.deepEqual(await run([write('Kit.luau', kit), write('Lamp.luau', lamp)], [kit, lamp], files), [0, 1]);
  assert.deepEqual([files.text('Kit.luau'), files.text('Lamp.luau')], ['new\n', 'new\n']);
  assert.deepEqual(outcomes([kit, lamp]), [
    ['pull', 'written', undefined],
    ['pull', 'written', undefined],
  ]);
});

test('writes no file of a change that shares another file with one that Studio did not confirm', async () => {
  const [kit, lamp, rest] = [pulled('kit'), pulled('lamp'), pulled('rest')];
  const files = disk();
  await run(
    [write('Kit.luau', kit), write('Both.model.json', kit, lamp), write('Rest.luau', rest)],
    [kit, rest],
    files,
  );
  assert.deepEqual([files.text('Kit.luau'), files.text('Rest.luau')], [undefined, 'new\n']);
  assert.deepEqual(outcomes([kit, lamp, rest]), [
    ['pull', 'failed', 'Both.model.json also contains ServerScriptService/lamp, which could not be written'],
    ['pull', undefined, undefined],
    ['pull', 'written', undefined],
  ]);
});

test('names the files that were written before one that failed', async () => {
  const kit = pulled('kit');
  const writes = [write('A.luau', kit), write('B.luau', kit), write('C.luau', kit), write('D.luau', kit)];
  const files = disk({ 'C.luau': new AppError('FS_WRITE_FAILED', { file: 'C.luau', reason: 'no space' }) });
  await run(writes, [kit], files);
  const [[, outcome, reason] = []] = outcomes([kit]);
  assert.equal(outcome, 'failed');
  assert.match(String(reason), /\(already written: A\.luau, B\.luau\)$/);
  assert.equal(files.text('D.luau'), undefined);
});

test('asks again about a change whose file another program saved, unless some of it was written or Studio has it', async () => {
  const changed = new AppError('FILE_CHANGED', { file: 'X.luau' });
  const [kit, lamp, merged] = [pulled('kit'), pulled('lamp'), pulled('merged', 'merge')];
  const files = disk({ 'Kit.luau': changed, 'Lamp.luau': changed, 'Merged.luau': changed });
  const writes = [write('First.luau', lamp), write('Kit.luau', kit), write('Lamp.luau', lamp)];
  await run([...writes, write('Merged.luau', merged)], [kit, lamp, merged], files);
  assert.deepEqual([kit.choice, lamp.choice, merged.choice], [null, 'pull', 'merge']);
  assert.deepEqual([kit.outcome, lamp.outcome, merged.outcome], [undefined, 'failed', 'failed']);
});

test('writes nothing more after a write that never ends, whose outcome is unknown', async () => {
  const [kit, lamp] = [pulled('kit'), pulled('lamp')];
  const files = disk({ 'Kit.luau': 'silent' });
  await run([write('Kit.luau', kit), write('Lamp.luau', lamp)], [kit, lamp], files);
  assert.deepEqual(outcomes([kit, lamp]), [
    ['pull', 'unknown', 'Timed out after 1000 ms waiting for Kit.luau to be written.'],
    ['pull', 'failed', 'not written: the disk stopped responding'],
  ]);
  assert.equal(files.text('Lamp.luau'), undefined);
});
