/** Plants a violation for every checker that `npm test` runs, because a checker that finds nothing would pass unnoticed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { rings } from '../../../scripts/test/rings.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const configuration = [
  'package.json',
  'tsconfig.json',
  'tsconfig.core.json',
  'tsconfig.webview.json',
  '.oxlintrc.json',
  '.oxfmtrc.json',
  'src/platform.d.ts',
];
const folders: string[] = [];
after(() => folders.forEach(folder => rmSync(folder, { recursive: true, force: true })));

/** Creates a checkout with this project's configuration and packages, and only these files. */
function checkout(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'checkers-'));
  folders.push(folder);
  for (const name of configuration)
    cpSync(join(root, name), join(folder, name), { recursive: true, errorOnExist: false, force: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Runs one step of a ring in a folder, exactly as `npm test` does. */
function check(ring: string, title: string, folder: string): { readonly passed: boolean; readonly output: string } {
  const steps = rings.flatMap(found => (found.name === ring && found.kind === 'command' ? found.steps : []));
  const step = steps.find(candidate => candidate.title === title);
  assert.ok(step, `${ring}: ${steps.map(candidate => candidate.title).join(', ')}`);
  const command = join(root, 'node_modules/.bin', step.command);
  const { status, stdout, stderr } = spawnSync(command, step.args, { cwd: folder, encoding: 'utf8' });
  return { passed: status === 0, output: stdout + stderr };
}

const tidy = "export const answer = (): string => 'yes';\n";
const rows: readonly [ring: string, title: string, what: string, file: string, text: string][] = [
  ['format', 'format', 'a file in another format', 'src/sync/planted.ts', 'export const answer = () => "yes"\n'],
  [
    'types',
    'types: tsconfig.json',
    'a value of the wrong type',
    'src/planted.ts',
    "export const answer: number = 'yes';\n",
  ],
  [
    'types',
    'types: tsconfig.core.json',
    'a Node global in a pure layer',
    'src/sync/planted.ts',
    'export const answer = process.pid;\n',
  ],
  [
    'types',
    'types: tsconfig.core.json',
    'a timer in a pure layer',
    'src/sync/planted.ts',
    'setTimeout(() => {}, 1);\nexport {};\n',
  ],
  [
    'types',
    'types: tsconfig.webview.json',
    'a Node global in the webview',
    'src/webview/planted.ts',
    'export const answer = process.pid;\n',
  ],
  [
    'lint',
    'lint',
    'a floating promise',
    'src/planted.ts',
    "export function go(): void {\n  Promise.reject(new Error('lost'));\n}\n",
  ],
  ['lint', 'lint', 'an any', 'src/planted.ts', 'export const answer = (value: any): any => value;\n'],
  [
    'lint',
    'lint',
    'a non-null assertion',
    'src/planted.ts',
    'export const first = (list: string[]): string => list[0]!;\n',
  ],
  ['lint', 'lint', 'the console', 'src/planted.ts', "console.log('hello');\nexport {};\n"],
  ['lint', 'lint', 'a default export', 'src/planted.ts', 'export default 1;\n'],
  ['lint', 'lint', 'a file of 501 lines', 'src/planted.ts', `${'// line\n'.repeat(500)}export const answer = 1;\n`],
];
for (const [ring, title, what, file, text] of rows)
  test(`${title} finds ${what}`, () => {
    const { passed, output } = check(ring, title, checkout({ [file]: text }));
    assert.equal(passed, false, output);
    assert.match(output, /planted/);
  });

for (const [ring, title] of new Map(rows.map(([ring, title]) => [title, [ring, title]] as const)).values())
  test(`${title} finds nothing in a tidy file`, () => {
    const { passed, output } = check(ring, title, checkout({ 'src/sync/tidy.ts': tidy, 'src/webview/tidy.ts': tidy }));
    assert.equal(passed, true, output);
  });

test('nothing unused: finds an unused file and an unused export', () => {
  const entry = "import { used } from './used.ts';\n\nused();\n";
  const used = 'export const used = (): void => {};\nexport const unused = 1;\n';
  const knip = JSON.stringify({ entry: ['src/entry.ts'], project: ['src/**/*.ts'], ignoreDependencies: ['.*'] });
  const folder = checkout({ 'knip.json': knip, 'src/entry.ts': entry, 'src/used.ts': used, 'src/planted.ts': tidy });
  const { passed, output } = check('knip', 'nothing unused', folder);
  assert.equal(passed, false, output);
  assert.match(output, /src\/planted\.ts/);
  assert.match(output, /unused\s+src\/used\.ts/);
});
