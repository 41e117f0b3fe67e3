import { classSubstitution } from '../../../../language/check/body/members.ts';
import { substitute } from '../../../../language/check/types/substitute.ts';
import type { ClassSymbol, ClassType } from '../../../../language/check/types/type.ts';
import type { ScopeStmt as ScopeNode } from '../../../../language/syntax/ast/code.ts';
import type { ObjectValue, Place, TypedStmt, TypedValue, Variable } from '../typed-form.ts';
import type { BodyBuilder } from './body-builder.ts';
import type { ProgramBuilder } from './program-builder.ts';

/** An injected instance: the singleton, or a new instance of a shorter-lived class. */
export function instanceOf(program: ProgramBuilder, type: ClassType): TypedValue {
  if (program.lifecycleOf(type.symbol) === 'singleton') return { kind: 'singleton', type, of: program.singleton(type) };
  return newInstanceOf(program, type, inner => instanceOf(program, inner));
}

/** A new instance; `give` supplies injected fields, other fields get the empty values of their types. */
export function newInstanceOf(
  program: ProgramBuilder,
  type: ClassType,
  give: (type: ClassType) => TypedValue,
): ObjectValue {
  const { signatures } = program.checked;
  const by = classSubstitution(signatures, type);
  const fields = Array.from(signatures.class(type.symbol).fields.values(), (field, index) => {
    const of = substitute(field.type, by);
    const value: TypedValue = field.isInjected && of.kind === 'class' ? give(of) : { kind: 'empty', type: of };
    return { index, value };
  });
  return { kind: 'object', type, of: program.classOfObjects(type), fields, isChecked: false };
}

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
  const wire = (type: ClassType): TypedValue => {
    const known = made.get(type.symbol);
    if (known !== undefined) return { kind: 'variable', type, variable: known };
    if (body.program.lifecycleOf(type.symbol) !== 'scoped') return instanceOf(body.program, type);
    keep(newInstanceOf(body.program, type, wire), type.symbol);
    return wire(type);
  };
  const bindings: TypedStmt[] = [];
  for (const { name, type: written } of stmt.bindings) {
    const type = body.type(written);
    if (type.kind !== 'class') continue;
    const value = wire(type);
    bindings.push({ kind: 'let', place, variable: body.declare(name, type), value });
  }
  return [...stmts, { kind: 'scope', place, body: [...bindings, ...body.block(stmt.body)] }];
}
