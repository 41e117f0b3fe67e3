import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createNodeFileSystem } from '../../../../src/adapters/fs/node-file-system.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { ProjectPath } from '../../../../src/base/brand.ts';
import { AppError } from '../../../../src/base/errors.ts';
import { swapFolder } from '../../../harness/swap-folder.ts';

const path = (text: string): ProjectPath => text as ProjectPath;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const hashOf = (text: string) => ({ kind: 'hash', gitBlob: nodeHasher.gitBlob(bytes(text)) }) as const;
const WRITES = 150;

/** Names and contents, also below folders. */
const contentOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(entry => {
      const file = join(entry.parentPath, entry.name);
      return `${file} ${entry.isFile() ? readFileSync(file, 'utf8') : ''}`;
    })
    .toSorted();

test('never writes outside of the project while a folder is swapped for a link', async t => {
  const dir = mkdtempSync(join(tmpdir(), 'atlas-swap-'));
  try {
    const [root, outside] = [join(dir, 'project'), join(dir, 'outside')];
    mkdirSync(join(root, 'src', 'deep'), { recursive: true });
    mkdirSync(join(outside, 'deep'), { recursive: true });
    // Equal on both sides, so that the expected contents do not distinguish them.
    for (const side of [join(root, 'src'), outside])
      for (const folder of [side, join(side, 'deep')])
        for (let n = 0; n < WRITES; n++)
          for (const kind of ['replaced', 'removed']) writeFileSync(join(folder, `${kind}${n}.luau`), 'old');
    const before = contentOf(outside);
    const files = createNodeFileSystem(root, nodeHasher);
    const done = { created: 0, replaced: 0, removed: 0, refused: 0 };
    const attempt = async (kind: 'created' | 'replaced' | 'removed', write: Promise<void>): Promise<void> => {
      try {
        await write;
        done[kind] += 1;
      } catch (error) {
        assert.ok(error instanceof AppError, String(error));
        done.refused += 1;
      }
    };
    {
      await using _swapping = await swapFolder(join(root, 'src'), outside);
      for (let n = 0; n < WRITES; n++)
        for (const folder of ['src', 'src/deep']) {
          await attempt('created', files.replace(path(`${folder}/new${n}/a.luau`), bytes('new'), { kind: 'absent' }));
          await attempt('created', files.replace(path(`${folder}/new${n}.luau`), bytes('new'), { kind: 'absent' }));
          await attempt('replaced', files.replace(path(`${folder}/replaced${n}.luau`), bytes('new'), hashOf('old')));
          await attempt('removed', files.remove(path(`${folder}/removed${n}.luau`), hashOf('old')));
        }
    }
    t.diagnostic(JSON.stringify(done));
    assert.deepEqual(contentOf(outside), before);
    assert.ok(done.created > 0 && done.replaced > 0 && done.removed > 0 && done.refused > 0, JSON.stringify(done));
    assert.deepEqual(
      contentOf(root).filter(entry => entry.includes('.atlas-bridge-')),
      [],
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
