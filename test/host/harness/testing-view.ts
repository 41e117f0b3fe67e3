import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { RunningVsCode } from './start-vscode.ts';
import { until } from './until.ts';

/** VS Code's Testing view, operated like a user does. */
export interface TestingView {
  /** The texts of all rows, as screen readers read them: `adds (Passed)`. */
  readonly rows: () => Promise<readonly string[]>;
  /** Waits for a row like `wanted`. Returns its text. */
  readonly untilRow: (wanted: RegExp, idleTimeoutMs?: number) => Promise<string>;
  /** The last row with this text. */
  readonly rowOf: (text: string) => Locator;
  /** Expands a row until a row like `wanted` is listed. Returns its text. */
  readonly expand: (text: string, wanted: RegExp) => Promise<string>;
  /** Opens the file of a row until the cursor is at its line, from 1. @param file how its URI ends */
  readonly open: (text: string, file: string, line: number) => Promise<void>;
  /** Presses Run Test of a row until a row like `begun` shows that the tests run or ran. */
  readonly run: (text: string, begun: RegExp) => Promise<void>;
}

export function testingView({ page, driver }: RunningVsCode): TestingView {
  const all = page.locator('.test-explorer .monaco-list-row');
  const rows = (): Promise<readonly string[]> =>
    all.evaluateAll(found => found.map(row => row.getAttribute('aria-label') ?? ''));
  const rowOf = (text: string): Locator => all.filter({ hasText: text }).last();
  const untilRow = (wanted: RegExp, idleTimeoutMs = 60_000): Promise<string> =>
    until(`a row like ${String(wanted)}`, idleTimeoutMs, async () => (await rows()).find(row => wanted.test(row)));
  return {
    rows,
    rowOf,
    untilRow,
    expand: (text, wanted) =>
      until(`a row like ${String(wanted)} below ${text}`, 60_000, async () => {
        const listed = async () => (await rows()).find(row => wanted.test(row));
        const found = await listed();
        if (found !== undefined) return found;
        // A click expands or collapses, and is lost if VS Code draws the row again. The arrow key never collapses.
        await rowOf(text).click({ timeout: 5_000 });
        await page.keyboard.press('ArrowRight');
        return untilRow(wanted, 1_000);
      }),
    async open(text, file, line) {
      await until(`${file} in the editor`, 20_000, async () => {
        // A row that VS Code draws again loses the focus, and then another one is opened.
        await rowOf(text).click({ timeout: 5_000 });
        await driver.call('execute', { command: 'testing.editFocusedTest', args: [] });
        const shown = await driver.call('front', {});
        assert.ok(shown?.uri.endsWith(file) === true, shown?.uri);
        assert.equal(shown.line, line);
        return true as const;
      });
    },
    async run(text, begun) {
      await until(`a run of ${text}`, 60_000, async () => {
        // A click is lost if VS Code draws the row again between its press and its release: an opened module is checked, and its tests are listed again.
        await rowOf(text).hover({ timeout: 5_000 });
        await rowOf(text).getByRole('button', { name: 'Run Test', exact: true }).click({ timeout: 5_000 });
        return untilRow(begun, 5_000);
      });
    },
  };
}
