/**
 * Whether a text that Studio sends was written after Studio had received the change from `before` to `after`: it has lines that the change
 * added, or lacks all lines that the change removed. A person may have edited these lines too, so `false` means unknown.
 */
export function reflectsChange(text: string, before: string, after: string): boolean {
  const lines = linesOf(text);
  const old = linesOf(before);
  const now = linesOf(after);
  const added = Array.from(now).filter(line => !old.has(line));
  if (added.length > 0) return added.some(line => lines.has(line));
  const removed = Array.from(old).filter(line => !now.has(line));
  return removed.length > 0 && removed.every(line => !lines.has(line));
}

const linesOf = (text: string): ReadonlySet<string> => new Set(text.split(/\r?\n/).filter(line => line.trim() !== ''));
