import type { Block, IfStmt, Stmt } from '../../syntax/ast/code.ts';

/** Whether every path through a block returns or raises. Loops are assumed to run zero times. */
export const isTerminated = ({ stmts }: Pick<Block, 'stmts'>): boolean => stmts.some(ends);

function ends(stmt: Stmt): boolean {
  switch (stmt.kind) {
    case 'ReturnStmt':
    case 'RaiseStmt':
    case 'BrokenStmt':
      return true;
    case 'IfStmt':
      return ifEnds(stmt);
    case 'MatchStmt':
      return stmt.arms.length > 0 && stmt.arms.every(({ body }) => isTerminated(body));
    default:
      return false;
  }
}

const ifEnds = ({ body, otherwise }: IfStmt): boolean =>
  otherwise !== undefined &&
  isTerminated(body) &&
  (otherwise.kind === 'Block' ? isTerminated(otherwise) : ifEnds(otherwise));
