import { AppError } from '../../../base/errors.ts';
import type { NewItemPosition } from '../../language/edit/edit-items.ts';
import type { Item } from '../../language/syntax/parts.ts';

/**
 * Reads `before:<id>`, `after:<id>` or `end`.
 * @param neighbors the items that `<id>` may name
 * @throws AppError INVALID_INPUT, PLUTO_EDIT_REFUSED
 */
export function readPosition(position: string, neighbors: readonly Item[], where: string): NewItemPosition {
  if (position === 'end') return { kind: 'end' };
  const [, kind, id] = /^(before|after):(.+)$/.exec(position) ?? [];
  if (kind === undefined || id === undefined)
    throw new AppError('INVALID_INPUT', { problems: 'position: expected "before:<id>", "after:<id>" or "end"' });
  const item = neighbors.find(one => one.id === id);
  if (item === undefined)
    throw new AppError('PLUTO_EDIT_REFUSED', { reason: `${id} is not a direct child of ${where}` });
  return { kind: kind === 'before' ? 'before' : 'after', item };
}
