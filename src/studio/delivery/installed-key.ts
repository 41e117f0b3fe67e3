import type { StudioKey } from '../../ports/studio-keys.ts';

/** The text in `studio-plugin/src/installed-key.luau` that an installed plugin file has replaced by a key. */
const PLACEHOLDER = '@atlas-bridge-key@';

/** Returns the plugin file with the key, which the plugin proves to the bridge. @throws Error if the file has no place for a key */
export function withInstalledKey(plugin: Uint8Array, { id, secret }: StudioKey): Uint8Array {
  const text = new TextDecoder().decode(plugin);
  const [before, after, ...more] = text.split(PLACEHOLDER);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error('the bundled Studio plugin has no place for a key');
  return new TextEncoder().encode(`${before}${id}:${secret}${after}`);
}
