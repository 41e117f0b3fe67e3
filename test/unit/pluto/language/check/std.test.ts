import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printModule } from '../../../../../src/pluto/language/print/print-declaration.ts';
import { stdNames, stdText } from '../../../../../src/pluto/language/std/std-modules.ts';
import { parseModule } from '../../../../../src/pluto/language/syntax/parse.ts';
import { CheckWorld } from '../check-world.ts';
import { checkedPrograms } from '../check-programs.ts';
import { shapeOf } from '../same-tree.ts';

const modules = stdNames.map(name => ({ name, text: stdText(name) ?? '' }));
const imports = stdNames.map(name => `import std.${name}\n`).join('');

test('contains every std module, and the checker accepts each', async () => {
  assert.deepEqual(
    stdNames.toSorted().join(' '),
    'base64 collections env fs http io json log math net path random regex rpc socket strings time uuid wire',
  );
  const world = await CheckWorld.of({
    'main.pt': imports,
    ...Object.fromEntries(modules.map(({ name, text }) => [`stdlib/${name}/${name}.pt`, text])),
  });
  assert.deepEqual(
    world.checker.check().map(found => `${world.placeOf(found)}: ${found.message}`),
    [],
  );
});

test('knows the errors that std functions raise', async () => {
  const world = await CheckWorld.of({
    'main.pt': `import std.json
import std.fs
import std.http
import std.wire
fn a() { json.parse("1")! }
fn b() { fs.write_all("a", "b")! }
fn c() { http.listen("h", 1)! }
fn d(f: wire.WireFormat) { f.deserialize("x")! }
`,
  });
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map(name => world.errorsOf(name)),
    [['JsonError'], ['FileError'], ['HttpError'], ['WireError']],
  );
  assert.deepEqual(world.findings(), []);
});

test('prefers a stdlib folder of the project to the embedded modules', async () => {
  const world = await CheckWorld.of({
    'main.pt': 'import std.strings\nfn main() { strings.shout("a") }\n',
    'stdlib/strings/strings.pt': 'pub fn shout(s: string) { print(s) }\n',
  });
  assert.deepEqual(world.findings(), []);
});

test('prints every program and std module, and reads it back unchanged', () => {
  const programs = checkedPrograms().flatMap(({ files }) => Object.values(files));
  let printed = 0;
  for (const text of [...programs, ...modules.map(one => one.text)]) {
    const parsed = parseModule(text);
    if (parsed.diagnostics.length > 0) continue;
    const again = parseModule(printModule(parsed));
    assert.deepEqual(again.diagnostics, []);
    assert.deepEqual(shapeOf(again.tree.items), shapeOf(parsed.tree.items), text);
    printed += 1;
  }
  assert.ok(printed > 250);
});
