/**
 * The system interface of a running Pluto program. All calls are synchronous, because a program has its own thread. Strings of programs
 * hold one byte per code unit; paths and names are ordinary text.
 */
export interface ProgramHost {
  /** @param bytes are written unchanged */
  write(to: 'stdout' | 'stderr', bytes: string): void;
  /** The next input line without its end (LF or CR LF); `undefined` at the end of the input. */
  readLine(): string | undefined;
  /** Monotonic nanoseconds since an arbitrary start. */
  monotonicNs(): bigint;
  /** Nanoseconds since 1970 in UTC. */
  wallNs(): bigint;
  /** Blocks the whole program. @param ns ≥ 0 */
  sleep(ns: bigint): void;
  /** 64 random bits. */
  seed(): bigint;
  /** Heap size of the program in bytes. */
  heapBytes(): number;
  /** Bytes that `heapBytes` cannot exceed. */
  readonly heapLimit: number;
  /**
   * Compiles and starts a WebAssembly module. The engine's own functions take the place of those in `wasm:js-string`, if it has them.
   * @param readsBytes whether it reads bytes of strings, which is slow without the engine's functions
   * @param imports functions and strings, by module and name
   * @returns its functions; `undefined` if the engine does not support it
   */
  startWasm(
    bytes: Uint8Array,
    readsBytes: boolean,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ): Readonly<Record<string, (...args: readonly never[]) => unknown>> | undefined;
  /** `undefined` if the engine does not support WebAssembly. */
  readonly wasmErrors: WasmErrors | undefined;
  /** The program's own copy of the environment. */
  readonly environment: Map<string, string>;
  readonly files: ProgramFiles;
}

/** The errors of a program as exceptions that WebAssembly can catch. */
export interface WasmErrors {
  /** The tag that modules import. */
  readonly tag: object;
  exception(raised: Error): unknown;
  /** The error in an exception; `undefined` if it is another one. */
  raisedIn(exception: unknown): Error | undefined;
}

/** The files that the program may access. Paths are relative to its folder, or absolute. Failures throw an Error with the reason. */
export interface ProgramFiles {
  /** @returns the file number */
  open(path: string, mode: 'read' | 'write' | 'append'): number;
  close(file: number): void;
  /** Reads at most `most` bytes at the current position; empty at the end of the file. */
  read(file: number, most: number): string;
  /** @returns the number of bytes written */
  write(file: number, bytes: string): number;
  /** @returns the new position */
  seek(file: number, offset: number, from: 'start' | 'here' | 'end'): number;
  /** `undefined` if nothing exists there that the program may access. */
  kind(path: string): 'file' | 'folder' | 'other' | undefined;
  size(path: string): number;
  remove(path: string): void;
  makeFolder(path: string): void;
  /** Fails unless the folder is empty. */
  removeFolder(path: string): void;
  rename(from: string, to: string): void;
  copy(from: string, to: string): void;
  /** The names in a folder, without `.` and `..`. */
  list(path: string): readonly string[];
  /** Makes a folder for temporary files, which is removed when the program ends. */
  temporaryFolder(): string;
}
