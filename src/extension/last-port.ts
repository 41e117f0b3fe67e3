import type { Memento } from 'vscode';

const KEY = 'atlas.port';

/**
 * The last port of this workspace's bridge. Reusing it lets agents and Studio reconnect after a reload. Forgotten when the setting changes,
 * so that the new port takes effect at once.
 */
export const lastPort = (state: Memento, preferred: number) => ({
  read(): number | undefined {
    const last = state.get<unknown>(KEY);
    if (typeof last !== 'object' || last === null || !('port' in last) || !('preferred' in last)) return undefined;
    return typeof last.port === 'number' && last.preferred === preferred ? last.port : undefined;
  },
  keep: (port: number): Thenable<void> => state.update(KEY, { port, preferred }),
});

export const forgetLastPort = (state: Memento): Thenable<void> => state.update(KEY, undefined);
