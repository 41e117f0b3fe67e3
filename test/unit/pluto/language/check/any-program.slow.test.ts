import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkedPrograms } from '../check-programs.ts';
import { CheckWorld } from '../check-world.ts';
import { programText } from '../program-text.ts';

/** Runs every query on the files. All findings must be within their files. */
async function askEverything(files: Readonly<Record<string, string>>): Promise<void> {
  const world = await CheckWorld.of(files);
  for (const { file, span, message } of world.checker.check()) {
    assert.ok(message.length > 5);
    assert.ok(0 <= span.start && span.start <= span.end && span.end <= world.textOf(file).length, message);
  }
  for (const state of world.project.loaded) {
    if (state.kind !== 'loaded') continue;
    for (const { name, target } of world.checker.usesIn(state.path)) {
      assert.ok(name.end <= state.module.text.length);
      world.checker.errorSetOf(target);
      world.checker.renameEdits(target, 'other');
    }
    for (let offset = 0; offset < state.module.text.length; offset += 7) world.checker.typeAt(state.path, offset);
  }
}

test('checks any generated program', async () => {
  await fc.assert(
    fc.asyncProperty(programText, async text => askEverything({ 'main.pt': text })),
    { numRuns: 100 },
  );
});

test('checks programs of random lines', async () => {
  const lines = checkedPrograms().flatMap(({ files }) => Object.values(files).flatMap(text => text.split('\n')));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...lines), { maxLength: 60 }), async picked =>
      askEverything({ 'a.pt': picked.join('\n'), 'b.pt': `import a\n${picked.toReversed().join('\n')}` }),
    ),
    { numRuns: 100 },
  );
});

test('checks trees of the maximum depth', async () => {
  const sum = `fn f() int { return ${Array.from({ length: 900 }, () => '1').join(' + ')} }\n`;
  const calls = `fn g(s: string) string { return s${'.trim()'.repeat(900)} }\n`;
  const nested = `fn h() {\n${'if true {\n'.repeat(90)}${'}\n'.repeat(90)}}\n`;
  const closures = `fn i() { let k = ${'() => '.repeat(150)}1\n k() }\n`;
  const lists = `fn j(x: ${'['.repeat(150)}int${']'.repeat(150)}) {}\n`;
  const world = await CheckWorld.of({ 'main.pt': sum + calls + nested + closures + lists });
  assert.deepEqual(world.findings(), []);
});

test('stops at generic declarations that multiply endlessly', async () => {
  const world = await CheckWorld.of({
    'main.pt': `class A<T> { x: T? }
class B<T> { x: T? }
class C<T> { x: T? }
fn grow<T>(x: T?, n: int) {
    if n == 0 { return }
    grow<A<T>>(none, n - 1)
    grow<B<T>>(none, n - 1)
    grow<C<T>>(none, n - 1)
}
fn main() { grow<int>(none, 3) }
`,
  });
  assert.deepEqual(new Set(world.checker.check().map(({ code }) => code)), new Set(['instance-endless']));
});

test('checks chains of 1,000 classes and 1,000 functions', async () => {
  const classes = Array.from(
    { length: 1000 },
    (_, index) => `class C${index}${index === 0 ? '' : `[c: C${index - 1}]`} {}\n`,
  );
  const functions = Array.from(
    { length: 1000 },
    (_, index) => `fn f${index}() int { return ${index === 999 ? 'last()!' : `f${index + 1}()!`} }\n`,
  );
  const world = await CheckWorld.of({
    'main.pt': `error Bad {}\nfn last() int { raise Bad {} }\n${classes.join('')}${functions.join('')}`,
  });
  assert.deepEqual(world.findings(), []);
  assert.deepEqual(world.errorsOf('f0'), ['Bad']);
});
