import assert from 'node:assert/strict';

/** Returns the `sh` blocks of a guide in order, each with the `text` block directly after it. */
export function guideSteps(
  markdown: string,
): readonly { readonly lines: string; readonly prints: string | undefined }[] {
  const found = markdown.matchAll(/```sh\n([\s\S]*?)```(?:\n```text\n([\s\S]*?)```)?/g);
  return [...found].map(([, lines = '', prints]) => ({ lines, prints }));
}

/** Matches printed text; `…` matches anything, for output that depends on the machine. */
const likePrinted = (text: string): RegExp =>
  new RegExp(
    `^${text
      .trim()
      .split('…')
      .map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('[\\s\\S]*')}$`,
  );
const sortedLines = (text: string): string => text.trim().split('\n').toSorted().join('\n');

/** Compares the output of a step with what its guide shows. */
export function assertPrints(printed: string, prints: string | undefined): void {
  if (prints === undefined) return;
  // Messages and results use different streams, so their relative order is not guaranteed.
  if (prints.includes('…')) assert.match(printed.trim(), likePrinted(prints));
  else assert.equal(sortedLines(printed), sortedLines(prints));
}
