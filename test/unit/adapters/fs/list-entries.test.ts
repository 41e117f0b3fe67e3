import assert from 'node:assert/strict';
import type { Dirent } from 'node:fs';
import { test } from 'node:test';
import { listEntries } from '../../../../src/adapters/fs/list-entries.ts';
import { WorkingClock } from '../../../harness/working-clock.ts';

const COUNT = 1_000;

test('[P6] lists a folder with thousands of entries in many turns, in byte order', async () => {
  let turns = 0;
  const clock = new (class extends WorkingClock {
    override after(ms: number, fn: () => void): () => void {
      turns += 1;
      return super.after(ms, fn);
    }
  })();
  const entry = (name: string, kind: 'file' | 'link'): Dirent =>
    ({
      name,
      isFile: () => kind === 'file',
      isDirectory: () => false,
      isSymbolicLink: () => kind === 'link',
    }) as Dirent;
  const files = Array.from({ length: COUNT }, (_, index) => entry(`S${(index * 7) % COUNT}.luau`, 'file'));
  const others = [entry('.env', 'link'), entry('A', 'link'), entry('.atlas-bridge-0123456789abcdef.tmp', 'file')];
  const resolved: string[] = [];
  const kindOfLink = async (name: string) => {
    resolved.push(name);
    return { kind: 'directory' } as const;
  };
  const listed = await listEntries([...files, ...others], kindOfLink, clock);
  assert.equal(listed.length, COUNT + 2);
  assert.deepEqual(listed.slice(0, 3), [
    { name: '.env', kind: 'other' },
    { name: 'A', kind: 'directory' },
    { name: 'S0.luau', kind: 'file' },
  ]);
  assert.deepEqual(
    listed.map(({ name }) => name).toSorted(),
    listed.map(({ name }) => name),
  );
  assert.deepEqual(resolved, ['A']);
  assert.ok(turns > COUNT / 4, `${turns}`);
});
