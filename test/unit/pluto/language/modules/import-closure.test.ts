import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher as hasher } from '../../../../../src/adapters/node/hasher.ts';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import { PlutoProject } from '../../../../../src/pluto/language/modules/pluto-project.ts';
import { MemoryFileSystem } from '../../../../harness/memory-file-system.ts';

const { signal } = new AbortController();

/** The modules that are found from `main.pt`. */
async function found(files: Readonly<Record<string, string>>, withSiblings = false): Promise<readonly string[]> {
  const ports = { files: new MemoryFileSystem(files), hasher };
  const project = await PlutoProject.open(ports, signal, { file: 'main.pt' as ProjectPath, withSiblings });
  for (const state of await project.loadAll(signal))
    for (const { problem } of project.importsOf(state)) assert.equal(problem, undefined, problem?.message);
  return project.files;
}

test('finds imported files, folders, and what they import', async () => {
  const files = {
    'main.pt': 'import a.b\nimport whole\n',
    'sibling.pt': '',
    'a/b.pt': 'import deep.c\n',
    'a/other.pt': '',
    'a/deep/c.pt': 'import std.math\n',
    'whole/one.pt': '',
    'whole/two.pt': 'import near\n',
    'whole/near/x.pt': '',
    'unrelated/z.pt': 'import main\n',
  };
  const closure = ['a/b.pt', 'a/deep/c.pt', 'main.pt', 'whole/near/x.pt', 'whole/one.pt', 'whole/two.pt'];
  assert.deepEqual(await found(files), closure);
  assert.deepEqual(await found(files, true), [...closure, 'sibling.pt'].toSorted());
});

test('finds modules of packages, of a library folder, and vendored ones', async () => {
  const files = {
    'pluto.toml': '[package]\nname = "app"\n[dependencies]\ntools = { path = "packages/tools" }\n',
    'main.pt': 'import tools.text\nimport std.own\nimport far\n',
    'packages/tools/pluto.toml': '[package]\nname = "tools"\n[dependencies]\nbase = { path = "../base" }\n',
    'packages/tools/text.pt': 'import base\n',
    'packages/tools/more.pt': '',
    'packages/base/one.pt': '',
    'stdlib/own.pt': '',
    '.deps/far/f.pt': '',
  };
  assert.deepEqual(await found(files), [
    '.deps/far/f.pt',
    'main.pt',
    'packages/base/one.pt',
    'packages/tools/text.pt',
    'stdlib/own.pt',
  ]);
});

test('ends when modules import each other', async () => {
  assert.deepEqual(await found({ 'main.pt': 'import a\n', 'a.pt': 'import main\n' }), ['a.pt', 'main.pt']);
});
