import { classSubstitution } from '../../../../language/check/body/members.ts';
import { substitute } from '../../../../language/check/types/substitute.ts';
import type { ClassSymbol, ClassType, Type } from '../../../../language/check/types/type.ts';
import type { ScopeStmt as ScopeNode } from '../../../../language/syntax/ast/code.ts';
import type { ObjectValue, Place, TypedStmt, TypedValue, Variable } from '../typed-form.ts';
import type { BodyBuilder } from './body-builder.ts';
import type { ProgramBuilder } from './program-builder.ts';

/** An injected instance: the singleton, or a new instance of a shorter-lived class, whose dependencies are not built yet. */
export const instanceOf = (program: ProgramBuilder, type: ClassType): TypedValue =>
  program.lifecycleOf(type.symbol) === 'singleton'
    ? { kind: 'singleton', type, of: program.singleton(type) }
    : { kind: 'call', type, callee: program.factory(type), args: [], range: undefined };

/** A new instance; `give` supplies injected fields, other fields get the empty values of their types. */
export function newInstanceOf(
  program: ProgramBuilder,
  type: ClassType,
  give: (type: ClassType) => TypedValue,
): ObjectValue {
  const fields = fieldsOf(program, type).map(({ of, isInjected }, index): ObjectValue['fields'][number] => ({
    index,
    value: isInjected && of.kind === 'class' ? give(of) : { kind: 'empty', type: of },
  }));
  return { kind: 'object', type, of: program.classOfObjects(type), fields, isChecked: false };
}

function fieldsOf(
  { checked: { signatures } }: ProgramBuilder,
  type: ClassType,
): readonly { readonly of: Type; readonly isInjected: boolean }[] {
  const by = classSubstitution(signatures, type);
  const fields = Array.from(signatures.class(type.symbol).fields.values());
  return fields.map(field => ({ of: substitute(field.type, by), isInjected: field.isInjected }));
}

const injectedClasses = (program: ProgramBuilder, type: ClassType): readonly ClassType[] =>
  fieldsOf(program, type).flatMap(({ of, isInjected }) => (isInjected && of.kind === 'class' ? [of] : []));

/** The statements of `scope(seeds) |bindings| { … }`. Each execution creates new instances for the bindings. */
export function buildScope(body: BodyBuilder, stmt: ScopeNode, place: Place | undefined): readonly TypedStmt[] {
  const stmts: TypedStmt[] = [];
  const made = new Map<ClassSymbol, Variable>();
  const keep = (value: TypedValue, symbol: ClassSymbol | undefined): void => {
    const variable = body.hidden(value.type);
    stmts.push({ kind: 'let', place, variable, value });
    if (symbol !== undefined) made.set(symbol, variable);
  };
  // Before the block: a seed may read a variable that a binding hides.
  for (const seed of stmt.seeds) {
    const value = body.value(seed);
    keep(value, value.type.kind === 'class' ? value.type.symbol : undefined);
  }
  const { program } = body;
  const mustBeMade = ({ symbol }: ClassType): boolean => !made.has(symbol) && program.lifecycleOf(symbol) === 'scoped';
  const give = (type: ClassType): TypedValue => {
    const variable = made.get(type.symbol);
    return variable === undefined ? instanceOf(program, type) : { kind: 'variable', type, variable };
  };
  /** Makes the scoped dependencies first. A chain of them may be longer than the stack. */
  const make = (type: ClassType): void => {
    const waiting = [type];
    for (let one = waiting.at(-1); one !== undefined; one = waiting.at(-1)) {
      const needs = mustBeMade(one) ? injectedClasses(program, one).filter(mustBeMade) : [];
      // The first field is made first.
      for (const need of needs.toReversed()) waiting.push(need);
      if (needs.length > 0) continue;
      if (mustBeMade(one)) keep(newInstanceOf(program, one, give), one.symbol);
      waiting.pop();
    }
  };
  const bindings: TypedStmt[] = [];
  for (const { name, type: written } of stmt.bindings) {
    const type = body.type(written);
    if (type.kind !== 'class') continue;
    make(type);
    bindings.push({ kind: 'let', place, variable: body.declare(name, type), value: give(type) });
  }
  return [...stmts, { kind: 'scope', place, body: [...bindings, ...body.block(stmt.body)] }];
}
