import fc from 'fast-check';
import { carryIds } from '../../../../src/pluto/language/identity/carry-ids.ts';
import { freshIds } from '../../../../src/pluto/language/identity/ids.ts';
import { printModule } from '../../../../src/pluto/language/print/print-declaration.ts';
import type { ParsedModule } from '../../../../src/pluto/language/syntax/ast/decl.ts';
import { parseModule } from '../../../../src/pluto/language/syntax/parse.ts';
import { eachItem } from '../../../../src/pluto/language/syntax/parts.ts';
import { sequentialRandom } from '../../../harness/sequential-random.ts';
import { module } from './arbitrary-program.ts';

/** Generates the text of a program without syntax errors. */
export const programText: fc.Arbitrary<string> = module.map(tree => printModule({ text: '', tree, comments: [] }));

/** Generates such a text with comments above, behind and between its lines. */
export const commentedText: fc.Arbitrary<string> = fc
  .tuple(programText, fc.infiniteStream(fc.constantFrom('', '', '', '', '// note', '// {x} "y"', '')))
  .map(([text, notes]) => {
    // A comment cannot start inside a string.
    const tokens = parseModule(text);
    const lines = text.split('\n');
    let offset = 0;
    const out: string[] = [];
    for (const line of lines) {
      const isInString = !isLineBreak(tokens, offset + line.length);
      const [above, behind] = [notes.next().value ?? '', notes.next().value ?? ''];
      if (above !== '' && (offset === 0 || isLineBreak(tokens, offset - 1))) out.push(above);
      out.push(behind !== '' && !isInString ? `${line} ${behind}`.trimStart() : line);
      offset += line.length + 1;
    }
    return out.join('\n');
  });

/** Whether the newline at `offset` is outside strings. */
function isLineBreak(parsed: ParsedModule, offset: number): boolean {
  const probe = `${parsed.text.slice(0, offset)}//${parsed.text.slice(offset)}`;
  return parseModule(probe).comments.length === parsed.comments.length + 1;
}

/** The module with sequential ids. */
export function identified(text: string, random = sequentialRandom()): ParsedModule {
  const after = parseModule(text);
  carryIds({ before: undefined, after, makeId: freshIds(random) });
  return after;
}

export function idsOf(module: ParsedModule): readonly (string | undefined)[] {
  const ids: (string | undefined)[] = [];
  eachItem(module.tree.items, ({ id }) => ids.push(id));
  return ids;
}
