/** Kinds of projects that `atlas-bridge init` creates. */
export const projectKinds = ['place', 'model', 'plugin', 'library'] as const;
export type ProjectKind = (typeof projectKinds)[number];

/** The files of a new project, by path with `/`. Each kind builds as it is. */
export function projectFiles(kind: ProjectKind, name: string): Readonly<Record<string, string>> {
  return { ...shared(kind), ...own(kind, name) };
}

function own(kind: ProjectKind, name: string): Readonly<Record<string, string>> {
  const project = (tree: object) => ({ 'default.project.json': json({ name, tree }) });
  switch (kind) {
    case 'place':
      return {
        ...project({
          $className: 'DataModel',
          ReplicatedStorage: { Shared: { $path: 'src/shared' } },
          ServerScriptService: { Server: { $path: 'src/server' } },
          StarterPlayer: { StarterPlayerScripts: { Client: { $path: 'src/client' } } },
        }),
        'src/shared/Greeting.luau': greeting,
        'src/server/Main.server.luau': main('server'),
        'src/client/Main.client.luau': main('client'),
      };
    case 'model':
    case 'library':
      return { ...project({ $path: 'src' }), 'src/init.luau': greeting };
    case 'plugin':
      return {
        ...project({ $path: 'src' }),
        'src/init.server.luau': `--!strict
local Greeting = require(script.Greeting)

print(Greeting.of("Studio"))
`,
        'src/Greeting.luau': greeting,
      };
  }
}

const greeting = `--!strict
local Greeting = {}

function Greeting.of(name: string): string
	return \`Hello, {name}!\`
end

return Greeting
`;

const main = (side: string): string => `--!strict
local Greeting = require(game:GetService("ReplicatedStorage").Shared.Greeting)

print(Greeting.of("${side}"))
`;

function shared(kind: ProjectKind): Readonly<Record<string, string>> {
  const built = kind === 'place' ? ['*.rbxl', '*.rbxlx', '*.rbxl.lock', '*.rbxlx.lock'] : ['*.rbxm', '*.rbxmx'];
  return {
    '.gitignore': `${[...built.map(glob => `/${glob}`), 'sourcemap.json', '/Packages', '/ServerPackages', '/DevPackages'].join('\n')}\n`,
    '.luaurc': json({ languageMode: 'strict' }),
  };
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
