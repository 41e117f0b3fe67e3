import type { Turn } from '../../project/longest-turn.ts';
import type { OwnTurn } from '../record-turns.ts';

/** Requests of the benchmark to the probe, each with one argument; sent as lines of JSON over a socket. */
export interface Probe {
  /** Starts to measure the turns of the event loop. */
  begin(nothing: object): void;
  /** Returns the longest turn since `begin`, and the number of turns with more than 20 ms of processor time. */
  end(nothing: object): Watched;
  /** Starts to record which part of each turn is code of Atlas Bridge, which makes all turns a little slower. */
  beginOwn(nothing: object): Promise<void>;
  /** Returns the turns since `beginOwn` with most of that code. */
  endOwn(nothing: object): Promise<readonly OwnTurn[]>;
  /** Resolves when the Problems view has a problem for the file, or none. */
  problem(file: { readonly path: string; readonly isThere: boolean }): Promise<void>;
  /** Changes a user setting. */
  setting(change: Setting): Promise<void>;
  /**
   * Changes a user setting that makes the bridge read the project again. Resolves when the Problems view has a new problem for the file,
   * whether or not it had none for a moment: VS Code reports changes within 50 ms as one.
   */
  readAgain(change: Setting & { readonly path: string }): Promise<void>;
  /** Opens VS Code's preview of a Markdown file. */
  preview(file: { readonly path: string }): Promise<void>;
  /** Runs a command and returns its result. */
  command(call: { readonly id: string; readonly args: readonly unknown[] }): Promise<unknown>;
}

interface Setting {
  readonly name: string;
  readonly value: unknown;
}

export interface Watched {
  readonly longest: Turn;
  readonly tooLong: number;
  readonly ownMs: number;
}
