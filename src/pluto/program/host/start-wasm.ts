import { setFlagsFromString } from 'node:v8';
import type { ProgramHost } from '../../ports/program-host.ts';

interface CompileOptions {
  readonly builtins: readonly string[];
}
/** Older engines ignore it, and import these functions. */
const OPTIONS: CompileOptions = { builtins: ['js-string'] };

/** The used part of the engine's `WebAssembly`, whose types are only in the DOM library. */
interface WasmEngine {
  validate(bytes: Uint8Array, options?: CompileOptions): boolean;
  readonly Module: new (bytes: Uint8Array, options?: CompileOptions) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}

/** `undefined` in Node without a compiler (`--jitless`). */
const engine = (globalThis as unknown as { readonly WebAssembly?: WasmEngine }).WebAssembly;

/** A module with the type of a structure, which only engines with garbage-collected WebAssembly know. */
const STRUCT_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 3, 1, 0x5f, 0);

/** Whether this version of Node runs the WebAssembly of programs. */
export const supportsWasm = (): boolean => engine?.validate(STRUCT_MODULE) === true;

type Functions = NonNullable<ReturnType<ProgramHost['startWasm']>>;

/**
 * Compiles all functions with the optimizing compiler at once. By default, V8 starts with slow code, and never replaces it in a loop that is
 * running. VS Code's Electron forbids changes of flags.
 */
function compileEagerly({ Module }: WasmEngine, bytes: Uint8Array): object {
  if (process.versions['electron'] !== undefined) return new Module(bytes, OPTIONS);
  setFlagsFromString('--no-liftoff');
  setFlagsFromString('--no-wasm-lazy-compilation');
  try {
    return new Module(bytes, OPTIONS);
  } finally {
    setFlagsFromString('--liftoff');
    setFlagsFromString('--wasm-lazy-compilation');
  }
}

/** Compiles and starts a module. @returns its functions; `undefined` if this version of Node does not support it */
export const startWasm = (bytes: Uint8Array, imports: Parameters<ProgramHost['startWasm']>[1]): Functions | undefined =>
  engine?.validate(bytes, OPTIONS) === true
    ? (new engine.Instance(compileEagerly(engine, bytes), imports).exports as Functions)
    : undefined;
