/** Merges a script of 5,000 lines that both sides have edited in 50 places, at different lines and at the same ones. */
import { mergeTexts } from '../../src/sync/merge/merge-texts.ts';
import { median, type Row } from './row.ts';

const FUNCTIONS = 500;
const LINES_PER_FUNCTION = 10;
const PLACES = 50;
const ROUNDS = 15;
const WARM_UP = 5;
const LIMIT_MS = 50;

/** Most lines occur many times, as in real scripts. */
const script = Array.from({ length: FUNCTIONS }, (_, index) => [
  `local function update${index}(value)`,
  '\tlocal count = value',
  '\tif count > 0 then',
  `\t\tprint("update ${index}", count)`,
  '\telse',
  '\t\treturn nil',
  '\tend',
  '',
  '\treturn count',
  'end',
]).flat();

/** Adds a line after the line `offset` of every tenth function. */
const edited = (offset: number, text: string): string =>
  script
    .flatMap((line, index) =>
      index % (LINES_PER_FUNCTION * (FUNCTIONS / PLACES)) === offset ? [line, `\t-- ${text} ${index}`] : [line],
    )
    .join('\n');

export async function scriptMerge(): Promise<readonly Row[]> {
  const base = script.join('\n');
  return [
    row('different lines', { base, disk: edited(1, 'disk'), studio: edited(51, 'studio') }, 0),
    row('the same lines', { base, disk: edited(1, 'disk'), studio: edited(1, 'studio') }, PLACES),
  ];
}

function row(where: string, texts: Parameters<typeof mergeTexts>[0], conflicts: number): Row {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const before = process.cpuUsage();
    const found = mergeTexts(texts).conflicts.length;
    const { user, system } = process.cpuUsage(before);
    if (found !== conflicts) throw new Error(`the merge has ${found} conflicts instead of ${conflicts}`);
    if (round >= WARM_UP) times.push((user + system) / 1000);
  }
  return {
    name: `merge of a ${script.length}-line script, both sides edited in ${PLACES} places, ${where}`,
    unit: 'ms',
    value: median(times),
    runs: ROUNDS,
    limit: LIMIT_MS,
    detail: `processor time in the merge thread; median of ${ROUNDS} runs, slowest ${Math.max(...times).toFixed(1)} ms`,
  };
}
