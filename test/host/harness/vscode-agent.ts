import { until } from './until.ts';
import type { RunningVsCode } from './start-vscode.ts';

/** An agent inside VS Code. Its calls use VS Code's own MCP client, which asks before a tool changes something. */
export interface VsCodeAgent {
  /** Waits for a tool and returns its name in VS Code. */
  tool(name: string): Promise<string>;
  /** Calls a tool and returns the texts that VS Code passes to the model. */
  invoke(name: string, input: object): Promise<readonly string[]>;
  /** Confirms the dialog that asks whether the tool may run. Returns the text of the dialog. */
  allow(): Promise<string>;
}

/** Starts the MCP server in VS Code, like "MCP: List Servers" and Start. */
export function vsCodeAgent({ driver, page }: RunningVsCode): VsCodeAgent {
  const find = async (name: string): Promise<string | undefined> =>
    (await driver.call('tools', {})).find(tool => tool.name.startsWith('mcp_') && tool.name.endsWith(name))?.name;
  const tool = (name: string): Promise<string> =>
    until(`VS Code offering the tool ${name}`, 30_000, async () => {
      const there = await find(name);
      if (there !== undefined) return there;
      const options = { waitForLiveTools: true, autoTrustChanges: true };
      await driver.call('execute', { command: 'workbench.mcp.startServer', args: ['*', options] });
      return find(name);
    });
  return {
    tool,
    invoke(name, input) {
      const answer = tool(name).then(full => driver.call('invokeTool', { name: full, input }));
      // Avoid an unhandled rejection if the test fails before it awaits the result.
      answer.catch(() => undefined);
      return answer;
    },
    async allow() {
      const dialog = page.getByRole('dialog', { name: /Run / });
      await dialog.waitFor();
      const text = await dialog.innerText();
      await dialog.getByRole('button', { name: 'Yes' }).click();
      return text;
    },
  };
}
