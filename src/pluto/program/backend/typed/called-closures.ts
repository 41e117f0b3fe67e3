import { visitBody } from './children.ts';
import type { ClosureValue, TypedBody, TypedFunction, Variable } from './typed-form.ts';

/** An argument of a call: the parameter that gets a function value. */
interface Forward {
  readonly callee: TypedFunction;
  readonly index: number;
}

/** A function value in a program: code that only calls it, or passes it to such code, does not need the value. */
export class CalledClosures {
  /** Variables with function values that are put anywhere else. */
  readonly #escaping = new Set<Variable>();
  /** The parameters that get the value of a variable. */
  readonly #forwards = new Map<Variable, Forward[]>();
  readonly #params = new Set<Variable>();
  /** Bodies with literals, and the parameters and variables that get them. */
  readonly #literals = new Map<TypedBody, (Forward | Variable)[]>();
  readonly #sizes = new Map<TypedBody, number>();
  #size = 0;

  /** Reads the code of a function or a method. @param hasKnownCalls whether all calls of it are known */
  read(body: TypedBody, hasKnownCalls: boolean): void {
    if (hasKnownCalls) for (const param of body.params) if (param.type.kind === 'fn') this.#params.add(param);
    const forwarded = new Set<unknown>();
    let size = 0;
    visitBody(body, {
      value: value => {
        size += 1;
        switch (value.kind) {
          case 'call':
            for (const [index, arg] of value.args.entries()) {
              const forward = { callee: value.callee, index };
              if (arg.kind === 'closure') this.#addLiteral(body, forward);
              if (arg.kind !== 'variable' || arg.type.kind !== 'fn') continue;
              forwarded.add(arg);
              const forwards = this.#forwards.get(arg.variable) ?? [];
              this.#forwards.set(arg.variable, forwards);
              forwards.push(forward);
            }
            return;
          case 'variable':
            if (value.type.kind === 'fn' && !forwarded.has(value)) this.#escaping.add(value.variable);
            return;
          case 'closure':
          case 'spawn':
            for (const variable of value.captured.variables)
              if (variable.type.kind === 'fn') this.#escaping.add(variable);
            return;
          default:
        }
      },
      stmt: stmt => {
        size += 1;
        if (stmt.kind === 'let' && stmt.value.kind === 'closure') this.#addLiteral(body, stmt.variable);
      },
    });
    this.#size += size;
    this.#sizes.set(body, size);
  }

  #addLiteral(body: TypedBody, to: Forward | Variable): void {
    const literals = this.#literals.get(body) ?? [];
    this.#literals.set(body, literals);
    literals.push(to);
  }

  /** Completes what is known when all code has been read. */
  finish(): void {
    const users = new Map<Variable, Variable[]>();
    for (const [variable, forwards] of this.#forwards)
      for (const { callee, index } of forwards) {
        const param = callee.body.params[index];
        if (param === undefined || !this.#params.has(param) || param.isAssigned) this.#escaping.add(variable);
        else {
          const others = users.get(param) ?? [];
          users.set(param, others);
          others.push(variable);
        }
      }
    // The set grows while it is visited.
    for (const one of this.#escaping) for (const user of users.get(one) ?? []) this.#escaping.add(user);
  }

  /** Whether a variable with a function value is only called, and passed to parameters that are only called. */
  isOnlyCalled(variable: Variable): boolean {
    return variable.type.kind === 'fn' && !variable.isAssigned && !this.#escaping.has(variable);
  }

  /** Whether a function only calls an argument. */
  callsOnly({ body }: TypedFunction, index: number): boolean {
    const param = body.params[index];
    return param !== undefined && this.#params.has(param) && this.isOnlyCalled(param);
  }

  /** Whether a body has a literal that is only called. */
  hasLiterals(body: TypedBody): boolean {
    return (this.#literals.get(body) ?? []).some(to =>
      'callee' in to ? this.callsOnly(to.callee, to.index) : this.isOnlyCalled(to),
    );
  }

  /** Number of values and statements in a body. */
  sizeOf(body: TypedBody): number {
    return this.#sizes.get(body) ?? 0;
  }

  /** Number of values and statements in all bodies. */
  get size(): number {
    return this.#size;
  }
}

/** Whether a literal can be a function: it uses no object of a method. */
export const canBeFunction = ({ captured }: ClosureValue): boolean => !captured.hasSelf;
