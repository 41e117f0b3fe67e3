import type { Span } from '../../syntax/ast/span.ts';
import type { ErrorSymbol } from '../types/type.ts';
import type { Body, Handling } from './body.ts';

/** The error of this name; a declaration of the module shadows the built-in error. */
export const builtinError = ({ context }: Body, name: string): ErrorSymbol | undefined =>
  context.program.find(context.file, name, 'ErrorDecl');

/** Records a call that raises built-in errors. */
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
