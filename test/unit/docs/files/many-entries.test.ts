import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeRootFiles } from '../../../../src/docs/adapters/files/node-root-files.ts';
import { walk } from '../../../../src/docs/files/walk.ts';
import type { RootEntry, RootFiles } from '../../../../src/docs/ports/root-files.ts';
import { strictTerms, retrievalOfHost } from '../../../../src/docs/retrieval.ts';
import { CountingSlice } from '../../../harness/counting-slice.ts';
import { rootHost } from '../../../harness/root-host.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { WorkingClock } from '../../../harness/working-clock.ts';

const COUNT = 20_000;
/** Entries that may be processed in one turn of the event loop. */
const MAX_PER_TURN = 256;
const entries: readonly RootEntry[] = Array.from({ length: COUNT }, (_, index) => ({
  name: `file${String((index * 7_919) % COUNT).padStart(5, '0')}.md`,
  kind: 'file',
}));
/** A folder with many entries, in no order. */
const files: RootFiles = { ...nodeRootFiles, list: async () => entries };

test('lists a folder with thousands of entries in many turns, in order', async () => {
  await using folder = await tempFolder({});
  let looks = 0;
  class CountingClock extends WorkingClock {
    override now(): number {
      looks += 1;
      return super.now();
    }
  }
  const retrieval = retrievalOfHost(rootHost({ DOCS_ROOT: folder.path }, { files }), new CountingClock());
  const { result } = await retrieval.listDir(
    { scope: undefined, path: '', cursor: undefined },
    strictTerms,
    new AbortController().signal,
  );
  assert.deepEqual(
    result.entries.slice(0, 2).map(({ path }) => path),
    ['file00000.md', 'file00001.md'],
  );
  assert.ok(looks > COUNT / MAX_PER_TURN, `${looks}`);
});

test('walks a folder with thousands of entries in many turns, in order', async () => {
  const slice = new CountingSlice();
  const root = { id: 'docs', folder: '/' };
  const found: string[] = [];
  for await (const path of walk(files, root, slice, new AbortController().signal)) found.push(path);
  assert.deepEqual(found.slice(0, 2), ['file00000.md', 'file00001.md']);
  assert.ok(slice.turns > COUNT / MAX_PER_TURN, `${slice.turns}`);
});
