import { test } from 'node:test';
import type { ProjectPath } from '../../../../../../src/base/brand.ts';
import { runToEnd } from '../../../../../../src/base/time-slice.ts';
import type { CheckedProgram } from '../../../../../../src/pluto/language/check/checked-program.ts';
import { buildProgram } from '../../../../../../src/pluto/program/backend/typed/build/build-program.ts';
import { assertLinearTime } from '../../../../../harness/linear-time.ts';
import { CheckWorld } from '../../../language/check-world.ts';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Builds the typed forms of programs of a size, and of four times the size. */
async function assertLinearBuild(size: number, sourceOf: (size: number) => string): Promise<void> {
  const checked = new Map<number, CheckedProgram>();
  for (const one of [size, 4 * size]) {
    const { checker } = await CheckWorld.of({ 'main.pt': sourceOf(one) });
    checked.set(one, checker.checked());
  }
  const request = { entry: 'main.pt' as ProjectPath, mode: 'run', hasExtern: () => false } as const;
  assertLinearTime(
    size,
    one => checked.get(one),
    program => program && runToEnd(buildProgram(program, request)),
  );
}

test('builds calls of a method of a trait with many classes in linear time', () =>
  assertLinearBuild(500, size => {
    const classes = numbers(size).map(at => `class C${at} impl T { fn go(self, x: int) int { return x + ${at} } }`);
    const calls = numbers(size).map(at => `    print(t.go(${at}))`);
    const objects = numbers(size).map(at => `    use(C${at} {})`);
    return `trait T { fn go(self, x: int) int }\n${classes.join('\n')}\nfn use(t: T) {\n${calls.join('\n')}\n}\nfn main() {\n${objects.join('\n')}\n}\n`;
  }));

test('builds a class with many traits in linear time', () =>
  assertLinearBuild(500, size => {
    const traits = numbers(size).map(
      at => `trait T${at} { fn m${at}(self) int }\nfn use${at}(t: T${at}) int { return t.m${at}() }`,
    );
    const methods = numbers(size).map(at => `    fn m${at}(self) int { return ${at} }`);
    const calls = numbers(size).map(at => `    print(use${at}(c))`);
    const head = `class C impl ${numbers(size)
      .map(at => `T${at}`)
      .join(', ')} {`;
    return `${traits.join('\n')}\n${head}\n${methods.join('\n')}\n}\nfn main() {\n    let c = C {}\n${calls.join('\n')}\n}\n`;
  }));

test('builds a class with many methods in linear time', () =>
  assertLinearBuild(1000, size => {
    const methods = numbers(size).map(at => `    fn m${at}(self) int { return self.x + ${at} }`);
    return `class C {\n    x: int\n${methods.join('\n')}\n}\nfn main() { print(C { x: 1 }.m0()) }\n`;
  }));

test('builds a function with many closures in linear time', () =>
  assertLinearBuild(2000, size => {
    const closures = numbers(size).map(at => `    let f${at} = (x: int) => x + a\n    a = a + f${at}(${at})`);
    return `fn main() {\n    let mut a = 1\n${closures.join('\n')}\n    print(a)\n}\n`;
  }));

test('builds calls of functions with many closures in linear time', () =>
  assertLinearBuild(500, size => {
    const calls = numbers(size).map(at => `    a = twice((x: int) => apply((y: int) => x + y + ${at}, a), a)`);
    return `fn apply(f: fn(int) int, x: int) int { return f(x) }\nfn twice(f: fn(int) int, x: int) int { return apply(f, apply(f, x)) }\nfn main() {\n    let mut a = 1\n${calls.join('\n')}\n    print(a)\n}\n`;
  }));
