import { isColored } from './args.ts';
import { type CliIo, createCliOutput } from './io.ts';

/** The streams, folder, variables and signals of this process. */
export function processIo(args: readonly string[], version: string): CliIo {
  const stop = new AbortController();
  // The first signal lets the command finish cleanly. `once`: the second one ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return {
    ...createCliOutput(
      text => process.stdout.write(text),
      text => process.stderr.write(text),
      () => isColored(args, process.env, process.stderr.isTTY),
    ),
    cwd: process.cwd(),
    env: process.env,
    stop: stop.signal,
    version,
  };
}
