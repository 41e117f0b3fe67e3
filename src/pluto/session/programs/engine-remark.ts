/** The remark on a program whose functions in WebAssembly ran as JavaScript; empty for others. */
export const engineRemark = (program: string, runsWasm: boolean): string =>
  runsWasm || !program.includes('$rt.wasm(')
    ? ''
    : 'JavaScript ran instead of WebAssembly, which this version of Node does not support: use Node 22 or newer for speed.';
