import type { Reflection } from '../roblox/instances/reflection.ts';

/** The kinds of instances that have a separate icon in `media/classes`. */
export const classFamilies = [
  'animation',
  'attachment',
  'camera',
  'character',
  'effect',
  'event',
  'folder',
  'frame',
  'function',
  'image',
  'instance',
  'joint',
  'light',
  'local-script',
  'mesh',
  'model',
  'module-script',
  'part',
  'prompt',
  'script',
  'service',
  'sky',
  'sound',
  'team',
  'terrain',
  'text',
  'tool',
  'ui-layout',
  'value',
  'workspace',
] as const;
export type ClassFamily = (typeof classFamilies)[number];

/** The classes of each family, with the classes derived from them. The first family that matches wins. */
const rules: readonly (readonly [ClassFamily, readonly string[]])[] = [
  ['module-script', ['ModuleScript']],
  ['local-script', ['LocalScript']],
  ['script', ['LuaSourceContainer']],
  ['workspace', ['Workspace']],
  ['terrain', ['Terrain']],
  ['tool', ['BackpackItem', 'Accoutrement']],
  ['mesh', ['MeshPart', 'PartOperation', 'DataModelMesh']],
  ['part', ['BasePart']],
  ['model', ['Model']],
  ['folder', ['Folder', 'Configuration']],
  ['value', ['ValueBase']],
  ['event', ['BaseRemoteEvent', 'BindableEvent']],
  ['function', ['RemoteFunction', 'BindableFunction']],
  ['text', ['TextLabel', 'TextButton', 'TextBox', 'LocalizationTable']],
  ['image', ['ImageLabel', 'ImageButton', 'Decal', 'SurfaceAppearance', 'VideoFrame', 'ViewportFrame']],
  ['ui-layout', ['UIBase', 'UIComponent', 'StyleBase']],
  ['frame', ['GuiBase']],
  ['sound', ['Sound', 'SoundGroup', 'SoundEffect', 'AudioPlayer', 'AudioEmitter', 'AudioListener']],
  ['light', ['Light']],
  ['sky', ['PostEffect', 'Sky', 'Atmosphere', 'Clouds']],
  ['effect', ['ParticleEmitter', 'Trail', 'Beam', 'Fire', 'Smoke', 'Sparkles', 'Explosion', 'Highlight']],
  ['camera', ['Camera']],
  ['character', ['Humanoid', 'HumanoidDescription', 'Player', 'BodyColors', 'CharacterAppearance']],
  ['animation', ['Animation', 'Animator', 'AnimationController', 'AnimationClip', 'Keyframe']],
  ['attachment', ['Attachment']],
  ['joint', ['Constraint', 'JointInstance', 'WeldConstraint', 'NoCollisionConstraint', 'BodyMover']],
  ['prompt', ['ProximityPrompt', 'ClickDetector', 'Dialog', 'DragDetector']],
  ['team', ['Team']],
];

/** The family of a class, which chooses its icon; `instance` for an unknown class. */
export function familyOf(className: string, reflection: Pick<Reflection, 'isA' | 'isService'>): ClassFamily {
  for (const [family, classes] of rules)
    if (classes.some(one => className === one || reflection.isA(className, one))) return family;
  return reflection.isService(className) ? 'service' : 'instance';
}
