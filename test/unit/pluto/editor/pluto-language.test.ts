import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containerOf } from '../../../harness/pluto-container.ts';
import { geo as withPublicError } from '../../../harness/pluto-geo.ts';
import { EditorWorld, path } from './editor-world.ts';

/** Without its public error, so that other modules are not offered it. */
const geo = withPublicError.replace('pub error', 'error');
const main = `import geo
import std.math

fn main() {
    let mut p = geo.origin(false)!
    p.scale(2)
    print(p.x)
}
`;
const world = (): EditorWorld => new EditorWorld({ 'geo.pt': geo, 'main.pt': main });

test('reports findings once, and again only when they change', async () => {
  const one = world();
  assert.deepEqual(await one.findings(), [], 'all is well');
  await one.type('main.pt', main.replace('p.scale(2)', 'p.shrink(2)\n    p.scale(2, 3)'));
  const found = await one.findings();
  assert.equal(found.length, 2, found.join());
  assert.deepEqual(await one.findings(), [], 'nothing new');
  await one.type('main.pt', main);
  assert.deepEqual(await one.findings(), ['main.pt: nothing']);
});

test('checks other modules against unsaved edits until the document is closed', async () => {
  const one = world();
  await one.type('geo.pt', geo.replace('fn scale', 'fn grow'));
  assert.match((await one.findings()).join(), /^main\.pt:6 /);
  await one.language.closeDocument({ path: path('geo.pt') });
  assert.deepEqual(await one.findings(), ['main.pt: nothing']);
});

test('follows files that are created, changed and deleted on disk', async () => {
  const one = world();
  assert.deepEqual(await one.findings(), []);
  one.disk.delete('geo.pt');
  await one.language.filesChanged({ paths: [path('geo.pt')] });
  assert.match((await one.findings()).join(), /^main\.pt:1 module-not-found/);
  one.disk.set('geo.pt', geo);
  await one.language.filesChanged({ paths: [path('geo.pt')] });
  assert.deepEqual(await one.findings(), ['main.pt: nothing']);
});

test('forgets the modules of a deleted folder, of which only the folder is reported', async () => {
  for (const folder of ['lib', 'v1.2']) {
    const tests = 'test "adds" {\n    expect(1 + 1).to_equal(2)\n}\n';
    const one = new EditorWorld({
      [`${folder}/text.pt`]: tests,
      [`${folder}/deep/held.pluto`]: containerOf(tests),
      'src/init.luau': 'return {}',
      'main.pt': tests,
    });
    const files = async (): Promise<readonly string[]> => (await one.language.tests({})).map(({ file }) => file.path);
    assert.deepEqual(new Set(await files()), new Set([`${folder}/text.pt`, `${folder}/deep/held.pluto`, 'main.pt']));
    for (const file of [`${folder}/text.pt`, `${folder}/deep/held.pluto`]) one.disk.delete(file);
    await one.language.filesChanged({ paths: [path(folder), path('src/init.luau')] });
    assert.deepEqual(await files(), ['main.pt']);
  }
});

test('lists declarations and members in the outline, without imports and parameters', async () => {
  const symbols = await world().language.outline({ path: path('geo.pt') });
  const outline = symbols.map(({ name, kind, detail, children }) => [
    `${kind} ${name} ${detail}`.trim(),
    children.map(child => `${child.kind} ${child.name} ${child.detail}`),
  ]);
  assert.deepEqual(outline, [
    ['class Point', ['field x int', 'method scale (mut self, by: int)']],
    ['error TooFar', ['field by int']],
    ['function origin (far: bool) Point', []],
  ]);
  assert.deepEqual(symbols[0]?.selection, { start: { line: 1, character: 10 }, end: { line: 1, character: 15 } });
});

test('finds definitions of functions, members, variables, modules and the standard library', async () => {
  const one = world();
  const definition = async (marked: string): Promise<readonly string[]> =>
    one.describe(await one.language.definition(one.at('main.pt', marked)));
  assert.deepEqual(await definition('geo.or^igin'), ['geo.pt:15:8 origin']);
  assert.deepEqual(await definition('p.sc^ale'), ['geo.pt:5:8 scale']);
  assert.deepEqual(await definition('print(^p.x'), ['main.pt:5:13 p']);
  assert.deepEqual(await definition('import g^eo'), ['geo.pt:1:1']);
  assert.deepEqual(await definition('= g^eo.origin'), ['geo.pt:1:1']);
  assert.deepEqual(await definition('import std.m^ath'), ['<std>/math/math.pt:1:1 (std)']);
  assert.match((await one.language.stdText({ path: path('<std>/math/math.pt') })) ?? '', /pub fn/);
});

