import { registerHooks } from 'node:module';

/**
 * Replaces the module `vscode` in everything that is imported later. `fake`: its exports. It stays for the whole process, so the runner starts
 * files that call this separately (`scripts/test/run-ring.ts`).
 */
export function installFakeVsCode(fake: object): void {
  (globalThis as { fakeVsCode?: object }).fakeVsCode = fake;
  const source = `export const { ${Object.keys(fake).join(', ')} } = globalThis.fakeVsCode;`;
  registerHooks({
    resolve: (name, context, next) =>
      name === 'vscode' ? { url: 'fake:vscode', format: 'module', shortCircuit: true } : next(name, context),
    load: (url, context, next) =>
      url === 'fake:vscode' ? { format: 'module', source, shortCircuit: true } : next(url, context),
  });
}
