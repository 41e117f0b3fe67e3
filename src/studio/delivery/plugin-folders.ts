/** The properties of a computer that determine where Studio looks for plugins. */
export interface Machine {
  /** `process.platform` of Node: `win32`, `darwin`, `linux`. */
  readonly platform: string;
  /** Absolute path of the home folder. */
  readonly home: string;
  readonly userName: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** WSL only: absolute Linux path of the Windows user's local application data. */
  readonly windowsLocalData?: string | undefined;
}

export interface PluginFolder {
  /** Absolute, with the separators of the platform. */
  readonly path: string;
  /** Exists only if this Studio is installed; `undefined` if the plugin folder may be created in any case. */
  readonly requiredFolder: string | undefined;
}

const vinegar = 'vinegar/prefixes/studio';
const flatpak = '.var/app/org.vinegarhq.Vinegar/data';

/**
 * Lists the plugin folders of local Studios: one on Windows and macOS, on Linux one for each Wine prefix that may contain Studio, and in WSL
 * the one of Windows as well.
 */
export function pluginFolders({ platform, home, userName, env, windowsLocalData }: Machine): readonly PluginFolder[] {
  if (platform === 'win32') {
    const local = absolutePath(env['LOCALAPPDATA']) ?? `${home}\\AppData\\Local`;
    return [{ path: `${local}\\Roblox\\Plugins`, requiredFolder: undefined }];
  }
  if (platform === 'darwin') return [{ path: `${home}/Documents/Roblox/Plugins`, requiredFolder: undefined }];
  const prefixes = [
    `${home}/${flatpak}/${vinegar}`,
    `${absolutePath(env['XDG_DATA_HOME']) ?? `${home}/.local/share`}/${vinegar}`,
    absolutePath(env['WINEPREFIX']) ?? `${home}/.wine`,
  ];
  // Proton runs every user as steamuser.
  const users = Array.from(new Set([userName, 'steamuser']));
  const wine = Array.from(new Set(prefixes)).flatMap(prefix =>
    users.map(user => `${prefix}/drive_c/users/${user}/AppData/Local`),
  );
  return [...(windowsLocalData === undefined ? [] : [windowsLocalData]), ...wine].map(local => {
    const requiredFolder = `${local}/Roblox`;
    return { path: `${requiredFolder}/Plugins`, requiredFolder };
  });
}

/** Ignores a relative path in an environment variable, as the XDG specification requires. */
const absolutePath = (path: string | undefined): string | undefined =>
  path !== undefined && /^(\/|[a-z]:[\\/]|\\\\)/i.test(path) ? path : undefined;
