/** Source that people read and change; generated files are not. */
const isSource = (path: string): boolean => /^src\/.*\.(?:tsx?|css|luau)$/.test(path) && !path.includes('.generated.');

/** The rooms of `src` with more than a third of its lines: `pluto: 40 of 100 lines`. */
export function oversizedRooms(paths: readonly string[], read: (path: string) => string): readonly string[] {
  const lines = new Map<string, number>();
  for (const path of paths.filter(isSource)) {
    const room = path.split('/')[1] ?? '';
    lines.set(room, (lines.get(room) ?? 0) + read(path).split('\n').length - 1);
  }
  const all = Array.from(lines.values()).reduce((sum, count) => sum + count, 0);
  return Array.from(lines)
    .filter(([, count]) => count * 3 > all)
    .map(([room, count]) => `${room}: ${count} of ${all} lines`);
}
