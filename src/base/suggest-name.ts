/** ` (did you mean 'build'?)` with the most similar of the known names, or nothing if none is similar. */
export function suggestName(typed: string, known: Iterable<string>): string {
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(typed.toLowerCase(), name.toLowerCase());
    if (distance <= Math.max(1, Math.floor(name.length / 3)) && distance < (best?.distance ?? Infinity))
      best = { name, distance };
  }
  return best === undefined ? '' : ` (did you mean '${best.name}'?)`;
}

/** Longer texts are not compared, because no name is that long. */
const MAX_LENGTH = 40;

/** The number of characters to insert, remove, replace or swap with their neighbor (optimal string alignment distance). */
function editDistance(a: string, b: string): number {
  if (a.length > MAX_LENGTH) return Infinity;
  let beforeLast: readonly number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a.charAt(i - 1) === b.charAt(j - 1);
      const isSwap = a.charAt(i - 1) === b.charAt(j - 2) && a.charAt(i - 2) === b.charAt(j - 1);
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap && i > 1 && j > 1 ? (beforeLast[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
