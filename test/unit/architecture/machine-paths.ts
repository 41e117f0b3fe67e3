/** Matches paths that exist only on the author's machine. */
const machinePath =
  /(?<![\w.~-])\/(?:root|work|home\/[a-z]\w*|Users\/[A-Za-z]\w*|tmp\/[a-z]\w*)\/[\w.-]+|[A-Z]:\\\\?Users\\\\?\w+/;

/** Finds lines with a path of the author's machine, as `5: text`. */
export function findMachinePaths(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line, index) => (machinePath.test(line) ? [`${index + 1}: ${line.trim().slice(0, 120)}`] : []));
}
