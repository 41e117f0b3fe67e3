/** What decides where Studio looks for plugins. */
export interface Machine {
  /** Node's name of the platform: `win32`, `darwin`, `linux`. */
  readonly platform: string;
  /** The user's folder, absolute. */
  readonly home: string;
  readonly userName: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** In WSL the Windows user's folder for local application data, as Linux sees it; absolute. */
  readonly windowsLocalData?: string | undefined;
}

export interface PluginFolder {
  /** Absolute, in the manner of the platform. */
  readonly path: string;
  /** The folder that is there where this Studio is; `undefined`: nothing needs to be there. */
  readonly proof: string | undefined;
}

const vinegar = 'vinegar/prefixes/studio';
const flatpak = '.var/app/org.vinegarhq.Vinegar/data';

/** Where plugins of local Studios go: one folder on Windows and macOS, on Linux one for each Wine prefix that may hold a Studio,
 * in WSL Windows' own as well. */
export function pluginFolders({ platform, home, userName, env, windowsLocalData }: Machine): readonly PluginFolder[] {
  if (platform === 'win32') {
    const local = named(env['LOCALAPPDATA']) ?? `${home}\\AppData\\Local`;
    return [{ path: `${local}\\Roblox\\Plugins`, proof: undefined }];
  }
  if (platform === 'darwin') return [{ path: `${home}/Documents/Roblox/Plugins`, proof: undefined }];
  const prefixes = [
    `${home}/${flatpak}/${vinegar}`,
    `${named(env['XDG_DATA_HOME']) ?? `${home}/.local/share`}/${vinegar}`,
    named(env['WINEPREFIX']) ?? `${home}/.wine`,
  ];
  // Proton's Wine calls everybody steamuser.
  const users = Array.from(new Set([userName, 'steamuser']));
  const wine = Array.from(new Set(prefixes)).flatMap(prefix =>
    users.map(user => `${prefix}/drive_c/users/${user}/AppData/Local`),
  );
  return [...(windowsLocalData === undefined ? [] : [windowsLocalData]), ...wine].map(local => {
    const proof = `${local}/Roblox`;
    return { path: `${proof}/Plugins`, proof };
  });
}

/** A relative path in such a variable counts as none, as the XDG rules want it. */
const named = (path: string | undefined): string | undefined =>
  path !== undefined && /^(\/|[a-z]:[\\/]|\\\\)/i.test(path) ? path : undefined;
