import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyFacts } from '../../../../../src/pluto/program/backend/body-facts.ts';
import { directMethod } from '../../../../../src/pluto/program/backend/direct-methods.ts';
import { checked, exprsIn, functionNamed } from './check-source.ts';

const DECLARATIONS = `
trait Shape {
    fn area(self) int
    fn twice(self) int { return self.area() * 2 }
}
class Square impl Shape {
    side: int
    fn area(self) int { return self.side * self.side }
}
trait Named {
    fn name(self) string
    fn area(self) int
}
class Cat impl Named {
    fn name(self) string { return "cat" }
    fn area(self) int { return 1 }
}
class Dog impl Named {
    fn name(self) string { return "dog" }
    fn area(self) int { return 2 }
}`;

/** The method that each call of a method in a function can only run, as `Class.method`; `?` for a call that may run another. */
async function methodsIn(head: string, ...lines: readonly string[]): Promise<readonly string[]> {
  const program = await checked(`${DECLARATIONS}\n${head} {\n${lines.join('\n')}\n}\nfn main() { }`);
  const symbol = functionNamed(program, 'f');
  const [spec] = program.planner.unitsOf(symbol);
  if (spec === undefined) throw new Error('no unit');
  const facts = new BodyFacts(spec);
  return exprsIn(symbol.decl.body).flatMap(expr => {
    if (expr.kind !== 'MethodCallExpr') return [];
    const method = directMethod(program, facts.symbol, facts.typeOf(expr.object), expr.name.text);
    return [method === undefined ? '?' : `${method.symbol.name}.${method.callable.name}`];
  });
}

test('knows the method of a class, and the default method that a class inherits', async () => {
  assert.deepEqual(await methodsIn('fn f(a: Square, b: Cat)', 'print(a.area())', 'print(a.twice())', 'b.name()'), [
    'Square.area',
    'Square.twice',
    'Cat.name',
  ]);
});

test('knows the method of a trait that only one class has', async () => {
  assert.deepEqual(await methodsIn('fn f(a: Shape, b: Named)', 'print(a.area() + a.twice())', 'print(b.area())'), [
    'Square.area',
    'Square.twice',
    '?',
  ]);
});

test('knows the method of a type parameter by its bounds', async () => {
  const lines = ['print(a.area())', 'print(b.name())', 'print(c.len())'];
  assert.deepEqual(await methodsIn('fn f<A: Shape, B: Named, C>(a: A, b: B, c: C)', ...lines), [
    'Square.area',
    '?',
    '?',
  ]);
});
