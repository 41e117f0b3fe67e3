import type { JsonObjectSchema, ToolListing } from '../../src/mcp/tool.ts';
import { toolCatalog } from '../../src/app/tool-catalog.ts';
import { plutoTools } from '../../src/pluto/tools/pluto-catalog.ts';

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
const schemasOf = (value: unknown): readonly Schema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

/** The type of a schema as a phrase. */
function formatType(schema: Schema): string {
  if (Array.isArray(schema['enum'])) return schema['enum'].map(value => `\`${String(value)}\``).join(', ');
  if (schema['const'] !== undefined) return `\`${JSON.stringify(schema['const']).replaceAll('"', '')}\``;
  const alternatives = schemasOf(schema['anyOf']);
  if (alternatives.length > 0) return alternatives.map(formatType).join(' or ');
  if (schema['type'] === 'array' && isSchema(schema['items'])) return `list of ${formatType(schema['items'])}`;
  if (isSchema(schema['additionalProperties']) && schema['type'] === 'object')
    return `map of ${formatType(schema['additionalProperties']) || 'anything'}`;
  if (Array.isArray(schema['type'])) return schema['type'].join(' or ');
  return typeof schema['type'] === 'string' ? schema['type'] : '';
}

/** One row for each field of an object and of nested objects. */
function rows(schema: Schema, prefix = ''): readonly string[] {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isSchema(property)) return [];
    const { default: byDefault, description } = property;
    const presence =
      byDefault !== undefined
        ? `default \`${JSON.stringify(byDefault)}\``
        : required.includes(name)
          ? 'always'
          : 'optional';
    const inner = property['type'] === 'array' && isSchema(property['items']) ? property['items'] : property;
    const innerPrefix = `${prefix}${name}${inner === property ? '' : '[]'}.`;
    return [
      `| \`${prefix}${name}\` | ${formatType(property)} | ${presence} | ${typeof description === 'string' ? description : ''} |`,
      ...rows(inner, innerPrefix),
    ];
  });
}

const table = (schema: Schema): string =>
  `| Field | Type | Presence | Meaning |\n|---|---|---|---|\n${rows(schema).join('\n')}`;

/** The first alternative is the result of the tool; the second is the failure, which is the same for all tools. */
const ownOutput = (schema: JsonObjectSchema): Schema => schemasOf(schema['anyOf'])[0] ?? schema;

function section({ name, title, description, annotations, inputSchema, outputSchema }: ToolListing): string {
  const effect = annotations.readOnlyHint
    ? 'Read-only.'
    : annotations.destructiveHint
      ? 'May replace or remove existing work; VS Code asks a person first.'
      : 'Adds something, and replaces nothing.';
  const details = inputSchema['description'];
  return `## ${name}

**${title}.** ${effect}

${description}${typeof details === 'string' ? `\n\n${details}` : ''}

### Arguments

${table(inputSchema)}

### Answer

${table(ownOutput(outputSchema))}
`;
}

const allTools: readonly { readonly toolset: string; readonly listing: ToolListing }[] = [
  ...toolCatalog,
  ...plutoTools,
];

export function toolsPage(): string {
  const toolsets = [...new Set(allTools.map(tool => tool.toolset))];
  const lists = toolsets.map(toolset => {
    const names = allTools.filter(tool => tool.toolset === toolset).map(({ listing }) => `\`${listing.name}\``);
    return `| \`/mcp/${toolset}\` | ${names.join(', ')} |`;
  });
  return `# Tools

Generated from \`src/app\` by \`scripts/generate-docs.ts\`. Run the script after a change; do not edit this page. Failures are in [errors.md](errors.md).

| Endpoint | Tools |
|---|---|
| \`/mcp\` | all; those of \`pluto\` if the project has Pluto modules |
${lists.join('\n')}

Every answer has structured content, and text that ends with the same content in a \`<json>\` block.

${allTools.map(({ listing }) => section(listing)).join('\n')}`;
}
