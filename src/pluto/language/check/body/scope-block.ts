import { cyclesOf } from '../../../../base/cycles.ts';
import type { ScopeStmt } from '../../syntax/ast/code.ts';
import type { Span } from '../../syntax/ast/span.ts';
import { showType } from '../types/show.ts';
import type { ClassSymbol, Type } from '../types/type.ts';
import type { Body } from './body.ts';
import { isUnconstrained } from './operators.ts';

/** Checks `scope(seeds) |bindings| { … }`. Scoped instances live as long as the block. */
export function checkScope(body: Body, stmt: ScopeStmt): void {
  const seeds = new Set<ClassSymbol>();
  for (const seed of stmt.seeds) {
    const type = body.expr(seed);
    if (type.kind === 'class') {
      if (body.lifecycleOf(type.symbol) === 'scoped') seeds.add(type.symbol);
      else
        body.report(
          'scope-seed',
          seed,
          `scope seed must be an instance of a scoped class: '${type.symbol.name}' is not`,
        );
    } else if (!isUnconstrained(type))
      body.report('scope-seed', seed, `scope seed must be a class instance, found ${showType(type)}`);
  }
  const created = new Set<ClassSymbol>();
  const bound = stmt.bindings.map(binding => {
    const type = body.type(binding.type);
    if (type.kind === 'class') {
      collectScopedClasses(body, type.symbol, seeds, created, binding);
    } else if (!isUnconstrained(type))
      body.report('scope-binding', binding, `scope binding must have a class type, found ${showType(type)}`);
    return { binding, type };
  });
  for (const { binding, type } of bound) checkReached(body, type, seeds, created, binding);
  body.scoped(() => {
    body.scopeBlocks.push(body.locals.level);
    for (const { binding, type } of bound) {
      const { name } = binding;
      body.declare({ name: name.text, span: name, type, origin: 'scope', isImmutable: false });
    }
    for (const inner of stmt.body.stmts) body.stmt(inner);
    body.scopeBlocks.pop();
  });
}

function checkReached(
  body: Body,
  type: Type,
  seeds: ReadonlySet<ClassSymbol>,
  created: ReadonlySet<ClassSymbol>,
  site: Span,
): void {
  if (type.kind !== 'class' || seeds.has(type.symbol) || created.has(type.symbol)) return;
  body.report('scope-wiring', site, `scope binding of class '${type.symbol.name}' is not reachable from seeds`);
}

/** Adds the scoped classes that must be created for `symbol` to `created`; reports those that cannot be created. */
function collectScopedClasses(
  body: Body,
  symbol: ClassSymbol,
  seeds: ReadonlySet<ClassSymbol>,
  created: Set<ClassSymbol>,
  site: Span,
): void {
  const mustBeCreated = (one: ClassSymbol): boolean => !seeds.has(one) && body.lifecycleOf(one) === 'scoped';
  if (!mustBeCreated(symbol)) return;
  const needsOf = (one: ClassSymbol): readonly ClassSymbol[] => {
    const needs: ClassSymbol[] = [];
    for (const { isInjected, type } of body.context.signatures.class(one).fields.values()) {
      if (!isInjected)
        body.report('scope-wiring', site, `scoped class '${one.name}' has non-injected fields: provide it as a seed`);
      else if (type.kind === 'class' && mustBeCreated(type.symbol)) needs.push(type.symbol);
    }
    return needs;
  };
  for (const cycle of cyclesOf([symbol], needsOf, created)) {
    const names = [...cycle, cycle[0]].map(one => one?.name);
    body.report('scope-wiring', site, `circular dependency among scoped classes: ${names.join(' → ')}`);
  }
}
