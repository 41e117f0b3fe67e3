import type { Choice } from '../../protocol/sync-request.ts';
import type { Store } from './store.ts';
import type { TreeLine } from './tree-model.ts';

/** Letters are the initials of the commands (L for pull); digits follow the order from Studio to disk. */
const choiceByKey: Readonly<Record<string, Choice>> = {
  p: 'push',
  l: 'pull',
  m: 'merge',
  s: 'skip',
  '1': 'pull',
  '2': 'skip',
  '3': 'push',
};
/** Shift turns a digit key into another character on many layouts, so digits are recognized by their physical key. */
const keyOf = (event: KeyboardEvent): string => /^Digit([123])$/.exec(event.code)?.[1] ?? event.key;

/** Handles the keys of the tree. A radio group handles left, right and space itself. `page`: number of lines per page. */
export function handleTreeKey(store: Store, event: KeyboardEvent, page: number): void {
  const line = store.active.value;
  if (line === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const inControl = event.target instanceof HTMLInputElement;
  if (inControl && (event.key === 'ArrowLeft' || event.key === 'ArrowRight' || event.key === ' ')) return;
  if (!choose(store, line, event) && !move(store, line, event, page)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Shift also chooses for everything below the change. */
function choose(store: Store, { node }: TreeLine, event: KeyboardEvent): boolean {
  const choice = choiceByKey[keyOf(event).toLowerCase()];
  if (choice === undefined || (choice === 'merge' && node.row === undefined)) return false;
  if (node.row === undefined || (event.shiftKey && node.rows.length > 1)) store.chooseAll(node.rows, choice);
  else store.choose(node.row, choice);
  return true;
}

function move(store: Store, line: TreeLine, event: KeyboardEvent, page: number): boolean {
  const lines = store.lines.value;
  const index = store.indexOf(line.node.key) ?? 0;
  const to = (place: number): boolean => {
    store.moveTo(lines[Math.min(lines.length - 1, Math.max(0, place))]);
    return true;
  };
  switch (event.key) {
    case 'ArrowDown':
      return to(index + 1);
    case 'ArrowUp':
      return to(index - 1);
    case 'PageDown':
      return to(index + Math.max(1, page));
    case 'PageUp':
      return to(index - Math.max(1, page));
    case 'Home':
      return to(0);
    case 'End':
      return to(lines.length - 1);
    case 'ArrowRight':
      if (line.expanded === false) store.setExpanded(line, true);
      else if (line.expanded === true) to(index + 1);
      return true;
    case 'ArrowLeft':
      if (line.expanded === true) store.setExpanded(line, false);
      else to(store.indexOf(line.parent ?? '') ?? index);
      return true;
    case 'Enter':
      if (line.node.row?.hasSource === true) store.openDiff(line.node.row.id);
      else if (line.expanded !== undefined) store.setExpanded(line, !line.expanded);
      return true;
    case 'n':
    case 'N':
      store.moveTo(store.nextUndecided(event.shiftKey));
      return true;
    default:
      return false;
  }
}
