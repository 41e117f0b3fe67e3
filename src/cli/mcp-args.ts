import { parseArgs } from 'node:util';
import { err, ok, type Result } from '../base/result.ts';

/** Over two streams there is one client and no project, so one toolset can be served: the one that needs neither. */
export function readMcpArgs(args: readonly string[]): Result<'docs' | 'help', string> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        stdio: { type: 'boolean' },
        toolset: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) return ok('help');
    if (values.stdio !== true) return err('mcp needs --stdio; for HTTP there is serve');
    if (values.toolset !== 'docs') return err('mcp needs --toolset docs; the other toolsets are those of serve');
    return ok('docs');
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}
