import { safeLine } from '../../base/safe-text.ts';
import { counted } from '../../base/plural.ts';
import type { GameTestResult, GameTestTotals } from '../../protocol/game-tests.ts';
import { failureLines } from '../reports/test-name.ts';

/** The lines of a result for a terminal; a test that passed has one line. */
export function resultLines(result: GameTestResult): readonly string[] {
  const name = result.names.join(' > ');
  const title = safeLine([result.file, ...(name === '' ? [] : [name])].join(': '));
  if (result.failure === undefined)
    return [result.status === 'skipped' ? `skipped ${title}` : `passed ${title} (${result.ms} ms)`];
  return [
    `FAILED ${title}`,
    ...failureLines(result).map(line => `    ${line}`),
    ...result.output.flatMap(({ message }) => message.split('\n').map(line => `    | ${line}`)),
  ];
}

/** `12 tests in 3 files: 10 passed, 1 failed, 1 skipped`. */
export function totalsLine({ files, passed, failed, skipped }: Omit<GameTestTotals, 'event' | 'ok' | 'ms'>): string {
  const all = `${counted(passed + failed + skipped, 'test')} in ${counted(files, 'file')}`;
  return `${all}: ${passed} passed, ${failed} failed, ${skipped} skipped`;
}
