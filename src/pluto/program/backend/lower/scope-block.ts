import type { ClassSymbol, ClassType } from '../../../language/check/types/type.ts';
import type { ScopeStmt } from '../../../language/syntax/ast/code.ts';
import type { BodyLowering } from './body.ts';
import { instanceOf, newInstanceOf } from './injection.ts';
import { localName } from '../js-names.ts';

/** Lowers `scope(seeds) |bindings| { … }`. Each execution creates new instances for the bindings. */
export function lowerScope(body: BodyLowering, stmt: ScopeStmt): void {
  const made = new Map<ClassSymbol, string>();
  // Before the block: a seed may read a variable that a binding hides.
  const seeds = body.exprs(stmt.seeds, true);
  body.emit('{');
  for (const [index, seed] of stmt.seeds.entries()) {
    const type = body.typeOf(seed);
    if (type.kind === 'class') made.set(type.symbol, seeds[index] ?? '');
  }
  const wire = (type: ClassType): string => {
    const known = made.get(type.symbol);
    if (known !== undefined) return known;
    if (body.program.lifecycleOf(type.symbol) !== 'scoped') return instanceOf(body.program, type);
    const instance = body.temp(newInstanceOf(body.program, type, wire));
    made.set(type.symbol, instance);
    return instance;
  };
  for (const { name, type: written } of stmt.bindings) {
    const type = body.type(written);
    if (type.kind === 'class') body.emit(`let ${localName(name.text)} = ${wire(type)};`);
  }
  body.block(stmt.body);
  body.emit('}');
}
