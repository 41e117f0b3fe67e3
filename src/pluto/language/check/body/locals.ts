import type { Span } from '../../syntax/ast/span.ts';
import type { EffectKey } from '../effects/call-site.ts';
import type { Type } from '../types/type.ts';

export interface Local {
  readonly name: string;
  readonly span: Span;
  readonly type: Type;
  readonly origin: 'let' | 'param' | 'bound' | 'channel' | 'scope';
  /** `let` without `mut`: neither it nor what it holds may be changed by it. */
  readonly isImmutable: boolean;
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

  get count(): number {
    return this.#list.length;
  }

  at(index: number): Local | undefined {
    return this.#list[index];
  }

  /** Opens a scope. @returns how many variables are outside of it, for `leave` */
  enter(): number {
    this.level += 1;
    return this.#list.length;
  }

  leave(before: number): void {
    this.#list.length = before;
    this.level -= 1;
  }
}
