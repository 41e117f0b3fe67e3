import type { GameTestResult } from '../../protocol/game-tests.ts';

/** `file > block > test`. */
export const fullTestName = ({ file, names }: Pick<GameTestResult, 'file' | 'names'>): string =>
  [file, ...names].join(' > ');

/** Sorts results by file. Those of one file stay in the order of the tests. */
export const inOrder = (results: readonly GameTestResult[]): readonly GameTestResult[] =>
  results.toSorted((a, b) => (a.file === b.file ? 0 : a.file < b.file ? -1 : 1));

/** The lines of a failure: the message, the positions, and the used members that headless Studio does not simulate. */
export function failureLines({ failure, file, line }: GameTestResult): readonly string[] {
  if (failure === undefined) return [];
  const stack = failure.stack.length === 0 ? [{ file, line }] : failure.stack;
  return [
    ...failure.message.split('\n'),
    ...stack.map(position => `  at ${position.file}:${position.line}`),
    ...failure.unavailable.map(name => `  headless Studio does not simulate ${name}`),
  ];
}
