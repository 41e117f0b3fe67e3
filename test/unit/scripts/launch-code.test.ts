import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { launchCode } from '../../../scripts/vscode/launch-code.ts';

test(
  '[P7] opens the folder in desktop VS Code with a separate profile, and closes it',
  { timeout: 120_000 },
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'launch-code-'));
    try {
      // Replaces `code` on the PATH: it records its arguments, and keeps running with --wait.
      const code = join(dir, 'code');
      const calls = join(dir, 'calls.txt');
      await writeFile(
        code,
        `#!/bin/sh\necho "$@" >> '${calls}'\ncase "$*" in *--wait*) echo open; exec sleep 600;; esac\n`,
      );
      await chmod(code, 0o755);
      // Waiting for the window to be closed would take longer than the test may.
      {
        await using window = await launchCode({
          code,
          dir,
          folder: '/games/obby',
          vsix: '/games/atlas.vsix',
          settings: { 'atlas.port': 4000 },
        });
        // The type of the result has only a disposer, because callers may do nothing else.
        assert.ok(Symbol.asyncDispose in window);
        while (!(await readFile(calls, 'utf8')).includes('--wait')) await new Promise(resolve => setImmediate(resolve));
      }
      const [install, open] = (await readFile(calls, 'utf8')).trim().split('\n');
      assert.match(
        install ?? '',
        /--user-data-dir \S+ --extensions-dir \S+ --install-extension \/games\/atlas\.vsix --force/,
      );
      assert.match(open ?? '', /--new-window --wait \/games\/obby$/);
      const settings = JSON.parse(await readFile(join(dir, 'user-data/User/settings.json'), 'utf8')) as object;
      assert.equal(Object.fromEntries(Object.entries(settings))['atlas.port'], 4000);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  },
);
