import type { PausableWork } from '../../../../base/time-slice.ts';
import type {
  TypedClass,
  TypedError,
  TypedExtern,
  TypedFunction,
  TypedMethod,
  TypedProgram,
  TypedSingleton,
  TypedVariant,
} from '../typed/typed-form.ts';
import type { CallGraph } from '../typed/call-graph.ts';
import { type Formula, operationAt } from './int-code.ts';

/** Names of the definitions in the emitted text, and the operations that it needs. */
export class ProgramEmitter {
  readonly typed: TypedProgram;
  readonly graph: CallGraph;
  readonly #names = new Map<object, string>();
  readonly #operations = new Map<string, string>();
  #last = 0;

  constructor(typed: TypedProgram, graph: CallGraph) {
    this.typed = typed;
    this.graph = graph;
  }

  /** A unique name in the emitted text. */
  name(base: string): string {
    this.#last += 1;
    return `${base.replaceAll(/\W/g, '_')}$${this.#last}`;
  }

  #nameOf(one: object, base: string): string {
    const known = this.#names.get(one);
    if (known !== undefined) return known;
    const name = this.name(base);
    this.#names.set(one, name);
    return name;
  }

  function(of: TypedFunction): string {
    return this.#nameOf(of, of.name);
  }

  class(of: TypedClass): string {
    return this.#nameOf(of, of.name);
  }

  /** The function that checks the invariants of an object. */
  invariants(of: TypedClass): string {
    return this.#nameOf(of.invariants, `${of.name}_invariants`);
  }

  /** The function of a method. */
  method(of: TypedMethod): string {
    return this.#nameOf(of, `${of.owner.name}_${of.name}`);
  }

  variant(of: TypedVariant): string {
    return this.#nameOf(of, `${of.enumName}_${of.name}`);
  }

  error(of: TypedError): string {
    return this.#nameOf(of, of.name);
  }

  extern(of: TypedExtern): string {
    return this.#nameOf(of, of.name);
  }

  /** The function that gives the instance. */
  singleton(of: TypedSingleton): string {
    return this.#nameOf(of, `singleton_${of.name}`);
  }

  /** Defines operations on ints for one place of the program. @param isSum as in `operationAt` @returns the name of the function */
  operation(formula: Formula, isSum: boolean): string {
    this.#last += 1;
    const { name, text } = operationAt(formula, this.#last, isSum);
    this.#operations.set(name, text);
    return name;
  }

  /** The definitions of the operations that are used, without those that are part of others. */
  *operationsIn(definitions: readonly string[]): PausableWork<readonly string[]> {
    const used = new Set<string>();
    for (const text of definitions) {
      for (const [name] of text.matchAll(/\$\$[a-z]+\d+/g)) used.add(name);
      yield;
    }
    return Array.from(this.#operations).flatMap(([name, text]) => (used.has(name) ? [text] : []));
  }
}
