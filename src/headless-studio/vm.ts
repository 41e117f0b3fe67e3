import { startLuauMachine, type LuauMachine, type LuauMachineCode, type LuauRef, type RawValue } from './luau-wasm.ts';
import { decodeLuauValue, encodeLuauValue, type LuauValue } from './luau-value.ts';

/** An error raised in Luau. `message` is that of Luau, with `module:line:` if known. */
export class LuauError extends Error {
  /** The Luau stack at the error, innermost first; empty when the chunk did not compile. */
  readonly traceback: string;
  /** The error value when it was not a string. */
  readonly value: LuauValue | undefined;

  constructor(message: string, traceback = '', value?: LuauValue) {
    super(message);
    this.name = 'LuauError';
    this.traceback = traceback;
    this.value = value;
    if (traceback !== '') this.stack = `LuauError: ${message}\n${traceback}`;
  }
}

/** One Luau VM. Synchronous. It cannot be interrupted, so run code that may not end in a worker. */
export interface LuauVm {
  /** For other VMs with as much memory. */
  readonly code: LuauMachineCode;
  /**
   * Adds modules, as texts by path (`plugin/core/diff.luau`, `plugin/core/init.luau`). They are compiled at once and run when first
   * required; one that does not compile fails its `require`. An existing path is replaced for later requires.
   */
  define(modules: ReadonlyMap<string, string>): void;
  /** Compiles a chunk under `path`, for Luau to call; error positions contain `name`. @throws LuauError when it does not compile */
  compile(source: string, path: string, name?: string): void;
  /** Requires `module` (path without `.luau`) and calls its function `name`. @throws LuauError */
  call(module: string, name: string, ...args: readonly LuauValue[]): readonly LuauValue[];
  /**
   * Compiles and runs a chunk, in which `args` is the list of `args`. `path` (without `.luau`) is the base of its relative requires and the
   * name in error positions.
   *
   * @throws LuauError
   */
  run(source: string, path?: string, ...args: readonly LuauValue[]): readonly LuauValue[];
}

/** The path of the first chunk of every VM. */
export const VM_MODULE = 'headless/vm.luau';
/**
 * Every chunk has these locals, on its first line, so that line numbers stay correct. If `game` were a global, `game.X` would be looked up
 * only once, when the chunk is loaded. Mirrors `luau/vm.luau`.
 */
const CHUNK_HEAD = 'local require, type, typeof, game, workspace, shared, args = ... ';
/** Bytes before the content in Luau's `Buffer` object; verified at every start. */
const BUFFER_HEADER = 8;

export interface LuauVmOptions {
  /** 64 KiB each. */
  readonly memoryPages?: number;
  /** Gets each line of `emit` of the built-in module `vm` at once, also while a call does not return. */
  readonly onLine?: (line: string) => void;
  /** The `code` of an earlier VM of any thread; halves the time of the start. */
  readonly code?: LuauMachineCode | undefined;
}

/** Starts a VM with `modules`, which must contain `headless/vm.luau`. @throws Error when the VM cannot be started */
export async function startLuauVm(modules: ReadonlyMap<string, string>, options: LuauVmOptions = {}): Promise<LuauVm> {
  const firstChunk = modules.get(VM_MODULE);
  if (firstChunk === undefined) throw new Error(`the Luau modules lack ${VM_MODULE}`);
  const machine = await startLuauMachine(options.memoryPages, options.onLine, options.code);
  const started = startFirstChunk(machine, firstChunk);
  const define = (path: string, source: string, name = moduleName(path)): string | undefined => {
    const compiled = machine.compile(CHUNK_HEAD + source, `=${name}`);
    const loader = compiled.ok ? asFunction(compiled.values[0]) : undefined;
    started.define(moduleName(path), loader ?? false, ...(compiled.ok ? [] : [compiled.message]));
    if (loader !== undefined) machine.release(loader);
    return compiled.ok ? undefined : compiled.message;
  };
  const vm: LuauVm = {
    code: machine.code,
    define(added) {
      for (const [path, source] of added) if (path !== VM_MODULE) define(path, source);
    },
    compile(source, path, name) {
      const problem = define(path, source, name);
      if (problem !== undefined) throw new LuauError(problem);
    },
    call: (module, name, ...args) => started.exchange({ module, name, args, count: args.length }),
    run(source, path = 'chunk', ...args) {
      vm.compile(source, path);
      return started.exchange({ run: moduleName(path), args, count: args.length });
    },
  };
  vm.define(modules);
  return vm;
}

