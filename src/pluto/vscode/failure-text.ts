/**
 * The reason for the failure of a test, from its whole output. The editor shows the line itself, and the output in the results.
 *
 * @param output what the test printed, and then the reason: `FAIL (line 11): expected 2 to equal 3`
 */
export function failureText(output: string): string {
  const reason = Array.from(output.matchAll(/^FAIL \(line \d+\): /gm)).at(-1);
  return (reason === undefined ? output : output.slice(reason.index + reason[0].length)).trimEnd();
}
