import { hostname } from 'node:os';
import type { env as editorEnv } from 'vscode';

/** Where the person sits and Roblox Studio runs, seen from the machine that the extension works on. */
export type WindowPlace =
  /** At this machine. */
  | { readonly kind: 'here' }
  /** At the Windows that this WSL belongs to, whose folders can be written from here. */
  | { readonly kind: 'wsl'; readonly name: 'wsl' }
  /** At another machine; `name` is VS Code's for the way here: `ssh-remote`, `dev-container`, … */
  | { readonly kind: 'remote'; readonly name: string }
  /** In front of a browser, at this machine or another one: that cannot be known. `name` is this machine's. */
  | { readonly kind: 'browser'; readonly name: string };

/** @param isBrowser whether `uiKind` says that the window is a page */
export function windowPlace({ remoteName }: Pick<typeof editorEnv, 'remoteName'>, isBrowser: boolean): WindowPlace {
  if (isBrowser) return { kind: 'browser', name: hostname() };
  if (remoteName === undefined) return { kind: 'here' };
  return remoteName === 'wsl' ? { kind: 'wsl', name: 'wsl' } : { kind: 'remote', name: remoteName };
}
