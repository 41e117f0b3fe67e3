/** Whatever a Pluto expression can give; `README.md` has the table. */
export type Value = unknown;

/** What a function that may block gives when it is called: whoever drives it must hand what it yields to the scheduler. */
export type Blocking<T = Value> = Generator<unknown, T, unknown>;

/** What the emitted text gives. */
export interface Program {
  /** Undefined in a module where no program starts. */
  readonly entry: Entry | undefined;
  readonly tests: readonly Test[];
  /** Of `tests[scheduler: …]`; bare tests are sequential. */
  readonly scheduler: Scheduler;
  /** How places of the text lead to those of the modules: its lines end with `//@<index in files>:<line>`. */
  readonly origin?: {
    /** Made on the line of the text that returns the program. */
    readonly here: Error;
    readonly files: readonly string[];
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

/** One kind of error, by `Runtime.errorType` or one of `Runtime.errors`. */
export interface ErrorType {
  readonly name: string;
  readonly fieldNames: readonly string[];
}

export interface ErrorValue {
  readonly type: ErrorType;
  readonly fields: readonly Value[];
}

/** One variant of an enum. */
export interface Variant {
  readonly enumName: string;
  readonly name: string;
  readonly tag: number;
  readonly fieldNames: readonly string[];
  /** The same object every time when there are no fields. */
  make(...fields: readonly Value[]): EnumValue;
}

export interface EnumValue {
  readonly variant: Variant;
  readonly tag: number;
  readonly fields: readonly Value[];
}

/** How one arm of a select is written. */
export type SelectArm = { readonly from: Value } | { readonly to: Value; readonly value: Value };

/** Names of errors that the runtime raises. */
export type BuiltinErrorName = 'MathError' | 'ChannelClosed' | 'ChannelFull' | 'ChannelEmpty' | 'TaskCancelled';

/** Everything that the emitted text calls. */
export interface Runtime {
  // --- Operators: by the kind of the operands, where it is not known before ---
  add(a: Value, b: Value): Value;
  sub(a: Value, b: Value): Value;
  mul(a: Value, b: Value): Value;
  /** Fails for ints when `b` is zero, and for the least int by -1. */
  div(a: Value, b: Value): Value;
  rem(a: Value, b: Value): Value;
  neg(a: Value): Value;
  shl(a: bigint, b: bigint): bigint;
  shr(a: bigint, b: bigint): bigint;
  eq(a: Value, b: Value): boolean;
  cast(value: Value, to: 'int' | 'float' | 'bool' | 'byte'): Value;
  /** As `print` and interpolation show it. */
  text(value: Value): string;

  // --- Values ---
  /** `a..b` and `a..=b` */
  range(from: bigint, to: bigint, isInclusive: boolean): Value;
  list(elements: Value[]): Value;
  map(entries: readonly (readonly [Value, Value])[]): Value;
  set(elements: readonly Value[]): Value;
  variant(enumName: string, name: string, tag: number, fieldNames: readonly string[]): Variant;
  /** Base of all classes. */
  readonly Instance: new () => object;
  /** `make(...captured)` is the function; what it captured is copied with it when it goes into a task. */
  closure(make: (...captured: Value[]) => (...args: Value[]) => Value, captured: readonly Value[]): Value;
  /** Marks a singleton or an app: it is never copied. */
  shared<T extends object>(instance: T): T;
  /** `o[i]` of a list, map, bytes or string; lists, maps and bytes have the same as `getAt` and `setAt`. */
  getAt(object: Value, index: Value): Value;
  setAt(object: Value, index: Value, value: Value): void;
  /** A method of a value whose type is not known before. */
  call(receiver: Value, name: string, args: readonly Value[]): Value;
  /** What a call gave, when it gave a generator that blocks. */
  settle(value: Value): Blocking;
  readonly str: Readonly<Record<string, (s: string, ...args: Value[]) => Value>>;
  /** Functions of 10.1 by their names, but for `expect`. */
  readonly builtins: Readonly<Record<string, (...args: Value[]) => Value>>;

  // --- Errors ---
  errorType(name: string, fieldNames: readonly string[]): ErrorType;
  readonly errors: Readonly<Record<BuiltinErrorName, ErrorType>>;
  /** Throws. @param fields in the order of the declaration */
  raise(type: ErrorType, fields: readonly Value[]): never;
  /** Throws again what is no error of the program. */
  caught(thrown: unknown): ErrorValue;
  /** `.message` of an error of any kind: the field of that name, or else the first one, as text. */
  messageOf(error: ErrorValue): string;
  /** @param line what stderr gets, without its line end */
  fail(line: string): never;

  // --- Tests; `line` counts from 1 in the entry module ---
  expectEqual(actual: Value, expected: Value, line: number): void;
  expectTrue(actual: Value, line: number): void;
  expectFalse(actual: Value, line: number): void;

  // --- Loops, streams ---
  elements(value: Value): Iterable<Value>;
  /** The same for what may be a receiver or a stream that waits: with a `next` like theirs, whatever it is. */
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

  // --- The host ---
  /** A function of 10.4; `result` is the type it was declared with, as it is written, `''` for none. */
  extern(name: string, result: string): (...args: Value[]) => Value;
}
