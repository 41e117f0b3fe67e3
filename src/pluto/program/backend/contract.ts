/** The value of a Pluto expression; `README.md` lists the representations. */
export type Value = unknown;

/** An `int`: a number if it is a safe integer, else a bigint. */
export type Int = number | bigint;

/** The generator of a function that may block. The caller must pass what it yields on to the scheduler. */
export type Blocking<T = Value> = Generator<unknown, T, unknown>;

/** The WebAssembly in the text of a program: none, or whether it reads bytes of strings, which is slow in engines without functions for it. */
export type WasmUse = 'none' | 'without-bytes' | 'reads-bytes';

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
  /** Indices of the fields that are ints. */
  readonly intFields: readonly number[];
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

/** An extern that WebAssembly code calls, with its types there. */
export interface WasmExtern {
  readonly name: string;
  readonly params: readonly WasmExternType[];
  readonly result: WasmExternType | `[${WasmExternType}]` | 'void';
}

export type WasmExternType = 'int' | 'float' | 'bool' | 'string';

/** The functions of a program that became WebAssembly. */
export interface WasmFunctions {
  /** Ints are bigints, bools numbers. */
  readonly call: Readonly<Record<string, (...args: readonly never[]) => unknown>>;
  /** The error that a call has thrown, as JavaScript code throws it. */
  readonly thrown: (error: unknown) => unknown;
  /** Lists cross between the languages, by the type of their elements. */
  readonly enter: Readonly<Record<'int' | 'float' | 'bool' | 'byte' | 'string', (list: never) => Value>>;
  readonly leave: Readonly<Record<'int' | 'float' | 'bool' | 'byte' | 'string', (ref: never) => Value>>;
  /** Scalars that may be `none` are structures in WebAssembly. */
  readonly box: Readonly<Record<'int' | 'float' | 'bool' | 'byte', (value: Value) => Value>>;
  readonly unbox: Readonly<Record<'int' | 'float' | 'bool' | 'byte', (ref: Value) => Value>>;
}

/** Names of the errors that the runtime raises. */
export type BuiltinErrorName = 'MathError' | 'ChannelClosed' | 'ChannelFull' | 'ChannelEmpty' | 'TaskCancelled';

/** The interface that the emitted text calls. */
export interface Runtime {
  // --- Operators ---
  /** Whether two enums, or nullable enums, are equal. */
  eq(a: Value, b: Value): boolean;
  /** The text that `print` and interpolation show of a value other than an int. */
  text(value: Value): string;
  /** Operations on ints: numbers if they are safe integers, else bigints. */
  readonly ints: Readonly<Record<string, unknown>>;
  /** The low 8 bits of an int. */
  byte(value: Int): Value;

  // --- Values ---
  /** `a..b` and `a..=b` */
  range(from: Int, to: Int, isInclusive: boolean): Value;
  list(elements: Value[]): Value;
  /** @param hasIntKeys whether the keys are ints */
  map(entries: readonly (readonly [Value, Value])[], hasIntKeys?: boolean): Value;
  /** @param isOfInts whether the elements are ints */
  set(elements: readonly Value[], isOfInts?: boolean): Value;
  variant(enumName: string, name: string, tag: number, fieldNames: readonly string[]): EnumVariant;
  /** Base class of all classes. */
  readonly Instance: new () => object;
  /** `make(...captured)` returns the function. Its captured values are copied with it into a task. */
  closure(make: (...captured: Value[]) => (...args: Value[]) => Value, captured: readonly Value[]): Value;
  /** Marks a singleton or an app, which is never copied. */
  shared<T extends object>(instance: T): T;
  /** Awaits the result of a call that returned a blocking generator. */
  settle(value: Value): Blocking;
  readonly str: Readonly<Record<string, (s: string, ...args: Value[]) => Value>>;
  /** Built-in functions by name, except for `expect`. */
  readonly builtins: Readonly<Record<string, (...args: Value[]) => Value>>;

  // --- Errors ---
  /** @param intFields indices of the fields that are ints */
  errorType(name: string, fieldNames: readonly string[], intFields: readonly number[]): ErrorType;
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
  readonly END: symbol;
  readonly Element: new (value: Value) => object;
  stream(generator: Generator<unknown, void, unknown>): Value;

  // --- Tasks, channels ---
  spawn(captured: readonly Value[], body: (...captured: Value[]) => Value, isBlocking: boolean): Value;
  /** @returns sender and receiver */
  channel(capacity: Int | undefined): readonly [Value, Value];
  release(senders: readonly Value[]): void;
  select(arms: readonly SelectArm[], hasDefault: boolean): Blocking<{ readonly arm: number; readonly value: Value }>;

  // --- WebAssembly ---
  /**
   * Starts the module with the functions that became WebAssembly.
   * @param module base64
   * @param texts its constants
   * @param readsBytes whether it reads bytes of strings, which is slow in engines without functions for it
   * @param errors the types of errors that it raises and catches
   * @param externs those that it calls
   * @returns `undefined` if the engine does not support it
   */
  wasm(
    module: string,
    texts: readonly string[],
    readsBytes: boolean,
    errors: () => readonly ErrorType[],
    externs: readonly WasmExtern[],
  ): WasmFunctions | undefined;

  // --- The host ---
  /** An extern of the runtime; `result` is its declared result type in source syntax, `''` for none. */
  extern(name: string, result: string): (...args: Value[]) => Value;
}
