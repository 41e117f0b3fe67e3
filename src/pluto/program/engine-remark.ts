import type { WasmSupport } from '../ports/program-runner.ts';
import type { WasmUse } from './backend/contract.ts';

/** The remark on a program whose functions in WebAssembly ran as JavaScript; empty for others. */
export function engineRemark(use: WasmUse, support: WasmSupport): string {
  if (use === 'none' || support === 'all') return '';
  if (support === 'none')
    return 'JavaScript ran instead of WebAssembly, which this version of Node does not support: use Node 22 or newer for speed.';
  return use === 'reads-bytes'
    ? 'JavaScript ran instead of WebAssembly, which reads strings slowly in this version of Node: use Node 24 or newer for speed.'
    : '';
}
