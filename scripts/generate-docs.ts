/** Writes the reference pages of `docs/`. Run it after you change an error, tool, resource, prompt, setting, command or field of a project. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commandLinePage } from './docs/command-line-page.ts';
import { commandsPage } from './docs/commands-page.ts';
import { errorsPage } from './docs/errors-page.ts';
import { mcpPage } from './docs/mcp-page.ts';
import { settingsPage } from './docs/settings-page.ts';
import { switchingPage } from './docs/switching-page.ts';
import { toolsPage } from './docs/tools-page.ts';

/** Generators of the pages, by path from the root of the repository. */
export const generatedPages: Readonly<Record<string, () => string>> = {
  'docs/command-line.md': commandLinePage,
  'docs/commands.md': commandsPage,
  'docs/errors.md': errorsPage,
  'docs/mcp.md': mcpPage,
  'docs/settings.md': settingsPage,
  'docs/switching.md': switchingPage,
  'docs/tools.md': toolsPage,
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, page] of Object.entries(generatedPages)) {
    writeFileSync(new URL(`../${path}`, import.meta.url), page());
    console.log(`wrote ${path}`);
  }
