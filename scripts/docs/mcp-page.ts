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

Generated from \`src\` by \`scripts/generate-docs.ts\`. Run the script after a change; do not edit this page. Tools are in [tools.md](tools.md).

## Resources

A client can read resources without calling a tool, and subscribe to each: it is notified when the content may have changed.

| Address | Type | What it is |
|---|---|---|
${rows.join('\n')}

## Prompts

Workflows that a person starts by name, for example with \`/mcp\` in VS Code's chat.

${prompts.join('\n\n')}

## Instructions

The server sends these to a client when it connects, for each toolset of its endpoint.

${Object.entries(instructions)
  .map(([toolset, text]) => `### ${toolset}\n\n${quoted(text)}`)
  .join('\n\n')}
`;
}
