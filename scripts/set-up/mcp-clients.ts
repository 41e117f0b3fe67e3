/** Installs the official MCP clients that test the MCP server, in `test/conformance`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

const folder = resolve(fileURLToPath(import.meta.url), '../../../test/conformance');
const stamp = join(folder, 'node_modules/.atlas-installed');

/** Paths of the clients' programs, for Node 22 and later. */
export const mcpClients = {
  conformance: join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'),
  inspector: join(folder, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
};

/** Installs the clients unless the versions of the lock file are installed; about 10 seconds and 150 MB. */
export async function ensureMcpClients(): Promise<void> {
  const wanted = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.error('Installing the official MCP clients …');
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
  writeFileSync(stamp, wanted);
}
