import { installDebianPackages } from './debian.ts';
import { findOnPath } from './find-on-path.ts';

export interface OpenSsh {
  readonly ssh: string;
  readonly sshd: string;
  readonly keygen: string;
}

/** Paths of the OpenSSH programs; `undefined` if one is missing. The server is in a folder that only root's PATH contains. */
export function findOpenSsh(): OpenSsh | undefined {
  const sshd = findOnPath('sshd') ?? findOnPath('sshd', '/usr/sbin:/usr/local/sbin');
  const [ssh, keygen] = ['ssh', 'ssh-keygen'].map(name => findOnPath(name));
  return ssh === undefined || sshd === undefined || keygen === undefined ? undefined : { ssh, sshd, keygen };
}

/** Installs OpenSSH if permitted. Tests that require it are otherwise skipped with a message. */
export async function ensureOpenSsh(): Promise<void> {
  if (findOpenSsh() !== undefined) return;
  try {
    await installDebianPackages(
      ['openssh-client', 'openssh-server', 'iproute2'],
      'The tests of remote work need OpenSSH.',
    );
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
}
