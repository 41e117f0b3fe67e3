import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { typeCommand, typeWithStudio } from '../../harness/command-line.ts';

interface Row {
  readonly tool: string;
  readonly typed: string;
  /** Folder, from that of the project. */
  readonly cwd?: string;
  readonly prints?: string;
  /** The output of a command that runs until Ctrl+C. */
  readonly until?: string;
  readonly files?: readonly string[];
  readonly missing?: readonly string[];
  /** A file that the command changes. */
  readonly changes?: string;
  /** Part of the sentence that says what to use. */
  readonly instead?: string;
}

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const { rows } = JSON.parse(readFileSync(join(root, 'test/fixtures/cli/peers.json'), 'utf8')) as {
  readonly rows: readonly Row[];
};

const tree = `{"$className": "DataModel",
  "ReplicatedStorage": {"Data": {"$className": "Folder"}}, "ServerScriptService": {"$path": "src/server"}}`;
const project = {
  'default.project.json': `{"name": "Game", "tree": ${tree}}`,
  'lib.project.json': '{"name": "Lib", "tree": {"$path": "lib"}}',
  'src/server/Main.server.luau': 'print(1)\n',
  'lib/init.luau': 'return 1\n',
  'new/.keep': '',
};

let shared = '';
before(async () => {
  shared = mkdtempSync(join(tmpdir(), 'atlas-peers-'));
  for (const [path, text] of Object.entries(project)) {
    mkdirSync(dirname(join(shared, 'project', path)), { recursive: true });
    writeFileSync(join(shared, 'project', path), text);
  }
  const extra = join(shared, 'project/src/server/Extra.server.luau');
  writeFileSync(extra, 'print(2)\n');
  const built = await typeCommand(['build', '-o', 'place.rbxl'], { cwd: join(shared, 'project') });
  assert.equal(built.code, 0, built.err);
  rmSync(extra);
});
after(() => rmSync(shared, { recursive: true, force: true }));

for (const [index, row] of rows.entries()) {
  const words = row.typed.split(' ').slice(1);
  test(`${row.tool}: ${row.typed}`, async () => {
    const folder = join(shared, `row-${index}`);
    cpSync(join(shared, 'project'), folder, { recursive: true });
    const needsStudio = words[0] === 'plugin' || words.includes('--plugin') || words.includes('-p');
    const before = readFileSync(join(folder, row.changes ?? 'default.project.json'), 'utf8');
    const areThere = (): boolean => (row.files ?? []).every(file => existsSync(join(folder, file)));
    const typed = await (needsStudio ? typeWithStudio : typeCommand)(words, {
      cwd: join(folder, row.cwd ?? '.'),
      ...(row.until !== undefined && { until: out => new RegExp(row.until ?? '').test(out) && areThere() }),
    });
    if (row.instead !== undefined) {
      assert.equal(typed.code, 2, typed.out + typed.err);
      const [sentence = '', ...rest] = typed.err.split('\n');
      assert.match(sentence, new RegExp(`^error: .*${row.instead}`));
      assert.equal(rest.length, 1, 'one sentence, and how to get help');
      return;
    }
    assert.equal(typed.code, 0, typed.out + typed.err);
    if (row.prints !== undefined) assert.match(typed.out, new RegExp(row.prints));
    for (const file of row.files ?? []) assert.ok(existsSync(join(folder, file)), `${file}\n${typed.out}${typed.err}`);
    for (const file of row.missing ?? []) assert.ok(!existsSync(join(folder, file)), file);
    if (row.changes !== undefined) assert.notEqual(readFileSync(join(folder, row.changes), 'utf8'), before);
  });
}
