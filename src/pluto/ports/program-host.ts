/**
 * What a running Pluto program sees of the world. Everything is done when the call returns: a program has a thread of its own. Texts of
 * programs are strings whose code units are bytes; paths and names are ordinary text.
 */
export interface ProgramHost {
  /** @param bytes as they are, line ends included */
  write(to: 'stdout' | 'stderr', bytes: string): void;
  /** The next line of the input without its end (LF or CR LF); `undefined` when there is none. */
  readLine(): string | undefined;
  /** Nanoseconds since an arbitrary start; never goes backwards. */
  monotonicNs(): bigint;
  /** Nanoseconds since 1970 in UTC. */
  wallNs(): bigint;
  /** Holds up the whole program. @param ns ≥ 0 */
  sleep(ns: bigint): void;
  /** 64 unpredictable bits. */
  seed(): bigint;
  /** Bytes that the program holds. */
  heapBytes(): number;
  /** The program's own copy of the environment. */
  readonly environment: Map<string, string>;
  readonly files: ProgramFiles;
}

/** Files as far as the program may reach. Paths are relative to its folder, or absolute. What fails throws an Error with the reason. */
export interface ProgramFiles {
  /** @returns the number of the open file */
  open(path: string, mode: 'read' | 'write' | 'append'): number;
  close(file: number): void;
  /** At most `most` bytes from where the file stands; empty at its end. */
  read(file: number, most: number): string;
  /** @returns how many bytes were written */
  write(file: number, bytes: string): number;
  /** @returns the new place, from the start */
  seek(file: number, offset: number, from: 'start' | 'here' | 'end'): number;
  /** `undefined` when there is nothing, or nothing that the program may see. */
  kind(path: string): 'file' | 'folder' | 'other' | undefined;
  size(path: string): number;
  remove(path: string): void;
  makeFolder(path: string): void;
  /** Only an empty one. */
  removeFolder(path: string): void;
  rename(from: string, to: string): void;
  copy(from: string, to: string): void;
  /** Names of what is in a folder, without `.` and `..`. */
  list(path: string): readonly string[];
  /** A folder for files that nobody needs later. */
  temporaryFolder(): string;
}
