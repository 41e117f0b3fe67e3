import type { GameTestResult } from '../../protocol/game-tests.ts';
import { fullTestName, inOrder } from './test-name.ts';

/** Renders results in the Test Anything Protocol, version 14. */
export function renderTap(results: readonly GameTestResult[]): string {
  const lines = inOrder(results).flatMap((result, index) => {
    const point = `${index + 1} - ${escaped(fullTestName(result))}`;
    if (result.status === 'skipped') return [`ok ${point} # SKIP`];
    if (result.failure === undefined) return [`ok ${point}`, ...comments(result)];
    const [at = { file: result.file, line: result.line }] = result.failure.stack;
    return [
      `not ok ${point}`,
      '  ---',
      // JSON strings are YAML strings.
      `  message: ${JSON.stringify(result.failure.message)}`,
      '  severity: fail',
      `  at: ${JSON.stringify(`${at.file}:${at.line}`)}`,
      ...(result.failure.unavailable.length > 0
        ? [`  unavailable: ${JSON.stringify(result.failure.unavailable)}`]
        : []),
      `  duration_ms: ${result.ms}`,
      '  ...',
      ...comments(result),
    ];
  });
  return ['TAP version 14', `1..${results.length}`, ...lines, ''].join('\n');
}

/** The output of a test. */
const comments = ({ output }: GameTestResult): readonly string[] =>
  output.flatMap(({ message }) => message.split(/\r\n|\r|\n/).map(line => `# ${line}`));

/** On the line of a test, `#` starts a directive. */
const escaped = (text: string): string =>
  text.replaceAll(/[\\#]/g, String.raw`\$&`).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
