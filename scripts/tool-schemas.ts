import { toolCatalog } from '../src/app/tool-catalog.ts';
import type { JsonObjectSchema } from '../src/mcp/tool.ts';
import { plutoTools } from '../src/pluto/tools/pluto-catalog.ts';

/** The JSON schemas of every tool by its name, which a release build writes to `dist/tool-schemas.json`. */
export const toolSchemas = (): Readonly<
  Record<string, { readonly input: JsonObjectSchema; readonly output: JsonObjectSchema }>
> =>
  Object.fromEntries(
    [...toolCatalog, ...plutoTools].map(({ listing }) => [
      listing.name,
      { input: listing.inputSchema, output: listing.outputSchema },
    ]),
  );
