import type { Writable } from 'node:stream';
import { describeCause } from '../base/describe-cause.ts';
import { isReaderClosed } from '../base/errno.ts';
import { isColored } from './args.ts';
import { type CliIo, createCliOutput, exitCodes, type WriteTerminal } from './io.ts';

/** The streams, folder, variables and signals of this process. */
export function processIo(args: readonly string[], version: string): CliIo {
  const stop = new AbortController();
  // The first signal lets the command finish cleanly. `once`: the second one ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return {
    ...createCliOutput(
      writerTo(() => process.stdout, failOutput),
      writerTo(
        () => process.stderr,
        // There is no other place for the reason.
        () => undefined,
      ),
      () => isColored(args, process.env, process.stderr.isTTY),
    ),
    cwd: process.cwd(),
    env: process.env,
    stop: stop.signal,
    version,
  };
}

/**
 * Creates a function that writes to a stream, and opens it on first use. A command that writes files must not end between two of them because
 * its reader, such as `head`, has seen enough: the rest of the output is discarded.
 */
function writerTo(open: () => Writable, onFailure: (error: Error) => void): WriteTerminal {
  let stream: Writable | undefined;
  return text => {
    stream ??= open().on('error', error => {
      if (!isReaderClosed(error)) onFailure(error);
    });
    stream.write(text);
  };
}

let hasFailed = false;

/** Reports once that a part of the output is missing, and makes the process fail. */
function failOutput(error: Error): void {
  if (hasFailed) return;
  hasFailed = true;
  process.stderr.write(`error: standard output could not be written: ${describeCause(error)}\n`);
  process.once('exit', code => {
    if (code === exitCodes.done) process.exitCode = exitCodes.failed;
  });
}
