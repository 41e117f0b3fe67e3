import { PluginReceipt } from '../../protocol/plugin-receipt.ts';

/** Parses the receipt. An unreadable receipt is treated as empty, so no file is considered ours. */
export function readReceipt(value: unknown): PluginReceipt {
  const read = PluginReceipt.safeParse(value);
  return read.success ? read.data : { version: '', files: [] };
}

/** Decides whether to replace a plugin file. All hashes are SHA-256; `undefined` means no such file or not in the receipt. */
export function classifyFile(
  wanted: string,
  found: string | undefined,
  receipted: string | undefined,
): 'write' | 'current' | 'foreign' {
  if (found === undefined) return 'write';
  if (found === wanted) return 'current';
  return found === receipted ? 'write' : 'foreign';
}
