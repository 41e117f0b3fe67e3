import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergeTexts } from '../../../../src/sync/merge/merge-texts.ts';

/** A function with its statements, or a table with its entries. Every line of a module occurs once. */
interface Part {
  readonly name: string;
  readonly isTable: boolean;
  readonly lines: readonly string[];
}
type Module = readonly Part[];

const NAMES = ['alpha', 'beta', 'gamma', 'delta'];
const base: Module = NAMES.map((name, index) => ({
  name,
  isTable: index % 2 === 1,
  lines: [0, 1, 2].map(line => (index % 2 === 1 ? `\t${name}${line} = ${line},` : `\tprint("${name} ${line}")`)),
}));

const linesOf = (module: Module): readonly string[] => [
  'local Module = {}',
  ...module.flatMap(({ name, isTable, lines }) =>
    isTable
      ? [`Module.${name} = {`, ...lines, `} -- ${name}`]
      : [`function Module.${name}()`, ...lines, `end -- ${name}`],
  ),
  'return Module',
];
const textOf = (module: Module): string =>
  linesOf(module)
    .map(line => `${line}\n`)
    .join('');

interface Edit {
  readonly part: number;
  readonly line: number;
  readonly kind: 'add' | 'replace' | 'remove' | 'add part' | 'remove part';
}

/** Applies edits of one side, whose name is in everything that it writes. */
function edited(edits: readonly Edit[], side: string): Module {
  let module = base;
  for (const [index, { part, line, kind }] of edits.entries()) {
    const at = part % Math.max(1, module.length);
    const target = module[at];
    if (target === undefined) break;
    const { isTable, lines } = target;
    const written = isTable ? `\t${side}${index} = ${index},` : `\tprint("${side} ${index}")`;
    const spot = line % (lines.length + 1);
    const changed = (next: readonly string[]): Module => module.with(at, { ...target, lines: next });
    switch (kind) {
      case 'add':
        module = changed(lines.toSpliced(spot, 0, written));
        break;
      case 'replace':
        module = changed(lines.toSpliced(spot, spot < lines.length ? 1 : 0, written));
        break;
      case 'remove':
        module = changed(lines.toSpliced(spot, 1));
        break;
      case 'add part': {
        const made = `${side}Part${index}`;
        const first = isTable ? `\t${made}0 = 0,` : `\tprint("${made} 0")`;
        module = module.toSpliced(at + 1, 0, { name: made, isTable, lines: [first] });
        break;
      }
      case 'remove part':
        module = module.toSpliced(at, 1);
        break;
    }
  }
  return module;
}

const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    part: fc.nat(5),
    line: fc.nat(4),
    kind: fc.constantFrom('add', 'replace', 'remove', 'add part', 'remove part'),
  }),
  { maxLength: 4 },
);

test('keeps every line of a module that one side alone touched once, merged by declarations too', () => {
  fc.assert(
    fc.property(edits, edits, (onDisk, inStudio) => {
      const [disk, studio] = [edited(onDisk, 'disk'), edited(inStudio, 'studio')];
      const { text, conflicts } = mergeTexts({ base: textOf(base), disk: textOf(disk), studio: textOf(studio) });
      const merged = text.split('\n');
      const inConflict = new Set(
        conflicts.flatMap(sides => [sides.base, sides.disk, sides.studio].flatMap(part => part.split('\n'))),
      );
      const [before, here, there] = [base, disk, studio].map(linesOf) as [
        readonly string[],
        readonly string[],
        readonly string[],
      ];
      for (const line of new Set([...before, ...here, ...there])) {
        if (inConflict.has(line)) continue;
        const isWanted = before.includes(line) ? here.includes(line) && there.includes(line) : true;
        assert.equal(merged.filter(one => one === line).length, isWanted ? 1 : 0, `${line}\n---\n${text}`);
      }
    }),
    { numRuns: 1500 },
  );
});