test('finds references from a use and from the declaration, with or without the declaration', async () => {
  const one = world();
  const all = ['geo.pt:5:8 scale', 'main.pt:6:7 scale'];
  const place = one.at('main.pt', 'p.sc^ale');
  assert.deepEqual(one.describe(await one.language.references({ ...place, withDeclaration: true })), all);
  const declared = one.at('geo.pt', 'fn sc^ale');
  assert.deepEqual(one.describe(await one.language.references({ ...declared, withDeclaration: false })), all.slice(1));
  const variable = one.at('main.pt', 'print(^p.x');
  assert.deepEqual(one.describe(await one.language.references({ ...variable, withDeclaration: true })), [
    'main.pt:5:13 p',
    'main.pt:6:5 p',
    'main.pt:7:11 p',
  ]);
});

test('finds the implementations of a trait', async () => {
  const one = new EditorWorld({
    'main.pt': `trait Named { fn name(self) string }
class Dog impl Named { fn name(self) string { return "dog" } }
fn show(n: Named) string { return n.name() }
`,
  });
  const found = await one.language.implementations(one.at('main.pt', 'trait Na^med'));
  assert.deepEqual(one.describe(found), ['main.pt:2:7 Dog']);
  const method = await one.language.implementations(one.at('main.pt', 'n.na^me'));
  assert.deepEqual(one.describe(method), ['main.pt:2:27 name']);
});

test('shows signature, comment, errors, owner and type on hover', async () => {
  const one = world();
  const hover = async (name: string, marked: string) => {
    const answer = await one.language.hover(one.at(name, marked));
    return answer && [answer.code, ...answer.lines];
  };
  assert.deepEqual(await hover('main.pt', 'geo.or^igin'), [
    'pub fn origin(far: bool) Point',
    'The origin.',
    'Raises TooFar',
  ]);
  assert.deepEqual(await hover('main.pt', 'p.sc^ale'), [
    'fn scale(mut self, by: int)',
    'method of class Point',
    'Raises nothing',
  ]);
  assert.deepEqual(await hover('main.pt', 'print(^p.x'), ['p: Point']);
  assert.deepEqual(await hover('main.pt', 'let mut ^p'), ['p: Point']);
  assert.deepEqual(await hover('geo.pt', 'return Po^int'), ['pub class Point', 'A place on the map.']);
  assert.equal(await hover('main.pt', 'fn main() ^{'), undefined);
});

test('renames members in every module and variables in theirs, and refuses invalid names', async () => {
  const one = world();
  const place = one.at('main.pt', 'p.sc^ale');
  assert.equal((await one.language.renameTarget(place))?.name, 'scale');
  const answer = await one.language.rename({ ...place, name: 'grow' });
  assert.ok(answer.ok);
  assert.deepEqual(
    answer.edits.map(({ file, edits }) => `${file.path} ${edits.length} ${edits[0]?.text}`),
    ['geo.pt 1 grow', 'main.pt 1 grow'],
  );
  const local = await one.language.rename({ ...one.at('main.pt', 'let mut ^p'), name: 'q' });
  assert.equal(local.ok && local.edits[0]?.edits.length, 3);
  for (const name of ['match', '1a', 'a b', ''])
    assert.equal((await one.language.rename({ ...place, name })).ok, false);
  const builtIn = one.at('main.pt', 'pr^int(');
  const refused = await one.language.rename({ ...builtIn, name: 'say' });
  assert.equal(refused.ok, false);
});

test('keeps the field name when a pattern variable is renamed, and back', async () => {
  const one = world();
  const text = (binding: string, name: string): string =>
    `enum Box { Sized { size: int } }\nfn f(box: Box) int {\n    match box { Box.Sized { ${binding} } { return ${name} } }\n}\n`;
  const rename = async (from: string, at: string, name: string): Promise<string> => {
    await one.type('main.pt', from);
    const offset = from.indexOf(at) + at.length - 1;
    const character = offset - from.lastIndexOf('\n', offset) - 1;
    const answer = await one.language.rename({ path: path('main.pt'), at: { line: 2, character }, name });
    assert.ok(answer.ok);
    const lines = from.split('\n');
    for (const { range, text: word } of (answer.edits[0]?.edits ?? []).toReversed()) {
      const line = lines[range.start.line] ?? '';
      lines[range.start.line] = line.slice(0, range.start.character) + word + line.slice(range.end.character);
    }
    return lines.join('\n');
  };
  assert.equal(await rename(text('size', 'size'), 'return s', 'big'), text('size: big', 'big'));
  assert.equal(await rename(text('size: big', 'big'), 'size: b', 'size'), text('size', 'size'));
  assert.equal(await rename(text('size: big', 'big'), 'return b', 'small'), text('size: small', 'small'));
});

