import { emitKeypressEvents } from 'node:readline';
import type { SafeTerminalLine } from '../../base/safe-text.ts';
import type { ReadStream, WriteStream } from 'node:tty';

/** A key: a printable character, or `up`, `down`, `pageup`, `pagedown`, `home`, `end`, `enter`, `escape`, `ctrl-c`. */
export type Key = string;

/** The whole screen of a terminal, while a person uses it. */
export interface Terminal {
  /** Takes over the screen and the keyboard. Disposing restores both. */
  open(): OpenTerminal;
}

export interface OpenTerminal extends Disposable {
  /** Current size in characters. */
  size(): { readonly columns: number; readonly rows: number };
  /** Replaces the content of the screen; `lines` fit into it. */
  draw(lines: readonly SafeTerminalLine[]): void;
  onKey(listener: (key: Key) => void): void;
  onResize(listener: () => void): void;
}

const ENTER = '\u001B[?1049h\u001B[?25l';
const LEAVE = '\u001B[?25h\u001B[?1049l';
const HOME_AND_CLEAR = '\u001B[H\u001B[2J';
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** The terminal of this process, or `undefined` if it has none that can move its cursor. */
export function processTerminal(
  input: ReadStream,
  output: WriteStream,
  env: Readonly<Record<string, string | undefined>>,
): Terminal | undefined {
  if (!input.isTTY || !output.isTTY || env['TERM'] === 'dumb') return undefined;
  return { open: () => openTerminal(input, output) };
}

function openTerminal(input: ReadStream, output: WriteStream): OpenTerminal {
  let isOpen = true;
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    input.setRawMode(false);
    input.pause();
    output.write(LEAVE);
    process.off('exit', close);
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
  // The first SIGINT or SIGTERM lets the command finish cleanly. Any other signal ends the process, after the terminal is restored.
  const handlers = Object.entries(signals).map(([signal, number]): [NodeJS.Signals, () => void] => {
    let isFirst = signal !== 'SIGHUP';
    return [
      signal as NodeJS.Signals,
      () => {
        close();
        if (!isFirst) process.exit(128 + number);
        isFirst = false;
      },
    ];
  });
  process.on('exit', close);
  for (const [signal, handler] of handlers) process.on(signal, handler);
  emitKeypressEvents(input);
  input.setRawMode(true);
  input.resume();
  output.write(ENTER);
  const removals: (() => void)[] = [];
  return {
    // A terminal that does not know its size reports 0.
    size: () => ({ columns: output.columns || 80, rows: output.rows || 24 }),
    draw: lines => void (isOpen && output.write(`${HOME_AND_CLEAR}${lines.join('\r\n')}`)),
    onKey(listener) {
      const onKeyPress = (text: string | undefined, key: KeyPress): void => {
        const name = keyName(text, key);
        if (name !== undefined) listener(name);
      };
      input.on('keypress', onKeyPress);
      removals.push(() => input.off('keypress', onKeyPress));
    },
    onResize(listener) {
      output.on('resize', listener);
      removals.push(() => output.off('resize', listener));
    },
    [Symbol.dispose]() {
      for (const remove of removals) remove();
      close();
    },
  };
}

interface KeyPress {
  readonly name?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
}

const named = new Set(['up', 'down', 'pageup', 'pagedown', 'home', 'end', 'escape']);

function keyName(text: string | undefined, { name = '', ctrl, meta }: KeyPress): Key | undefined {
  if (ctrl === true) return name === 'c' ? 'ctrl-c' : undefined;
  if (name === 'return' || name === 'enter') return 'enter';
  if (named.has(name)) return name;
  return meta !== true && text !== undefined && /^[\u0021-\u007E]$/.test(text) ? text : undefined;
}
