import type { Key, OpenTerminal, Terminal } from '../../src/cli/review/terminal.ts';
import { until } from './until.ts';

/** A terminal in memory that the test types into. */
export class FakeTerminal implements Terminal {
  columns = 100;
  rows = 30;
  isOpen = false;
  /** The last drawn screen. */
  screen: readonly string[] = [];
  #onKey: (key: Key) => void = () => undefined;
  #onResize: () => void = () => undefined;

  open(): OpenTerminal {
    this.isOpen = true;
    return {
      size: () => ({ columns: this.columns, rows: this.rows }),
      draw: lines => {
        this.screen = lines;
      },
      onKey: listener => {
        this.#onKey = listener;
      },
      onResize: listener => {
        this.#onResize = listener;
      },
      [Symbol.dispose]: () => {
        this.isOpen = false;
      },
    };
  }

  get text(): string {
    return this.screen.join('\n');
  }

  press(...keys: readonly Key[]): void {
    for (const key of keys) this.#onKey(key);
  }

  resize(columns: number, rows: number): void {
    Object.assign(this, { columns, rows });
    this.#onResize();
  }

  /** Waits until the open screen shows the text. */
  async shows(text: RegExp): Promise<void> {
    await until(() => this.isOpen && text.test(this.text));
  }
}
