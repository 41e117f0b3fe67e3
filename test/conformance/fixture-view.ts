import { setTimeout as delay } from 'node:timers/promises';
import type { Question } from '../../src/mcp/elicitation.ts';
import type { Prompt } from '../../src/mcp/prompt.ts';
import { type Completer, createToolRegistry, type ToolRegistry } from '../../src/mcp/registry.ts';
import type { ResourceSource } from '../../src/mcp/resource.ts';
import type { Tool, ToolCall } from '../../src/mcp/tool.ts';
import type { Logger } from '../../src/ports/logger.ts';

/** The tools, prompts and resources that the conformance suite calls by name. */
export function fixtureRegistry(log: Logger): ToolRegistry {
  const complete: Completer = async (_owner, argument) => (argument === 'arg1' ? ['test one', 'other'] : undefined);
  return createToolRegistry([...tools, ...askingTools, loggingTool(log)], {}, [
    { toolset: 'docs', prompts, resources, complete },
  ]);
}

const loggingTool = (log: Logger): Tool<object> =>
  fixtureTool('test_tool_with_logging', 'Logged.', false, async () => {
    for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      log.info(message);
      await delay(50);
    }
  });

function fixtureTool(
  name: string,
  text: string,
  isError = false,
  before: (call: ToolCall) => Promise<void> = async () => {},
): Tool<object> {
  return {
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
  };
}

const tools: readonly Tool<object>[] = [
  fixtureTool('test_simple_text', 'This is a simple text response for testing.'),
  fixtureTool('test_error_handling', 'This tool intentionally returns an error for testing', true),
  fixtureTool('test_tool_with_progress', 'Progress was made.', false, async call => {
    for (const message of ['one', 'two', 'three']) {
      call.progress?.(message);
      // Progress messages in quick succession become one notification.
      await delay(250);
    }
  }),
];

const text = { type: 'string' as const };
const options = (values: readonly string[], title: string) =>
  values.map(one => ({ const: one, title: `${title} ${one}` }));

/** Tools that ask the person with a form. */
const askingTools: readonly Tool<object>[] = [
  askingTool('test_elicitation', {
    username: { ...text, description: "User's response" },
    email: { ...text, description: "User's email address" },
  }),
  askingTool('test_elicitation_sep1034_defaults', {
    name: { ...text, default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { ...text, enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  }),
  askingTool('test_elicitation_sep1330_enums', {
    untitledSingle: { ...text, enum: ['option1', 'option2', 'option3'] },
    titledSingle: { ...text, oneOf: options(['value1', 'value2', 'value3'], 'Option') },
    legacyEnum: {
      ...text,
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { ...text, enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: options(['value1', 'value2', 'value3'], 'Choice') } },
  }),
];

function askingTool(name: string, properties: Question['requestedSchema']['properties']): Tool<object> {
  return fixtureTool(name, 'The person answered.', false, async ({ ask, signal }) => {
    if (ask === undefined) throw new Error('the client cannot ask');
    await ask({ message: 'Please answer.', requestedSchema: { type: 'object', properties } }, signal);
  });
}

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
