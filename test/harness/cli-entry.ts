import { fileURLToPath } from 'node:url';

/** Arguments of Node for processes of the command line: the compiler setting of the test process, for Luau VMs that live for a second. */
export const quickVm: readonly string[] = process.execArgv.filter(argument =>
  argument.startsWith('--wasm-tiering-budget='),
);

/** The entry of the command line: of the release build after `npm test` made one, which starts in a third of the time, otherwise of the source. */
export const cliEntry = fileURLToPath(
  new URL(process.env['ATLAS_DIST'] === 'ready' ? '../../dist/cli.js' : '../../src/cli.ts', import.meta.url),
);
