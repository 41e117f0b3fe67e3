import type { Block, IfStmt, SelectStmt, Stmt } from '../syntax/ast/code.ts';
import { concat, type Doc } from './doc.ts';
import { body, entriesOf, type Layout, list, parens } from './layout.ts';
import { noContext, condition, printExpr, printFields, printPattern, statementStart } from './print-expression.ts';
import { endsWithType, Level } from './precedence.ts';
import { printPath, printType } from './print-type.ts';

export const printBlock = (layout: Layout, block: Block): Doc =>
  body(entriesOf(layout, block.stmts, block.end, stmt => printStmt(layout, stmt)));

function printStmt(layout: Layout, stmt: Stmt): Doc {
  switch (stmt.kind) {
    case 'LetStmt': {
      const type = stmt.type === undefined ? '' : `: ${printType(stmt.type)}`;
      const head = `let ${stmt.isMut ? 'mut ' : ''}${stmt.name.text}${type} = `;
      return concat(head, printExpr(layout, stmt.value, noContext));
    }
    case 'LetChanStmt': {
      const head = `let ${stmt.isMut ? 'mut ' : ''}(${stmt.sender.text}, ${stmt.receiver.text}) = `;
      const capacity = stmt.capacity === undefined ? '' : printExpr(layout, stmt.capacity, noContext);
      return concat(head, `chan<${printType(stmt.element)}>(`, capacity, ')');
    }
    case 'ReturnStmt':
      return stmt.value === undefined ? 'return' : concat('return ', printExpr(layout, stmt.value, noContext));
    case 'YieldStmt':
      return concat('yield ', printExpr(layout, stmt.value, noContext));
    case 'IfStmt':
      return printIf(layout, stmt);
    case 'WhileStmt':
      return concat('while ', printExpr(layout, stmt.condition, condition), ' ', printBlock(layout, stmt.body));
    case 'ForStmt': {
      const iterable = printExpr(layout, stmt.iterable, condition);
      return concat('for ', stmt.name.text, ' in ', iterable, ' ', printBlock(layout, stmt.body));
    }
    case 'MatchStmt': {
      const subject = printExpr(layout, stmt.subject, condition);
      const arms = entriesOf(layout, stmt.arms, stmt.end, arm =>
        concat(printPattern(arm.pattern), ' ', printBlock(layout, arm.body)),
      );
      return concat('match ', subject, ' ', body(arms));
    }
    case 'SelectStmt':
      return printSelect(layout, stmt);
    case 'ScopeStmt': {
      const seeds = list(layout, parens, stmt.seeds, stmt.bindings[0]?.start ?? stmt.end, seed =>
        printExpr(layout, seed, noContext),
      );
      const bindings = stmt.bindings.map(({ name, type }) => `${name.text}: ${printType(type)}`).join(', ');
      return concat('scope', seeds, ` |${bindings}| `, printBlock(layout, stmt.body));
    }
    case 'RaiseStmt':
      return concat('raise ', printPath(stmt.error), ' ', printFields(layout, stmt.fields, stmt.end));
    case 'AssertStmt':
      return concat('assert ', printExpr(layout, stmt.condition, noContext));
    case 'ServeStmt': {
      // `on` would be read as the result of a function type.
      const service = printExpr(
        layout,
        stmt.service,
        noContext,
        endsWithType(stmt.service) ? Level.Postfix : Level.Any,
      );
      return concat('serve ', service, ' on ', printExpr(layout, stmt.port, noContext));
    }
    case 'BreakStmt':
      return 'break';
    case 'ContinueStmt':
      return 'continue';
    case 'AssignStmt': {
      const target = printExpr(layout, stmt.target, statementStart);
      return concat(target, ` ${stmt.op} `, printExpr(layout, stmt.value, noContext));
    }
    case 'StepStmt':
      return concat(printExpr(layout, stmt.target, statementStart), stmt.op);
    case 'ExprStmt':
      return printExpr(layout, stmt.expr, statementStart);
    case 'BrokenStmt':
      return layout.slice(stmt);
  }
}

function printIf(layout: Layout, stmt: IfStmt): Doc {
  const parts: Doc[] = [];
  let at: IfStmt | Block | undefined = stmt;
  while (at?.kind === 'IfStmt') {
    if (parts.length > 0) parts.push(' else ');
    parts.push('if ', printExpr(layout, at.condition, condition), ' ', printBlock(layout, at.body));
    at = at.otherwise;
  }
  if (at !== undefined) parts.push(' else ', printBlock(layout, at));
  return concat(...parts);
}

function printSelect(layout: Layout, stmt: SelectStmt): Doc {
  const arms = entriesOf(layout, stmt.arms, stmt.end, arm => {
    switch (arm.kind) {
      case 'RecvArm': {
        const receive = printExpr(layout, arm.receive, condition);
        return concat(`${arm.name.text} = `, receive, ' ', printBlock(layout, arm.body));
      }
      case 'SendArm':
        return concat(
          printExpr(layout, arm.send, { isBeforeBody: true, isStatementStart: true }),
          ' ',
          printBlock(layout, arm.body),
        );
      case 'DefaultArm':
        return concat('default ', printBlock(layout, arm.body));
    }
  });
  return concat('select ', body(arms));
}
