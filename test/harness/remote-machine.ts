import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { findOpenSsh, type OpenSsh } from '../../scripts/set-up/openssh.ts';
import { type Group, startGroup } from '../../scripts/set-up/process-group.ts';
import { tempFolder } from './temp-folder.ts';

type CommandLine = readonly [command: string, ...args: readonly string[]];

/** A simulated remote machine. Its listeners are reachable over SSH and, if `isIsolated`, in no other way. */
export interface RemoteMachine extends AsyncDisposable {
  /** Whether it has a network namespace. Only root can create one. */
  readonly isIsolated: boolean;
  /** The local command that runs `command` on the remote machine. */
  readonly there: (...command: CommandLine) => CommandLine;
  /** `ssh -L`: forwards a local loopback port (a different number unless `here` is given) to a remote one. Resolves once it works. */
  forward(port: number, here?: number): Promise<ForwardedBySsh>;
}

/** Disposing closes the connection. */
export interface ForwardedBySsh extends AsyncDisposable {
  readonly port: number;
}

/** The reason why no remote machine can be simulated here, or `false`. */
export const whyNoRemoteMachine = (): string | false =>
  findOpenSsh() === undefined ? 'OpenSSH (ssh, ssh-keygen, sshd) is not on this machine' : false;

export async function startRemoteMachine(): Promise<RemoteMachine> {
  const openSsh = findOpenSsh();
  if (openSsh === undefined) throw new Error(String(whyNoRemoteMachine()));
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await tempFolder());
  const network = await ownNetwork();
  if (network !== undefined) stack.use(network);
  const there = (...command: CommandLine): CommandLine =>
    network === undefined ? command : ['nsenter', `--net=/proc/${network.child.pid}/ns/net`, '--', ...command];
  const client = await keysAndConfiguration(openSsh, folder.path);
  // One daemon per connection over a pipe, so that no port gives another way in.
  const daemon = there(openSsh.sshd, '-i', '-f', join(folder.path, 'sshd_config')).join(' ');
  const owned = stack.move();
  return {
    isIsolated: network !== undefined,
    there,
    async forward(port, here) {
      const local = here ?? (await freePort(port));
      const options = ['ExitOnForwardFailure=yes', `ProxyCommand=${daemon}`].flatMap(option => ['-o', option]);
      const ports = `127.0.0.1:${local}:127.0.0.1:${port}`;
      const group = startGroup(openSsh.ssh, [...client, ...options, '-v', '-N', '-L', ports, 'remote']);
      await group.printed(/Entering interactive session/, 30_000);
      return { port: local, [Symbol.asyncDispose]: () => group[Symbol.asyncDispose]() };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Starts a process in a network namespace with only a loopback; `undefined` without the permission. */
async function ownNetwork(): Promise<Group | undefined> {
  const tried = process.getuid?.() === 0 && spawnSync('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up']).status === 0;
  if (!tried) return undefined;
  const network = startGroup('unshare', ['-n', 'sh', '-c', 'ip link set lo up && echo up && exec sleep infinity']);
  await network.printed(/up/, 10_000);
  return network;
}

/** Creates a host key and a user key in `folder` and a daemon that accepts only them. Answers the matching `ssh` arguments. */
async function keysAndConfiguration({ keygen }: OpenSsh, folder: string): Promise<readonly string[]> {
  const at = (name: string): string => join(folder, name);
  for (const key of ['host', 'person']) {
    const made = spawnSync(keygen, ['-q', '-t', 'ed25519', '-N', '', '-f', at(key)], { encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`ssh-keygen failed: ${made.stderr}`);
  }
  const daemon = [
    `HostKey ${at('host')}`,
    `AuthorizedKeysFile ${at('person.pub')}`,
    'AuthenticationMethods publickey',
    'PermitRootLogin prohibit-password',
    'StrictModes no',
    'UsePAM no',
    'PidFile none',
  ];
  await writeFile(at('sshd_config'), `${daemon.join('\n')}\n`);
  await writeFile(at('known_hosts'), `remote ${await readFile(at('host.pub'), 'utf8')}`);
  // The daemon's privilege separation folder; the package creates it at boot.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  const options = [`UserKnownHostsFile=${at('known_hosts')}`, 'IdentitiesOnly=yes', 'BatchMode=yes'];
  return ['-F', 'none', '-i', at('person'), '-l', userInfo().username, ...options.flatMap(option => ['-o', option])];
}

/** A free port other than `not`; `ssh -L` does not accept 0. */
async function freePort(not: number): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port === not ? freePort(not) : port;
}
