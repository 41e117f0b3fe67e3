import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CheckWorld } from '../check-world.ts';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const findingsOf = async (text: string): Promise<readonly string[]> =>
  (await CheckWorld.of({ 'main.pt': text })).findings();

test('checks the lifecycle of a dependency at the end of a chain of 8,000', async () => {
  const chain = numbers(8000).map(index => `class C${index}[next: C${index + 1}] {}`);
  const end = 'class C8000 {}\napp A[first: C0] {\n    transient C8000\n    fn main(self) {}\n}\n';
  assert.deepEqual(await findingsOf(`${chain.join('\n')}\n${end}`), ['main.pt:8002:7: lifecycle-override']);
});

test('checks once whether a type that many fields share is serializable', async () => {
  const classes = numbers(60).map(index => `class C${index} {\n    a: C${index + 1}\n    b: C${index + 1}\n}`);
  const stage = 'class C60 { x: int }\nstage S {\n    pub fn f(self, c: C0) {}\n    fn main(self) {}\n}\n';
  assert.deepEqual(await findingsOf(`import std.wire\n${classes.join('\n')}\n${stage}`), []);
});

test('checks a public method of a stage whose parameter contains itself with ever larger types', async () => {
  const text = `import std.wire
class Nest<T> {
    inner: Nest<[T]>?
    value: T
}
stage S {
    pub fn f(self, nest: Nest<int>) {}
    fn main(self) {}
}
`;
  assert.deepEqual(await findingsOf(text), []);
});

test('shows the start of a type that contains another one 2^40 times', async () => {
  const steps = numbers(40).map(index => `    let x${index + 1} = twice(x${index})`);
  const world = await CheckWorld.of({
    'main.pt': `class Pair<A, B> {
    a: A
    b: B
}
fn twice<T>(x: T) Pair<T, T> { return Pair<T, T> { a: x, b: x } }
fn main() {
    let x0 = 1
${steps.join('\n')}
    let wrong: int = x40
    print(wrong)
}
`,
  });
  assert.deepEqual(world.findings(), ['main.pt:6:1: instance-endless', 'main.pt:48:22: let-type-mismatch']);
  const [, mismatch] = world.checker.check();
  assert.match(mismatch?.message ?? '', /^type mismatch: expected int, found Pair<Pair<.*, …>$/);
  assert.ok((mismatch?.message.length ?? 0) < 1000);
});

test('accepts an instance beside 10,000 default methods in classes', async () => {
  const methods = numbers(50).map(index => `    fn m${index}(self) int { return ${index} }`);
  const classes = numbers(210).map(index => `class C${index} impl T {}`);
  const text = `trait T {\n${methods.join('\n')}\n}\n${classes.join('\n')}
fn same<U>(x: U) U { return x }
fn main() { print(same(1)) }
`;
  assert.deepEqual(await findingsOf(text), []);
});
