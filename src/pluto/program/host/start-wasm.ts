import { setFlagsFromString } from 'node:v8';
import type { ProgramHost, WasmErrors } from '../../ports/program-host.ts';
import type { WasmSupport } from '../../ports/program-runner.ts';

interface CompileOptions {
  readonly builtins: readonly string[];
}
/** Older engines ignore it, and import these functions. */
const OPTIONS: CompileOptions = { builtins: ['js-string'] };

/** The used part of the engine's `WebAssembly`, whose types are only in the DOM library. */
interface WasmEngine {
  validate(bytes: Uint8Array, options?: CompileOptions): boolean;
  readonly Module: new (bytes: Uint8Array, options?: CompileOptions) => object;
  readonly Tag: new (type: { readonly parameters: readonly string[] }) => object;
  readonly Exception: new (
    tag: object,
    payload: readonly unknown[],
  ) => { is(tag: object): boolean; getArg(tag: object, index: number): unknown };
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}

/** `undefined` in Node without a compiler (`--jitless`). */
const engine = (globalThis as unknown as { readonly WebAssembly?: WasmEngine }).WebAssembly;

/** A module with the type of a structure, which only engines with garbage-collected WebAssembly know. */
const STRUCT_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 3, 1, 0x5f, 0);

/** A module that imports `length` of `wasm:js-string` with a wrong type, which only engines that have this function notice. */
const WRONG_LENGTH_MODULE = Uint8Array.from(
  '\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02\x19\x01\x0ewasm:js-string\x06length\0\0',
  letter => letter.charCodeAt(0),
);

/** Which WebAssembly of programs this version of Node runs. */
export function wasmSupport(): WasmSupport {
  if (engine?.validate(STRUCT_MODULE) !== true) return 'none';
  return engine.validate(WRONG_LENGTH_MODULE, OPTIONS) ? 'slow-strings' : 'all';
}

const wasmErrorsOf = ({ Tag, Exception }: WasmEngine): WasmErrors => {
  const tag = new Tag({ parameters: ['externref'] });
  return {
    tag,
    exception: raised => new Exception(tag, [raised]),
    raisedIn: exception =>
      exception instanceof Exception && exception.is(tag) ? (exception.getArg(tag, 0) as Error) : undefined,
  };
};
export const wasmErrors = engine && wasmErrorsOf(engine);

type Functions = NonNullable<ReturnType<ProgramHost['startWasm']>>;

/**
 * Flags while a module is compiled. With the hints of the module, V8 optimizes only the functions that have one, until it replaces these
 * hints by others; without them, all functions. Without Liftoff, it also puts called functions into those that call them.
 */
const COMPILE_FLAGS = process.versions.v8.startsWith('13.')
  ? ['experimental-wasm-compilation-hints', 'no-liftoff']
  : ['no-liftoff', 'no-wasm-lazy-compilation'];

const opposite = (flag: string): string => (flag.startsWith('no-') ? flag.slice(3) : `no-${flag}`);

/**
 * Compiles the functions of the program with the optimizing compiler at once. By default, V8 starts with slow code, and never replaces it
 * in a loop that is running. VS Code's Electron forbids changes of flags.
 */
function compileEagerly({ Module }: WasmEngine, bytes: Uint8Array): object {
  if (process.versions['electron'] !== undefined) return new Module(bytes, OPTIONS);
  for (const flag of COMPILE_FLAGS) setFlagsFromString(`--${flag}`);
  try {
    return new Module(bytes, OPTIONS);
  } finally {
    for (const flag of COMPILE_FLAGS) setFlagsFromString(`--${opposite(flag)}`);
  }
}

/** Compiles and starts a module. @returns its functions; `undefined` if this version of Node does not support it */
export const startWasm = (
  ...[bytes, readsBytes, imports]: Parameters<ProgramHost['startWasm']>
): Functions | undefined =>
  engine?.validate(bytes, OPTIONS) === true && !(readsBytes && wasmSupport() === 'slow-strings')
    ? (new engine.Instance(compileEagerly(engine, bytes), imports).exports as Functions)
    : undefined;
