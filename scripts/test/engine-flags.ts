/** Flags of V8 for every process of tests. */
export const engineFlags: readonly string[] = [
  // Most Luau VMs of the tests live for a second: to optimize the code of each takes longer than it saves, 0.4 s of the 1.3 s of a start.
  '--wasm-tiering-budget=1000000000',
  // V8 aborts a process, rarely, when it frees machine code of WebAssembly that several of its threads have used
  // (https://github.com/nodejs/node/issues/64500). A process of tests ends soon, so it frees none.
  '--no-wasm-code-gc',
];
