import type { Span } from '../../syntax/ast/span.ts';
import type { EffectKey } from '../effects/call-site.ts';
import type { Type } from '../types/type.ts';

export interface Local {
  readonly name: string;
  readonly span: Span;
  readonly type: Type;
  readonly origin: 'let' | 'param' | 'bound' | 'channel' | 'scope';
  /** `let` without `mut`: neither it nor what it holds may be changed by it. */
  readonly isFixed: boolean;
  /** How many scopes are around it, closures included. */
  readonly level: number;
  /** How many closures are around it. */
  readonly closure: number;
  isRead: boolean;
  /** For a task: whose errors its result brings, where that is known. */
  task: EffectKey | undefined;
  /** The level of the scope block whose bindings a closure in this variable has captured; 0 for none. */
  taint: number;
}

/** The variables that are visible, innermost last. */
export class Locals {
  readonly #list: Local[] = [];
  level = 0;

  find(name: string): Local | undefined {
    const list = this.#list;
    for (let index = list.length - 1; index >= 0; index -= 1) if (list[index]?.name === name) return list[index];
    return undefined;
  }

  add(local: Local): void {
    this.#list.push(local);
  }

  /** Runs `inside` in a scope of its own; `closing` sees the variables of it that go. */
  scoped<T>(inside: () => T, closing: (local: Local) => void): T {
    const { length } = this.#list;
    this.level += 1;
    const value = inside();
    for (let index = length; index < this.#list.length; index += 1) {
      const local = this.#list[index];
      if (local !== undefined) closing(local);
    }
    this.#list.length = length;
    this.level -= 1;
    return value;
  }
}
