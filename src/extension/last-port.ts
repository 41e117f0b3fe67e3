import type { Memento } from 'vscode';

const KEY = 'atlas.port';

/** The last port of this workspace's bridge. Reusing it lets agents and Studio reconnect after a reload. */
export const lastPort = (state: Memento) => ({
  read(): number | undefined {
    const port = state.get<unknown>(KEY);
    return typeof port === 'number' ? port : undefined;
  },
  keep: (port: number): Thenable<void> => state.update(KEY, port),
  forget: (): Thenable<void> => state.update(KEY, undefined),
});
