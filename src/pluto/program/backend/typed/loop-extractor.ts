import { CodeExtractor, type ExtractedProgram, hasLoop } from './code-extractor.ts';
import type { Code } from './javascript-code.ts';
import { mapInStmt } from './map-code.ts';
import type { TypedBlock, TypedStmt } from './typed-form.ts';

/** Declarations before a loop that may be in its function. */
const MAX_DECLARATIONS = 8;

/** Makes functions of the loops of one body that do not block. The statements around such a loop are in the function too. */
export class LoopExtractor {
  readonly #code: CodeExtractor;

  constructor(program: ExtractedProgram, of: Code) {
    this.#code = new CodeExtractor(program, of);
  }

  readonly block = (stmts: TypedBlock): TypedBlock => {
    const rewritten: TypedStmt[] = [];
    let run: TypedStmt[] = [];
    for (const stmt of stmts) {
      if (this.#code.canMove(stmt)) {
        run.push(stmt);
        continue;
      }
      rewritten.push(...this.#run(run), this.#inside(stmt));
      run = [];
    }
    return [...rewritten, ...this.#run(run)];
  };

  /** Rewrites the blocks of a statement that stays. */
  #inside(stmt: TypedStmt): TypedStmt {
    return mapInStmt(stmt, { variable: one => one, value: one => one, block: this.block });
  }

  /** Rewrites statements that can be in another function. */
  #run(stmts: readonly TypedStmt[]): readonly TypedStmt[] {
    const loops = stmts.map(hasLoop);
    if (!loops.includes(true)) return stmts;
    const whole = this.#code.call(stmts);
    if (whole !== undefined) return whole;
    const rewritten: TypedStmt[] = [];
    for (const [index, stmt] of stmts.entries()) {
      if (loops[index] === true) rewritten.push(...this.#loop(rewritten, stmt));
      else rewritten.push(stmt);
    }
    return rewritten;
  }

  /** Rewrites a statement with a loop. @param before the statements before it, of which its function takes declarations away */
  #loop(before: TypedStmt[], stmt: TypedStmt): readonly TypedStmt[] {
    let count = 0;
    while (count < MAX_DECLARATIONS && before.at(-1 - count)?.kind === 'let') count += 1;
    for (; count >= 0; count -= 1) {
      const declarations = before.slice(before.length - count);
      const call = this.#code.call([...declarations, stmt]);
      if (call === undefined) continue;
      before.length -= count;
      return call;
    }
    return [this.#inside(stmt)];
  }
}
