import { until } from './until.ts';
import type { RunningVsCode } from './start-vscode.ts';

/** An agent inside VS Code: its calls go through VS Code's own MCP client, and a person is asked before a tool acts. */
export interface VsCodeAgent {
  /** Resolves with the tool's name as VS Code calls it. */
  tool(name: string): Promise<string>;
  /** The texts that VS Code hands to the model. */
  invoke(name: string, input: object): Promise<readonly string[]>;
  /** Clicks "Yes" in the dialog that asks whether the tool may run; resolves with what the dialog said. */
  allow(): Promise<string>;
}

/** Starts our MCP server in VS Code, as "MCP: List Servers", Start would. */
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
      // A test that fails before it looks at the answer shall show its own failure.
      answer.catch(() => undefined);
      return answer;
    },
    async allow() {
      const dialog = page.getByRole('dialog', { name: /Run / });
      await dialog.waitFor({ timeout: 30_000 });
      const text = await dialog.innerText();
      await dialog.getByRole('button', { name: 'Yes' }).click();
      return text;
    },
  };
}