test('completes members, module exports, modules, keywords and names', async () => {
  const one = world();
  const labels = async (text: string): Promise<readonly string[]> => {
    await one.type('main.pt', text);
    const offset = text.indexOf('|');
    await one.type('main.pt', text.replace('|', ''));
    const lines = text.slice(0, offset).split('\n');
    const at = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
    return (await one.language.completions({ path: path('main.pt'), at })).map(({ label }) => label);
  };
  assert.deepEqual(await labels('import geo\nfn main() {\n    let p = geo.origin(true)!\n    p.|\n}\n'), [
    'x',
    'scale',
  ]);
  assert.deepEqual(await labels('import geo\nfn main() {\n    geo.|\n}\n'), ['Point', 'origin']);
  assert.deepEqual(await labels('import |\n'), ['std', 'geo']);
  assert.ok((await labels('import std.|\n')).includes('math'));
  const plain = await labels('import geo\nfn help() {}\nfn main() {\n    |\n}\n');
  for (const wanted of ['geo', 'help', 'match', 'string']) assert.ok(plain.includes(wanted), wanted);
  assert.deepEqual(await labels('fn main() {\n    // he|\n}\n'), []);
});

test('lists the tests of every module and unsaved text, with the positions of their names', async () => {
  const { language } = world();
  await language.setDocument({ path: path('geo.pt'), text: 'test "in geo" {}\n\nfn main() {}\n' });
  const tests = await language.tests({});
  assert.deepEqual(
    tests.filter(({ name }) => name === 'in geo').map(({ kind, range }) => [kind, range.start.line]),
    [['test', 0]],
  );
});

test('finds workspace symbols by letters of their names, without the standard library', async () => {
  const found = await world().language.symbols({ query: 'sca' });
  assert.deepEqual(
    found.map(({ name, kind, container, file }) => [name, kind, container, file.path]),
    [['scale', 'method', 'Point', 'geo.pt']],
  );
  assert.deepEqual(await world().language.symbols({ query: 'zzz' }), []);
});

test('formats to the canonical text, and leaves text alone that does not parse', async () => {
  const { language } = world();
  assert.equal(await language.format({ text: 'fn  f( ){return}\n' }), 'fn f() {\n    return\n}\n');
  assert.equal(await language.format({ text: 'fn f( {\n' }), undefined);
});

test('uses view positions for a container, open or not', async () => {
  const one = new EditorWorld({ 'geo.pluto': containerOf(geo), 'main.pt': main });
  assert.deepEqual(await one.findings(), []);
  const [found] = await one.language.definition(one.at('main.pt', 'geo.or^igin'));
  assert.deepEqual(found?.file, { path: 'geo.pluto', kind: 'container' });
  const view = await one.language.viewOfContainer({ bytes: containerOf(geo) });
  assert.ok(view.ok);
  const line = view.value.split('\n')[found?.range.start.line ?? 0];
  assert.equal(line?.slice(found?.range.start.character, found?.range.end.character), 'origin');
  await one.type('geo.pluto', view.value.replace('fn scale', 'fn grow'));
  assert.match((await one.findings()).join(), /^main\.pt:6 /);
  await one.language.closeDocument({ path: path('geo.pluto') });
  assert.deepEqual(await one.findings(), ['main.pt: nothing']);
  one.disk.set('geo.pluto', containerOf(geo.replace('fn scale', 'fn grow')));
  await one.language.filesChanged({ paths: [path('geo.pluto')] });
  assert.match((await one.findings()).join(), /^main\.pt:6 /);
});

test('uses an open .pt instead of its container', async () => {
  const one = new EditorWorld({ 'geo.pluto': containerOf(geo), 'geo.pt': geo, 'main.pt': main });
  await one.type('geo.pt', geo.replace('fn scale', 'fn grow'));
  assert.match((await one.findings()).join(), /^main\.pt:6 /);
  const [found] = await one.language.definition(one.at('main.pt', 'geo.or^igin'));
  assert.deepEqual(found?.file, { path: 'geo.pt', kind: 'text' });
});

test('reports a damaged container at its start', async () => {
  const bytes = containerOf(geo).slice(0, -1);
  const one = new EditorWorld({ 'geo.pluto': bytes });
  assert.match((await one.findings()).join(), /^geo\.pluto:1 module-unreadable$/);
  assert.equal((await one.language.viewOfContainer({ bytes })).ok, false);
});

test('answers at once beside a word of 300,000 characters', async () => {
  const long = 'A'.repeat(300_000);
  const one = new EditorWorld({ 'main.pt': `fn main() {\n    print("${long}")\n    print("${long}") + other\n}\n` });
  const before = process.threadCpuUsage();
  assert.equal(await one.language.hover(one.at('main.pt', 'fn main() ^{')), undefined);
  const labels = await one.language.completions(one.at('main.pt', '+ other^'));
  assert.ok(labels.some(({ label }) => label === 'main'));
  const { user } = process.threadCpuUsage(before);
  assert.ok(user < 2_000_000, `${user} µs`);
});
