import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { generatedPages } from '../../../scripts/generate-docs.ts';
import { generatedSchemas } from '../../../scripts/generate-schemas.ts';
import { rings } from '../../../scripts/test/rings.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const json = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8')) as T;
const { configurations } = json<{
  configurations: { name: string; preLaunchTask?: string; args?: string[]; runtimeExecutable?: string }[];
}>('.vscode/launch.json');
const { tasks } = json<{ tasks: { label: string; type: string; script?: string; command?: string }[] }>(
  '.vscode/tasks.json',
);
const { scripts } = json<{ scripts: Record<string, string> }>('package.json');

test('F5 starts the example with a task that exists', () => {
  const [first] = configurations;
  assert.ok(tasks.some(({ label }) => label === first?.preLaunchTask));
  assert.ok(first?.args?.includes('--extensionDevelopmentPath=${workspaceFolder}'));
  const start = readFileSync(join(root, 'scripts/start/demo.ts'), 'utf8');
  assert.ok(
    start.includes("'out/demo'") && start.includes("join(dir, 'obby')"),
    'F5 does not open the copy of the example',
  );
});

test('every task runs an existing script of package.json and existing rings', () => {
  for (const { label, type, script, command = '' } of tasks) {
    const [, name = script ?? '', args = ''] = /^npm (\w+)(?: -- (.*))?$/.exec(command) ?? [];
    assert.ok(Object.hasOwn(scripts, name), `${label}: ${type} ${name}`);
    if (name === 'test')
      for (const ring of args.split(' '))
        assert.ok(
          rings.some(one => one.name === ring),
          `${label}: ${ring}`,
        );
  }
});

test('.gitattributes marks generated files and keeps the bytes of fixtures', () => {
  const attribute = (name: string, path: string): string =>
    execFileSync('git', ['check-attr', name, '--', path], { cwd: root, encoding: 'utf8' }).trim().split(': ').at(-1)!;
  const generated = [
    ...Object.keys(generatedPages),
    ...Object.keys(generatedSchemas),
    'src/roblox/instances/reflection.generated.json',
    'l10n/bundle.l10n.json',
  ];
  for (const path of generated) assert.equal(attribute('linguist-generated', path), 'set', path);
  assert.equal(attribute('linguist-generated', 'docs/README.md'), 'unspecified');
  assert.equal(attribute('text', 'test/fixtures/models/axes/xml.rbxmx'), 'unset');
  assert.equal(attribute('text', 'media/icon.png'), 'unset');
  assert.equal(attribute('eol', 'src/cli.ts'), 'lf');
  const files = execFileSync('git', ['ls-files', '--eol'], { cwd: root, encoding: 'utf8' }).split('\n');
  const changed = files.filter(line => /^i\/(?:crlf|mixed)/.test(line) && !/attr\/-text/.test(line));
  assert.deepEqual(changed, [], 'git would change these line ends');
});

test('no two tracked files have the same content, except licenses and ignore lists', () => {
  const paths = new Map<string, string[]>();
  for (const line of execFileSync('git', ['ls-files', '-s'], { cwd: root, encoding: 'utf8' }).split('\n')) {
    const [, hash, path] = /^\d+ (\w+) \d\t(.+)$/.exec(line) ?? [];
    if (hash === undefined || path === undefined || !existsSync(join(root, path))) continue;
    if (/LICENSE|\.vscodeignore$/.test(path) || readFileSync(join(root, path)).length < 100) continue;
    paths.set(hash, [...(paths.get(hash) ?? []), path]);
  }
  assert.deepEqual(
    Array.from(paths.values()).filter(same => same.length > 1),
    [],
  );
});
