import { installDebianPackages } from './debian.ts';
import { findOnPath } from './find-on-path.ts';

export interface OpenSsh {
  readonly ssh: string;
  readonly sshd: string;
  readonly keygen: string;
}

/** Those of this machine; `undefined` where one is missing. The server lies where only root's PATH leads. */
export function findOpenSsh(): OpenSsh | undefined {
  const sshd = findOnPath('sshd') ?? findOnPath('sshd', '/usr/sbin:/usr/local/sbin');
  const [ssh, keygen] = ['ssh', 'ssh-keygen'].map(name => findOnPath(name));
  return ssh === undefined || sshd === undefined || keygen === undefined ? undefined : { ssh, sshd, keygen };
}

/** Installs it where we may. Without it the tests that need it are skipped, and say so. */
export async function ensureOpenSsh(): Promise<void> {
  if (findOpenSsh() !== undefined) return;
  try {
    await installDebianPackages(
      ['openssh-client', 'openssh-server', 'iproute2'],
      'The tests of work on another machine need OpenSSH.',
    );
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
}