/** The functions of the first chunk. They throw `Error` when the VM itself failed and is unusable. */
interface FirstChunk {
  /** Adds a module: its loader, or `false` with the message of the compiler. */
  define(...module: readonly [name: string, loader: LuauRef | false, problem?: string]): void;
  /** Runs a request, with its values encoded. @throws LuauError when Luau raised an error */
  exchange(request: LuauValue): readonly LuauValue[];
}

function startFirstChunk(machine: LuauMachine, firstChunk: string): FirstChunk {
  const invoke = (target: LuauRef, args: readonly RawValue[]): readonly RawValue[] => {
    const outcome = machine.call(target, args);
    if (!outcome.ok) throw new Error(`the Luau VM failed: ${outcome.message}`);
    return outcome.values;
  };
  const compiled = machine.compile(firstChunk, `=${moduleName(VM_MODULE)}`);
  if (!compiled.ok) throw new Error(`the Luau VM cannot start: ${compiled.message}`);
  const [reserve, define, exchange, vectorMembers] = invoke(asFunction(compiled.values[0]), []);
  // The members of Vector3 are replaced: see `luau/datatypes/vector3.luau`.
  if (typeof vectorMembers === 'object') machine.setReadonly(vectorMembers, false);
  let space = regionOf(invoke(asFunction(reserve), [0]));
  proveBufferLayout(machine.memory, space.start);
  return {
    define: (...module) => void invoke(asFunction(define), module),
    exchange(request) {
      const bytes = encodeLuauValue(request);
      if (bytes.length > space.length) space = regionOf(invoke(asFunction(reserve), [bytes.length]));
      machine.memory.set(bytes, space.start);
      const answer = regionOf(invoke(asFunction(exchange), []));
      const [ok, values] = decodeAnswer(machine.memory.subarray(answer.start, answer.start + answer.length));
      if (!ok) throw toLuauError(values[0] ?? null);
      return values;
    },
  };
}

function regionOf([address, length]: readonly RawValue[]): { readonly start: number; readonly length: number } {
  return { start: Number(address) + BUFFER_HEADER, length: Number(length) };
}

/**
 * The first chunk wrote these bytes at the start of its buffer. If they were at another position, every later call would corrupt the VM.
 */
function proveBufferLayout(memory: Uint8Array, start: number): void {
  const proof = Uint8Array.from([...new TextEncoder().encode('Atlas Bridge\0'), 255]);
  if (!proof.every((byte, index) => memory[start + index] === byte))
    throw new Error('the Luau VM keeps its buffers in an unknown layout');
}

/** A flag byte, then the values as one array. */
function decodeAnswer(bytes: Uint8Array): readonly [ok: boolean, values: readonly LuauValue[]] {
  const values = decodeLuauValue(bytes.subarray(1));
  if (!Array.isArray(values)) throw new Error('the Luau VM returned an unknown shape');
  return [decodeLuauValue(bytes.subarray(0, 1)) === true, values as readonly LuauValue[]];
}

function toLuauError(failure: LuauValue): LuauError {
  // The shape of `describeFailure` in `luau/vm.luau`; bytes instead of text mean a message that is not UTF-8.
  const { message, traceback, value } = failure as {
    readonly message: string | Uint8Array;
    readonly traceback: string | Uint8Array;
    readonly value?: LuauValue;
  };
  return new LuauError(asText(message), asText(traceback).trim(), value);
}

const asText = (text: string | Uint8Array): string =>
  typeof text === 'string' ? text : new TextDecoder().decode(text);

function asFunction(value: RawValue): LuauRef {
  if (typeof value === 'object' && value.kind === 'function') return value;
  throw new Error('the Luau VM did not return a function');
}

/** `a/init.luau` is the module `a`. */
const moduleName = (path: string): string => path.replace(/\.luau$/, '').replace(/\/init$/, '');
