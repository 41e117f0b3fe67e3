import { PluginReceipt } from '../../protocol/plugin-receipt.ts';

/** What cannot be read counts as no receipt: then nothing is ours, and nothing is touched. */
export function readReceipt(text: string | undefined): PluginReceipt {
  const none: PluginReceipt = { version: '', files: [] };
  if (text === undefined) return none;
  try {
    return PluginReceipt.parse(JSON.parse(text));
  } catch {
    return none;
  }
}

/** What stands between a file and being replaced by `wanted`; all three are SHA-256, `undefined`: no such file, not in the receipt. */
export function judgeFile(
  wanted: string,
  found: string | undefined,
  receipted: string | undefined,
): 'write' | 'current' | 'foreign' {
  if (found === undefined) return 'write';
  if (found === wanted) return 'current';
  return found === receipted ? 'write' : 'foreign';
}
