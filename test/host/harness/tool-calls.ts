import assert from 'node:assert/strict';
import type { ToolListing } from '../../../src/mcp/tool.ts';
import type { VsCodeAgent } from './vscode-agent.ts';

/** Calls tools like VS Code's chat, and records which tools of `catalog` were called. */
export interface ToolCalls {
  /** Returns the structured content, which is all that a model gets. Confirms the dialog of tools that may change something. */
  readonly call: (name: string, input: object) => Promise<Readonly<Record<string, unknown>>>;
  /** Calls a tool and asserts that the result contains `text`. */
  readonly holds: (name: string, input: object, text: RegExp) => Promise<void>;
  /** @throws AssertionError if a tool of the catalog was not called */
  readonly assertAllCalled: () => void;
}

export function toolCalls(agent: VsCodeAgent, catalog: readonly { readonly listing: ToolListing }[]): ToolCalls {
  const uncalled = new Map(catalog.map(({ listing }) => [listing.name, listing]));
  const all = new Map(uncalled);
  const call: ToolCalls['call'] = async (name, input) => {
    uncalled.delete(name);
    const answer = agent.invoke(name, input);
    const listing = all.get(name);
    if (listing?.annotations.readOnlyHint === false)
      assert.ok((await agent.allow()).includes(listing.title), `${name}: the dialog says what is about to run`);
    return JSON.parse((await answer)[0] ?? '') as Readonly<Record<string, unknown>>;
  };
  return {
    call,
    holds: async (name, input, text) => assert.match(JSON.stringify(await call(name, input)), text, name),
    assertAllCalled: () => assert.deepEqual([...uncalled.keys()], [], 'tools that no test calls in the editor'),
  };
}
