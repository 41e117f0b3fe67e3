import type { ResourceSource } from '../../src/mcp/resource.ts';
import { instructions } from '../../src/mcp/instructions.ts';
import { syncPrompts } from '../../src/sync/tools/sync-prompts.ts';
import { docsResources } from '../../src/docs/tools/docs-resources.ts';
import { plutoResources } from '../../src/pluto/tools/pluto-resources.ts';
import { syncResources } from '../../src/sync/tools/sync-resources.ts';
import { conflictCard } from '../../src/sync/tools/conflict-card.ts';

const quoted = (text: string): string =>
  text
    .split('\n')
    .map(line => `> ${line}`.trimEnd())
    .join('\n');

/** `docs/mcp.md`. */
export function mcpPage(): string {
  const sources: readonly Pick<ResourceSource, 'listings' | 'templates'>[] = [
    syncResources,
    docsResources,
    { listings: [conflictCard], templates: [] },
    plutoResources,
  ];
  const rows = sources.flatMap(({ listings, templates }) => [
    ...listings.map(({ uri, mimeType, description }) => `| \`${uri}\` | ${mimeType} | ${description} |`),
    ...templates.map(
      ({ uriTemplate, mimeType, description }) => `| \`${uriTemplate}\` | ${mimeType} | ${description} |`,
    ),
  ]);
  const prompts = syncPrompts.map(prompt => {
    const { name, title, description } = prompt;
    const args = prompt.arguments.map(one => `- \`${one.name}\`: ${one.description}`);
    return [
      `### ${name}`,
      `**${title}.** ${description}`,
      ...(args.length > 0 ? [args.join('\n')] : []),
      quoted(prompt.write({})),
    ].join('\n\n');
  });
  return `# Resources, prompts and instructions

Generated from \`src/app\` by \`scripts/generate-docs.ts\`. Tools are in [tools.md](tools.md).

## Resources

A client may read them without calling a tool, and subscribe to each: it is told when what it has read may be another thing now.

| Address | Type | What it is |
|---|---|---|
${rows.join('\n')}

## Prompts

Workflows that a person starts by name, in VS Code's chat with \`/mcp\`.

${prompts.join('\n\n')}

## Instructions

What a client is told of each toolset that its endpoint serves, when it connects.

${Object.entries(instructions)
  .map(([toolset, text]) => `### ${toolset}\n\n${quoted(text)}`)
  .join('\n\n')}
`;
}
