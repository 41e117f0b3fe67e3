/** Folders that only exist on the machine of whoever wrote them. */
const homes =
  /(?<![\w.~-])\/(?:root|work|home\/[a-z]\w*|Users\/[A-Za-z]\w*|tmp\/[a-z]\w*)\/[\w.-]+|[A-Z]:\\\\?Users\\\\?\w+/;

/** Lines of a text that name a path of somebody's machine: `5: text`. */
export function machinePaths(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line, index) => (homes.test(line) ? [`${index + 1}: ${line.trim().slice(0, 120)}`] : []));
}
