/** The value of a Pluto expression; `README.md` lists the representations. */
export type Value = unknown;

/** The generator of a function that may block. The caller must pass what it yields on to the scheduler. */
export type Blocking<T = Value> = Generator<unknown, T, unknown>;

/** The program that the emitted text returns. */
export interface Program {
  /** Undefined in a module without an entry point. */
  readonly entry: Entry | undefined;
  readonly tests: readonly Test[];
  /** From `tests[scheduler: …]`; tests without it are sequential. */
  readonly scheduler: Scheduler;
  /** Maps the emitted text to its modules: each line ends with `//@<index in files>:<line>`. */
  readonly origin?: {
    /** Created on the line of the text that returns the program. */
    readonly here: Error;
    readonly files: readonly string[];
    /** Places in the WebAssembly in ascending order: offset, index in `files` or -1, line. */
    readonly wasm: readonly number[];
  };
}

export type Scheduler = 'Sequential' | 'RoundRobin' | 'Random' | 'Exhaustive';

export interface Entry {
  readonly isBlocking: boolean;
  run(): Value;
}

export interface Test extends Entry {
  readonly name: string;
}

/** An error type, from `Runtime.errorType` or `Runtime.errors`. */
export interface ErrorType {
  readonly name: string;
  readonly fieldNames: readonly string[];
}

export interface ErrorValue {
  readonly type: ErrorType;
  readonly fields: readonly Value[];
}

/** A variant of an enum. */
export interface EnumVariant {
  readonly enumName: string;
  readonly name: string;
  readonly tag: number;
  readonly fieldNames: readonly string[];
  /** Always the same object for a variant without fields. */
  make(...fields: readonly Value[]): EnumValue;
}

export interface EnumValue {
  readonly variant: EnumVariant;
  readonly tag: number;
  readonly fields: readonly Value[];
}

/** An arm of a `select`. */
export type SelectArm = { readonly from: Value } | { readonly to: Value; readonly value: Value };

/** The functions of a program that became WebAssembly. */
export interface WasmFunctions {
  /** Ints are bigints, bools numbers. */
  readonly call: Readonly<Record<string, (...args: readonly never[]) => unknown>>;
  /** Lists cross between the languages, by the type of their elements. */
  readonly enter: Readonly<Record<'int' | 'float' | 'bool', (list: never) => Value>>;
  readonly leave: Readonly<Record<'int' | 'float' | 'bool', (ref: never) => Value>>;
}

/** Names of the errors that the runtime raises. */
export type BuiltinErrorName = 'MathError' | 'ChannelClosed' | 'ChannelFull' | 'ChannelEmpty' | 'TaskCancelled';

/** The interface that the emitted text calls. */
export interface Runtime {
  // --- Operators for operands whose type is not known at compile time ---
  add(a: Value, b: Value): Value;
  sub(a: Value, b: Value): Value;
  mul(a: Value, b: Value): Value;
  /** For ints, fails if `b` is zero, and for the smallest int divided by -1. */
  div(a: Value, b: Value): Value;
  rem(a: Value, b: Value): Value;
  neg(a: Value): Value;
  shl(a: bigint, b: bigint): bigint;
  shr(a: bigint, b: bigint): bigint;
  eq(a: Value, b: Value): boolean;
  cast(value: Value, to: 'int' | 'float' | 'bool' | 'byte'): Value;
  /** The text that `print` and interpolation show. */
  text(value: Value): string;

  /** Operations on ints in variables: numbers if they are safe integers, else bigints. */
  readonly ints: Readonly<
    Record<'add' | 'sub' | 'mul' | 'div' | 'rem' | 'wide' | 'compact' | 'next' | 'text', unknown>
  >;

  // --- Values ---
  /** `a..b` and `a..=b` */
  range(from: bigint, to: bigint, isInclusive: boolean): Value;
  list(elements: Value[]): Value;
  map(entries: readonly (readonly [Value, Value])[]): Value;
  set(elements: readonly Value[]): Value;
  variant(enumName: string, name: string, tag: number, fieldNames: readonly string[]): EnumVariant;
  /** Base class of all classes. */
  readonly Instance: new () => object;
  /** `make(...captured)` returns the function. Its captured values are copied with it into a task. */
  closure(make: (...captured: Value[]) => (...args: Value[]) => Value, captured: readonly Value[]): Value;
  /** Marks a singleton or an app, which is never copied. */
  shared<T extends object>(instance: T): T;
  /** `o[i]` of a list, map, bytes or string. Lists, maps and bytes have methods of the same names. */
  getAt(object: Value, index: Value): Value;
  setAt(object: Value, index: Value, value: Value): void;
  /** Calls a method of a value whose type is not known at compile time. */
  call(receiver: Value, name: string, args: readonly Value[]): Value;
  /** Awaits the result of a call that returned a blocking generator. */
  settle(value: Value): Blocking;
  readonly str: Readonly<Record<string, (s: string, ...args: Value[]) => Value>>;
  /** Built-in functions by name, except for `expect`. */
  readonly builtins: Readonly<Record<string, (...args: Value[]) => Value>>;

  // --- Errors ---
  errorType(name: string, fieldNames: readonly string[]): ErrorType;
  readonly errors: Readonly<Record<BuiltinErrorName, ErrorType>>;
  /** Throws. @param fields in the order of the declaration */
  raise(type: ErrorType, fields: readonly Value[]): never;
  /** Rethrows anything that is not an error of the program. */
  caught(thrown: unknown): ErrorValue;
  /** `.message` of any error: the field of this name, or else the first field, as text. */
  messageOf(error: ErrorValue): string;
  /** @param line the line for stderr, without its line end */
  fail(line: string): never;

  // --- Tests; `line` is a 1-based line in the entry module ---
  expectEqual(actual: Value, expected: Value, line: number): void;
  expectTrue(actual: Value, line: number): void;
  expectFalse(actual: Value, line: number): void;

  // --- Loops, streams ---
  elements(value: Value): Iterable<Value>;
  /** Like `elements`, for values that may be a receiver or a blocking stream. */
  cursor(value: Value): { next(): Blocking };
  readonly END: symbol;
  readonly Element: new (value: Value) => object;
  stream(generator: Generator<unknown, void, unknown>): Value;

  // --- Tasks, channels ---
  spawn(captured: readonly Value[], body: (...captured: Value[]) => Value, isBlocking: boolean): Value;
  /** @returns sender and receiver */
  channel(capacity: bigint | undefined): readonly [Value, Value];
  release(senders: readonly Value[]): void;
  select(arms: readonly SelectArm[], hasDefault: boolean): Blocking<{ readonly arm: number; readonly value: Value }>;

  // --- WebAssembly ---
  /**
   * Starts the module with the functions that became WebAssembly.
   * @param module base64
   * @param texts its constants
   * @returns `undefined` if the engine does not support it
   */
  wasm(module: string, texts: readonly string[]): WasmFunctions | undefined;

  // --- The host ---
  /** An extern of the runtime; `result` is its declared result type in source syntax, `''` for none. */
  extern(name: string, result: string): (...args: Value[]) => Value;
}
