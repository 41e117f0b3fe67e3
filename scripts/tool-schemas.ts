import { toolCatalog } from '../src/app/tool-catalog.ts';
import { plutoTools } from '../src/pluto/tools/pluto-catalog.ts';

/** Renders the JSON schemas of every tool as the release build writes them: `["search","input",{…}]` on each line. */
export const renderToolSchemas = (): string =>
  [...toolCatalog, ...plutoTools]
    .flatMap(({ listing: { name, inputSchema, outputSchema } }) => [
      [name, 'input', inputSchema],
      [name, 'output', outputSchema],
    ])
    .map(line => JSON.stringify(line))
    .join('\n');
