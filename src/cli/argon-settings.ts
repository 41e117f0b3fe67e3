import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifFound } from '../base/errno.ts';
import { readToml } from '../roblox/formats/toml.ts';

/** The settings of Argon in a project (`argon.toml`), as far as they mean the same here. */
export interface ArgonSettings {
  readonly port: number | undefined;
  readonly host: string | undefined;
  readonly hasSourcemap: boolean;
  /** Names of the settings without effect. */
  readonly ignored: readonly string[];
  /** Why the file has no settings. */
  readonly problem: string | undefined;
}

/** Reads `argon.toml` in a folder; a missing or invalid file has no settings. */
export async function readArgonSettings(folder: string): Promise<ArgonSettings> {
  return argonSettingsOf((await ifFound(readFile(join(folder, 'argon.toml'), 'utf8'))) ?? '');
}

export function argonSettingsOf(text: string): ArgonSettings {
  const parsed = readToml(text);
  const values = new Map<string, unknown>(parsed.ok && isTable(parsed.value) ? Object.entries(parsed.value) : []);
  const port = values.get('port');
  const host = values.get('host');
  return {
    port: typeof port === 'number' && Number.isInteger(port) && port >= 0 && port < 65_536 ? port : undefined,
    host: typeof host === 'string' ? host : undefined,
    hasSourcemap: values.get('with_sourcemap') === true,
    problem: parsed.ok ? undefined : `line ${parsed.error.line}: expected ${parsed.error.expected}`,
    ignored: [...values.keys()].filter(name => !['port', 'host', 'with_sourcemap'].includes(name)),
  };
}

const isTable = (value: unknown): value is object => typeof value === 'object' && value !== null;
