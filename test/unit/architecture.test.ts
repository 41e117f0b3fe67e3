import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checks, MAX_LINES, type Violation } from './architecture/checks.ts';
import { parseDoors, parseImportTable, ruleFor } from './architecture/import-table.ts';
import { findLanguageData } from './architecture/language-data.ts';
import { findMachinePaths } from './architecture/machine-paths.ts';
import { findErrorCodes } from './architecture/error-codes.ts';
import { findDroppedFailures } from './architecture/dropped-failures.ts';
import { findMissingReasons } from './architecture/missing-reasons.ts';
import { innocent, planted, plantedToo } from './architecture/planted.ts';
import { oversizedRooms } from './architecture/room-sizes.ts';
import { parseSource, type SourceFile } from './architecture/source-file.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../..');
const architecture = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const table = parseImportTable(architecture);
const doors = parseDoors(architecture);

/** Tracked files, and new files that are not ignored. */
const allFiles = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter(path => path !== '' && existsSync(join(root, path)));
const sources = allFiles
  .filter(path => /^(?:src|test|scripts)\/.*\.tsx?$/.test(path))
  .map(path => parseSource(path, read(path)));

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
const parseAll = (files: Readonly<Record<string, string>>): readonly SourceFile[] =>
  Object.entries(files).map(([path, text]) => parseSource(path, text));
const show = (violations: readonly Violation[]): string =>
  violations.map(({ file, message }) => `${file}: ${message}`).join('\n');

for (const [rule, check] of Object.entries(checks)) {
  test(`${rule}`, () => {
    const violations = check({ files: sources, table, doors });
    assert.equal(violations.length, 0, `\n${show(violations)}`);
  });

  test(`finds a planted violation: ${rule}`, () => {
    const files = planted[rule];
    assert.ok(files !== undefined, 'every check has a planted violation');
    const found = Object.values(checks).flatMap(each => each({ files: parseAll(files), table, doors }));
    assert.deepEqual(new Set(found.map(violation => violation.rule)), new Set([rule]), show(found));
  });
}

test('finds the other planted violations, and nothing in innocent files', () => {
  for (const { rule, files } of plantedToo) {
    const found = checks[rule]!({ files: parseAll(files), table, doors });
    assert.notEqual(found.length, 0, `${rule}: ${JSON.stringify(files)}`);
  }
  const found = Object.values(checks).flatMap(check => check({ files: parseAll(innocent), table, doors }));
  assert.equal(found.length, 0, show(found));
});

test('the checks read files of every layer', () => {
  for (const folder of ['src/base/', 'src/sync/', 'src/ports/', 'src/protocol/', 'test/unit/', 'scripts/'])
    assert.ok(
      sources.some(file => file.path.startsWith(folder)),
      `no file of ${folder} was read`,
    );
  assert.ok(
    sources.some(file => file.path.startsWith('src/') && file.imports.some(use => use.isType)),
    'no type import was read',
  );
});

test('prefers the row of a folder to that of its parent, and a name to a star', () => {
  assert.equal(ruleFor(table, 'roblox/formats/json/reader.ts')?.folder, 'roblox/formats');
  assert.equal(ruleFor(table, 'adapters/ws/socket.ts')?.folder, 'adapters/ws');
  assert.equal(ruleFor(table, 'adapters/other/files.ts')?.folder, 'adapters/*');
  assert.equal(ruleFor(table, 'unknown/files.ts'), undefined);
});

test('refuses a document without the table, or with an invalid row', () => {
  assert.throws(() => parseImportTable('# nothing'), /has no table/);
  assert.throws(
    () => parseImportTable('| Folder | may import | packages |\n|---|---|---|\n| `a` | `b` |'),
    /expected three cells/,
  );
});

test('Luau files have at most 500 lines', () => {
  const long = allFiles
    .filter(path => /^studio-plugin\/.*\.luau$/.test(path) && !path.includes('.generated.'))
    .filter(path => read(path).split('\n').length > MAX_LINES + 1);
  assert.deepEqual(long, []);
});

test('no room of src has more than a third of its lines', () => {
  assert.deepEqual(oversizedRooms(allFiles, read), []);
});

test('finds a room with more than a third of the lines', () => {
  const files: Readonly<Record<string, string>> = {
    'src/big/a.ts': '1\n2\n',
    'src/big/b.luau': '3\n4\n5\n',
    'src/big/c.generated.ts': '6\n'.repeat(9),
    'src/near/a.ts': '1\n2\n3\n4\n',
    'src/small/a.css': '1\n2\n3\n',
    'test/unit/a.ts': '1\n'.repeat(9),
  };
  assert.deepEqual(
    oversizedRooms(Object.keys(files), path => files[path] ?? ''),
    ['big: 5 of 12 lines'],
  );
});

test('no file contains a path of the machine that it was written on', () => {
  const exempt =
    /^(?:test\/fixtures\/|examples\/places\/|.*package-lock\.json$|.*\.(?:png|ico|rbxm|rbxl|rbxmx|rbxlx|gz)$)/;
  const hits = allFiles
    .filter(path => !exempt.test(path))
    .flatMap(path => findMachinePaths(read(path)).map(line => `${path}:${line}`));
  assert.deepEqual(hits, []);
});

