import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { Prompt } from './prompt.ts';

/** Answers `prompts/list` and `prompts/get`. */
export function servePrompts(server: Server, prompts: readonly Prompt[]): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: prompts.map(({ name, title, description, arguments: wanted }) => ({
      name,
      title,
      description,
      arguments: wanted.map(argument => ({ ...argument })),
    })),
  }));

  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name);
    if (prompt === undefined) {
      const known = prompts.map(({ name }) => name).join(', ');
      throw new McpError(ErrorCode.InvalidParams, `Unknown prompt ${params.name}. Known prompts: ${known}.`);
    }
    const given = Object.fromEntries(Object.entries(params.arguments ?? {}).filter(([, text]) => text.trim() !== ''));
    const missing = prompt.arguments.filter(({ name, required }) => required && given[name] === undefined);
    if (missing.length > 0)
      throw new McpError(ErrorCode.InvalidParams, `Missing: ${missing.map(({ name }) => name).join(', ')}.`);
    return {
      description: prompt.description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.write(given) } }],
    };
  });
}
