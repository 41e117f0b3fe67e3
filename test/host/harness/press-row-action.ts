import type { Locator } from 'playwright-core';
import { until } from './until.ts';

/**
 * Presses an action in a row of a view. VS Code draws the rows of a list again in each other's elements, so that a click on a row that was
 * found a moment before could press the action of another one: the row is checked and pressed in one step.
 *
 * @param rows those that may be the row; the first with the text is it
 * @param action start of the accessible label
 */
export async function pressRowAction(rows: Locator, text: string, action: string): Promise<void> {
  const row = rows.filter({ hasText: text }).first();
  await until(`${action} of the row ${text}`, 20_000, async () => {
    // The tooltip of the action pressed before covers the rows beside it.
    await row.page().mouse.move(900, 700);
    await row.hover();
    return row.evaluate(
      (element, [wanted, start]) => {
        const button = element.querySelector(`.action-label[aria-label^="${start}"]`);
        if (button === null || !(element.textContent ?? '').includes(wanted)) return undefined;
        (button as unknown as { click(): void }).click();
        return true;
      },
      [text, action] as const,
    );
  });
}
