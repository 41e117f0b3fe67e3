import { startWasm } from '../../src/pluto/program/host/start-wasm.ts';
import type { ProgramFiles, ProgramHost } from '../../src/pluto/ports/program-host.ts';

/** The host of one program run: collects its output, supplies its input, and advances its clock by 1 ms at each read. */
export class MemoryProgramHost implements ProgramHost {
  readonly environment = new Map<string, string>();
  readonly files: ProgramFiles;
  readonly #input: string[];
  readonly #out = { stdout: '', stderr: '' };
  readonly #hasWasm: boolean | 'older';
  /** Whether it has started WebAssembly. */
  ranWasm = false;
  #now = 0n;

  /** @param hasWasm false: like an engine without the WebAssembly that programs use; `older`: like one without functions for strings */
  constructor(input = '', hasWasm: boolean | 'older' = true) {
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
    const functions =
      this.#hasWasm === 'older' ? startInOlderEngine(...module) : this.#hasWasm ? startWasm(...module) : undefined;
    this.ranWasm = functions !== undefined;
    return functions;
  }

  readonly heapLimit = 2 ** 30;

  heapBytes(): number {
    return 0;
  }
}

/** The engine's `WebAssembly`, whose types are only in the DOM library. */
const { WebAssembly: engine } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object, imports: object) => { readonly exports: object };
  };
};

function startInOlderEngine(
  ...[bytes, readsBytes, imports]: Parameters<ProgramHost['startWasm']>
): ReturnType<ProgramHost['startWasm']> {
  if (readsBytes) return undefined;
  return new engine.Instance(new engine.Module(bytes), imports).exports as ReturnType<ProgramHost['startWasm']>;
}
