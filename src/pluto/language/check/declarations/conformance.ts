import type { MethodDecl } from '../../syntax/ast/decl.ts';
import type { Span } from '../../syntax/ast/span.ts';
import type { Body } from '../body/body.ts';
import { isSame } from '../types/relate.ts';
import { showType } from '../types/show.ts';
import type { Callable, ClassSymbol, TraitSymbol } from '../types/type.ts';

/** Checks that a class implements the traits that it lists. */
export function checkConformance(body: Body, symbol: ClassSymbol): void {
  const { program, file, signatures } = body.context;
  const listed = new Set<TraitSymbol>();
  const rivals = new Rivals(body, symbol);
  const decls = new Map<string, MethodDecl>();
  for (const member of symbol.decl.members)
    if (member.kind === 'MethodDecl' && !decls.has(member.name.text)) decls.set(member.name.text, member);
  for (const name of symbol.decl.impls) {
    if (name.text === '') continue;
    const trait = program.find(file, name.text, 'TraitDecl');
    if (trait === undefined) {
      body.report('trait-unknown', name, `unknown trait '${name.text}'`);
      continue;
    }
    if (listed.has(trait)) {
      body.report('trait-duplicate', name, `trait '${name.text}' appears multiple times in the impl list`);
      continue;
    }
    listed.add(trait);
    for (const other of rivals.add(trait)) {
      checkContracts(body, trait, other, name);
      checkDefaults(body, symbol, trait, other, name);
    }
    for (const wanted of signatures.trait(trait).methods.values())
      checkMethod(body, symbol, trait, wanted, decls.get(wanted.name)?.name ?? name);
  }
}

/** Finds the traits of a class that may not be together: those with a contract or an inherited body for one method. */
class Rivals {
  readonly #body: Body;
  readonly #symbol: ClassSymbol;
  readonly #byMethod = new Map<string, TraitSymbol[]>();

  constructor(body: Body, symbol: ClassSymbol) {
    this.#body = body;
    this.#symbol = symbol;
  }

  /** @returns the traits that were added before and may conflict with this one, in the order in which they were added */
  add(trait: TraitSymbol): Iterable<TraitSymbol> {
    const { signatures } = this.#body.context;
    const { methods } = signatures.class(this.#symbol);
    const found = new Set<TraitSymbol>();
    for (const { name, hasBody, hasContracts } of signatures.trait(trait).methods.values()) {
      if (!hasContracts && (!hasBody || methods.has(name))) continue;
      const others = this.#byMethod.get(name) ?? [];
      this.#byMethod.set(name, others);
      for (const other of others) found.add(other);
      others.push(trait);
    }
    return found;
  }
}

/** A class cannot inherit two bodies of one method. */
function checkDefaults(body: Body, symbol: ClassSymbol, trait: TraitSymbol, other: TraitSymbol, site: Span): void {
  const { signatures } = body.context;
  const { methods } = signatures.class(symbol);
  for (const { name, hasBody, receiver } of signatures.trait(trait).methods.values())
    if (hasBody && receiver !== 'static' && !methods.has(name) && signatures.trait(other).methods.get(name)?.hasBody)
      body.report(
        'trait-default-conflict',
        site,
        `traits '${other.name}' and '${trait.name}' both have a default method '${name}': implement it in class '${symbol.name}'`,
      );
}

function checkContracts(body: Body, trait: TraitSymbol, other: TraitSymbol, site: Span): void {
  const { signatures } = body.context;
  for (const method of signatures.trait(trait).methods.values())
    if (method.hasContracts && signatures.trait(other).methods.get(method.name)?.hasContracts === true)
      body.report(
        'trait-contract',
        site,
        `traits '${other.name}' and '${trait.name}' have contracts on method '${method.name}', which both define`,
      );
}

function checkMethod(body: Body, symbol: ClassSymbol, trait: TraitSymbol, wanted: Callable, at: Span): void {
  const { signatures } = body.context;
  const found = signatures.class(symbol).methods.get(wanted.name);
  if (found === undefined) {
    // The language provides static methods; methods with a body are inherited.
    if (!wanted.hasBody && wanted.receiver !== 'static')
      body.report(
        'trait-method-missing',
        at,
        `class '${symbol.name}' does not implement required method '${wanted.name}' of trait '${trait.name}'`,
      );
    return;
  }
  const what = `method '${wanted.name}' of class '${symbol.name}'`;
  const mismatch = (message: string): void => body.report('trait-method-mismatch', at, message);
  if (found.params.length !== wanted.params.length)
    mismatch(
      `${what} has the wrong number of parameters: trait '${trait.name}' expects ${wanted.params.length}, found ${found.params.length}`,
    );
  else
    for (const [index, param] of wanted.params.entries()) {
      const own = found.params[index];
      if (own !== undefined && !isSame(own.type, param.type))
        mismatch(
          `${what}: parameter ${index + 1} type mismatch: trait '${trait.name}' expects ${showType(param.type)}, found ${showType(own.type)}`,
        );
    }
  if (!isSame(found.result, wanted.result))
    mismatch(
      `${what}: return type mismatch: trait '${trait.name}' expects ${showType(wanted.result)}, found ${showType(found.result)}`,
    );
  if (wanted.receiver === 'mut' && found.receiver === 'self')
    mismatch(`${what}: trait '${trait.name}' declares 'mut self', but the class declares 'self'`);
  if (wanted.receiver === 'self' && found.receiver === 'mut')
    mismatch(`${what}: the class declares 'mut self', but trait '${trait.name}' declares 'self'`);
  if (found.hasContracts)
    body.report(
      'trait-contract',
      at,
      `${what} cannot add 'requires': callers through trait '${trait.name}' cannot know it (Liskov substitution)`,
    );
}
