import { safeLine, safeLines } from '../../base/safe-text.ts';
import type { GameTestResult } from '../../protocol/game-tests.ts';
import { failureLines, inOrder } from './test-name.ts';

/** Renders results in the JUnit XML format: one suite for each file. */
export function renderJunit(results: readonly GameTestResult[]): string {
  const suites = Array.from(
    Map.groupBy(inOrder(results), ({ file }) => file),
    ([file, tests]) =>
      [
        `  <testsuite name="${nameOf(file)}" file="${nameOf(file)}" ${counts(tests)}>`,
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
  const head = `    <testcase classname="${nameOf(blocks)}" name="${nameOf(name)}" file="${nameOf(file)}" line="${line}" time="${seconds(ms)}"`;
  const inside = [
    ...(status === 'skipped' ? ['      <skipped/>'] : []),
    ...(failure
      ? [`      <failure message="${attribute(failure.message)}">${content(failureLines(result).join('\n'))}</failure>`]
      : []),
    ...(output.length > 0
      ? [`      <system-out>${content(output.map(({ message }) => message).join('\n'))}</system-out>`]
      : []),
  ];
  return inside.length === 0 ? `${head}/>` : [`${head}>`, ...inside, '    </testcase>'].join('\n');
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Parsers replace these with spaces in attributes.
  '\t': '&#9;',
  '\n': '&#10;',
};

/** Text for an attribute. Characters that XML cannot contain become U+FFFD. */
const attribute = (text: string): string =>
  printable(text).replaceAll(/[&<>"\t\n]/g, character => entities[character] ?? character);

/** Text for an element. Characters that XML cannot contain become U+FFFD. */
const content = (text: string): string =>
  printable(text).replaceAll(/[&<>]/g, character => entities[character] ?? character);

const printable = (text: string): string =>
  safeLines(text.toWellFormed().replaceAll(/\r\n?/g, '\n')).replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD');

/** A name, on one line. */
const nameOf = (text: string): string => attribute(safeLine(text));
