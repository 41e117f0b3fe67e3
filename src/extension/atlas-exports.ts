import type { ActivationTime } from '../adapters/vscode/activation-parts.ts';
import type { BridgeLife } from '../adapters/vscode/bridge-life.ts';
import type { Pending } from '../adapters/vscode/pending.ts';
import { differingOf } from '../adapters/vscode/status-bar.ts';
import { statusLine } from '../adapters/vscode/status.ts';
import { editorWords } from '../adapters/vscode/words/editor-words.ts';

/** What other extensions and tests may look at; plain data at every look. */
export interface AtlasExports {
  readonly activation: ActivationTime;
  readonly state: string;
  /** What the status bar says, without its icon. */
  readonly status: string;
  readonly studioUrl: string | undefined;
  readonly mcpUrl: string | undefined;
}

export function exportsOf(life: BridgeLife, pending: Pending, activation: ActivationTime): AtlasExports {
  const bridge = () => {
    const state = life.state();
    return state.kind === 'running' ? state.bridge : undefined;
  };
  return {
    activation,
    get state() {
      return life.state().kind;
    },
    get status() {
      return statusLine(life.state(), editorWords, differingOf(pending)).text.replaceAll(/\$\([^)]*\) /g, '');
    },
    get studioUrl() {
      return bridge()?.studioUrl;
    },
    get mcpUrl() {
      return bridge()?.mcpUrl;
    },
  };
}
