/** The messages between the host and the thread that runs one test file. */

import type { LuauMachineCode } from '../../headless-studio/luau-wasm.ts';

/** The options of the thread. Paths are absolute. */
export interface TestThreadOptions {
  readonly headlessFolder: string;
  readonly testsFolder: string;
  readonly reflectionFile: string;
  readonly placeName: string;
  readonly placeId: number;
  readonly gameId: number;
  /** The place as `modelToBytes` encodes it. */
  readonly place: Uint8Array;
  /** Memory of Luau in pages of 64 KiB. */
  readonly memoryPages: number;
  /** The compiled code from an earlier thread of this process. */
  readonly luauCode: LuauMachineCode | undefined;
  readonly request: TestRequest;
}

/** A request to run tests; mirrors `luau/runner.luau`. */
export interface TestRequest {
  readonly files: readonly { readonly path: readonly number[]; readonly file: string }[];
  readonly test: readonly number[];
  readonly hooks: readonly (readonly number[])[];
  /** Time limit of each test, with its hooks. */
  readonly seconds: number;
  /** The name of the file in full names. */
  readonly file: string;
  /** Runs only tests whose full name (`file > block > test`) contains one of these; empty for all. */
  readonly filters: readonly string[];
}

/** A test or block; `index`: its position among the planned tests, `undefined` for a hook or the file. */
export interface TestId {
  readonly names: readonly string[];
  readonly line: number;
  readonly index: number | undefined;
}

/** A message that code of the game printed. */
export interface TestOutput {
  readonly level: 'output' | 'info' | 'warning' | 'error';
  readonly message: string;
}

export interface TestReport extends TestId {
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly ms: number;
  readonly failure:
    | { readonly message: string; readonly stack: readonly { readonly file: string; readonly line: number }[] }
    | undefined;
  readonly unavailable: readonly string[];
  readonly output: readonly TestOutput[];
}

export type FromTestThread =
  /** The VM is ready: from now on, the time limit of the tests applies. */
  | { readonly kind: 'ready'; readonly luauCode: LuauMachineCode }
  | { readonly kind: 'planned'; readonly tests: readonly Omit<TestId, 'index'>[] }
  | ({ readonly kind: 'started' } & TestId)
  | ({ readonly kind: 'test' } & TestReport)
  /** Sent at once, so that the host has it when the test does not return; its report contains it too. */
  | ({ readonly kind: 'output' } & TestOutput)
  | { readonly kind: 'finished' }
  /** Luau cannot continue. */
  | { readonly kind: 'failed'; readonly message: string };
