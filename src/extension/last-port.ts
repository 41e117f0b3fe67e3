import type { Memento } from 'vscode';

const KEY = 'atlas.port';

/**
 * The last port of a project's bridge. Reusing it lets agents and Studio reconnect after a reload. Forgotten when the setting changes,
 * so that the new port takes effect at once.
 *
 * @param suffix see `ProjectStorage`
 */
export const lastPort = (state: Memento, preferred: number, suffix: string) => ({
  read(): number | undefined {
    const last = state.get<unknown>(KEY + suffix);
    if (typeof last !== 'object' || last === null || !('port' in last) || !('preferred' in last)) return undefined;
    return typeof last.port === 'number' && last.preferred === preferred ? last.port : undefined;
  },
  keep: (port: number): Thenable<void> => state.update(KEY + suffix, { port, preferred }),
});

/** Forgets the last ports of all projects. */
export async function forgetLastPorts(state: Memento): Promise<void> {
  for (const key of state.keys().filter(one => one.startsWith(KEY))) await state.update(key, undefined);
}
