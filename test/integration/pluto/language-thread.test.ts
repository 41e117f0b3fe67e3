import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startLanguageThread } from '../../../src/pluto/vscode/language-thread.ts';
import type { ProjectPath } from '../../../src/base/brand.ts';
import { containerOf } from '../../harness/pluto-container.ts';

const worker = new URL('../../../src/pluto/workers/language-worker.ts', import.meta.url);
const geo = 'pub fn origin() int {\n    return 0\n}\n';
const main = 'import geo\n\nfn main() {\n    print(geo.origin())\n}\n';
const mainPath = 'main.pt' as ProjectPath;
let folder = '';

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'atlas-language-'));
  writeFileSync(join(folder, 'geo.pluto'), containerOf(geo));
  writeFileSync(join(folder, 'main.pt'), main);
});
after(() => rmSync(folder, { recursive: true, force: true }));

const start = (at: string | undefined, failures: Error[] = []) =>
  startLanguageThread(worker, { folder: at }, error => failures.push(error));

test('answers questions about the modules of its folder, in order', async () => {
  using thread = start(folder);
  const edited = thread.ask('setDocument', { path: mainPath, text: main.replace('origin', 'nowhere') });
  const found = thread.ask('changedFindings', {});
  const back = thread.ask('setDocument', { path: mainPath, text: main });
  const after = thread.ask('changedFindings', {});
  const definition = thread.ask('definition', { path: mainPath, at: { line: 3, character: 16 } });
  await Promise.all([edited, back]);
  assert.deepEqual(
    (await found).map(({ file, findings }) => [file.path, findings.length]),
    [['main.pt', 1]],
  );
  assert.deepEqual(
    (await after).map(({ file, findings }) => [file.path, findings.length]),
    [['main.pt', 0]],
  );
  assert.deepEqual(
    (await definition).map(({ file }) => file),
    [{ path: 'geo.pluto', kind: 'container' }],
  );
});

test('answers questions about one text without a folder', async () => {
  using thread = start(undefined);
  assert.equal(await thread.ask('format', { text: 'fn  f(){}' }), 'fn f() {}\n');
  assert.deepEqual(await thread.ask('viewOfContainer', { bytes: new Uint8Array([1]) }), {
    ok: false,
    error: 'the file does not start with PLTO',
  });
  assert.deepEqual(await thread.ask('changedFindings', {}), []);
});

test('rejects a failed question, and answers the next one', async () => {
  using thread = start(join(folder, 'gone'));
  await assert.rejects(thread.ask('changedFindings', {}), /no such file or folder/);
  assert.equal(await thread.ask('format', { text: '' }), '');
});

test('rejects every question when the thread is stopped', async () => {
  const thread = start(folder);
  const asked = assert.rejects(thread.ask('changedFindings', {}), /stopped/);
  thread[Symbol.dispose]();
  await asked;
  await assert.rejects(thread.ask('changedFindings', {}), /stopped/);
});

test('reports to the caller and the owner when a thread cannot start', async () => {
  const failures: Error[] = [];
  using thread = startLanguageThread(new URL('./no-such-worker.ts', import.meta.url), { folder }, error =>
    failures.push(error),
  );
  await assert.rejects(thread.ask('changedFindings', {}));
  assert.equal(failures.length, 1);
});
