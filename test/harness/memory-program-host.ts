import { startWasm, wasmErrors } from '../../src/pluto/program/host/start-wasm.ts';
import type { ProgramFiles, ProgramHost } from '../../src/pluto/ports/program-host.ts';

/**
 * The WebAssembly of a host. `true`: as in Node, optimized at once. `unoptimized`: as in VS Code, whose Electron forbids that. `older`: as in an
 * engine without functions for strings. `false`: as in one without the WebAssembly that programs use.
 */
export type HostWasm = boolean | 'unoptimized' | 'older';

/** The host of one program run: collects its output, supplies its input, and advances its clock by 1 ms at each read. */
export class MemoryProgramHost implements ProgramHost {
  readonly environment = new Map<string, string>();
  readonly files: ProgramFiles;
  readonly #input: string[];
  readonly #out = { stdout: '', stderr: '' };
  readonly #hasWasm: HostWasm;
  /** Whether it has started WebAssembly. */
  ranWasm = false;
  #now = 0n;

  constructor(input = '', hasWasm: HostWasm = true) {
    this.#hasWasm = hasWasm;
    const bytes = Buffer.from(input).toString('latin1');
    this.#input = bytes === '' ? [] : bytes.replace(/\r?\n$/, '').split(/\r?\n/);
    const refuse = (): never => {
      throw new Error('this host has no files');
    };
    this.files = new Proxy({} as ProgramFiles, { get: () => refuse });
  }

  /** The output so far, as text. */
  textOf(stream: 'stdout' | 'stderr'): string {
    return Buffer.from(this.#out[stream], 'latin1').toString('utf8');
  }

  write(to: 'stdout' | 'stderr', bytes: string): void {
    this.#out[to] += bytes;
  }

  readLine(): string | undefined {
    return this.#input.shift();
  }

  monotonicNs(): bigint {
    return (this.#now += 1_000_000n);
  }

  wallNs(): bigint {
    return this.monotonicNs();
  }

  sleep(ns: bigint): void {
    this.#now += ns;
  }

  seed(): bigint {
    return 1n;
  }

  startWasm(...module: Parameters<ProgramHost['startWasm']>): ReturnType<ProgramHost['startWasm']> {
    const functions = this.#start(...module);
    this.ranWasm = functions !== undefined;
    return functions;
  }

  #start(...module: Parameters<ProgramHost['startWasm']>): ReturnType<ProgramHost['startWasm']> {
    if (this.#hasWasm === 'older') return startInOlderEngine(...module);
    if (this.#hasWasm === 'unoptimized') return startUnoptimized(...module);
    return this.#hasWasm ? startWasm(...module) : undefined;
  }

  readonly wasmErrors = wasmErrors;

  readonly heapLimit = 2 ** 30;

  heapBytes(): number {
    return 0;
  }
}

/** The engine's `WebAssembly`, whose types are only in the DOM library. */
const { WebAssembly: engine } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array, options?: { readonly builtins: readonly string[] }) => object;
    readonly Instance: new (module: object, imports: object) => { readonly exports: object };
  };
};

function startInOlderEngine(
  ...[bytes, readsBytes, imports]: Parameters<ProgramHost['startWasm']>
): ReturnType<ProgramHost['startWasm']> {
  if (readsBytes) return undefined;
  return new engine.Instance(new engine.Module(bytes), imports).exports as ReturnType<ProgramHost['startWasm']>;
}

function startUnoptimized(
  ...[bytes, , imports]: Parameters<ProgramHost['startWasm']>
): ReturnType<ProgramHost['startWasm']> {
  const module = new engine.Module(bytes, { builtins: ['js-string'] });
  return new engine.Instance(module, imports).exports as ReturnType<ProgramHost['startWasm']>;
}
