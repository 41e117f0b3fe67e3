import assert from 'node:assert/strict';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import type { CheckedProgram } from '../../../../../src/pluto/language/check/checked-program.ts';
import type { FunctionSymbol } from '../../../../../src/pluto/language/check/types/type.ts';
import type { Block, Expr, Stmt } from '../../../../../src/pluto/language/syntax/ast/code.ts';
import { eachChildOfExpr, eachChildOfStmt } from '../../../../../src/pluto/language/syntax/children.ts';
import { CheckWorld } from '../../language/check-world.ts';

const PATH = 'main.pt' as ProjectPath;

/** The program of one module, which must have no errors. */
export async function checked(source: string): Promise<CheckedProgram> {
  const { checker } = await CheckWorld.of({ [PATH]: source });
  const program = checker.checked();
  const errors = program.diagnosticsOf(PATH).filter(({ severity }) => severity === 'error');
  assert.deepEqual(errors, []);
  return program;
}

export function functionNamed({ program }: CheckedProgram, name: string): FunctionSymbol {
  const file = program.files.get(PATH);
  const symbol = file && program.find(file, name, 'FunctionDecl');
  if (symbol?.kind !== 'FunctionDecl') throw new Error(`no function ${name}`);
  return symbol;
}

/** All expressions in a block, in the order of the text. */
export function exprsIn(block: Block): readonly Expr[] {
  const exprs: Expr[] = [];
  const onExpr = (expr: Expr): void => {
    exprs.push(expr);
    eachChildOfExpr(expr, children);
  };
  const onStmt = (stmt: Stmt): void => eachChildOfStmt(stmt, children, onStmt);
  const onBlock = ({ stmts }: Block): void => stmts.forEach(onStmt);
  const children = { expr: onExpr, block: onBlock, type: () => undefined };
  onBlock(block);
  return exprs.toSorted((a, b) => a.end - b.end);
}
