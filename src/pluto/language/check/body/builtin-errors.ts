import type { Span } from '../../syntax/ast/span.ts';
import type { ErrorSymbol } from '../types/type.ts';
import type { Body, Handling } from './body.ts';

/** The error of that name here: one of the module stands before that of the language. */
export const builtinError = ({ context }: Body, name: string): ErrorSymbol | undefined =>
  context.program.find(context.file, name, 'ErrorDecl');

/** Notes a call that raises errors of the language. */
export function raiseBuiltin(
  body: Body,
  { how, covers }: Handling,
  names: readonly string[],
  { start, end }: Span,
  what: string,
  key?: string,
): void {
  const direct = names.flatMap(name => builtinError(body, name) ?? []);
  if (direct.length === 0 && key === undefined && how === 'bare') return;
  body.sites.push({ how, key, direct, covers, what, isOpen: false, start, end });
}
