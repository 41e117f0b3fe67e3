import { safeLine, safeTerminal } from '../../base/safe-text.ts';
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
      `  message: ${quoted(result.failure.message)}`,
      '  severity: fail',
      `  at: ${quoted(`${at.file}:${at.line}`)}`,
      ...(result.failure.unavailable.length > 0
        ? [`  unavailable: [${result.failure.unavailable.map(quoted).join(', ')}]`]
        : []),
      `  duration_ms: ${result.ms}`,
      '  ...',
      ...comments(result),
    ];
  });
  return ['TAP version 14', `1..${results.length}`, ...lines, ''].join('\n');
}

/** JSON strings are YAML strings. */
const quoted = (text: string): string => safeTerminal(JSON.stringify(text.toWellFormed()));

/** The output of a test. */
const comments = ({ output }: GameTestResult): readonly string[] =>
  output.flatMap(({ message }) => message.split(/\r\n|\r|\n/).map(line => `# ${safeLine(line.toWellFormed())}`));

/** On the line of a test, `#` starts a directive. */
const escaped = (text: string): string => safeLine(text.toWellFormed()).replaceAll(/[\\#]/g, String.raw`\$&`);
