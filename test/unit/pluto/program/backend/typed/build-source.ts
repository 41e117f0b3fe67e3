import type { ProjectPath } from '../../../../../../src/base/brand.ts';
import { runToEnd } from '../../../../../../src/base/time-slice.ts';
import { visitBody } from '../../../../../../src/pluto/program/backend/typed/children.ts';
import type {
  TypedBody,
  TypedProgram,
  TypedStmt,
  TypedValue,
} from '../../../../../../src/pluto/program/backend/typed/typed-form.ts';
import { buildProgram } from '../../../../../../src/pluto/program/backend/typed/build/build-program.ts';
import { CheckWorld } from '../../../language/check-world.ts';

/** The typed form of the program of one module, which must have no errors. */
export const built = (source: string): Promise<TypedProgram> => builtFrom({ 'main.pt': source });

/** @param files with the module `main.pt` */
export async function builtFrom(
  files: Readonly<Record<string, string>>,
  mode: 'run' | 'test' = 'run',
): Promise<TypedProgram> {
  const { checker } = await CheckWorld.of(files);
  const request = { entry: 'main.pt' as ProjectPath, mode, hasExtern: () => true };
  const result = runToEnd(buildProgram(checker.checked(), request));
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.diagnostics));
  return result.program;
}

/** The code of all functions and methods, by name; `Class.method` for methods. */
export const bodiesOf = ({
  functions,
  classes,
}: TypedProgram): readonly (readonly [name: string, body: TypedBody])[] => [
  ...functions.map(({ name, body }) => [name, body] as const),
  ...classes.flatMap(({ name: owner, methods }) =>
    Array.from(methods.values(), ({ name, body }) => [`${owner}.${name}`, body] as const),
  ),
];

export function bodyOf(program: TypedProgram, name: string): TypedBody {
  const found = bodiesOf(program).find(([other]) => other === name);
  if (found === undefined) throw new Error(`no function ${name}`);
  return found[1];
}

/** All values in a body, outer ones first. */
export function valuesIn(body: TypedBody): readonly TypedValue[] {
  const values: TypedValue[] = [];
  visitBody(body, { value: value => void values.push(value) });
  return values;
}

export function stmtsIn(body: TypedBody): readonly TypedStmt[] {
  const stmts: TypedStmt[] = [];
  visitBody(body, { stmt: stmt => void stmts.push(stmt) });
  return stmts;
}
