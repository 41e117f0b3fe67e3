/**
 * Returns a path as one argument of a command that the reader may copy into a shell. Double quotes work in every shell, but a POSIX shell and
 * PowerShell run code in them, so a name that could contain code gets single quotes.
 */
export function shellWord(path: string): string {
  // A leading dash would start an option.
  const word = path.startsWith('-') ? `./${path}` : path;
  if (/^[\w./\\:-]+$/.test(word)) return word;
  return /["$`!]/.test(word) ? `'${word.replaceAll("'", String.raw`'\''`)}'` : `"${word}"`;
}
