import type { ProjectDiagnostic } from '../../project/project-session.ts';

/** As many as somebody corrects before looking again. */
const MOST = 20;

/** What of the project was not compared as its files say, because they cannot be read: one sentence for each place. */
export function brokenFilesInWords(diagnostics: readonly ProjectDiagnostic[]): readonly string[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const left = errors.length - MOST;
  return [
    ...errors
      .slice(0, MOST)
      .map(
        ({ file, line, column, message }) =>
          `${file}:${line}:${column} was not compared as it stands: ${message}. Until it is corrected, it counts as it was last read, or not at all.`,
      ),
    ...(left <= 0
      ? []
      : [
          left === 1
            ? `So were ${left} more place in the project's files.`
            : `So were ${left} more places in the project's files.`,
        ]),
  ];
}
