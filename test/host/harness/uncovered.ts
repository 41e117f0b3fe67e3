import type { Locator } from 'playwright-core';
import { until } from './until.ts';

/** Waits until nothing is in front of a text of an editor: the page has the editor at the center and at both ends of the text. */
export async function uncovered(what: string, text: Locator): Promise<void> {
  await text.waitFor();
  await until<true>(`${what} with nothing in front of it`, 15_000, async () => {
    const isInFront = await text.evaluate(
      element => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const editor = element.closest('.monaco-editor');
        return [left + 1, (left + right) / 2, right - 1].every(x =>
          editor?.contains(element.ownerDocument.elementFromPoint(x, (top + bottom) / 2)),
        );
      },
      undefined,
      { timeout: 5_000 },
    );
    return isInFront ? true : undefined;
  });
}
