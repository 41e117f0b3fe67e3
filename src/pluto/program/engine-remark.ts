import type { WasmSupport } from '../ports/program-runner.ts';

/** The end of the call that starts a module: whether it reads bytes of strings. */
const MODULE = /\$rt\.wasm\(.*, (true|false)\);$/m;

/** The remark on a program whose functions in WebAssembly ran as JavaScript; empty for others. */
export function engineRemark(program: string, support: WasmSupport): string {
  const [, readsBytes] = MODULE.exec(program) ?? [];
  if (readsBytes === undefined || support === 'all') return '';
  if (support === 'none')
    return 'JavaScript ran instead of WebAssembly, which this version of Node does not support: use Node 22 or newer for speed.';
  return readsBytes === 'true'
    ? 'JavaScript ran instead of WebAssembly, which reads strings slowly in this version of Node: use Node 24 or newer for speed.'
    : '';
}