test('distinguishes paths of a machine from paths of a repository', () => {
  const home = (name: string): string => `see /${name}/alex/project`;
  for (const name of ['home', 'Users', 'root', 'work']) assert.equal(findMachinePaths(home(name)).length, 1, name);
  assert.deepEqual(findMachinePaths('src/work/plan.ts https://example.com/root/a test/root/b.luau /api/rojo'), []);
});

test('[P6] no source file loads language data, which would block the extension host', () => {
  const hits = allFiles
    .filter(path => /^src\/.*\.tsx?$/.test(path))
    .flatMap(path => findLanguageData(read(path)).map(line => `${path}:${line}`));
  assert.deepEqual(hits, []);
});

test('finds calls that load language data', () => {
  const calls = [
    'new Intl.RelativeTimeFormat(locale)',
    'a.localeCompare(b)',
    'at.toLocaleString()',
    'n.toLocaleTimeString()',
  ];
  for (const call of [...calls, 'name.toLocaleLowerCase()']) assert.equal(findLanguageData(call).length, 1, call);
  assert.deepEqual(findLanguageData("names.has('toLocaleString'); name.toLowerCase()"), []);
});

test('every disabled lint rule and every skipped test has a reason', () => {
  for (const path of allFiles.filter(path => /^(?:src|test|scripts)\/.*\.(?:tsx?|mjs)$/.test(path)))
    if (path !== 'test/unit/architecture.test.ts') assert.deepEqual(findMissingReasons(read(path)), [], path);
});

test('finds a disabled lint rule and a skipped test without a reason', () => {
  const planted = [
    '// oxlint-disable-next-line no-control-regex',
    '/* eslint-disable no-console */',
    "test('reads', { skip: process.platform === 'win32' }, () => {});",
    'const skip = getuid?.() === 0;',
    "test('reads', { skip: true }, () => {});",
    "test('reads', { skip: !existsSync('/dev/full') }, () => {});",
  ];
  assert.deepEqual(findMissingReasons(planted.join('\n')), planted);
  const innocent = [
    '// oxlint-disable-next-line no-control-regex -- control characters are escaped',
    "test('reads', { skip: getuid?.() === 0 && 'root may read everything' }, () => {});",
    'test(name, { skip: whyNoRemoteMachine() }, () => {});',
    "const actions = { skip: 'Skip', push: 'Push' };",
  ];
  assert.deepEqual(findMissingReasons(innocent.join('\n')), []);
});

test('no read of the disk treats every failure as "not found" without a reason', () => {
  for (const path of allFiles.filter(path => /^src\/.*\.tsx?$/.test(path)))
    assert.deepEqual(findDroppedFailures(path, read(path)), [], path);
});

test('finds a read that treats every failure as "not found"', () => {
  const planted = [
    'const found = await stat(path).catch(() => undefined);',
    'const exists = await lstat(path).then(() => true, () => false);',
    'const names = await this.#files.list(folder).catch(() => []);',
    'try {\n  return await stat(path);\n} catch {\n  return undefined;\n}',
    'try {\n  const { size } = statSync(path);\n  use(size);\n} catch {}',
    'for (const path of paths) {\n  try {\n    if (ready) await this.#files.read(path);\n  } catch {\n    continue;\n  }\n}',
    '// The text is checked later.\nconst text = 1;\n\ntry {\n  read(path);\n} catch {\n  failed = true;\n}',
  ];
  for (const line of planted) assert.equal(findDroppedFailures('planted.ts', line).length, 1, line);
  const innocent = [
    'const found = await ifFound(stat(path));',
    '// The error has the same code without this list.\nconst names = await files.list(folder).catch(() => []);',
    'const text = await readFile(path).catch((error: unknown) => report(error));',
    'await rm(path).catch(() => undefined);',
    'try {\n  return await stat(path);\n} catch (error) {\n  if (!isMissing(error)) throw error;\n}',
    'try {\n  return await stat(path);\n} catch {\n  // Reading it later says why.\n  return undefined;\n}',
    '// A lock that cannot be read is taken.\ntry {\n  readFileSync(lock);\n} catch {}',
    'try {\n  return JSON.parse(text);\n} catch {\n  return undefined;\n}',
    'try {\n  later(() => stat(path));\n} catch {\n  return undefined;\n}',
    'try {\n  await stat(path);\n} finally {\n  close();\n}',
  ];
  for (const line of innocent) assert.deepEqual(findDroppedFailures('innocent.ts', line), [], line);
});

test('codes of failed calls are compared in base/errno.ts alone', () => {
  for (const path of allFiles.filter(one => /^src\/.*\.tsx?$/.test(one)))
    assert.deepEqual(findErrorCodes(read(path)), [], `${path}: use hasErrorCode, isNotFound or ifFound`);
  for (const planted of [
    "if (error.code === 'ENOENT') return;",
    "if (failure.cause?.code !== 'ERR_WORKER_OUT_OF_MEMORY') throw failure;",
  ])
    assert.equal(findErrorCodes(planted).length, 1, planted);
  assert.deepEqual(findErrorCodes("if (error.code === 'NO_PROJECT' || hasErrorCode(error, 'ENOENT')) return;"), []);
});
