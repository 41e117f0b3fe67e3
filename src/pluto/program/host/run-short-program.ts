import { endOfProgram } from './end-of-program.ts';
import { inheritedOutput, SIGPIPE_EXIT_CODE } from './output.ts';

/**
 * Runs a short program (`isShort`) in this thread with the streams of this process. Another thread would take longer to start than the
 * program runs. Returns the exit status.
 */
export function runShortProgram(
  program: string,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): number {
  const end = endOfProgram(
    {
      program,
      tests: undefined,
      input: undefined,
      environment,
      // It uses no files.
      reach: { folder, temporary: folder, isUnlimited: true },
      // It has no collections, and what they may take is all that this limits. To ask V8 would load its module.
      heapMegabytes: Number.POSITIVE_INFINITY,
    },
    inheritedOutput,
    undefined,
    () => {},
  );
  return end.kind === 'done' ? end.exitCode : SIGPIPE_EXIT_CODE;
}
