import { hostname } from 'node:os';
import type { env as editorEnv } from 'vscode';

/** Where the user and Roblox Studio are, relative to the machine on which the extension runs. */
export type WindowPlace =
  /** On this machine. */
  | { readonly kind: 'here' }
  /** On the Windows host of this WSL, whose folders are writable from here. */
  | { readonly kind: 'wsl'; readonly name: 'wsl' }
  /** On another machine; `name` is VS Code's remote name: `ssh-remote`, `dev-container`, … */
  | { readonly kind: 'remote'; readonly name: string }
  /** In a browser, on this or an unknown other machine. `name` is the host name of this machine. */
  | { readonly kind: 'browser'; readonly name: string };

/** @param isBrowser whether `vscode.env.uiKind` is `Web` */
export function windowPlace({ remoteName }: Pick<typeof editorEnv, 'remoteName'>, isBrowser: boolean): WindowPlace {
  if (isBrowser) return { kind: 'browser', name: hostname() };
  if (remoteName === undefined) return { kind: 'here' };
  return remoteName === 'wsl' ? { kind: 'wsl', name: 'wsl' } : { kind: 'remote', name: remoteName };
}
