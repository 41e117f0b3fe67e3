import type { Memento } from 'vscode';

const KEY = 'atlas.port';

/** The port of this workspace's bridge, kept from one window to the next, so that agents and Studio find it where it was. */
export const lastPort = (state: Memento) => ({
  read(): number | undefined {
    const kept = state.get<unknown>(KEY);
    return typeof kept === 'number' ? kept : undefined;
  },
  keep: (port: number): Thenable<void> => state.update(KEY, port),
  forget: (): Thenable<void> => state.update(KEY, undefined),
});
