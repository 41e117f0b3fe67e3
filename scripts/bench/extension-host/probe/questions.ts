import type { Turn } from '../../project/longest-turn.ts';

/** What the benchmark asks of the probe, each with one argument; asked by lines of JSON over a socket. */
export interface Probe {
  /** Begins to watch the turns of the extension host. */
  begin(nothing: object): void;
  /** What the longest turn since `begin` took, and how many turns took more than 20 ms of the processor. */
  end(nothing: object): Watched;
  /** Resolves when the Problems view has a finding for the file, or none. */
  problem(file: { readonly path: string; readonly isThere: boolean }): Promise<void>;
  /** Changes a setting of the user. */
  setting(change: { readonly name: string; readonly value: unknown }): Promise<void>;
  /** Shows a Markdown file as VS Code shows one. */
  preview(file: { readonly path: string }): Promise<void>;
  /** Answers what the command answers. */
  command(call: { readonly id: string; readonly args: readonly unknown[] }): Promise<unknown>;
}

export interface Watched {
  readonly longest: Turn;
  readonly tooLong: number;
}
