import asyncHooks, { type AsyncHook } from 'node:async_hooks';

const { createHook } = asyncHooks;
let hook: AsyncHook | undefined;
/** `node:test` creates one hook, when it is first used. */
asyncHooks.createHook = options => {
  asyncHooks.createHook = createHook;
  hook = createHook(options);
  return hook;
};

/**
 * Ends the hook with which `node:test` follows every promise. The hook finds the suite of a test while the files of a program are loaded. Later it
 * only finds the test of an error that no test awaits, which fails the program without it, and it takes a fifth of the CPU time of tests that
 * await much.
 */
export function endPromiseHook(): void {
  hook?.disable();
}
