/** Returns a path as one argument of a command that the reader may copy into a shell. */
export function shellWord(path: string): string {
  // A leading dash would start an option.
  const word = path.startsWith('-') ? `./${path}` : path;
  return /^[\w./\\:-]+$/.test(word) ? word : `"${word}"`;
}
