import type { PausableWork } from '../../../../base/time-slice.ts';
import { directTarget, eachChildOfStmt, eachChildOfValue, mayBreakInvariants } from './children.ts';
import type {
  BuiltinMethodCall,
  MethodCall,
  SpawnValue,
  TypedBody,
  TypedFunction,
  TypedMethod,
  TypedProgram,
  TypedStmt,
  TypedValue,
} from './typed-form.ts';

/**
 * Code that can block: a function, a method, a task, all methods of one name that calls dispatch to, all function values of one number of
 * parameters, all streams, or the invariants of all classes.
 */
export type BlockKey = TypedFunction | TypedMethod | SpawnValue | string;

/** All methods of one name to which calls dispatch. */
export const dispatchKey = (name: string): BlockKey => `method ${name}`;
export const closureKey = (arity: number): BlockKey => `closure ${arity}`;
export const STREAMS: BlockKey = 'streams';
export const INVARIANTS: BlockKey = 'invariants';

/** Methods of tasks and channels that wait. */
export const isWait = (name: string): boolean => name === 'send' || name === 'recv' || name === 'get';

const isWaitCall = ({ name, receiver }: BuiltinMethodCall): boolean =>
  isWait(name) && /^(?:task|sender|receiver)$/.test(receiver.type.kind);

/** Which functions may block, as a fixed point over the calls of a program, and how methods are called. */
export class CallGraph {
  readonly #callers = new Map<BlockKey, Set<BlockKey>>();
  readonly #blocking = new Set<BlockKey>();
  readonly #direct = new Set<TypedMethod>();
  /** The methods that calls through traits may run: calls of one method of a trait have the same list. */
  readonly #targets = new Set<readonly TypedMethod[]>();
  readonly #dispatched = new Set<TypedMethod>();

  private constructor() {}

  static *of({ functions, classes, entry }: TypedProgram): PausableWork<CallGraph> {
    const graph = new CallGraph();
    for (const one of functions) {
      graph.#body(one, one.body);
      yield;
    }
    for (const { methods, invariants } of classes) {
      for (const method of methods.values()) graph.#body(method, method.body);
      for (const check of invariants) graph.#stmt(INVARIANTS, check);
      yield;
    }
    if (entry?.kind === 'app') graph.#direct.add(entry.main);
    graph.#dispatch();
    graph.#spread();
    return graph;
  }

  #dispatch(): void {
    for (const targets of this.#targets) for (const target of targets) this.#dispatched.add(target);
    for (const method of this.#dispatched) {
      this.#call(dispatchKey(method.name), method);
      // The code of a method that no code calls directly is in the class.
      if (!this.#direct.has(method)) this.#call(method, dispatchKey(method.name));
    }
  }

  isBlocking(key: BlockKey): boolean {
    return this.#blocking.has(key);
  }

  /** Whether a value may block, apart from the values in it. */
  mayBlock(value: TypedValue): boolean {
    switch (value.kind) {
      case 'call':
        return value.type.kind !== 'stream' && this.isBlocking(value.callee);
      case 'call-closure':
        return this.isBlocking(closureKey(value.args.length));
      case 'call-method':
        return (
          this.isBlocking(directTarget(value) ?? dispatchKey(value.name)) ||
          (mayBreakInvariants(value) && this.isBlocking(INVARIANTS))
        );
      case 'call-builtin-method':
        return isWaitCall(value);
      case 'object':
        return value.isChecked && value.of.invariants.length > 0 && this.isBlocking(INVARIANTS);
      default:
        return false;
    }
  }

  /** Whether code calls a method without looking it up in its object. */
  isDirect(method: TypedMethod): boolean {
    return this.#direct.has(method);
  }

  /** Whether a call finds a method in its object. */
  isDispatched(method: TypedMethod): boolean {
    return this.#dispatched.has(method);
  }

  #call(from: BlockKey, to: BlockKey): void {
    const callers = this.#callers.get(to);
    if (callers === undefined) this.#callers.set(to, new Set([from]));
    else callers.add(from);
  }

  #body(key: BlockKey, { checks, block, result }: TypedBody): void {
    for (const check of checks)
      if (check.kind === 'check') this.#stmt(key, check);
      else this.#call(key, check.contract);
    for (const stmt of block) this.#stmt(result.kind === 'stream' ? STREAMS : key, stmt);
  }

  #stmt(key: BlockKey, stmt: TypedStmt): void {
    if (stmt.kind === 'select') this.#blocking.add(key);
    if (stmt.kind === 'each') {
      if (stmt.iterable.type.kind === 'receiver') this.#blocking.add(key);
      if (stmt.iterable.type.kind === 'stream') this.#call(key, STREAMS);
    }
    eachChildOfStmt(stmt, { value: value => this.#value(key, value), stmt: inner => this.#stmt(key, inner) });
  }

  #value(key: BlockKey, value: TypedValue): void {
    let inside = key;
    switch (value.kind) {
      case 'call':
        // The body of a stream runs when its elements are read, so the call never blocks.
        if (value.type.kind !== 'stream') this.#call(key, value.callee);
        break;
      case 'call-closure':
        this.#call(key, closureKey(value.args.length));
        break;
      case 'call-method':
        this.#method(key, value);
        break;
      case 'call-builtin-method':
        if (isWaitCall(value)) this.#blocking.add(key);
        break;
      case 'object':
        if (value.isChecked && value.of.invariants.length > 0) this.#call(key, INVARIANTS);
        break;
      case 'closure':
        inside = closureKey(value.params.length);
        break;
      case 'spawn':
        inside = value;
        break;
      default:
    }
    eachChildOfValue(value, { value: one => this.#value(inside, one), stmt: stmt => this.#stmt(inside, stmt) });
  }

  #method(key: BlockKey, call: MethodCall): void {
    const direct = directTarget(call);
    if (direct === undefined) {
      this.#call(key, dispatchKey(call.name));
      this.#targets.add(call.targets);
    } else {
      this.#direct.add(direct);
      this.#call(key, direct);
    }
    if (mayBreakInvariants(call)) this.#call(key, INVARIANTS);
  }

  #spread(): void {
    const waiting = Array.from(this.#blocking);
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop())
      for (const caller of this.#callers.get(key) ?? []) {
        if (this.#blocking.has(caller)) continue;
        this.#blocking.add(caller);
        waiting.push(caller);
      }
  }
}
