import type { Span } from '../../syntax/ast/span.ts';
import type { EffectKey } from '../effects/call-site.ts';
import type { Type } from '../types/type.ts';

/** A variable, parameter or binding. */
export interface Local {
  readonly name: string;
  readonly span: Span;
  readonly type: Type;
  readonly origin: 'let' | 'param' | 'bound' | 'channel' | 'scope';
  /** `let` without `mut`: neither the variable nor its value may be changed through it. */
  readonly isImmutable: boolean;
  /** Number of scopes around it, closures included. */
  readonly level: number;
  /** Number of closures around it. */
  readonly closure: number;
  isRead: boolean;
  /** For a task: the body whose errors `get()` raises, if it is known. */
  task: EffectKey | undefined;
  /** The scope block level whose bindings a closure in this variable has captured; 0 for none. */
  taint: number;
}

/** The visible variables, innermost last. */
export class Locals {
  readonly #list: Local[] = [];
  /** More than one for a name only where the code is wrong. */
  readonly #byName = new Map<string, Local[]>();
  level = 0;

  find(name: string): Local | undefined {
    return this.#byName.get(name)?.at(-1);
  }

  add(local: Local): void {
    this.#list.push(local);
    const others = this.#byName.get(local.name);
    if (others === undefined) this.#byName.set(local.name, [local]);
    else others.push(local);
  }

  get count(): number {
    return this.#list.length;
  }

  at(index: number): Local | undefined {
    return this.#list[index];
  }

  /** Opens a scope. @returns the number of variables outside it, for `leave` */
  enter(): number {
    this.level += 1;
    return this.#list.length;
  }

  leave(before: number): void {
    for (const { name } of this.#list.splice(before)) this.#byName.get(name)?.pop();
    this.level -= 1;
  }
}
