import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ProjectPath } from '../../../src/base/brand.ts';
import { createNodeFileSystem } from '../../../src/adapters/fs/node-file-system.ts';
import { nodeHasher } from '../../../src/adapters/node/hasher.ts';
import type { FileEdit } from '../../../src/ports/file-system.ts';
import { writeEdits } from '../../../src/project/writeback/write-edits.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const ROUNDS = 150;
/** An editor that saves in another process. Resolves once the text is saved. */
async function startEditor() {
  const program = fileURLToPath(new URL('saving-editor.ts', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  return {
    async save(file: string, text: string, how: string, delay: number): Promise<void> {
      child.stdin.write(`${file} ${text} ${how.replaceAll(' ', '-')} ${delay}\n`);
      await once(lines, 'line');
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'close');
    },
  };
}

const old = { kind: 'hash', gitBlob: nodeHasher.gitBlob(Buffer.from('old')) } as const;
const bytes = Buffer.from('new');

/** The writes while an editor saves `A.luau`. */
const plans: Readonly<Record<string, readonly FileEdit[]>> = {
  // The plan of every rename of an instance: the file with its new name, then the removal of the old one.
  renamed: [
    { kind: 'write', path: 'B.luau' as ProjectPath, bytes: Buffer.from('old'), precondition: { kind: 'absent' } },
    { kind: 'remove', path: 'A.luau' as ProjectPath, precondition: old },
  ],
  replaced: [{ kind: 'write', path: 'A.luau' as ProjectPath, bytes, precondition: old }],
};

for (const how of ['in place', 'by renaming'])
  for (const [action, edits] of Object.entries(plans))
    test(`loses no text that an editor saves ${how} while its file is ${action}`, { timeout: 240_000 }, async () => {
      await using folder = await tempFolder();
      await using editor = await startEditor();
      const files = createNodeFileSystem(folder.path, nodeHasher);
      const file = join(folder.path, 'A.luau');
      let lastMs = 2;
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const name of await readdir(folder.path)) rmSync(join(folder.path, name));
        await writeFile(file, 'old');
        // Before, during or after any step, however busy the machine is.
        const delay = Math.floor(((round % 30) / 20) * lastMs * 1000);
        const saved = editor.save(file, `saved-${round}`, how, delay);
        const startedAt = performance.now();
        const { problem } = await writeEdits(edits, files);
        lastMs = performance.now() - startedAt;
        await saved;
        const where = `round ${round}, ${delay} µs, ${JSON.stringify(problem)}`;
        assert.equal(readFileSync(file, 'utf8'), `saved-${round}`, where);
        const names = (await readdir(folder.path)).toSorted();
        assert.ok(
          names.every(name => ['A.luau', 'B.luau'].includes(name)),
          `${where}: ${names.join(', ')}`,
        );
      }
    });
