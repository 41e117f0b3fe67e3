import type { IfStmt, IfValue, TypedBlock } from '../typed/typed-form.ts';
import type { FunctionCode } from './function-code.ts';
import { codeOf, type Kind } from './kinds.ts';
import { unsupported } from './unsupported.ts';

/** Emits an `if` whose branches leave a value. */
export function ifValue(
  body: FunctionCode,
  { condition, body: inside, otherwise }: IfValue | IfStmt,
  kind: Kind,
): void {
  if (otherwise === undefined) return unsupported();
  body.as(condition, 'bool');
  body.open('if', codeOf(kind));
  blockValue(body, inside, kind);
  body.code.op('else');
  if ('kind' in otherwise) ifValue(body, otherwise, kind);
  else blockValue(body, otherwise, kind);
  body.end();
}

/** Emits the statements of a block and its value. @param kind `undefined` if it has none */
export function blockValue(body: FunctionCode, block: TypedBlock, kind: Kind | undefined): void {
  const last = block.at(-1);
  if (kind === undefined) return body.statements(block);
  body.statements(block.slice(0, -1));
  switch (last?.kind) {
    case 'value':
      return body.at(last.place, () => body.as(last.value, kind));
    case 'if':
      return body.at(last.place, () => ifValue(body, last, kind));
    case 'return':
    case 'raise':
    case 'break':
    case 'continue':
      return body.statements([last]);
    default:
      unsupported();
  }
}
