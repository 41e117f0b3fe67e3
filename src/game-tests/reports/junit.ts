import type { GameTestResult } from '../../protocol/game-tests.ts';
import { failureLines, inOrder } from './test-name.ts';

/** Renders results in the JUnit XML format: one suite for each file. */
export function renderJunit(results: readonly GameTestResult[]): string {
  const suites = Array.from(
    Map.groupBy(inOrder(results), ({ file }) => file),
    ([file, tests]) =>
      [
        `  <testsuite name="${escaped(file)}" file="${escaped(file)}" ${counts(tests)}>`,
        ...tests.map(testCase),
        '  </testsuite>',
      ].join('\n'),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts(results)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function counts(results: readonly GameTestResult[]): string {
  const having = (status: GameTestResult['status']): number => results.filter(each => each.status === status).length;
  const ms = results.reduce((sum, each) => sum + each.ms, 0);
  return `tests="${results.length}" failures="${having('failed')}" errors="0" skipped="${having('skipped')}" time="${seconds(ms)}"`;
}

function testCase(result: GameTestResult): string {
  const { file, names, line, ms, status, failure, output } = result;
  const blocks = [file, ...names.slice(0, -1)].join(' > ');
  const name = names.at(-1) ?? file;
  const head = `    <testcase classname="${escaped(blocks)}" name="${escaped(name)}" file="${escaped(file)}" line="${line}" time="${seconds(ms)}"`;
  const inside = [
    ...(status === 'skipped' ? ['      <skipped/>'] : []),
    ...(failure
      ? [`      <failure message="${escaped(failure.message)}">${escaped(failureLines(result).join('\n'))}</failure>`]
      : []),
    ...(output.length > 0
      ? [`      <system-out>${escaped(output.map(({ message }) => message).join('\n'))}</system-out>`]
      : []),
  ];
  return inside.length === 0 ? `${head}/>` : [`${head}>`, ...inside, '    </testcase>'].join('\n');
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for an element or an attribute. Characters that XML cannot contain become U+FFFD. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"]/g, character => entities[character] ?? character);
