import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { readLuauFolder } from '../../../src/headless-studio/luau-folder.ts';
import { startTestVm } from '../../harness/luau-vm.ts';

const folder = fileURLToPath(new URL('../../../studio-plugin/src', import.meta.url));
const sources = await readLuauFolder(folder, 'plugin');
/** `a/init.luau` and `a/init.server.luau` are `a`. */
const moduleOf = (path: string): string => path.replace(/(\/init(\.server)?)?\.luau$/, '');
const modules = new Set(Array.from(sources.keys(), moduleOf));

function resolve(from: string, wanted: string): string {
  const isFolder = from.endsWith('/init.luau') || from.endsWith('/init.server.luau');
  const segments = moduleOf(from).split('/');
  const [first, ...rest] = wanted.split('/');
  if (first !== '@self') segments.pop();
  else assert.ok(isFolder, `${from} has no modules below it`);
  for (const segment of first === '@self' ? rest : [first, ...rest])
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== undefined) segments.push(segment);
  return segments.join('/');
}

test('every module of the plugin compiles, the shell included', async () => {
  const vm = await startTestVm();
  for (const [path, source] of sources) {
    const wrapped = `return function(plugin, script) ${source}\nend`;
    // The generated table is a module like any other; only what runs at once in Studio must not run here.
    assert.doesNotThrow(() => vm.run(wrapped, path.replace(/\.luau$/, '-compiled')), path);
  }
});

test('every require of the plugin names a module that its file will have', () => {
  const requires = [...sources].flatMap(([path, source]) =>
    Array.from(source.matchAll(/require\("([^"]+)"\)/g), ([, wanted = '']) => [path, wanted] as const),
  );
  assert.ok(requires.length > 0);
  for (const [path, wanted] of requires) {
    assert.match(wanted, /^(\.\/|\.\.\/|@self\/)/, `${path} requires ${wanted}`);
    assert.ok(modules.has(resolve(path, wanted)), `${path} requires ${wanted}`);
  }
});

/** The members of the table that a module returns, with the values that are names, and its types; `undefined` if it returns something else. */
function membersOf(source: string): ReadonlyMap<string, string> | undefined {
  const [, table] = /^return \{([^]*?)\}\s*$/m.exec(source.slice(source.lastIndexOf('\nreturn {') + 1)) ?? [];
  if (table === undefined || /\bfunction\b|\{/.test(table)) return undefined;
  const values = Array.from(
    table.matchAll(/(\w+)\s*=\s*([^,]+)/g),
    ([, key = '', value = '']) => [key, value.trim()] as const,
  );
  const types = Array.from(source.matchAll(/^export type (\w+)/gm), ([, name = '']) => [name, ''] as const);
  return new Map([...values, ...types]);
}

test('every member of a module that another one uses exists', () => {
  const members = new Map(Array.from(sources, ([path, source]) => [moduleOf(path), membersOf(source)]));
  let count = 0;
  for (const [path, source] of sources) {
    const code = source.replace(/--\[\[[^]*?\]\]|--[^\n]*|"(?:[^"\\\n]|\\.)*"/g, text =>
      text.startsWith('--') ? '' : text,
    );
    for (const [, name = '', wanted = ''] of code.matchAll(/^local (\w+) = require\("([^"]+)"\)/gm)) {
      const known = members.get(resolve(path, wanted));
      if (known === undefined) continue;
      for (const [, member = ''] of code.matchAll(new RegExp(`(?<![\\w.:])${name}\\.(\\w+)`, 'g'))) {
        assert.ok(known.has(member), `${path}: ${name}.${member}`);
        count += 1;
      }
    }
    for (const [key, value] of membersOf(source) ?? [])
      if (/^[a-z]\w*$/.test(value) && !['true', 'false', 'nil'].includes(value))
        assert.match(
          source,
          new RegExp(`\\blocal (function )?([\\w, ]*, )?${value}\\b`),
          `${path} returns ${key} = ${value}`,
        );
  }
  assert.ok(count > 500, String(count));
});

test('every module, of the plugin, headless Studio and game tests, is strict', async () => {
  const headless = fileURLToPath(new URL('../../../src/headless-studio/luau', import.meta.url));
  const tests = fileURLToPath(new URL('../../../src/game-tests/luau', import.meta.url));
  const others = [...(await readLuauFolder(headless, 'headless')), ...(await readLuauFolder(tests, 'tests'))];
  for (const [path, source] of [...sources, ...others]) assert.match(source, /^--!strict\n/, path);
});

test('no core module knows the plugin object or draws anything', () => {
  const core = [...sources].filter(([path]) => path.startsWith('plugin/core/'));
  assert.ok(core.length > 0);
  for (const [path, source] of core) assert.doesNotMatch(source, /\bplugin:[A-Z]|CreateDockWidget/, path);
});

test('no module of the plugin but the generated table is longer than 500 lines', () => {
  for (const [path, source] of sources)
    if (!path.includes('.generated.')) assert.ok(source.split('\n').length <= 501, path);
});
