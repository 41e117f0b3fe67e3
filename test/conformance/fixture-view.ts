import { setTimeout as delay } from 'node:timers/promises';
import type { Prompt } from '../../src/mcp/prompt.ts';
import { createToolRegistry, type ToolRegistry } from '../../src/mcp/registry.ts';
import type { ResourceSource } from '../../src/mcp/resource.ts';
import type { Tool, ToolCall } from '../../src/mcp/tool.ts';

/** What the conformance suite calls by name, served by our own registry, server and transport. */
export function fixtureRegistry(): ToolRegistry {
  return createToolRegistry(tools, {}, [{ toolset: 'docs', prompts, resources }]);
}

const fixtureTool = (
  name: string,
  text: string,
  isError = false,
  before: (call: ToolCall) => Promise<void> = async () => {},
): Tool<object> => ({
  toolset: 'docs',
  listing: {
    name,
    title: name,
    description: `Answers "${text}".`,
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object' },
    annotations: {
      title: name,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  async call(_deps, _arguments, call) {
    await before(call);
    return { content: [{ type: 'text', text }], structuredContent: { text }, isError };
  },
});

const tools: readonly Tool<object>[] = [
  fixtureTool('test_simple_text', 'This is a simple text response for testing.'),
  fixtureTool('test_error_handling', 'This tool intentionally returns an error for testing', true),
  fixtureTool('test_tool_with_progress', 'Progress was made.', false, async call => {
    for (const message of ['one', 'two', 'three']) {
      call.progress?.(message);
      // Sentences in quick succession are one notification.
      await delay(250);
    }
  }),
];

const prompts: readonly Prompt[] = [
  {
    name: 'test_simple_prompt',
    title: 'Simple',
    description: 'A prompt without arguments.',
    arguments: [],
    write: () => 'This is a simple prompt for testing.',
  },
  {
    name: 'test_prompt_with_arguments',
    title: 'With arguments',
    description: 'A prompt with two arguments.',
    arguments: ['arg1', 'arg2'].map(name => ({ name, description: name, required: true })),
    write: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  },
];

const resources: ResourceSource = {
  onDidChange: () => ({ [Symbol.dispose]() {} }),
  listings: [
    {
      uri: 'test://static-text',
      name: 'static-text',
      title: 'Static text',
      description: 'A text.',
      mimeType: 'text/plain',
    },
  ],
  templates: [
    {
      uriTemplate: 'test://template/{id}/data',
      name: 'template',
      title: 'Template',
      description: 'A text by id.',
      mimeType: 'application/json',
    },
  ],
  async read(uri) {
    if (uri === 'test://static-text')
      return { mimeType: 'text/plain', text: 'This is the content of the static text resource.' };
    const id = /^test:\/\/template\/(.+)\/data$/.exec(uri)?.[1];
    if (id === undefined) return undefined;
    return {
      mimeType: 'application/json',
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    };
  },
};
