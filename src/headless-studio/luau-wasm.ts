import instantiate, {
  type LoadedLuauWeb,
  type LuauWebModule,
  type LuauWebState,
} from 'luau-web/src/lib/Luau.Web.Asyncify.js';
import { withInitialMemory } from './wasm-memory.ts';

/** A Luau function or table that JavaScript keeps alive. */
export interface LuauRef {
  readonly kind: 'function' | 'table';
  readonly ref: number;
}
export type RawValue = number | string | boolean | LuauRef | undefined;
export type RawOutcome =
  | { readonly ok: true; readonly values: readonly RawValue[] }
  | { readonly ok: false; readonly message: string };

/**
 * The compiled machine code of Luau (a `WebAssembly.Module`) with a memory of `pages`. Threads can send it to each other: compiling and optimizing it
 * takes half of a start, 0.7 of 1.3 s of CPU time.
 */
export interface LuauMachineCode {
  readonly pages: number;
  readonly module: object;
}

/**
 * The Luau machine: compiles a chunk, calls a function with a few plain values, gives access to its memory. Calls are synchronous, and
 * the lines that Luau prints are all that leaves it during a call. Strings that are passed here must be short and without NUL; bytes are passed through the memory.
 */
export interface LuauMachine {
  /** The whole memory of the machine; the view stays valid for the lifetime of the machine. */
  readonly memory: Uint8Array;
  /** Starts other machines of the same memory size faster. */
  readonly code: LuauMachineCode;
  compile(source: string, chunkName: string): RawOutcome;
  call(target: LuauRef, args: readonly RawValue[]): RawOutcome;
  release(ref: LuauRef): void;
  setReadonly(table: LuauRef, readonly: boolean): void;
}

/** 64 KiB each: 750 MiB of address space, of which only used pages take memory. It cannot grow later. */
const DEFAULT_PAGES = 12_000;
const STATE_INDEX = 1;

/**
 * Starts a new machine, which is freed when it is no longer referenced.
 *
 * @param onLine gets each line of Luau's own `print` during the call; a line must be printable ASCII
 * @param code the machine code of an earlier machine; compiled again if that machine has another memory size
 * @throws Error when it cannot start
 */
export async function startLuauMachine(
  pages = DEFAULT_PAGES,
  onLine: (line: string) => void = () => undefined,
  code?: LuauMachineCode,
): Promise<LuauMachine> {
  const module: LuauWebModule = {
    LUA_VALUE: Symbol('LuaValue'),
    JS_VALUE: Symbol('JsValue'),
    JS_MUTABLE: Symbol('JsMutable'),
    securityTransmitList: new Map(),
    options: new Map(),
    states: [],
    print: onLine,
    // The VM reports its errors as exceptions.
    printErr: () => undefined,
  };
  const { luau, memory, code: compiled } = await afterOtherStarts(() => instantiateWithMemory(module, pages, code));
  const shared: LuauWebState = {
    luaValueCache: new Map(),
    jsValueCache: new Map(),
    jsValueReverse: new Map(),
    transactionData: {},
    nextJSRef: -1,
    nextTXKey: 0,
  };
  luau.states[STATE_INDEX] = shared;
  const state = luau._makeLuaState(STATE_INDEX);
  const put = (value: unknown): number => {
    const key = shared.nextTXKey++;
    shared.transactionData[key] = value;
    return key;
  };
  const take = (key: number): unknown => {
    const value = shared.transactionData[key];
    delete shared.transactionData[key];
    return value;
  };

  return {
    memory: new Uint8Array(memory.buffer),
    code: compiled,
    compile(source, chunkName): RawOutcome {
      const status = luau._luauLoad(state, put(source), put(chunkName));
      const value = toRaw(JSON.parse(String(take(luau._getLuaValue(state, -1)))) as Wire);
      return status === 0
        ? { ok: true, values: [value] }
        : { ok: false, message: typeof value === 'string' ? value : 'it does not compile' };
    },
    call(target, args): RawOutcome {
      const key = put(
        args.map(arg => (isRef(arg) ? { [luau.LUA_VALUE]: { ref: arg.ref, type: `l${arg.kind}` } } : arg)),
      );
      const status = luau._luaPcall(state, target.ref, key);
      const answer = take(key) as readonly Wire[] | readonly [{ readonly error: string }];
      if (status === 0) return { ok: true, values: (answer as readonly Wire[]).map(toRaw) };
      return { ok: false, message: (answer as readonly [{ readonly error: string }])[0].error };
    },
    release: ref => luau._luaUnref(state, ref.ref),
    setReadonly: (table, readonly) => luau._setreadonly(state, table.ref, readonly ? 1 : 0),
  };
}

/** A value in the form in which the package writes it into transactions. */
interface Wire {
  readonly type: string;
  readonly value: string | number | boolean;
}

const isRef = (value: RawValue): value is LuauRef => typeof value === 'object';

function toRaw(wire: Wire): RawValue {
  switch (wire.type) {
    case 'number':
      return Number(wire.value);
    case 'string':
      return String(wire.value);
    case 'boolean':
      return String(wire.value) === 'true';
    case 'function':
    case 'table':
      return { kind: wire.type, ref: Number(wire.value) };
    default:
      return undefined;
  }
}

/** Starts are serial, because each one replaces `WebAssembly.instantiate` temporarily. */
let lastStart: Promise<unknown> = Promise.resolve();

function afterOtherStarts<T>(start: () => Promise<T>): Promise<T> {
  const started = lastStart.then(start);
  lastStart = started.catch(() => undefined);
  return started;
}

/** The used part of the engine's `WebAssembly`, whose types are only in the DOM library. */
interface WasmEngine {
  instantiate: (this: WasmEngine, ...args: readonly unknown[]) => Promise<unknown>;
  readonly compile: (this: WasmEngine, bytes: Uint8Array<ArrayBuffer>) => Promise<object>;
}
interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** The package contains its module as text inside a function, so its bytes are only accessible when they are passed to the engine. */
async function instantiateWithMemory(
  module: LuauWebModule,
  pages: number,
  earlier: LuauMachineCode | undefined,
): Promise<{ readonly luau: LoadedLuauWeb; readonly memory: WasmMemory; readonly code: LuauMachineCode }> {
  const engine = (globalThis as unknown as { readonly WebAssembly: WasmEngine }).WebAssembly;
  const original = engine.instantiate;
  let started: { readonly memory: WasmMemory; readonly code: LuauMachineCode } | undefined;
  engine.instantiate = async (...args) => {
    const [bytes, imports] = args;
    if (!(bytes instanceof Uint8Array) || !isForLuau(imports)) return original.apply(engine, [...args]);
    const code =
      earlier?.pages === pages ? earlier : { pages, module: await engine.compile(withInitialMemory(bytes, pages)) };
    const instance = (await original.call(engine, code.module, imports)) as {
      readonly exports: { readonly memory: WasmMemory };
    };
    started = { memory: instance.exports.memory, code };
    return { module: code.module, instance };
  };
  try {
    const luau = await instantiate(module);
    if (started === undefined) throw new Error('the Luau WebAssembly module was not instantiated as expected');
    return { luau, ...started };
  } finally {
    engine.instantiate = original;
  }
}

/** Other code may instantiate other modules at the same time. */
function isForLuau(imports: unknown): boolean {
  const env = (imports as { readonly env?: object } | undefined)?.env;
  return env !== undefined && '__asyncjs__callJSFunction' in env;
}
